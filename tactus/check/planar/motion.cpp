#include <algorithm>

#include "tactus/check/planar/body.hpp"
#include "tactus/check/report.hpp"
#include "tactus/core/constants.hpp"

// The claims of planar casts.
namespace tactus::planar {
namespace {

using namespace detail;

/// Two segments, one of them moving on a straight way: they never meet exactly if one direction
/// parts the segment at rest from all places of the other.
class SweptPair {
 public:
  SweptPair(const Vec2& p0, const Vec2& p1, const Vec2& q0, const Vec2& q1, const Vec2& way)
      : still_{p0, p1}, moving_{q0, q1, q0 + way, q1 + way} {}

  /// The most that any of the directions that can matter shows them to be apart.
  double apart() {
    along(still_[1] - still_[0]);
    along(moving_[1] - moving_[0]);
    along(moving_[2] - moving_[0]);
    for (const Vec2& p : still_) {
      for (const Vec2& q : moving_) across(q - p);
    }
    return best_;
  }

 private:
  void along(const Vec2& edge) {
    across({-edge.y, edge.x});
    across({edge.y, -edge.x});
  }
  void across(const Vec2& direction) {
    const double length = norm(direction);
    if (!(length > 0.0)) return;
    const Vec2 d = direction / length;
    double least = dot(moving_[0], d), most = dot(still_[0], d);
    for (const Vec2& q : moving_) least = std::min(least, dot(q, d));
    for (const Vec2& p : still_) most = std::max(most, dot(p, d));
    best_ = std::max(best_, least - most);
  }

  Vec2 still_[2], moving_[4];
  double best_ = -std::numeric_limits<double>::infinity();
};

// Apart during the whole way, up to what is allowed.
bool never_meet(const PlanarBody& a, const PlanarBody& b, const Vec2& way, double unit) {
  const double radii = a.radius + b.radius, slack = kAllowed * unit;
  for (const bool first : {true, false}) {
    const PlanarBody &one = first ? a : b, &other = first ? b : a;
    for (const Vec2& p : one.rings) {
      if (other.solid && !other.disc && place_of(other, p, 0.0) > 0) return false;
    }
  }
  for (std::size_t i = 0; i < a.from.size(); ++i) {
    const Vec2 &p0 = a.from[i], &p1 = a.to[i];
    const Vec2 low{std::min(p0.x, p1.x) - radii, std::min(p0.y, p1.y) - radii};
    const Vec2 high{std::max(p0.x, p1.x) + radii, std::max(p0.y, p1.y) + radii};
    for (std::size_t j = 0; j < b.from.size(); ++j) {
      const Vec2 &q0 = b.from[j], &q1 = b.to[j];
      if (std::min({q0.x, q1.x, q0.x + way.x, q1.x + way.x}) > high.x ||
          std::max({q0.x, q1.x, q0.x + way.x, q1.x + way.x}) < low.x ||
          std::min({q0.y, q1.y, q0.y + way.y, q1.y + way.y}) > high.y ||
          std::max({q0.y, q1.y, q0.y + way.y, q1.y + way.y}) < low.y) {
        continue;
      }
      if (SweptPair(p0, p1, q0, q1, way).apart() < radii - slack) return false;
    }
  }
  return true;
}

// Steps of the advance along a turning motion.
constexpr int kMostSteps = 2000;
// Travel between both times, relative to the size, up to which a cast counts as converged.
constexpr double kNarrow = 1e-9;
// How near to that, relative to it, a status is not told.
constexpr double kBorder = 1e-6;
// Gaps of so many units leave the direction between the points to rounding.
constexpr double kBlurred = 1024.0;
constexpr double kSteep = 1e-9;                  ///< of edges beside a normal
constexpr double kSlack = 1e-12;                 ///< of directions
constexpr double kPerUnit = 9007199254740992.0;  // 2^53

/// Two moving bodies, and what has been found of a cast of them.
class CastExaminer {
 public:
  CastExaminer(const PlanarShape& a, const Pose2& pose_a, const PlanarMotion& motion_a,
               const PlanarShape& b, const Pose2& pose_b, const PlanarMotion& motion_b)
      : a_(a),
        b_(b),
        pose_a_(pose_a),
        pose_b_(pose_b),
        motion_a_(motion_a),
        motion_b_(motion_b),
        way_(motion_b.linear - motion_a.linear) {
    const auto moves = [](const PlanarMotion& m) {
      return is_finite(m.linear) && std::fabs(m.angular) <= 1e6;
    };
    placed_ = moves(motion_a) && moves(motion_b) && both_placed(pose_a, pose_b) &&
              both_placed(pose_at(pose_a, motion_a, 1.0), pose_at(pose_b, motion_b, 1.0));
    const double turn_a = std::holds_alternative<Circle>(a) ? 0.0 : std::fabs(motion_a.angular);
    const double turn_b = std::holds_alternative<Circle>(b) ? 0.0 : std::fabs(motion_b.angular);
    turns_ = turn_a > 0.0 || turn_b > 0.0;
    speed_ = (norm(way_) + turn_a * reach_of(a) + turn_b * reach_of(b)) * (1.0 + 32.0 / kPerUnit);
    unit_ = planar_unit(a, pose_a, b, pose_b) +
            (norm(motion_a.linear) + norm(motion_b.linear)) / kPerUnit;
  }

