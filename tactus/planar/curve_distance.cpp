#include "tactus/planar/region/access.hpp"
#include "tactus/planar/region/placed_pair.hpp"

// Curves against curves and regions: a curve has no interior, so that its signed distance ends at
// zero.
namespace tactus::planar {
namespace {

using detail::Box2;
using detail::Edges;
using detail::largest;
using detail::orientation;
using detail::placed;
using detail::PlanarPoint;

/// A contour in the frame of what it is asked against, its translation apart.
struct PlacedCurve {
  std::vector<Vec2> points;
  detail::SegmentTree tree{0, [](std::size_t) { return Box2{}; }};
  bool closed;
  Vec2 shift;
  double error = 0.0;

  PlacedCurve(const Pose2& frame, const Contour& c, const Pose2& pose_c)
      : points(c.points().begin(), c.points().end()), closed(c.closed()) {
    const Pose2 pose = Pose2::relative(frame, pose_c);
    shift = pose.position();
    if (frame.turned() || !(frame.position() == Vec2{}))
      error = detail::kTurnError * largest(shift);
    if (!pose.turned()) {
      tree = detail::PlanarAccess::tree(c);
      return;
    }
    for (Vec2& p : points) p = pose.direction_to_world(p);
    const Edges own = edges();
    tree = detail::SegmentTree(
        own.size(), [&](std::size_t i) { return detail::box_of(own.start(i), own.end(i)); });
    error += detail::kTurnError * largest(detail::PlanarAccess::tree(c).box());
  }
  Edges edges() const { return Edges(points, closed, tree); }
};

// Calls test(i, j) for all edges whose boxes meet, until one is true.
template <class Test>
bool any_pair(const Edges& a, const Edges& b, const Vec2& shift, Test&& test) {
  for (std::size_t j = 0; j < b.size(); ++j) {
    const Box2 box = detail::box_of(b.start(j) + shift, b.end(j) + shift);
    if (a.tree().visit([&](const Box2& node) { return node.meets(box); },
                       [&](std::size_t i) { return test(i, j); })) {
      return true;
    }
  }
  return false;
}

// A place on both segments, which have one in common.
Vec2 common_place(const Vec2& p0, const Vec2& p1, const Vec2& q0, const Vec2& q1) {
  const Vec2 u = p1 - p0, v = q1 - q0;
  const double a0 = cross(v, p0 - q0), a1 = cross(v, p1 - q0);
  const double b0 = cross(u, q0 - p0), b1 = cross(u, q1 - p0);
  if ((a0 < 0.0) != (a1 < 0.0) && (b0 < 0.0) != (b1 < 0.0)) return p0 + u * (a0 / (a0 - a1));
  Vec2 best = q0;
  double least = detail::kInfinity;
  const auto consider = [&](const Vec2& p, const Vec2& from, const Vec2& to) {
    const Vec2 d = detail::foot_on(p, from, to) - p;
    if (dot(d, d) >= least) return;
    least = dot(d, d);
    best = p;
  };
  consider(q0, p0, p1);
  consider(q1, p0, p1);
  consider(p0, q0, q1);
  consider(p1, q0, q1);
  return best;
}

bool curves_meet(const Edges& a, const Edges& b, const Vec2& shift, Vec2* where = nullptr) {
  return any_pair(a, b, shift, [&](std::size_t i, std::size_t j) {
    if (!segments_meet(placed(a.start(i)), placed(a.end(i)), placed(b.start(j), shift),
                       placed(b.end(j), shift))) {
      return false;
    }
    if (where != nullptr) {
      *where = common_place(a.start(i), a.end(i), b.start(j) + shift, b.end(j) + shift);
    }
    return true;
  });
}

// A segment of the curve passes from one side of the edge to the other, or leads from a place on
// the boundary into the interior.
bool enters(const detail::Boundary& region, std::size_t i, const Vec2& from, const Vec2& to,
            const Vec2& shift) {
  const PlanarPoint p0 = placed(region.start(i)), p1 = placed(region.end(i));
  const PlanarPoint q0 = placed(from, shift), q1 = placed(to, shift);
  if (same(q0, q1)) return false;
  const int u0 = orientation(p0, p1, q0), u1 = orientation(p0, p1, q1);
  const int v0 = orientation(q0, q1, p0), v1 = orientation(q0, q1, p1);
  if (u0 * u1 < 0 && v0 * v1 < 0) return true;
  const detail::Ray forwards{from, to}, backwards{to, from};
  if (v0 == 0 && on_segment(p0, q0, q1)) {
    const detail::Sector sector = region.sector_at(i);
    if (!same(p0, q1) && strictly_inside(sector, forwards)) return true;
    if (!same(p0, q0) && strictly_inside(sector, backwards)) return true;
  }
  // An end of the segment on the edge, between its corners: the interior is to the left.
  const auto leads_in = [&](const PlanarPoint& end, int other) {
    return other > 0 && on_segment(end, p0, p1) && !same(end, p0) && !same(end, p1);
  };
  return leads_in(q0, u1) || leads_in(q1, u0);
}

bool enters_region(const detail::Boundary& region, const Edges& curve, const Vec2& shift) {
  for (const Vec2& p : curve.points()) {
    if (location_of_moved(p, shift, region) > 0) return true;
  }
  return any_pair(Edges(region), curve, shift, [&](std::size_t i, std::size_t j) {
    return enters(region, i, curve.start(j), curve.end(j), shift);
  });
}

// B is the curve. Where they meet the distance is zero, exactly.
PlanarResult curve_distance(const Edges& a, const Pose2& pose_a, const PlacedCurve& b) {
  const double size = std::fmax(largest(a.tree().box()), largest(b.tree.box()));
  const double error = detail::kPlanarDistanceError * (size + largest(b.shift)) + b.error;
  const bool inside =
      a.region() != nullptr && location_of_moved(b.points.front(), b.shift, *a.region()) > 0;
  PlanarResult r = detail::planar_answer();
  if (inside) r.point_a = b.points.front() + b.shift;
  if (inside || curves_meet(a, b.edges(), b.shift, &r.point_a)) {
    r.upper = b.error;
    r.point_b = r.point_a;
  } else {
    const detail::NearestPlaces n = detail::nearest_places(a, b.edges(), b.shift);
    r.point_a = n.on_a;
    r.point_b = n.on_b;
    r.distance = std::sqrt(n.squared);
    r.lower = std::fmax(0.0, r.distance - error);
    r.upper = r.distance + error;
    r.normal = detail::direction_between(a, b.edges(), b.shift, n, size);
  }
  if (!(r.distance > 0.0)) {
    const detail::Foot foot = a.nearest(r.point_a);
    const Vec2 s = a.end(foot.edge) - a.start(foot.edge);
    r.normal = detail::unit_along({s.y, -s.x});
  }
  return detail::placed_result(r, pose_a, size);
}

}  // namespace

PlanarOverlap overlap(const Contour& a, const Pose2& pose_a, const Contour& b,
                      const Pose2& pose_b) {
  if (!detail::can_place(pose_a, pose_b)) return detail::invalid_overlap();
  const PlacedCurve curve(pose_a, b, pose_b);
  return detail::planar_verdict(curves_meet(Edges(a), curve.edges(), curve.shift));
}

PlanarOverlap overlap(const Contour& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b) {
  if (!detail::can_place(pose_a, pose_b)) return detail::invalid_overlap();
  const PlacedCurve curve(pose_b, a, pose_a);
  return detail::planar_verdict(
      enters_region(detail::PlanarAccess::boundary(b), curve.edges(), curve.shift));
}

PlanarResult distance(const Contour& a, const Pose2& pose_a, const Contour& b,
                      const Pose2& pose_b) {
  if (!detail::can_place(pose_a, pose_b)) return detail::invalid_planar();
  return curve_distance(Edges(a), pose_a, PlacedCurve(pose_a, b, pose_b));
}

PlanarResult distance(const Contour& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b) {
  if (!detail::can_place(pose_a, pose_b)) return detail::invalid_planar();
  return swapped(curve_distance(Edges(detail::PlanarAccess::boundary(b)), pose_b,
                                PlacedCurve(pose_b, a, pose_a)));
}

}  // namespace tactus::planar
