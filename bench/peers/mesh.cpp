// tactus_peers_mesh: distance and overlap of triangle meshes, and the building of their
// hierarchies, beside FCL, one thread.

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bench/peers/fcl_convert.hpp"
#include "fuzz/random_values.hpp"
#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/bvh/mesh_overlap.hpp"
#include "tactus/io.hpp"
#include "tactus/io/format/machine.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail::bench {
namespace {

namespace fs = std::filesystem;
using bvh::Hierarchy;
using bvh::MeshDistance;
using bvh::OrientedBox;

// Gaps between the meshes, relative to their size.
constexpr double kGaps[] = {0.1, 0.01, 0.001};
// Most steps towards a wanted gap, and the relative error of the gap at which they end.
constexpr int kApproach = 60;
constexpr double kNearGap = 0.01;
// Coherent motion: steps per start, of this part of the size and a quarter of a degree.
constexpr int kSteps = 50;
constexpr double kStep = 0.002;
constexpr double kTurn = 0.25 * 3.14159265358979 / 180.0;
// Goals: times relative to FCL's OBBRSS, and bytes per triangle.
constexpr double kGoalCold = 0.25, kGoalWarm = 0.3, kGoalBuild = 0.3, kGoalBytes = 150.0;
constexpr double kGoalOverlap = 0.5;
// Depths by which touching meshes are pushed into each other, relative to their size.
constexpr double kDepths[] = {0.001, 0.02, 0.1};

struct Options {
  int count = 40;  ///< poses per pair and gap
  int runs = 5;
  std::vector<std::string> files;
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Least CPU time over the runs, in seconds.
template <class Work>
double least_time(int runs, Work&& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const double start = cpu_seconds();
    work();
    least = std::min(least, cpu_seconds() - start);
  }
  return least;
}

template <class Volume>
std::unique_ptr<fcl::BVHModel<Volume>> build_fcl(const TriangleMesh& mesh) {
  std::vector<fcl::Vector3d> vertices;
  std::vector<fcl::Triangle> triangles;
  for (const Vec3& v : mesh.vertices) vertices.push_back(to_fcl(v));
  for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_unique<fcl::BVHModel<Volume>>();
  model->beginModel();
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

/// A mesh of unit size about the origin, with the hierarchies under test.
struct Body {
  std::string name;
  TriangleMesh mesh;
  std::unique_ptr<Hierarchy<OrientedBox>> ours;
  std::unique_ptr<fcl::BVHModel<fcl::OBBRSSd>> obbrss;
  std::unique_ptr<fcl::BVHModel<fcl::RSSd>> rss;

  explicit Body(const std::string& file)
      : name(fs::path(file).stem().string()), mesh(io::read_mesh(file)) {
    Vec3 low = mesh.vertices[mesh.triangles[0][0]], high = low;
    for (const Vec3& v : mesh.vertices) {
      low = component_min(low, v);
      high = component_max(high, v);
    }
    const Vec3 middle = (low + high) * 0.5;
    const double size = max_abs(high - low);
    for (Vec3& v : mesh.vertices) v = (v - middle) / size;
    ours = std::make_unique<Hierarchy<OrientedBox>>(mesh);
    obbrss = build_fcl<fcl::OBBRSSd>(mesh);
    rss = build_fcl<fcl::RSSd>(mesh);
  }
  bvh::MeshView view() const { return {mesh, *ours}; }
};

void print_builds(const std::vector<Body>& bodies, int runs) {
  std::printf(
      "## Building, ns and bytes per triangle\n\n"
      "Processor time of all threads.\n\n"
      "| mesh | triangles | Tactus | FCL OBBRSS | ratio (goal %.2g) | bytes (goal %.0f) | refit |\n"
      "|---|---|---|---|---|---|---|\n",
      kGoalBuild, kGoalBytes);
  for (const Body& body : bodies) {
    const auto count = static_cast<double>(body.mesh.triangles.size());
    const double ours =
        1e9 * least_time(runs, [&] { const Hierarchy<OrientedBox> tree(body.mesh); }) / count;
    const double theirs =
        1e9 * least_time(runs, [&] { build_fcl<fcl::OBBRSSd>(body.mesh); }) / count;
    Hierarchy<OrientedBox> again = *body.ours;
    const double refit = 1e9 * least_time(runs, [&] { again.refit(body.mesh); }) / count;
    std::printf("| %s | %.0f | %.0f | %.0f | %.2f | %.0f | %.0f |\n", body.name.c_str(), count,
                ours, theirs, ours / theirs, static_cast<double>(body.ours->bytes()) / count,
                refit);
  }
}

struct Placed {
  Pose a, b;
};

// Random rotations, B moved along the normal until the gap is the wanted one.
std::vector<Placed> place(const Body& a, const Body& b, double gap, int count, Random& random) {
  std::vector<Placed> poses;
  for (int i = 0; i < count; ++i) {
    const Pose pose_a({}, fuzz::rotation(random));
    const Quat turn = fuzz::rotation(random);
    Pose pose_b(fuzz::direction(random) * 4.0, turn);
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

// Small steps from each pose: along a random direction, turning about the vertical.
std::vector<Placed> move(const std::vector<Placed>& starts, Random& random) {
  const Pose turn({}, {std::cos(0.5 * kTurn), 0.0, 0.0, std::sin(0.5 * kTurn)});
  std::vector<Placed> poses;
  for (const Placed& start : starts) {
    const Vec3 slide = fuzz::direction(random) * kStep;
    Placed at = start;
    for (int i = 0; i < kSteps; ++i) {
      poses.push_back(at);
      at.b = detail::unchecked_pose(at.b.position() + slide, turn.rotation() * at.b.rotation());
    }
  }
  return poses;
}

struct Converted {
  fcl::Transform3d a, b;
};

template <class Volume>
double ask_fcl(const fcl::BVHModel<Volume>& a, const fcl::BVHModel<Volume>& b, const Converted& p,
               fcl::DistanceResultd& result) {
  fcl::DistanceRequestd request(true);
  request.enable_signed_distance = false;
  fcl::distance(&a, p.a, &b, p.b, request, result);
  return result.min_distance;
}

/// Distance of two triangles: what FCL can be given as a first bound, for it has no warm start of
/// its own.
double first_bound(const Body& a, const Body& b, const Placed& p, int triangle_a, int triangle_b) {
  const auto placed = [](const Body& body, const Pose& pose, int triangle) {
    Triangle t;
    for (std::size_t i = 0; i < 3; ++i) {
      t.corner[i] = pose.to_world(
          body.mesh.vertices[body.mesh.triangles[static_cast<std::size_t>(triangle)][i]]);
    }
    return t;
  };
  return triangle_to_triangle(placed(a, p.a, triangle_a), placed(b, p.b, triangle_b)).distance;
}

/// A row: cold and warm times of one pair at one gap.
void print_row(const Body& a, const Body& b, double gap, const Options& options, Random& random) {
  const std::vector<Placed> poses = place(a, b, gap, options.count, random);
  const std::vector<Placed> motion =
      move({poses.begin(), poses.begin() + std::max<std::ptrdiff_t>(1, options.count / 4)}, random);
  std::vector<Converted> converted, moving;
  for (const Placed& p : poses) converted.push_back({to_fcl(p.a), to_fcl(p.b)});
  for (const Placed& p : motion) moving.push_back({to_fcl(p.a), to_fcl(p.b)});

  const double count = static_cast<double>(poses.size()),
               steps = static_cast<double>(motion.size());
  std::vector<double> ours(poses.size());
  double volumes = 0.0, triangles = 0.0;
  const double cold = 1e6 / count * least_time(options.runs, [&] {
                        volumes = triangles = 0.0;
                        for (std::size_t i = 0; i < poses.size(); ++i) {
                          const MeshDistance d =
                              mesh_distance(a.view(), poses[i].a, b.view(), poses[i].b);
                          ours[i] = d.distance;
                          volumes += static_cast<double>(d.volume_tests);
                          triangles += static_cast<double>(d.triangle_tests);
                        }
                      });
  const double warm = 1e6 / steps * least_time(options.runs, [&] {
                        bvh::MeshFront front;
                        for (const Placed& p : motion)
                          mesh_distance(a.view(), p.a, b.view(), p.b, front);
                      });
  double difference = 0.0;
  const double obbrss = 1e6 / count * least_time(options.runs, [&] {
                          for (std::size_t i = 0; i < poses.size(); ++i) {
                            fcl::DistanceResultd result;
                            const double d = ask_fcl(*a.obbrss, *b.obbrss, converted[i], result);
                            difference = std::max(difference, std::fabs(d - ours[i]));
                          }
                        });
  const double rss = 1e6 / count * least_time(options.runs, [&] {
                       for (const Converted& p : converted) {
                         fcl::DistanceResultd result;
                         ask_fcl(*a.rss, *b.rss, p, result);
                       }
                     });
  const double obbrss_warm = 1e6 / steps * least_time(options.runs, [&] {
                               int last_a = -1, last_b = -1;
                               for (std::size_t i = 0; i < motion.size(); ++i) {
                                 fcl::DistanceResultd result;
                                 if (last_a >= 0) {
                                   // A little more than the bound, so that this pair itself is
                                   // found again.
                                   result.min_distance =
                                       first_bound(a, b, motion[i], last_a, last_b) * (1.0 + 1e-9);
                                 }
                                 ask_fcl(*a.obbrss, *b.obbrss, moving[i], result);
                                 if (result.b1 >= 0 && result.b2 >= 0) {
                                   last_a = static_cast<int>(result.b1);
                                   last_b = static_cast<int>(result.b2);
                                 }
                               }
                             });
  std::printf(
      "| %s - %s | %g | %.1f [%.0f / %.1f] | %.1f | %.1f | %.2f | %.1f | %.1f | %.2f | %.1g |\n",
      a.name.c_str(), b.name.c_str(), gap, cold, volumes / count, triangles / count, obbrss, rss,
      cold / obbrss, warm, obbrss_warm, warm / obbrss_warm, difference);
  std::fflush(stdout);
}

// Each body with itself and with the next one.
template <class Visit>
void each_pair(const std::vector<Body>& bodies, Visit&& visit) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (const std::size_t j : {i, (i + 1) % bodies.size()}) {
      if (j == i && bodies.size() > 1 && i % 2 == 1) continue;
      visit(bodies[i], bodies[j]);
      if (bodies.size() == 1) break;
    }
  }
}

void print_distances(const std::vector<Body>& bodies, const Options& options) {
  std::printf(
      "\n## Distance, us per query\n\n"
      "Unit size, %d random rotations; in brackets bounds taken and distances of triangles "
      "computed. Warm: %d steps of %g of the size and a quarter of a degree from every fourth "
      "pose. FCL has no warm start of its own; it is given the distance of "
      "the last pair of triangles as its first bound. Difference: from FCL's distance.\n\n"
      "| pair | gap | Tactus, cold | FCL OBBRSS | FCL RSS | ratio to OBBRSS (goal %g) | Tactus, "
      "warm | FCL OBBRSS, warm | ratio (goal %g) | difference |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n",
      options.count, kSteps, kStep, kGoalCold, kGoalWarm);
  Random random(5, 7);
  each_pair(bodies, [&](const Body& a, const Body& b) {
    for (const double gap : kGaps) print_row(a, b, gap, options, random);
  });
}

std::size_t collide_fcl(const Body& a, const Body& b, const Converted& p, std::size_t most) {
  const fcl::CollisionRequestd request(most, false);
  fcl::CollisionResultd result;
  return fcl::collide(a.obbrss.get(), p.a, b.obbrss.get(), p.b, request, result);
}

/// A row: the first pair of triangles that meets, and all of them.
void print_overlap_row(const Body& a, const Body& b, double depth, const Options& options,
                       Random& random) {
  std::vector<Placed> poses = place(a, b, kGaps[2], options.count, random);
  std::vector<Converted> converted;
  for (Placed& p : poses) {
    const MeshDistance d = mesh_distance(a.view(), p.a, b.view(), p.b);
    p.b = detail::unchecked_pose(p.b.position() - d.normal * (d.distance + depth), p.b.rotation());
    converted.push_back({to_fcl(p.a), to_fcl(p.b)});
  }
  const double count = static_cast<double>(poses.size());
  std::size_t meet = 0, ours = 0, theirs = 0;
  const auto time = [&](auto&& ask) {
    return 1e6 / count * least_time(options.runs, [&] {
             for (std::size_t i = 0; i < poses.size(); ++i) ask(i);
           });
  };
  const double first =
      time([&](std::size_t i) { surfaces_meet(a.view(), poses[i].a, b.view(), poses[i].b); });
  const double first_fcl = time([&](std::size_t i) { collide_fcl(a, b, converted[i], 1); });
  const double all =
      time([&](std::size_t i) { meeting_triangles(a.view(), poses[i].a, b.view(), poses[i].b); });
  constexpr std::size_t kAll = 100000000;
  const double all_fcl = time([&](std::size_t i) { collide_fcl(a, b, converted[i], kAll); });
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const std::size_t pairs =
        meeting_triangles(a.view(), poses[i].a, b.view(), poses[i].b).pairs.size();
    meet += pairs > 0 ? 1 : 0;
    ours += pairs;
    theirs += collide_fcl(a, b, converted[i], kAll);
  }
  std::printf("| %s - %s | %g | %zu | %.1f | %.1f | %.2f | %.1f | %.1f | %.2f | %.1f | %.1f |\n",
              a.name.c_str(), b.name.c_str(), depth, meet, first, first_fcl, first / first_fcl, all,
              all_fcl, all / all_fcl, static_cast<double>(ours) / count,
              static_cast<double>(theirs) / count);
  std::fflush(stdout);
}

void print_overlaps(const std::vector<Body>& bodies, const Options& options) {
  std::printf(
      "\n## Overlap, us per query\n\n"
      "Pushed into each other by this part of the size, along the normal of the nearest points. "
      "First: one pair of triangles that meets, or none; all: every pair. Ours are decided "
      "exactly, "
      "FCL's in doubles; the last columns tell how many pairs each finds in the mean.\n\n"
      "| pair | depth | meet of %d | Tactus, first | FCL, first | ratio (goal %g) | Tactus, all | "
      "FCL, all | ratio (goal %g) | pairs | FCL's |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n",
      options.count, kGoalOverlap, kGoalOverlap);
  Random random(6, 7);
  each_pair(bodies, [&](const Body& a, const Body& b) {
    for (const double depth : kDepths) print_overlap_row(a, b, depth, options, random);
  });
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string extension = entry.path().extension().string();
    for (const char* known : {".obj", ".off", ".ply", ".stl"}) {
      if (extension == known) files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

int run(Options options) {
  if (options.files.empty()) options.files = files_in("build/models");
  std::vector<Body> bodies;
  for (const std::string& file : options.files) {
    if (!fs::is_directory(file)) {
      bodies.emplace_back(file);
      continue;
    }
    for (const std::string& inner : files_in(file)) bodies.emplace_back(inner);
  }
  if (bodies.empty()) {
    std::fprintf(stderr,
                 "tactus_peers_mesh: no meshes in build/models; tools/fetch_models puts "
                 "them there\n");
    return 2;
  }
  std::printf(
      "# Triangle meshes beside FCL\n\nPrinted by `tactus_peers_mesh --count %d --runs %d` on %s, "
      "%s. CPU time, least of %d runs.\n\n",
      options.count, options.runs, io::today().c_str(), io::machine_name().c_str(), options.runs);
  print_builds(bodies, options.runs);
  print_distances(bodies, options);
  print_overlaps(bodies, options);
  return 0;
}

}  // namespace
}  // namespace tactus::detail::bench

int main(int argc, char** argv) {
  tactus::detail::bench::Options options;
  bool wrong = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--count") == 0 && i + 1 < argc) {
      options.count = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
      options.runs = std::atoi(argv[++i]);
    } else if (argv[i][0] == '-') {
      wrong = true;
    } else {
      options.files.emplace_back(argv[i]);
    }
  }
  if (wrong || options.count <= 0 || options.runs <= 0) {
    std::fprintf(
        stderr,
        "usage: tactus_peers_mesh [--count N] [--runs N] [MESH | FOLDER]...\n"
        "N poses per pair and gap (40), least CPU time of N runs (5); without files, those "
        "of build/models\n");
    return 2;
  }
  try {
    return tactus::detail::bench::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tactus_peers_mesh: %s\n", error.what());
    return 2;
  }
}
