#include "tactus/narrow/manifold.hpp"

#include <algorithm>
#include <cmath>

namespace tactus {
namespace {

// A feature supports the contact while its plane (or line) is within this angle of the plane across
// n: cosine and sine of 3 degrees. Wide enough for a body that rocks within solver slop, narrow
// enough that an edge contact stays one.
constexpr double kAlignedCosine = 0.99862953475457383;
constexpr double kAlignedSine = 0.052335956242943832;
constexpr int kMaxCorners = 32;
// Corners of the polygon that stands for a disc.
constexpr int kDiscCorners = 12;
constexpr double kDiscCosine[kDiscCorners] = {
    1.0,  0.86602540378443865,  0.5,  0.0, -0.5, -0.86602540378443865,
    -1.0, -0.86602540378443865, -0.5, 0.0, 0.5,  0.86602540378443865};
// A later corner replaces an earlier choice only when it is better by this fraction, so that tiny
// perturbations do not swap equally good corners.
constexpr double kPreference = 1e-6;
// Depths that differ by less than this fraction of the size count as equal: the witness pair joins
// only when it is deeper than all clipped points, and a later point is the deepest only when it is
// deeper.
constexpr double kEqualDepth = 1e-8;
// Witnesses of converged answers agree with the distance to this fraction of the size; those of a
// body known by its support function alone to about the square root of the tolerance (the same as
// in tactus/query/check.cpp).
constexpr double kConsistent = 1e-7;
constexpr double kConsistentCustom = 1e-3;
// A polygon of less width than this part of its length is narrow.
constexpr double kNarrow = 1e-3;

struct Corner {
  Vec3 point;
  std::uint32_t id = 0;
};

// Supporting feature of one core: 1 point, 2 (line) or more corners (polygon, counter-clockwise
// about `normal`).
struct Feature {
  Corner corner[kMaxCorners];
  int count = 0;
  std::uint32_t id = 0;
  Vec3 normal;             ///< outward, polygons only
  double alignment = 0.0;  ///< normal . n
  int head = 0, tail = 0;  ///< the ends of a narrow polygon; equal for others
  void add(const Vec3& p, std::uint32_t corner_id) { corner[count++] = {p, corner_id}; }
  bool is_line() const { return count == 2; }
  Vec3 along() const { return corner[1].point - corner[0].point; }
  int farthest_from(const Vec3& p) const {
    int best = 0;
    for (int i = 1; i < count; ++i) {
      if (squared_norm(corner[i].point - p) > squared_norm(corner[best].point - p)) best = i;
    }
    return best;
  }
  // A face without a width is a line or a point: a flat box, a disc of radius zero, a sliver.
  void reduce(double rounding);
};

void Feature::reduce(double rounding) {
  const double same = rounding * rounding;
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    if (kept > 0 && !(squared_norm(corner[i].point - corner[kept - 1].point) > same)) continue;
    corner[kept++] = corner[i];
  }
  if (kept > 1 && !(squared_norm(corner[kept - 1].point - corner[0].point) > same)) --kept;
  count = kept > 1 ? kept : 0;
  if (count <= 2) return;
  // The rounding of the corners moves the ends of a face of width w and length l by l / w as much
  // along it, and its plane by the same at its ends. Narrower than the root of that, its line is
  // the better feature.
  const int far = farthest_from(corner[0].point);
  const auto ends_of = std::minmax({far, farthest_from(corner[far].point)});
  const Corner ends[2] = {corner[ends_of.first], corner[ends_of.second]};
  const Vec3 length = ends[1].point - ends[0].point;
  double width = 0.0;
  for (int i = 0; i < count; ++i)
    width = std::max(width, norm(cross(length, corner[i].point - ends[0].point)));
  const double l = norm(length);
  width /= l;
  if (width * width > rounding * l) {
    if (width < kNarrow * l) {
      head = ends_of.first;
      tail = ends_of.second;
    }
    return;
  }
  corner[0] = ends[0];
  corner[1] = ends[1];
  count = 2;
}

void add_disc(Feature& f, double radius, double z, double side) {
  for (int i = 0; i < kDiscCorners; ++i) {
    const double sine = kDiscCosine[(i + 9) % kDiscCorners];
    f.add({radius * kDiscCosine[i], side * radius * sine, z}, static_cast<std::uint32_t>(i));
  }
  f.normal = {0.0, 0.0, side};
}

void add_box_face(Feature& f, const Vec3& half, const Vec3& n) {
  const Vec3 m = component_abs(n);
  const int axis = m.x >= m.y && m.x >= m.z ? 0 : (m.y >= m.z ? 1 : 2);
  const int u = (axis + 1) % 3;
  const int v = (axis + 2) % 3;
  const double side = n[axis] >= 0.0 ? 1.0 : -1.0;
  constexpr int kU[4] = {1, -1, -1, 1};
  constexpr int kV[4] = {1, 1, -1, -1};
  for (int i = 0; i < 4; ++i) {
    Vec3 p;
    p[axis] = side * half[axis];
    p[u] = kU[i] * half[u];
    p[v] = side * kV[i] * half[v];
    f.add(p, static_cast<std::uint32_t>((p.x < 0.0 ? 1 : 0) | (p.y < 0.0 ? 2 : 0) |
                                        (p.z < 0.0 ? 4 : 0)));
  }
  f.normal[axis] = side;
  f.id = static_cast<std::uint32_t>(2 * axis + (side < 0.0 ? 1 : 0));
}

void add_hull_face(Feature& f, const ConvexHull& hull, const Vec3& n) {
  if (hull.dimension == 1) {
    for (std::uint32_t i = 0; i < 2; ++i) f.add(hull.vertices[i], i);
    return;
  }
  std::uint32_t best = 0;
  double best_alignment = -2.0;
  double side = 1.0;
  for (std::uint32_t i = 0; i < hull.faces.size(); ++i) {
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
  const std::size_t stride = (corners.size() + kMaxCorners - 1) / kMaxCorners;
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
  f.reduce(rounding);
  if (f.is_line() && std::fabs(dot(normalized(f.along()), n)) > kAlignedSine) f.count = 0;
  f.alignment = f.count > 2 ? dot(f.normal, n) : 0.0;
  return f;
}

struct ClipPoint {
  Vec3 point;
  std::uint32_t incident = 0;   ///< corner, or edge (corner it starts from)
  std::uint32_t reference = 0;  ///< 0: a corner of the incident feature; else 1 + clipping edge
};

struct ClipList {
  static constexpr int kCapacity = 2 * kMaxCorners + 4;
  ClipPoint item[kCapacity];
  int count = 0;
  void add(const ClipPoint& p) {
    if (count < kCapacity) item[count++] = p;
  }
};

// Sutherland-Hodgman against one plane inward . x <= offset; `closed` polygons wrap around, lines
// do not.
void clip(ClipList& list, const Vec3& inward, double offset, std::uint32_t edge, bool closed) {
  ClipList out;
  const int count = list.count;
  for (int i = 0; i < count; ++i) {
    const ClipPoint& p = list.item[i];
    const double dp = dot(inward, p.point) - offset;
    if (dp <= 0.0) out.add(p);
    if (!closed && i + 1 == count) break;
    const ClipPoint& q = list.item[(i + 1) % count];
    const double dq = dot(inward, q.point) - offset;
    if ((dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0)) {
      out.add({p.point + (q.point - p.point) * (dp / (dp - dq)), p.incident, edge + 1});
    }
  }
  list = out;
}

// The part of v square to n.
Vec3 flattened(const Vec3& v, const Vec3& n) { return v - n * dot(v, n); }

// The incident feature clipped by the side planes of the reference feature. Planes stand on the
// edges (or the ends of a line) along n.
ClipList clip_feature(const Feature& reference, const Feature& incident, const Vec3& n) {
  ClipList list;
  for (int i = 0; i < incident.count; ++i)
    list.add({incident.corner[i].point, incident.corner[i].id, 0});
  const bool closed = incident.count > 2;
  if (reference.is_line()) {
    const Vec3 across = flattened(reference.along(), n);
    clip(list, across, dot(across, reference.corner[1].point), 0, closed);
    clip(list, -across, -dot(across, reference.corner[0].point), 1, closed);
    return list;
  }
  for (int i = 0; i < reference.count && list.count > 0; ++i) {
    const Vec3& p = reference.corner[i].point;
    const Vec3& q = reference.corner[(i + 1) % reference.count].point;
    const Vec3 outward = dot(reference.normal, n) >= 0.0 ? cross(q - p, n) : cross(n, q - p);
    clip(list, outward, dot(outward, p), reference.corner[i].id, closed);
  }
  return list;
}

// The point over x along n of a narrow polygon, whose plane is known to roundings of its length
// over its width: between the two edges over the place of x along its length.
Vec3 point_over_strip(const Feature& strip, const Vec3& n, const Vec3& x) {
  const Vec3& head = strip.corner[strip.head].point;
  const Vec3& tail = strip.corner[strip.tail].point;
  const Vec3 along = flattened(tail - head, n);
  const double place = dot(along, x);
  if (!(place > dot(along, head))) return head;
  if (!(place < dot(along, tail))) return tail;
  Vec3 side[2] = {head, head};
  int sides = 0;
  for (int i = 0; i < strip.count && sides < 2; ++i) {
    const Vec3& p = strip.corner[i].point;
    const Vec3& q = strip.corner[(i + 1) % strip.count].point;
    const double from = dot(along, p) - place, to = dot(along, q) - place;
    if ((from > 0.0) != (to > 0.0)) side[sides++] = p + (q - p) * (from / (from - to));
  }
  const Vec3 across = flattened(side[1] - side[0], n);
  const double width = squared_norm(across);
  if (!(width > 0.0)) return side[0];
  return side[0] + (side[1] - side[0]) * std::clamp(dot(x - side[0], across) / width, 0.0, 1.0);
}

// The point of the reference feature over x along n. Lines that cross at a small angle leave each
// other sideways: there, the point of the line beside that place, which is as high.
Vec3 point_over(const Feature& reference, const Vec3& n, const Vec3& x) {
  if (reference.head != reference.tail) return point_over_strip(reference, n, x);
  const Vec3& origin = reference.corner[0].point;
  if (!reference.is_line())
    return x + n * (dot(origin - x, reference.normal) / dot(n, reference.normal));
  const Vec3 along = reference.along();
  const Vec3 flat = flattened(along, n);
  return origin + along * std::clamp(dot(x - origin, flat) / squared_norm(flat), 0.0, 1.0);
}

std::uint64_t feature_id(std::uint32_t face_a, std::uint32_t face_b, std::uint32_t incident,
                         std::uint32_t reference) {
  const auto bits = [](std::uint32_t v) { return static_cast<std::uint64_t>(v & 0xffffu); };
  return (bits(face_a) << 48u) | (bits(face_b) << 32u) | (bits(incident) << 16u) | bits(reference);
}

// The feature of B against n, in A's frame.
Feature supporting_feature_of_b(const Cso& cso, const Vec3& n) {
  Feature f = supporting_feature(cso.b, -transpose_times(cso.rotation, n), cso.rounding);
  for (int i = 0; i < f.count; ++i)
    f.corner[i].point = cso.rotation * f.corner[i].point + cso.translation;
  f.normal = cso.rotation * f.normal;
  return f;
}

// The witness pair. That of a converged answer is as deep as it says. Where a search stopped early,
// the depth is that of the points; and where it stopped so early that they are farther from the
// depth along the normal than the bracket is wide, the farthest points along the normal take over.
PatchPoint witness(const Cso& cso, const ConvexAnswer& answer) {
  PatchPoint p{answer.point_a, answer.point_b, -answer.distance, feature_id(0xffff, 0xffff, 0, 0)};
  const double lacking = p.depth - dot(answer.n, p.a - p.b);
  const double size = cso.size() + (cso.a.radius + cso.b.radius);
  double most = cso.rounding;
  if (answer.status == Status::converged) {
    // Points of a support function alone come near to the normal only as the square root of the
    // bracket's width does.
    const bool custom = cso.a.kind == CoreKind::custom || cso.b.kind == CoreKind::custom;
    most = (custom ? kConsistentCustom : kConsistent) * size;
  }
  if (!(lacking > most)) return p;
  if (lacking > answer.upper - answer.lower) {
    const SupportPoint farthest = cso.grown_support(answer.n);
    p.a = farthest.a;
    p.b = farthest.b;
  } else {
    p.depth -= lacking;
  }
  return p;
}

Patch witness_patch(const Cso& cso, const ConvexAnswer& answer) {
  Patch patch;
  patch.point[0] = witness(cso, answer);
  patch.count = 1;
  return patch;
}

// The points of a patch: the clipped ones, and the witness pair when it is deeper than all of them.
Patch patch_of(const Cso& cso, const ConvexAnswer& answer, PatchPoint* all, int count) {
  if (count == 0) return witness_patch(cso, answer);
  const double equal_depth = kEqualDepth * cso.size();
  double deepest = all[0].depth;
  for (int i = 1; i < count; ++i) deepest = std::max(deepest, all[i].depth);
  if (deepest < -answer.distance - equal_depth) all[count++] = witness(cso, answer);
  Patch patch;
  keep_four(all, count, answer.n, equal_depth, patch);
  return patch;
}

}  // namespace

void keep_four(const PatchPoint* all, int count, const Vec3& n, double equal_depth, Patch& out) {
  if (count <= Patch::kCapacity) {
    for (int i = 0; i < count; ++i) out.point[i] = all[i];
    out.count = count;
    return;
  }
  int first = 0;
  for (int i = 1; i < count; ++i) {
    if (all[i].depth > all[first].depth + equal_depth) first = i;
  }
  const auto choose = [&](auto&& score) {
    int best = -1;
    double best_score = 0.0;
    for (int i = 0; i < count; ++i) {
      const double s = score(all[i]);
      if (best < 0 || s > best_score + kPreference * std::fabs(best_score)) {
        best = i;
        best_score = s;
      }
    }
    return best;
  };
  const int second = choose([&](const PatchPoint& p) { return squared_norm(p.a - all[first].a); });
  const Vec3 across = cross(n, all[second].a - all[first].a);
  const int third = choose([&](const PatchPoint& p) { return dot(across, p.a - all[first].a); });
  const int fourth = choose([&](const PatchPoint& p) { return -dot(across, p.a - all[first].a); });
  int chosen[4] = {first, second, third, fourth};
  std::sort(chosen, chosen + 4);
  for (int i = 0; i < 4; ++i) {
    if (i > 0 && chosen[i] == chosen[i - 1]) continue;
    out.point[out.count++] = all[chosen[i]];
  }
}

Patch make_plane_patch(const Cso& cso, const ConvexAnswer& answer, double threshold) {
  const Vec3& n = answer.n;
  const Feature f = supporting_feature_of_b(cso, n);
  PatchPoint all[kMaxCorners + 1];
  int count = 0;
  for (int i = 0; i < f.count; ++i) {
    PatchPoint p;
    p.b = f.corner[i].point - n * cso.b.radius;
    p.depth = std::min(dot(n, answer.point_b - p.b) - answer.distance, -answer.distance);
    if (p.depth < -threshold) continue;
    p.a = p.b + n * p.depth;
    p.feature = feature_id(0, f.id, f.corner[i].id, 0);
    all[count++] = p;
  }
  return patch_of(cso, answer, all, count);
}

Patch make_patch(const Cso& cso, const ConvexAnswer& answer, double threshold) {
  const Vec3& n = answer.n;
  const Feature fa = supporting_feature(cso.a, n, cso.rounding);
  const Feature fb = supporting_feature_of_b(cso, n);
  const bool plane_a = fa.count > 2 && fa.alignment >= kAlignedCosine;
  const bool plane_b = fb.count > 2 && fb.alignment >= kAlignedCosine;
  const bool lines = fa.is_line() && fb.is_line();
  if (fa.count < 2 || fb.count < 2 || !(plane_a || plane_b || lines))
    return witness_patch(cso, answer);
  if (lines && norm(cross(normalized(fa.along()), normalized(fb.along()))) > kAlignedSine)
    return witness_patch(cso, answer);
  const bool reference_is_a = !plane_b || (plane_a && fa.alignment >= fb.alignment);
  const Feature& reference = reference_is_a ? fa : fb;
  const Feature& incident = reference_is_a ? fb : fa;
  const ClipList list = clip_feature(reference, incident, n);

  PatchPoint all[ClipList::kCapacity + 1];
  int count = 0;
  const Vec3 offset_a = n * cso.a.radius;
  const Vec3 offset_b = n * cso.b.radius;
  for (int i = 0; i < list.count; ++i) {
    const ClipPoint& c = list.item[i];
    const Vec3 over = point_over(reference, n, c.point);
    PatchPoint p;
    p.a = (reference_is_a ? over : c.point) + offset_a;
    p.b = (reference_is_a ? c.point : over) - offset_b;
    // Both points are of the bodies: only roundings make them deeper than the pair.
    const double height = dot(n, reference_is_a ? over - c.point : c.point - over);
    p.depth = std::min(height + cso.a.radius + cso.b.radius, -answer.distance);
    if (p.depth < -threshold) continue;
    p.feature = feature_id(fa.id, fb.id, c.incident, c.reference) ^ (reference_is_a ? 0 : 0x8000u);
    all[count++] = p;
  }
  return patch_of(cso, answer, all, count);
}

}  // namespace tactus
