#include <string>
#include <utility>

#include "tactus/core/constants.hpp"
#include "tactus/math/sine.hpp"
#include "tactus/planar/region/access.hpp"
#include "tactus/planar/region/boundary.hpp"
#include "tactus/planar/region/segment_lanes.hpp"
#include "tactus/planar/region/small_convex.hpp"

namespace tactus::planar {
namespace {

// Threefold products and squared lengths neither overflow nor lose the exactness of predicates.
constexpr double kLargest = 1e90;
constexpr double kLargestAngle = 1e6;

detail::Box2 box_of_segment(const Contour& c, std::size_t i) {
  return detail::box_of(c.start(i), c.end(i));
}

void check_points(const std::vector<Vec2>& points, bool closed) {
  bool differ = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2& p = points[i];
    if (!(std::fabs(p.x) <= kLargest && std::fabs(p.y) <= kLargest)) {
      throw InvalidInput("points[" + std::to_string(i) + "]",
                         is_finite(p) ? "beyond 1e90" : "must be finite");
    }
    differ = differ || !(p == points.front());
  }
  if (points.size() < (closed ? 3U : 2U)) {
    throw InvalidInput("points", closed ? "a closed contour needs at least three points"
                                        : "an open contour needs at least two points");
  }
  if (!differ) throw InvalidInput("points", "are all equal");
}

bool has_length(const Contour& c, std::size_t i) { return !(c.start(i) == c.end(i)); }

// The next segment with a length, or `segments()` at the end of an open contour.
std::size_t following(const Contour& c, std::size_t i) {
  const std::size_t n = c.segments();
  for (std::size_t k = i + 1; k < i + n; ++k) {
    if (k >= n && !c.closed()) return n;
    if (has_length(c, k % n)) return k % n;
  }
  return n;
}

bool in_common(const Vec2& a0, const Vec2& a1, const Vec2& b0, const Vec2& b1) {
  using detail::placed;
  return detail::segments_meet(placed(a0), placed(a1), placed(b0), placed(b1));
}

// Neighbours share a corner; more than that only where the contour turns back on itself.
bool folds_back(const Contour& c, std::size_t i, std::size_t j) {
  return detail::orientation(c.start(i), c.end(i), c.end(j)) == 0 &&
         detail::dot_sign({c.start(i), c.end(i)}, {c.start(j), c.end(j)}) < 0;
}

void refuse_crossings(const Contour& c) {
  for (std::size_t i = 0; i < c.segments(); ++i) {
    if (!has_length(c, i)) continue;
    const detail::Box2 box = box_of_segment(c, i);
    const std::size_t next = following(c, i);
    detail::PlanarAccess::tree(c).visit(
        [&](const detail::Box2& node) { return node.meets(box); },
        [&](std::size_t j) {
          if (j <= i || !has_length(c, j) || !box_of_segment(c, j).meets(box)) {
            return false;
          }
          const bool after = j == next, before = following(c, j) == i;
          const bool bad = after || before
                               ? (after && folds_back(c, i, j)) || (before && folds_back(c, j, i))
                               : in_common(c.start(i), c.end(i), c.start(j), c.end(j));
          if (!bad) return false;
          throw InvalidInput("points", "segments " + std::to_string(i) + " and " +
                                           std::to_string(j) + " cross or touch");
        });
  }
}

// Area integrals about `origin`, the winding's sign included: sums over the triangles with it.
PlanarMass integrals(const Contour& c, const Vec2& origin) {
  PlanarMass sum;
  for (std::size_t i = 0; i < c.segments(); ++i) {
    const Vec2 a = c.start(i) - origin, b = c.end(i) - origin;
    const double twice = cross(a, b);
    sum.area += 0.5 * twice;
    sum.centroid = sum.centroid + (a + b) * (twice / 6.0);
    sum.inertia += twice * ((dot(a, a) + dot(a, b)) + dot(b, b)) / 12.0;
  }
  return sum;
}

// Exact: the contour turns to the left at its lowest of the leftmost points when its winding is
// positive.
int winding(const Contour& c) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < c.segments(); ++i) {
    const Vec2 p = c.start(i), q = c.start(first);
    if (has_length(c, i) && (!has_length(c, first) || p.x < q.x || (p.x == q.x && p.y < q.y))) {
      first = i;
    }
  }
  std::size_t before = first;
  do {
    before = before == 0 ? c.segments() - 1 : before - 1;
  } while (!has_length(c, before) && before != first);
  return detail::orientation(c.start(before), c.start(first), c.end(first));
}

void append(detail::Boundary& boundary, const Contour& c, bool reversed) {
  std::vector<Vec2> ring;
  for (std::size_t i = 0; i < c.segments(); ++i) {
    if (has_length(c, i)) ring.push_back(c.start(i));
  }
  if (reversed) ring = {ring.rbegin(), ring.rend()};
  const auto first = static_cast<std::uint32_t>(boundary.size());
  const auto count = static_cast<std::uint32_t>(ring.size());
  boundary.rings.push_back(first);
  for (std::uint32_t i = 0; i < count; ++i) {
    boundary.points.push_back(ring[i]);
    boundary.next.push_back(first + (i + 1 == count ? 0 : i + 1));
    boundary.previous.push_back(first + (i == 0 ? count : i) - 1);
  }
}

