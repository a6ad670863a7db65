#include <algorithm>

#include "tactus/check/planar/body.hpp"
#include "tactus/check/report.hpp"
#include "tactus/core/constants.hpp"

// The claims of planar distance, overlap and touches.
namespace tactus::planar {
namespace {

using namespace detail;

constexpr double kPerUnit = 9007199254740992.0;  // 2^53
// Width of a bracket, relative to the size, up to which it counts as converged.
constexpr double kNarrow = 1e-12;
// Distances of so many units leave the direction between the points to rounding.
constexpr double kBlurred = 1024.0;
// Farther apart, edges are at right angles to the normal up to this.
constexpr double kSteep = 1e-9;

/// Two bodies about A's origin, and what has been found of an answer about them.
class Examiner {
 public:
  Examiner(const PlanarShape& a, const Pose2& pose_a, const PlanarShape& b, const Pose2& pose_b)
      : origin_(pose_a.position()),
        placed_(both_placed(pose_a, pose_b)),
        unit_(planar_unit(a, pose_a, b, pose_b)),
        a_(a, pose_a, origin_),
        b_(b, pose_b, origin_) {}

  CheckReport distance(const PlanarResult& r) {
    if (!has_answer(r.status, r.lower == -kInfinity && r.upper == kInfinity)) return finished();
    decide(Claim::value, r.lower <= r.distance && r.distance <= r.upper, "not in its bracket");
    status(r);
    directions(r);
    lower(r);
    upper(r);
    return finished();
  }

  // Adds the claims of a distance to `report`, its status left out; `unit` is that of the rounding.
  void claims(const PlanarResult& r, double unit, CheckReport& report) {
    unit_ = unit;
    report_ = report;
    decide(Claim::value, r.lower <= r.distance && r.distance <= r.upper, "not in its bracket");
    directions(r);
    lower(r);
    upper(r);
    report = report_;
  }

  CheckReport verdict(bool overlap) {
    if (!placed_) {
      record(report_, Claim::verdict, Proof::unproved, "a pose is not finite");
      return finished();
    }
    const int truth = meet(a_, b_, unit_);
    const Proof proof =
        truth == 0 ? Proof::unproved : ((truth > 0) == overlap ? Proof::proved : Proof::refuted);
    record(report_, Claim::verdict, proof,
           truth == 0 ? "too near to touching" : "it is the other one");
    return finished();
  }

 private:
  CheckReport finished() {
    conclude(report_);
    return report_;
  }

  // A pose that is not finite has no answer, and others have one.
  bool has_answer(Status status, bool unbounded) {
    if (status == Status::converged || status == Status::precision_limit) {
      if (!placed_) decide(Claim::value, false, "a pose is not finite");
      return placed_;
    }
    if (status == Status::invalid_input && !placed_ && unbounded) return false;
    decide(Claim::value, false, placed_ ? "the question has an answer" : "a pose is not finite");
    return false;
  }

  // Converged brackets are no wider than 1e-12 of the size; here that is known up to a factor.
  void status(const PlanarResult& r) {
    const double width = r.upper - r.lower, size = unit_ * kPerUnit + std::fabs(r.distance);
    const bool converged = r.status == Status::converged;
    if (converged ? !(width <= 2.0 * kNarrow * size) : width < 0.1 * kNarrow * size) {
      decide(Claim::value, false, converged ? "the bracket is wide" : "the bracket is narrow");
    }
  }

  void decide(Claim claim, bool holds, std::string_view reason) {
    record(report_, claim, holds ? Proof::proved : Proof::refuted, reason);
  }
  void decide(Claim claim, double excess, std::string_view reason) {
    record(report_, claim, proof_of(excess, unit_), reason);
  }

  void lower(const PlanarResult& r) {
    if (r.lower == -kInfinity) return;
    const bool curves = !a_.solid || !b_.solid;
    const bool disc = a_.radius > 0.0 || b_.radius > 0.0;
    // A curve in a region, or two curves, are never deep.
    if (r.lower <= 0.0 && curves && !disc) return decide(Claim::lower, true, "");
    if (r.lower <= 0.0 && meet(a_, b_, unit_) < 0) return decide(Claim::lower, true, "");
    if (r.lower > 0.0) {
      const double least = least_distance(a_, b_, r.lower + unit_);
      if (!std::isnan(least) && meet(a_, b_, unit_) > 0)
        return decide(Claim::lower, false, "they overlap");
      decide(Claim::lower, r.lower - least, "nearer places");
      return;
    }
    // No shorter than the depth, and after it the bodies are apart.
    const double way = std::fmax(0.0, -r.distance);
    const double length = norm(r.normal);
    for (const double more : {0.0, 8.0, 28.0}) {
      const double far = way + more * unit_;
      if (!(length > 0.0) || far > -r.lower + kAllowed * unit_) break;
      if (clear(b_.moved(r.normal * (far / length))))
        return record(report_, Claim::lower, Proof::proved, "");
    }
    if (regions() && length > 0.0 && way <= -r.lower + kAllowed * unit_ &&
        is_free_beside(a_, b_, r.normal * (way / length), unit_)) {
      return record(report_, Claim::lower, Proof::proved, "");
    }
    record(report_, Claim::lower, Proof::unproved, "moved along the normal they are not apart");
  }

  bool regions() const { return a_.solid && b_.solid && !a_.disc && !b_.disc; }

