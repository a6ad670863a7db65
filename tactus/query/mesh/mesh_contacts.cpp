#include "tactus/query/mesh/mesh_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/bvh/point_query.hpp"
#include "tactus/core/cancellation.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/narrow/pair/manifold.hpp"
#include "tactus/narrow/pair/measure_pair.hpp"
#include "tactus/query/mesh/contact_collector.hpp"
#include "tactus/query/mesh/face_list.hpp"
#include "tactus/query/mesh/mesh_depth.hpp"
#include "tactus/query/mesh/near_pairs.hpp"
#include "tactus/query/plan/pair_table.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// Lengths below this part of the smaller body's extent are none: places that are one, planes that
// are one.
constexpr double kSamePlace = 1e-9;
// Up to this part of the extent, faces are looked for that have passed through each other.
constexpr double kShallow = 0.01;
// Below this part of it, points that are apart touch.
constexpr double kApart = 1e-14;
// So many points of a triangle are a face, fewer an edge or a corner.
constexpr int kCornersOfFace = 3;
// How far off a curved surface a witness may be, relative to the pair's size: the root of rounding,
// or the width of its bracket.
constexpr double kBesideCurved = 1e-7;

/// The place of a surface that is nearest to a point.
Vec3 on_surface(const Mesh& mesh, const Pose& pose, const Vec3& p) {
  return pose.to_world(bvh::nearest_point(detail::view_of(mesh), pose.to_local(p)).point);
}
Vec3 on_surface(const Shape& body, const Mat3& rotation, const Vec3& position, const Vec3& p) {
  Epa epa;
  const Cso cso(Core{}, Pose(), core_of(body), detail::unchecked_pose(position - p, rotation));
  const PairRow& row = pair_row(ShapeType::sphere, row_type(body));
  return p + measure_pair(cso, row.formula, {}, epa).point_b;
}

/// See `make_face`.
int outward(const Mesh& mesh) { return !mesh.closed() ? 0 : mesh.inward() ? -1 : 1; }

bool is_along(const Vec3& a, const Vec3& b) { return 1.0 - dot(a, b) <= kNormalsAlike; }

bool is_deeper(const TriangleAnswer& x, const TriangleAnswer& y) {
  return x.answer.distance < y.answer.distance;
}

/// A convex body over the faces of a mesh; frame of `MeshAndBody`.
class BodyOnFaces {
 public:
  /// `way`: a translation of the body that frees it, or null where none is known. Then `near` holds
  /// all triangles nearer than `threshold`, and nothing of the body is inside of a mesh that it
  /// does not meet. `ahead`: as `ManifoldSink::way`.
  BodyOnFaces(const MeshAndBody& pair, double threshold, double same_place, double extent,
              const Vec3* way, double ahead, ContactCollector& out)
      : pair_(pair),
        threshold_(threshold),
        same_place_(same_place),
        touching_(kTouchingGap * extent),
        way_(way),
        ahead_(ahead),
        out_(out),
        cso_plane_(Core(), Pose(), core_of(pair.body()),
                   detail::unchecked_pose({}, pair.rotation())) {}

  /// False where a way out is needed that is not known.
  bool run(const std::vector<TriangleAnswer>& near) {
    const Vec3 middle = pair_.rotation() * core_of(pair_.body()).center;
    std::vector<Face> faces;
    faces.reserve(near.size());
    for (const TriangleAnswer& t : near)
      faces.push_back(
          make_face(pair_.triangle(t.triangle), t.triangle, outward(pair_.mesh()), middle));
    faces_ = FaceList(std::move(faces), same_place_);
    for (const TriangleAnswer& t : near) least_ = std::min(least_, t.answer.distance - touching_);
    std::vector<std::size_t> others;
    double most = -1.0;  // bound of the way out, once it is asked for
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
      if (!leads_through(faces_[i], a.n) && faces_.outermost(a.point_a, a.n)) {
        add_feature(i, a);
      } else if (a.distance < 0.0 && faces_[i].n != Vec3{} && !known(faces_[i])) {
        if (way_ == nullptr && most < 0.0) most = most_way(near);
        if (way_ != nullptr)
          add_deep_plane(i, *way_);
        else if (!(-over(faces_[i]).distance > most + same_place_))
          return false;
      } else if (ahead_ > 0.0) {
        add_wall_ahead(i);
      }
    }
    return true;
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

