#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "fuzz/random_values.hpp"
#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/mesh.hpp"
#include "tactus/mesh/hull/vertex_search.hpp"
#include "tactus/mesh/support/direction_map.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"

// Convex hulls of many points, proved, and of points that rounding gets wrong. Source:
// barber1996quickhull; huotari2011.

namespace tactus::detail::lab {
namespace {

using Points = std::vector<Vec3>;

constexpr double kTiny = 1e-15;
// Largest numbers of vertices of the limited hulls.
constexpr std::uint32_t kVertices[] = {16, 64, 256};
// Points that are measured one by one.
constexpr std::size_t kSample = 2000;
constexpr int kDirections = 20000;
// Searches that end within rounding may differ by this on hulls of size 1.
constexpr double kRounding = 4e-15;

Points in_ball(std::uint64_t count, Random& random) {
  Points points;
  points.reserve(count);
  while (points.size() < count) {
    const double x = random.uniform(-1, 1);
    const double y = random.uniform(-1, 1);
    const double z = random.uniform(-1, 1);
    const Vec3 p{x, y, z};
    if (squared_norm(p) <= 1.0) points.push_back(p);
  }
  return points;
}

Points on_sphere(std::uint64_t count, Random& random) {
  Points points;
  points.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) points.push_back(fuzz::direction(random));
  return points;
}

/// Whole coordinates on one sphere: exactly cospherical, many exactly coplanar.
Points cospherical(int squared_radius) {
  Points points;
  const int r = static_cast<int>(std::sqrt(squared_radius));
  for (int x = -r; x <= r; ++x) {
    for (int y = -r; y <= r; ++y) {
      const int rest = squared_radius - x * x - y * y;
      if (rest < 0) continue;
      const int z = static_cast<int>(std::lround(std::sqrt(rest)));
      if (z * z != rest) continue;
      points.push_back({double(x), double(y), double(z)});
      if (z > 0) points.push_back({double(x), double(y), double(-z)});
    }
  }
  return points;
}

Points grid(std::uint64_t count) {
  const auto side = static_cast<std::uint64_t>(std::lround(std::cbrt(static_cast<double>(count))));
  const double step = 1.0 / static_cast<double>(side);
  Points points;
  points.reserve(side * side * side);
  for (std::uint64_t i = 0; i < side; ++i) {
    for (std::uint64_t j = 0; j < side; ++j) {
      for (std::uint64_t k = 0; k < side; ++k) {
        points.push_back(
            Vec3{static_cast<double>(k), static_cast<double>(j), static_cast<double>(i)} * step);
      }
    }
  }
  return points;
}

Points perturbed(Points points, Random& random) {
  for (Vec3& p : points) {
    p.x += random.uniform(-kTiny, kTiny);
    p.y += random.uniform(-kTiny, kTiny);
    p.z += random.uniform(-kTiny, kTiny);
  }
  return points;
}

/// On the unit sphere, as far as rounding lets them.
Points unit(Points points) {
  for (Vec3& p : points) p = normalized(p);
  return points;
}

/// A square grid in a plane, moved up and down: a body 1e-15 thick.
Points sheet(std::uint64_t count, Random& random) {
  const auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(count)));
  Points points;
  for (std::uint64_t i = 0; i < side; ++i) {
    for (std::uint64_t j = 0; j < side; ++j) {
      points.push_back(
          {static_cast<double>(j), static_cast<double>(i), random.uniform(-kTiny, kTiny)});
    }
  }
  return points;
}

struct Set {
  const char* name;
  Points points;
};

