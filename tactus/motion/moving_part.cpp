#include "tactus/motion/moving_part.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/narrow/difference/core.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/prepared_hull.hpp"

namespace tactus::detail {
namespace {

// Lengths that bound others, moved to the safe side.
constexpr double kMore = 1.0 + 16.0 * kEpsilon;
// Roundings of a point's place and of a support value, of the pose and the product of rotations;
// and, of the angle that has been run through, of its own computation and of the sine.
constexpr double kPlacing = 48.0 * kEpsilon;
constexpr double kTurning = 4.0 * kEpsilon;

bool is_revolution(const Core& core) {
  return core.kind == CoreKind::cylinder || core.kind == CoreKind::cone ||
         (core.kind == CoreKind::ellipsoid && core.half.x == core.half.y);
}

double squared_distance(const Vec3& x, const Vec3& axis) { return squared_norm(cross(axis, x)); }

}  // namespace

MovingPart::MovingPart(const Shape& shape, const Pose& body, const Pose& local,
                       const RigidMotion& motion)
    : shape_(&shape),
      body_(detail::unchecked_pose({}, body.rotation())),
      local_(local),
      motion_(motion),
      axis_(normalized(motion.angular)),
      spin_(norm(motion.angular)) {
  if (is_halfspace()) return;
  const Pose placed = body_ * local_;
  centre_about_ = std::sqrt(squared_distance(placed.position(), axis_)) * kMore;
  if (shape.is_convex_body()) radius_ = core_of(shape).radius;
  reach_ = (norm(placed.position()) + bounding_radius(shape)) * kMore;
  measure_core(placed);
}

void MovingPart::measure_core(const Pose& placed) {
  const Vec3 local_axis = placed.direction_to_local(axis_);
  const double along = dot(axis_, placed.position());
  if (!shape_->is_convex_body()) {
    about_ = ahead_ = behind_ = reach_;
    return;
  }
  const Core& core = core_of(*shape_);
  ahead_ = along + detail::support_value(core, local_axis);
  behind_ = detail::support_value(core, -local_axis) - along;
  const auto of_points = [&](auto&& each) {
    double most = 0.0;
    each(
        [&](const Vec3& p) { most = std::max(most, squared_distance(placed.to_world(p), axis_)); });
    return std::sqrt(most) * kMore;
  };
  switch (core.kind) {
    case CoreKind::point:
      about_ = centre_about_;
      break;
    case CoreKind::segment:
    case CoreKind::box:
      about_ = of_points([&](auto&& visit) {
        for (int i = 0; i < 8; ++i) {
          visit({(i & 1) != 0 ? core.half.x : -core.half.x,
                 (i & 2) != 0 ? core.half.y : -core.half.y,
                 (i & 4) != 0 ? core.half.z : -core.half.z});
        }
      });
      break;
    case CoreKind::polytope:
      if (core.hull->directions.large()) {
        about_ = std::min(reach_across(core, placed), reach_);
      } else {
        about_ = of_points([&](auto&& visit) {
          for (const Vec3& v : core.hull->vertices) visit(v);
        });
      }
      break;
    case CoreKind::cylinder:
    case CoreKind::cone: {
      // The middles of both discs, and the larger radius.
      about_ = of_points([&](auto&& visit) {
        visit({0.0, 0.0, core.half.z});
        visit({0.0, 0.0, -core.half.z});
      });
      about_ = std::min(about_ + core.half.x, reach_);
      break;
    }
    case CoreKind::ellipsoid:
      about_ = (centre_about_ + max_abs(core.half)) * kMore;
      break;
    default:
      about_ = reach_;
      break;
  }
  if (!is_revolution(core)) return;
  // Without its spin about itself the body turns by the rest, whose axis turns too.
  const double across =
      std::min(std::sqrt(squared_distance({0.0, 0.0, 1.0}, local_axis)) + 8.0 * kEpsilon, 1.0);
  const double cosine = std::fabs(local_axis.z);
  revolution_ = spin_ * spin_ * (across * (across + cosine)) * norm(core.half) * kMore;
}

// At most the distance of the core from the axis: how far it reaches across, in directions so close
// to each other that between them it is little farther.
double MovingPart::reach_across(const Core& core, const Pose& placed) const {
  constexpr int kDirections = 64;
  const Vec3 x = any_perpendicular(axis_), y = cross(axis_, x);
  double most = 0.0;
  for (int i = 0; i < kDirections; ++i) {
    const double angle = 2.0 * kPi * i / kDirections;
    const Vec3 n = x * std::cos(angle) + y * std::sin(angle);
    const double support = detail::support_value(core, placed.direction_to_local(n));
    most = std::max(most, dot(n, placed.position()) + support);
  }
  return most / std::cos(kPi / kDirections) * kMore + kPlacing * reach_;
}

Pose MovingPart::at(double t, const Vec3& origin) const {
  const Mat3 rotation = rotation_by(motion_.angular * t) * body_.rotation();
  return detail::unchecked_pose(origin, rotation) * local_;
}

double MovingPart::support_value(const Pose& placed, const Vec3& n) const {
  const Vec3 local = placed.direction_to_local(n);
  const double value = shape_->is_convex_body()
                           ? detail::support_value(core_of(*shape_), local) + radius_
                           : tactus::support_value(*shape_, local);
  return dot(n, placed.position()) + value;
}

double MovingPart::swept_value(const Vec3& n) const {
  if (spin_ == 0.0) return support_value(body_ * local_, n);
  const double along = dot(n, axis_);
  const double across = norm(cross(axis_, n));
  return along * (along > 0.0 ? ahead_ : -behind_) + (across * about_ + radius_);
}

double MovingPart::bend(const Vec3& n) const {
  const double square = spin_ * spin_ * norm(cross(axis_, n)) * kMore;
  return std::min(square * about_, square * centre_about_ + revolution_);
}

double MovingPart::largest_bend() const {
  const double square = spin_ * spin_ * kMore;
  return std::min(square * about_, square * centre_about_ + revolution_);
}

double MovingPart::rounding(double t, double reach) const {
  return (kPlacing + kTurning * (spin_ * t)) * (reach + norm(local_.position()));
}

}  // namespace tactus::detail
