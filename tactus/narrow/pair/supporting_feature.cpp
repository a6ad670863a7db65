#include "tactus/narrow/pair/supporting_feature.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

// Names of edges, beside those of faces, and a factor that makes them of their corners.
constexpr std::uint32_t kOfEdge = 0x8000u, kMixed = 31;

// Corners of the polygon that stands for a disc: fewer cost a twentieth of the kept area.
constexpr int kDiscCorners = 24;
constexpr int kQuarter = kDiscCorners / 4;
constexpr double kDiscCosine[kQuarter + 1] = {
    1.0, 0.96592582628906829, 0.86602540378443865, 0.70710678118654752, 0.5, 0.25881904510252076,
    0.0};
// A polygon of less width than this part of its length is narrow.
constexpr double kNarrow = 1e-3;

double disc_cosine(int i) {
  i = i < 0 ? -i : i;
  i = i > kDiscCorners / 2 ? kDiscCorners - i : i;
  return i <= kQuarter ? kDiscCosine[i] : -kDiscCosine[kDiscCorners / 2 - i];
}

int farthest_from(const Feature& f, const Vec3& p) {
  int best = 0;
  for (int i = 1; i < f.count; ++i) {
    if (squared_norm(f.corner[i].point - p) > squared_norm(f.corner[best].point - p)) best = i;
  }
  return best;
}

// A face without a width is a line or a point: a flat box, a disc of radius zero, a sliver.
void reduce(Feature& f, double rounding) {
  const double same = rounding * rounding;
  int kept = 0;
  for (int i = 0; i < f.count; ++i) {
    if (kept > 0 && !(squared_norm(f.corner[i].point - f.corner[kept - 1].point) > same)) continue;
    f.corner[kept++] = f.corner[i];
  }
  if (kept > 1 && !(squared_norm(f.corner[kept - 1].point - f.corner[0].point) > same)) --kept;
  f.count = kept > 1 ? kept : 0;
  if (f.count <= 2) return;
  // The rounding of the corners moves the ends of a face of width w and length l by l / w as much
  // along it, and its plane by the same at its ends. Narrower than the root of that, its line is
  // the better feature.
  const int opposite = farthest_from(f, f.corner[0].point);
  const auto ends_of = std::minmax({opposite, farthest_from(f, f.corner[opposite].point)});
  const Feature::Corner ends[2] = {f.corner[ends_of.first], f.corner[ends_of.second]};
  const Vec3 length = ends[1].point - ends[0].point;
  double width = 0.0;
  for (int i = 0; i < f.count; ++i)
    width = std::max(width, norm(cross(length, f.corner[i].point - ends[0].point)));
  const double l = norm(length);
  width /= l;
  if (width * width > rounding * l) {
    if (width < kNarrow * l) {
      f.head = ends_of.first;
      f.tail = ends_of.second;
    }
    return;
  }
  f.corner[0] = ends[0];
  f.corner[1] = ends[1];
  f.count = 2;
}

// Is it a disc, or the rectangle of a box, that is certainly neither without a width nor narrow?
// Corners of a disc are a quarter of its radius apart; a rectangle with sides s and at most 100 s
// has at least 0.7 s of width over at most 101 s of diagonal.
bool is_wide(const Feature& f, double rounding) {
  if (f.is_disc) return f.radius() > 8.0 * rounding;
  if (!f.is_rectangle) return false;
  const double s = squared_norm(f.corner[1].point - f.corner[0].point);
  const double l = squared_norm(f.corner[2].point - f.corner[1].point);
  const double least = std::min(s, l);
  return std::max(s, l) < 1e4 * least && least > 1e6 * rounding * rounding;
}

void add_disc(Feature& f, double radius, double z, double side) {
  for (int i = 0; i < kDiscCorners; ++i) {
    f.add({radius * disc_cosine(i), side * radius * disc_cosine(i - kQuarter), z},
          static_cast<std::uint32_t>(i));
  }
  f.normal = {0.0, 0.0, side};
  f.center = {0.0, 0.0, z};
  f.is_disc = true;
}

