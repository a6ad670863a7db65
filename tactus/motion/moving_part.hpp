#pragma once

#include "tactus/math.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// A convex body, or a half-space, or a body that a half-space sees by its hull alone, which moves
/// as part of a rigid body: what is known of its motion at all times.
///
/// Every point of it runs round a circle about the rigid body's axis of rotation, which moves along
/// a straight line. `Core` points only: the ball that a core is grown by turns into itself.
class MovingPart {
 public:
  /// `body` is the pose of the rigid body at time 0, `local` that of the part within it. Refers to
  /// the shape. Cost: a pass over the vertices of a hull, or some 64 support points of a large one.
  MovingPart(const Shape& shape, const Pose& body, const Pose& local, const RigidMotion& motion);

  const Shape& shape() const { return *shape_; }
  const RigidMotion& motion() const { return motion_; }
  bool is_halfspace() const { return shape_->type() == ShapeType::halfspace; }

  /// The part's pose at time t, its body's origin being at `origin` then.
  Pose at(double t, const Vec3& origin) const;

  /// Largest value of n . x over the placed part, ball included, n being a unit vector.
  double support_value(const Pose& placed, const Vec3& n) const;
  /// As `support_value`, over all that the part sweeps by turning, its body's origin staying at 0.
  double swept_value(const Vec3& n) const;

  /// Bound of the second derivative in time of n . x for the points x that make the support value
  /// along the fixed unit vector n: the support value plus half of it times t^2 is convex.
  double bend(const Vec3& n) const;
  /// As `bend`, for every n.
  double largest_bend() const;

  double spin() const { return spin_; }           ///< radians per unit of time
  double core_reach() const { return reach_; }    ///< of a core point from the body's origin
  double ball_radius() const { return radius_; }  ///< of the ball that the core is grown by
  /// Bound of the error of a coordinate of a point of the part at time t, the error of its body's
  /// origin left out.
  double rounding(double t) const { return rounding(t, reach_); }
  /// As `rounding(t)`, for a point at distance `reach` from the body's origin.
  double rounding(double t, double reach) const;

 private:
  void measure_core(const Pose& placed);
  double reach_across(const Core& core, const Pose& placed) const;

  const Shape* shape_;
  Pose body_, local_;
  RigidMotion motion_;
  Vec3 axis_;  ///< unit
  double spin_ = 0.0;
  double radius_ = 0.0, reach_ = 0.0;
  double about_ = 0.0;                 ///< largest distance of a core point from the axis
  double ahead_ = 0.0, behind_ = 0.0;  ///< largest value of axis . x, and of -axis . x
  double centre_about_ = 0.0;          ///< distance of the part's origin from the axis
  /// Bends of a body of revolution about its own origin, whose spin about itself does not count.
  double revolution_ = std::numeric_limits<double>::infinity();
};

}  // namespace tactus::detail
