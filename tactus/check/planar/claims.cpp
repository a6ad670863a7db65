#include <algorithm>

#include "tactus/check/planar/body.hpp"

// The claims of planar distance, overlap and touches.
namespace tactus {
namespace {

using namespace detail;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Two bodies about A's origin, and what has been found of an answer about them.
class Examiner {
 public:
  Examiner(const PlanarShape& a, const Pose2& pose_a, const PlanarShape& b, const Pose2& pose_b)
      : origin_(pose_a.position()),
        unit_(planar_unit(a, pose_a, b, pose_b)),
        a_(a, pose_a, origin_),
        b_(b, pose_b, origin_) {}

  CheckReport distance(const PlanarResult& r) {
    if (r.status == Status::invalid_input || r.status == Status::unsupported) return finished();
    decide(Claim::value, r.lower <= r.distance && r.distance <= r.upper, "not in its bracket");
    lower(r);
    upper(r);
    directions(r);
    return finished();
  }

  CheckReport verdict(bool overlap) {
    const int truth = meet(a_, b_, unit_);
    const Proof proof =
        truth == 0 ? Proof::unproved : ((truth > 0) == overlap ? Proof::proved : Proof::refuted);
    report_.set(Claim::verdict, proof, truth == 0 ? "too near to touching" : "it is the other one");
    return finished();
  }

 private:
  CheckReport finished() {
    report_.finish();
    return report_;
  }

  void decide(Claim claim, bool holds, std::string_view reason) {
    report_.set(claim, holds ? Proof::proved : Proof::refuted, reason);
  }
  // Between what is proved and what is refuted lies what rounding hides.
  void decide(Claim claim, double excess, std::string_view reason) {
    const double units = excess / unit_;
    const Proof proof =
        units <= kAllowed
            ? Proof::proved
            : (units <= kAllowed + 2.0 * kEvaluation ? Proof::unproved : Proof::refuted);
    report_.set(claim, proof, reason);
  }

  void lower(const PlanarResult& r) {
    if (r.lower == -kInfinity) return;
    const bool curves = !a_.solid || !b_.solid;
    const bool disc = a_.radius > 0.0 || b_.radius > 0.0;
    // A curve in a region, or two curves, are never deep.
    if (r.lower <= 0.0 && curves && !disc) return decide(Claim::lower, true, "");
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
        return report_.set(Claim::lower, Proof::proved, "");
    }
    report_.set(Claim::lower, Proof::unproved, "moved along the normal they are not apart");
  }

  // Interiors of bodies that do not touch by rounding; of a disc, up to what is allowed.
  bool clear(const PlanarBody& moved) const {
    if (a_.radius > 0.0 || b_.radius > 0.0) {
      const auto inside = [&](const PlanarBody& solid, const PlanarBody& of) {
        return solid.solid && solid.radius == 0.0 && solid.from.size() > 1 &&
               place_of(solid, of.rings[0], 0.0) >= 0;
      };
      return least_distance(a_, moved, unit_) >= -kEvaluation * unit_ && !inside(a_, moved) &&
             !inside(moved, a_);
    }
    return meet(a_, moved, unit_ / kEvaluation) < 0;
  }

  void upper(const PlanarResult& r) {
    if (r.upper == kInfinity) return;
    if (r.upper < -kAllowed * unit_) {
      // That they overlap is not yet how deep.
      const bool wrong = meet(a_, b_, unit_) < 0;
      return report_.set(Claim::upper, wrong ? Proof::refuted : Proof::unproved,
                         wrong ? "they are apart" : "no certificate of the least way");
    }
    const double least = least_distance(a_, b_, kInfinity);
    if (least <= r.upper + kAllowed * unit_ || meet(a_, b_, unit_) > 0) {
      return report_.set(Claim::upper, Proof::proved, "");
    }
    const bool refuted = least > r.upper + (kAllowed + 2.0 * kEvaluation) * unit_;
    const bool apart = refuted && meet(a_, b_, unit_) < 0;
    report_.set(Claim::upper, apart ? Proof::refuted : Proof::unproved,
                apart ? "they are farther apart" : "within rounding of touching");
  }

  double outside(const PlanarBody& body, const Vec2& p) const {
    return place_of(body, p, 0.0) >= 0 && body.solid ? 0.0 : boundary_distance(body, p);
  }

  void directions(const PlanarResult& r) {
    const double rounding = world_rounding(r.point_a, r.point_b);
    const double off = std::fabs(norm(r.normal) - 1.0);
    decide(Claim::normal, off <= 64.0 / 9007199254740992.0, "not of length one");
    const Vec2 pa = r.point_a - origin_, pb = r.point_b - origin_;
    const double wrong = std::fmax(outside(a_, pa), outside(b_, pb)) - rounding;
    decide(Claim::points, wrong, "outside of the bodies");
    const double apart = norm((pb - pa) - r.normal * r.distance) - rounding;
    decide(Claim::relation, apart, "point_b - point_a is not distance * normal");
  }

  // Points have coordinates in the world.
  double world_rounding(const Vec2& p, const Vec2& q) const {
    return 8.0 * (norm(p) + norm(q) + norm(origin_)) / 9007199254740992.0;
  }

  Vec2 origin_;
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

}  // namespace tactus