  CheckReport report(const PlanarCast& r) {
    if (has_answer(r)) {
      fields(r);
      if (!report_.refuted()) time(r);
      if (r.hit == PlanarHit::yes && !report_.refuted()) contact(r);
      if (r.hit != PlanarHit::no && !report_.refuted()) places(r);
    }
    conclude(report_);
    return report_;
  }

 private:
  void decide(Claim claim, bool holds, std::string_view reason) {
    record(report_, claim, holds ? Proof::proved : Proof::refuted, reason);
  }
  void decide(Claim claim, double excess, std::string_view reason) {
    record(report_, claim, proof_of(excess, unit_), reason);
  }

  bool has_answer(const PlanarCast& r) {
    const bool told = r.status != Status::invalid_input && r.status != Status::unsupported;
    if (told && placed_) return true;
    const bool nothing =
        r.hit == PlanarHit::undecided && r.time == 0.0 && r.time_upper == kInfinity;
    if (placed_ || told || r.status != Status::invalid_input || !nothing) {
      decide(Claim::value, false, placed_ ? "the question has an answer" : "a pose is not finite");
    }
    return false;
  }

  // Times in order, a status that fits, and nothing told of a contact that is none.
  void fields(const PlanarCast& r) {
    if (r.hit == PlanarHit::no) {
      const bool empty = r.time == kInfinity && r.time_upper == kInfinity &&
                         r.distance == kInfinity && r.point_a == Vec2{} && r.point_b == Vec2{} &&
                         r.normal == Vec2{1.0, 0.0} && r.status == Status::converged;
      return decide(Claim::value, empty, "a contact is told of");
    }
    decide(Claim::value,
           r.time >= 0.0 && r.time <= 1.0 && r.time <= r.time_upper &&
               (r.hit == PlanarHit::yes ? r.time_upper <= 1.0 : r.time_upper == kInfinity),
           "times are not in order");
    if (r.hit != PlanarHit::yes && r.hit != PlanarHit::undecided)
      decide(Claim::value, false, "no such verdict");
    // A motion that was not followed to its end leaves a wide bracket, as what rounding hides does.
    if (r.status == Status::iteration_limit && !turns_)
      decide(Claim::value, false, "a motion that does not turn has no steps");
    const double travel = (r.time_upper - r.time) * speed_, narrow = kNarrow * size();
    if (r.time_upper == 0.0) {
      if (r.status != Status::converged)
        record(report_, Claim::value, Proof::unproved, "the depth may be known less well");
    } else if (std::fabs(travel - narrow) <= kBorder * narrow) {
      record(report_, Claim::value, Proof::unproved,
             "the times are hardly far apart, or hardly near");
    } else {
      decide(Claim::value, (r.status == Status::converged) == (travel <= narrow),
             "the status is that of other times");
    }
  }

