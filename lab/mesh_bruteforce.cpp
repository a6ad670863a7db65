#include <algorithm>
#include <cmath>
#include <memory>

#include "fuzz/random_values.hpp"
#include "lab/experiment.hpp"
#include "lab/meshes.hpp"
#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"

// Distances of meshes by every search against those of all pairs of triangles.

namespace tactus::detail::lab {
namespace {

using bvh::Hierarchy;
using bvh::MeshDistance;
using bvh::MeshDistanceOptions;
using bvh::OrientedBox;
using bvh::Strategy;

// Error allowed of distances and of the ends of brackets, relative to the size.
constexpr double kAgreement = 1e-12;
constexpr Strategy kStrategies[] = {Strategy::automatic, Strategy::depth_first,
                                    Strategy::representatives, Strategy::greedy,
                                    Strategy::best_first};
constexpr double kRelativeErrors[] = {1e-1, 1e-3, 1e-6};
// Thresholds, of the distance.
constexpr double kThresholds[] = {0.5, 0.999, 2.0};
// Poses between two looks at the progress.
constexpr std::size_t kBatch = 16;
// The step from the pose that a warm search comes from: of the size, and in radians.
constexpr double kStep = 0.01;

struct Body {
  std::string name;
  TriangleMesh mesh;
  Hierarchy<OrientedBox> tree{mesh};
  double size = 0.0;

  Body(std::string label, TriangleMesh surface) : name(std::move(label)), mesh(std::move(surface)) {
    Vec3 low = mesh.vertices[0], high = low;
    for (const Vec3& v : mesh.vertices) {
      low = component_min(low, v);
      high = component_max(high, v);
    }
    size = max_abs(high - low);
  }
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;
  bvh::MeshView view() const { return {mesh, tree}; }
};

struct Placed {
  Pose a, b;
};

/// Errors of the searches at one pose against the truth; lengths relative to the size.
struct Finding {
  bool meets = false;
  double cold = 0.0, warm = 0.0, swapped = 0.0, bracket = 0.0;

  void add(const Finding& f) {
    cold = std::max(cold, f.cold);
    warm = std::max(warm, f.warm);
    swapped = std::max(swapped, f.swapped);
    bracket = std::max(bracket, f.bracket);
  }
};

// All triangles in the axes of A's mesh, B's about A's origin.
std::vector<Triangle> triangles_of(const TriangleMesh& mesh, const Pose& pose) {
  std::vector<Triangle> all;
  all.reserve(mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    all.push_back({{pose.to_world(mesh.vertices[t[0]]), pose.to_world(mesh.vertices[t[1]]),
                    pose.to_world(mesh.vertices[t[2]])}});
  }
  return all;
}

double least_of_all(const Body& a, const Body& b, const Placed& p) {
  const std::vector<Triangle> of_a = triangles_of(a.mesh, {}),
                              of_b = triangles_of(b.mesh, relative(p.a, p.b));
  double least = kInfinity;
  for (const Triangle& x : of_a) {
    for (const Triangle& y : of_b) least = std::min(least, triangle_to_triangle(x, y).distance);
  }
  return least;
}

class Judge {
 public:
  Judge(const Settings& settings, const Body& a, const Body& b)
      : settings_(settings), a_(a), b_(b), size_(std::max(a.size, b.size)) {}

  Finding operator()(const Placed& p, const Placed& before) const {
    Finding f;
    const double right = least_of_all(a_, b_, p);
    f.meets = right == 0.0;
    const auto off = [&](const MeshDistance& d) { return std::fabs(d.distance - right) / size_; };
    const auto outside = [&](const MeshDistance& d) {
      return std::max({0.0, d.lower - right, right - d.upper}) / size_;
    };
    for (const Strategy strategy : kStrategies) {
      MeshDistanceOptions options;
      options.strategy = strategy;
      const MeshDistance d = settings_.ask_meshes(a_.view(), p.a, b_.view(), p.b, options);
      const MeshDistance other = settings_.ask_meshes(b_.view(), p.b, a_.view(), p.a, options);
      f.cold = std::max(f.cold, off(d));
      f.swapped = std::max(f.swapped, std::fabs(other.distance - d.distance) / size_);
      f.bracket = std::max({f.bracket, outside(d), outside(other)});
      bvh::MeshPairCache cache;
      mesh_distance(a_.view(), before.a, b_.view(), before.b, options, &cache);
      const MeshDistance warm = mesh_distance(a_.view(), p.a, b_.view(), p.b, options, &cache);
      f.warm = std::max(f.warm, off(warm));
      f.bracket = std::max(f.bracket, outside(warm));
      for (const double error : kRelativeErrors) {
        MeshDistanceOptions stopped = options;
        stopped.relative_error = error;
        f.bracket = std::max(
            f.bracket, outside(settings_.ask_meshes(a_.view(), p.a, b_.view(), p.b, stopped)));
      }
      for (const double threshold : kThresholds) {
        MeshDistanceOptions stopped = options;
        stopped.max_distance = threshold * right;
        f.bracket = std::max(
            f.bracket, outside(settings_.ask_meshes(a_.view(), p.a, b_.view(), p.b, stopped)));
      }
    }
    bvh::MeshFront front;
    mesh_distance(a_.view(), before.a, b_.view(), before.b, front);
    const MeshDistance followed = mesh_distance(a_.view(), p.a, b_.view(), p.b, front);
    f.warm = std::max(f.warm, off(followed));
    f.bracket = std::max(f.bracket, outside(followed));
    return f;
  }

