#include "fuzz/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <string_view>
#include <vector>

#include "fuzz/mesh_maker.hpp"
#include "fuzz/motion_claims.hpp"
#include "fuzz/pair_facts.hpp"
#include "tactus/check.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/membership.hpp"

namespace tactus::detail::fuzz {
namespace {

// A unit vector after a rotation that is exact to rounding.
constexpr double kUnitVector = 1e-14;
// Depths and witnesses of contact points agree to this part of the pair's own lengths, those of
// bodies known by a support function alone to the square root of the tolerance, and to roundings of
// the world's coordinates.
constexpr double kOfSize = 1e-7, kOfSizeCustom = 1e-3;
constexpr double kOfWorld = 32.0 * kUnit;
// A converged bracket is as narrow as asked or has eight roundings of 72 units each of the sums of
// half extents, which are at most three times the radii (of ellipsoids).
constexpr double kNarrowest = 8.0 * 72.0 * 3.0 * kUnit;
// The roundings of a mesh are those of its hierarchy too.
constexpr double kOfMeshes = 3.0;
// Loops that a query goes through, each with the cap of the options, and the steps that end each.
constexpr int kLoops = 10;
constexpr int kSpare = 60;
// Where overlap says `undecided`, the distance is zero to this part of the size.
constexpr double kUndecided = 1e-12;

// The normal of triangles that are nearer than this part of the lengths is one of rounded points:
// off by a rounding of the lengths over the gap, it shows the gap to the roundings allowed no more.
constexpr double kDirected = 1e-8;
// Rounding that the checker allows, relative to the lengths of the query.
constexpr double kAllowed = 64.0 * kUnit;
// A cap that ends most searches.
constexpr int kHurry = 3;

constexpr std::size_t kManifolds = 64;

bool bounded(const DistanceResult& r) { return std::isfinite(r.lower) && std::isfinite(r.upper); }

std::string text_of(const DistanceResult& r) {
  return fmt::format("{} in [{}, {}] {}", r.distance, r.lower, r.upper, to_string(r.status));
}

class Examiner {
 public:
  explicit Examiner(const io::Query& query)
      : q_(query),
        of_(query),
        meshes_(has_mesh(query.a) || has_mesh(query.b)),
        bare_(has_open_mesh(query.a) || has_open_mesh(query.b)) {
    const bool custom = query.a.type() == ShapeType::custom || query.b.type() == ShapeType::custom;
    slack_ = (custom ? kOfSizeCustom : kOfSize) * of_.lengths + kOfWorld * of_.world;
  }

  Examination run() {
    try {
      const bool done = plain() && repeated() && swapped() && cached() && hurried() &&
                        overlapping() && touching();
      static_cast<void>(done);
    } catch (const std::exception& error) {
      require(false, "a query threw", [&] { return std::string(error.what()); });
    }
    return std::move(out_);
  }

 private:
  template <class Detail>
  bool require(bool holds, std::string_view claim, Detail&& detail) {
    if (holds) return true;
    out_.failure = claim;
    out_.detail = detail();
    return false;
  }

  DistanceResult ask(Certificate* certificate, QueryCache* cache = nullptr) const {
    QueryOptions options = q_.options;
    options.certificate = certificate;
    return distance(q_.a, q_.pose_a, q_.b, q_.pose_b, options, cache);
  }

  /// Tests one result by itself: its numbers, bracket, normal, work and the checker's report.
  bool sound(const DistanceResult& r, const Certificate* certificate) {
    const auto numbers = [&] { return text_of(r); };
    const bool refused = !has_answer(q_.a, q_.b, q_.options.signed_distance);
    if (!require(!refused || !bounded(r), "an answer to what has none", numbers)) return false;
    if (r.status == Status::unsupported) {
      return require(q_.options.method != Method::automatic || refused,
                     "unsupported, though the pair has an answer", numbers) &&
             require(!bounded(r), "unsupported, but with a bracket", numbers);
    }
    if (!bounded(r)) {
      out_.unanswered = true;
      return require(!of_.normal, "no bracket", numbers);
    }
    if (!require(std::isfinite(r.distance) && is_finite(r.normal) && is_finite(r.point_a) &&
                     is_finite(r.point_b),
                 "not a number", numbers) ||
        !require(std::fabs(norm(r.normal) - 1.0) <= kUnitVector, "normal not of unit length",
                 numbers) ||
        !require(r.lower <= r.distance && r.distance <= r.upper, "distance not in its bracket",
                 numbers) ||
        !require(r.iterations <= most_iterations(), "more iterations than the cap", numbers)) {
      return false;
    }
    const CheckReport report = check(q_.a, q_.pose_a, q_.b, q_.pose_b, r, certificate);
    out_.unproved = out_.unproved || !report.ok;
    return require((!report.refuted() && (report.ok || !must_be_proved(r))) || !of_.normal,
                   "checker: " + fault_of(report), [&] {
                     return fmt::format("{}, f(n) + d = {}, witnesses off by {} {} {}", text_of(r),
                                        report.direction_residual, report.witness_residual,
                                        report.membership_a, report.membership_b);
                   });
  }

