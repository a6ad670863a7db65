#include "tactus/narrow/pair/box_patch.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/narrow/pair/supporting_feature.hpp"

namespace tactus::detail {
namespace {

// The signs of a face's corners along its first and second axis, counter-clockwise.
constexpr double kFirst[4] = {1.0, -1.0, -1.0, 1.0};
constexpr double kSecond[4] = {1.0, 1.0, -1.0, -1.0};

struct Triple {
  double x[3];
  explicit Triple(const Vec3& v) : x{v.x, v.y, v.z} {}
  double operator[](int i) const { return x[i]; }
};

double clamped(double x, double half) { return std::max(std::min(x, half), -half); }

double greatest(const Vec3& m) { return std::max(std::max(m.x, m.y), m.z); }

// The face of a box that looks most along a direction, and its axes in their order.
struct Face {
  int first, second, axis;
  double side;  ///< 1 or -1: where along the axis it lies
  explicit Face(const Vec3& along) {
    const Vec3 m = component_abs(along);
    // No branches: they are hard to predict.
    const int last = m.y >= m.z ? 1 : 2;
    axis = ((m.x >= m.y) & (m.x >= m.z)) ? 0 : last;
    first = axis == 2 ? 0 : axis + 1;
    second = axis == 0 ? 2 : axis - 1;
    side = Triple(along)[axis] >= 0.0 ? 1.0 : -1.0;
  }
  std::uint32_t id() const { return static_cast<std::uint32_t>(2 * axis) + behind(); }
  // A bit for each axis along which the corner lies at the negative end.
  std::uint32_t corner_id(std::uint32_t i) const {
    return behind() << axis | (((i + 1u) >> 1u) & 1u) << first | ((i >> 1u) ^ behind()) << second;
  }

 private:
  std::uint32_t behind() const { return std::signbit(side) ? 1u : 0u; }
};

// A direction or place by the axes of the reference face: u and v along its sides, w outwards. They
// are right-handed.
struct Place {
  double u, v, w;
};
Place seen(const Face& face, const Triple& x) {
  return {x[face.first], face.side * x[face.second], face.side * x[face.axis]};
}
// A point of the incident face: u and v of the place over it on the reference face's plane, w its
// own.
struct Point {
  Place at;
  std::uint32_t corner;     ///< that it is, or that its edge starts from
  std::uint32_t reference;  ///< one more than the edge of the reference face that cut it, or 0
};
struct List {
  Uncleared<Point, FlatView::kMostPoints> item;
  int count = 0;
  void add(const Point& p) { item[count++] = p; }
};

// Clips away what lies beyond a side of the reference face by more than the margin (Sutherland and
// Hodgman). `beyond`: the coordinate across that side, less that of the side.
template <class Beyond>
void clip(const List& list, double margin, std::uint32_t edge, const Beyond& beyond, List& out) {
  out.count = 0;
  double next = beyond(list.item[0].at);
  const double first = next;
  for (int i = 0; i < list.count; ++i) {
    const bool last = i + 1 == list.count;
    const Point& p = list.item[i];
    const Point& q = list.item[last ? 0 : i + 1];
    const double dp = next, dq = last ? first : beyond(q.at);
    next = dq;
    if (dp <= margin) out.add(p);
    if ((dp <= margin) == (dq <= margin)) continue;
    const double at = dp < 0.0 || dq < 0.0 ? 0.0 : margin;
    const double part = (dp - at) / (dp - dq);
    out.add({{p.at.u + (q.at.u - p.at.u) * part, p.at.v + (q.at.v - p.at.v) * part,
              p.at.w + (q.at.w - p.at.w) * part},
             p.corner,
             edge + 1});
  }
}

// The sides in their order: those that no corner is beyond cut nothing.
const List& clip_by_sides(double half_u, double half_v, double margin, List& list, List& other) {
  const Point* const p = list.item.data();
  const double u[4] = {p[0].at.u, p[1].at.u, p[2].at.u, p[3].at.u};
  const double v[4] = {p[0].at.v, p[1].at.v, p[2].at.v, p[3].at.v};
  const auto most = [](const double* x) {
    return std::max(std::max(x[0], x[1]), std::max(x[2], x[3]));
  };
  const auto least = [](const double* x) {
    return std::min(std::min(x[0], x[1]), std::min(x[2], x[3]));
  };
  List *from = &list, *to = &other;
  const auto cut = [&](double farthest, std::uint32_t edge, const auto& beyond) {
    if (!(farthest > margin) || from->count == 0) return;
    clip(*from, margin, edge, beyond, *to);
    std::swap(from, to);
  };
  cut(most(v) - half_v, 0, [&](const Place& x) { return x.v - half_v; });
  cut(-least(u) - half_u, 1, [&](const Place& x) { return -x.u - half_u; });
  cut(-least(v) - half_v, 2, [&](const Place& x) { return -x.v - half_v; });
  cut(most(u) - half_u, 3, [&](const Place& x) { return x.u - half_u; });
  return *from;
}

// The face of a box by which a face of another one is clipped, in the frame of the first.
class FacePair {
 public:
  // `out`: unit, from the reference's box to the other one. `entry(i, j)`: coordinate i of the
  // other box's axis j.
  template <class Entry>
  FacePair(const Face& reference, const Vec3& half, const Vec3& out, const Face& incident,
           const Vec3& half_of_other, const Entry& entry, const Vec3& place_of_other)
      : reference_(reference), incident_(incident), out_(seen(reference, Triple(out))) {
    const Triple h(half);
    half_ = {h[reference.first], h[reference.second], h[reference.axis]};
    // Over a gap within its noise, the normal is that of the reference face.
    const double w = out_.w - 1.0;
    if ((out_.u * out_.u + out_.v * out_.v) + w * w > kFaceNormalsAlike * kFaceNormalsAlike) {
      slope_u_ = out_.u / out_.w;
      slope_v_ = out_.v / out_.w;
    }
    const Triple other(half_of_other);
    const auto axis = [&](int j, double length) {
      const double turned = reference.side * length;
      return Place{entry(reference.first, j) * length, entry(reference.second, j) * turned,
                   entry(reference.axis, j) * turned};
    };
    Place center = seen(reference, Triple(place_of_other));
    const Place to_face = axis(incident.axis, incident.side * other[incident.axis]);
    Place first = axis(incident.first, other[incident.first]);
    Place second = axis(incident.second, incident.side * other[incident.second]);
    center = {center.u + to_face.u, center.v + to_face.v, center.w + to_face.w};
    center.u += slope_u_ * (half_.w - center.w);
    center.v += slope_v_ * (half_.w - center.w);
    first.u -= slope_u_ * first.w;
    first.v -= slope_v_ * first.w;
    second.u -= slope_u_ * second.w;
    second.v -= slope_v_ * second.w;
    for (int i = 0; i < 4; ++i) {
      corners_.item[i] = {{center.u + (kFirst[i] * first.u + kSecond[i] * second.u),
                           center.v + (kFirst[i] * first.v + kSecond[i] * second.v),
                           center.w + (kFirst[i] * first.w + kSecond[i] * second.w)},
                          static_cast<std::uint32_t>(i),
                          0};
    }
    corners_.count = 4;
  }