  // Would the body leave through the face? That of a closed surface has an inner side; that of an
  // open one has none, but its inside is passed along its normal only.
  bool leads_through(const Face& f, const Vec3& n) const {
    return pair_.mesh().closed() ? dot(f.n, n) < -kLeastSlope : is_along(f.n, -n);
  }

  // A length that a way out does not exceed: along the normal of the deepest triangle, until the
  // body has left each of those that it meets along that one's own normal. It comes no nearer than
  // the threshold to any triangle beyond that.
  double most_way(const std::vector<TriangleAnswer>& near) const {
    const Vec3 out = std::min_element(near.begin(), near.end(), is_deeper)->answer.n;
    double most = 0.0;
    for (const TriangleAnswer& t : near)
      if (t.answer.distance < 0.0)
        most = std::max(most, -t.answer.distance / std::max(dot(t.answer.n, out), 0.0));
    for (const TriangleAnswer& t : near)
      if (t.answer.distance + dot(t.answer.n, out) * most < -same_place_) return kInfinity;
    return most < threshold_ ? most : kInfinity;
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
      const Face* const face = faces_.covering(plane, point.a);
      if (face != nullptr) {
        point.a = on_face(*face, point.a);
        out_.add(plane.n, point);
      } else {
        all = false;
      }
    }
    if (all) return;
    for (const Face& f : faces_.faces()) {
      if (!same_plane(f, plane, same_place_)) continue;
      const Cso cso(core_of(f.corners), Pose(), cso_plane_.b,
                    detail::unchecked_pose({}, pair_.rotation()));
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

  // A triangle whose own way out is another one: pushed in far beside others of its plane, or in a
  // corner, where the way around its edge leads into the next wall. It is a wall to the body if
  // that must pass its plane to be free, so no deeper than the way out is long, and its lowest
  // point lies over the wall, now or after that way: in a sharp corner it is first beyond the next
  // wall.
  void add_deep_plane(std::size_t index, const Vec3& way) {
    const Face& plane = faces_[index];
    const ConvexAnswer answer = over(plane);
    if (!(answer.distance < 0.0) || -answer.distance > norm(way) + same_place_) return;
    if (faces_.covering(plane, answer.point_a) != nullptr) {
      add_plane(index, answer);
      return;
    }
    const Vec3 arrived = answer.point_a + (way - plane.n * dot(plane.n, way));
    const Face* const wall = faces_.covering(plane, arrived);
    if (wall == nullptr) return;
    planes_.push_back(index);
    PatchPoints patch;
    find_plane_points(cso_plane_, answer, threshold_, patch);
    for (int i = 0; i < patch.count; ++i) {
      PatchPoint p = patch.point[i];
      p.a = on_face(*wall, p.a);
      out_.add(plane.n, p);
    }
  }

  // A wall that rises from where the body is has its nearest place in the crease, but the body may
  // come to lie over it first. Points beside it do not count, nor do faces that go down there.
  void add_wall_ahead(std::size_t index) {
    const Face& plane = faces_[index];
    if (plane.n == Vec3{} || known(plane)) return;
    const ConvexAnswer answer = over(plane);
    if (!(answer.distance > -touching_) || answer.distance > threshold_) return;
    planes_.push_back(index);
    PatchPoints patch;
    find_plane_points(cso_plane_, answer, threshold_, patch);
    // Faces that are buried in the surface have the body on both of their sides.
    const auto in_front = [&](const Face& f) { return over(f).distance >= least_; };
    for (int i = 0; i < patch.count; ++i) {
      PatchPoint p = patch.point[i];
      if (!faces_.over_or_beyond_crease(plane, p.a, ahead_, in_front)) continue;
      p.feature = mixed(p.feature, plane.triangle);
      out_.add(plane.n, p);
    }
  }

  // An edge or corner of the mesh, or a face that leans by more than the normals of one plane do:
  // then with the other triangles of its plane.
  void add_feature(std::size_t index, const ConvexAnswer& answer) {
    const Face& f = faces_[index];
    if (add_triangle(f, answer) < kCornersOfFace || f.n == Vec3{}) return;
    for (const Face& other : faces_.faces())
      if (other.triangle != f.triangle && same_plane(other, f, same_place_))
        add_triangle(other, answer);
  }

  int add_triangle(const Face& f, const ConvexAnswer& answer) {
    const Cso cso(core_of(f.corners), Pose(), cso_plane_.b,
                  detail::unchecked_pose({}, pair_.rotation()));
    PatchPoints patch;
    find_patch_points(cso, answer, threshold_, patch);
    for (int i = 0; i < patch.count; ++i) {
      PatchPoint p = patch.point[i];
      p.feature = mixed(p.feature, f.triangle);
      out_.add(answer.n, p);
    }
    return patch.count;
  }

  const MeshAndBody& pair_;
  double threshold_, same_place_, touching_;
  double least_ = 0.0;  ///< distance of a triangle, or none
  const Vec3* way_;
  double ahead_;
  ContactCollector& out_;
  Cso cso_plane_;
  FaceList faces_;
  std::vector<std::size_t> planes_;
};

double smaller_extent(double a, double b) {
  return a > 0.0 && b > 0.0 ? std::min(a, b) : std::max(a, b);
}

/// Lengths below which the contacts of a mesh and a body do not tell places apart.
struct BodyScale {
  BodyScale(const MeshAndBody& pair, const std::vector<TriangleAnswer>& near)
      : extent(smaller_extent(core_of(pair.body()).extent,
                              2.0 * detail::view_of(pair.mesh()).tree.reach())),
        same_place(std::max(kSamePlace * extent, 4.0 * pair.rounding())),
        beside(kBesideCurved * pair.size()) {
    for (const TriangleAnswer& t : near) beside = std::max(beside, t.answer.upper - t.answer.lower);
  }