  double most_iterations() const {
    return static_cast<double>(pieces_of(q_.a)) * pieces_of(q_.b) * kLoops *
           (q_.options.max_iterations + kSpare);
  }

  /// Only converged answers of the default method must be proved: other methods may claim more than
  /// their certificates show. Points of custom shapes are never proved, nor are all claims about
  /// meshes that meet. A false claim must be refuted in any case.
  bool must_be_proved(const DistanceResult& r) const {
    const bool custom = q_.a.type() == ShapeType::custom || q_.b.type() == ShapeType::custom;
    return !custom && q_.options.method == Method::automatic && r.status == Status::converged &&
           !(r.lower > q_.options.max_distance) && (!meshes_ || r.lower > kDirected * of_.lengths);
  }

  bool not_refuted(const CheckReport& report, const DistanceResult& answer,
                   const std::string& what) {
    return require(!report.refuted() || !of_.normal, what + ", checker: " + fault_of(report),
                   [&] { return text_of(answer) + "; " + report.failure; });
  }

  bool same_truth(const DistanceResult& x, std::string_view claim) {
    // Without an inside there is no depth: bodies that meet are at distance 0, or as deep as the
    // way out is long.
    const double least = bare_ ? 0.0 : -std::numeric_limits<double>::infinity();
    const DistanceResult& r = out_.answer;
    return require(std::max(x.lower, least) <= std::max(r.upper, least) &&
                       std::max(r.lower, least) <= std::max(x.upper, least),
                   claim, [&] { return text_of(r) + " against " + text_of(x); });
  }

  bool plain() {
    Certificate certificate;
    out_.answer = ask(&certificate, &cache_);
    const DistanceResult& r = out_.answer;
    if (!sound(r, &certificate)) return false;
    if (r.status != Status::converged || r.lower > q_.options.max_distance) return true;
    // Each part of a compound has its own size, up to twice that of the whole along its axes.
    const double wanted = std::max(
        q_.options.tolerance * of_.size * (parts_of(q_.a) * parts_of(q_.b) > 1 ? 2.0 : 1.0),
        (meshes_ ? kOfMeshes : 1.0) * kNarrowest * of_.lengths);
    // Among denormal numbers a rounding is no part of the length any more.
    return require(r.upper - r.lower <= wanted || !of_.normal, "converged, but wider than asked",
                   [&] { return text_of(r); });
  }

  bool repeated() {
    Derivatives derivatives;
    QueryOptions options = q_.options;
    options.derivatives = &derivatives;
    const DistanceResult r = distance(q_.a, q_.pose_a, q_.b, q_.pose_b, options);
    const DistanceResult& first = out_.answer;
    if (!bounded(first)) return true;
    return require(r.distance == first.distance && r.lower == first.lower &&
                       r.upper == first.upper && r.normal == first.normal &&
                       r.point_a == first.point_a && r.point_b == first.point_b,
                   "other bits without a certificate",
                   [&] { return text_of(first) + " against " + text_of(r); }) &&
           require(is_finite(derivatives.linear_a) && is_finite(derivatives.angular_a) &&
                       is_finite(derivatives.linear_b) && is_finite(derivatives.angular_b),
                   "a derivative is not a number", [&] { return text_of(r); });
  }

  bool swapped() {
    io::Query back = q_;
    std::swap(back.a, back.b);
    std::swap(back.pose_a, back.pose_b);
    Certificate certificate;
    back.options.certificate = &certificate;
    Examiner other(back);
    const DistanceResult r = distance(back.a, back.pose_a, back.b, back.pose_b, back.options);
    if (!other.sound(r, &certificate)) {
      return require(false, "swapped: " + other.out_.failure, [&] { return other.out_.detail; });
    }
    return same_truth(r, "forth and back contradict") &&
           require(!both_meshes() || mirrors(r), "swapped meshes answer other bits",
                   [&] { return text_of(out_.answer) + " against " + text_of(r); });
  }

