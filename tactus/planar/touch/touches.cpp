#include "tactus/planar/touch/touches.hpp"

#include <bit>
#include <limits>

#include "tactus/core/constants.hpp"
#include "tactus/math/expansion.hpp"
#include "tactus/planar/region/access.hpp"
#include "tactus/planar/region/boundary.hpp"
#include "tactus/planar/region/poses.hpp"
#include "tactus/planar/region/segment_lanes.hpp"
#include "tactus/planar/touch/angle_of.hpp"

namespace tactus::planar {
namespace {

using detail::dot_sign;
using detail::kUnit;
using detail::orientation;

Vec2 unit(const Vec2& v) {
  const double largest = std::fmax(std::fabs(v.x), std::fabs(v.y));
  if (!(largest > 0.0)) return {1.0, 0.0};
  const Vec2 scaled = v / largest;
  return scaled / norm(scaled);
}

// Lengths whose squares neither overflow nor lose digits need no scaling.
constexpr double kPlain = 1e-140;
// Bound of what underflow takes from products.
constexpr double kLeast = 1e-290;

Vec2 right_normal(const Vec2& direction) { return unit({direction.y, -direction.x}); }

/// One contour and a centre in its frame.
class Toucher {
 public:
  Toucher(const Contour& contour, const Vec2& centre) : c_(contour), centre_(centre) {}

  // Signs of the foot's place against both ends of the segment, exact.
  bool past_start(std::size_t i) const {
    return dot_sign({c_.start(i), centre_}, {c_.start(i), c_.end(i)}) > 0;
  }
  bool before_end(std::size_t i) const {
    return dot_sign({c_.end(i), centre_}, {c_.end(i), c_.start(i)}) > 0;
  }
  bool has_length(std::size_t i) const { return !(c_.start(i) == c_.end(i)); }
  double length(std::size_t i) const { return detail::PlanarAccess::lanes(c_).length(i); }

  // The neighbours with a length; c_.segments() beyond the ends of an open contour.
  std::size_t neighbour(std::size_t i, bool forwards) const {
    const std::size_t n = c_.segments();
    std::size_t k = i;
    for (std::size_t step = 1; step < n; ++step) {
      const bool around = k == (forwards ? n - 1 : 0);
      if (around && !c_.closed()) return n;
      k = forwards ? (around ? 0 : k + 1) : (around ? n : k) - 1;
      if (has_length(k)) return k;
    }
    return n;
  }

  /// Certainly farther than the root of `square`, by more than the rounding of the products.
  bool is_far(std::size_t i, double square) const {
    const Vec2 &a = c_.start(i), &b = c_.end(i), s = b - a, o = centre_ - a;
    const double along = dot(o, s), length = dot(s, s);
    if (along <= 0.0) return dot(o, o) > square;
    if (along >= length) {
      const Vec2 e = centre_ - b;
      return dot(e, e) > square;
    }
    const double left = o.x * s.y, right = o.y * s.x;
    const double height =
        std::fabs(left - right) - 16.0 * kUnit * (std::fabs(left) + std::fabs(right));
    return height > 0.0 && height * height > square * length;
  }

  /// Adds the touches on segment i, its start included, its end only where an open contour ends.
  void touch(std::size_t i, double reach, std::vector<Touch>& out) const {
    if (!has_length(i)) return;
    const std::size_t n = c_.segments();
    const bool past = past_start(i), before = before_end(i);
    if (past && before) return add_foot(i, reach, out);
    if (!past) {
      const std::size_t previous = neighbour(i, false);
      if (previous == n) return add_end(i, c_.start(i), 0.0, reach, out);
      if (!before_end(previous)) add_convex(previous, i, reach, out);
    } else if (neighbour(i, true) == n) {
      add_end(i, c_.end(i), length(i), reach, out);
    }
  }

  /// Segments from `first` on, after a look at them.
  void touch_all(std::size_t first, detail::SegmentLanes::Look look, double reach,
                 std::vector<Touch>& out) const {
    for (std::size_t i = first; look.touched != 0; ++i, look.touched >>= 1, look.feet >>= 1) {
      if ((look.touched & look.feet & 1) != 0) {
        add_foot(i, reach, out);
      } else if ((look.touched & 1) != 0) {
        touch(i, reach, out);
      }
    }
  }

