#include <algorithm>
#include <cmath>
#include <memory>

#include "fuzz/random_values.hpp"
#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "lab/meshes.hpp"

// Elementary tests of the five forms of branch and bound. Source: lennerz2002.

namespace tactus::detail::lab {
namespace {

using bvh::AlignedBox;
using bvh::Ball;
using bvh::Dop14;
using bvh::Hierarchy;
using bvh::MeshDistance;
using bvh::MeshDistanceOptions;
using bvh::OrientedBox;
using bvh::Strategy;
using bvh::SweptRectangle;

// Of the radius, between the shells.
constexpr double kShellGap = 0.02;
// Of the size, between ordinary pairs.
constexpr double kGaps[] = {0.1, 0.01, 0.001};
// Steps towards a wanted gap, and how near is near enough.
constexpr int kApproach = 60;
constexpr double kNearGap = 0.01;
// Distances of two searches agree within this, relative to size.
constexpr double kAgreement = 1e-12;
constexpr double kSourceBest = 769.0;
constexpr double kOrdinary = 24.0;

struct Form {
  const char* name;
  Strategy strategy;
  double source;
};
constexpr Form kForms[] = {{"depth-first", Strategy::depth_first, 10833.0},
                           {"with representatives", Strategy::representatives, 6736.0},
                           {"greedy", Strategy::greedy, 866.0},
                           {"best-first", Strategy::best_first, kSourceBest}};

struct Body {
  TriangleMesh mesh;
  Hierarchy<OrientedBox> oriented{mesh};
  Hierarchy<AlignedBox> aligned{mesh};
  Hierarchy<Ball> balls{mesh};
  Hierarchy<Dop14> dops{mesh};
  Hierarchy<SweptRectangle> swept{mesh};
  double size = 0.0;

  explicit Body(TriangleMesh surface) : mesh(std::move(surface)) {
    Vec3 low = mesh.vertices[0], high = low;
    for (const Vec3& v : mesh.vertices) {
      low = component_min(low, v);
      high = component_max(high, v);
    }
    size = max_abs(high - low);
  }
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  bvh::MeshView view() const { return {mesh, oriented}; }
};

struct Placed {
  Pose a, b;
};

struct Case {
  std::string name;
  const Body& a;
  const Body& b;
  std::vector<Placed> poses;
};

/// Sums over the poses of a case.
struct Effort {
  double triangle_tests = 0.0, most = 0.0, volume_tests = 0.0, seconds = 0.0, disagree = 0.0;
};

class Bench {
 public:
  Bench(const Settings& settings, std::uint64_t total)
      : settings_(settings), total_(std::max<std::uint64_t>(total, 1)) {}

  /// Means over the poses; `right` are the distances that must come out.
  template <class Ask>
  Effort measure(const Case& c, std::vector<double>& right, Ask&& ask) {
    Effort sum;
    const double size = std::max(c.a.size, c.b.size);
    const bool first = right.empty();
    for (std::size_t i = 0; i < c.poses.size(); ++i) {
      const double start = thread_seconds();
      const MeshDistance d = ask(c.poses[i]);
      sum.seconds += thread_seconds() - start;
      sum.triangle_tests += static_cast<double>(d.triangle_tests);
      sum.volume_tests += static_cast<double>(d.volume_tests);
      sum.most = std::max(sum.most, static_cast<double>(d.triangle_tests));
      if (first) right.push_back(d.distance);
      const bool agrees = std::fabs(d.distance - right[i]) <= kAgreement * size &&
                          d.lower <= right[i] + kAgreement * size &&
                          d.upper >= right[i] - kAgreement * size;
      sum.disagree += agrees ? 0.0 : 1.0;
      settings_.progress(++done_ * settings_.pairs / total_, settings_.pairs);
    }
    const auto count = static_cast<double>(c.poses.size());
    sum.triangle_tests /= count;
    sum.volume_tests /= count;
    sum.seconds /= count;
    return sum;
  }

