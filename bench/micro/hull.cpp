#include <benchmark/benchmark.h>

#include <vector>

#include "bench/shapes.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::bench {
namespace {

/// Hull of points in a ball: few of them are extreme.
void hull_of_ball(benchmark::State& state) {
  Random random(1);
  std::vector<Vec3> points;
  while (points.size() < static_cast<std::size_t>(state.range(0))) {
    const Vec3 p = random_vector(random, -1.0, 1.0);
    if (squared_norm(p) < 1.0) points.push_back(p);
  }
  for (auto _ : state) benchmark::DoNotOptimize(convex_hull(points));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(hull_of_ball)->Name("hull/ball")->RangeMultiplier(8)->Range(16, 65536);

/// Hull of points on a sphere: all of them are extreme.
void hull_of_sphere(benchmark::State& state) {
  Random random(1);
  std::vector<Vec3> points;
  for (int i = 0; i < state.range(0); ++i) points.push_back(random_direction(random));
  for (auto _ : state) benchmark::DoNotOptimize(convex_hull(points));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(hull_of_sphere)->Name("hull/sphere")->RangeMultiplier(8)->Range(16, 8192);

/// Hull of a full grid: every decision is degenerate, which the exact predicates pay for.
void hull_of_grid(benchmark::State& state) {
  std::vector<Vec3> points;
  const int n = static_cast<int>(state.range(0));
  for (int i = 0; i < n * n * n; ++i) {
    points.push_back({static_cast<double>(i % n), static_cast<double>(i / n % n),
                      static_cast<double>(i / n / n)});
  }
  for (auto _ : state) benchmark::DoNotOptimize(convex_hull(points));
  state.SetItemsProcessed(state.iterations() * n * n * n);
}
BENCHMARK(hull_of_grid)->Name("hull/grid")->Arg(4)->Arg(10);

}  // namespace
}  // namespace tactus::detail::bench
