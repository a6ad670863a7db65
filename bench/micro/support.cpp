#include <benchmark/benchmark.h>

#include <array>

#include "bench/shapes.hpp"
#include "tactus/narrow/core.hpp"

namespace tactus::bench {
namespace {

/// Support point of the core of a shape, random directions.
void support_point(benchmark::State& state, const Shape& shape) {
  Random random(1);
  std::array<Vec3, 1024> directions;
  for (Vec3& d : directions) d = random_direction(random);
  const Core core = make_core(shape);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(support(core, directions[i++ % directions.size()]));
}

const bool kRegistered = [] {
  constexpr std::array kTypes{ShapeType::sphere,   ShapeType::box,  ShapeType::capsule,
                              ShapeType::cylinder, ShapeType::cone, ShapeType::ellipsoid};
  Random random(2);
  for (const ShapeType type : kTypes) {
    benchmark::RegisterBenchmark(("support/" + std::string(to_string(type))).c_str(), support_point,
                                 random_shape(random, type));
  }
  for (const int vertices : {16, 64, 256, 1024}) {
    benchmark::RegisterBenchmark(("support/convex/" + std::to_string(vertices)).c_str(),
                                 support_point,
                                 Shape(random_hull(random, vertices, {1.0, 0.7, 0.5})));
  }
  return true;
}();

}  // namespace
}  // namespace tactus::bench
