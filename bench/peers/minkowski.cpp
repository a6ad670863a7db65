// tactus_peers_minkowski: the depth of regions that are not convex, beside CGAL's exact Minkowski
// sums, in one process. The right depth is the distance of the origin from what the sum of
// A and the mirrored B leaves free.

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Polygon_vertical_decomposition_2.h>
#include <CGAL/Small_side_angle_bisector_decomposition_2.h>
#include <CGAL/minkowski_sum_2.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/io/format/machine.hpp"
#include "tactus/planar.hpp"

namespace tactus::detail::bench {
namespace {

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Polygon = CGAL::Polygon_2<Kernel>;
using Sum = CGAL::Polygon_with_holes_2<Kernel>;

constexpr int kTimes = 3;
constexpr double kTurn = 6.28318530717958647692;

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Seconds of the quickest of some calls.
template <class Call>
double least_of(int times, Call&& call) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < times; ++k) {
    const double start = processor_time();
    call();
    least = std::fmin(least, processor_time() - start);
  }
  return least;
}

Vec2 polar(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

std::vector<Vec2> star(Random& random, int count) {
  std::vector<Vec2> points;
  for (int k = 0; k < count; ++k) {
    points.push_back(polar(random.uniform(0.5, 1.0), kTurn * k / count));
  }
  return points;
}

std::vector<Vec2> spikes(Random& random, int count) {
  std::vector<Vec2> points;
  for (int k = 0; k < count; ++k) {
    points.push_back(
        polar(k % 2 == 0 ? random.uniform(0.8, 1.0) : random.uniform(0.1, 0.3), kTurn * k / count));
  }
  return points;
}

std::vector<Vec2> comb(Random& random, int count) {
  const int teeth = count / 4;
  const double pitch = 2.0 / teeth;
  std::vector<Vec2> points{{-1.0, -0.8}, {1.0 - 0.5 * pitch, -0.8}};
  for (int k = teeth; k-- > 0;) {
    const double left = -1.0 + k * pitch, top = random.uniform(0.6, 0.8);
    points.push_back({left + 0.5 * pitch, top});
    points.push_back({left, top});
    if (k == 0) break;
    points.push_back({left, -0.5});
    points.push_back({left - 0.5 * pitch, -0.5});
  }
  return points;
}

// A ring with a gap: two of them hang in each other.
std::vector<Vec2> hook(Random& random, int count) {
  const double gap = random.uniform(0.08, 0.25), inner = random.uniform(0.55, 0.75);
  std::vector<Vec2> points, back;
  for (int k = 0; k < count / 2; ++k) {
    const double angle = kTurn * (0.5 * gap + (1.0 - gap) * k / (count / 2 - 1));
    points.push_back(polar(1.0, angle));
    back.push_back(polar(inner, angle));
  }
  points.insert(points.end(), back.rbegin(), back.rend());
  return points;
}

Polygon exact(const std::vector<Vec2>& points, double sign) {
  Polygon out;
  for (const Vec2& p : points) out.push_back({sign * p.x, sign * p.y});
  return out;
}

// To the boundary of the sum, and of its holes, from where B is.
double free_distance(const Sum& sum, const Vec2& shift) {
  const Kernel::Point_2 origin(shift.x, shift.y);
  double least = std::numeric_limits<double>::infinity();
  Kernel::FT best = -1;
  const auto look = [&](const Polygon& ring) {
    for (auto e = ring.edges_begin(); e != ring.edges_end(); ++e) {
      const Kernel::FT d = CGAL::squared_distance(origin, *e);
      const double about = CGAL::to_double(d);
      if (about > least * (1.0 + 1e-9)) continue;
      if (best < 0 || d < best) {
        best = d;
        least = about;
      }
    }
  };
  look(sum.outer_boundary());
  for (auto h = sum.holes_begin(); h != sum.holes_end(); ++h) look(*h);
  best.exact();
  return std::sqrt(CGAL::to_double(best));
}

struct Row {
  int cases = 0, outside = 0, wide = 0;
  double ours = 0.0, theirs = 0.0, widest = 0.0;
};

template <class Draw>
void measure(Draw&& draw, int points, int pairs, int seed, const char* name) {
  Row row;
  CGAL::Small_side_angle_bisector_decomposition_2<Kernel> decomposition;
  for (int k = 0; row.cases < pairs; ++k) {
    Random random(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(k));
    const std::vector<Vec2> pa = draw(random, points), pb = draw(random, points);
    const Region a(pa), b(pb);
    const double far = random.uniform(0.0, 1.5), way = random.uniform(0.0, kTurn);
    const Vec2 shift = polar(far, way);
    const Pose2 at(shift, 0.0);
    if (!overlap(a, {}, b, at)) continue;
    ++row.cases;
    const Polygon ea = exact(pa, 1.0), eb = exact(pb, -1.0);
    PlanarResult r;
    Sum sum;
    const double ours = least_of(kTimes, [&] { r = distance(a, {}, b, at); });
    // CGAL sums large regions once and by one method, since there is no time for more.
    const bool is_large = points > 30;
    double theirs = least_of(is_large ? 1 : kTimes, [&] { sum = CGAL::minkowski_sum_2(ea, eb); });
    if (!is_large) {
      theirs = std::fmin(
          theirs, least_of(kTimes, [&] { Sum(CGAL::minkowski_sum_2(ea, eb, decomposition)); }));
    }
    row.ours += ours;
    row.theirs += theirs;
    const double truth = free_distance(sum, shift), slack = 4e-16 * truth;
    row.outside += truth + slack < -r.upper || truth - slack > -r.lower ? 1 : 0;
    row.wide += r.upper - r.lower > 1e-12 ? 1 : 0;
    row.widest = std::fmax(row.widest, r.upper - r.lower);
  }
  std::printf("| %s | %d | %d | %d | %d | %.1e | %.3f | %.2f | %.0f |\n", name, points, row.cases,
              row.outside, row.wide, row.widest, 1e3 * row.ours / row.cases,
              1e3 * row.theirs / row.cases, row.theirs / row.ours);
  std::fflush(stdout);
}

int run(int pairs, int large) {
  std::printf(
      "# Depth beside exact Minkowski sums\n\nPrinted by `tactus_peers_minkowski --pairs %d "
      "--large %d` on %s, %s. Overlapping pairs of regions that are not convex; the right depth is "
      "the distance\nof the origin from the boundary of CGAL's exact sum of A and the mirrored B "
      "(reduced convolution; at 30 points the decomposition by angle bisectors too, the quicker\n"
      "one counts; the distance in it is not timed), the least of three calls (of CGAL at 100 "
      "points one call). *outside*: the right depth is not in the "
      "bracket. *wide*: brackets above 1e-12. Milliseconds of processor time, means.\n\n"
      "| regions | points | pairs | outside | wide | widest | Tactus | CGAL | ratio (goal 20) "
      "|\n|---|---|---|---|---|---|---|---|---|\n",
      pairs, large, io::today().c_str(), io::machine_name().c_str());
  for (const int points : {30, 100}) {
    const int count = points == 30 ? pairs : large;
    measure(star, points, count, 1, "star-shaped");
    measure(spikes, points, count, 2, "spikes");
    measure(comb, points, count, 3, "comb");
    measure(hook, points, count, 4, "interlocked");
  }
  return 0;
}

}  // namespace
}  // namespace tactus::detail::bench

int main(int argc, char** argv) {
  int pairs = 50, large = 3;
  bool wrong = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--pairs") == 0 && i + 1 < argc) {
      pairs = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--large") == 0 && i + 1 < argc) {
      large = std::atoi(argv[++i]);
    } else {
      wrong = true;
    }
  }
  if (wrong || pairs <= 0 || large <= 0) {
    std::fprintf(stderr,
                 "usage: tactus_peers_minkowski [--pairs N] [--large N]\n"
                 "N pairs of each kind at 30 points (50), at 100 points (3)\n");
    return 2;
  }
  return tactus::detail::bench::run(pairs, large);
}
