#include <algorithm>
#include <type_traits>

#include "tactus/core/constants.hpp"
#include "tactus/planar/motion/swept_point.hpp"
#include "tactus/planar/region/access.hpp"
#include "tactus/planar/region/placed_pair.hpp"

namespace tactus::planar {
namespace {

using detail::Edges;
using detail::foot_on;
using detail::kInfinity;
using detail::kUnit;
using detail::largest;
using detail::SweptHit;

// Roundings of placing, moving and measuring, in units of the largest coordinate.
constexpr double kSlack = 64.0 * kUnit;
// Later times at which contact is looked for: from some roundings after the first, each 4 times
// farther away, to the end.
constexpr int kLooks = 32;
// Advances of a turning motion.
constexpr int kAdvances = 400;
// Travel between both times, relative to the size, up to which the answer counts as converged.
constexpr double kNarrow = 1e-9;
// A gap at which a turning motion counts as having arrived, relative to the size.
constexpr double kArrived = 1e-10;

double extent(const Circle& c) { return c.radius(); }
double extent(const Edges& e) { return largest(e.tree().box()); }
double extent(const Contour& c) { return extent(Edges(c)); }
double extent(const Region& r) { return extent(Edges(detail::PlanarAccess::boundary(r))); }

// Radius of a disc about the body's own origin that holds it; rounded up.
template <class Body>
double reach_of(const Body& body) {
  if constexpr (std::is_same_v<Body, Circle>) {
    return body.radius();
  } else {
    double square = 0.0;
    const auto add = [&](const Contour& c) {
      for (const Vec2& p : c.points()) square = std::fmax(square, dot(p, p));
    };
    if constexpr (std::is_same_v<Body, Contour>) {
      add(body);
    } else {
      add(body.contours()[0]);
    }
    return std::sqrt(square) * (1.0 + 8.0 * kUnit);
  }
}

Edges edges_of(const Contour& c) { return Edges(c); }
Edges edges_of(const Region& r) { return Edges(detail::PlanarAccess::boundary(r)); }

/// The first meeting of moving edges B with edges A at rest: a corner of one meets an edge of the
/// other.
SweptHit first_meeting(const Edges& a, const Edges& b, const Pose2& pose, const Vec2& way,
                       double slack) {
  SweptHit best;
  const auto corner_swept = [&](const Vec2& p, std::size_t index) {
    const double before = best.time;
    detail::sweep({p, way, 0.0, slack}, a, best);
    if (best.time < before) {
      best.point = index;
      best.of_point = true;
    }
  };
  // A's corners, in B's frame, the other way.
  const Vec2 back = pose.direction_to_local(-way);
  const auto corner_of_a_swept = [&](std::size_t k) {
    const double before = best.time;
    detail::sweep({pose.to_local(a.points()[k]), back, 0.0, slack}, b, best);
    if (!(best.time < before)) return;
    best.point = k;
    best.of_point = false;
    best.normal = -pose.direction_to_world(best.normal);
  };
  // The first of equal times counts, so the edges of a region, which have one side, come first.
  const bool curve_first = a.region() == nullptr && b.region() != nullptr;
  for (const bool corners_of_a : {curve_first, !curve_first}) {
    const std::size_t count = (corners_of_a ? a : b).points().size();
    for (std::size_t k = 0; k < count; ++k) {
      if (corners_of_a) {
        corner_of_a_swept(k);
      } else {
        corner_swept(pose.to_world(b.points()[k]), k);
      }
    }
  }
  return best;
}

/// One question of contact: how far apart are they, certainly, and do they meet, certainly.
template <class A, class B>
struct Motion {
  const A& a;
  const B& b;
  Pose2 pose_a, pose_b;
  PlanarMotion motion_a, motion_b;
  double slack;

  Pose2 at_a(double t) const { return pose_at(pose_a, motion_a, t); }
  Pose2 at_b(double t) const { return pose_at(pose_b, motion_b, t); }

