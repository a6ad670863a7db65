#include "tactus/query/mesh/mesh_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/bvh/mesh_overlap.hpp"
#include "tactus/bvh/point_query.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/narrow/pair/manifold.hpp"
#include "tactus/query/mesh/contact_collector.hpp"
#include "tactus/query/mesh/mesh_depth.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// Pairs of triangles within reach that are looked at.
constexpr std::size_t kMost = 1024;
// Reach of the next try where they are more.
constexpr double kNearer = 0.25;
// Sine of the angle by which a neighbour may rise above the plane across a contact's normal.
constexpr double kFlat = 1e-6;
// A step from a point that is clearly one, in lengths that are none.
constexpr double kStep = 16.0;
// Lengths below this part of the smaller body's extent are none: places that are one, planes that
// are one.
constexpr double kSamePlace = 1e-9;
// Up to this part of the extent, faces are looked for that have passed through each other.
constexpr double kShallow = 0.01;
// Below this part of it, points that are apart touch.
constexpr double kApart = 1e-14;

/// The place of a surface that is nearest to a point.
Vec3 on_surface(const Mesh& mesh, const Pose& pose, const Vec3& p) {
  return pose.to_world(bvh::nearest_point(detail::view_of(mesh), pose.to_local(p)).point);
}
Vec3 on_surface(const Core& core, const Mat3& rotation, const Vec3& position, const Vec3& p) {
  Epa epa;
  const Cso cso(Core{}, Pose(), core, Pose::unchecked(position - p, rotation));
  return p + solve_convex_pair(cso, {}, epa).point_b;
}

bool is_deeper(const TriangleAnswer& x, const TriangleAnswer& y) {
  return x.answer.distance < y.answer.distance;
}

/// A triangle with its plane; the normal outwards, or towards the other body.
struct Face {
  Triangle corners;
  std::uint32_t triangle = 0;
  Vec3 n;  ///< zero for a degenerate triangle
  double offset = 0.0;
};

Face make_face(const Triangle& corners, std::uint32_t triangle, const Mesh& mesh,
               const Vec3& toward) {
  Face f{corners, triangle, {}, 0.0};
  f.n = normalized(
      cross(corners.corner[1] - corners.corner[0], corners.corner[2] - corners.corner[0]), {});
  const bool back = mesh.closed() ? mesh.inward() : dot(f.n, toward - corners.corner[0]) < 0.0;
  if (back) f.n = -f.n;
  f.offset = dot(f.n, corners.corner[0]);
  return f;
}

bool reaches(const Face& face, const Vec3& p, double same_place) {
  return point_to_triangle(p, face.corners, same_place * same_place).distance <= same_place;
}

// The place of a face that is nearest to a point, which the face reaches up to `same_place`.
Vec3 on_face(const Face& face, const Vec3& p) { return point_to_triangle(p, face.corners).b; }

// A face of the plane that reaches the point of it; null where there is none.
const Face* covering(const std::vector<Face>& faces, const Face& plane, const Vec3& p,
                     double same_place) {
  for (const Face& f : faces) {
    if (std::fabs(dot(plane.n, p) - plane.offset) <= 2.0 * same_place &&
        1.0 - std::fabs(dot(f.n, plane.n)) <= kParallel && reaches(f, p, same_place))
      return &f;
  }
  return nullptr;
}

// Does the face rise above the plane across n, on the way from its point p?
bool rises(const Face& f, const Vec3& p, const Vec3& n, double same_place) {
  for (const Vec3& corner : f.corners.corner) {
    const Vec3 edge = corner - p;
    const double length = norm(edge);
    if (length > kStep * same_place && dot(n, edge) > kFlat * length) return true;
  }
  // The steepest way up, where the face goes that way: slivers rise across their length.
  const Vec3 up = n - f.n * dot(n, f.n);
  const double slope = norm(up);
  if (f.n == Vec3{} || !(slope > kFlat)) return false;
  return reaches(f, p + up * (kStep * same_place / slope), same_place);
}

