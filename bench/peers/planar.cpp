// tactus_peers_planar: regions, circles and contours in the plane, beside Debian's Box2D 2.4 where
// that has the question (float, convex polygons of at most 8 vertices with a skin), by turns in one
// process.

#include "tactus/planar.hpp"

#include <box2d/b2_circle_shape.h>
#include <box2d/b2_collision.h>
#include <box2d/b2_distance.h>
#include <box2d/b2_polygon_shape.h>
#include <time.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/io/format/machine.hpp"

namespace tactus::detail::bench {
namespace {

constexpr double kTurn = 6.28318530717958647692;
constexpr std::size_t kPoses = 64;

// Written to by every query, so that none is left out.
volatile double sink = 0.0;

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Least nanoseconds per call over all poses, of many short runs.
class Least {
 public:
  template <class Work>
  void run(int repeats, Work&& work) {
    const double start = processor_time();
    for (int k = 0; k < repeats; ++k) {
      for (std::size_t i = 0; i < kPoses; ++i) work(i);
    }
    const double each = (processor_time() - start) / (repeats * static_cast<double>(kPoses));
    least_ = std::fmin(least_, 1e9 * each);
  }
  double value() const { return least_; }

 private:
  double least_ = std::numeric_limits<double>::infinity();
};

Vec2 polar(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

std::vector<Vec2> regular(int count, double radius) {
  std::vector<Vec2> points;
  for (int i = 0; i < count; ++i) points.push_back(polar(radius, kTurn * (i + 0.5) / count));
  return points;
}

b2PolygonShape their_polygon(const std::vector<Vec2>& points) {
  std::vector<b2Vec2> out;
  for (const Vec2& p : points) out.emplace_back(static_cast<float>(p.x), static_cast<float>(p.y));
  b2PolygonShape shape;
  shape.Set(out.data(), static_cast<int>(out.size()));
  return shape;
}

struct Placement {
  Pose2 ours;
  b2Transform theirs;
};

// B around A at distances from `low` to `high`, turned at random.
std::vector<Placement> placements(Random& random, double low, double high) {
  std::vector<Placement> out;
  for (std::size_t i = 0; i < kPoses; ++i) {
    const double far = random.uniform(low, high), way = random.uniform(0.0, kTurn);
    const double angle = random.uniform(0.0, kTurn);
    const Vec2 at = polar(far, way);
    Placement p{Pose2(at, angle), {}};
    p.theirs.Set({static_cast<float>(at.x), static_cast<float>(at.y)}, static_cast<float>(angle));
    out.push_back(p);
  }
  return out;
}

void print_beside(const char* name, int vertices, double ours, double theirs, double goal) {
  std::printf("| %s | %d | %.0f | %.0f | %.2f | %.1f |\n", name, vertices, ours, theirs,
              ours / theirs, goal);
}

void polygons(int vertices, int runs) {
  Random random(static_cast<std::uint64_t>(vertices));
  const std::vector<Vec2> points = regular(vertices, 1.0);
  const Region region(points);
  const b2PolygonShape theirs = their_polygon(points);
  b2Transform still;
  still.SetIdentity();
  const auto apart = placements(random, 2.2, 3.5), near = placements(random, 1.55, 1.75);
  const auto around = placements(random, 1.0, 1.3);
  std::vector<b2SimplexCache> caches(kPoses);
  const auto their_distance = [&](std::size_t i, bool cold) {
    b2DistanceInput input;
    input.proxyA.Set(&theirs, 0);
    input.proxyB.Set(&theirs, 0);
    input.transformA = still;
    input.transformB = apart[i].theirs;
    input.useRadii = false;
    if (cold) caches[i].count = 0;
    b2DistanceOutput output;
    b2Distance(&output, &caches[i], &input);
    sink = static_cast<double>(output.distance);
  };
  const Circle ball(0.4);
  b2CircleShape their_ball;
  their_ball.m_radius = 0.4F;
  PlanarContacts out;
  std::vector<Touch> touched;
  std::vector<PlanarCache> our_caches(kPoses);
  Least ours_distance, ours_cached, cold, cached, ours_manifold, manifold, ours_circle,
      ours_touches, circle;
  for (int run = 0; run < runs; ++run) {
    ours_distance.run(
        10, [&](std::size_t i) { sink = distance(region, {}, region, apart[i].ours).distance; });
    ours_cached.run(50, [&](std::size_t i) {
      sink = distance(region, {}, region, apart[i].ours, &our_caches[i]).distance;
    });
    cold.run(50, [&](std::size_t i) { their_distance(i, true); });
    cached.run(50, [&](std::size_t i) { their_distance(i, false); });
    ours_manifold.run(10, [&](std::size_t i) {
      contacts(region, {}, region, near[i].ours, out);
      sink = static_cast<double>(out.all().size());
    });
    manifold.run(50, [&](std::size_t i) {
      b2Manifold m;
      b2CollidePolygons(&m, &theirs, still, &theirs, near[i].theirs);
      sink = m.pointCount;
    });
    ours_circle.run(50, [&](std::size_t i) {
      contacts(ball, around[i].ours, region, {}, out);
      sink = static_cast<double>(out.all().size());
    });
    ours_touches.run(50, [&](std::size_t i) {
      touches(ball, around[i].ours, region, {}, touched);
      sink = static_cast<double>(touched.size());
    });
    circle.run(50, [&](std::size_t i) {
      b2Manifold m;
      b2CollidePolygonAndCircle(&m, &theirs, still, &their_ball, around[i].theirs);
      sink = m.pointCount;
    });
  }
  print_beside("distance, both cold", vertices, ours_distance.value(), cold.value(), 0.5);
  print_beside("distance, both cached", vertices, ours_cached.value(), cached.value(), 1.0);
  print_beside("manifold", vertices, ours_manifold.value(), manifold.value(), 0.8);
  print_beside("circle and polygon, contacts", vertices, ours_circle.value(), circle.value(), 1.0);
  print_beside("with kinds and angles", vertices, ours_touches.value(), circle.value(), 1.0);
}

// A round outline with waves, so that no two parts of it are alike.
std::vector<Vec2> wavy(std::size_t count, int waves, double depth) {
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = kTurn * static_cast<double>(i) / static_cast<double>(count);
    points.push_back(polar(1.0 + depth * std::cos(waves * angle), angle));
  }
  return points;
}

void circles(std::size_t count, int runs, double goal) {
  Random random(count);
  const Contour contour(wavy(count, 7, 0.15));
  // Near the curve, as small as a few of its segments.
  const Circle circle(count > 200 ? 2.0 * kTurn / static_cast<double>(count) : 0.1);
  std::vector<Pose2> poses;
  for (std::size_t i = 0; i < kPoses; ++i) {
    const auto k = random.below(static_cast<std::uint32_t>(count));
    const Vec2 aside =
        polar(circle.radius() * random.uniform(0.0, 1.5), random.uniform(0.0, kTurn));
    poses.emplace_back(contour.start(k) + aside, 0.0);
  }
  std::vector<Touch> found;
  std::size_t touching = 0;
  Least least;
  for (int run = 0; run < runs; ++run) {
    touching = 0;
    least.run(10, [&](std::size_t i) {
      touches(circle, poses[i], contour, {}, found);
      touching += found.size();
    });
  }
  std::printf("| circle, contour of %zu | %.1f touches | %.0f | %.0f |\n", count,
              static_cast<double>(touching) / (10.0 * kPoses), least.value(), goal);
}

void regions(int runs) {
  constexpr std::size_t kCount = 1000;
  // A cog in a ring of its form, so turned that the teeth touch.
  const Region a(wavy(kCount, 8, 0.1)), b(wavy(kCount, 8, 0.1));
  Random random(5);
  std::vector<Pose2> poses;
  for (std::size_t i = 0; i < kPoses; ++i) {
    poses.emplace_back(polar(random.uniform(2.05, 2.15), random.uniform(0.0, kTurn)),
                       random.uniform(0.0, kTurn));
  }
  PlanarContacts warm_out;
  std::size_t most = 0;
  Least warm, cold;
  for (int run = 0; run < runs; ++run) {
    warm.run(1, [&](std::size_t i) {
      contacts(a, {}, b, poses[i], warm_out, 0.02);
      most = std::max(most, warm_out.stretches());
    });
    cold.run(1, [&](std::size_t i) {
      PlanarContacts out;
      contacts(a, {}, b, poses[i], out, 0.02);
      sink = static_cast<double>(out.all().size());
    });
  }
  std::printf("| two regions of 1000, warm | up to %zu stretches | %.0f | 10000 |\n", most,
              warm.value());
  std::printf("| two regions of 1000, cold | | %.0f | 20000 |\n", cold.value());
}

int run(int runs) {
  std::printf(
      "# Speed in the plane\n\nPrinted by `tactus_peers_planar --runs %d` on %s, %s. Nanoseconds "
      "per call of processor time, least of %d runs by turns in one process,\neach over %zu "
      "poses. Box2D 2.4 of Debian calculates in float, knows convex polygons of at most 8 "
      "vertices and gives them a skin; ours are exact in verdict and\nhave brackets. Regular "
      "polygons, turned at random.\n\n| question | vertices | Tactus | Box2D | ratio | goal "
      "|\n|---|---|---|---|---|---|\n",
      runs, io::today().c_str(), io::machine_name().c_str(), runs, kPoses);
  for (const int vertices : {4, 8}) polygons(vertices, runs);
  std::printf("\n| question | | Tactus | goal |\n|---|---|---|---|\n");
  circles(100, runs, 60.0);
  circles(1000, runs, 250.0);
  circles(100000, runs, 1000.0);
  regions(runs);
  return 0;
}

}  // namespace
}  // namespace tactus::detail::bench

int main(int argc, char** argv) {
  int runs = 200;
  bool wrong = argc != 1 && argc != 3;
  if (argc == 3) {
    wrong = std::strcmp(argv[1], "--runs") != 0;
    runs = std::atoi(argv[2]);
  }
  if (wrong || runs <= 0) {
    std::fprintf(stderr, "usage: tactus_peers_planar [--runs N]\nleast time of N runs (200)\n");
    return 2;
  }
  return tactus::detail::bench::run(runs);
}