  /// Tells which feet lie beside another one at a corner that opens towards the centre.
  void mark_concave(double reach, std::span<Touch> found) const {
    if (found.size() < 2) return;
    std::size_t last = found.back().segment;
    bool beside = !detail::PlanarAccess::lanes(c_).plain();
    for (const Touch& t : found) {
      beside = beside || t.segment == (last + 1 == c_.segments() ? 0 : last + 1);
      last = t.segment;
    }
    if (!beside) return;
    for (Touch& t : found) {
      const std::size_t i = t.segment;
      if (t.kind != TouchKind::segment || !past_start(i) || !before_end(i)) continue;
      if (is_concave(i, height(i), reach)) t.kind = TouchKind::concave;
    }
  }

  /// The foot of the perpendicular, which lies on segment i.
  void add_foot(std::size_t i, double reach, std::vector<Touch>& out) const {
    const double h = height(i);
    if (!(std::fabs(h) <= reach)) return;
    const Vec2 s = c_.end(i) - c_.start(i);
    const double whole = length(i);
    const Vec2 right = whole > kPlain ? Vec2{s.y, -s.x} / whole : right_normal(s);
    Touch& t = out.emplace_back();
    t.segment = i;
    t.part = dot(centre_ - c_.start(i), s) / whole;
    // From the nearer end, so that the place errs by roundings of the distance from it.
    const bool first_half = 2.0 * t.part <= whole;
    t.point = first_half ? c_.start(i) + s * (t.part / whole)
                         : c_.end(i) + s * (dot(centre_ - c_.end(i), s) / dot(s, s));
    t.normal = h < 0.0 ? -right : right;
    t.depth = -std::fabs(h);
    t.kind = TouchKind::segment;  // or concave, which all touches together tell
  }

  /// The start of segment i, which is a corner that the centre lies before and not on.
  void add_convex_corner(std::size_t i, double reach, std::vector<Touch>& out) const {
    add_corner(i, c_.start(i), 0.0, TouchKind::convex, [] { return Vec2{1.0, 0.0}; }, reach, out);
  }

 private:
  // Signed distance from the segment's line, positive to the right: from its nearer end, so that
  // the products are as small as they can be.
  double height(std::size_t i) const {
    const Vec2 s = c_.end(i) - c_.start(i);
    const Vec2 from_start = centre_ - c_.start(i), from_end = centre_ - c_.end(i);
    const Vec2 o = dot(from_start, from_start) <= dot(from_end, from_end) ? from_start : from_end;
    const double product = cross(o, s);
    const double terms = std::fabs(o.x * s.y) + std::fabs(o.y * s.x);
    // Where the terms cancel, the exact sign, and two more roundings, decide the side.
    if (std::fabs(product) > 1e-10 * terms) return product / length(i);
    return accurate_cross(i) / length(i);
  }

  [[gnu::noinline]] double accurate_cross(std::size_t i) const {
    using detail::Expansion;
    using detail::two_difference;
    const Vec2 a = c_.start(i), b = c_.end(i);
    const Expansion<2> ox(two_difference(centre_.x, a.x)), oy(two_difference(centre_.y, a.y));
    const Expansion<2> sx(two_difference(b.x, a.x)), sy(two_difference(b.y, a.y));
    return (ox * sy - oy * sx).estimate();
  }

  // The next or previous segment is touched too, and turns towards the centre.
  bool is_concave(std::size_t i, double h, double reach) const {
    for (const bool forwards : {false, true}) {
      const std::size_t k = neighbour(i, forwards);
      if (k == c_.segments() || k == i || !past_start(k) || !before_end(k)) continue;
      const std::size_t first = forwards ? i : k, second = forwards ? k : i;
      const int side = orientation(c_.start(first), c_.end(first), c_.end(second));
      if (side != 0 && (h < 0.0) == (side > 0) && std::fabs(height(k)) <= reach) return true;
    }
    return false;
  }

  void add_convex(std::size_t previous, std::size_t i, double reach,
                  std::vector<Touch>& out) const {
    const Vec2 in = c_.end(previous) - c_.start(previous), along = c_.end(i) - c_.start(i);
    const bool straight =
        detail::turn({c_.start(previous), c_.end(previous)}, {c_.start(i), c_.end(i)}) == 0 &&
        dot(in, along) > 0.0;
    add_corner(
        i, c_.start(i), 0.0, straight ? TouchKind::segment : TouchKind::convex,
        [&] { return unit(right_normal(in) + right_normal(along)); }, reach, out);
  }

  void add_end(std::size_t i, const Vec2& p, double part, double reach,
               std::vector<Touch>& out) const {
    add_corner(
        i, p, part, TouchKind::end, [&] { return right_normal(c_.end(i) - c_.start(i)); }, reach,
        out);
  }

