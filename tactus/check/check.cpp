#include "tactus/check.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/check/examiner.hpp"
#include "tactus/check/report.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/shape/membership.hpp"

namespace tactus {
using namespace detail;
namespace {

using detail::answered;
using detail::Examiner;

/// Bracket of the signed distance that the checker has proved.
struct Known {
  double lower = -kInfinity, upper = kInfinity;
  std::string no_depth;  ///< why the certificate shows no depth
};

// An end that is proved up to the roundings allowed, or refuted by what is known of the other side.
void judge_lower(const Known& known, double lower, double slack, CheckReport& report) {
  if (lower == -kInfinity) return;
  const Proof proof = known.lower >= lower - slack  ? Proof::proved
                      : known.upper < lower - slack ? Proof::refuted
                      : lower == kInfinity          ? Proof::refuted
                                                    : Proof::unproved;
  record(report, Claim::lower, proof, "the directions do not prove it");
}

void judge_upper(const Known& known, double upper, double slack, CheckReport& report) {
  if (upper == kInfinity) return;
  const Proof proof = known.upper <= upper + slack  ? Proof::proved
                      : known.lower > upper + slack ? Proof::refuted
                      : upper == -kInfinity         ? Proof::refuted
                                                    : Proof::unproved;
  record(report, Claim::upper, proof,
         upper < 0.0 ? known.no_depth : std::string("no points are as near"));
}

// Points of both bodies bound the distance from above, as far as they are members; so does any one
// point, by what it is outside of both.
double upper_by_points(const Examiner& x, const detail::Part* a, const detail::Part* b,
                       const Vec3& point_a, const Vec3& point_b) {
  if (x.has_custom()) return kInfinity;
  const auto apart = [&](const Vec3& of_a, const Vec3& of_b) {
    const double upper = norm(of_b - of_a) + x.outside(true, a, x.pair().a, of_a) +
                         x.outside(false, b, x.pair().b, of_b);
    return std::isnan(upper) ? kInfinity : upper;
  };
  return std::min({apart(point_a, point_b), apart(point_a, point_a), apart(point_b, point_b)});
}

Known examine_bracket(const Examiner& x, const DistanceResult& r) {
  Known known;
  known.lower = r.of_unions ? x.proved_lower_of_unions(r.normal) : x.proved_lower(r.normal);
  known.upper =
      upper_by_points(x, x.part_of_a(r.part_a), x.part_of_b(r.part_b), r.point_a, r.point_b);
  if (!(known.upper <= r.upper + x.slack()))
    known.upper =
        std::min(known.upper, x.proved_depth(r.upper + x.slack(), r.of_unions, known.no_depth));
  return known;
}

// The bracket alone: what a verdict rests on too.
Known check_bracket(const Examiner& x, const DistanceResult& r, CheckReport& report) {
  const bool ordered = r.lower <= r.upper;
  const bool within = r.lower <= r.distance && r.distance <= r.upper;
  record(report, Claim::value, ordered && within ? Proof::proved : Proof::refuted,
         "the distance is not in its bracket");
  const Known known = examine_bracket(x, r);
  judge_lower(known, r.lower, x.slack(), report);
  judge_upper(known, r.upper, x.slack(), report);
  return known;
}

bool is_bounded(const DistanceResult& r) { return r.lower != -kInfinity || r.upper != kInfinity; }

// Without an answer nothing may be claimed. True when there is something to prove.
bool check_answered(const Examiner& x, const DistanceResult& r, CheckReport& report) {
  if (std::isnan(r.lower) || std::isnan(r.upper)) {
    record(report, Claim::value, Proof::refuted, "an end of the bracket is no number");
    return false;
  }
  if (!answered(r.status) || !is_bounded(r)) {
    if (is_bounded(r))
      record(report, Claim::value, Proof::refuted, "an unanswered query has a bounded bracket");
    return false;
  }
  if (!x.in_range()) {
    record(report, Claim::value, Proof::unproved, "the lengths are out of the range of doubles");
    return false;
  }
  return true;
}

void check_distance(const Examiner& x, const DistanceResult& r, CheckReport& report) {
  if (!check_answered(x, r, report)) return;
  check_bracket(x, r, report);
  detail::WitnessClaim claim{r.distance, r.upper,  r.normal, r.point_a,    r.point_b,
                             x.slack(),  r.part_a, r.part_b, r.triangle_a, r.triangle_b};
  claim.of_unions = r.of_unions;
  examine_witnesses(x, x.pair().a, x.pair().b, claim, r.lower, report);
}

/// One point of a patch between two parts.
void check_contact(const Examiner& x, const Manifold& m, const ContactPoint& p, double deepest,
                   double threshold, CheckReport& report) {
  const detail::Part *a = x.part_of_a(m.part_a), *b = x.part_of_b(m.part_b);
  const auto off = [&](const detail::Part& part, const Pose& pose, const Vec3& world) {
    return distance_to_surface(*part.shape, part.in_body.to_local(pose.to_local(x.local(world))));
  };
  const double off_surface =
      std::max(off(*a, x.pair().a, p.point_a), off(*b, x.pair().b, p.point_b));
  const bool custom = a->is(ShapeType::custom) || b->is(ShapeType::custom);
  const auto judge = [&](bool holds, bool open, const char* reason) {
    record(report, Claim::contacts,
           holds  ? Proof::proved
           : open ? Proof::unproved
                  : Proof::refuted,
           reason);
  };
  // Where meshes overlap, the one patch of a depth that nothing explains marks the place.
  const bool marks = (a->mesh != nullptr || b->mesh != nullptr) && p.depth > 0.0;
  judge(off_surface <= x.world_slack(), custom || marks, "a contact is not on the surfaces");
  judge(std::fabs(p.depth - dot(p.point_a - p.point_b, m.normal)) <= x.world_slack(), custom,
        "a contact is not as deep as its points");
  judge(p.depth <= deepest + x.world_slack(), x.has_mesh() || custom,
        "a contact is deeper than the pair");
  judge(p.depth >= -threshold - 2.0 * x.world_slack(), custom, "a contact is beyond the threshold");
}

void check_manifold(const Examiner& x, const Manifold& m, double threshold, CheckReport& report) {
  const detail::Part *a = x.part_of_a(m.part_a), *b = x.part_of_b(m.part_b);
  const bool exists = a != nullptr && b != nullptr && m.count > 0 && m.count <= Manifold::kCapacity;
  const bool unit = std::fabs(norm(m.normal) - 1.0) <= detail::kAllowed * detail::kUnit;
  record(report, Claim::contacts, exists && unit ? Proof::proved : Proof::refuted,
         "a patch without points, parts or a unit normal");
  if (!exists || !unit) return;
  // Along the normal no point of the parts is deeper than f.
  const double deepest = -gap(x.pair(), *a, {0, a->pieces()}, *b, {0, b->pieces()}, m.normal);
  for (const ContactPoint& p : m.span()) check_contact(x, m, p, deepest, threshold, report);
}

// The checker may run out of memory, like everything: then nothing is proved.
template <class Body>
CheckReport guarded(Body&& body) noexcept {
  CheckReport report;
  try {
    body(report);
    conclude(report);
  } catch (...) {
    report = {};
    report.claims[static_cast<int>(Claim::value)] = Proof::unproved;
  }
  return report;
}

}  // namespace

CheckReport check(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const DistanceResult& result, const Certificate* certificate) noexcept {
  return guarded([&](CheckReport& report) {
    check_distance(Examiner(a, pose_a, b, pose_b, certificate), result, report);
  });
}

CheckReport check(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const OverlapResult& result, const Certificate* certificate) noexcept {
  return guarded([&](CheckReport& report) {
    const Examiner x(a, pose_a, b, pose_b, certificate);
    if (!check_answered(x, result.proof, report)) {
      if (result.overlap != Overlap::undecided)
        record(report, Claim::verdict, Proof::unproved, "no bracket");
      return;
    }
    const Known known = check_bracket(x, result.proof, report);
    if (result.overlap == Overlap::undecided) return;
    const bool yes = result.overlap == Overlap::yes;
    // A gap must be wider than what rounding may hide; a touch within rounding is one.
    const bool proved = yes ? known.upper <= x.slack()
                            : x.proved_lower(result.proof.normal, 0.0, detail::kEvaluation) > 0.0;
    const bool refuted = yes ? known.lower > x.slack() : known.upper < -x.slack();
    record(report, Claim::verdict,
           proved    ? Proof::proved
           : refuted ? Proof::refuted
                     : Proof::unproved,
           "the bracket does not show it");
  });
}

CheckReport check(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const ContactsResult& result, std::span<const Manifold> manifolds,
                  double threshold, const Certificate* certificate) noexcept {
  return guarded([&](CheckReport& report) {
    const Examiner x(a, pose_a, b, pose_b, certificate);
    check_distance(x, result.distance, report);
    if (!x.in_range()) return;
    for (const Manifold& m : manifolds) check_manifold(x, m, std::max(threshold, 0.0), report);
  });
}

}  // namespace tactus
