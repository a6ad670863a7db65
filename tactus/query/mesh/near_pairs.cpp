#include "tactus/query/mesh/near_pairs.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

constexpr std::size_t kMost = 65536;
// Reach of the next try where they are more.
constexpr double kNearer = 0.25;

/// A set of numbers below a bound.
class Marks {
 public:
  explicit Marks(std::size_t count) : words_((count + 63) / 64) {}
  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  void add(std::uint32_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  std::vector<std::uint32_t> list() const {
    std::vector<std::uint32_t> all;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1)
        all.push_back(static_cast<std::uint32_t>(64 * w) +
                      static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
    return all;
  }

 private:
  std::vector<std::uint64_t> words_;
};

std::uint32_t index_in(const std::vector<std::uint32_t>& list, std::uint32_t value) {
  return static_cast<std::uint32_t>(std::lower_bound(list.begin(), list.end(), value) -
                                    list.begin());
}

/// Can the triangles of a pair face each other, by the cones of directions around them?
class Facing {
 public:
  Facing(const Mesh& a, const Mesh& b, const Mat3& rotation)
      : a_(cones_of(a)), b_(cones_of(b)), rotation_(rotation) {}

  bool operator()(const bvh::TrianglePair& pair) const {
    if (a_.empty() || b_.empty()) return true;
    const ExtremeCone &u = a_[pair.a], &v = b_[pair.b];
    if (u.flat && v.flat) return false;
    const Vec3 axis{static_cast<double>(v.axis[0]), static_cast<double>(v.axis[1]),
                    static_cast<double>(v.axis[2])};
    return u.can_face(rotation_ * axis, v);
  }

 private:
  std::span<const ExtremeCone> a_, b_;
  Mat3 rotation_;
};

}  // namespace

ExtremeCone cone_of(const Mesh& mesh, std::uint32_t triangle) {
  const std::span<const ExtremeCone> cones = cones_of(mesh);
  return cones.empty() ? ExtremeCone{} : cones[triangle];
}

NearTriangles near_pairs(const Mesh& a, const Mesh& b, const Pose& pose, double within,
                         double least) {
  const bvh::MeshView view_a = view_of(a), view_b = view_of(b);
  const Vec3 between =
      (pose.position() - view_a.tree.middle()) + pose.rotation() * view_b.tree.middle();
  const bvh::Placement placement(pose.rotation(), between, view_a.tree.reach(),
                                 view_b.tree.reach());
  const Facing facing(a, b, pose.rotation());
  Marks of_a(view_a.mesh.triangles.size()), of_b(view_b.mesh.triangles.size());
  std::vector<bvh::TrianglePair> found;
  while (true) {
    found.clear();
    of_a.clear();
    of_b.clear();
    bvh::visit_near_leaves(view_a.tree, view_b.tree, placement, within,
                           [&](const bvh::TrianglePair& pair) {
                             of_a.add(pair.a);
                             of_b.add(pair.b);
                             if (facing(pair)) found.push_back(pair);
                             return found.size() < kMost;
                           });
    if (found.size() < kMost || within <= least) break;
    within = std::max(kNearer * within, least);
  }
  std::sort(found.begin(), found.end());
  NearTriangles near{of_a.list(), of_b.list(), {}};
  near.pairs.reserve(found.size());
  for (const bvh::TrianglePair& pair : found)
    near.pairs.push_back({pair, index_in(near.of_a, pair.a), index_in(near.of_b, pair.b)});
  return near;
}

}  // namespace tactus::detail
