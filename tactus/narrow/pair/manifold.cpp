#include "tactus/narrow/pair/manifold.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/narrow/difference/surface_point.hpp"
#include "tactus/narrow/pair/supporting_feature.hpp"
#include "tactus/narrow/search/gjk.hpp"

namespace tactus::detail {
namespace {

// A normal that is nearer to that of the reference face is that: over a small gap the normal is
// less certain than the faces are.
constexpr double kSameNormal = 1e-6;
// Features whose alignments differ by less are aligned equally well.
constexpr double kSameAlignment = 1e-6;
// Witnesses of converged answers agree with the distance to this fraction of the size; those of a
// body known by its support function alone to about the square root of the tolerance.
constexpr double kConsistent = 1e-7;
constexpr double kConsistentCustom = 3e-4;
// A point that lies so near to its core's extreme, as a part of the reach, is on the body.
constexpr double kLack = 8.0 * std::numeric_limits<double>::epsilon();
// Witnesses that lie lower than the farthest points along the normal by more than this part of the
// rounding may be inside.
constexpr double kInside = 0.1;

/// A point of the incident feature, with what of both features it is on (-1: nothing).
struct ClipPoint {
  Vec3 point;
  int corner = -1;       ///< of the incident feature
  int edge = -1;         ///< of the incident feature
  int reference = -1;    ///< edge of the reference feature (or end of a line) that clipped it
  int reference_2 = -1;  ///< another one
  int leads_along = -1;  ///< edge of the incident feature to the next point; -2 - i: of the other
  std::uint32_t incident = 0;
  bool beside = false;  ///< perhaps beside the reference feature, by less than the margin
};

struct ClipList {
  static constexpr int kCapacity = 2 * Feature::kMaxCorners + 7;
  ClipPoint item[kCapacity];
  int count = 0;
  void add(const ClipPoint& p) {
    if (count < kCapacity) item[count++] = p;
  }
};

void add_corners(const Feature& incident, bool beside, ClipList& list) {
  for (int i = 0; i < incident.count; ++i) {
    ClipPoint p;
    p.point = incident.corner[i].point;
    p.corner = i;
    p.leads_along = i;
    p.incident = incident.corner[i].id;
    p.beside = beside;
    list.add(p);
  }
}

// Sutherland-Hodgman against one plane outward . x <= offset (unit outward); `closed` polygons wrap
// around, lines do not. What is beyond it by less than the margin stays: features that line up are
// clipped alike whatever their noise.
void clip(const ClipList& list, const Vec3& outward, double offset, double margin, int edge,
          bool closed, ClipList& out) {
  out.count = 0;
  const int count = list.count;
  if (count == 0) return;
  double next = dot(outward, list.item[0].point) - offset;
  const double first = next;
  for (int i = 0; i < count; ++i) {
    const ClipPoint& p = list.item[i];
    const double dp = next;
    if (dp <= margin) {
      out.add(p);
      if (dp > 0.0) out.item[out.count - 1].beside = true;
    }
    if (!closed && i + 1 == count) break;
    const ClipPoint& q = list.item[i + 1 == count ? 0 : i + 1];
    const double dq = i + 1 == count ? first : dot(outward, q.point) - offset;
    next = dq;
    if ((dp <= margin) == (dq <= margin)) continue;
    const double inside = std::min(dp, dq);
    const double at = inside < 0.0 ? 0.0 : margin;
    ClipPoint cut;
    cut.point = p.point + (q.point - p.point) * ((dp - at) / (dp - dq));
    cut.edge = p.leads_along >= 0 ? p.leads_along : -1;
    cut.reference = edge;
    cut.reference_2 = p.leads_along >= 0 ? -1 : -2 - p.leads_along;
    cut.leads_along = dq > margin ? -2 - edge : p.leads_along;
    cut.incident = p.incident;
    cut.beside = true;
    out.add(cut);
  }
}

// The incident feature clipped by the side planes of the reference feature. Planes stand on the
// edges (or the ends of a line) along n.
void clip_feature(const Feature& reference, const Feature& incident, const Vec3& n, double margin,
                  ClipList& list) {
  ClipList other;
  ClipList *from = &list, *to = &other;
  add_corners(incident, false, list);
  const bool closed = incident.is_polygon();
  const auto clip_by = [&](const Vec3& across, const Vec3& on, int edge) {
    const Vec3 outward = normalized(across, {});
    clip(*from, outward, dot(outward, on), margin, edge, closed, *to);
    std::swap(from, to);
  };
  if (reference.is_line()) {
    const Vec3 across = flattened(reference.along(), n);
    clip_by(-across, reference.corner[0].point, 0);
    clip_by(across, reference.corner[1].point, 1);
  } else {
    const bool along = dot(reference.normal, n) >= 0.0;
    for (int i = 0; i < reference.count && from->count > 0; ++i) {
      const Vec3 edge = reference.end(i) - reference.start(i);
      clip_by(along ? cross(edge, n) : cross(n, edge), reference.start(i), i);
    }
  }
  if (from != &list) list = other;
}

// The point of the polygon's plane over x along n.
Vec3 onto_plane(const Feature& f, const Vec3& n, const Vec3& x) {
  return x + n * (dot(f.corner[0].point - x, f.normal) / dot(n, f.normal));
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

// The point of a disc that is nearest to x in its plane.
Vec3 onto_disc(const Feature& disc, const Vec3& x) {
  const double place = norm(x - disc.center), radius = disc.radius();
  return place > radius ? disc.center + (x - disc.center) * (radius / place) : x;
}

// The point of the polygon's edges that is nearest to x, where x is beside the polygon.
Vec3 onto_polygon(const Feature& f, const Vec3& x) {
  if (f.is_disc) return onto_disc(f, x);
  Vec3 nearest = x;
  double least = 0.0;
  bool beside = false;
  for (int i = 0; i < f.count; ++i) {
    const Vec3 edge = f.end(i) - f.start(i);
    const Vec3 from = x - f.start(i);
    if (dot(cross(edge, f.normal), from) > 0.0) beside = true;
    const Vec3 on = f.start(i) + edge * std::clamp(dot(from, edge) / squared_norm(edge), 0.0, 1.0);
    const double distance = squared_norm(x - on);
    if (i > 0 && !(distance < least)) continue;
    least = distance;
    nearest = on;
  }
  return beside ? nearest : x;
}

// The point of the reference feature over x along n. Lines that cross at a small angle leave each
// other sideways: there, the point of the line beside that place, which is as high.
Vec3 point_over(const Feature& reference, const Vec3& n, const ClipPoint& c) {
  const Vec3& x = c.point;
  if (reference.head != reference.tail) return point_over_strip(reference, n, x);
  const Vec3& origin = reference.corner[0].point;
  if (reference.is_line()) {
    const Vec3 along = reference.along();
    const Vec3 flat = flattened(along, n);
    return origin + along * std::clamp(dot(x - origin, flat) / squared_norm(flat), 0.0, 1.0);
  }
  const Vec3 over = onto_plane(reference, n, x);
  return c.beside ? onto_polygon(reference, over) : over;
}

// The polygon that stands for a disc is a little inside it. Cut by the edges of another polygon, it
// takes the crossings of these with the rim, and of a segment beyond which the centre lies, two
// points of its arc: with the ends of the chord, nearly the largest quadrangle.
void round_off(const Feature& reference, const Feature& disc, const Vec3& n, ClipList& list) {
  const double radius = disc.radius();
  for (int i = 0; i < list.count; ++i) {
    ClipPoint& c = list.item[i];
    if (c.edge < 0) continue;
    const Vec3 edge = reference.end(c.reference) - reference.start(c.reference);
    const Vec3 from = c.point - disc.center;
    Vec3 out = normalized(edge - n * (dot(edge, disc.normal) / dot(n, disc.normal)), {});
    if (dot(out, from) < 0.0) out = -out;
    const double along = dot(out, from);
    const double rest = (radius - norm(from)) * (radius + norm(from));
    c.point += out * (rest / (along + std::sqrt(along * along + std::max(rest, 0.0))));
    c.point = onto_disc(disc, c.point);
  }
  const double sense = dot(reference.normal, n) >= 0.0 ? 1.0 : -1.0;
  const auto outward = [&](int edge) {
    return cross(reference.end(edge) - reference.start(edge), n) * sense;
  };
  for (int i = 0; i < reference.count; ++i) {
    if (!(dot(outward(i), disc.center - reference.start(i)) > 0.0)) continue;
    const Vec3 across = normalized(flattened(outward(i), disc.normal), {});
    const Vec3 chord = cross(across, disc.normal);
    const double height =
        dot(outward(i), disc.center - reference.start(i)) / dot(outward(i), across);
    const double half = std::sqrt(std::max((radius - height) * (radius + height), 0.0));
    for (const double side : {1.0, -1.0}) {
      ClipPoint p;
      const Vec3 over_chord = chord * (side * half / 3.0) - across * height;
      p.point = disc.center + over_chord * (radius / norm(over_chord));
      bool inside = true;
      for (int k = 0; k < reference.count && inside; ++k)
        inside = dot(outward(k), p.point - reference.start(k)) <= 0.0;
      p.incident = 0x100 + 2 * reference.corner[i].id + (side > 0.0 ? 0 : 1);
      if (inside) list.add(p);
    }
  }
}

// What two discs have in common: corners of either's polygon that are inside the other disc, and
// where the rims cross, the crossings and the points of the rims that are deepest in the other
// disc. Discs that nearly touch from inside count as one in the other.
void common_of_discs(const Feature& reference, const Feature& incident, const Vec3& n,
                     double margin, ClipList& list) {
  constexpr std::uint32_t kOfReference = 0x100, kOfRims = 0x200;
  // Centres less far apart, as a part of the radius, have no direction from one to the other.
  constexpr double kAside = 0.05;
  const double radius = reference.radius(), other = incident.radius();
  const auto add = [&](const Vec3& x, std::uint32_t id, int corner) {
    ClipPoint p;
    p.point = x;
    p.incident = id;
    p.corner = corner;
    p.beside = true;
    list.add(p);
  };
  for (int i = 0; i < incident.count; ++i) {
    const Vec3& x = incident.corner[i].point;
    if (norm(onto_plane(reference, n, x) - reference.center) <= radius + margin)
      add(x, incident.corner[i].id, i);
  }
  const auto add_over = [&](const Vec3& y, std::uint32_t id) {
    const Vec3 x = onto_plane(incident, n, y);
    if (norm(x - incident.center) <= other + margin) add(onto_disc(incident, x), id, -1);
  };
  for (int i = 0; i < reference.count; ++i)
    add_over(reference.corner[i].point, kOfReference + reference.corner[i].id);
  const Vec3 between = flattened(incident.center - reference.center, n);
  const double d = norm(between);
  if (!(d > std::fabs(radius - other) + margin)) return;
  const Vec3 across = between / d, along = cross(n, across);
  const double place = 0.5 * (d + (radius - other) * (radius + other) / d);
  const double half = std::sqrt(std::max((radius - place) * (radius + place), 0.0));
  const Vec3 middle = reference.center + across * place;
  for (const double side : {1.0, -1.0}) {
    const Vec3 crossing = onto_plane(incident, n, middle + along * (side * half));
    add(onto_disc(incident, crossing), kOfRims + (side > 0.0 ? 0 : 1), -1);
  }
  if (!(d > kAside * std::min(radius, other))) return;
  add_over(
      onto_disc(reference, onto_plane(reference, n, reference.center + across * (2.0 * radius))),
      kOfRims + 2);
  add(onto_disc(incident, onto_plane(incident, n, incident.center - across * (2.0 * other))),
      kOfRims + 3, -1);
}

std::uint64_t feature_id(std::uint32_t face_a, std::uint32_t face_b, std::uint32_t incident,
                         std::uint32_t reference) {
  const auto bits = [](std::uint32_t v) { return static_cast<std::uint64_t>(v & 0xffffu); };
  return (bits(face_a) << 48u) | (bits(face_b) << 32u) | (bits(incident) << 16u) | bits(reference);
}

// A witness of B, on its surface. Of an overlap a search finds points between the corners of a
// simplex, which are inside of curved bodies, or of any when it stopped early: those that are not
// as far along the normal as the farthest move to the surface.
Vec3 witness_of_b(const Cso& cso, const Vec3& n, const Vec3& point, const Vec3& farthest) {
  if (cso.b.kind != CoreKind::point && !(dot(n, point - farthest) > kInside * cso.rounding))
    return point;
  const Vec3 core = transpose_times(cso.rotation, point + n * cso.b.radius - cso.translation);
  const SurfacePoint on = onto_core_surface(cso.b, core, -transpose_times(cso.rotation, n));
  return cso.rotation * (on.point + on.normal * cso.b.radius) + cso.translation;
}
Vec3 witness_of_a(const Cso& cso, const Vec3& n, const Vec3& point, const Vec3& farthest) {
  if (cso.a.kind != CoreKind::point && !(dot(n, farthest - point) > kInside * cso.rounding))
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
  if (answer.status != Status::converged) return cso.rounding;
  return (is_custom(cso) ? kConsistentCustom : kConsistent) *
         (cso.size() + (cso.a.radius + cso.b.radius));
}

// The witness pair, on the surfaces. Points that are not as deep as the bodies are along n give way
// to the farthest points along n.
PatchPoint witness(const Cso& cso, const ConvexAnswer& answer) {
  const Vec3& n = answer.n;
  const SupportPoint farthest = cso.grown_support(n);
  PatchPoint p{witness_of_a(cso, n, answer.point_a, farthest.a),
               witness_of_b(cso, n, answer.point_b, farthest.b), 0.0,
               feature_id(0xffff, 0xffff, 0, 0)};
  // Nor do those of a body known by its support function alone, if they are apart where it is not.
  const double depth = dot(n, p.a - p.b);
  if (dot(n, farthest.a - farthest.b) - depth > consistent(cso, answer) ||
      (is_custom(cso) && depth < std::min(-answer.distance, 0.0) - cso.rounding)) {
    p.a = farthest.a;
    p.b = farthest.b;
  }
  p.depth = dot(n, p.a - p.b);
  return p;
}

// The same of a half-space, A, whose surface is n . x = plane.
PatchPoint plane_witness(const Cso& cso, const ConvexAnswer& answer, double plane) {
  const Vec3& n = answer.n;
  const Vec3 farthest = cso.grown_support(n).b;
  PatchPoint p{
      {}, witness_of_b(cso, n, answer.point_b, farthest), 0.0, feature_id(0xffff, 0xffff, 0, 0)};
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

// Of a disc that touches all round, the square nearest to the axis in place of all corners: that
// which `keep_four` would choose, for the sum of its weights grows with the cosine of four times
// the angle between the axis and a corner.
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

// Faces that look at each other, a line on a face, or two lines side by side.
bool support_each_other(const Feature& a, const Feature& b) {
  if (a.count < 2 || b.count < 2) return false;
  if (std::max(a.alignment, b.alignment) >= kAlignedCosine) return true;
  return a.is_line() && b.is_line() &&
         norm(cross(normalized(a.along()), normalized(b.along()))) <= kAlignedSine;
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
  // Of discs the larger one, over which the other may be as a whole.
  if (a.is_disc && std::fabs(a.radius() - b.radius()) > margin) return a.radius() > b.radius();
  return !decided_by_b(n, cso.rotation);
}

// The normal by which features are seen; `side`: 1 for a reference feature of A, else -1.
Vec3 facing(const Feature& reference, double side, const Vec3& n) {
  if (!reference.is_polygon() || reference.head != reference.tail) return n;
  const Vec3 normal = reference.normal * side;
  return squared_norm(normal - n) <= kSameNormal * kSameNormal ? normal : n;
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

}  // namespace

Vec3 onto_rounded(const Core& core, const Mat3& rotation, const Vec3& translation,
                  const Vec3& outward, const Vec3& point) {
  if (!core.is_polytope() || core.kind <= CoreKind::segment || !(core.radius > 0.0)) return point;
  const Vec3 seen = point - translation;
  const Vec3 own = transpose_times(rotation, outward);
  const Vec3 local = transpose_times(rotation, seen) - own * core.radius;
  if (std::fabs(dot(own, support(core, own).point - local)) <= kLack * (core.reach + core.radius))
    return point;
  const Cso from_point(Core{}, core, rotation, -seen);
  Simplex simplex;
  const GjkResult found = gjk(from_point, simplex, -outward, {});
  if (found.outcome != GjkOutcome::separated || found.upper - found.lower > from_point.rounding)
    return point;
  const Vec3 to_core = simplex.closest_b();
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
  keep_four(points.point, points.count,
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
  if (!support_each_other(fa, fb)) return out.add(witness(cso, answer));
  const double margin = std::max(kSameLength * size, 4.0 * cso.rounding);
  const bool reference_is_a = is_reference_a(fa, fb, cso, n, margin);
  const Feature& reference = reference_is_a ? fa : fb;
  const Vec3 up = facing(reference, reference_is_a ? 1.0 : -1.0, n);
  const Surface sa = Surface::of_a(fa, cso, up), sb = Surface::of_b(fb, cso, -up);
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
    PatchPoint p;
    p.a = sa.point(reference_is_a ? over : c.point, c, reference_is_a);
    p.b = sb.point(reference_is_a ? c.point : over, c, !reference_is_a);
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
      points.point, points.count,
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
