#include "tactus/planar/motion/swept_point.hpp"

#include <algorithm>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

/// One point against one edge: the set of places near an edge is a strip and two discs.
class EdgeSweep {
 public:
  EdgeSweep(const SweptPoint& point, const Vec2& from, const Vec2& to, bool one_sided)
      : p_(point), from_(from), to_(to), one_sided_(one_sided), speed_(norm(point.way)) {}

  void run(bool only_nearing) {
    const Vec2 start = p_.from - foot_on(p_.from, from_, to_);
    const double gap = norm(start);
    if (gap <= p_.radius + p_.slack) {
      const bool leaving = dot(start, p_.way) >= 0.0;
      if (!only_nearing || !leaving) set(0.0, gap > 0.0 ? unit_along(start) : aside());
      return;
    }
    if (!(speed_ > 0.0)) return;
    strip();
    disc(from_);
    disc(to_);
  }

  double time = kInfinity;
  Vec2 normal;

 private:
  // The edge's normal: outwards, of a curve against the motion.
  Vec2 aside() const {
    const Vec2 s = to_ - from_;
    if (from_ == to_) return -unit_along(p_.way);
    const Vec2 n = unit_along({s.y, -s.x});
    return !one_sided_ && dot(n, p_.way) > 0.0 ? -n : n;
  }

  void set(double t, const Vec2& n) {
    // Rounding of the quotients, and towards the start.
    const double early = std::fmax(0.0, t * (1.0 - 4.0 * kUnit));
    if (!(early <= 1.0) || !(early < time)) return;
    time = early;
    normal = n;
  }

  // Heights above the edge's line and the speed of the approach err by less than the slack.
  void strip() {
    const Vec2 s = to_ - from_;
    const double length = norm(s);
    if (!(length > 0.0)) return;
    const Vec2 u = unit_along(s);
    const double height = cross(u, p_.from - from_), rate = cross(u, p_.way);
    const double closing = height > 0.0 ? -rate : rate;
    // Nearer than the slack already: at once.
    const double travel = std::fmax(0.0, std::fabs(height) - p_.radius - 2.0 * p_.slack);
    if (!(closing > 0.0) || travel > closing + p_.slack) return;
    const double t = travel / closing;
    const double along = dot(u, p_.from - from_) + t * dot(u, p_.way);
    if (along < -2.0 * p_.slack || along > length + 2.0 * p_.slack) return;
    set(t, Vec2{-u.y, u.x} * (height > 0.0 ? 1.0 : -1.0));
  }

  // Half a chord of the wider disc is no shorter than that of the right one, whatever the height's
  // rounding; the way to its middle errs by less than the slack.
  void disc(const Vec2& corner) {
    const Vec2 v = unit_along(p_.way), o = corner - p_.from;
    const double height = std::fabs(cross(v, o)), reach = p_.radius + p_.slack;
    if (height > reach) return;
    const double half = std::sqrt((reach - height) * (reach + height));
    const double travel = dot(v, o) - half - p_.slack;
    if (travel > speed_ || dot(v, o) + half < 0.0) return;
    const double t = std::fmax(0.0, travel) / speed_;
    const Vec2 n = (p_.from + p_.way * t) - corner;
    const double far = norm(n);
    set(t, far > 4.0 * p_.slack ? unit_along(n) : aside());
  }

  const SweptPoint& p_;
  Vec2 from_, to_;
  bool one_sided_;
  double speed_;
};

}  // namespace

void sweep(const SweptPoint& point, const Edges& edges, SweptHit& best, bool only_nearing) {
  const double reach = point.radius + 4.0 * point.slack;
  const auto box_until = [&](double t) {
    Box2 box = box_of(point.from, point.from + point.way * std::fmin(1.0, t));
    box.low = box.low - Vec2{reach, reach};
    box.high = box.high + Vec2{reach, reach};
    return box;
  };
  Box2 swept = box_until(best.time);
  edges.tree().visit([&](const Box2& node) { return node.meets(swept); },
                     [&](std::size_t i) {
                       if (!box_of(edges.start(i), edges.end(i)).meets(swept)) return false;
                       EdgeSweep one(point, edges.start(i), edges.end(i),
                                     edges.region() != nullptr);
                       one.run(only_nearing);
                       if (!(one.time < best.time)) return false;
                       best.time = one.time;
                       best.edge = i;
                       best.normal = one.normal;
                       swept = box_until(best.time);
                       return false;
                     });
}

}  // namespace tactus::detail