  // The points over the reference face that are as deep as minus the threshold. Their greatest
  // depth.
  double clip_corners(double margin, double threshold) {
    List other;
    const List& all = clip_by_sides(half_.u, half_.v, margin, corners_, other);
    double deepest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < all.count; ++i) {
      const Point& p = all.item[i];
      Found& f = found_[count_];
      f.over_u = clamped(p.at.u, half_.u);
      f.over_v = clamped(p.at.v, half_.v);
      const double gap = half_.w - p.at.w;
      f.on = {p.at.u - slope_u_ * gap, p.at.v - slope_v_ * gap, p.at.w};
      f.depth = (out_.u * (f.over_u - f.on.u) + out_.v * (f.over_v - f.on.v)) + out_.w * gap;
      f.corner = p.corner;
      f.reference = p.reference;
      count_ += f.depth >= -threshold ? 1 : 0;
      deepest = std::max(deepest, f.depth);
    }
    return deepest;
  }

  // At most four of the points. `axis`: that of the choice between equal ones.
  void keep(const Vec3& axis, double size, bool reference_is_a, Patch& patch) const {
    int kept[Patch::kCapacity] = {0};
    patch.count = count_ > 1 ? keep_some(axis, size, reference_is_a, kept) : count_;
    const std::uint32_t ids = reference_is_a ? reference_.id() << 16u | incident_.id()
                                             : incident_.id() << 16u | reference_.id();
    for (int i = 0; i < patch.count; ++i) {
      const Found& f = found_[kept[i]];
      PatchPoint& p = patch.point[i];
      (reference_is_a ? p.a : p.b) = {f.over_u, f.over_v, half_.w};
      (reference_is_a ? p.b : p.a) = {f.on.u, f.on.v, f.on.w};
      p.depth = f.depth;
      const std::uint32_t corners = incident_.corner_id(f.corner) << 16u | f.reference;
      p.feature =
          static_cast<std::uint64_t>(ids) << 32u | (corners ^ (reference_is_a ? 0u : 0x8000u));
    }
  }