  ContactCollector collector(const MeshAndBody& pair) const {
    return {same_place, extent, pair.rotation(), &core_of(pair.body()), beside};
  }
  double within(double threshold) const { return std::max(threshold, 0.0) + kApart * extent; }

  double extent, same_place, beside;
};

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
    if (is_work_cancelled() || !holder.holds(p)) continue;
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

// Can two faces touch along a direction in the cone of the first one, by less than `reach`? Their
// distance across its normal says no.
bool can_reach(const Face& f, const ExtremeCone& cone, const Face& other, double reach) {
  if (cone.cosine < 0.0f || f.n == Vec3{}) return true;
  const double most = reach * static_cast<double>(cone.sine);
  const auto& corner = f.corners.corner;
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 outward = cross(corner[(i + 1) % 3] - corner[i], f.n);
    if (dot(outward, corner[(i + 2) % 3] - corner[i]) > 0.0) outward = -outward;
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3& c : other.corners.corner) least = std::min(least, dot(outward, c - corner[i]));
    if (least > most * norm(outward)) return false;
  }
  return true;
}

// Two meshes, seen from B's origin, axes of A.
class ContactsOfMeshes {
 public:
  ContactsOfMeshes(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b,
                   const DistanceResult& whole, double threshold)
      : a_(a),
        b_(b),
        pose_a_(pose_a),
        pose_b_(pose_b),
        pose_(relative(pose_a, pose_b)),
        whole_(whole),
        within_(std::max(threshold, 0.0)),
        rounding_(rounding_of(a, b, pose_)),
        extent_(2.0 * smaller_extent(view_of(a).tree.reach(), view_of(b).tree.reach())),
        same_place_(std::max(kSamePlace * extent_, 4.0 * rounding_)),
        touching_(kTouchingGap * extent_),
        most_(std::max(-whole.distance, 0.0) + touching_),
        middle_a_(view_of(a).tree.middle() - pose_.position()),
        middle_b_(pose_.rotation() * view_of(b).tree.middle()),
        found_(same_place_, extent_, pose_.rotation()) {}

