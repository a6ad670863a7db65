#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tactus/character.hpp"
#include "tactus/math.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// A normal below this cosine to an axis counts as across it: the inverse would be large.
inline constexpr double kMostCosine = 0.1;

/// Bodies about a character, at any time of the step that comes, and how a shape that does not turn
/// moves among them.
class Surroundings {
 public:
  /// `gap`: of CharacterSettings. Bodies that are `waiting` stand.
  Surroundings(const World& world, const Body& character, double gap,
               std::span<const BodyId> waiting);

  struct Obstacle {
    const Body* body = nullptr;
    RigidMotion motion;  ///< predicted, of its shape's frame
    Shape grown;         ///< the character, grown by what it keeps away
    double growth = 0.0;
    bool inside = false;  ///< the character overlaps it: casts leave it out
  };

  /// Looks for the bodies that a way of so many lengths from a place may meet, and measures how
  /// near they are at the start of the step.
  void find(const Vec3& place, double reach);
  std::vector<Obstacle>& obstacles() { return obstacles_; }
  /// Predicts the motion of a moving body anew, after it was pushed.
  void predict(Obstacle& obstacle) const;

  /// The body that carries the character: wherever it goes, the character goes along.
  void set_carrier(BodyId carrier) { carrier_ = carrier; }

  /// First obstacle on a way.
  struct Hit {
    std::size_t obstacle = 0;
    double time = 0.0;  ///< of the way, 0 to 1
    Vec3 normal;        ///< unit, out of the obstacle
    Vec3 point;         ///< world, on it
    Vec3 velocity;      ///< of the obstacle there
  };
  /// On the way `velocity` times `duration`, begun at a time of the step, obstacles moving. The
  /// character is grown: until the hit it keeps away from all of them. Bodies that other things may
  /// stop are met where they are, too: none makes room before it has gone.
  std::optional<Hit> first_hit(const Vec3& place, const Vec3& velocity, double since,
                               double duration) const;
  /// Part of a way, obstacles standing as they are at a time of the step, that leaves the gap to
  /// the first one.
  double free_part(const Vec3& place, const Vec3& way, double at) const;

  /// Ground below: the height by which the character can sink until it touches.
  struct Ground {
    std::size_t obstacle = 0;
    double height = 0.0;
    Vec3 normal, point;
    bool carries = false;
    /// Distance to it along the normal.
    double distance(const Vec3& up) const { return height * dot(normal, up); }
  };
  /// At a time of the step, down to a depth. Ground that carries comes before other ground at the
  /// same height. `level`: least cosine of the slope that carries.
  std::optional<Ground> ground_below(const Vec3& place, const Vec3& up, double depth, double level,
                                     double at) const;

  /// A place of an obstacle that is too near.
  struct Near {
    Vec3 normal;  ///< unit, out of the obstacle
    double gap = 0.0;
    std::size_t obstacle = 0;
  };
  /// All that is nearer than a gap at the start of the step.
  std::vector<Near> nearer_than(const Vec3& place, double gap) const;
  /// Middle of what the character touches of an obstacle near the place, at a time of the step.
  Vec3 middle_of_touch(const Hit& hit, const Vec3& place, double at) const;
  /// Is anything nearer than a gap, at a time of the step?
  bool is_nearer(const Vec3& place, double gap, double at) const;

  /// Is it a moving body, which other things may stop, and not the one that carries?
  bool may_be_stopped(const Obstacle& obstacle) const {
    return obstacle.body->is_dynamic() && obstacle.body->id() != carrier_;
  }
  Pose pose_of(const Obstacle& obstacle, double at) const;
  Vec3 velocity_of(const Obstacle& obstacle, const Vec3& point, double at) const;
  double size() const { return radius_; }

 private:
  Pose placed_at(const Vec3& place) const { return unchecked_pose(place, rotation_); }
  bool may_meet(const Body& body) const;
  std::optional<Hit> hit_of(std::size_t i, const Vec3& place, const Vec3& velocity, double since,
                            double duration, bool moving) const;
  std::optional<Ground> ground_of(std::size_t i, const Vec3& place, const Vec3& up, double depth,
                                  double level, double at) const;
  std::optional<Hit> first_standing(const Vec3& place, const Vec3& way, double at) const;
  bool lets_through(const Obstacle& obstacle, const Vec3& normal, double at) const;
  bool carries(const Obstacle& obstacle, const Vec3& normal, const Vec3& point, const Vec3& up,
               double level, double at) const;

  const World& world_;
  const Body& character_;
  std::span<const BodyId> waiting_;
  BodyId carrier_ = kNoBody;
  Mat3 rotation_;
  double gap_, radius_, step_;
  std::vector<Obstacle> obstacles_;
};

}  // namespace tactus::detail