bool same(const ConvexHull& a, const ConvexHull& b) {
  const auto same_face = [](const ConvexHull::Face& f, const ConvexHull::Face& g) {
    return f.first == g.first && f.count == g.count && f.normal == g.normal && f.offset == g.offset;
  };
  return a.source == b.source && a.face_vertices == b.face_vertices &&
         std::equal(a.faces.begin(), a.faces.end(), b.faces.begin(), b.faces.end(), same_face);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double number(std::size_t count) { return static_cast<double>(count); }

/// Counts of failures, each of which must be zero.
struct Failures {
  double outside = 0.0, unproved = 0.0, different = 0.0, farther = 0.0, lower = 0.0;
};

std::vector<Cell> hull_row(const Settings& settings, const Set& set, Failures& failures) {
  HullOptions options;
  options.max_threads = settings.threads;
  const double start = wall_seconds();
  const ConvexHull hull = settings.ask_hull(set.points, options);
  const double found = wall_seconds();
  const HullCheck check = check_hull(set.points, hull, settings.threads);
  const double proved = wall_seconds();
  options.max_threads = 1;
  const double start_alone = thread_seconds();
  const ConvexHull alone = settings.ask_hull(set.points, options);
  const double found_alone = thread_seconds();
  options.method = HullMethod::horizon;
  const ConvexHull horizon = settings.ask_hull(set.points, options);
  const double found_horizon = thread_seconds();
  failures.outside += static_cast<double>(check.outside);
  failures.unproved += check.ok() ? 0.0 : 1.0;
  failures.different += (same(hull, alone) ? 0.0 : 1.0) + (same(hull, horizon) ? 0.0 : 1.0);
  return {std::string(set.name),
          number(set.points.size()),
          number(hull.vertices.size()),
          number(hull.faces.size()),
          static_cast<double>(check.inside),
          static_cast<double>(check.boundary),
          found - start,
          proved - found,
          found_alone - start_alone,
          found_horizon - found_alone};
}

/// Checked by hand: a sample of the points against the nearest point of the limited hull.
double farthest_of_sample(const Points& points, const ConvexHull& hull) {
  double most = 0.0;
  const std::size_t step = points.size() / kSample + 1;
  for (std::size_t i = 0; i < points.size(); i += step) {
    double nearest = std::numeric_limits<double>::infinity();
    bool outside = false;
    for (const ConvexHull::Face& face : hull.faces) {
      const auto corners = hull.corners(face);
      const Vec3 &a = hull.vertices[corners[0]], &b = hull.vertices[corners[1]],
                 &c = hull.vertices[corners[2]];
      if (orient3d(a, b, c, points[i]) <= 0) continue;
      outside = true;
      for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
        const Triangle triangle{a, hull.vertices[corners[k]], hull.vertices[corners[k + 1]]};
        nearest = std::fmin(nearest, point_to_triangle(points[i], triangle).distance);
      }
    }
    if (outside) most = std::fmax(most, nearest);
  }
  return most;
}

std::vector<Cell> limited_row(const Set& set, std::uint32_t most, double volume,
                              Failures& failures) {
  const double start = thread_seconds();
  const LimitedHull limited = limited_hull(set.points, most);
  const double found = thread_seconds();
  const double farthest = farthest_of_sample(set.points, limited.hull);
  failures.farther += farthest > limited.error ? 1.0 : 0.0;
  return {
      std::string(set.name), number(most), number(limited.hull.vertices.size()),
      limited.error,         farthest,     100.0 * mass_properties(limited.hull).volume / volume,
      found - start};
}

std::vector<Cell> support_row(const ConvexHull& hull, Random& random, Failures& failures) {
  const double start = thread_seconds();
  const VertexHierarchy hierarchy(hull);
  const double built = thread_seconds();
  const DirectionMap map(hull.vertices);
  const double mapped = thread_seconds();
  std::vector<Vec3> directions;
  directions.reserve(kDirections);
  for (int i = 0; i < kDirections; ++i) directions.push_back(fuzz::direction(random));
  std::vector<double> highest;
  const auto nanoseconds = [&](auto&& search) {
    std::vector<std::uint32_t> found;
    found.reserve(directions.size());
    const double begin = thread_seconds();
    for (const Vec3& n : directions) found.push_back(search(n));
    const double end = thread_seconds();
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double height = dot(hull.vertices[found[i]], directions[i]);
      if (highest.size() < found.size()) highest.push_back(height);
      failures.lower += height < highest[i] - kRounding ? 1.0 : 0.0;
    }
    return 1e9 * (end - begin) / kDirections;
  };
  const double scan =
      nanoseconds([&](const Vec3& n) { return farthest_by_scan(hull.vertices, n); });
  std::uint32_t last = 0;
  const double climb =
      nanoseconds([&](const Vec3& n) { return last = farthest_by_climbing(hull, n, last); });
  const double levels = nanoseconds([&](const Vec3& n) { return hierarchy.farthest(hull, n); });
  const double by_map =
      nanoseconds([&](const Vec3& n) { return map.farthest(hull.vertices.data(), n).vertex; });
  return {number(hull.vertices.size()), number(hierarchy.levels()), scan, climb, levels, by_map,
          1e3 * (built - start),        1e3 * (mapped - built)};
}

}  // namespace