 private:
  const Settings& settings_;
  const Body& a_;
  const Body& b_;
  double size_;
};

// From overlap to some sizes apart.
Placed random_pose(const Body& a, const Body& b, Random& random) {
  const Pose pose_a(fuzz::vector_in(random, -1.0, 1.0), fuzz::rotation(random));
  const Quat turn = fuzz::rotation(random);
  const double way = random.uniform(0.2, 1.4) * (0.5 * (a.size + b.size));
  return {pose_a, Pose(pose_a.position() + fuzz::direction(random) * way, turn)};
}

Placed step_before(const Placed& p, double size, Random& random) {
  const Vec3 turn = fuzz::direction(random) * (0.5 * kStep);
  const Pose turned({}, normalized(Quat{1.0, turn.x, turn.y, turn.z}));
  const Vec3 slide = fuzz::direction(random) * (kStep * size);
  return {p.a, detail::unchecked_pose(p.b.position() + slide, turned.rotation() * p.b.rotation())};
}

TriangleMesh scaled(TriangleMesh mesh, double by) {
  for (Vec3& v : mesh.vertices) v = v * by;
  return mesh;
}

}  // namespace

Report run_mesh_bruteforce(const Settings& settings) {
  Report report;
  report.name = "mesh-bruteforce";
  report.title = "Distances of meshes against all pairs of triangles";
  report.text =
      "Ten pairs of bodies, some 500 triangles each, on " + std::to_string(settings.pairs) +
      " random poses in all, from overlap to a size apart: every search of `mesh_distance` "
      "against\nthe least distance of all pairs of triangles. Cold; warm, from the pair of "
      "triangles of a pose one step before, and from its front; in\nboth orders; and stopped at "
      "relative errors of 0.1, 1e-3 and 1e-6 and at thresholds of 0.5, 0.999 and 2 times the "
      "distance. Differences are\nrelative to the larger body's longest extent; *outside* is how "
      "far the truth lies outside of a bracket.";
  Random shapes(settings.seed, 1);
  const Body bodies[] = {{"bumpy", bumpy_globe(24, 12, shapes)},
                         {"ring", ring(24, 10, 0.3)},
                         {"small", scaled(bumpy_globe(24, 12, shapes), 0.05)},
                         {"sphere", spiral_sphere(250)}};
  Table table;
  table.title = "Ten pairs";
  table.head = {"pair", "poses", "meeting", "off, cold", "off, warm", "orders differ", "outside"};
  Finding worst;
  std::uint64_t done = 0, pair = 0;
  for (std::size_t i = 0; i < std::size(bodies); ++i) {
    for (std::size_t j = i; j < std::size(bodies); ++j, ++pair) {
      // The first pairs take what does not divide by ten.
      const std::uint64_t count = settings.pairs / 10 + (pair < settings.pairs % 10 ? 1 : 0);
      Random random(settings.seed, 2 + pair);
      std::vector<Placed> poses, before;
      for (std::uint64_t k = 0; k < count; ++k) {
        poses.push_back(random_pose(bodies[i], bodies[j], random));
        before.push_back(step_before(poses.back(), bodies[j].size, random));
      }
      const Judge judge(settings, bodies[i], bodies[j]);
      std::vector<Finding> found(count);
      for (std::size_t first = 0; first < count; first += kBatch) {
        const std::size_t batch = std::min(kBatch, count - first);
        parallel_for(
            batch, 1,
            [&](std::size_t begin, std::size_t end) {
              for (std::size_t k = first + begin; k < first + end; ++k)
                found[k] = judge(poses[k], before[k]);
            },
            settings.threads);
        settings.progress(done += batch, settings.pairs);
      }
      Finding all;
      double meet = 0.0;
      for (const Finding& f : found) {
        all.add(f);
        meet += f.meets ? 1.0 : 0.0;
      }
      table.rows.push_back({bodies[i].name + " - " + bodies[j].name, static_cast<double>(count),
                            meet, all.cold, all.warm, all.swapped, all.bracket});
      worst.add(all);
    }
  }
  report.tables.push_back(std::move(table));
  report.bars = {{"off, cold", worst.cold, kAgreement},
                 {"off, warm", worst.warm, kAgreement},
                 {"orders differ", worst.swapped, kAgreement},
                 {"outside of a bracket", worst.bracket, kAgreement}};
  return report;
}

}  // namespace tactus::detail::lab