  // The largest coordinates of both bodies, of their offset, and of their motions.
  double size() const {
    const auto largest = [](const Vec2& v) { return std::fmax(std::fabs(v.x), std::fabs(v.y)); };
    const auto extent = [&](const PlanarShape& shape) {
      if (const Circle* circle = std::get_if<Circle>(&shape)) return circle->radius();
      double most = 0.0;
      const Contour* const contour = std::get_if<Contour>(&shape);
      const Contour& all = contour != nullptr ? *contour : std::get<Region>(shape).contours()[0];
      for (const Vec2& p : all.points()) most = std::fmax(most, largest(p));
      return most;
    };
    return extent(a_) + extent(b_) + largest(pose_b_.position() - pose_a_.position()) +
           largest(motion_a_.linear) + largest(motion_b_.linear);
  }

  PlanarBody body(bool first, double time, const Vec2& origin) const {
    return first ? PlanarBody(a_, pose_at(pose_a_, motion_a_, time), origin)
                 : PlanarBody(b_, pose_at(pose_b_, motion_b_, time), origin);
  }

  void time(const PlanarCast& r) {
    const Claim claim = r.hit == PlanarHit::no ? Claim::verdict : Claim::time;
    if (claim == Claim::time && r.time == 0.0) return record(report_, claim, Proof::proved, "");
    const double until = r.hit == PlanarHit::no ? 1.0 : r.time;
    const Vec2 origin = pose_a_.position();
    if (turns_
            ? apart_while_turning(until)
            : never_meet(body(true, 0.0, origin), body(false, 0.0, origin), way_ * until, unit_)) {
      return record(report_, claim, Proof::proved, "");
    }
    // Meeting at the start, or by far at the end, is a contact that was not told.
    const auto meet_at = [&](double t) {
      const Vec2 there = pose_at(pose_a_, motion_a_, t).position();
      return meet_by_far(body(true, t, there), body(false, t, there), 4.0 * unit_) > 0;
    };
    const bool refuted = meet_at(0.0) || meet_at(until);
    record(report_, claim, refuted ? Proof::refuted : Proof::unproved,
           refuted ? "they meet before" : "some edges are not shown apart");
  }

  // By steps no longer than the gap lasts.
  bool apart_while_turning(double until) const {
    double t = 0.0;
    for (int step = 0; step < kMostSteps; ++step) {
      const Vec2 there = pose_at(pose_a_, motion_a_, t).position();
      const PlanarBody one = body(true, t, there), other = body(false, t, there);
      if (step == 0 && meet(one, other, unit_) > 0) return false;
      const double gap = least_distance(one, other, kInfinity) - kEvaluation * unit_;
      t += std::fmax(0.0, gap) / speed_;
      if ((until - t) * speed_ <= kAllowed * unit_) return true;
      if (!(gap > 0.0)) return false;
    }
    return false;
  }

  // By `time_upper` a place that both have, to rounding; its proof is that of the verdict.
  void contact(const PlanarCast& r) {
    const Vec2 there = pose_at(pose_a_, motion_a_, r.time_upper).position();
    const PlanarBody one = body(true, r.time_upper, there),
                     other = body(false, r.time_upper, there);
    const int meeting = meet(one, other, unit_);
    const double gap = least_distance(one, other, 1.0);
    const bool shown = meeting > 0 || gap <= kAllowed * unit_;
    const bool refuted = meeting < 0 && gap > (kAllowed + 2.0 * kEvaluation) * unit_;
    const Proof proof = shown ? Proof::proved : (refuted ? Proof::refuted : Proof::unproved);
    record(report_, Claim::time_upper, proof, "no contact shown at that time");
    record(report_, Claim::verdict, proof, "no contact shown");
  }

