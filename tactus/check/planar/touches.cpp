#include <algorithm>

#include "tactus/check/planar/body.hpp"
#include "tactus/check/report.hpp"
#include "tactus/math/expansion.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/math/sine.hpp"

// The claims of planar touches, in the frame of the contours: the circle's centre is rounded into
// it once, and all signs are exact from there.
namespace tactus::planar {
namespace {

using namespace detail;

constexpr double kPerUnit = 9007199254740992.0;  // 2^53
// Bound of the error of a normal, a unit vector.
constexpr double kDirection = 16.0 / kPerUnit;

// Sign of (p - o) . (q - o).
int dot_sign(const Vec2& o, const Vec2& p, const Vec2& q) {
  const auto difference = [](double a, double b) { return Expansion<2>(two_difference(a, b)); };
  return (difference(p.x, o.x) * difference(q.x, o.x) + difference(p.y, o.y) * difference(q.y, o.y))
      .sign();
}

/// A place where the distance from the centre has a local minimum.
struct Minimum {
  std::size_t contour = 0, segment = 0;
  Vec2 point;
  double part = 0.0, distance = 0.0;
  Vec2 normal;         ///< from the contour to the centre
  bool on_it = false;  ///< the centre
  double blur = 1.0;   ///< of the normal: what rounding is multiplied by
  bool concave = false, kind_is_clear = true;
  TouchKind kind = TouchKind::segment;
};

/// One contour, and its minima.
class Minima {
 public:
  Minima(const Contour& contour, const Vec2& centre, double reach, double slack)
      : c_(contour), centre_(centre), reach_(reach), slack_(slack) {}

  bool at(std::size_t i, Minimum& out) const {
    if (c_.start(i) == c_.end(i)) return false;
    out.segment = i;
    if (past(i) && before(i)) {
      foot(i, out);
      return true;
    }
    const std::size_t none = c_.segments();
    if (!past(i)) {
      const std::size_t k = neighbour(i, false);
      if (k != none && before(k)) return false;
      corner(i, c_.start(i), k == none ? TouchKind::end : corner_kind(k, i), k, out);
      return true;
    }
    if (neighbour(i, true) != none) return false;
    corner(i, c_.end(i), TouchKind::end, none, out);
    out.part = norm(c_.end(i) - c_.start(i));
    return true;
  }

 private:
  bool past(std::size_t i) const { return dot_sign(c_.start(i), centre_, c_.end(i)) > 0; }
  bool before(std::size_t i) const { return dot_sign(c_.end(i), centre_, c_.start(i)) > 0; }
  int turn(const Vec2& p, const Vec2& q, const Vec2& r) const {
    return orient2d(p.x, p.y, q.x, q.y, r.x, r.y);
  }
  Vec2 right(std::size_t i) const {
    const Vec2 s = c_.end(i) - c_.start(i);
    return unit({s.y, -s.x});
  }
  static Vec2 unit(const Vec2& v) {
    const double length = norm(v);
    return length > 0.0 ? v / length : Vec2{1.0, 0.0};
  }

  // The next segment that has a length, or `segments()`.
  std::size_t neighbour(std::size_t i, bool forwards) const {
    const std::size_t n = c_.segments();
    for (std::size_t step = 1; step < n; ++step) {
      if (!c_.closed() && (forwards ? i + step >= n : step > i)) return n;
      const std::size_t k = forwards ? (i + step) % n : (i + n - step) % n;
      if (!(c_.start(k) == c_.end(k))) return k;
    }
    return n;
  }

  void foot(std::size_t i, Minimum& out) const {
    const Vec2 p = c_.start(i), s = c_.end(i) - p;
    const double length = norm(s);
    out.part = dot(centre_ - p, s) / length;
    out.point = p + s * (out.part / length);
    out.distance = std::fabs(cross(s, centre_ - p)) / length;
    const int side = turn(p, c_.end(i), centre_);
    out.normal = side > 0 ? -right(i) : right(i);
    out.on_it = side == 0;
    for (const bool forwards : {true, false}) {
      const std::size_t k = neighbour(i, forwards);
      if (k == c_.segments() || !past(k) || !before(k)) continue;
      const std::size_t one = forwards ? i : k, two = forwards ? k : i;
      const int bend = turn(c_.start(one), c_.end(one), c_.end(two));
      // On the line the normal leads to the right, and so does a bend towards the centre.
      if (bend != (side > 0 ? 1 : -1)) continue;
      const Vec2 u = c_.end(k) - c_.start(k);
      const double far = std::fabs(cross(u, centre_ - c_.start(k))) / norm(u);
      // Along an axis nothing is rounded.
      const bool exact = (u.x == 0.0 || u.y == 0.0) && far == reach_;
      if (!exact && std::fabs(far - reach_) <= slack_) out.kind_is_clear = false;
      if (far <= reach_) out.concave = true;
    }
    out.kind = out.concave ? TouchKind::concave : TouchKind::segment;
  }

  TouchKind corner_kind(std::size_t in, std::size_t on) const {
    const Vec2 p = c_.start(in), q = c_.start(on), r = c_.end(on);
    return turn(p, q, r) == 0 && dot_sign(q, p, r) < 0 ? TouchKind::segment : TouchKind::convex;
  }

