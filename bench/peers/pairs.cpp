#include "bench/peers/pairs.hpp"

#include <cmath>

#include "bench/shapes.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::bench {
namespace {

constexpr double kMotionShift = 0.005;
constexpr double kMotionTurn = 0.5 * 3.14159265358979324 / 180.0;
// Steps after which a motion starts anew with another pair.
constexpr int kMotionSteps = 100;

double log_uniform(Random& random, double low, double high) {
  return low * std::pow(high / low, random.uniform());
}

double draw_separation(Random& random, bool apart) {
  return apart ? log_uniform(random, 1e-3, 1.0) : -log_uniform(random, 1e-4, 0.3);
}

// Moves b along the normal until it is `separation` away: that keeps the witnesses, so that the gap
// is known without asking again.
Pose at_separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& far,
                   double separation) {
  const DistanceResult gap = distance(a, pose_a, b, far);
  return detail::unchecked_pose(far.position() - gap.normal * (gap.distance - separation),
                                far.rotation());
}

PairSet make_pool(Random& random, const PairClass& kind, Question question, std::uint32_t pool) {
  PairSet set{question, {}, {}};
  for (const ShapeType type : {kind.a, kind.b}) {
    for (std::uint32_t i = 0; i < pool; ++i)
      set.shapes.push_back(random_shape(random, type, kind.vertices));
  }
  return set;
}

}  // namespace

PairSet make_pairs(const PairClass& kind, Question question, int count, std::uint32_t pool) {
  Random random(20, static_cast<std::uint64_t>(kind.bullet_distance));
  PairSet set = make_pool(random, kind, question, pool);
  while (static_cast<int>(set.pairs.size()) < count) {
    const std::uint32_t a = random.below(pool);
    const std::uint32_t b = pool + random.below(pool);
    const bool apart = question == Question::distance ||
                       (question == Question::overlap && set.pairs.size() % 2 == 0);
    const double separation = draw_separation(random, apart);
    const Vec3 place = random_direction(random);
    const Pose pose_a(place, random_rotation(random));
    const Pose far(place + random_direction(random) * 4.0, random_rotation(random));
    const Pose pose_b = at_separation(set.shapes[a], pose_a, set.shapes[b], far, separation);
    // A thin body may have been pushed right through the other one.
    if (!apart && !(distance(set.shapes[a], pose_a, set.shapes[b], pose_b).distance < 0.0))
      continue;
    set.pairs.push_back({a, b, pose_a, pose_b, separation});
  }
  return set;
}

PairSet make_motion(const PairClass& kind, Question question, int count) {
  Random random(21, static_cast<std::uint64_t>(kind.bullet_distance));
  const std::uint32_t pool = kColdPool;
  PairSet set = make_pool(random, kind, question, pool);
  PairSet::Pair pair{};
  Vec3 slide;
  Quat turn;
  for (int i = 0; i < count; ++i) {
    if (i % kMotionSteps == 0) {
      pair.a = random.below(pool);
      pair.b = pool + random.below(pool);
      pair.separation =
          question == Question::distance ? random.uniform(0.05, 0.5) : -random.uniform(0.02, 0.15);
      pair.pose_a = Pose(random_direction(random), random_rotation(random));
      pair.pose_b =
          Pose(pair.pose_a.position() + random_direction(random) * 4.0, random_rotation(random));
      slide = random_direction(random) * kMotionShift;
      const Vec3 axis = random_direction(random) * std::sin(0.5 * kMotionTurn);
      turn = {std::cos(0.5 * kMotionTurn), axis.x, axis.y, axis.z};
    } else {
      pair.pose_b = Pose(pair.pose_b.position() + slide, Quat{}) *
                    detail::unchecked_pose({}, Pose({}, turn).rotation() * pair.pose_b.rotation());
    }
    pair.pose_b = at_separation(set.shapes[pair.a], pair.pose_a, set.shapes[pair.b], pair.pose_b,
                                pair.separation);
    set.pairs.push_back(pair);
  }
  return set;
}

}  // namespace tactus::detail::bench