// The face across a coordinate axis, known when this is compiled: entries of vectors by number are
// chosen otherwise, corner by corner.
template <int Axis>
void add_face_across(Feature& f, const Vec3& half, double side) {
  constexpr int kNext = (Axis + 1) % 3, kLast = (Axis + 2) % 3;
  constexpr double kU[4] = {1, -1, -1, 1};
  constexpr double kV[4] = {1, 1, -1, -1};
  for (int i = 0; i < 4; ++i) {
    Vec3 p;
    p[Axis] = side * half[Axis];
    p[kNext] = kU[i] * half[kNext];
    p[kLast] = side * kV[i] * half[kLast];
    f.add(p, static_cast<std::uint32_t>((p.x < 0.0 ? 1 : 0) | (p.y < 0.0 ? 2 : 0) |
                                        (p.z < 0.0 ? 4 : 0)));
  }
  f.normal[Axis] = side;
  f.is_rectangle = true;
  f.id = static_cast<std::uint32_t>(2 * Axis + (side < 0.0 ? 1 : 0));
}

void add_box_face(Feature& f, const Vec3& half, const Vec3& n) {
  const Vec3 m = component_abs(n);
  if (m.x >= m.y && m.x >= m.z) {
    add_face_across<0>(f, half, n.x >= 0.0 ? 1.0 : -1.0);
  } else if (m.y >= m.z) {
    add_face_across<1>(f, half, n.y >= 0.0 ? 1.0 : -1.0);
  } else {
    add_face_across<2>(f, half, n.z >= 0.0 ? 1.0 : -1.0);
  }
}

// Adds the face about the farthest vertex that looks most along n.
void add_hull_face(Feature& f, const PreparedHull& hull, const Vec3& n) {
  if (hull.dimension == 1) {
    for (std::uint32_t i = 0; i < 2; ++i) f.add(hull.vertices[i], i);
    return;
  }
  std::uint32_t best = 0;
  double best_alignment = -2.0;
  double side = 1.0;
  for (const std::uint32_t i : hull.faces_of(farthest_vertex(hull, n).vertex)) {
    double alignment = dot(hull.faces[i].normal, n);
    const bool back = hull.dimension == 2 && alignment < 0.0;
    if (back) alignment = -alignment;
    if (alignment > best_alignment) {
      best_alignment = alignment;
      best = i;
      side = back ? -1.0 : 1.0;
    }
  }
  const ConvexHull::Face& face = hull.faces[best];
  const auto corners = hull.corners(face);
  // Faces with very many corners: evenly chosen ones.
  const std::size_t stride = (corners.size() + Feature::kMaxCorners - 1) / Feature::kMaxCorners;
  if (side > 0.0) {
    for (std::size_t i = 0; i < corners.size(); i += stride)
      f.add(hull.vertices[corners[i]], corners[i]);
  } else {
    for (std::size_t i = corners.size(); i > 0; i -= std::min(i, stride)) {
      f.add(hull.vertices[corners[i - 1]], corners[i - 1]);
    }
  }
  f.normal = face.normal * side;
  f.id = best;
}

// Seen from the side that n leads to.
void add_triangle(Feature& f, const Vec3* corner, const Vec3& n) {
  const Vec3 normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
  const bool back = dot(normal, n) < 0.0;
  f.add(corner[0], 0);
  f.add(corner[back ? 2 : 1], back ? 2u : 1u);
  f.add(corner[back ? 1 : 2], back ? 1u : 2u);
  f.normal = normalized(back ? -normal : normal);
}

// The feature of a core that supports the contact along n (local frame); a single point when none
// is aligned.
Feature supporting_feature(const Core& core, const Vec3& n, double rounding) {
  Feature f;
  switch (core.kind) {
    case CoreKind::point:
    case CoreKind::ellipsoid:
    case CoreKind::custom:
      break;
    case CoreKind::segment:
      f.add({0.0, 0.0, core.half.z}, 0);
      f.add({0.0, 0.0, -core.half.z}, 1);
      break;
    case CoreKind::box:
      add_box_face(f, core.half, n);
      break;
    case CoreKind::triangle:
      add_triangle(f, core.corners, n);
      break;
    case CoreKind::polytope:
      if (core.hull->dimension > 0) add_hull_face(f, *core.hull, n);
      break;
    case CoreKind::cylinder:
      if (std::fabs(n.z) >= kAlignedCosine) {
        const double side = n.z >= 0.0 ? 1.0 : -1.0;
        add_disc(f, core.half.x, side * core.half.z, side);
        f.id = side > 0.0 ? 0 : 1;
      } else if (std::fabs(n.z) <= kAlignedSine) {
        f.add(piece_support(core, 0, n), 0);
        f.add(piece_support(core, 1, n), 1);
        f.id = 2;
      }
      break;
    case CoreKind::cone:
      if (n.z <= -kAlignedCosine) {
        add_disc(f, core.half.x, -core.half.z, -1.0);
      } else {
        const Vec3 apex = piece_support(core, 0, n);
        const Vec3 rim = piece_support(core, 1, n);
        const Vec3 along = normalized(apex - rim);
        if (std::fabs(dot(along, n)) <= kAlignedSine) {
          f.add(apex, 0);
          f.add(rim, 1);
          f.id = 1;
        }
      }
      break;
  }
  if (!is_wide(f, rounding)) reduce(f, rounding);
  f.is_disc = f.is_disc && f.count == kDiscCorners;
  if (f.is_line() && std::fabs(dot(normalized(f.along()), n)) > kAlignedSine) f.count = 0;
  f.alignment = f.is_polygon() ? dot(f.normal, n) : 0.0;
  return f;
}

