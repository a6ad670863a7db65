#include "tactus/narrow/difference/surface_point.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/mesh.hpp"
#include "tactus/narrow/difference/core.hpp"

namespace tactus::detail {
namespace {

// Rounding of a product with a vector between two points of a core, in parts of its reach.
constexpr double kRounding = 8.0 * kEpsilon;
// A point outside is moved onto the face that it is farthest above so often.
constexpr int kMostMoves = 8;

// Between the ends the surface looks across the segment, at an end along n too: whichever moves the
// point of the grown body less.
SurfacePoint onto_segment(double half, double radius, const Vec3& p, const Vec3& n) {
  const double z = std::clamp(p.z, -half, half), end = std::copysign(half, n.z);
  const Vec3 across = normalized(Vec3{n.x, n.y, 0.0}, n);
  if (std::fabs(end - z) <= radius * norm(n - across)) return {{0.0, 0.0, end}, n};
  return {{0.0, 0.0, z}, across};
}

// Chooses the place on a core's surface to which a point of the grown body moves least.
class LeastMove {
 public:
  /// The point is at `core`, and `radius` along n from there.
  LeastMove(const Vec3& core, double radius, const Vec3& n) : core_(core), n_(n), radius_(radius) {}

  void offer(const Vec3& point, const Vec3& normal) {
    const double way = squared_norm((point - core_) + (normal - n_) * radius_);
    if (!(way < least_)) return;
    least_ = way;
    best_ = {point, normal};
  }
  const SurfacePoint& best() const { return best_; }