  // `on_it` gives the normal of a centre on the corner.
  template <class OnIt>
  void add_corner(std::size_t i, const Vec2& p, double part, TouchKind kind, OnIt&& on_it,
                  double reach, std::vector<Touch>& out) const {
    const Vec2 d = centre_ - p;
    const double length = norm(d);
    if (!(length <= reach)) return;
    Touch& t = out.emplace_back();
    t.segment = i;
    t.part = part;
    t.point = p;
    t.normal = length > kPlain ? d / length : length > 0.0 ? unit(d) : on_it();
    t.depth = -length;
    t.kind = kind;
  }

  const Contour& c_;
  Vec2 centre_;
};

// Touches of one contour in its own frame; `depth` is minus the distance.
void local_touches(const Contour& contour, const Vec2& centre, double reach,
                   std::vector<Touch>& out) {
  const Toucher toucher(contour, centre);
  const std::size_t before = out.size();
  const detail::SegmentLanes& lanes = detail::PlanarAccess::lanes(contour);
  const detail::SegmentLanes::Query query = lanes.query(centre, reach);
  detail::PlanarAccess::tree(contour).visit_near(centre, reach,
                                                 [&](std::size_t first, std::size_t end) {
                                                   if (!lanes.plain()) {
                                                     for (std::size_t i = first; i < end; ++i) {
                                                       if (!toucher.is_far(i, query.square))
                                                         toucher.touch(i, reach, out);
                                                     }
                                                     return;
                                                   }
                                                   auto look = lanes.look(first, query);
                                                   if (first + 2 < end)
                                                     look.add(lanes.look(first + 2, query), 2);
                                                   look.touched &= (1U << (end - first)) - 1U;
                                                   toucher.touch_all(first, look, reach, out);
                                                 });
  toucher.mark_concave(reach, std::span<Touch>(out).subspan(before));
}

/// How a point lies before and behind the edges of a small convex region.
struct Heights {
  std::size_t farthest = 0;  ///< the first edge that it is farthest before
  unsigned behind = 0;       ///< a bit for each edge that it may be behind by at most the reach
};

Heights heights_over(const detail::Corners& ring, const Vec2& p, double error, double reach) {
  using namespace detail::two_doubles;
  const Lanes x = all(p.x), y = all(p.y), above = all(error), below = all(-(reach + error));
  Lanes heights[detail::kSmallConvex / 2];
  Lanes most = all(-std::numeric_limits<double>::infinity());
  const std::size_t count = ring.filled();
  Heights result;
  for (std::size_t i = 0; i < count; i += 2) {
    const Lanes h =
        (x * load(ring.normal_x + i) + y * load(ring.normal_y + i)) - load(ring.height + i);
    heights[i / 2] = h;
    most = greater(h, most);
    result.behind |= bits_of(at_most(h, above) & at_most(below, h)) << i;
  }
  result.behind &= (1U << ring.size) - 1U;
  const Lanes limit = all(std::max(most[0], most[1]));
  unsigned found = 0;
  for (std::size_t i = 0; i < count; i += 2) found |= bits_of(at_most(limit, heights[i / 2])) << i;
  result.farthest = std::min(static_cast<std::size_t>(std::countr_zero(found)), ring.size - 1);
  return result;
}

/// The edge of a small convex region and where along it a point stands, beyond rounding.
struct Along {
  bool after_start, before_start, before_end, after_end;
  Along(const Vec2& from, const Vec2& to, const Vec2& p, double error) {
    const Vec2 s = to - from;
    const double past_from = dot(p - from, s), past_to = dot(p - to, s);
    after_start = past_from > error;
    before_start = past_from < -error;
    before_end = past_to < -error;
    after_end = past_to > error;
  }
};

// Touches of a small convex region by a centre that certainly lies before one of its edges, or
// before one of its corners: that place is the nearest one, and others in reach can only be feet on
// edges that the centre is behind. False where there may be any, and of other regions.
bool convex_from_outside(const Region& region, const Vec2& centre, double reach,
                         std::vector<Touch>& out) {
  const detail::Boundary& boundary = detail::PlanarAccess::boundary(region);
  const Contour& contour = region.contours()[0];
  if (!boundary.small_convex || !detail::PlanarAccess::lanes(contour).plain()) return false;
  const detail::Corners& ring = boundary.corners;
  // Rounding of heights, and of the products of lengths below.
  const double size = ring.extent + std::max(std::fabs(centre.x), std::fabs(centre.y));
  const double height_error = 64.0 * kUnit * size, error = height_error * size + kLeast;
  const Heights heights = heights_over(ring, centre, height_error, reach);
  const auto along = [&](std::size_t edge) {
    return Along(ring.at(edge), ring.at(ring.next(edge)), centre, error);
  };
  for (unsigned rest = heights.behind; rest != 0; rest &= rest - 1) {
    const Along there = along(static_cast<std::size_t>(std::countr_zero(rest)));
    if (!there.before_start && !there.after_end) return false;
  }
  const std::size_t n = ring.size, edge = heights.farthest;
  const Vec2 from = ring.at(edge);
  if (!(cross(centre - from, ring.at(ring.next(edge)) - from) > error)) return false;
  const Toucher toucher(contour, centre);
  // The contour may run the other way round.
  const bool reversed = region.interior_is_right(0);
  const Along there = along(edge);
  if (there.after_start && there.before_end) {
    const std::size_t i = !reversed ? edge : (edge + 1 == n ? n : n - 1 - edge) - 1;
    toucher.add_foot(i, reach, out);
    return true;
  }
  if (there.after_end) {
    const std::size_t corner = ring.next(edge);
    if (!along(corner).before_start) return false;
    toucher.add_convex_corner(reversed ? n - 1 - corner : corner, reach, out);
    return true;
  }
  if (!there.before_start || !along(ring.previous(edge)).after_end) return false;
  toucher.add_convex_corner(reversed ? n - 1 - edge : edge, reach, out);
  return true;
}

void to_world(double radius, const Pose2& pose, std::span<Touch> found) {
  for (Touch& t : found) {
    t.point = pose.to_world(t.point);
    t.normal = pose.direction_to_world(t.normal);
    t.depth = radius + t.depth;
  }
}

void add_angles(std::span<Touch> found) {
  for (Touch& t : found) t.angle = detail::angle_of(t.normal);
}

}  // namespace

}  // namespace tactus::planar

