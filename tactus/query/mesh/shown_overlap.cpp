#include "tactus/query/mesh/shown_overlap.hpp"

#include <algorithm>

#include "tactus/bvh/point_query.hpp"
#include "tactus/narrow/pair/convex_pair.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// Roundings by which a point must lie inside of a mesh to show that it does.
constexpr double kHeld = 4.0;

// How an overlap is shown without the shortest way out: by one translation that is needed, and one
// that is enough for any bodies of their size.
struct ShownOverlap {
  double size = 0.0;      // length of a translation that surely frees them
  double rounding = 0.0;  // of lengths between them

  // Points of the world, B's `depth` inside of A; the bodies overlap by `least` at least. False
  // where that is less than rounding.
  bool take(double depth, double least, const Vec3& point_a, const Vec3& point_b,
            DistanceResult& r) const {
    if (!(least > 0.0)) return false;
    r.distance = -depth;
    r.upper = -least;
    r.lower = -std::max(size + rounding, depth);
    r.point_a = point_a;
    r.point_b = point_b;
    r.normal = normalized(point_a - point_b, r.normal);
    r.unique = false;
    r.status = Status::converged;
    return true;
  }
};

Triangle triangle_of(const Mesh& mesh, std::uint32_t index) {
  const auto& t = mesh.mesh().triangles[index];
  const auto& v = mesh.mesh().vertices;
  return {{v[t[0]], v[t[1]], v[t[2]]}};
}

// Two triangles that meet.
bool triangles_overlap(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose,
                       const bvh::MeshDistance& found, const ShownOverlap& shown,
                       DistanceResult& r) {
  Triangle ta = triangle_of(a, found.triangle_a), tb = triangle_of(b, found.triangle_b);
  const Vec3 origin = ta.corner[0];
  for (int k = 0; k < 3; ++k) {
    ta.corner[k] -= origin;
    tb.corner[k] = pose.to_world(tb.corner[k]) - origin;
  }
  Epa epa;
  const ConvexAnswer answer = search_pair(Cso(core_of(ta), Pose(), core_of(tb), Pose()), {}, epa);
  return shown.take(-answer.distance, -answer.upper - shown.rounding,
                    pose_a.to_world(origin + answer.point_a),
                    pose_a.to_world(origin + answer.point_b), r);
}

// A point of one mesh inside the other. `pose` is that of B in A's frame.
bool held_overlaps(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose,
                   const HeldPoint& held, const ShownOverlap& shown, DistanceResult& r) {
  const Vec3 inside = held.of_a ? pose.to_local(held.point) : held.point;
  const bvh::SurfacePoint s = bvh::nearest_point(view_of(held.of_a ? b : a), inside);
  const Vec3 surface = pose_a.to_world(held.of_a ? pose.to_world(s.point) : s.point);
  const Vec3 point = pose_a.to_world(held.point);
  r.triangle_a = held.of_a ? -1 : to_id(s.triangle);
  r.triangle_b = held.of_a ? to_id(s.triangle) : -1;
  return shown.take(s.distance, s.distance - kHeld * shown.rounding, held.of_a ? point : surface,
                    held.of_a ? surface : point, r);
}

}  // namespace

std::int32_t to_id(std::uint32_t triangle) {
  return triangle == bvh::MeshPairCache::kNone ? -1 : static_cast<std::int32_t>(triangle);
}

bool shows_overlap(const MeshAndBody& pair, const Pose& axes, const Vec3& origin,
                   DistanceResult& r) {
  const ShownOverlap shown{norm(pair.surely_out()), pair.rounding()};
  const Vec3 centre = pair.center_in_mesh();
  const bvh::SurfacePoint s = bvh::nearest_point(view_of(pair.mesh()), centre);
  r.triangle_a = to_id(s.triangle);
  const auto seen = [&](const Vec3& p) {
    return origin + axes.direction_to_world(p - pair.origin());
  };
  return shown.take(s.distance, s.distance - kHeld * shown.rounding, seen(s.point), seen(centre),
                    r);
}

bool shows_overlap(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose,
                   const bvh::MeshDistance& found, const std::optional<HeldPoint>& held,
                   DistanceResult& r) {
  const ShownOverlap shown{view_of(a).tree.reach() + view_of(b).tree.reach(),
                           rounding_of(a, b, pose)};
  if (found.meets) return triangles_overlap(a, pose_a, b, pose, found, shown, r);
  return held && held_overlaps(a, pose_a, b, pose, *held, shown, r);
}

}  // namespace tactus::detail