// Does nothing of the surface around p rise above the plane across n?
bool outermost(const std::vector<Face>& faces, const Vec3& p, const Vec3& n, double same_place) {
  return std::none_of(faces.begin(), faces.end(), [&](const Face& f) {
    return reaches(f, p, same_place) && rises(f, p, n, same_place);
  });
}

bool is_along(const Vec3& a, const Vec3& b) { return 1.0 - dot(a, b) <= kParallel; }

// Is the face in the plane of another one?
bool same_plane(const Face& f, const Face& plane, double same_place) {
  if (1.0 - std::fabs(dot(f.n, plane.n)) > kParallel) return false;
  for (const Vec3& corner : f.corners.corner) {
    if (std::fabs(dot(plane.n, corner) - plane.offset) > same_place) return false;
  }
  return true;
}

/// A convex body over the faces of a mesh; frame of `MeshAndBody`.
class BodyOnFaces {
 public:
  BodyOnFaces(const MeshAndBody& pair, double threshold, double same_place, double extent,
              double most, ContactCollector& out)
      : pair_(pair),
        threshold_(threshold),
        same_place_(same_place),
        touching_(kTouching * extent),
        most_(most),
        out_(out),
        cso_plane_(Core(), Pose(), pair.body().core(), Pose::unchecked({}, pair.rotation())) {}

  void run(const std::vector<TriangleAnswer>& near) {
    const Vec3 middle = pair_.rotation() * pair_.body().core().center;
    faces_.reserve(near.size());
    for (const TriangleAnswer& t : near)
      faces_.push_back(make_face(pair_.triangle(t.triangle), t.triangle, pair_.mesh(), middle));
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < near.size(); ++i) {
      const ConvexAnswer& a = near[i].answer;
      if (is_along(faces_[i].n, a.n) || touches(faces_[i], a)) {
        add_plane(i, a);
      } else {
        others.push_back(i);
      }
    }
    for (const std::size_t i : others) {
      const ConvexAnswer& a = near[i].answer;
      const bool inwards = pair_.mesh().closed() && dot(faces_[i].n, a.n) < -kFlat;
      if (!inwards && outermost(faces_, a.point_a, a.n, same_place_)) {
        add_feature(i, a);
      } else if (a.distance < 0.0 && faces_[i].n != Vec3{}) {
        add_deep_plane(i);
      }
    }
  }

 private:
  /// The body's lowest point over a plane.
  ConvexAnswer over(const Face& plane) const {
    ConvexAnswer answer;
    const SupportPoint p = cso_plane_.support(plane.n);
    answer.n = plane.n;
    answer.core_b = p.b;
    answer.point_b = p.b - plane.n * cso_plane_.b.radius;
    answer.distance = dot(plane.n, answer.point_b) - plane.offset;
    answer.lower = answer.upper = answer.distance;
    answer.point_a = answer.core_a = answer.point_b - plane.n * answer.distance;
    return answer;
  }

  /// Does the body just touch the triangle's plane where it touches the triangle?
  bool touches(const Face& f, const ConvexAnswer& own) const {
    return std::fabs(own.distance) <= touching_ && f.n != Vec3{} &&
           std::fabs(over(f).distance) <= touching_;
  }

  bool known(const Face& f) const {
    for (const std::size_t i : planes_) {
      if (same_plane(f, faces_[i], same_place_)) return true;
    }
    return false;
  }

  // The triangles of one plane as one face, on which the body stands as on a half-space where they
  // reach far enough.
  void add_plane(std::size_t index, const ConvexAnswer& own) {
    const Face& plane = faces_[index];
    if (known(plane)) return;
    planes_.push_back(index);
    const ConvexAnswer answer = over(plane);
    PatchPoints whole;
    find_plane_points(cso_plane_, answer, threshold_, whole);
    bool all = true;
    for (int i = 0; i < whole.count; ++i) {
      PatchPoint point = whole.point[i];
      const Face* const face = covering(faces_, plane, point.a, same_place_);
      if (face != nullptr) {
        point.a = on_face(*face, point.a);
        out_.add(plane.n, point);
      } else {
        all = false;
      }
    }
    if (all) return;
    for (const Face& f : faces_) {
      if (!same_plane(f, plane, same_place_)) continue;
      const Cso cso(core_of(f.corners), Pose(), cso_plane_.b,
                    Pose::unchecked({}, pair_.rotation()));
      PatchPoints patch;
      find_patch_points(cso, answer, threshold_, patch);
      for (int i = 0; i < patch.count; ++i) {
        PatchPoint p = patch.point[i];
        if (!reaches(f, p.a, same_place_)) continue;
        p.a = on_face(f, p.a);
        p.feature = mixed(p.feature, f.triangle);
        out_.add(plane.n, p);
      }
    }
    out_.add(plane.n, {own.point_a, own.point_b, dot(plane.n, own.point_a - own.point_b),
                       mixed(0, plane.triangle)});
  }

  // A triangle that is pushed in so far, beside others of its plane, that its own way out is
  // another one. No contact is deeper than the whole body.
  void add_deep_plane(std::size_t index) {
    const Face& plane = faces_[index];
    if (known(plane)) return;
    const ConvexAnswer answer = over(plane);
    if (!(answer.distance < 0.0) || -answer.distance > most_) return;
    if (covering(faces_, plane, answer.point_a, same_place_) == nullptr) return;
    ConvexAnswer own = answer;
    add_plane(index, own);
  }

  // An edge or corner of the mesh.
  void add_feature(std::size_t index, const ConvexAnswer& answer) {
    const Face& f = faces_[index];
    const Cso cso(core_of(f.corners), Pose(), cso_plane_.b, Pose::unchecked({}, pair_.rotation()));
    PatchPoints patch;
    find_patch_points(cso, answer, threshold_, patch);
    for (int i = 0; i < patch.count; ++i) {
      PatchPoint p = patch.point[i];
      p.feature = mixed(p.feature, f.triangle);
      out_.add(answer.n, p);
    }
  }

  const MeshAndBody& pair_;
  double threshold_, same_place_, touching_, most_;
  ContactCollector& out_;
  Cso cso_plane_;
  std::vector<Face> faces_;
  std::vector<std::size_t> planes_;
};

