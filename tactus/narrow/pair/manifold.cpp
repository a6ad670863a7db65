#include "tactus/narrow/pair/manifold.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/narrow/difference/surface_point.hpp"
#include "tactus/narrow/pair/box_patch.hpp"
#include "tactus/narrow/pair/feature_clip.hpp"
#include "tactus/narrow/pair/supporting_feature.hpp"
#include "tactus/narrow/search/gjk.hpp"
#include "tactus/shape/membership.hpp"

namespace tactus::detail {
namespace {

// Witnesses of converged answers agree with the distance to this fraction of the size; those of a
// body known by its support function alone to about the square root of the tolerance.
constexpr double kConsistent = 1e-7;
constexpr double kConsistentCustom = 3e-4;
// Part of the rounding bound up to which a place next to a core is searched.
constexpr double kNearby = 1.0 / 16.0;
// A point that lies so near to its core's extreme, as a part of the reach, is on the body.
constexpr double kLack = 8.0 * kEpsilon;
// Witnesses that lie lower than the farthest points along the normal by more than this part of the
// rounding may be inside.
constexpr double kInside = 0.1;

std::uint64_t feature_id(std::uint32_t face_a, std::uint32_t face_b, std::uint32_t incident,
                         std::uint32_t reference) {
  const auto bits = [](std::uint32_t v) { return static_cast<std::uint64_t>(v & 0xffffu); };
  return (bits(face_a) << 48u) | (bits(face_b) << 32u) | (bits(incident) << 16u) | bits(reference);
}

// A witness of B, on its surface. Of an overlap a search finds points between the corners of a
// simplex, which are inside of curved bodies, or of any when it stopped early: those that are not
// as far along the normal as the farthest move to the surface.
Vec3 witness_of_b(const Cso& cso, const Vec3& n, const Vec3& point, const Vec3& farthest) {
  if (cso.b.kind != CoreKind::point && !(dot(n, point - farthest) > kInside * cso.error_bound))
    return point;
  const Vec3 core = transpose_times(cso.rotation, point + n * cso.b.radius - cso.translation);
  const SurfacePoint on = onto_core_surface(cso.b, core, -transpose_times(cso.rotation, n));
  return cso.rotation * (on.point + on.normal * cso.b.radius) + cso.translation;
}
Vec3 witness_of_a(const Cso& cso, const Vec3& n, const Vec3& point, const Vec3& farthest) {
  if (cso.a.kind != CoreKind::point && !(dot(n, farthest - point) > kInside * cso.error_bound))
    return point;
  const SurfacePoint on = onto_core_surface(cso.a, point - n * cso.a.radius, n);
  return on.point + on.normal * cso.a.radius;
}

bool is_custom(const Cso& cso) {
  return cso.a.kind == CoreKind::custom || cso.b.kind == CoreKind::custom;
}

// The farthest that points may lack of the depth along the normal. Points of a support function
// alone come near to the normal only as the square root of the bracket's width does.
double consistent(const Cso& cso, const ConvexAnswer& answer) {
  if (answer.status != Status::converged) return cso.error_bound;
  return (is_custom(cso) ? kConsistentCustom : kConsistent) *
         (cso.size() + (cso.a.radius + cso.b.radius));
}

// The witness pair, on the surfaces. Points that are not as deep as the bodies are along n give way
// to the farthest points along n, and so do any where these are opposite each other.
PatchPoint witness(const Cso& cso, const ConvexAnswer& answer) {
  const Vec3& n = answer.n;
  const SupportPoint farthest = cso.grown_support(n);
  PatchPoint p{witness_of_a(cso, n, answer.point_a, farthest.a),
               witness_of_b(cso, n, answer.point_b, farthest.b), 0.0, kWitnessFeature};
  // Beside corners that nearly coincide, the way onto the surface is lost in rounding.
  const double enough = dot(n, farthest.a - farthest.b) - kEqualDepth * cso.size();
  if (cso.a.is_polytope() && cso.b.is_polytope() && dot(n, p.a - p.b) < enough &&
      dot(n, answer.point_a - answer.point_b) >= enough) {
    p.a = answer.point_a;
    p.b = answer.point_b;
  }
  // Nor do those of a body known by its support function alone, if they are apart where it is not.
  const double depth = dot(n, p.a - p.b), most = dot(n, farthest.a - farthest.b);
  const bool opposite = norm(farthest.a - farthest.b - n * most) <= cso.error_bound;
  if (most - depth > consistent(cso, answer) || (opposite && most > depth) ||
      (is_custom(cso) && depth < std::min(-answer.distance, 0.0) - cso.error_bound)) {
    p.a = farthest.a;
    p.b = farthest.b;
  }
  p.depth = dot(n, p.a - p.b);
  return p;
}

// The witness pair of B and a half-space, A, whose surface is n . x = plane.
PatchPoint plane_witness(const Cso& cso, const ConvexAnswer& answer, double plane) {
  const Vec3& n = answer.n;
  const Vec3 farthest = cso.grown_support(n).b;
  PatchPoint p{{}, witness_of_b(cso, n, answer.point_b, farthest), 0.0, kWitnessFeature};
  if (dot(n, p.b - farthest) > consistent(cso, answer)) p.b = farthest;
  p.depth = plane - dot(n, p.b);
  p.a = p.b + n * p.depth;
  return p;
}

// The witness pair joins the clipped points when it is deeper than all of them.
bool is_deeper(const ConvexAnswer& answer, double size, const PatchPoints& points) {
  for (int i = 0; i < points.count; ++i) {
    if (points.point[i].depth >= -answer.distance - kEqualDepth * size) return false;
  }
  return true;
}

// Keeps, of a disc that touches all round, the square with a corner nearest to the axis, in place
// of all corners: the one which `keep_four` would choose, for the sum of its weights grows with the
// cosine of four times the angle between the axis and a corner.
void keep_square(Feature& disc, const Vec3& axis) {
  if (disc.count < 4) return;
  int best = 0;
  for (int i = 1; i < disc.count; ++i) {
    if (dot(axis, disc.corner[i].point) > dot(axis, disc.corner[best].point)) best = i;
  }
  const int quarter = disc.count / 4;
  for (int i = 0; i < 4; ++i) disc.corner[i] = disc.corner[best % quarter + i * quarter];
  disc.count = 4;
}

// Are all points of the disc's rim equally deep against a plane across n?
bool is_flat(const Feature& disc, const Vec3& n, double size) {
  const double rise = kEqualDepth * size / (2.0 * disc.radius());
  return squared_norm(flattened(disc.normal, n)) <= rise * rise;
}

// Is the disc over the reference feature with its whole rim, to the margin?
bool is_over(const Feature& reference, const Feature& disc, const Vec3& n, double margin) {
  const double radius = disc.radius() - margin;
  if (reference.is_disc)
    return norm(flattened(disc.center - reference.center, n)) + radius <= reference.radius();
  const double sense = dot(reference.normal, n) >= 0.0 ? 1.0 : -1.0;
  for (int i = 0; i < reference.count; ++i) {
    const Vec3 outward = cross(reference.end(i) - reference.start(i), n) * sense;
    if (dot(outward, disc.center - reference.start(i)) > -radius * norm(outward)) return false;
  }
  return reference.is_polygon();
}

double extent(const Core& core) { return 2.0 * (core.reach + core.radius); }

bool are_parallel(const Vec3& a, const Vec3& b) {
  return squared_norm(cross(a, b)) <= kAlignedSine * kAlignedSine;
}

bool are_side_by_side(const Feature& a, const Feature& b) {
  return a.is_line() && b.is_line() && are_parallel(normalized(a.along()), normalized(b.along()));
}

// Faces that look at each other, a line on a face, or two lines side by side.
bool support_each_other(const Feature& a, const Feature& b) {
  if (a.count < 2 || b.count < 2) return false;
  return std::max(a.alignment, b.alignment) >= kAlignedCosine || are_side_by_side(a, b);
}

// Is A's feature the reference? The better aligned one; of polygons and discs that are aligned
// equally well the polygon (its edges are fewer), else the body that decides.
bool is_reference_a(const Feature& a, const Feature& b, const Cso& cso, const Vec3& n,
                    double margin) {
  const bool plane_a = a.is_polygon() && a.alignment >= kAlignedCosine;
  const bool plane_b = b.is_polygon() && b.alignment >= kAlignedCosine;
  if (plane_a != plane_b) return plane_a;
  if (plane_a && std::fabs(a.alignment - b.alignment) > kSameAlignment)
    return a.alignment > b.alignment;
  if (a.is_disc != b.is_disc) return b.is_disc;
  // The larger disc: the other may lie over it as a whole.
  if (a.is_disc && std::fabs(a.radius() - b.radius()) > margin) return a.radius() > b.radius();
  return !decided_by_b(n, cso.rotation);
}

// The normal by which features are seen; `side`: 1 for a reference feature of A, else -1.
Vec3 facing(const Feature& reference, double side, const Vec3& n) {
  if (!reference.is_polygon() || reference.head != reference.tail) return n;
  const Vec3 normal = reference.normal * side;
  return squared_norm(normal - n) <= kFaceNormalsAlike * kFaceNormalsAlike ? normal : n;
}

// The normal of the grown reference feature at a clipped point, `n` outwards.
Vec3 reference_normal(const Feature& f, const ClipPoint& c, const Vec3& n) {
  return f.is_line() ? f.normal_at(n, c.reference) : f.normal_near(n, c.reference, c.reference_2);
}

Vec3 incident_normal(const Feature& f, const ClipPoint& c, const Vec3& n) {
  if (c.corner >= 0 || f.is_line()) return f.normal_at(n, c.corner);
  return f.normal_near(n, c.edge, -1);
}

// One feature of the grown bodies: the core's, moved out to the surface. `n` outwards.
struct Surface {
  const Feature& feature;
  const Core& core;
  Mat3 rotation;  ///< of the core's frame in A's
  Vec3 translation, n, moved;