  // At `time`: a distance like any other where they overlap from the start, else a gap of rounding.
  void places(const PlanarCast& r) {
    const Pose2 at_a = pose_at(pose_a_, motion_a_, r.time),
                at_b = pose_at(pose_b_, motion_b_, r.time);
    if (r.time == 0.0 && r.time_upper == 0.0) {
      // Without its bracket a depth that is known less well cannot be judged.
      if (r.status != Status::converged) return;
      PlanarResult claimed;
      claimed.distance = r.distance;
      claimed.lower = r.distance - kAllowed * unit_;
      claimed.upper = r.distance + kAllowed * unit_;
      claimed.normal = r.normal;
      claimed.point_a = r.point_a;
      claimed.point_b = r.point_b;
      return check_distance(a_, at_a, b_, at_b, claimed, unit_, report_);
    }
    const Vec2 origin = at_a.position();
    const PlanarBody one(a_, at_a, origin), other(b_, at_b, origin);
    const double rounding = 8.0 * (norm(r.point_a) + norm(r.point_b) + norm(origin)) / kPerUnit;
    const Vec2 pa = r.point_a - origin, pb = r.point_b - origin, between = pb - pa;
    decide(Claim::value, std::fabs(least_distance(one, other, kInfinity) - r.distance) - rounding,
           "not the distance at that time");
    decide(Claim::points,
           std::fmax(boundary_distance(one, pa), boundary_distance(other, pb)) - rounding,
           "not on the boundaries");
    decide(Claim::relation, std::fabs(norm(between) - std::fabs(r.distance)) - rounding,
           "the points are not the distance apart");
    decide(Claim::normal, std::fabs(norm(r.normal) - 1.0) <= 64.0 / kPerUnit, "not of length one");
    const double blurred = kBlurred * unit_ + 4.0 * rounding;
    // Two corners have no edge before them.
    if (r.distance > blurred && is_corner(one, pa) && is_corner(other, pb) &&
        norm(between - r.normal * r.distance) <= kAllowed * unit_) {
      return;
    }
    const Vec2 place = (pa + pb) * 0.5;
    const double near = std::fabs(r.distance) + blurred;
    const double slack = normal_slack(one, other, 2.0 * kAllowed * unit_ + rounding);
    const bool apart = r.distance > kAllowed * unit_;
    const bool against = dot(r.normal, way_) <= kSlack * norm(way_);
    const bool curves = !one.solid || !other.solid;
    // A region, beside a curve too, has one side.
    const bool sided = !curves || (!one.disc && !other.disc && (one.solid || other.solid));
    if (is_normal_at(one, other, place, r.normal, near, slack) &&
        (apart ? dot(r.normal, between) > 0.0 : sided || turns_ || against) &&
        (curves || one.disc || other.disc || r.distance != 0.0 ||
         is_parting_or_none(one, other, place, r.normal, near, kSteep))) {
      return;
    }
    // Curves have two sides: that of what approaches. Two points have none but the way.
    const bool nears =
        apart ? dot(r.normal, between) > 0.0
              : !turns_ && against &&
                    !(sided && is_normal_at(one, other, place, -r.normal, near, slack));
    const bool points = one.disc && other.disc && one.radius + other.radius <= blurred;
    const bool fits = points ? !turns_ && norm(way_) > 0.0 &&
                                   norm(way_ + r.normal * norm(way_)) <= kSlack * norm(way_)
                             : is_normal_at(one, other, place, r.normal, near, slack, true);
    record(report_, Claim::normal, fits && nears ? Proof::proved : Proof::unproved,
           "of none of the edges that touch");
  }

  bool is_corner(const PlanarBody& body, const Vec2& p) const {
    const double near = 4.0 * kAllowed * unit_;
    const auto is_near = [&](const Vec2& q) { return norm(q - p) <= near; };
    return !body.disc &&
           (std::any_of(body.from.begin(), body.from.end(), is_near) || is_near(body.to.back()));
  }

  const PlanarShape& a_;
  const PlanarShape& b_;
  Pose2 pose_a_, pose_b_;
  PlanarMotion motion_a_, motion_b_;
  Vec2 way_;
  bool placed_ = false, turns_ = false;
  double speed_ = 0.0, unit_ = 0.0;
  CheckReport report_;
};

}  // namespace

CheckReport check(const PlanarShape& a, const Pose2& pose_a, const PlanarMotion& motion_a,
                  const PlanarShape& b, const Pose2& pose_b, const PlanarMotion& motion_b,
                  const PlanarCast& result) noexcept {
  return CastExaminer(a, pose_a, motion_a, b, pose_b, motion_b).report(result);
}

}  // namespace tactus::planar
