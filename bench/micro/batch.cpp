#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/shapes.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::bench {
namespace {

constexpr std::size_t kBodies = 200;
constexpr std::size_t kPairs = 4096;
/// Half edge of the cube in which the bodies stand: about half of the pairs overlap.
constexpr double kReach = 0.6;

struct Class {
  const char* name;
  ShapeType a, b;
};
constexpr Class kClasses[] = {{"sphere-sphere", ShapeType::sphere, ShapeType::sphere},
                              {"sphere-box", ShapeType::sphere, ShapeType::box},
                              {"capsule-capsule", ShapeType::capsule, ShapeType::capsule},
                              {"box-box", ShapeType::box, ShapeType::box},
                              {"hull-64", ShapeType::convex, ShapeType::convex}};

/// Bodies of both types in turn, and pairs of them, ordered by A as a broad phase does.
struct Crowd {
  std::vector<Shape> shapes;
  std::vector<PlacedShape> bodies;
  std::vector<BroadPair> pairs;

  explicit Crowd(const Class& c) {
    Random random(1);
    for (std::size_t i = 0; i < kBodies; ++i)
      shapes.push_back(random_shape(random, i % 2 == 0 ? c.a : c.b));
    for (const Shape& shape : shapes) {
      const Vec3 position = random_vector(random, -kReach, kReach);
      bodies.push_back({&shape, Pose(position, random_rotation(random))});
    }
    for (std::size_t i = 0; i < kPairs; ++i) {
      const std::size_t a = i * (kBodies / 2) / kPairs;
      const auto b = static_cast<std::size_t>(random.uniform(0.0, 0.5 * kBodies));
      pairs.push_back({2 * a, 2 * b + 1});
    }
  }
};

/// Wall time per pair, as the counter `pair`; the CPU column is the sum over the threads.
void count_pairs(benchmark::State& state) {
  state.counters["pair"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(kPairs),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// A loop of single calls.
void loop(benchmark::State& state, const Class& c) {
  const Crowd crowd(c);
  std::vector<DistanceResult> out(kPairs);
  for (auto _ : state) {
    for (std::size_t i = 0; i < kPairs; ++i) {
      const PlacedShape& a = crowd.bodies[crowd.pairs[i].a];
      const PlacedShape& b = crowd.bodies[crowd.pairs[i].b];
      out[i] = distance(*a.shape, a.pose, *b.shape, b.pose);
    }
    benchmark::DoNotOptimize(out.data());
  }
  count_pairs(state);
}

void batch(benchmark::State& state, const Class& c, int threads) {
  const Crowd crowd(c);
  std::vector<DistanceResult> out(kPairs);
  BatchOptions options;
  options.max_threads = threads;
  for (auto _ : state) {
    distance(crowd.bodies, crowd.pairs, out, options);
    benchmark::DoNotOptimize(out.data());
  }
  count_pairs(state);
}

const bool kRegistered = [] {
  for (const Class& c : kClasses) {
    const std::string name = c.name;
    benchmark::RegisterBenchmark(("loop/" + name).c_str(), loop, c)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
    for (const int threads : {1, 2})
      benchmark::RegisterBenchmark(
          ("batch/" + name + "/" + std::to_string(threads) + "_threads").c_str(), batch, c, threads)
          ->MeasureProcessCPUTime()
          ->UseRealTime();
  }
  return true;
}();

}  // namespace
}  // namespace tactus::detail::bench
