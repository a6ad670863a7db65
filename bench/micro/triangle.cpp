#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "bench/shapes.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/narrow/formula/triangle_box.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::bench {
namespace {

struct Pair {
  Triangle a, b;
};

Triangle random_triangle(Random& random) {
  const Vec3 a = random_vector(random, -0.5, 0.5);
  const Vec3 b = random_vector(random, -0.5, 0.5);
  const Vec3 c = random_vector(random, -0.5, 0.5);
  return {{a, b, c}};
}

/// Random triangles of about unit size, the second one moved until `separation` apart; 0: as they
/// fall, meeting.
std::vector<Pair> pairs(double separation) {
  Random random(1);
  std::vector<Pair> result;
  while (result.size() < 4096) {
    Pair p{random_triangle(random), random_triangle(random)};
    if (separation > 0.0) {
      const Vec3 far = random_direction(random) * 10.0;
      for (Vec3& c : p.b.corner) c += far;
      for (int i = 0; i < 40; ++i) {
        const TriangleDistance r = triangle_to_triangle(p.a, p.b);
        for (Vec3& c : p.b.corner) c -= r.n * (r.distance - separation);
      }
    } else if (!triangles_meet(p.a, p.b)) {
      continue;
    }
    result.push_back(p);
  }
  return result;
}

double separation(const benchmark::State& state) {
  return static_cast<double>(state.range(0)) * 1e-3;
}

/// The argument is the distance in thousandths of the size.
void two_triangles(benchmark::State& state) {
  const std::vector<Pair> all = pairs(separation(state));
  std::size_t i = 0;
  for (auto _ : state) {
    const Pair& p = all[i++ % all.size()];
    benchmark::DoNotOptimize(triangle_to_triangle(p.a, p.b));
  }
}
BENCHMARK(two_triangles)->Name("triangle/triangle")->Arg(0)->Arg(1)->Arg(100)->Arg(3000);

/// With a bound of nine tenths of the distance.
void bounded_triangles(benchmark::State& state) {
  const std::vector<Pair> all = pairs(separation(state));
  const double bound = 0.81 * separation(state) * separation(state);
  std::size_t i = 0;
  for (auto _ : state) {
    const Pair& p = all[i++ % all.size()];
    benchmark::DoNotOptimize(triangle_to_triangle(p.a, p.b, bound));
  }
}
BENCHMARK(bounded_triangles)->Name("triangle/bounded")->Arg(100)->Arg(3000);

void segment(benchmark::State& state) {
  const std::vector<Pair> all = pairs(separation(state));
  std::size_t i = 0;
  for (auto _ : state) {
    const Pair& p = all[i++ % all.size()];
    benchmark::DoNotOptimize(segment_to_triangle(p.a.corner[0], p.a.corner[1], p.b));
  }
}
BENCHMARK(segment)->Name("triangle/segment")->Arg(100);

void point(benchmark::State& state) {
  const std::vector<Pair> all = pairs(separation(state));
  std::size_t i = 0;
  for (auto _ : state) {
    const Pair& p = all[i++ % all.size()];
    benchmark::DoNotOptimize(point_to_triangle(p.a.corner[0], p.b));
  }
}
BENCHMARK(point)->Name("triangle/point")->Arg(100);

/// A box of edges 0.3, 0.6 and 1 about the first corner of the other triangle.
void box(benchmark::State& state) {
  const std::vector<Pair> all = pairs(separation(state));
  std::size_t i = 0;
  for (auto _ : state) {
    const Pair& p = all[i++ % all.size()];
    const Vec3& c = p.b.corner[0];
    const Triangle t{{p.a.corner[0] - c, p.a.corner[1] - c, p.a.corner[2] - c}};
    benchmark::DoNotOptimize(triangle_to_box(t, Vec3{0.15, 0.3, 0.5}));
  }
}
BENCHMARK(box)->Name("triangle/box")->Arg(0)->Arg(100)->Arg(3000);

/// Distance of the triangle pairs above as flat hulls, through the public query.
void flat_hulls(benchmark::State& state) {
  std::vector<std::pair<Shape, Shape>> all;
  for (const Pair& p : pairs(separation(state)))
    all.emplace_back(Convex(p.a.corner), Convex(p.b.corner));
  const Pose here;
  std::size_t i = 0;
  for (auto _ : state) {
    const auto& [a, b] = all[i++ % all.size()];
    benchmark::DoNotOptimize(distance(a, here, b, here));
  }
}
BENCHMARK(flat_hulls)->Name("triangle/flat-hulls")->Arg(0)->Arg(100);

}  // namespace
}  // namespace tactus::detail::bench