  bool both_meshes() const {
    return q_.a.type() == ShapeType::mesh && q_.b.type() == ShapeType::mesh;
  }

  bool mirrors(const DistanceResult& r) const {
    const DistanceResult& first = out_.answer;
    // Equal bodies at one pose have no order: swapped, the query is the same one, normal included.
    const bool same_place = q_.pose_a.position() == q_.pose_b.position() &&
                            q_.pose_a.rotation() == q_.pose_b.rotation();
    if (same_place && r.normal == first.normal) return r.distance == first.distance;
    return r.distance == first.distance && r.lower == first.lower && r.upper == first.upper &&
           (!bounded(r) || (r.normal == -first.normal && r.point_a == first.point_b &&
                            r.point_b == first.point_a));
  }

  /// An answer that a small cap of the iterations ends claims less, and nothing false.
  bool hurried() {
    io::Query soon = q_;
    soon.options.max_iterations = kHurry;
    Certificate certificate;
    soon.options.certificate = &certificate;
    Examiner other(soon);
    const DistanceResult r = distance(q_.a, q_.pose_a, q_.b, q_.pose_b, soon.options);
    if (!other.sound(r, &certificate))
      return require(false, "hurried: " + other.out_.failure, [&] { return other.out_.detail; });
    return same_truth(r, "the hurried answer contradicts");
  }

  bool cached() {
    // Its own cache, then one that points the wrong way.
    for (int i = 0; i < 2; ++i) {
      QueryCache cache = cache_;
      if (i == 1) turn_away(cache);
      Certificate certificate;
      const DistanceResult r = ask(&certificate, &cache);
      if (!sound(r, &certificate)) {
        out_.failure = "cached: " + out_.failure;
        return false;
      }
      if (!same_truth(r, "the cached answer contradicts")) return false;
    }
    return true;
  }

  bool overlapping() {
    const OverlapResult o = overlap(q_.a, q_.pose_a, q_.b, q_.pose_b, q_.options);
    const DistanceResult& proof = o.proof;
    const auto numbers = [&] { return text_of(out_.answer) + " against " + text_of(proof); };
    if (!same_truth(proof, "overlap contradicts the distance")) return false;
    if (!not_refuted(check(q_.a, q_.pose_a, q_.b, q_.pose_b, o), proof, "overlap")) return false;
    switch (o.overlap) {
      case Overlap::yes:
        return require(proof.upper <= 0.0, "overlap without proof", numbers);
      case Overlap::no:
        return require(proof.lower > 0.0, "no overlap without proof", numbers);
      case Overlap::undecided:
        break;
    }
    // Other methods, and searches that ran into their cap, may know no better. What was searched to
    // the end holds zero in a bracket of roundings; the distance has a tolerance of its own.
    const bool finished =
        q_.options.method == Method::automatic && proof.status == Status::converged;
    const double allowed =
        std::max(kUndecided * of_.lengths, meshes_ ? q_.options.tolerance * of_.size : 0.0);
    return require(!finished || !of_.normal || std::max(-proof.lower, proof.upper) <= allowed,
                   "overlap undecided", numbers);
  }