 private:
  // The points of both faces, and n . (a - b).
  struct Found {
    double over_u, over_v;  ///< of the reference face
    Place on;               ///< of the incident face
    double depth;
    std::uint32_t corner, reference;  ///< as in Point
  };

  // Seen along n, the incident face's corners go clockwise about the reference's normal.
  int keep_some(const Vec3& axis, double size, bool reference_is_a, int* kept) const {
    const Place along = seen(reference_, Triple(axis));
    const double part = (along.u * out_.u + along.v * out_.v) + along.w * out_.w;
    const double turn = reference_is_a ? 1.0 : -1.0;
    Uncleared<FlatPoint, FlatView::kMostPoints> ring;
    for (int i = 0; i < count_; ++i) {
      const Found& f = found_[i];
      // Midway between both points, and the place over it.
      const double gap = 0.5 * (half_.w - f.on.w);
      const double u = 0.5 * (f.on.u + f.over_u), v = 0.5 * (f.on.v + f.over_v);
      ring[reference_is_a ? count_ - 1 - i : i] = {u + slope_u_ * gap, turn * (v + slope_v_ * gap),
                                                   (along.u * u + along.v * v) - along.w * gap,
                                                   f.depth};
    }
    const FlatView view{along.u - part * out_.u, turn * (along.v - part * out_.v), size};
    const int n = keep_four(ring.data(), count_, view, kept);
    if (reference_is_a) {
      for (int i = 0; i < n; ++i) kept[i] = count_ - 1 - kept[i];
    }
    return n;
  }

  const Face &reference_, &incident_;
  Place half_, out_;
  double slope_u_ = 0.0, slope_v_ = 0.0;  ///< of the normal beside that of the reference face
  List corners_;
  Uncleared<Found, FlatView::kMostPoints> found_;
  int count_ = 0;
};

// By the rules of `make_patch`, from how well the faces are aligned.
bool is_reference_a(double a, double b, bool axis_of_b) {
  const bool plane_a = a >= kAlignedCosine, plane_b = b >= kAlignedCosine;
  if (plane_a != plane_b) return plane_a;
  if (std::fabs(a - b) > kSameAlignment) return a > b;
  return !axis_of_b;
}

}  // namespace

BoxPatchKind make_box_patch(const BoxPair& boxes, const BoxAnswer& answer, double threshold,
                            BoxPatch& out) {
  if (!is_wide_box(boxes.half_a, boxes.rounding) || !is_wide_box(boxes.half_b, boxes.rounding))
    return BoxPatchKind::undecided;
  const Vec3& n = answer.n;
  const Vec3 against = -transpose_times(boxes.rotation, n);
  const double aligned_a = greatest(component_abs(n));
  const double aligned_b = greatest(component_abs(against));
  if (std::max(aligned_a, aligned_b) < kAlignedCosine) return BoxPatchKind::witness;
  const Face a(n), b(against);
  // As `decided_by_b`.
  const bool axis_of_b = dot(kUneven, against) > dot(kUneven, n) + kAlike;
  const bool by_a = is_reference_a(aligned_a, aligned_b, axis_of_b);
  const double margin = std::max(kSameLength * answer.size, 4.0 * boxes.rounding);
  const Vec3* const rows = boxes.rotation.row;
  const double entries[9] = {rows[0].x, rows[0].y, rows[0].z, rows[1].x, rows[1].y,
                             rows[1].z, rows[2].x, rows[2].y, rows[2].z};
  const int step = by_a ? 3 : 1, turn = by_a ? 1 : 3;
  FacePair faces(
      by_a ? a : b, by_a ? boxes.half_a : boxes.half_b, by_a ? n : against, by_a ? b : a,
      by_a ? boxes.half_b : boxes.half_a,
      [&](int i, int j) { return entries[i * step + j * turn]; },
      by_a ? boxes.translation : -transpose_times(boxes.rotation, boxes.translation));
  const double deepest = faces.clip_corners(margin, threshold);
  // Boxes that touch may be apart by a rounding at the deepest point.
  const double least = std::max(-threshold, -answer.distance - kEqualDepth * answer.size);
  if (!(deepest >= least)) return BoxPatchKind::undecided;
  Vec3 axis = kUneven;
  if (axis_of_b && by_a) axis = boxes.rotation * axis;
  if (!axis_of_b && !by_a) axis = transpose_times(boxes.rotation, axis);
  faces.keep(axis, answer.size, by_a, out.patch);
  const Face& reference = by_a ? a : b;
  out.of_b = !by_a;
  out.first = reference.first;
  out.second = reference.second;
  out.axis = reference.axis;
  out.side = reference.side;
  return BoxPatchKind::points;
}

}  // namespace tactus::detail