  Effort measure(const Case& c, std::vector<double>& right, Strategy strategy) {
    const MeshDistanceOptions options = of(strategy);
    return measure(c, right, [&](const Placed& p) {
      return settings_.ask_meshes(c.a.view(), p.a, c.b.view(), p.b, options);
    });
  }

  template <class Volume>
  Effort measure(const Case& c, std::vector<double>& right, Strategy strategy,
                 Hierarchy<Volume> Body::* tree) {
    const MeshDistanceOptions options = of(strategy);
    return measure(c, right, [&](const Placed& p) {
      return mesh_distance_by(c.a.mesh, c.a.*tree, p.a, c.b.mesh, c.b.*tree, p.b, options);
    });
  }

 private:
  static MeshDistanceOptions of(Strategy strategy) {
    MeshDistanceOptions options;
    options.strategy = strategy;
    return options;
  }

  const Settings& settings_;
  std::uint64_t total_, done_ = 0;
};

std::vector<Cell> row_of(const std::string& form, const char* volume, double source,
                         const Effort& e) {
  return {form,   std::string(volume), source,         e.triangle_tests,
          e.most, e.volume_tests,      1e6 * e.seconds};
}

/// One row per form and volume; the least mean of all.
double add_rows(Table& table, Bench& bench, const Case& c, double& disagree) {
  std::vector<double> right;
  const auto add = [&](const std::string& form, const char* volume, double source,
                       const Effort& e) {
    table.rows.push_back(row_of(form, volume, source, e));
    disagree += e.disagree;
    return e.triangle_tests;
  };
  double least = add("naive", "-", 1e6, bench.measure(c, right, Strategy::naive));
  for (const Form& form : kForms) {
    const Strategy s = form.strategy;
    const double found[] = {
        add(form.name, "obb", form.source, bench.measure(c, right, s)),
        add(form.name, "aabb", form.source, bench.measure(c, right, s, &Body::aligned)),
        add(form.name, "sphere", form.source, bench.measure(c, right, s, &Body::balls)),
        add(form.name, "dop14", form.source, bench.measure(c, right, s, &Body::dops)),
        add(form.name, "rss", form.source, bench.measure(c, right, s, &Body::swept))};
    least = std::min(least, *std::min_element(std::begin(found), std::end(found)));
  }
  return least;
}

TriangleMesh scaled(TriangleMesh mesh, double by) {
  for (Vec3& v : mesh.vertices) v = v * by;
  return mesh;
}

// The outer shell is the inner one, larger and turned: slightly or at random.
std::vector<Placed> turned_shells(std::uint64_t count, Random& random) {
  std::vector<Placed> poses;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Vec3 turn = fuzz::direction(random) * random.uniform(0.01, 0.1);
    const Quat slight = normalized(Quat{1.0, turn.x, turn.y, turn.z});
    poses.push_back({{}, Pose({}, i % 2 == 0 ? slight : fuzz::rotation(random))});
  }
  return poses;
}

// Random rotations, B moved along the normal until the gap is the wanted one.
std::vector<Placed> apart(const Body& a, const Body& b, double gap, std::uint64_t count,
                          Random& random) {
  std::vector<Placed> poses;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Pose pose_a({}, fuzz::rotation(random));
    const Quat turn = fuzz::rotation(random);
    Pose pose_b(fuzz::direction(random) * (2.0 * (a.size + b.size)), turn);
    for (int step = 0; step < kApproach; ++step) {
      const MeshDistance d = mesh_distance(a.view(), pose_a, b.view(), pose_b);
      if (std::fabs(d.distance - gap) < kNearGap * gap) break;
      // Not all the way: another part of a surface that is not convex may come first.
      pose_b = detail::unchecked_pose(pose_b.position() - d.normal * (0.7 * (d.distance - gap)),
                                      pose_b.rotation());
    }
    poses.push_back({pose_a, pose_b});
  }
  return poses;
}

std::vector<std::string> head() {
  return {"form",        "volume",       "lennerz2002",    "triangle tests",
          "most of all", "volume tests", "us per distance"};
}

}  // namespace