 private:
  Vec3 core_, n_;
  double radius_, least_ = kInfinity;
  SurfacePoint best_;
};

// Faces, and edges and corners that n looks along. Beside an edge, rounding hides on which face
// the point is.
SurfacePoint onto_box(const Core& core, const Vec3& p, const Vec3& n) {
  const Vec3& half = core.half;
  LeastMove move(p, core.radius, n);
  for (unsigned axes = 1; axes < 8; ++axes) {
    const bool face = (axes & (axes - 1)) == 0;
    Vec3 on, normal;
    for (int i = 0; i < 3; ++i) {
      const bool held = (axes >> static_cast<unsigned>(i) & 1U) != 0;
      const double sense = face ? p[i] : n[i];
      on[i] = held ? std::copysign(half[i], sense) : std::clamp(p[i], -half[i], half[i]);
      if (held) normal[i] = face ? std::copysign(1.0, sense) : sense;
    }
    if (normal != Vec3{}) move.offer(on, face ? normal : normalized(normal, n));
  }
  return move.best();
}

// Half-planes through the axis of a cylinder or cone: that of the point and, of a grown body, that
// along n, since its normals count for more than its core's places. Unit; zero on the axis.
struct HalfPlanes {
  Vec3 out[2];
  int count;
  HalfPlanes(const Core& core, const Vec3& p, const Vec3& n)
      : out{normalized(Vec3{p.x, p.y, 0.0}, {}), normalized(Vec3{n.x, n.y, 0.0}, {})},
        count(core.radius > 0.0 ? 2 : 0) {}
};

// The rim of a grown cylinder or cone in a half-plane, if it looks along n: between the normals of
// the faces beside it.
void offer_rim(const Core& core, const Vec3& out, const Vec3& n, double z, const Vec3& cap,
               const Vec3& side, LeastMove& move) {
  if (out == Vec3{}) return;
  const Vec3 along{-out.y, out.x, 0.0};
  const Vec3 across = n - along * dot(n, along);
  const Vec3 axis = cross(cap, side);
  if (dot(cross(cap, across), axis) < 0.0 || dot(cross(across, side), axis) < 0.0) return;
  const Vec3 rim = out * core.half.x;
  move.offer({rim.x, rim.y, z}, normalized(across, n));
}

SurfacePoint onto_cylinder(const Core& core, const Vec3& p, const Vec3& n) {
  const double radius = core.half.x, across = std::sqrt(p.x * p.x + p.y * p.y);
  const double end = std::copysign(core.half.z, p.z);
  const Vec3 cap{0.0, 0.0, std::copysign(1.0, p.z)};
  LeastMove move(p, core.radius, n);
  if (across > 0.0 && radius - across <= core.half.z - std::fabs(p.z)) {
    const Vec3 out{p.x / across, p.y / across, 0.0};
    move.offer({out.x * radius, out.y * radius, p.z}, out);
  } else {
    move.offer({p.x, p.y, end}, cap);
  }
  const HalfPlanes planes(core, p, n);
  for (int i = 0; i < planes.count; ++i) {
    const Vec3& out = planes.out[i];
    offer_rim(core, out, n, end, cap, out, move);
    if (i == 0 || out == Vec3{}) continue;
    const double z = std::clamp(p.z, -core.half.z, core.half.z);
    move.offer({out.x * radius, out.y * radius, z}, out);
  }
  return move.best();
}

// In a half-plane: to the slanted line from apex to rim or to the base.
SurfacePoint onto_cone(const Core& core, const Vec3& p, const Vec3& n) {
  const double radius = core.half.x, half = core.half.z;
  const double across = std::sqrt(p.x * p.x + p.y * p.y);
  const double slant = std::sqrt(radius * radius + 4.0 * half * half);
  const Vec3 base{0.0, 0.0, -1.0};
  // Outward normal of the slanted line: (2 half, radius) / slant.
  const double depth = ((half - p.z) * radius - across * 2.0 * half) / slant;
  LeastMove move(p, core.radius, n);
  const bool slanted = across > 0.0 && slant > 0.0;
  if (!slanted || p.z + half < depth) move.offer({p.x, p.y, -half}, base);
  if (!(slant > 0.0)) return move.best();
  const double side = 2.0 * half / slant, up = radius / slant;
  if (slanted && !(p.z + half < depth)) {
    const Vec3 normal{p.x / across * side, p.y / across * side, up};
    move.offer(p + normal * depth, normal);
  }
  const HalfPlanes planes(core, p, n);
  for (int i = 0; i < planes.count; ++i) {
    const Vec3& out = planes.out[i];
    const Vec3 normal = out * side + Vec3{0.0, 0.0, up};
    offer_rim(core, out, n, -half, base, normal, move);
    if (i == 0 || out == Vec3{} || !(half > 0.0)) continue;
    const double z = std::clamp(p.z, -half, half), wide = radius * (half - z) / (2.0 * half);
    move.offer({out.x * wide, out.y * wide, z}, normal);
  }
  // The apex, if it looks along n.
  if (core.radius > 0.0 && n.z * side >= std::sqrt(n.x * n.x + n.y * n.y) * up)
    move.offer({0.0, 0.0, half}, n);
  return move.best();
}

// The face of a hull above which a point lies least.
struct Above {
  Vec3 normal;
  double depth = kInfinity;
};
Above nearest_face(const ConvexHull& hull, const Vec3& p) {
  Above nearest;
  for (const ConvexHull::Face& face : hull.faces) {
    const double depth = face.offset - dot(face.normal, p);
    if (depth < nearest.depth) nearest = {face.normal, depth};
  }
  return nearest;
}

// A place on an edge, if the edge looks along n.
void offer_edge(const ConvexHull& hull, const ConvexHull::Edge& edge, const Vec3& p, const Vec3& n,
                LeastMove& move) {
  const Vec3& tail = hull.vertices[edge.tail];
  const Vec3 along = hull.vertices[edge.head] - tail;
  const double square = squared_norm(along);
  if (!(square > 0.0)) return;
  const Vec3 across = n - along * (dot(n, along) / square);
  if (dot(cross(hull.faces[edge.left].normal, across), along) < 0.0 ||
      dot(cross(across, hull.faces[edge.right].normal), along) < 0.0)
    return;
  const double part = std::clamp(dot(p - tail, along) / square, 0.0, 1.0);
  move.offer(tail + along * part, normalized(across, n));
}

// As of a box. What is outside comes in first: it may be above several faces.
SurfacePoint onto_hull(const Core& core, Vec3 p, const Vec3& n) {
  const ConvexHull& hull = *core.hull;
  LeastMove move(p, core.radius, n);
  Above nearest = nearest_face(hull, p);
  for (int i = 0; i < kMostMoves && nearest.depth < 0.0; ++i) {
    p += nearest.normal * nearest.depth;
    nearest = nearest_face(hull, p);
  }
  move.offer(p + nearest.normal * nearest.depth, nearest.normal);
  for (const ConvexHull::Edge& edge : hull.edges) offer_edge(hull, edge, p, n, move);
  move.offer(support(core, n).point, n);
  return move.best();
}

}  // namespace

SurfacePoint onto_core_surface(const Core& core, const Vec3& point, const Vec3& n) {
  switch (core.kind) {
    case CoreKind::point:
      return {{}, n};
    case CoreKind::segment:
      return onto_segment(core.half.z, core.radius, point, n);
    case CoreKind::triangle:
      return {point, n};
    case CoreKind::box:
      return onto_box(core, point, n);
    case CoreKind::polytope:
      return core.hull->dimension == 3 ? onto_hull(core, point, n) : SurfacePoint{point, n};
    case CoreKind::cylinder:
      return onto_cylinder(core, point, n);
    case CoreKind::cone:
      return onto_cone(core, point, n);
    case CoreKind::ellipsoid:
    case CoreKind::custom:
      break;
  }
  return {support(core, n).point, n};
}

Vec3 supported_normal(const Core& core, const Vec3& point, const Vec3& face_normal, const Vec3& n) {
  if (core.kind != CoreKind::polytope || core.hull->dimension != 3) return n;
  const double rounding = kRounding * core.reach;
  double part = 1.0;
  for (const Vec3& v : core.hull->vertices) {
    const double there = dot(n, point - v);
    if (there >= -rounding) continue;
    const double here = std::max(dot(face_normal, point - v), 0.0);
    part = std::min(part, here / (here - there));
  }
  return part < 1.0 ? normalized(face_normal + (n - face_normal) * part, face_normal) : n;
}

}  // namespace tactus::detail
