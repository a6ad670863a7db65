#include <benchmark/benchmark.h>

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "bench/shapes.hpp"
#include "tactus/mesh/hull/vertex_search.hpp"
#include "tactus/narrow/difference/core.hpp"

namespace tactus::detail::bench {
namespace {

using Directions = std::array<Vec3, 1024>;

Directions random_directions() {
  Random random(1);
  Directions all;
  for (Vec3& d : all) d = random_direction(random);
  return all;
}

/// Each a little turned (0.02 rad or less) against the one before.
Directions coherent_directions() {
  Random random(1);
  Directions all;
  Vec3 d = random_direction(random);
  for (Vec3& next : all) next = d = normalized(d + random_direction(random) * 0.02);
  return all;
}

/// Support point of the core of a shape, random directions.
void support_point(benchmark::State& state, const Shape& shape) {
  const Directions directions = random_directions();
  const Core core = core_of(shape);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(support(core, directions[i++ % directions.size()]));
}

/// Time from a direction to its vertex: each call waits for the one before, as in a search.
template <class Search>
void farthest_vertex(benchmark::State& state, const Directions& directions, Search&& search) {
  std::size_t i = 0;
  std::uint32_t vertex = 0;
  for (auto _ : state) {
    Vec3 n = directions[i++ % directions.size()];
    n.x += vertex * 1e-300;
    vertex = search(n, vertex);
  }
  benchmark::DoNotOptimize(vertex);
}

void register_strategies(const ConvexHull& hull, const std::string& suffix,
                         const Directions& directions) {
  const auto add = [&](const char* name, auto search) {
    benchmark::RegisterBenchmark((std::string("farthest/") + name + suffix).c_str(),
                                 [directions, search](benchmark::State& state) {
                                   farthest_vertex(state, directions, search);
                                 });
  };
  const auto h = std::make_shared<const ConvexHull>(hull);
  add("scan", [h](const Vec3& n, std::uint32_t) { return farthest_by_scan(h->vertices, n); });
  add("climb",
      [h](const Vec3& n, std::uint32_t last) { return farthest_by_climbing(*h, n, last); });
  const StartGrid grid(hull);
  add("grid", [h, grid](const Vec3& n, std::uint32_t) {
    return farthest_by_climbing(*h, n, grid.start(n));
  });
  const auto hierarchy = std::make_shared<const VertexHierarchy>(hull);
  add("hierarchy",
      [h, hierarchy](const Vec3& n, std::uint32_t) { return hierarchy->farthest(*h, n); });
  const auto map = std::make_shared<const DirectionMap>(hull.vertices);
  if (!map->empty()) {
    add("map", [h, map](const Vec3& n, std::uint32_t) {
      return map->farthest(h->vertices.data(), n).vertex;
    });
  }
}

const bool kRegistered = [] {
  constexpr std::array kTypes{ShapeType::sphere,   ShapeType::box,  ShapeType::capsule,
                              ShapeType::cylinder, ShapeType::cone, ShapeType::ellipsoid};
  Random random(2);
  for (const ShapeType type : kTypes) {
    benchmark::RegisterBenchmark(("support/" + std::string(to_string(type))).c_str(), support_point,
                                 random_shape(random, type));
  }
  for (const int vertices : {8, 16, 32, 64, 128, 256, 1024, 4096}) {
    const Convex convex = random_hull(random, vertices, {1.0, 0.7, 0.5});
    const std::string count = "/" + std::to_string(vertices);
    benchmark::RegisterBenchmark(("support/convex" + count).c_str(), support_point, Shape(convex));
    register_strategies(convex.hull(), "/random" + count, random_directions());
    register_strategies(convex.hull(), "/coherent" + count, coherent_directions());
  }
  return true;
}();

}  // namespace
}  // namespace tactus::detail::bench
