#include "fuzz/motion_maker.hpp"

#include <cmath>

#include "fuzz/random_values.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::fuzz {
namespace {

DistanceResult answer_of(const io::Query& q) {
  QueryOptions options;
  options.signed_distance = false;
  return distance(q.a, q.pose_a, q.b, q.pose_b, options);
}

void shift_b(io::Query& q, const Vec3& shift) {
  if (is_finite(shift))
    q.pose_b = detail::unchecked_pose(q.pose_b.position() + shift, q.pose_b.rotation());
}

/// Along the plane in which the bodies are nearest, or nearly.
Vec3 tangent(const Vec3& normal, Random& random) {
  const Vec3 along = cross(normal, direction(random));
  return norm(along) > 0.0 ? normalized(along) : any_perpendicular(normal);
}

double small_gap(double unit, Random& random) {
  const double gap = unit * power_of_ten(random, -16.0, -5.0);
  return chance(random, 3) ? 0.0 : chance(random, 2) ? gap : -gap;
}

Vec3 quarters(Random& random) {
  Vec3 v;
  for (int k = 0; k < 3; ++k) v[k] = 0.25 * (static_cast<int>(random.below(17)) - 8);
  return v;
}

/// How B moves as seen from A.
Vec3 way_of_b(io::Query& q, double unit, Random& random) {
  switch (random.below(6)) {
    case 0:
      return quarters(random) * unit;
    case 1: {
      approach(q, 0.0);
      approach(q, 0.0);
      const Vec3 n = answer_of(q).normal;
      return (chance(random, 3) ? direction(random) : chance(random, 2) ? n : -n) * unit;
    }
    case 2: {
      const DistanceResult r = answer_of(q);
      return std::isfinite(r.distance) ? -(r.normal * r.distance) : Vec3{};
    }
    case 3:
      approach(q, small_gap(unit, random));
      return tangent(answer_of(q).normal, random) * (unit * random.uniform(0.1, 3.0));
    case 4: {
      approach(q, small_gap(unit, random));
      const Vec3 half = tangent(answer_of(q).normal, random) * (unit * random.uniform(0.1, 3.0));
      shift_b(q, -half);
      return half * 2.0;
    }
    default: {
      const Vec3 towards = q.pose_a.position() - q.pose_b.position();
      return towards * random.uniform(0.0, 2.0) + direction(random) * (unit * 0.3);
    }
  }
}

Vec3 turn(const Vec3& normal, Random& random) {
  switch (random.below(4)) {
    case 0:
      return {};
    case 1: {
      Vec3 v;
      v[static_cast<int>(random.below(3))] = kHalfPi * (1.0 + random.below(4));
      return v;
    }
    case 2:
      return normal * random.uniform(-6.0, 6.0);
    default:
      return direction(random) * random.uniform(0.0, chance(random, 4) ? 30.0 : 3.0);
  }
}

}  // namespace

void approach(io::Query& q, double gap) {
  const DistanceResult r = answer_of(q);
  shift_b(q, r.normal * (gap - r.distance));
}

void draw_motion(io::Query& q, double unit, bool turning, Random& random) {
  io::Motion motion;
  const Vec3 way = way_of_b(q, unit, random);
  const Vec3 common = chance(random, 3) ? direction(random) * unit : Vec3{};
  const bool a_moves = chance(random, 3);
  motion.a.linear = a_moves ? common - way : common;
  motion.b.linear = a_moves ? common : common + way;
  if (turning) {
    const Vec3 n = answer_of(q).normal;
    motion.a.angular = turn(n, random);
    motion.b.angular = turn(n, random);
  }
  q.ask = turning ? io::Ask::impact : io::Ask::cast;
  q.motion = motion;
}

}  // namespace tactus::detail::fuzz