  void emit(ManifoldSink& sink) {
    list_faces();
    const double reach = std::max(within_, most_) + same_place_;
    for (const ListedPair& p : near_.pairs) {
      const Face &fa = faces_a_[p.index_a], &fb = faces_b_[p.index_b];
      if (can_reach(fa, cone_of(a_, p.triangles.a), fb, reach) &&
          can_reach(fb, cone_of(b_, p.triangles.b), fa, reach) && !is_work_cancelled())
        add_pair(p.triangles, fa, fb);
    }
    bool known = found_.explain(whole_);
    if (!known) {
      // Pairs of triangles do not tell the depth: corners of one mesh inside the other one do.
      const Vec3& origin = pose_.position();
      add_corners(a_, b_, near_.of_b, {pose_, Pose(), origin, false}, same_place_, found_);
      add_corners(b_, a_, near_.of_a, {inverse(pose_), pose_, origin, true}, same_place_, found_);
      known = found_.explain(whole_);
    }
    const auto on_a = [&](const Vec3& p) { return on_surface(a_, pose_a_, p); };
    const auto on_b = [&](const Vec3& p) { return on_surface(b_, pose_b_, p); };
    const auto nearest = [&] { add_nearest(); };
    emit_contacts(
        found_, known, whole_,
        {on_a, on_b, nearest, pose_a_.rotation(), pose_b_.position(), within_ + kApart * extent_},
        sink);
  }

 private:
  // Two faces that are near each other.
  struct FacePair {
    const bvh::TrianglePair& triangles;
    const Face& a;
    const Face& b;
    Cso cso;
  };

  Face face_of_a(std::uint32_t t) const {
    const auto& c = a_.mesh().triangles[t];
    const auto& v = a_.mesh().vertices;
    const Vec3& origin = pose_.position();
    return make_face({{v[c[0]] - origin, v[c[1]] - origin, v[c[2]] - origin}}, t, outward(a_),
                     middle_b_);
  }
  Face face_of_b(std::uint32_t t) const {
    const auto& c = b_.mesh().triangles[t];
    const auto& v = b_.mesh().vertices;
    const Mat3& r = pose_.rotation();
    return make_face({{r * v[c[0]], r * v[c[1]], r * v[c[2]]}}, t, outward(b_), middle_a_);
  }

  void list_faces() {
    const double near = std::max(within_, std::min(most_, kShallow * extent_));
    near_ = near_pairs(a_, b_, pose_, near + rounding_, touching_ + rounding_);
    std::vector<Face> faces_a, faces_b;
    for (const std::uint32_t t : near_.of_a) faces_a.push_back(face_of_a(t));
    for (const std::uint32_t t : near_.of_b) faces_b.push_back(face_of_b(t));
    faces_a_ = FaceList(std::move(faces_a), same_place_);
    faces_b_ = FaceList(std::move(faces_b), same_place_);
  }

