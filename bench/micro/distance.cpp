#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <vector>

#include "bench/shapes.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::bench {
namespace {

constexpr std::array kTypes{ShapeType::sphere,   ShapeType::box,  ShapeType::capsule,
                            ShapeType::cylinder, ShapeType::cone, ShapeType::ellipsoid,
                            ShapeType::convex};

/// Signed distance of random pairs, with `separation` as the distance along the normal of each
/// (negative: overlap).
void signed_distance(benchmark::State& state, ShapeType type_a, ShapeType type_b,
                     double separation) {
  struct Pair {
    Shape a, b;
    Pose pose_a, pose_b;
  };
  Random random(1);
  std::vector<Pair> pairs;
  for (int i = 0; i < 256; ++i) {
    const Shape a = random_shape(random, type_a);
    const Shape b = random_shape(random, type_b);
    const Pose pose_a({}, random_rotation(random));
    const Pose far(random_direction(random) * 10.0, random_rotation(random));
    const DistanceResult gap = distance(a, pose_a, b, far);
    const Pose pose_b = detail::unchecked_pose(
        far.position() - gap.normal * (gap.distance - separation), far.rotation());
    pairs.push_back({a, b, pose_a, pose_b});
  }
  std::size_t i = 0;
  for (auto _ : state) {
    const Pair& p = pairs[i++ % pairs.size()];
    benchmark::DoNotOptimize(distance(p.a, p.pose_a, p.b, p.pose_b));
  }
}

const bool kRegistered = [] {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    for (std::size_t j = i; j < kTypes.size(); ++j) {
      const std::string pair =
          std::string(to_string(kTypes[i])) + "-" + std::string(to_string(kTypes[j]));
      benchmark::RegisterBenchmark(("distance/" + pair).c_str(), signed_distance, kTypes[i],
                                   kTypes[j], 0.1);
      benchmark::RegisterBenchmark(("depth/" + pair).c_str(), signed_distance, kTypes[i], kTypes[j],
                                   -0.02);
    }
  }
  return true;
}();

}  // namespace
}  // namespace tactus::detail::bench
