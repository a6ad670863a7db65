#include "tactus/rigid/event/flight.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/constants.hpp"
#include "tactus/math/symmetric_eigen.hpp"
#include "tactus/rigid/body/periodic.hpp"

namespace tactus::detail {
namespace {

// Largest turn of a segment: the midpoint rule turns by 2e-4 of it too little then, and its rates
// differ from those of the true motion by less than `kRates`.
constexpr double kSegmentTurn = 0.05;
constexpr double kRates = 1.1;

}  // namespace

Flight::Flight(const Body& body, const Vec3& gravity)
    : body_(&body),
      top_(body.is_dynamic() && !body.has_isotropic_inertia()),
      position_(body.center_of_mass()),
      velocity_(body.linear_velocity()) {
  if (body.is_dynamic())
    acceleration_ = gravity * body.gravity_scale() + body.constant_force() * body.inverse_mass();
  if (top_) {
    const SymmetricEigen moments = symmetric_eigen(body.mass().inertia);
    least_inertia_ = std::min({moments.values[0], moments.values[1], moments.values[2]});
    const double most = std::max({moments.values[0], moments.values[1], moments.values[2]});
    asymmetry_ = (most - least_inertia_) / least_inertia_;
  }
  rotation_ = {body.motion().orientation, to_matrix(body.motion().orientation),
               body.angular_velocity()};
  start_segments(0.0);
}

Flight Flight::beside(const Vec3& shift) const {
  Flight image = *this;
  image.shift_ += shift;
  image.position_ += shift;
  return image;
}

void Flight::start_segments(double time) {
  const Vec3& w = rotation_.angular_velocity;
  spin_ = norm(w);
  if (top_) {
    // Energy of rotation and angular momentum stay as they are.
    const Vec3 local = transpose_times(rotation_.axes, w);
    const Vec3 momentum = body_->mass().inertia * local;
    spin_ = kRates * std::min(std::sqrt(std::max(dot(local, momentum), 0.0) / least_inertia_),
                              norm(momentum) / least_inertia_);
  }
  bend_ = spin_ * spin_ * (1.0 + (top_ ? asymmetry_ : 0.0));
  segment_length_ = spin_ > 0.0 ? kSegmentTurn / spin_ : kInfinity;
  segment_start_ = time;
  segment_end_ = time + segment_length_;
}

void Flight::reach(double time) {
  while (time >= segment_end_) {
    const double end = segment_end_;
    rotation_ = rotation(end);
    segment_start_ = end;
    segment_end_ = end + segment_length_;
    if (!(segment_end_ > end)) segment_end_ = kInfinity;
  }
}

Vec3 Flight::position(double time) const {
  const double t = time - start_;
  return position_ + (velocity_ + acceleration_ * (0.5 * t)) * t;
}

Rotation Flight::rotation(double time) const {
  const double t = time - segment_start_;
  if (spin_ == 0.0 || t == 0.0) return rotation_;
  if (top_) return rotate_freely(rotation_, body_->mass().inertia, body_->inverse_inertia(), t);
  Rotation r = rotation_;
  r.orientation = rotate_steadily(rotation_.orientation, rotation_.angular_velocity, t);
  r.axes = to_matrix(r.orientation);
  return r;
}

Pose Flight::pose(const Vec3& position, const Rotation& rotation) const {
  return unchecked_pose(position - rotation.axes * body_->mass().center, rotation.axes);
}

Pose Flight::pose(double time) const {
  if (!moves()) return placed(body_->pose(), shift_);
  return pose(position(time), rotation(time));
}

void Flight::turn_off(double time, const Vec3& linear, const Vec3& angular) {
  position_ = position(time);
  rotation_ = rotation(time);
  start_ = time;
  velocity_ = linear;
  rotation_.angular_velocity = angular;
  start_segments(time);
}

BodyMotion Flight::motion(double time) const {
  const Rotation r = rotation(time);
  return {body_->id(), position(time), r.orientation, velocity(time), r.angular_velocity, {}, {}};
}

}  // namespace tactus::detail