  void add_pair(const bvh::TrianglePair& triangles, const Face& fa, const Face& fb) {
    const FacePair pair{triangles, fa, fb,
                        Cso(core_of(fa.corners), Pose(), core_of(fb.corners), Pose())};
    const ConvexAnswer answer = search_pair(pair.cso, {}, epa_);
    // Faces that have passed through each other are apart, but the bodies between them are not.
    const bool passed = is_along(fa.n, -fb.n) && fa.offset - dot(fa.n, fb.corners.corner[0]) > 0.0;
    if (answer.distance > within_ && !passed) return;
    // Pushed in, or touching: out along one of the faces first, as far as corners of the other are
    // over it.
    const bool pushed = answer.distance < touching_ || passed;
    if (pushed && (add_out_of(pair, answer, true) || add_out_of(pair, answer, false))) return;
    if (answer.distance > within_) return;
    PatchPoints patch;
    find_patch_points(pair.cso, answer, within_, patch);
    add_points(pair, answer.n, patch);
  }

  // Out along the face of A, or of B. False when that does not explain what overlaps.
  bool add_out_of(const FacePair& pair, const ConvexAnswer& answer, bool out_of_a) {
    const Vec3 n = out_of_a ? pair.a.n : -pair.b.n;
    if (n == Vec3{}) return false;
    const SupportPoint s = pair.cso.support(n);
    ConvexAnswer along = answer;
    along.n = n;
    along.distance = -dot(n, s.w);
    if (along.distance > touching_ || -along.distance > most_) return false;
    along.point_a = out_of_a ? s.b - n * along.distance : s.a;
    along.point_b = out_of_a ? s.b : s.a + n * along.distance;
    along.lower = along.upper = along.distance;
    PatchPoints patch;
    find_patch_points(pair.cso, along, within_, patch);
    if (patch.count == 0 || !is_way_out(patch, along.distance, out_of_a)) return false;
    return add_points(pair, n, patch);
  }

  // No farther than the proved depth; or the middle of the patch is about that far inside.
  bool is_way_out(const PatchPoints& patch, double distance, bool out_of_a) const {
    const double depth = kExplained * -distance;
    if (depth <= touching_ - whole_.upper) return true;
    Vec3 middle;
    for (int i = 0; i < patch.count; ++i) middle += out_of_a ? patch.point[i].b : patch.point[i].a;
    middle = pose_.position() + middle / patch.count;
    return out_of_a ? is_inside(a_, middle, depth) : is_inside(b_, pose_.to_local(middle), depth);
  }

  bool agrees(const FacePair& pair, const Vec3& n, const Vec3& on_a, const Vec3& on_b) const {
    return (is_along(pair.a.n, n) || faces_a_.outermost(on_a, n)) &&
           (is_along(pair.b.n, -n) || faces_b_.outermost(on_b, -n)) &&
           !(a_.closed() && dot(pair.a.n, n) < -kLeastSlope) &&
           !(b_.closed() && dot(pair.b.n, n) > kLeastSlope);
  }

  // Adds the points of a patch that both faces reach and that no other face lies beyond. False when
  // there is none.
  bool add_points(const FacePair& pair, const Vec3& n, const PatchPoints& patch) {
    bool any = false;
    for (int i = 0; i < patch.count; ++i) {
      PatchPoint point = patch.point[i];
      if (!reaches(pair.a, point.a, same_place_) || !reaches(pair.b, point.b, same_place_) ||
          !agrees(pair, n, point.a, point.b)) {
        continue;
      }
      point.a = on_face(pair.a, point.a);
      point.b = on_face(pair.b, point.b);
      point.feature =
          mixed(mixed(point.feature, pair.triangles.a), std::uint64_t{pair.triangles.b} << 32u);
      found_.add(n, point);
      any = true;
    }
    return any;
  }

  // Adds the nearest triangles: with very many at one place, those that touch may not be listed.
  void add_nearest() {
    const bvh::MeshDistance nearest =
        bvh::mesh_distance(view_of(a_), Pose(), view_of(b_), pose_, {});
    if (nearest.triangle_a == bvh::MeshPairCache::kNone) return;
    const Face fa = face_of_a(nearest.triangle_a), fb = face_of_b(nearest.triangle_b);
    const Cso cso(core_of(fa.corners), Pose(), core_of(fb.corners), Pose());
    const ConvexAnswer t = search_pair(cso, {}, epa_);
    found_.add(t.n, {t.point_a, t.point_b, dot(t.n, t.point_a - t.point_b), 0});
  }