// The hole's boundary strictly inside the contours so far, and none of them inside the hole.
void check_hole(const Contour& hole, const detail::Boundary& so_far) {
  for (std::size_t i = 0; i < hole.segments(); ++i) {
    const detail::Box2 box = box_of_segment(hole, i);
    const bool touches = so_far.tree.visit(
        [&](const detail::Box2& node) { return node.meets(box); },
        [&](std::size_t j) {
          return in_common(hole.start(i), hole.end(i), so_far.start(j), so_far.end(j));
        });
    if (touches) throw InvalidInput("", "touches another contour");
  }
  if (detail::location(hole.start(0), so_far, {}) <= 0) {
    throw InvalidInput("", "lies outside the outer contour or in another hole");
  }
  detail::Boundary alone;
  append(alone, hole, winding(hole) < 0);
  alone.build_tree();
  for (const std::uint32_t ring : so_far.rings) {
    if (detail::location(so_far.points[ring], alone, {}) > 0) {
      throw InvalidInput("", "holds another hole");
    }
  }
}

Contour checked_contour(std::vector<Vec2> points, const std::string& field) {
  try {
    Contour contour(std::move(points));
    if (winding(contour) == 0) throw InvalidInput("points", "enclose no area");
    return contour;
  } catch (const InvalidInput& error) {
    const std::string inner = error.field().substr(std::string("points").size());
    throw InvalidInput(field + inner, error.reason());
  }
}

}  // namespace

Pose2::Pose2(const Vec2& position, double angle) : position_(position) {
  if (!is_finite(position)) throw InvalidInput("position", "must be finite");
  if (!(std::fabs(angle) <= kLargestAngle)) {
    throw InvalidInput("angle", "must be finite and of magnitude at most 1e6");
  }
  const detail::SineCosine turn = detail::sine_cosine(angle);
  cosine_ = turn.cosine;
  sine_ = turn.sine;
}

Pose2 Pose2::turned_by(double angle, const Vec2& position) const {
  Pose2 out = *this;
  out.position_ = position;
  if (angle == 0.0 || !(std::fabs(angle) <= kLargestAngle)) return out;
  const detail::SineCosine turn = detail::sine_cosine(angle);
  out.cosine_ = cosine_ * turn.cosine - sine_ * turn.sine;
  out.sine_ = sine_ * turn.cosine + cosine_ * turn.sine;
  return out;
}

Pose2 Pose2::relative(const Pose2& a, const Pose2& b) {
  Pose2 out;
  out.position_ = a.to_local(b.position());
  out.cosine_ = a.cosine_ * b.cosine_ + a.sine_ * b.sine_;
  out.sine_ = a.cosine_ * b.sine_ - a.sine_ * b.cosine_;
  // Equally turned bodies are not turned against each other, whatever the squares round to.
  if (a.cosine_ == b.cosine_ && a.sine_ == b.sine_) {
    out.cosine_ = 1.0;
    out.sine_ = 0.0;
  }
  return out;
}

Circle::Circle(double radius) : radius_(radius) {
  if (!(radius >= 0.0 && radius <= kLargest)) {
    throw InvalidInput("radius", "must be finite and not negative");
  }
}

Contour::Contour(std::vector<Vec2> points, bool closed, Crossings crossings) : closed_(closed) {
  check_points(points, closed);
  points_ = std::make_shared<const std::vector<Vec2>>(std::move(points));
  tree_ = std::make_shared<const detail::SegmentTree>(
      segments(), [this](std::size_t i) { return box_of_segment(*this, i); });
  lanes_ = std::make_shared<const detail::SegmentLanes>(*this);
  if (crossings == Crossings::refuse) refuse_crossings(*this);
}

Region::Region(std::vector<Vec2> outer, std::vector<std::vector<Vec2>> holes) {
  std::vector<Contour> contours{checked_contour(std::move(outer), "outer")};
  auto boundary = std::make_shared<detail::Boundary>();
  interior_is_right_.push_back(winding(contours[0]) < 0);
  append(*boundary, contours[0], interior_is_right_[0]);
  boundary->build_tree();
  for (std::size_t k = 0; k < holes.size(); ++k) {
    const std::string field = "holes[" + std::to_string(k) + "]";
    contours.push_back(checked_contour(std::move(holes[k]), field));
    try {
      check_hole(contours.back(), *boundary);
    } catch (const InvalidInput& error) {
      throw error.within(field);
    }
    interior_is_right_.push_back(winding(contours.back()) > 0);
    append(*boundary, contours.back(), interior_is_right_.back());
    boundary->build_tree();
  }

  const Vec2 origin = contours[0].start(0);
  PlanarMass sum;
  for (std::size_t k = 0; k < contours.size(); ++k) {
    const PlanarMass part = integrals(contours[k], origin);
    const double sign = (k == 0 ? 1.0 : -1.0) * (winding(contours[k]) < 0 ? -1.0 : 1.0);
    sum.area += sign * part.area;
    sum.centroid = sum.centroid + part.centroid * sign;
    sum.inertia += sign * part.inertia;
  }
  const Vec2 offset = sum.area > 0.0 ? sum.centroid / sum.area : Vec2{};
  mass_ = {sum.area, origin + offset, std::fmax(0.0, sum.inertia - sum.area * dot(offset, offset))};
  for (const Vec2& p : contours[0].points()) radius_ = std::fmax(radius_, norm(p - mass_.centroid));
  radius_ *= 1.0 + 8.0 * detail::kUnit;
  detail::note_small_convex(*boundary);
  contours_ = std::make_shared<const std::vector<Contour>>(std::move(contours));
  boundary_ = std::move(boundary);
}

}  // namespace tactus::planar