/// Pairs of triangles of two meshes that are within `within`; where these are too many, the nearer
/// ones, down to those within `least`. `pose` is that of B in A's frame.
std::vector<bvh::TrianglePair> near_pairs(const Mesh& a, const Mesh& b, const Pose& pose,
                                          double within, double least) {
  const bvh::MeshView view_a = detail::view_of(a), view_b = detail::view_of(b);
  const Vec3 between =
      (pose.position() - view_a.tree.middle()) + pose.rotation() * view_b.tree.middle();
  const bvh::Placement placement(pose.rotation(), between, view_a.tree.reach(),
                                 view_b.tree.reach());
  std::vector<bvh::TrianglePair> found;
  while (true) {
    found.clear();
    bvh::visit_near_leaves(view_a.tree, view_b.tree, placement, within,
                           [&](const bvh::TrianglePair& near) {
                             found.push_back(near);
                             return found.size() < kMost;
                           });
    if (found.size() < kMost || within <= least) break;
    within = std::max(kNearer * within, least);
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Is the point at least so deep inside the mesh? An open one does not say.
bool is_inside(const Mesh& mesh, const Vec3& p, double depth) {
  return !mesh.closed() ||
         (mesh.holds(p) && bvh::nearest_point(detail::view_of(mesh), p, depth).distance >= depth);
}

/// Where one body of a pair stands that may hold corners of the other.
struct CornerFrame {
  Pose body_in_holder;
  Pose holder_in_a;
  Vec3 origin;             ///< contacts are seen from here, axes of A
  bool body_is_a = false;  ///< else the holder is
};

/// Corners of the body's triangles that the holder holds, each with its nearest way out.
void add_corners(const Mesh& holder, const Mesh& body, const std::vector<std::uint32_t>& triangles,
                 const CornerFrame& frame, double same_place, ContactCollector& found) {
  if (!holder.closed()) return;
  std::vector<std::uint32_t> corners;
  for (const std::uint32_t t : triangles) {
    for (const std::uint32_t v : body.mesh().triangles[t]) corners.push_back(v);
  }
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  for (const std::uint32_t v : corners) {
    const Vec3 p = frame.body_in_holder.to_world(body.mesh().vertices[v]);
    if (!holder.holds(p)) continue;
    const bvh::SurfacePoint s = bvh::nearest_point(detail::view_of(holder), p);
    if (!(s.distance > same_place)) continue;
    const Vec3 corner = frame.holder_in_a.to_world(p) - frame.origin;
    const Vec3 surface = frame.holder_in_a.to_world(s.point) - frame.origin;
    const Vec3 out = normalized(surface - corner);
    const std::uint64_t feature = mixed(frame.body_is_a ? 1 : 2, v);
    if (frame.body_is_a) {
      found.add(-out, {corner, surface, s.distance, feature});
    } else {
      found.add(out, {surface, corner, s.distance, feature});
    }
  }
}

double smaller_extent(double a, double b) {
  return a > 0.0 && b > 0.0 ? std::min(a, b) : std::max(a, b);
}

}  // namespace

void mesh_contacts(const MeshAndBody& pair, const Pose& pose_mesh, const Vec3& position_body,
                   const std::vector<TriangleAnswer>& near, const DistanceResult& whole,
                   double threshold, ManifoldSink& sink) {
  const double extent =
      smaller_extent(pair.body().core().extent, 2.0 * detail::view_of(pair.mesh()).tree.reach());
  const double same_place = std::max(kSamePlace * extent, 4.0 * pair.rounding());
  ContactCollector found(same_place, extent, pair.rotation(), &pair.body().core());
  const double most = std::max(-whole.distance, 0.0) + same_place;
  BodyOnFaces(pair, std::max(threshold, 0.0), same_place, extent, most, found).run(near);
  const Mat3 rotation = pose_mesh.rotation() * pair.rotation();
  const auto on_mesh = [&](const Vec3& p) { return on_surface(pair.mesh(), pose_mesh, p); };
  const Core& core = pair.body().core();
  const auto on_body = [&](const Vec3& p) { return on_surface(core, rotation, position_body, p); };
  const double within = std::max(threshold, 0.0) + kApart * extent;
  const auto add_nearest = [&] {
    const auto deepest = std::min_element(near.begin(), near.end(), is_deeper);
    if (deepest == near.end()) return;
    const ConvexAnswer& t = deepest->answer;
    const Vec3 on_core = on_surface(core, pair.rotation(), {}, t.point_b);
    found.add(t.n, {t.point_a, on_core, dot(t.n, t.point_a - on_core), deepest->triangle});
  };
  emit_contacts(found, found.explain(whole), whole,
                {on_mesh, on_body, add_nearest, pose_mesh.rotation(), position_body, within}, sink);
}

void mesh_contacts(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b,
                   const DistanceResult& whole, double threshold, ManifoldSink& sink) {
  const Pose pose = relative(pose_a, pose_b);
  const double rounding = rounding_of(a, b, pose);
  const double extent =
      2.0 * smaller_extent(detail::view_of(a).tree.reach(), detail::view_of(b).tree.reach());
  const double same_place = std::max(kSamePlace * extent, 4.0 * rounding);
  const double within = std::max(threshold, 0.0);
  const double touching = kTouching * extent;
  const double most = std::max(-whole.distance, 0.0) + touching;
  const double near = std::max(within, std::min(most, kShallow * extent));
  const std::vector<bvh::TrianglePair> pairs =
      near_pairs(a, b, pose, near + rounding, touching + rounding);
  // Seen from B's origin, axes of A.
  const Vec3& origin = pose.position();
  const Vec3 middle_a = detail::view_of(a).tree.middle() - origin;
  const Vec3 middle_b = pose.rotation() * detail::view_of(b).tree.middle();
  const auto face_of_a = [&](std::uint32_t t) {
    const auto& c = a.mesh().triangles[t];
    const auto& v = a.mesh().vertices;
    return make_face({{v[c[0]] - origin, v[c[1]] - origin, v[c[2]] - origin}}, t, a, middle_b);
  };
  const auto face_of_b = [&](std::uint32_t t) {
    const auto& c = b.mesh().triangles[t];
    const auto& v = b.mesh().vertices;
    const Mat3& r = pose.rotation();
    return make_face({{r * v[c[0]], r * v[c[1]], r * v[c[2]]}}, t, b, middle_a);
  };
  // Each triangle once, ascending.
  std::vector<std::uint32_t> of_a, of_b;
  for (const bvh::TrianglePair& p : pairs) {
    of_a.push_back(p.a);
    of_b.push_back(p.b);
  }
  std::vector<Face> faces_a, faces_b;
  const auto unique_faces = [](std::vector<std::uint32_t>& ids, std::vector<Face>& faces,
                               const auto& make) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const std::uint32_t t : ids) faces.push_back(make(t));
  };
  unique_faces(of_a, faces_a, face_of_a);
  unique_faces(of_b, faces_b, face_of_b);
  const auto find = [](const std::vector<Face>& faces, std::uint32_t t) -> const Face& {
    return *std::lower_bound(faces.begin(), faces.end(), t,
                             [](const Face& f, std::uint32_t id) { return f.triangle < id; });
  };
  ContactCollector found(same_place, extent, pose.rotation());
  Epa epa;
  for (const bvh::TrianglePair& p : pairs) {
    const Face &fa = find(faces_a, p.a), &fb = find(faces_b, p.b);
    const Cso cso(core_of(fa.corners), Pose(), core_of(fb.corners), Pose());
    ConvexAnswer answer = solve_convex_pair(cso, {}, epa);
    // Faces that have passed through each other are apart, but the bodies between them are not.
    const bool passed = is_along(fa.n, -fb.n) && fa.offset - dot(fa.n, fb.corners.corner[0]) > 0.0;
    if (answer.distance > within && !passed) continue;
    const auto agrees = [&](const Vec3& n, const Vec3& on_a, const Vec3& on_b) {
      return (is_along(fa.n, n) || outermost(faces_a, on_a, n, same_place)) &&
             (is_along(fb.n, -n) || outermost(faces_b, on_b, -n, same_place)) &&
             !(a.closed() && dot(fa.n, n) < -kFlat) && !(b.closed() && dot(fb.n, n) > kFlat);
    };
    const auto add_along = [&](const ConvexAnswer& along, auto&& is_way_out) {
      PatchPoints patch;
      find_patch_points(cso, along, within, patch);
      bool any = false;
      if (patch.count == 0 || !is_way_out(patch)) return any;
      for (int i = 0; i < patch.count; ++i) {
        PatchPoint point = patch.point[i];
        if (!reaches(fa, point.a, same_place) || !reaches(fb, point.b, same_place) ||
            !agrees(along.n, point.a, point.b)) {
          continue;
        }
        point.a = on_face(fa, point.a);
        point.b = on_face(fb, point.b);
        point.feature = mixed(mixed(point.feature, p.a), std::uint64_t{p.b} << 32u);
        found.add(along.n, point);
        any = true;
      }
      return any;
    };
    // Pushed in, or touching: out along one of the faces first, as far as corners of the other are
    // over it.
    bool explained_by_face = false;
    if (answer.distance < touching || passed) {
      for (const bool out_of_a : {true, false}) {
        const Vec3 n = out_of_a ? fa.n : -fb.n;
        if (explained_by_face || n == Vec3{}) continue;
        const SupportPoint s = cso.support(n);
        ConvexAnswer along = answer;
        along.n = n;
        along.distance = -dot(n, s.w);
        if (along.distance > touching || -along.distance > most) continue;
        along.point_a = out_of_a ? s.b - n * along.distance : s.a;
        along.point_b = out_of_a ? s.b : s.a + n * along.distance;
        along.lower = along.upper = along.distance;
        // No farther than the proved depth; or the middle of the patch is about that far inside.
        explained_by_face = add_along(along, [&](const PatchPoints& patch) {
          const double depth = kExplained * -along.distance;
          if (depth <= touching - whole.upper) return true;
          Vec3 middle;
          for (int i = 0; i < patch.count; ++i)
            middle += out_of_a ? patch.point[i].b : patch.point[i].a;
          middle = origin + middle / patch.count;
          return out_of_a ? is_inside(a, middle, depth)
                          : is_inside(b, pose.to_local(middle), depth);
        });
      }
    }
    if (!explained_by_face && answer.distance <= within)
      add_along(answer, [](const PatchPoints&) { return true; });
  }
  bool known = found.explain(whole);
  if (!known) {
    // Single triangles see too little: the corners that are inside say how deep.
    add_corners(a, b, of_b, {pose, Pose(), origin, false}, same_place, found);
    add_corners(b, a, of_a, {inverse(pose), pose, origin, true}, same_place, found);
    known = found.explain(whole);
  }
  const auto on_a = [&](const Vec3& p) { return on_surface(a, pose_a, p); };
  const auto on_b = [&](const Vec3& p) { return on_surface(b, pose_b, p); };
  // Of surfaces with very many triangles at one place, those that touch may not be listed.
  const auto add_nearest = [&] {
    const bvh::MeshDistance nearest =
        bvh::mesh_distance(detail::view_of(a), Pose(), detail::view_of(b), pose, {});
    if (nearest.triangle_a == bvh::MeshPairCache::kNone) return;
    const Face fa = face_of_a(nearest.triangle_a), fb = face_of_b(nearest.triangle_b);
    const Cso cso(core_of(fa.corners), Pose(), core_of(fb.corners), Pose());
    const ConvexAnswer t = solve_convex_pair(cso, {}, epa);
    found.add(t.n, {t.point_a, t.point_b, dot(t.n, t.point_a - t.point_b), 0});
  };
  emit_contacts(
      found, known, whole,
      {on_a, on_b, add_nearest, pose_a.rotation(), pose_b.position(), within + kApart * extent},
      sink);
}