  const Mesh &a_, &b_;
  const Pose &pose_a_, &pose_b_;
  const Pose pose_;
  const DistanceResult& whole_;
  const double within_, rounding_, extent_, same_place_, touching_, most_;
  const Vec3 middle_a_, middle_b_;
  NearTriangles near_;
  FaceList faces_a_, faces_b_;  ///< of `near_`
  ContactCollector found_;
  Epa epa_;
};

}  // namespace

void mesh_contacts(const MeshAndBody& pair, const Pose& pose_mesh, const Vec3& position_body,
                   const std::vector<TriangleAnswer>& near, const DistanceResult& whole,
                   double threshold, ManifoldSink& sink) {
  const BodyScale scale(pair, near);
  ContactCollector found = scale.collector(pair);
  const Vec3 way = pose_mesh.direction_to_local(whole.normal) * std::max(-whole.distance, 0.0);
  BodyOnFaces(pair, std::max(threshold, 0.0), scale.same_place, scale.extent, &way, sink.way, found)
      .run(near);
  const Mat3 rotation = pose_mesh.rotation() * pair.rotation();
  const auto on_mesh = [&](const Vec3& p) { return on_surface(pair.mesh(), pose_mesh, p); };
  const Shape& body = pair.body();
  const auto on_body = [&](const Vec3& p) { return on_surface(body, rotation, position_body, p); };
  const auto add_nearest = [&] {
    const auto deepest = std::min_element(near.begin(), near.end(), is_deeper);
    if (deepest == near.end()) return;
    const ConvexAnswer& t = deepest->answer;
    const Vec3 on_core = on_surface(body, pair.rotation(), {}, t.point_b);
    found.add(t.n, {t.point_a, on_core, dot(t.n, t.point_a - on_core), deepest->triangle});
  };
  emit_contacts(
      found, found.explain(whole), whole,
      {on_mesh, on_body, add_nearest, pose_mesh.rotation(), position_body, scale.within(threshold)},
      sink);
}

bool shallow_contacts(const MeshAndBody& pair, const Pose& pose_mesh, const Vec3& position_body,
                      const std::vector<TriangleAnswer>& near, const DistanceResult& deepest,
                      double threshold, ManifoldSink& sink) {
  const BodyScale scale(pair, near);
  ContactCollector found = scale.collector(pair);
  BodyOnFaces faces(pair, std::max(threshold, 0.0), scale.same_place, scale.extent, nullptr,
                    sink.way, found);
  if (!faces.run(near) || !found.explain(deepest)) return false;
  const int before = sink.count;
  found.emit(pose_mesh.rotation(), position_body, scale.within(threshold), sink);
  return sink.count > before || sink.truncated;
}

void mesh_contacts(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b,
                   const DistanceResult& whole, double threshold, ManifoldSink& sink) {
  ContactsOfMeshes(a, pose_a, b, pose_b, whole, threshold).emit(sink);
}

void mesh_contacts(const Mesh& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b,
                   const DistanceResult& whole, double threshold, ManifoldSink& sink) {
  const Pose pose = relative(pose_a, pose_b);
  const Vec3 n = -pose.direction_to_world(b.normal());
  const double extent = 2.0 * detail::view_of(a).tree.reach();
  ContactCollector found(kSamePlace * extent, extent, Mat3::identity());
  const double within = std::max(threshold, 0.0);
  // Up to the lowest vertex's own depth, that of all others.
  const double height = (dot(n, pose.position()) - b.offset()) - within;
  for (const std::uint32_t vertex : far_vertices(a, n, height)) {
    const Vec3 p = a.mesh().vertices[vertex] - pose.position();
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