  // Interiors of bodies that do not touch by rounding; of a disc, up to what is allowed.
  bool clear(const PlanarBody& moved) const {
    if (a_.disc || b_.disc) {
      const auto inside = [&](const PlanarBody& solid, const PlanarBody& of) {
        return solid.solid && !solid.disc && place_of(solid, of.rings[0], 0.0) >= 0;
      };
      return least_distance(a_, moved, unit_) >= -kEvaluation * unit_ && !inside(a_, moved) &&
             !inside(moved, a_);
    }
    return meet(a_, moved, unit_ / kEvaluation) < 0;
  }

  void upper(const PlanarResult& r) {
    if (r.upper == kInfinity) return;
    if (r.upper < -kAllowed * unit_) {
      if (meet(a_, b_, unit_) < 0 || ((!a_.solid || !b_.solid) && !a_.disc && !b_.disc)) {
        return decide(Claim::upper, false, "they are apart");
      }
      // Looked at only where all else may be true: it takes long.
      if (report_.refuted()) return record(report_, Claim::upper, Proof::unproved, "not looked at");
      const int held = overlap_within(a_, b_, -r.upper - kAllowed * unit_, unit_);
      return record(
          report_, Claim::upper,
          held > 0 ? Proof::proved : (held < 0 ? Proof::refuted : Proof::unproved),
          held < 0 ? "a shorter way parts them" : "it is not shown that no shorter way does");
    }
    const double least = least_distance(a_, b_, kInfinity);
    if (least <= r.upper + kAllowed * unit_ || meet(a_, b_, unit_) > 0) {
      return record(report_, Claim::upper, Proof::proved, "");
    }
    const bool refuted = least > r.upper + (kAllowed + 2.0 * kEvaluation) * unit_;
    const bool apart = refuted && meet(a_, b_, unit_) < 0;
    record(report_, Claim::upper, apart ? Proof::refuted : Proof::unproved,
           apart ? "they are farther apart" : "within rounding of touching");
  }

  // From the boundary; a curve in a region is met inside it.
  double off(const PlanarBody& body, const PlanarBody& other, const Vec2& p,
             double distance) const {
    const bool holds = body.solid && !body.disc && !other.solid && distance == 0.0;
    return holds && place_of(body, p, 0.0) > 0 ? 0.0 : boundary_distance(body, p);
  }

  void directions(const PlanarResult& r) {
    const double rounding = world_rounding(r.point_a, r.point_b);
    const double length_off = std::fabs(norm(r.normal) - 1.0);
    decide(Claim::normal, length_off <= 64.0 / kPerUnit, "not of length one");
    const Vec2 pa = r.point_a - origin_, pb = r.point_b - origin_;
    const double wrong = std::fmax(off(a_, b_, pa, r.distance), off(b_, a_, pb, r.distance));
    decide(Claim::points, wrong - rounding, "not on the boundaries");
    const double apart = norm((pb - pa) - r.normal * r.distance) - rounding;
    decide(Claim::relation, apart, "point_b - point_a is not distance * normal");
    // Where the points are one, they tell nothing of the normal.
    const double blurred = kBlurred * unit_ + 4.0 * rounding;
    if (r.distance > blurred) {
      const double near = (kAllowed + kEvaluation) * unit_ + 2.0 * rounding;
      const double slack = std::fmin(kSteep, 256.0 * (unit_ + rounding) / r.distance);
      if (!is_shortest_way(a_, pa, b_, pb, r.normal, near, slack))
        record(report_, Claim::normal, Proof::unproved, "not at right angles to what it joins");
      return;
    }
    if (r.distance < -blurred) {
      if (report_.refuted() || (!a_.disc && !b_.disc && !regions())) return;
      if (!is_extreme(a_, b_, r.normal * -r.distance, unit_ + 0.125 * rounding))
        record(report_, Claim::normal, Proof::unproved, "not that of a least way out");
      return;
    }
    const Vec2 place = (pa + pb) * 0.5;
    const double slack = normal_slack(a_, b_, blurred);
    if (!is_normal_at(a_, b_, place, r.normal, blurred, slack) ||
        (regions() && !is_parting_or_none(a_, b_, place, r.normal, blurred, kSteep))) {
      record(report_, Claim::normal, Proof::unproved, "of none of the edges that touch");
    }
  }

  // Points have coordinates in the world.
  double world_rounding(const Vec2& p, const Vec2& q) const {
    return 8.0 * (norm(p) + norm(q) + norm(origin_)) / kPerUnit;
  }

  Vec2 origin_;
  bool placed_;
  double unit_;
  PlanarBody a_, b_;
  CheckReport report_;
};

}  // namespace

CheckReport check(const PlanarShape& a, const Pose2& pose_a, const PlanarShape& b,
                  const Pose2& pose_b, const PlanarResult& result) noexcept {
  return Examiner(a, pose_a, b, pose_b).distance(result);
}

CheckReport check_overlap(const PlanarShape& a, const Pose2& pose_a, const PlanarShape& b,
                          const Pose2& pose_b, bool overlap) noexcept {
  return Examiner(a, pose_a, b, pose_b).verdict(overlap);
}

}  // namespace tactus::planar

namespace tactus::detail {

void check_distance(const PlanarShape& a, const Pose2& pose_a, const PlanarShape& b,
                    const Pose2& pose_b, const PlanarResult& result, double unit,
                    CheckReport& report) {
  planar::Examiner(a, pose_a, b, pose_b).claims(result, unit, report);
}

}  // namespace tactus::detail