void mesh_contacts(const Mesh& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b,
                   const DistanceResult& whole, double threshold, ManifoldSink& sink) {
  const Pose pose = relative(pose_a, pose_b);
  const Vec3 n = -pose.direction_to_world(b.normal());
  const double extent = 2.0 * detail::view_of(a).tree.reach();
  ContactCollector found(kSamePlace * extent, extent, Mat3::identity());
  const double within = std::max(threshold, 0.0);
  const auto& vertices = a.mesh().vertices;
  // Up to the lowest vertex's own depth, that of all others.
  const double height = (dot(n, pose.position()) - b.offset()) - within;
  for (const std::uint32_t vertex : far_vertices(a, n, height)) {
    const Vec3 p = vertices[vertex] - pose.position();
    const double depth = std::min(dot(n, p) + b.offset(), -whole.distance);
    found.add(n, {p, p - n * depth, depth, vertex});
  }
  const Vec3 up = pose_b.direction_to_world(b.normal());
  const auto on_a = [&](const Vec3& p) { return on_surface(a, pose_a, p); };
  const auto on_b = [&](const Vec3& p) {
    return p - up * (dot(up, p - pose_b.position()) - b.offset());
  };
  emit_contacts(found, found.explain(whole), whole,
                {on_a, on_b, [] {}, pose_a.rotation(), pose_b.position(), within + kApart * extent},
                sink);
}

}  // namespace tactus::detail
