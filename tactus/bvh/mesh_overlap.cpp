#include "tactus/bvh/mesh_overlap.hpp"

#include <algorithm>

#include "tactus/mesh/triangle_meet.hpp"

namespace tactus::bvh {
namespace {

using Tree = Hierarchy<OrientedBox>;

// Visits the pairs of triangles that meet until `visit` returns false.
template <class Visit>
void walk(const MeshView& a, const Pose& pose_a, const MeshView& b, const Pose& pose_b,
          Visit&& visit) {
  const Pose pose = relative(pose_a, pose_b);
  const Vec3 between = (pose.position() - a.tree.middle()) + pose.rotation() * b.tree.middle();
  const Placement placement(pose.rotation(), between, a.tree.reach(), b.tree.reach());
  const OrientedBox* const nodes_a = a.tree.nodes().data();
  const OrientedBox* const nodes_b = b.tree.nodes().data();
  const auto triangle_a = [&](std::uint32_t t) {
    const auto& c = a.mesh.triangles[t];
    const Vec3& middle = a.tree.middle();
    return Triangle{{a.mesh.vertices[c[0]] - middle, a.mesh.vertices[c[1]] - middle,
                     a.mesh.vertices[c[2]] - middle}};
  };
  const auto triangle_b = [&](std::uint32_t t) {
    const auto& c = b.mesh.triangles[t];
    const auto place = [&](std::uint32_t index) {
      return pose.rotation() * (b.mesh.vertices[index] - b.tree.middle()) + between;
    };
    return Triangle{{place(c[0]), place(c[1]), place(c[2])}};
  };
  struct NodePair {
    std::uint32_t a, b;
  };
  std::vector<NodePair> open{{0, 0}};
  while (!open.empty()) {
    const NodePair pair = open.back();
    open.pop_back();
    const OrientedBox& u = nodes_a[pair.a];
    const OrientedBox& v = nodes_b[pair.b];
    if (lower_bound(u, v, placement) > 0.0) continue;
    const bool leaf_a = Tree::is_leaf(u), leaf_b = Tree::is_leaf(v);
    if (leaf_a && leaf_b) {
      const TrianglePair found{Tree::triangle(u), Tree::triangle(v)};
      if (triangles_meet(triangle_a(found.a), triangle_b(found.b)) && !visit(found)) return;
    } else if (leaf_b || (!leaf_a && u.length() >= v.length())) {
      open.push_back({u.link, pair.b});
      open.push_back({pair.a + 1, pair.b});
    } else {
      open.push_back({pair.a, v.link});
      open.push_back({pair.a, pair.b + 1});
    }
  }
}

}  // namespace

bool surfaces_meet(const MeshView& a, const Pose& pose_a, const MeshView& b, const Pose& pose_b,
                   TrianglePair* first) {
  bool found = false;
  walk(a, pose_a, b, pose_b, [&](const TrianglePair& pair) {
    found = true;
    if (first != nullptr) *first = pair;
    return false;
  });
  return found;
}

std::vector<TrianglePair> meeting_triangles(const MeshView& a, const Pose& pose_a,
                                            const MeshView& b, const Pose& pose_b) {
  std::vector<TrianglePair> all;
  walk(a, pose_a, b, pose_b, [&](const TrianglePair& pair) {
    all.push_back(pair);
    return true;
  });
  std::sort(all.begin(), all.end(), [](const TrianglePair& x, const TrianglePair& y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  });
  return all;
}

}  // namespace tactus::bvh