Report run_lennerz(const Settings& settings) {
  Report report;
  report.name = "lennerz";
  report.title = "Five forms of branch and bound";
  report.text =
      "Distance of triangle meshes by the five forms of branch and bound of lennerz2002 and five "
      "kinds of bounding volumes: how many\ndistances of triangles are computed (the elementary "
      "tests of the source), and how many bounds are taken, of volumes and of\npairs of triangles, "
      "which are bounded along four directions before their distance is computed; the source's "
      "program has no such\nstep, so that the elementary tests compare what is left to do, not the "
      "time. Means over " +
      std::to_string(settings.pairs) +
      " poses each. First the worst case: two concentric\nspheres of 1012 triangles each, the "
      "outer "
      "one 2 % larger and turned, by turns slightly (0.02 to 0.2 radians) and at random,\nbeside "
      "the figures of the source. Then ordinary pairs of bodies that are not convex, some 1000 "
      "triangles each, in random\nrotations, oriented boxes; the gap is relative to the larger "
      "body's longest extent. Times are processor time of one thread.\nAll searches must find the "
      "same distances.";
  Random random(settings.seed, 0);
  const Body shell_a(globe(46, 12)), shell_b(scaled(globe(46, 12), 1.0 + kShellGap));
  const Body spiral_a(spiral_sphere(508)), spiral_b(scaled(spiral_sphere(508), 1.0 + kShellGap));
  const Body bumpy_a(bumpy_globe(46, 12, random)), bumpy_b(bumpy_globe(46, 12, random));
  const Body torus(ring(32, 16, 0.3));
  struct Kind {
    const char* name;
    const Body &a, &b;
  };
  const Kind kinds[] = {{"bumpy - bumpy", bumpy_a, bumpy_b},
                        {"bumpy - torus", bumpy_a, torus},
                        {"torus - torus", torus, torus}};
  const std::uint64_t rows = 2 * 21 + 3 * std::size(kinds) * std::size(kForms);
  Bench bench(settings, rows * settings.pairs);
  double disagree = 0.0, worst_case = 0.0;
  for (const auto& [name, a, b] : {Kind{"globes of 46 meridians", shell_a, shell_b},
                                   Kind{"evenly spread triangles", spiral_a, spiral_b}}) {
    Table table;
    table.title = std::string("Concentric spheres, ") + name;
    table.head = head();
    const Case c{name, a, b, turned_shells(settings.pairs, random)};
    worst_case = std::max(worst_case, add_rows(table, bench, c, disagree));
    report.tables.push_back(std::move(table));
  }
  Table ordinary;
  ordinary.title = "Ordinary pairs";
  ordinary.head = {"pair",        "gap",          "form",           "triangle tests",
                   "most of all", "volume tests", "us per distance"};
  double nearest = 0.0;
  for (const Kind& kind : kinds) {
    for (const double gap : kGaps) {
      const double length = gap * std::max(kind.a.size, kind.b.size);
      const Case c{kind.name, kind.a, kind.b,
                   apart(kind.a, kind.b, length, settings.pairs, random)};
      std::vector<double> right;
      double least = std::numeric_limits<double>::infinity();
      for (const Form& form : kForms) {
        const Effort e = bench.measure(c, right, form.strategy);
        ordinary.rows.push_back({std::string(kind.name), gap, std::string(form.name),
                                 e.triangle_tests, e.most, e.volume_tests, 1e6 * e.seconds});
        disagree += e.disagree;
        least = std::min(least, e.triangle_tests);
      }
      if (gap == kGaps[2]) nearest = std::max(nearest, least);
    }
  }
  report.tables.push_back(std::move(ordinary));
  report.bars = {{"answers that disagree", disagree, 0.0},
                 {"triangle tests of the best form on concentric spheres", worst_case, kSourceBest},
                 {"triangle tests of the best form at a gap of 0.1 %", nearest, kOrdinary}};
  return report;
}

}  // namespace tactus::detail::lab
