#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/report.hpp"
#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/fit.hpp"
#include "tactus/mesh.hpp"
#include "tactus/planar.hpp"
#include "tactus/query.hpp"
#include "tactus/rigid/exchange/exchange.hpp"

namespace tactus::detail::lab {

/// Answers a query: the library, or in tests something that is wrong on purpose.
using Ask = std::function<DistanceResult(const Shape& a, const Pose& pose_a, const Shape& b,
                                         const Pose& pose_b, const QueryOptions& options)>;
using AskOverlap = std::function<OverlapResult(const Shape& a, const Pose& pose_a, const Shape& b,
                                               const Pose& pose_b)>;
using AskMeshes = std::function<bvh::MeshDistance(const bvh::MeshView& a, const Pose& pose_a,
                                                  const bvh::MeshView& b, const Pose& pose_b,
                                                  const bvh::MeshDistanceOptions& options)>;

using AskHull = std::function<ConvexHull(std::span<const Vec3> points, const HullOptions& options)>;

using AskContacts = std::function<ContactsResult(const Shape& a, const Pose& pose_a, const Shape& b,
                                                 const Pose& pose_b, std::span<Manifold> out,
                                                 const QueryOptions& options)>;

using AskImpact = std::function<CastResult(
    const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
    const Pose& pose_b, const RigidMotion& motion_b, const QueryOptions& options)>;

using AskBox = std::function<MinimumBox(std::span<const Vec3> points, const ConvexHull& hull)>;

using AskDecomposition =
    std::function<ConvexDecomposition(const TriangleMesh& mesh, const DecomposeOptions& options)>;

using AskTouches =
    std::function<void(const Circle& circle, const Pose2& pose_circle, const Contour& contour,
                       const Pose2& pose_contour, std::vector<Touch>& out)>;

/// How a long experiment goes on where an earlier run has stopped, and stops itself.
struct Rounds {
  const nlohmann::json* start = nullptr;  ///< what an earlier run had counted
  /// After every round, with what is counted so far. False: stop there.
  std::function<bool(const nlohmann::json& counted)> ended = [](const nlohmann::json&) {
    return true;
  };
};

struct Settings {
  /// How many pairs are drawn (flicker: stacks of a kind; bruteforce-world, knoblauch:
  /// steps; pile: bodies; gas: spheres; ranks: balls; grains: in each test; path-sampling: edges).
  std::uint64_t pairs = 1000;
  std::uint64_t seed = 1;
  std::uint64_t seeds = 1;  ///< pile: how often, each time with the next seed
  std::string pairs_from;   ///< table10: file of query lines, instead of drawn pairs
  int threads = 0;          ///< 0: all processors
  std::string meshes;       ///< folder of further meshes, where an experiment takes them
  /// Ranks that share the work of an experiment that can be shared: each of them runs it, and has
  /// the whole report. Null: one program.
  Exchange* ranks = nullptr;
  /// Told how many of all pairs are done, from the calling thread.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = [](std::uint64_t,
                                                                             std::uint64_t) {};
  Rounds rounds;  ///< of resumable experiments
  Ask ask = [](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
               const QueryOptions& options) { return distance(a, pose_a, b, pose_b, options); };
  AskOverlap ask_overlap = [](const Shape& a, const Pose& pose_a, const Shape& b,
                              const Pose& pose_b) { return overlap(a, pose_a, b, pose_b); };
  AskMeshes ask_meshes = [](const bvh::MeshView& a, const Pose& pose_a, const bvh::MeshView& b,
                            const Pose& pose_b, const bvh::MeshDistanceOptions& options) {
    return bvh::mesh_distance(a, pose_a, b, pose_b, options);
  };
  AskContacts ask_contacts = [](const Shape& a, const Pose& pose_a, const Shape& b,
                                const Pose& pose_b, std::span<Manifold> out,
                                const QueryOptions& options) {
    return contacts(a, pose_a, b, pose_b, out, options);
  };
  AskImpact ask_impact = [](const Shape& a, const Pose& pose_a, const RigidMotion& motion_a,
                            const Shape& b, const Pose& pose_b, const RigidMotion& motion_b,
                            const QueryOptions& options) {
    return impact(a, pose_a, motion_a, b, pose_b, motion_b, options);
  };
  AskHull ask_hull = [](std::span<const Vec3> points, const HullOptions& options) {
    return convex_hull(points, options);
  };
  AskDecomposition ask_decomposition = [](const TriangleMesh& mesh,
                                          const DecomposeOptions& options) {
    return decompose(mesh, options);
  };
  AskTouches ask_touches = [](const Circle& circle, const Pose2& pose_circle,
                              const Contour& contour, const Pose2& pose_contour,
                              std::vector<Touch>& out) {
    touches(circle, pose_circle, contour, pose_contour, out);
  };
  AskBox ask_box = [](std::span<const Vec3> points, const ConvexHull& hull) {
    return minimum_box(points, hull);
  };
};

/// One measurement of the laboratory. `run` gives the same report for the same settings on every
/// number of threads, times apart.
struct Experiment {
  std::string_view name, summary;
  std::uint64_t pairs;  ///< of a full run; 0 where the number is not free
  Report (*run)(const Settings& settings);
  bool resumable = false;  ///< with Settings::rounds
  bool on_ranks = false;   ///< with Settings::ranks
};

/// All experiments, in the order in which they are listed.
std::span<const Experiment> experiments();
/// Null when there is none of that name.
const Experiment* find_experiment(std::string_view name);

// The experiments, each in the file of its name.
Report run_blackbox(const Settings& settings);
Report run_detection_distance(const Settings& settings);
Report run_stopping(const Settings& settings);
Report run_table10(const Settings& settings);
Report run_bruteforce(const Settings& settings);
Report run_bruteforce_world(const Settings& settings);
Report run_pile(const Settings& settings);
Report run_methods(const Settings& settings);
Report run_lennerz(const Settings& settings);
Report run_mesh_bruteforce(const Settings& settings);
Report run_boxes(const Settings& settings);
Report run_decomposition(const Settings& settings);
Report run_impact(const Settings& settings);
Report run_flicker(const Settings& settings);
Report run_physics(const Settings& settings);
Report run_hull(const Settings& settings);
Report run_ccd(const Settings& settings);
Report run_planar(const Settings& settings);
Report run_planar_oracle(const Settings& settings);
Report run_tracing(const Settings& settings);
Report run_knoblauch(const Settings& settings);
Report run_gas(const Settings& settings);
Report run_grains(const Settings& settings);
Report run_ranks(const Settings& settings);
Report run_path_sampling(const Settings& settings);
Report run_cast_tolerance(const Settings& settings);

}  // namespace tactus::detail::lab
