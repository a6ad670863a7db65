#include "tactus/query/mesh/certify_cover.hpp"

#include <algorithm>

#include "tactus/query/mesh/blocked_shifts.hpp"
#include "tactus/query/mesh/mesh_depth.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// Nodes of the search, as of a depth that nothing hurries.
constexpr int kMostNodes = 1000;

}  // namespace

std::vector<Certificate::Cover> cover_shifts(ProvedShifts& blocked, const Pose& axes, double wanted,
                                             double known, double rounding, const Vec3& world) {
  ShortestWayOptions options;
  options.known = known;
  options.width = std::max(known - wanted, 0.0);
  options.clear = kClearOfTouch * rounding;
  options.rounding = rounding;
  options.max_nodes = kMostNodes;
  std::vector<InnerSet> sets;
  std::vector<Certificate::Cover> covers;
  // The search has taken rounding off `least`; here it is allowed for, as the checker takes it off
  // by itself.
  if (!(shortest_way(blocked, options, &sets).least >= wanted - 2.0 * rounding)) return covers;
  for (const InnerSet& inner : sets) covers.push_back(blocked.cover(inner, axes, world));
  return covers;
}

std::vector<Certificate::Cover> cover_depth(const Part& a, const Pose& pose_a, const Part& b,
                                            const Pose& pose_b, double wanted, double known,
                                            const Vec3& world) {
  const Pose in_world_a = pose_a * a.in_body, in_world_b = pose_b * b.in_body;
  if (b.mesh != nullptr) {
    const Pose pose = relative(in_world_a, in_world_b);
    ShiftsOfMesh blocked(*a.mesh, *b.mesh, pose, most_visits(kMostNodes));
    return cover_shifts(blocked, in_world_a, wanted, known, rounding_of(*a.mesh, *b.mesh, pose),
                        world);
  }
  const MeshAndBody pair(*a.mesh, in_world_a, *b.shape, in_world_b);
  ShiftsOfBody blocked(pair, {}, search_options({}));
  return cover_shifts(blocked, in_world_a, wanted, known, pair.rounding(), world);
}

}  // namespace tactus::detail
