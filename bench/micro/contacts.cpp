#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "bench/shapes.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::bench {
namespace {

// Each pair as often: counts of instructions repeat.
constexpr int kCalls = 20000;

struct Pair {
  Shape a, b;
  Pose pose_a, pose_b;
};

/// 200 pairs that overlap by 0.02. Resting ones: B upright on A, turned about the vertical and
/// aside by up to 0.1; else B is anywhere about A.
std::vector<Pair> contact_pairs(ShapeType type_a, ShapeType type_b, bool resting) {
  Random random(1);
  std::vector<Pair> pairs;
  for (int i = 0; i < 200; ++i) {
    const Shape b = random_shape(random, type_b);
    const bool plane = type_a == ShapeType::halfspace;
    const Shape a = plane ? Shape(HalfSpace(Vec3{0, 0, 1}, 0.0)) : random_shape(random, type_a);
    const double turn = random.uniform(-3.0, 3.0);
    const Quat rotation =
        resting ? Quat{std::cos(turn), 0, 0, std::sin(turn)} : random_rotation(random);
    Vec3 place = random_direction(random) * 10.0;
    if (resting) {
      place = random_vector(random, -0.1, 0.1);
      place.z = 10.0;
    }
    if (plane) place.z = std::fabs(place.z);
    const Pose far(place, normalized(rotation));
    const DistanceResult gap = distance(a, Pose(), b, far);
    pairs.push_back({a, b, Pose(),
                     detail::unchecked_pose(far.position() - gap.normal * (gap.distance + 0.02),
                                            far.rotation())});
  }
  return pairs;
}

// Set apart, for counts of its instructions alone: callgrind --toggle-collect='*count_contacts*'.
[[gnu::noinline]] int count_contacts(const Pair& p) {
  std::array<Manifold, 4> found;
  return contacts(p.a, p.pose_a, p.b, p.pose_b, found).manifolds;
}

void patches(benchmark::State& state, ShapeType type_a, ShapeType type_b, bool resting) {
  const std::vector<Pair> pairs = contact_pairs(type_a, type_b, resting);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(count_contacts(pairs[i++ % pairs.size()]));
}

const bool kRegistered = [] {
  using Types = std::array<ShapeType, 2>;
  for (const auto& [a, b] :
       {Types{ShapeType::box, ShapeType::box}, Types{ShapeType::convex, ShapeType::convex},
        Types{ShapeType::cylinder, ShapeType::cylinder}, Types{ShapeType::cylinder, ShapeType::box},
        Types{ShapeType::halfspace, ShapeType::cylinder},
        Types{ShapeType::halfspace, ShapeType::box}}) {
    const std::string pair = std::string(to_string(a)) + "-" + std::string(to_string(b));
    benchmark::RegisterBenchmark(("contacts/" + pair).c_str(), patches, a, b, false)
        ->Iterations(kCalls);
    benchmark::RegisterBenchmark(("resting/" + pair).c_str(), patches, a, b, true)
        ->Iterations(kCalls);
  }
  return true;
}();

}  // namespace
}  // namespace tactus::detail::bench
