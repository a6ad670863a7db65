#include <algorithm>

#include "tactus/check/planar/body.hpp"

// The claims of planar casts and touches.
namespace tactus {
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
      if (other.solid && other.from.size() > 1 && place_of(other, p, 0.0) > 0) return false;
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

void check_time(const PlanarShape& a, const Pose2& pose_a, const PlanarMotion& motion_a,
                const PlanarShape& b, const Pose2& pose_b, const PlanarMotion& motion_b,
                const PlanarCast& r, double unit, CheckReport& report) {
  const bool turns = (motion_a.angular != 0.0 && !std::holds_alternative<Circle>(a)) ||
                     (motion_b.angular != 0.0 && !std::holds_alternative<Circle>(b));
  const Claim claim = r.hit == PlanarHit::no ? Claim::verdict : Claim::time;
  if (claim == Claim::time && r.time <= 0.0) {
    return report.set(claim, r.time == 0.0 ? Proof::proved : Proof::refuted, "before the start");
  }
  if (turns) return report.set(claim, Proof::unproved, "no certificate of a turning motion");
  const double until = r.hit == PlanarHit::no ? 1.0 : r.time;
  const Vec2 way = (motion_b.linear - motion_a.linear) * until;
  const PlanarBody one(a, pose_a, pose_a.position()), other(b, pose_b, pose_a.position());
  if (never_meet(one, other, way, unit)) return report.set(claim, Proof::proved, "");
  // Meeting at the start, or by far at the end, is a contact that was not told.
  const bool refuted = meet(one, other, unit) > 0 || meet(one, other.moved(way), unit) > 0;
  report.set(claim, refuted ? Proof::refuted : Proof::unproved,
             refuted ? "they meet before" : "some edges are not shown apart");
}

const Contour& contour_of(const PlanarShape& shape, std::size_t k) {
  if (const Contour* contour = std::get_if<Contour>(&shape)) return *contour;
  return std::get<Region>(shape).contours()[k];
}

}  // namespace

CheckReport check(const PlanarShape& a, const Pose2& pose_a, const PlanarMotion& motion_a,
                  const PlanarShape& b, const Pose2& pose_b, const PlanarMotion& motion_b,
                  const PlanarCast& r) noexcept {
  CheckReport report;
  if (r.status == Status::invalid_input || r.status == Status::unsupported) {
    report.finish();
    return report;
  }
  const double unit = planar_unit(a, pose_a, b, pose_b) +
                      (norm(motion_a.linear) + norm(motion_b.linear)) / 9007199254740992.0;
  check_time(a, pose_a, motion_a, b, pose_b, motion_b, r, unit, report);
  if (r.hit != PlanarHit::no) {
    report.set(Claim::value, r.time <= r.time_upper ? Proof::proved : Proof::refuted,
               "times are not in order");
  }
  if (r.hit == PlanarHit::yes) {
    // By then a place that both have, to rounding; its proof is that of the verdict.
    const Pose2 at_a = pose_at(pose_a, motion_a, r.time_upper);
    const Pose2 at_b = pose_at(pose_b, motion_b, r.time_upper);
    const PlanarBody one(a, at_a, at_a.position()), other(b, at_b, at_a.position());
    const int meeting = meet(one, other, unit);
    const double gap = least_distance(one, other, 1.0);
    const bool shown = meeting > 0 || gap <= kAllowed * unit;
    const bool refuted = meeting < 0 && gap > (kAllowed + 2.0 * kEvaluation) * unit;
    const Proof proof = shown ? Proof::proved : (refuted ? Proof::refuted : Proof::unproved);
    report.set(Claim::time_upper, proof, "no contact shown at that time");
    report.set(Claim::verdict, proof, "no contact shown");
  }
  report.finish();
  return report;
}

CheckReport check(const Circle& circle, const Pose2& pose_circle, const PlanarShape& other,
                  const Pose2& pose, std::span<const Touch> touches, double threshold) noexcept {
  CheckReport report;
  const double unit = planar_unit(circle, pose_circle, other, pose);
  const double slack =
      (kAllowed + kEvaluation) * unit +
      8.0 * (norm(pose.position()) + norm(pose_circle.position())) / 9007199254740992.0;
  const PlanarBody body(other, pose, pose.position());
  const Vec2 centre = pose_circle.position() - pose.position();
  const bool inside = place_of(body, centre, kEvaluation * unit) > 0 && body.solid;
  const auto decide = [&](Claim claim, bool holds, std::string_view reason) {
    report.set(claim, holds ? Proof::proved : Proof::refuted, reason);
  };
  for (const Touch& t : touches) {
    const Contour& contour = contour_of(other, t.contour);
    const Vec2 place = t.point - pose.position(), way = centre - place;
    const bool named = t.segment < contour.segments();
    decide(Claim::points, named, "no such segment");
    if (!named) continue;
    const Vec2 from = pose.direction_to_world(contour.start(t.segment));
    const Vec2 to = pose.direction_to_world(contour.end(t.segment));
    decide(Claim::points,
           segment_distance(place, place, from, to) <= slack &&
               std::fabs(norm(place - from) - t.part) <= slack,
           "not there on the segment");
    const double sign = inside ? -1.0 : 1.0, far = sign * norm(way);
    decide(Claim::value,
           std::fabs(t.depth - (circle.radius() - far)) <= slack && t.depth >= -threshold - slack,
           "not so deep");
    decide(Claim::normal,
           std::fabs(norm(t.normal) - 1.0) <= 64.0 / 9007199254740992.0 &&
               norm(way - t.normal * far) <= slack,
           "not from the place to the centre");
  }
  // The nearest place of all is told, when it is near enough.
  const double depth = circle.radius() - boundary_distance(body, centre) * (inside ? -1.0 : 1.0);
  const bool told = std::any_of(touches.begin(), touches.end(), [&](const Touch& t) {
    return std::fabs(t.depth - depth) <= slack;
  });
  decide(Claim::contacts, told || depth <= slack - threshold, "the nearest place is missing");
  report.finish();
  return report;
}

}  // namespace tactus