  Surface(Feature& f, const Core& c, const Mat3& turned, const Vec3& at, const Vec3& outward)
      : feature(f),
        core(c),
        rotation(turned),
        translation(at),
        n(outward),
        moved(f.grow(outward, c.radius)) {}
  static Surface of_a(Feature& f, const Cso& cso, const Vec3& outward) {
    return {f, cso.a, Mat3::identity(), {}, outward};
  }
  static Surface of_b(Feature& f, const Cso& cso, const Vec3& outward) {
    return {f, cso.b, cso.rotation, cso.translation, outward};
  }

  // A point of the moved feature, moved on to where the surface looks more along n.
  Vec3 point(const Vec3& on_feature, const ClipPoint& c, bool is_reference) const {
    if (!(core.radius > 0.0)) return on_feature;
    const Vec3 wanted =
        is_reference ? reference_normal(feature, c, n) : incident_normal(feature, c, n);
    if (wanted == moved) return on_feature;
    const Vec3 local = transpose_times(rotation, on_feature - moved * core.radius - translation);
    const Vec3 face = feature.normal != Vec3{} ? feature.normal : moved;
    const Vec3 normal = rotation * supported_normal(core, local, transpose_times(rotation, face),
                                                    transpose_times(rotation, wanted));
    return on_feature + (normal - moved) * core.radius;
  }
};

// A point of either body, one over the other along the normal.
struct Opposite {
  Vec3 reference, incident;
};

// Moves the pair of a clipped point on to where the surfaces of rounded bodies look more along the
// normal: the incident one to `top`, and the one of the reference feature over it. A point that
// would leave its partner by more than `room` sideways stays: between points that are not opposite
// each other, impulses would have a moment.
Opposite opposite(const Opposite& clipped, const Vec3& top, const Feature& reference,
                  const Surface& surface, const ClipPoint& c, double room) {
  const auto apart = [&](const Vec3& x, const Vec3& y) {
    return norm(flattened(x - y, surface.n)) > room;
  };
  Opposite result = clipped;
  if (top != clipped.incident) {
    ClipPoint moved = c;
    moved.point = top;
    moved.beside = true;
    const Vec3 over = point_over(reference, surface.n, moved);
    if (!apart(over, top)) result = {over, top};
  }
  const Vec3 bottom = surface.point(result.reference, c, true);
  if (!apart(bottom, result.incident)) result.reference = bottom;
  return result;
}

// Does no face of the box look along n?
bool is_edge_of_box(const Core& core, const Mat3& rotation, const Vec3& n, double rounding) {
  const Vec3 m = component_abs(transpose_times(rotation, n));
  return core.kind == CoreKind::box && std::max(std::max(m.x, m.y), m.z) < kAlignedCosine &&
         is_wide_box(core.half, rounding);
}

// Does a line meet the edge of a box alone, and at one point of it?
bool crosses_edge(const Core& box, const Mat3& rotation, const Vec3& axis, const Vec3& n,
                  double rounding) {
  if (!is_edge_of_box(box, rotation, n, rounding)) return false;
  for (int i = 0; i < 3; ++i) {
    const Vec3 edge = rotation.column(i);
    if (std::fabs(dot(edge, n)) <= kAlignedSine && are_parallel(edge, axis)) return false;
  }
  return true;
}

// A segment that does not lie along the plane across n.
bool is_upright(const Core& core, const Vec3& axis, const Vec3& n) {
  return core.kind == CoreKind::segment && std::fabs(dot(axis, n)) > kAlignedSine;
}

}  // namespace

bool is_lone_witness(const Core& a, const Mat3& rotation_a, const Core& b, const Mat3& rotation_b,
                     const Vec3& n, double rounding) {
  if (!has_features(a) || !has_features(b)) return true;
  const Vec3 axis_a = rotation_a.column(2), axis_b = rotation_b.column(2);
  if (is_upright(a, axis_a, n) || is_upright(b, axis_b, n)) return true;
  if (a.kind == CoreKind::segment && b.kind == CoreKind::segment)
    return !are_parallel(axis_a, axis_b);
  if (a.kind == CoreKind::segment) return crosses_edge(b, rotation_b, axis_a, n, rounding);
  return b.kind == CoreKind::segment && crosses_edge(a, rotation_a, axis_b, n, rounding);
}

Vec3 onto_rounded(const Core& core, const Mat3& rotation, const Vec3& translation,
                  const Vec3& outward, const Vec3& point) {
  if (!core.is_polytope() || core.kind <= CoreKind::segment || !(core.radius > 0.0)) return point;
  const Vec3 seen = point - translation;
  const Vec3 own = transpose_times(rotation, outward);
  const Vec3 local = transpose_times(rotation, seen) - own * core.radius;
  if (std::fabs(dot(own, support(core, own).point - local)) <= kLack * (core.reach + core.radius))
    return point;
  Cso from_point(Core{}, core, rotation, -seen);
  const double rounding = from_point.error_bound;
  from_point.error_bound *= kNearby;
  Simplex simplex;
  const GjkResult found = gjk(from_point, simplex, -outward, {});
  Vec3 to_core = simplex.closest_b();
  if (found.outcome != GjkOutcome::separated || found.upper - found.lower > rounding) {
    // Beside a small radius the search is lost in roundings sooner than the planes of faces.
    if (core.kind != CoreKind::polytope) return point;
    to_core = rotation * nearest_in_hull(*core.hull, transpose_times(rotation, seen)).point - seen;
  }
  const double length = norm(to_core);
  return length > 0.5 * core.radius ? point + to_core * (1.0 - core.radius / length) : point;
}

void find_plane_points(const Cso& cso, const ConvexAnswer& answer, double threshold,
                       PatchPoints& out) {
  const Vec3& n = answer.n;
  Feature f = supporting_feature_of_b(cso, n);
  const Surface surface = Surface::of_b(f, cso, -n);
  const double plane = dot(n, answer.point_b) - answer.distance;
  if (f.is_disc && is_flat(f, n, extent(cso.b))) keep_square(f, deciding_axis(n, cso.rotation));
  out.count = 0;
  for (int i = 0; i < f.count; ++i) {
    ClipPoint corner;
    corner.corner = i;
    PatchPoint p;
    p.b = surface.point(f.corner[i].point, corner, false);
    p.depth = plane - dot(n, p.b);
    if (p.depth < -threshold) continue;
    p.a = p.b + n * p.depth;
    p.feature = feature_id(0, f.id, f.corner[i].id, 0);
    out.add(p);
  }
  if (is_deeper(answer, extent(cso.b), out)) out.add(plane_witness(cso, answer, plane));
}

int count_lowest(const Cso& cso, const ConvexAnswer& answer, double rounding) {
  const Feature f = supporting_feature_of_b(cso, answer.n);
  int lowest = 0;
  for (int i = 0; i < f.count; ++i)
    lowest += dot(answer.n, f.corner[i].point - answer.core_b) <= rounding ? 1 : 0;
  return lowest;
}

Patch make_plane_patch(const Cso& cso, const ConvexAnswer& answer, double threshold) {
  PatchPoints points;
  find_plane_points(cso, answer, threshold, points);
  Patch patch;
  keep_four(points.point.data(), points.count,
            {answer.n, deciding_axis(answer.n, cso.rotation), extent(cso.b)}, patch);
  for (int i = 0; i < patch.count; ++i) {
    PatchPoint& p = patch.point[i];
    const Vec3 inside = p.b;
    p.b = onto_rounded(cso.b, cso.rotation, cso.translation, -answer.n, inside);
    if (p.b == inside) continue;
    p.depth -= dot(answer.n, p.b - inside);
    p.a = p.b + answer.n * p.depth;
  }
  return patch;
}

void find_patch_points(const Cso& cso, const ConvexAnswer& answer, double threshold,
                       PatchPoints& out) {
  const Vec3& n = answer.n;
  const double size = std::min(extent(cso.a), extent(cso.b));
  Feature fa = supporting_feature_of_a(cso, n);
  Feature fb = supporting_feature_of_b(cso, n);
  out.count = 0;
  if (!support_each_other(fa, fb)) {
    fa.keep_edge(n);
    fb.keep_edge(-n);
    if (!are_side_by_side(fa, fb)) return out.add(witness(cso, answer));
  }
  const double margin = std::max(kSameLength * size, 4.0 * cso.error_bound);
  const bool reference_is_a = is_reference_a(fa, fb, cso, n, margin);
  const Feature& reference = reference_is_a ? fa : fb;
  const Vec3 up = facing(reference, reference_is_a ? 1.0 : -1.0, n);
  const Surface sa = Surface::of_a(fa, cso, up), sb = Surface::of_b(fb, cso, -up);
  const Surface &reference_surface = reference_is_a ? sa : sb,
                &incident_surface = reference_is_a ? sb : sa;
  ClipList list;
  Feature& incident = reference_is_a ? fb : fa;
  if (incident.is_disc && is_flat(incident, up, size) && is_over(reference, incident, up, margin)) {
    keep_square(incident, deciding_axis(n, cso.rotation));
    add_corners(incident, true, list);
  } else if (fa.is_disc && fb.is_disc) {
    common_of_discs(reference, incident, up, margin, list);
  } else {
    clip_feature(reference, incident, up, margin, list);
    if (incident.is_disc) round_off(reference, incident, up, list);
  }
  for (int i = 0; i < list.count; ++i) {
    ClipPoint& c = list.item[i];
    const Vec3 over = point_over(reference, up, c);
    if (c.beside && norm(flattened(over - c.point, up)) > 2.0 * margin) {
      // Beyond a sharp corner of the reference feature.
      c = {};
      c.beside = true;
      c.point = over;
      c.point = point_over(incident, up, c);
    }
    const Vec3 top = incident_surface.point(c.point, c, false);
    const Opposite pair =
        opposite({over, c.point}, top, reference, reference_surface, c, 2.0 * margin);
    PatchPoint p;
    p.a = reference_is_a ? pair.reference : pair.incident;
    p.b = reference_is_a ? pair.incident : pair.reference;
    p.depth = dot(n, p.a - p.b);
    if (p.depth < -threshold) continue;
    p.feature = feature_id(fa.id, fb.id, c.incident, static_cast<std::uint32_t>(c.reference + 1)) ^
                (reference_is_a ? 0 : 0x8000u);
    out.add(p);
  }
  if (is_deeper(answer, size, out)) out.add(witness(cso, answer));
}

Patch make_patch(const Cso& cso, const ConvexAnswer& answer, double threshold) {
  PatchPoints points;
  find_patch_points(cso, answer, threshold, points);
  Patch patch;
  keep_four(
      points.point.data(), points.count,
      {answer.n, deciding_axis(answer.n, cso.rotation), std::min(extent(cso.a), extent(cso.b))},
      patch);
  for (int i = 0; i < patch.count; ++i) {
    PatchPoint& p = patch.point[i];
    p.a = onto_rounded(cso.a, Mat3::identity(), {}, answer.n, p.a);
    p.b = onto_rounded(cso.b, cso.rotation, cso.translation, -answer.n, p.b);
    p.depth = dot(answer.n, p.a - p.b);
  }
  return patch;
}

}  // namespace tactus::detail