  bool touching() {
    std::array<Manifold, kManifolds> manifolds;
    const ContactsResult c = contacts(q_.a, q_.pose_a, q_.b, q_.pose_b, manifolds, q_.options);
    const DistanceResult& r = out_.answer;
    const auto numbers = [&] {
      return fmt::format("{} against {}, {} manifolds within {}", text_of(r), text_of(c.distance),
                         c.manifolds, q_.options.margin);
    };
    if (!same_truth(c.distance, "contacts contradict the distance")) return false;
    // Points are no better than the bracket, which is wide in unfinished answers and where meshes
    // meet.
    const std::span filled(manifolds.data(), static_cast<std::size_t>(c.manifolds));
    const CheckReport report =
        check(q_.a, q_.pose_a, q_.b, q_.pose_b, c, filled, q_.options.margin);
    // Hulls with vertices 1e-9 apart have points that far inside of their rounding.
    const bool refuted = report[Claim::contacts] == Proof::refuted;
    if (!require(!of_.normal || !meshes_ || !refuted, "contacts refuted",
                 [&] { return report.failure + "; " + numbers(); })) {
      return false;
    }
    const bool exact = c.distance.upper - c.distance.lower <= kAllowed * of_.lengths;
    if (!exact || !must_be_proved(c.distance)) {
      out_.unproved = out_.unproved || report.refuted();
    } else if (!not_refuted(report, c.distance, "contacts")) {
      return false;
    }
    if (!bounded(r) || !bounded(c.distance)) return true;
    if (!require(c.manifolds == 0 || r.lower <= q_.options.margin + (meshes_ ? slack_ : 0.0),
                 "a contact beyond the threshold", numbers) ||
        !require(c.manifolds > 0 || r.upper >= q_.options.margin, "no contact within the threshold",
                 numbers)) {
      return false;
    }
    double deepest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < c.manifolds; ++i) {
      const Manifold& m = manifolds[static_cast<std::size_t>(i)];
      if (!require(m.count > 0 && m.count <= Manifold::kCapacity, "a patch without points",
                   numbers) ||
          !require(std::fabs(norm(m.normal) - 1.0) <= kUnitVector, "contact normal not unit",
                   numbers)) {
        return false;
      }
      for (const ContactPoint& p : m.span()) {
        if (!contact_point(m, p, c.distance)) return false;
        deepest = std::max(deepest, p.depth);
      }
    }
    // Patches of meshes are as deep as the surfaces there, not as the way out is long.
    return require(c.manifolds == 0 || c.truncated || !of_.normal || meshes_ ||
                       deepest >= -c.distance.upper - deep_slack(c.distance),
                   "the deepest contact is not as deep as the pair",
                   [&] { return fmt::format("{} at most, {}", deepest, numbers()); });
  }

  // The witnesses of a bracket that stayed wide are no better than it.
  double deep_slack(const DistanceResult& r) const { return slack_ + (r.upper - r.lower); }

  bool contact_point(const Manifold& m, const ContactPoint& p, const DistanceResult& r) {
    const auto numbers = [&] {
      return fmt::format("depth {} by {} {} {} - {} {} {}, {}", p.depth, p.point_a.x, p.point_a.y,
                         p.point_a.z, p.point_b.x, p.point_b.y, p.point_b.z, text_of(r));
    };
    if (!require(is_finite(p.point_a) && is_finite(p.point_b) && std::isfinite(p.depth),
                 "a contact is not a number", numbers)) {
      return false;
    }
    if (!of_.normal) return true;
    return require(meshes_ || p.depth <= -r.lower + slack_, "a contact deeper than the pair",
                   numbers) &&
           require(p.depth >= -q_.options.margin - slack_, "a contact farther than the threshold",
                   numbers) &&
           require(std::fabs(p.depth - dot(p.point_a - p.point_b, m.normal)) <= deep_slack(r),
                   "a contact's depth is not that of its points", numbers) &&
           require(outside(q_.a, q_.pose_a, m.part_a, p.point_a) <= deep_slack(r) &&
                       outside(q_.b, q_.pose_b, m.part_b, p.point_b) <= deep_slack(r),
                   "a contact off its shape", numbers);
  }

  /// How far a point lies outside a convex shape or a part of a compound; 0 for those nested
  /// deeper.
  static double outside(const Shape& shape, const Pose& pose, std::int32_t part,
                        const Vec3& point) {
    const auto* compound = std::get_if<Compound>(&shape.geometry());
    if (compound == nullptr) return distance_outside(shape, pose.to_local(point));
    if (part < 0 || static_cast<std::size_t>(part) >= compound->parts().size()) return 0.0;
    const Compound::Part& p = compound->parts()[static_cast<std::size_t>(part)];
    if (p.shape.type() == ShapeType::compound) return 0.0;
    return distance_outside(p.shape, p.pose.to_local(pose.to_local(point)));
  }

  const io::Query& q_;
  PairLengths of_;
  bool meshes_, bare_;  // bare: a surface without an inside
  double slack_ = 0.0;
  QueryCache cache_;
  Examination out_;
};

}  // namespace

Examination examine(const io::Query& query) {
  return query.motion ? examine_motion(query) : Examiner(query).run();
}

}  // namespace tactus::detail::fuzz
