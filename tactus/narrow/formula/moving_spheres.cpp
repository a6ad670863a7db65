#include "tactus/narrow/formula/moving_spheres.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Roundings of a length computed from the offset: the unit vector of the motion (5), a dot product
// (3), the foot (2) and its norm (3), with a margin of two.
constexpr double kRoundings = 26.0 * kUnit;
constexpr double kEarlier = 1.0 - 4.0 * kUnit;
constexpr double kLater = 1.0 + 4.0 * kUnit;

double length_of(const Vec3& v) {
  const double largest = max_abs(v);
  return largest > 0.0 ? largest * norm(v / largest) : 0.0;
}

}  // namespace

MovingSpheres moving_spheres(const Vec3& offset, double radius, const Vec3& motion, double last,
                             double offset_error, double motion_error) {
  const double infinity = std::numeric_limits<double>::infinity();
  const MovingSpheres miss{CastOutcome::miss, infinity, infinity};
  const double apart = length_of(offset);
  const double error = offset_error + kRoundings * (apart + radius);
  if (apart + error < radius) return {CastOutcome::hit, 0.0, 0.0};
  const bool separated = apart - error > radius;

  const double speed = length_of(motion);
  if (speed == 0.0) return separated ? miss : MovingSpheres{};
  if (!(speed > motion_error)) {
    // The direction is lost in rounding; at the end they are at most that much closer.
    return separated && apart - error - 2.0 * motion_error * last > radius ? miss : MovingSpheres{};
  }
  const Vec3 along = motion / speed;
  const double foot = dot(offset, along);
  // An error of the direction turns the line about the start.
  const double slack = error + 2.0 * apart * (motion_error / speed);
  const double beside = length_of(offset - along * foot);
  if (separated && (foot + slack < 0.0 || beside - slack > radius)) return miss;

  const auto half_chord = [radius](double distance) {
    return std::sqrt(std::max((radius - distance) * (radius + distance), 0.0));
  };
  MovingSpheres r;
  if (separated) {
    const double enter = foot - half_chord(std::max(beside - slack, 0.0)) - 2.0 * slack;
    r.time = std::max(enter / (speed + motion_error) * kEarlier, 0.0);
    if (r.time > last) return miss;
  }
  if (beside + slack < radius && foot > 0.0) {
    const double enter = foot - half_chord(beside + slack) + 2.0 * slack;
    const double upper = std::max(enter / (speed - motion_error) * kLater, r.time);
    if (upper <= last) {
      r.time_upper = upper;
      r.outcome = CastOutcome::hit;
    }
  }
  return r;
}

}  // namespace tactus::detail