  // By more than rounding.
  bool meet_at(double t) const {
    if (overlap(a, at_a(t), b, at_b(t))) {
      if constexpr (std::is_same_v<A, Circle>) {
        // A smaller disc meets it too; a point decides alone.
        const double radius = a.radius() - slack;
        return radius <= 0.0 || overlap(Circle(radius), at_a(t), b, at_b(t));
      }
      return true;
    }
    return false;
  }
};

template <class A, class B>
Motion<A, B> motion_of(const A& a, const Pose2& pose_a, const PlanarMotion& motion_a, const B& b,
                       const Pose2& pose_b, const PlanarMotion& motion_b) {
  const double moves = largest(motion_a.linear) + largest(motion_b.linear);
  const double apart = largest(pose_b.position() - pose_a.position());
  const double size = extent(a) + extent(b);
  return {a, b, pose_a, pose_b, motion_a, motion_b, kSlack * (size + apart + moves)};
}

// The bodies as they stand: overlapping ones are in contact at once.
template <class A, class B>
bool starts_in_overlap(const Motion<A, B>& m, PlanarCast& out) {
  if (!overlap(m.a, m.pose_a, m.b, m.pose_b)) return false;
  const PlanarResult r = distance(m.a, m.pose_a, m.b, m.pose_b);
  out.hit = PlanarHit::yes;
  out.time = out.time_upper = 0.0;
  out.distance = r.distance;
  out.normal = r.normal;
  out.point_a = r.point_a;
  out.point_b = r.point_b;
  out.status = r.status;
  return true;
}

// Searches from the first possible contact on for the first time at which the bodies certainly
// meet.
template <class A, class B>
void bound_above(const Motion<A, B>& m, double speed, PlanarCast& out) {
  out.hit = PlanarHit::undecided;
  out.time_upper = kInfinity;
  double step = speed > 0.0 ? 8.0 * m.slack / speed : 0.0;
  for (int k = 0; k < kLooks && step > 0.0; ++k, step *= 4.0) {
    const double t = std::fmin(1.0, out.time + step);
    if (m.meet_at(t)) {
      out.hit = PlanarHit::yes;
      out.time_upper = t;
      break;
    }
    if (t == 1.0) break;
  }
  const bool narrow = (out.time_upper - out.time) * speed <= kNarrow * m.slack / kSlack;
  out.status = narrow ? Status::converged : Status::precision_limit;
}

template <class Body>
bool touches_edge(const Body& body, const Pose2& pose, std::size_t edge, const Vec2& place,
                  double slack) {
  const Edges edges = edges_of(body);
  const Vec2 p = pose.to_local(place);
  return norm(foot_on(p, edges.start(edge), edges.end(edge)) - p) <= 4.0 * slack;
}

// Normal at a contact of regions: of the edges' normals there that have A's edges on one side and
// B's on the other, the one most against the motion; zero where there is none.
template <class A, class B>
Vec2 parting_normal(const Motion<A, B>& m, const PlanarCast& at, const Vec2& way) {
  const double near = 4.0 * m.slack;
  std::vector<Vec2> ends[2], normals;
  const auto collect = [&](const Edges& edges, const Pose2& pose, const Vec2& place, int side) {
    const Vec2 p = pose.to_local(place), reach{near, near};
    const detail::Box2 box = detail::box_of(p - reach, p + reach);
    edges.tree().visit([&](const detail::Box2& node) { return node.meets(box); },
                       [&](std::size_t i) {
                         const Vec2 from = edges.start(i), to = edges.end(i);
                         if (norm(foot_on(p, from, to) - p) > near) return false;
                         for (const Vec2& end : {from, to})
                           ends[side].push_back(pose.direction_to_world(end - p));
                         const Vec2 right = detail::unit_along({to.y - from.y, from.x - to.x});
                         const Vec2 world = pose.direction_to_world(right);
                         normals.push_back(side == 0 ? world : -world);
                         return false;
                       });
  };
  collect(edges_of(m.a), m.at_a(at.time), at.point_a, 0);
  collect(edges_of(m.b), m.at_b(at.time), at.point_b, 1);
  Vec2 best;
  for (const Vec2& n : normals) {
    const auto beyond = [&](const Vec2& end) { return dot(end, n) > near; };
    const auto before = [&](const Vec2& end) { return dot(end, n) < -near; };
    if (dot(at.point_b - at.point_a, n) < -near ||
        std::any_of(ends[0].begin(), ends[0].end(), beyond) ||
        std::any_of(ends[1].begin(), ends[1].end(), before)) {
      continue;
    }
    if (best == Vec2{} || dot(n, way) < dot(best, way)) best = n;
  }
  return best;
}

PlanarCast no_contact() {
  PlanarCast out;
  out.hit = PlanarHit::no;
  out.time = kInfinity;
  out.status = Status::converged;
  return out;
}

template <class A, class B>
PlanarCast translating(const Motion<A, B>& m) {
  PlanarCast out = no_contact();
  if (starts_in_overlap(m, out)) return out;
  // In the frame of what has edges; B moves against A at rest, or the circle against B.
  SweptHit hit;
  const Vec2 relative = m.motion_b.linear - m.motion_a.linear;
  if constexpr (std::is_same_v<A, Circle> && std::is_same_v<B, Circle>) {
    const Vec2 points[] = {m.pose_a.position(), m.pose_a.position()};
    const detail::SegmentTree tree(
        1, [&](std::size_t) { return detail::box_of(points[0], points[1]); });
    sweep({m.pose_b.position(), relative, m.a.radius() + m.b.radius(), m.slack},
          Edges(points, false, tree), hit);
  } else if constexpr (std::is_same_v<A, Circle>) {
    const Vec2 centre = m.pose_b.to_local(m.pose_a.position());
    sweep({centre, m.pose_b.direction_to_local(-relative), m.a.radius(), m.slack}, edges_of(m.b),
          hit);
    hit.normal = -m.pose_b.direction_to_world(hit.normal);
  } else {
    hit = first_meeting(edges_of(m.a), edges_of(m.b), Pose2::relative(m.pose_a, m.pose_b),
                        m.pose_a.direction_to_local(relative), m.slack);
    hit.normal = m.pose_a.direction_to_world(hit.normal);
  }
  if (!(hit.time <= 1.0)) return out;
  out.time = hit.time;
  bound_above(m, norm(relative), out);
  // The places at that time; the normal is the edge's, since the gap is rounding.
  const PlanarResult r = distance(m.a, m.at_a(out.time), m.b, m.at_b(out.time));
  out.distance = r.distance;
  out.point_a = r.point_a;
  out.point_b = r.point_b;
  // Bodies that touch at several places at once: the normal is that of the place told.
  bool there = true;
  if constexpr (!std::is_same_v<A, Circle>) {
    there = hit.of_point ? touches_edge(m.a, m.at_a(out.time), hit.edge, r.point_a, m.slack)
                         : touches_edge(m.b, m.at_b(out.time), hit.edge, r.point_b, m.slack);
  }
  out.normal = there ? hit.normal : r.normal;
  if constexpr (std::is_same_v<A, Region>) {
    const Vec2 parting = parting_normal(m, out, relative);
    if (!(parting == Vec2{})) out.normal = parting;
  }
  return out;
}

// Steps no longer than the gap lasts at the greatest speed of any point.
template <class A, class B>
PlanarCast turning(const Motion<A, B>& m) {
  PlanarCast out = no_contact();
  if (starts_in_overlap(m, out)) return out;
  const double speed =
      (norm(m.motion_b.linear - m.motion_a.linear) + std::fabs(m.motion_a.angular) * reach_of(m.a) +
       std::fabs(m.motion_b.angular) * reach_of(m.b)) *
      (1.0 + 16.0 * kUnit);
  const double size = m.slack / kSlack;
  double t = 0.0;
  PlanarResult r = distance(m.a, m.pose_a, m.b, m.pose_b);
  int step = 0;
  for (; step < kAdvances; ++step) {
    const double gap = r.lower - m.slack;
    if (gap <= kArrived * size) break;
    if (!(t + gap / speed <= 1.0)) return out;
    t += (gap / speed) * (1.0 - 4.0 * kUnit);
    r = distance(m.a, m.at_a(t), m.b, m.at_b(t));
  }
  out.time = t;
  bound_above(m, speed, out);
  if (step == kAdvances) out.status = Status::iteration_limit;
  out.distance = r.distance;
  out.point_a = r.point_a;
  out.point_b = r.point_b;
  out.normal = r.normal;
  return out;
}

bool valid(const PlanarMotion& m) { return is_finite(m.linear) && std::fabs(m.angular) <= 1e6; }

template <class A, class B>
PlanarCast impact_of(const A& a, const Pose2& pose_a, const PlanarMotion& motion_a, const B& b,
                     const Pose2& pose_b, const PlanarMotion& motion_b) {
  if (!detail::can_place(pose_a, pose_b) || !valid(motion_a) || !valid(motion_b) ||
      !detail::can_place(pose_at(pose_a, motion_a, 1.0), pose_at(pose_b, motion_b, 1.0))) {
    PlanarCast out;
    out.status = Status::invalid_input;
    return out;
  }
  const auto m = motion_of(a, pose_a, motion_a, b, pose_b, motion_b);
  // A disc is the same however it is turned about its centre.
  const bool a_turns = motion_a.angular != 0.0 && !std::is_same_v<A, Circle>;
  const bool b_turns = motion_b.angular != 0.0 && !std::is_same_v<B, Circle>;
  return a_turns || b_turns ? turning(m) : translating(m);
}

}  // namespace

Pose2 pose_at(const Pose2& pose, const PlanarMotion& motion, double time) {
  const Vec2 position = pose.position() + motion.linear * time;
  return pose.turned_by(motion.angular * time, position);
}

PlanarCast cast(const Circle& a, const Pose2& pose_a, const PlanarMotion& motion_a, const Circle& b,
                const Pose2& pose_b, const PlanarMotion& motion_b) {
  return impact_of(a, pose_a, motion_a, b, pose_b, motion_b);
}
PlanarCast cast(const Circle& a, const Pose2& pose_a, const PlanarMotion& motion_a,
                const Contour& b, const Pose2& pose_b, const PlanarMotion& motion_b) {
  return impact_of(a, pose_a, motion_a, b, pose_b, motion_b);
}
PlanarCast cast(const Circle& a, const Pose2& pose_a, const PlanarMotion& motion_a, const Region& b,
                const Pose2& pose_b, const PlanarMotion& motion_b) {
  return impact_of(a, pose_a, motion_a, b, pose_b, motion_b);
}
PlanarCast cast(const Contour& a, const Pose2& pose_a, const PlanarMotion& motion_a,
                const Contour& b, const Pose2& pose_b, const PlanarMotion& motion_b) {
  return impact_of(a, pose_a, motion_a, b, pose_b, motion_b);
}
PlanarCast cast(const Contour& a, const Pose2& pose_a, const PlanarMotion& motion_a,
                const Region& b, const Pose2& pose_b, const PlanarMotion& motion_b) {
  return impact_of(a, pose_a, motion_a, b, pose_b, motion_b);
}
PlanarCast cast(const Region& a, const Pose2& pose_a, const PlanarMotion& motion_a, const Region& b,
                const Pose2& pose_b, const PlanarMotion& motion_b) {
  return impact_of(a, pose_a, motion_a, b, pose_b, motion_b);
}

PlanarCast swapped(const PlanarCast& c) {
  // Without a contact there is nothing to exchange.
  if (c.hit == PlanarHit::no) return c;
  PlanarCast out = c;
  out.normal = -c.normal;
  out.point_a = c.point_b;
  out.point_b = c.point_a;
  return out;
}

}  // namespace tactus::planar
