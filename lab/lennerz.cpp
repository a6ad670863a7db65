#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "fuzz/random_values.hpp"
#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "lab/meshes.hpp"
#include "lab/source_forms.hpp"
#include "lab/verdicts.hpp"
#include "tactus/bvh/bare_distance.hpp"

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

// Gap between the shells, relative to their radius.
constexpr double kShellGap = 0.02;
// Gaps between ordinary pairs, relative to their size.
constexpr double kGaps[] = {0.1, 0.01, 0.001};
// Most steps towards a wanted gap, and the relative error of the gap at which they end.
constexpr int kApproach = 60;
constexpr double kNearGap = 0.01;
// Distances of two searches agree within this, relative to size.
constexpr double kAgreement = 1e-12;

struct Form {
  const char* name;
  Strategy strategy;
  double source;
};
constexpr Form kForms[] = {{"depth-first", Strategy::depth_first, 10833.0},
                           {"with representatives", Strategy::representatives, 6736.0},
                           {"greedy", Strategy::greedy, 866.0},
                           {"best-first", Strategy::best_first, 769.0}};

// The forms of `kForms` as the source writes them.
constexpr SourceForm kSourceForms[] = {SourceForm::depth_first, SourceForm::representatives,
                                       SourceForm::greedy, SourceForm::sorted};

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

  template <class Volume>
  Effort measure_bare(const Case& c, std::vector<double>& right, Strategy strategy,
                      Hierarchy<Volume> Body::* tree) {
    const MeshDistanceOptions options = of(strategy);
    return measure(c, right, [&](const Placed& p) {
      return mesh_distance_without_pair_bound(c.a.mesh, c.a.*tree, p.a, c.b.mesh, c.b.*tree, p.b,
                                              options);
    });
  }

  template <class Volume>
  Effort measure_source(const Case& c, std::vector<double>& right, SourceForm form,
                        Hierarchy<Volume> Body::* tree) {
    return measure(c, right, [&](const Placed& p) {
      const SourceCounts found =
          source_distance(c.a.mesh, c.a.*tree, p.a, c.b.mesh, c.b.*tree, p.b, form);
      MeshDistance d;
      d.distance = d.lower = d.upper = found.distance;
      d.triangle_tests = found.elementary;
      d.volume_tests = found.bounds;
      return d;
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

/// One row per form and volume.
void add_rows(Table& table, Bench& bench, const Case& c, double& disagree) {
  std::vector<double> right;
  const auto add = [&](const std::string& form, const char* volume, double source, const Effort& e,
                       const Effort& bare) {
    table.rows.push_back({form, std::string(volume), source, bare.triangle_tests, e.triangle_tests,
                          e.most, e.volume_tests, 1e6 * e.seconds});
    disagree += e.disagree + bare.disagree;
  };
  const Effort naive = bench.measure(c, right, Strategy::naive);
  add("naive", "-", 1e6, naive, naive);
  for (const Form& form : kForms) {
    const Strategy s = form.strategy;
    const auto both = [&](const char* volume, auto tree) {
      const Effort e = bench.measure(c, right, s, tree);
      add(form.name, volume, form.source, e, bench.measure_bare(c, right, s, tree));
    };
    add(form.name, "obb", form.source, bench.measure(c, right, s),
        bench.measure_bare(c, right, s, &Body::oriented));
    both("aabb", &Body::aligned);
    both("sphere", &Body::balls);
    both("dop14", &Body::dops);
    both("rss", &Body::swept);
  }
}

/// One row per volume of the source: elementary tests by its own forms. How many rows are out of
/// the source's order.
double add_source_rows(Table& table, Bench& bench, const Case& c, double gap, double& disagree) {
  double out_of_order = 0.0;
  std::vector<double> right;
  const auto add = [&](const char* volume, auto tree) {
    std::vector<Cell> row{c.name, gap, std::string(volume)};
    std::vector<double> tests;
    double most = 0.0;
    for (const SourceForm form : kSourceForms) {
      const Effort e = bench.measure_source(c, right, form, tree);
      disagree += e.disagree;
      tests.push_back(e.triangle_tests);
      most = std::max(most, form == SourceForm::depth_first ? e.most : 0.0);
    }
    row.insert(row.end(), tests.begin(), tests.end());
    row.emplace_back(tests.front() / tests.back());
    row.emplace_back(most);
    table.rows.push_back(std::move(row));
    const bool ordered = std::is_sorted(tests.rbegin(), tests.rend());
    out_of_order += ordered ? 0.0 : 1.0;
  };
  add("sphere", &Body::balls);
  add("dop14", &Body::dops);
  return out_of_order;
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

constexpr const char* kText =
    "Distance of triangle meshes by the five forms of branch and bound of lennerz2002 and five "
    "kinds "
    "of bounding volumes: how many\ndistances of triangles are computed (the elementary tests of "
    "the "
    "source), and how many bounds are taken, of volumes and of\npairs of triangles. Ours bound a "
    "pair "
    "of triangles along four directions before its distance is computed; the source has no such "
    "step, "
    "so that its\nfigures compare with the column *without pair bound* alone. Means over {} poses "
    "each. First two concentric spheres of 1012 triangles each, the outer one 2 %\nlarger and "
    "turned, "
    "by turns slightly (0.02 to 0.2 radians) and at random: all is nearly equally far, so that "
    "every "
    "order must look at the same pairs. The source\ndoes not say what its own worst case is. Then "
    "its "
    "forms as they are written (`lab/source_forms.hpp`: four pairs of children, a sorted sequence, "
    "no "
    "bound but that\nof its volumes), on these spheres and on bodies that are not convex, some "
    "1000 "
    "triangles each, in random rotations at a gap relative to the larger body: there\nthe forms "
    "come "
    "in the source's order. Then ours on the same pairs, oriented boxes. Times are processor time "
    "of "
    "one thread. All searches must find the same distances.";

struct Kind {
  const char* name;
  const Body &a, &b;
};

}  // namespace

Report run_lennerz(const Settings& settings) {
  Report report;
  report.name = "lennerz";
  report.title = "Five forms of branch and bound";
  report.text = fmt::format(kText, settings.pairs);
  Random random(settings.seed, 0);
  const Body shell_a(globe(46, 12)), shell_b(scaled(globe(46, 12), 1.0 + kShellGap));
  const Body spiral_a(spiral_sphere(508)), spiral_b(scaled(spiral_sphere(508), 1.0 + kShellGap));
  const Body bumpy_a(bumpy_globe(46, 12, random)), bumpy_b(bumpy_globe(46, 12, random));
  const Body torus(ring(32, 16, 0.3));
  const Kind kinds[] = {{"bumpy - bumpy", bumpy_a, bumpy_b},
                        {"bumpy - torus", bumpy_a, torus},
                        {"torus - torus", torus, torus}};
  const std::uint64_t rows = 2 * (41 + 8) + 3 * std::size(kinds) * (std::size(kForms) + 8);
  Bench bench(settings, rows * settings.pairs);
  LennerzFigures figures;
  Table source;
  source.title = "Elementary tests by the source's own forms (lennerz2002: 10833, 6736, 866, 769)";
  source.head = {"pair",   "gap",        "volume",          "B&B", "with reps", "greedy",
                 "sorted", "first/last", "B&B, most of all"};
  for (const auto& [name, a, b] : {Kind{"globes of 46 meridians", shell_a, shell_b},
                                   Kind{"evenly spread triangles", spiral_a, spiral_b}}) {
    Table table;
    table.title = std::string("Concentric spheres, ") + name;
    table.head = {"form",           "volume",      "lennerz2002",  "without pair bound",
                  "triangle tests", "most of all", "volume tests", "us per distance"};
    const Case c{name, a, b, turned_shells(settings.pairs, random)};
    add_rows(table, bench, c, figures.disagree);
    report.tables.push_back(std::move(table));
    // No order can show where all pairs must be looked at.
    add_source_rows(source, bench, c, kShellGap, figures.disagree);
  }
  Table ordinary;
  ordinary.title = "Ordinary pairs";
  ordinary.head = {"pair",        "gap",          "form",           "triangle tests",
                   "most of all", "volume tests", "us per distance"};
  for (const Kind& kind : kinds) {
    for (const double gap : kGaps) {
      const double length = gap * std::max(kind.a.size, kind.b.size);
      const Case c{kind.name, kind.a, kind.b,
                   apart(kind.a, kind.b, length, settings.pairs, random)};
      figures.out_of_order += add_source_rows(source, bench, c, gap, figures.disagree);
      std::vector<double> right;
      double least = std::numeric_limits<double>::infinity();
      for (const Form& form : kForms) {
        const Effort e = bench.measure(c, right, form.strategy);
        ordinary.rows.push_back({std::string(kind.name), gap, std::string(form.name),
                                 e.triangle_tests, e.most, e.volume_tests, 1e6 * e.seconds});
        figures.disagree += e.disagree;
        least = std::min(least, e.triangle_tests);
      }
      if (gap == kGaps[2]) figures.nearest = std::max(figures.nearest, least);
    }
  }
  report.tables.push_back(std::move(source));
  report.tables.push_back(std::move(ordinary));
  report.bars = bars_of(figures);
  return report;
}

}  // namespace tactus::detail::lab