  void corner(std::size_t i, const Vec2& p, TouchKind kind, std::size_t in, Minimum& out) const {
    out.point = p;
    out.distance = norm(centre_ - p);
    out.kind = kind;
    out.on_it = centre_ == p;
    if (!out.on_it) {
      out.normal = unit(centre_ - p);
    } else if (in == c_.segments()) {
      out.normal = right(i);
    } else {
      const Vec2 sum = right(in) + right(i);
      out.normal = unit(sum);
      out.blur = 1.0 / std::fmax(norm(sum), 1e-9);
    }
  }

  const Contour& c_;
  Vec2 centre_;
  double reach_, slack_;
};

class TouchExaminer {
 public:
  TouchExaminer(const Circle& circle, const Pose2& pose_circle, const PlanarShape& other,
                const Pose2& pose, double threshold)
      : other_(other), pose_(pose), radius_(circle.radius()), threshold_(threshold) {
    slack_ = (kAllowed + kEvaluation) * planar_unit(circle, pose_circle, other, pose) +
             8.0 * (norm(pose.position()) + norm(pose_circle.position())) / kPerUnit;
    centre_ = pose.to_local(pose_circle.position());
    if (const Region* region = std::get_if<Region>(&other)) {
      for (std::size_t k = 0; k < region->contours().size(); ++k)
        add(region->contours()[k], k, region->interior_is_right(k), radius_ + threshold_);
      inside_ = is_inside_exactly(PlanarBody(other, {}, {}), centre_);
    } else if (const Contour* contour = std::get_if<Contour>(&other)) {
      add(*contour, 0, false, radius_ + threshold_);
    }
    keep_those_in_reach();
  }

  CheckReport report(std::span<const Touch> told) {
    // Both in the order of contours and segments.
    std::size_t next = 0;
    for (const Minimum& m : minima_) {
      const bool found =
          next < told.size() && told[next].contour == m.contour && told[next].segment == m.segment;
      if (found) {
        judge(told[next++], m);
      } else if (m.distance < reach_ - slack_) {
        record(report_, Claim::contacts, Proof::refuted, "a place is missing");
      }
    }
    decide(Claim::contacts, next == told.size(), "no such place, or not in order");
    if (inside_) decide(Claim::contacts, next > 0, "the nearest place is missing");
    conclude(report_);
    return report_;
  }

 private:
  void decide(Claim claim, bool holds, std::string_view reason) {
    record(report_, claim, holds ? Proof::proved : Proof::refuted, reason);
  }

  void add(const Contour& contour, std::size_t number, bool reversed, double reach) {
    const Minima minima(contour, centre_, reach, slack_);
    for (std::size_t i = 0; i < contour.segments(); ++i) {
      Minimum m;
      m.contour = number;
      if (!minima.at(i, m)) continue;
      if (reversed && m.on_it) m.normal = -m.normal;
      minima_.push_back(m);
    }
  }

  // All within the radius and the threshold, or from inside a region at least the nearest.
  void keep_those_in_reach() {
    reach_ = radius_ + threshold_;
    double nearest = std::numeric_limits<double>::infinity();
    for (const Minimum& m : minima_) nearest = std::fmin(nearest, m.distance);
    if (inside_ && nearest > reach_ - slack_) {
      // Nearest ones tell whether they are within rounding of each other.
      reach_ = std::fmax(reach_, nearest);
      minima_.clear();
      const Region& region = std::get<Region>(other_);
      for (std::size_t k = 0; k < region.contours().size(); ++k)
        add(region.contours()[k], k, region.interior_is_right(k), reach_);
    }
    std::erase_if(minima_, [&](const Minimum& m) { return m.distance > reach_ + slack_; });
  }

  void judge(const Touch& t, const Minimum& m) {
    const Vec2 place = pose_.to_local(t.point), normal = pose_.direction_to_local(t.normal);
    const double sign = inside_ ? -1.0 : 1.0;
    decide(Claim::points, norm(place - m.point) <= slack_ && std::fabs(t.part - m.part) <= slack_,
           "not there on the segment");
    if (m.kind_is_clear) {
      decide(Claim::points, t.kind == m.kind, "not of that kind");
    } else {
      const bool either = t.kind == TouchKind::segment || t.kind == TouchKind::concave;
      record(report_, Claim::points, either ? Proof::unproved : Proof::refuted,
             "of a kind that rounding decides");
    }
    decide(Claim::value, std::fabs(t.depth - (radius_ - sign * m.distance)) <= slack_,
           "not so deep");
    decide(Claim::normal, norm(normal - m.normal * sign) <= kDirection * m.blur,
           "not from the place to the centre");
    const bool in_range = std::fabs(t.angle) <= 3.1415926535897936;
    const SineCosine turn = sine_cosine(in_range ? t.angle : 0.0);
    decide(Claim::normal, in_range && norm(t.normal - Vec2{turn.cosine, turn.sine}) <= kDirection,
           "the angle is that of another normal");
  }

  const PlanarShape& other_;
  Pose2 pose_;
  double radius_, threshold_, reach_ = 0.0, slack_ = 0.0;
  Vec2 centre_;
  bool inside_ = false;
  std::vector<Minimum> minima_;
  CheckReport report_;
};

}  // namespace

CheckReport check(const Circle& circle, const Pose2& pose_circle, const PlanarShape& other,
                  const Pose2& pose, std::span<const Touch> touches, double threshold) noexcept {
  if (std::holds_alternative<Circle>(other) || !both_placed(pose_circle, pose)) {
    CheckReport report;
    if (!touches.empty()) record(report, Claim::contacts, Proof::refuted, "there are none");
    conclude(report);
    return report;
  }
  return TouchExaminer(circle, pose_circle, other, pose, threshold).report(touches);
}

}  // namespace tactus::planar
