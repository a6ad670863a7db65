#pragma once

#include <array>
#include <limits>
#include <string_view>
#include <vector>

#include "tactus/bvh/hierarchy.hpp"
#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/bvh/node_queue.hpp"

namespace tactus::detail::bvh {

/// A node of a tree of boxes.
struct NodeBox {
  Vec3 center;
  Mat3 axes;                   ///< rows are unit
  Vec3 half;                   ///< half extents along them
  std::uint32_t right = 0;     ///< number of the right child; the left one comes next. 0: a leaf
  std::int64_t triangle = -1;  ///< of a leaf
};

/// The step that branch and bound takes with a pair of nodes.
enum class SearchAct : std::uint8_t {
  approached,  ///< no nodes yet: two triangles are measured, a plane gives the bound of all others
  begun,       ///< the roots are opened
  split,       ///< the longer one is split, both children are opened
  left_out,    ///< too far apart to be gone into
  spared,      ///< of leaves: their triangles are too far apart to be measured
  measured     ///< the distance of their triangles is computed
};
constexpr std::string_view to_string(SearchAct act) {
  constexpr std::string_view kNames[] = {"approached", "begun",  "split",
                                         "left_out",   "spared", "measured"};
  return kNames[static_cast<std::size_t>(act)];
}

/// A step of branch and bound.
struct SearchStep {
  SearchAct act = SearchAct::begun;
  NodePair pair{};
  std::array<NodePair, 2> children{};             ///< of a pair that is split
  std::int64_t triangle_a = -1, triangle_b = -1;  ///< of leaves, and where `approached`
  /// The least bound of all that is open or was left, and the distance of the nearest triangles so
  /// far: the bracket of the distance, to rounding.
  double lower = 0.0, upper = std::numeric_limits<double>::infinity();
  std::size_t open = 0;     ///< pairs that wait
  std::int64_t effort = 0;  ///< bounds and distances of triangles computed so far
};

/// Receives the steps of `observed_mesh_distance`. Boxes are in the frame of mesh A; node 0 is the
/// root. Override what is of interest.
class SearchObserver {
 public:
  virtual ~SearchObserver() = default;
  virtual void trees(const std::vector<NodeBox>& /*a*/, const std::vector<NodeBox>& /*b*/) {}
  virtual void step(const SearchStep&) {}
};

/// `mesh_distance`, whose steps the observer is told of; the same answer. It is compiled apart: a
/// search without an observer has no trace of it.
MeshDistance observed_mesh_distance(const MeshView& a, const Pose& pose_a, const MeshView& b,
                                    const Pose& pose_b, const MeshDistanceOptions& options,
                                    SearchObserver& observer);

/// Tells an observer: keeps the pairs of nodes that are open and the bounds of those that were left
/// out, whose least bounds the distance.
class SearchTeller {
 public:
  explicit SearchTeller(SearchObserver* observer) : observer_(observer) {}

  /// `rotation` of B's frame in A's; `translation` of B's middle from A's middle.
  void trees(const Hierarchy<OrientedBox>& a, const Hierarchy<OrientedBox>& b, const Mat3& rotation,
             const Vec3& translation);
  void begin(const NodePair& root, const MeshDistance& r);
  /// A plane shows that no other triangles are nearer than `bound`.
  void approached(double bound, std::uint32_t triangle_a, std::uint32_t triangle_b,
                  const MeshDistance& r);
  void split(const NodePair& pair, const NodePair (&children)[2], const MeshDistance& r);
  void left_out(const NodePair& pair, const MeshDistance& r);
  /// Triangles of two leaves, measured unless `bound`, their own, spared that.
  void leaves(const NodePair& pair, std::uint32_t triangle_a, std::uint32_t triangle_b,
              double bound, bool measured, const MeshDistance& r);

 private:
  void tell(SearchStep& step, const NodePair& pair, const MeshDistance& r);
  void close(const NodePair& pair, double bound);

  SearchObserver* observer_;
  std::vector<NodePair> open_;
  double least_left_ = std::numeric_limits<double>::infinity();
  double lower_ = 0.0;
};

}  // namespace tactus::detail::bvh
