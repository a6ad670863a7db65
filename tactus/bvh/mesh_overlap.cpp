#include "tactus/bvh/mesh_overlap.hpp"

#include <algorithm>

#include "tactus/mesh/surface/triangle_meet.hpp"

namespace tactus::detail::bvh {
namespace {

// Visits the pairs of triangles that meet until `visit` returns false. False at the cap.
template <class Visit>
bool walk(const MeshView& a, const Pose& pose_a, const MeshView& b, const Pose& pose_b,
          std::int64_t most, Visit&& visit) {
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
  const auto meets = [&](const TrianglePair& near) {
    return !triangles_meet(triangle_a(near.a), triangle_b(near.b)) || visit(near);
  };
  return visit_near_leaves(a.tree, b.tree, placement, 0.0, meets, most);
}

}  // namespace

bool surfaces_meet(const MeshView& a, const Pose& pose_a, const MeshView& b, const Pose& pose_b,
                   TrianglePair* first) {
  bool found = false;
  constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
  walk(a, pose_a, b, pose_b, kAll, [&](const TrianglePair& pair) {
    found = true;
    if (first != nullptr) *first = pair;
    return false;
  });
  return found;
}

MeetingTriangles meeting_triangles(const MeshView& a, const Pose& pose_a, const MeshView& b,
                                   const Pose& pose_b, std::int64_t most) {
  MeetingTriangles found;
  found.all = walk(a, pose_a, b, pose_b, most, [&](const TrianglePair& pair) {
    found.pairs.push_back(pair);
    return true;
  });
  std::sort(found.pairs.begin(), found.pairs.end());
  return found;
}

}  // namespace tactus::detail::bvh
