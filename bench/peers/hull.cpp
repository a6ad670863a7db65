// tactus_peers_hull: convex hulls of many points beside qhull's C interface, in one process by
// turns.

#include <libqhull_r/libqhull_r.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <vector>

#include "fuzz/random_values.hpp"
#include "tactus/io/format/machine.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::bench {
namespace {

using Points = std::vector<Vec3>;

constexpr double kTiny = 1e-15;

struct Options {
  std::size_t count = 1000000;
  int runs = 3;
};

/// Seconds of the processor (all threads) and of the clock.
struct Time {
  double processor = std::numeric_limits<double>::infinity();
  double clock = std::numeric_limits<double>::infinity();
};

template <class Work>
void measure(Time& least, Work&& work) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const std::clock_t processor = std::clock();
  work();
  least.processor =
      std::fmin(least.processor, static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC);
  least.clock = std::fmin(least.clock, std::chrono::duration<double>(Clock::now() - start).count());
}

/// The hull by qhull with its standard options; its number of vertices, or 0 when it gives up.
int run_qhull(Points& points) {
  qhT state;
  std::memset(&state, 0, sizeof state);
  char command[] = "qhull";
  const int failed = qh_new_qhull(&state, 3, static_cast<int>(points.size()), &points[0].x, False,
                                  command, nullptr, nullptr);
  const int vertices = failed != 0 ? 0 : state.num_vertices;
  qh_freeqhull(&state, qh_ALL);
  return vertices;
}

void print_row(const char* name, Points points, int runs) {
  Time theirs, ours, alone, horizon;
  int their_vertices = 0;
  ConvexHull hull;
  for (int run = 0; run < runs; ++run) {
    measure(theirs, [&] { their_vertices = run_qhull(points); });
    measure(ours, [&] { hull = convex_hull(points); });
    measure(alone, [&] { hull = convex_hull(points, {HullMethod::quickhull, 1}); });
    measure(horizon, [&] { hull = convex_hull(points, {HullMethod::horizon, 1}); });
  }
  const HullCheck check = check_hull(points, hull);
  std::printf("| %s | %zu | %zu | %.3f / %.3f | %.3f / %.3f | %.3f | %.3f | %.2f | %d | %s |\n",
              name, points.size(), hull.vertices.size(), ours.clock, ours.processor, theirs.clock,
              theirs.processor, alone.processor, horizon.processor,
              ours.processor / theirs.processor, their_vertices,
              check.ok() ? "proved" : check.problem.c_str());
  std::fflush(stdout);
}

template <class Make>
Points make(std::size_t count, Make&& make_one) {
  Points points;
  points.reserve(count);
  while (points.size() < count) points.push_back(make_one(points.size()));
  return points;
}

int run(const Options& options) {
  std::printf(
      "# Convex hulls beside qhull\n\nPrinted by `tactus_peers_hull --count %zu --runs %d` on %s, "
      "%s. Seconds, least of %d runs by turns in one\nprocess: clock / processor where both are "
      "given, else processor. qhull through its C interface with its standard options, which merge "
      "facets; the ratio is that\nof processor times with all threads. qhull's vertices differ "
      "where it merges what is coplanar within rounding. Every hull of ours is proved.\n\n"
      "| points | number | vertices | Tactus | qhull | Tactus, 1 thread | horizon, 1 thread | "
      "ratio "
      "(goal 1) | qhull's vertices | exact check |\n|---|---|---|---|---|---|---|---|---|---|\n",
      options.count, options.runs, io::today().c_str(), io::machine_name().c_str(), options.runs);
  Random random(1);
  const auto in_ball = [&](std::size_t) {
    for (;;) {
      const Vec3 p = fuzz::vector_in(random, -1.0, 1.0);
      if (squared_norm(p) <= 1.0) return p;
    }
  };
  const auto on_sphere = [&](std::size_t) { return fuzz::direction(random); };
  const auto side =
      static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(options.count))));
  const auto on_grid = [&](std::size_t i) {
    return Vec3{static_cast<double>(i % side), static_cast<double>(i / side % side),
                static_cast<double>(i / side / side)} /
           static_cast<double>(side);
  };
  const auto near_grid = [&](std::size_t i) {
    return on_grid(i) + fuzz::vector_in(random, -kTiny, kTiny);
  };
  print_row("in a ball", make(options.count, in_ball), options.runs);
  print_row("on a sphere", make(options.count, on_sphere), options.runs);
  print_row("grid", make(side * side * side, on_grid), options.runs);
  print_row("grid + 1e-15", make(side * side * side, near_grid), options.runs);
  return 0;
}

}  // namespace
}  // namespace tactus::detail::bench

int main(int argc, char** argv) {
  tactus::detail::bench::Options options;
  bool wrong = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--count") == 0 && i + 1 < argc) {
      options.count = static_cast<std::size_t>(std::strtoull(argv[++i], nullptr, 10));
    } else if (std::strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
      options.runs = std::atoi(argv[++i]);
    } else {
      wrong = true;
    }
  }
  if (wrong || options.count < 8 || options.count > 100000000 || options.runs <= 0) {
    std::fprintf(stderr,
                 "usage: tactus_peers_hull [--count N] [--runs N]\n"
                 "N points per set (1000000), least time of N runs (3)\n");
    return 2;
  }
  return tactus::detail::bench::run(options);
}
