#include "tactus/bvh/mesh_overlap.hpp"

#include <algorithm>

#include "tactus/mesh/triangle_meet.hpp"

namespace tactus::bvh {
namespace {

// Visits the pairs of triangles that meet until `visit` returns false.
template <class Visit>
void walk(const MeshView& a, const Pose& pose_a, const MeshView& b, const Pose& pose_b,
          Visit&& visit) {
  const Pose pose = relative(pose_a, pose_b);
  const Vec3 between = (pose.position() - a.tree.middle()) + pose.rotation() * b.tree.middle();
  const Placement placement(pose.rotation(), between, a.tree.reach(), b.tree.reach());
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
  visit_near_leaves(a.tree, b.tree, placement, 0.0, [&](const TrianglePair& near) {
    return !triangles_meet(triangle_a(near.a), triangle_b(near.b)) || visit(near);
  });
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
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace tactus::bvh
