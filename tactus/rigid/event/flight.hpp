#pragma once

#include "tactus/rigid/motion/free_rotation.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// The way of a body between two collisions: its centre of mass along a parabola, exactly, and its
/// rotation as a free top, or steadily where all axes are principal or the body is driven.
///
/// Rotation is a chain of segments of at most `kSegmentTurn` radians, each computed from its start:
/// a pose depends on the time alone, not on the times asked for before.
class Flight {
 public:
  Flight() = default;
  /// From the body's motion, at time 0. Refers to the body.
  Flight(const Body& body, const Vec3& gravity);

  /// The flight of the body's image, `shift` beside it, until either one turns off.
  Flight beside(const Vec3& shift) const;

  const Body& body() const { return *body_; }
  bool moves() const { return body_->type() != BodyType::fixed; }

  /// Takes up the segment that holds `time`. Times don't go back.
  void reach(double time);
  /// Up to where poses may be asked for: the end of the present segment.
  double segment_end() const { return segment_end_; }

  Vec3 position(double time) const;
  Vec3 velocity(double time) const { return velocity_ + acceleration_ * (time - start_); }
  const Vec3& acceleration() const { return acceleration_; }
  Rotation rotation(double time) const;
  /// Pose of the shape's frame.
  Pose pose(double time) const;
  Pose pose(const Vec3& position, const Rotation& rotation) const;

  /// Bound of the angular speed until the next collision.
  double spin() const { return spin_; }
  /// Bound of the second derivative of a point's place about the centre of mass, per distance from
  /// it.
  double bend() const { return bend_; }

  /// A collision: goes on from its place at `time` with other velocities.
  void turn_off(double time, const Vec3& linear, const Vec3& angular);
  /// As at `time`, for the body.
  BodyMotion motion(double time) const;

 private:
  void start_segments(double time);

  const Body* body_ = nullptr;
  bool top_ = false;
  double asymmetry_ = 0.0;  ///< largest difference of principal moments over the least
  double least_inertia_ = 0.0;
  Vec3 shift_;  ///< from the body
  double start_ = 0.0;
  Vec3 position_, velocity_, acceleration_;  ///< at `start_`
  double segment_start_ = 0.0, segment_end_ = 0.0, segment_length_ = 0.0;
  Rotation rotation_;  ///< at `segment_start_`
  double spin_ = 0.0, bend_ = 0.0;
};

}  // namespace tactus::detail