// The unit vector nearest to n between a normal and a direction square to it; `t` is the part of n
// square to the normal.
Vec3 between(const Vec3& n, const Vec3& normal, const Vec3& t, const Vec3& p) {
  const double part = dot(t, p);
  return part > 0.0 ? normalized(normal * dot(n, normal) + p * part, normal) : normal;
}

}  // namespace

void Feature::keep_edge(const Vec3& n) {
  if (!is_polygon() || is_disc || alignment >= kAlignedCosine) return;
  int best = 0;
  for (int i = 1; i < count; ++i)
    if (dot(n, start(i) + end(i)) > dot(n, start(best) + end(best))) best = i;
  const int next = best + 1 == count ? 0 : best + 1;
  const Vec3 way = corner[next].point - corner[best].point;
  if (std::fabs(dot(way, n)) > kAlignedSine * norm(way)) return;
  // The edge is that of two faces: its name and direction do not depend on which of them it is of.
  const bool forward = corner[best].id < corner[next].id;
  const Corner first = corner[forward ? best : next], second = corner[forward ? next : best];
  corner[0] = first;
  corner[1] = second;
  count = 2;
  id = kOfEdge | (first.id * kMixed + second.id) % kOfEdge;
  normal = {};
  alignment = 0.0;
  head = tail = 0;
  is_rectangle = false;
}

Vec3 Feature::normal_near(const Vec3& n, int edge, int other_edge) const {
  // Edges of the polygon that stands for a disc are inside it.
  if (edge < 0 || is_disc) return normal;
  const auto outward = [&](int i) { return normalized(cross(end(i) - start(i), normal), {}); };
  const Vec3 t = flattened(n, normal), p = outward(edge);
  if (other_edge < 0 || other_edge == edge) return between(n, normal, t, p);
  const Vec3 q = outward(other_edge);
  const double on_p = dot(t, p), on_q = dot(t, q), turn = dot(p, q);
  // Between both: the coordinates of t along p and q are positive.
  if (on_p > turn * on_q && on_q > turn * on_p) return n;
  return between(n, normal, t, on_p >= on_q ? p : q);
}

Vec3 Feature::normal_at(const Vec3& n, int corner_index) const {
  if (is_line()) {
    const Vec3 u = normalized(along());
    const double rising = dot(n, u);
    if ((corner_index == 0 && rising <= 0.0) || (corner_index == 1 && rising >= 0.0)) return n;
    return normalized(n - u * rising, n);
  }
  if (!is_disc) return normal_near(n, edge_before(corner_index), corner_index);
  const Vec3 radial = normalized(corner[corner_index].point - center, {});
  return between(n, normal, flattened(n, normal), radial);
}

Vec3 Feature::grow(const Vec3& n, double radius) {
  if (count < 2 || !(radius > 0.0)) return n;
  const Vec3 out = is_line() ? normal_at(n, -1) : normal;
  for (int i = 0; i < count; ++i) corner[i].point += out * radius;
  center += out * radius;
  return out;
}

Feature supporting_feature_of_a(const Cso& cso, const Vec3& n) {
  return supporting_feature(cso.a, n, cso.error_bound);
}

Feature supporting_feature_of_b(const Cso& cso, const Vec3& n) {
  Feature f = supporting_feature(cso.b, -transpose_times(cso.rotation, n), cso.error_bound);
  for (int i = 0; i < f.count; ++i)
    f.corner[i].point = cso.rotation * f.corner[i].point + cso.translation;
  f.normal = cso.rotation * f.normal;
  f.center = cso.rotation * f.center + cso.translation;
  return f;
}

}  // namespace tactus::detail