namespace tactus::detail {

Status touches_without_angles(const Circle& circle, const Pose2& pose_circle,
                              const Contour& contour, const Pose2& pose_contour,
                              std::vector<Touch>& out, double threshold) {
  out.clear();
  if (!can_place(pose_circle, pose_contour)) return Status::invalid_input;
  local_touches(contour, pose_contour.to_local(pose_circle.position()), circle.radius() + threshold,
                out);
  to_world(circle.radius(), pose_contour, out);
  return Status::converged;
}

Status touches_without_angles(const Circle& circle, const Pose2& pose_circle, const Region& region,
                              const Pose2& pose_region, std::vector<Touch>& out, double threshold) {
  out.clear();
  if (!can_place(pose_circle, pose_region)) return Status::invalid_input;
  const Vec2 centre = pose_region.to_local(pose_circle.position());
  if (convex_from_outside(region, centre, circle.radius() + threshold, out)) {
    to_world(circle.radius(), pose_region, out);
    return Status::converged;
  }
  const bool inside = detail::location(centre, detail::PlanarAccess::boundary(region), {}) > 0;
  const auto collect = [&](double reach) {
    for (std::size_t k = 0; k < region.contours().size(); ++k) {
      const std::size_t first = out.size();
      local_touches(region.contours()[k], centre, reach, out);
      for (std::size_t i = first; i < out.size(); ++i) {
        out[i].contour = k;
        // A centre on the boundary takes the right normal, which leads outwards only where the
        // interior lies to the left.
        if (out[i].depth == 0.0 && region.interior_is_right(k)) out[i].normal = -out[i].normal;
      }
    }
  };
  collect(circle.radius() + threshold);
  if (inside && out.empty()) {
    collect(std::numeric_limits<double>::max());
    double least = std::numeric_limits<double>::infinity();
    for (const Touch& t : out) least = std::fmin(least, -t.depth);
    // Kinds are those among the places told.
    out.clear();
    collect(least);
  }
  for (Touch& t : out) {
    if (!inside) continue;
    t.normal = -t.normal;
    t.depth = -t.depth;
  }
  to_world(circle.radius(), pose_region, out);
  return Status::converged;
}

}  // namespace tactus::detail

namespace tactus::planar {

Status touches(const Circle& circle, const Pose2& pose_circle, const Contour& contour,
               const Pose2& pose_contour, std::vector<Touch>& out, double threshold) {
  const Status status =
      detail::touches_without_angles(circle, pose_circle, contour, pose_contour, out, threshold);
  add_angles(out);
  return status;
}

Status touches(const Circle& circle, const Pose2& pose_circle, const Region& region,
               const Pose2& pose_region, std::vector<Touch>& out, double threshold) {
  const Status status =
      detail::touches_without_angles(circle, pose_circle, region, pose_region, out, threshold);
  add_angles(out);
  return status;
}

}  // namespace tactus::planar
