#include "bench/peers/pairs.hpp"

#include <cmath>

#include "bench/shapes.hpp"
#include "tactus/query/distance.hpp"

namespace tactus::bench {
namespace {

constexpr int kPool = 512;

double log_uniform(Random& random, double low, double high) {
  return low * std::pow(high / low, random.uniform());
}

}  // namespace

PairSet make_pairs(ShapeType type, Question question, int count) {
  Random random(20, static_cast<std::uint64_t>(type));
  PairSet set{type, question, {}, {}};
  for (int i = 0; i < kPool; ++i) set.shapes.push_back(random_shape(random, type));
  for (int i = 0; i < count; ++i) {
    const std::uint32_t a = random.below(kPool);
    const std::uint32_t b = random.below(kPool);
    const bool apart =
        question == Question::distance || (question == Question::overlap && i % 2 == 0);
    const double separation =
        apart ? log_uniform(random, 1e-3, 1.0) : -log_uniform(random, 1e-4, 0.3);
    const Vec3 place = random_direction(random);
    const Pose pose_a(place, random_rotation(random));
    const Vec3 far = place + random_direction(random) * 4.0;
    const Pose start(far, random_rotation(random));
    // Moving b along the normal keeps the witnesses: the gap is known without asking again.
    const DistanceResult gap = distance(set.shapes[a], pose_a, set.shapes[b], start);
    const Vec3 position = far - gap.normal * (gap.distance - separation);
    set.pairs.push_back({a, b, pose_a, Pose::unchecked(start.rotation(), position), separation});
  }
  return set;
}

}  // namespace tactus::bench
