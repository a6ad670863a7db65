#include "tactus/rigid/motion/free_rotation.hpp"

#include <cmath>

#include "tactus/math/turned.hpp"
#include "tactus/rigid/body/locks.hpp"

namespace tactus::detail {
namespace {

/// Largest angle of one part: Newton's method then converges from any start, and the second-order
/// error stays small.
constexpr double kLargestPart = 0.5;
/// A spin too fast for this many parts is not resolved any more; momentum is still kept.
constexpr int kMaxParts = 64;
/// Below this angle of a part, each iteration with the inertia in place of the slope gains at least
/// two digits and costs a third of Newton's.
constexpr double kSmallPart = 0.01;
/// Eight iterations reach rounding, by Newton's slope and by the inertia in its place; the rest is
/// margin.
constexpr int kMaxIterations = 12;
/// Below this square of half an angle, what the series adds to its first two terms is lost in
/// rounding.
constexpr double kNoSeries = 1e-8;
/// Residual over momentum at which rounding has taken over.
constexpr double kResidual = 4e-16;
/// Safety factor, for rounding, of a bound that is compared squared, without a root.
constexpr double kSlower = 0.9;

int count_parts(const Vec3& angular_velocity, double time) {
  // Most bodies turn slowly: no root is needed to see it.
  if (squared_norm(angular_velocity) * (time * time) < kSlower * kLargestPart * kLargestPart)
    return 1;
  const double angle = norm(angular_velocity) * std::fabs(time);
  if (!(angle > kLargestPart)) return 1;
  if (!(angle < kLargestPart * kMaxParts)) return kMaxParts;
  return static_cast<int>(angle / kLargestPart) + 1;
}

/// Orientation after turning by the vector whose length is twice the tangent of half the angle.
Quat turn(const Quat& orientation, const Vec3& twice_tangent) {
  const Vec3 t = twice_tangent * 0.5;
  return normalized(Quat{1.0, t.x, t.y, t.z} * orientation);
}

/// Solves I w = m + (h/2) (I w) x w for the angular velocity w at mid-step, body frame.
Vec3 midpoint_velocity(const Vec3& momentum, const Mat3& inertia, const Mat3& inverse_inertia,
                       double half_time) {
  Vec3 w = inverse_inertia * momentum;
  const double enough = kResidual * norm(momentum);
  const bool small = 2.0 * half_time * norm(w) < kSmallPart;
  double best = norm(momentum);
  for (int i = 0; i < kMaxIterations; ++i) {
    const Vec3 iw = inertia * w;
    const Vec3 residual = (iw - momentum) - cross(iw, w) * half_time;
    const double size = norm(residual);
    if (size <= enough || !(size < best)) break;
    best = size;
    if (small) {
      w -= inverse_inertia * residual;
    } else {
      const Mat3 slope = inertia - (cross_matrix(iw) - cross_matrix(w) * inertia) * half_time;
      w -= inverse(slope) * residual;
    }
  }
  return w;
}

}  // namespace

Rotation rotate_freely(const Rotation& start, const Mat3& inertia, const Mat3& inverse_inertia,
                       double time) {
  const int parts = count_parts(start.angular_velocity, time);
  const double part_time = time / parts;
  Rotation now = start;
  const Vec3 world_momentum =
      start.axes * (inertia * transpose_times(start.axes, start.angular_velocity));
  for (int part = 0; part < parts; ++part) {
    const Vec3 momentum = transpose_times(now.axes, world_momentum);
    const Vec3 w = midpoint_velocity(momentum, inertia, inverse_inertia, 0.5 * part_time);
    now.orientation = turn(now.orientation, now.axes * w * part_time);
    now.axes = to_matrix(now.orientation);
  }
  now.angular_velocity = now.axes * (inverse_inertia * transpose_times(now.axes, world_momentum));
  return now;
}

Rotation rotate_about_two(const Rotation& start, const Mat3& inertia,
                          const std::array<bool, 3>& locked, double time) {
  const int parts = count_parts(start.angular_velocity, time);
  const double part_time = time / parts;
  const Vec3 momentum = to_world_axes(inertia, start.axes) * start.angular_velocity;
  Rotation now = start;
  for (int part = 0; part < parts; ++part) {
    Vec3 w = now.angular_velocity;
    for (int i = 0; i < kMaxIterations; ++i) {
      const Quat& from = now.orientation;
      const Quat to = turn(from, w * part_time);
      const Quat middle =
          normalized(Quat{from.w + to.w, from.x + to.x, from.y + to.y, from.z + to.z});
      const Vec3 next = inverse_inertia_of(inertia, to_matrix(middle), locked) * momentum;
      const double change = norm(next - w);
      w = next;
      if (!(change > kResidual * norm(w))) break;
    }
    now.orientation = turn(now.orientation, w * part_time);
    now.axes = to_matrix(now.orientation);
    now.angular_velocity = inverse_inertia_of(inertia, now.axes, locked) * momentum;
  }
  return now;
}

Quat rotate_steadily(const Quat& orientation, const Vec3& angular_velocity, double time) {
  const int parts = count_parts(angular_velocity, time);
  const Vec3 step = angular_velocity * (time / parts);
  // 2 tan(x/2) / x by its series; with x below half a radian the next term is below 1e-9.
  const double u = 0.25 * squared_norm(step);
  double stretch = 1.0 + u * (1.0 / 3.0);
  if (u > kNoSeries)
    stretch =
        1.0 +
        u * (1.0 / 3.0 +
             u * (2.0 / 15.0 + u * (17.0 / 315.0 + u * (62.0 / 2835.0 + u * (1382.0 / 155925.0)))));
  Quat now = orientation;
  for (int part = 0; part < parts; ++part) now = turn(now, step * stretch);
  return now;
}

}  // namespace tactus::detail