Report run_hull(const Settings& settings) {
  Report report;
  report.name = "hull";
  report.title = "Convex hulls of many points";
  report.text =
      "Hulls of random sets of " + std::to_string(settings.pairs) +
      " points and of sets that rounding gets wrong: exactly cospherical points (whole\n"
      "coordinates), a full grid, and both moved by up to 1e-15. Each hull is proved by exact "
      "predicates without the search that\nfound it (mehlhorn1999checking): a closed surface of "
      "genus 0, strictly convex at every edge, and each point led by a walk to\nthe face above it "
      "and found inside, on it or outside. Quickhull on all processors, on one, and the "
      "incremental method of\nhuotari2011 must give the same bits. Seconds of the first two "
      "columns of time are those of the clock, the others of the\nprocessor. The time beside "
      "qhull: [hull-speed](hull-speed.md). Then hulls of at most K vertices, with the proved "
      "bound on\nwhat is left out and the farthest point of a sample; and the farthest vertex "
      "along "
      "random directions, each search after the\nother.";
  Random random(settings.seed, 0);
  const std::uint64_t count = settings.pairs;
  const auto few = static_cast<int>(std::min<std::uint64_t>(count, 1000000));
  const Set sets[] = {{"in a ball", in_ball(count, random)},
                      {"on a sphere", on_sphere(count, random)},
                      {"cospherical", cospherical(50 * few + 1)},
                      {"cospherical + 1e-15", perturbed(unit(cospherical(50 * few + 1)), random)},
                      {"grid", grid(count)},
                      {"grid + 1e-15", perturbed(grid(count), random)},
                      {"sheet + 1e-15", sheet(count, random)}};
  const std::uint64_t rows = 3 * std::size(sets) + std::size(kVertices);
  std::uint64_t done = 0;
  const auto tick = [&](std::uint64_t work) {
    done += work;
    settings.progress(done * settings.pairs / rows, settings.pairs);
  };
  Failures failures;
  Table hulls;
  hulls.title = "Hulls";
  hulls.head = {"points", "number",       "vertices", "faces",       "inside",
                "on it",  "quickhull, s", "proof, s", "1 thread, s", "horizon, s"};
  for (const Set& set : sets) {
    hulls.rows.push_back(hull_row(settings, set, failures));
    tick(3);
  }
  Table limited;
  limited.title = "At most K vertices";
  limited.head = {"points", "K", "vertices", "left out, at most", "sample", "volume, %", "s"};
  for (const Set& set : {sets[0], sets[1]}) {
    const double volume = mass_properties(convex_hull(set.points)).volume;
    for (const std::uint32_t most : kVertices)
      limited.rows.push_back(limited_row(set, most, volume, failures));
  }
  tick(std::size(kVertices));
  Table support;
  support.title = "Farthest vertex, ns";
  support.head = {"vertices",
                  "levels",
                  "scan",
                  "climbing",
                  "hierarchy",
                  "direction map",
                  "hierarchy built, ms",
                  "map built, ms"};
  for (const std::uint64_t vertices : {64u, 1024u, 16384u})
    support.rows.push_back(
        support_row(convex_hull(on_sphere(std::min(vertices, count), random)), random, failures));
  report.tables = {std::move(hulls), std::move(limited), std::move(support)};
  report.bars = {{"points outside of their hull", failures.outside, 0.0},
                 {"hulls that are not proved", failures.unproved, 0.0},
                 {"hulls with other bits", failures.different, 0.0},
                 {"limited hulls that leave out more than they say", failures.farther, 0.0},
                 {"farthest vertices that are not", failures.lower, 0.0}};
  return report;
}

}  // namespace tactus::detail::lab
