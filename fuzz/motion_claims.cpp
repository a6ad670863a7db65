#include "fuzz/motion_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <string_view>

#include "fuzz/mesh_maker.hpp"
#include "fuzz/pair_facts.hpp"
#include "tactus/check.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::fuzz {
namespace {

// Overlaps and gaps that count are larger than some roundings of all lengths, also those of the
// ways and, of turning bodies, of the angle.
constexpr double kOfLengths = 1024.0 * kUnit;
// A cap that ends most searches.
constexpr int kHurry = 2;
// Times at which the distance is asked, evenly; then some just before the first contact.
constexpr int kSamples = 6;
constexpr double kJustBefore[] = {1e-9, 1e-6, 1e-3};

std::string text_of(const CastResult& r) {
  constexpr std::string_view kVerdicts[] = {"no", "yes", "undecided"};
  return fmt::format("{} in [{}, {}] at {} {}", kVerdicts[static_cast<int>(r.hit)], r.time,
                     r.time_upper, r.distance, to_string(r.status));
}

bool answered(const CastResult& r) {
  return r.status != Status::unsupported && r.status != Status::invalid_input;
}

io::Motion motion_of(const io::Query& query) { return query.motion.value_or(io::Motion{}); }

class MotionExaminer {
 public:
  explicit MotionExaminer(const io::Query& query)
      : q_(query),
        of_(query),
        custom_(query.a.type() == ShapeType::custom || query.b.type() == ShapeType::custom) {
    const io::Motion m = motion_of(query);
    const double way = norm(m.a.linear) + norm(m.b.linear);
    const double turns = 1.0 + norm(m.a.angular) + norm(m.b.angular);
    slack_ = kOfLengths * (of_.world + way) * turns;
    in_range_ = of_.normal && of_.world + way < 1e49;
  }

  Examination run() {
    try {
      const bool done =
          plain() && repeated() && swapped() && cached() && hurried() && sampled() && arrived();
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

  static CastResult ask(const io::Query& q, Certificate* certificate, QueryCache* cache = nullptr) {
    const io::Motion m = motion_of(q);
    QueryOptions options = q.options;
    options.certificate = certificate;
    return q.ask == io::Ask::cast
               ? cast(q.a, q.pose_a, m.a.linear, q.b, q.pose_b, m.b.linear, options, cache)
               : impact(q.a, q.pose_a, m.a, q.b, q.pose_b, m.b, options, cache);
  }

  /// Tests one result by itself: its numbers, verdict and the checker's report.
  bool sound(const CastResult& r, const Certificate& certificate) {
    const auto numbers = [&] { return text_of(r); };
    if (!require(!std::isnan(r.time) && !std::isnan(r.time_upper) && !std::isnan(r.distance) &&
                     is_finite(r.normal) && is_finite(r.point_a) && is_finite(r.point_b),
                 "not a number", numbers) ||
        !require(answered(r) || r.hit == Overlap::undecided, "a verdict without an answer",
                 numbers) ||
        !require(r.status != Status::unsupported || q_.options.method != Method::automatic ||
                     !has_answer(q_.a, q_.b, false),
                 "unsupported, though the pair has an answer", numbers)) {
      return false;
    }
    if (!answered(r)) return true;
    const io::Motion m = motion_of(q_);
    const CheckReport report = check(q_.a, q_.pose_a, m.a, q_.b, q_.pose_b, m.b, r, &certificate);
    out_.unproved = out_.unproved || !report.ok;
    const Claim claim = r.hit == Overlap::no ? Claim::verdict : Claim::time;
    // The steps of an impact end before all is shown where bodies stay within rounding for long.
    const bool must = q_.ask == io::Ask::cast && !custom_ &&
                      q_.options.method == Method::automatic && r.status == Status::converged &&
                      (r.hit == Overlap::no || r.time > 0.0);
    return require(!in_range_ || (!report.refuted() && (!must || report[claim] == Proof::proved)),
                   "checker: " + fault_of(report), numbers);
  }

  /// Can both brackets hold the time of the same first contact?
  bool same_truth(const CastResult& x, std::string_view claim) {
    const CastResult& r = answer_;
    if (!answered(r) || !answered(x)) return true;
    const auto contradict = [](const CastResult& no, const CastResult& yes) {
      return no.hit == Overlap::no && yes.hit == Overlap::yes;
    };
    const bool late = (r.hit == Overlap::yes && x.time > r.time_upper) ||
                      (x.hit == Overlap::yes && r.time > x.time_upper);
    return require(!contradict(r, x) && !contradict(x, r) && !late, claim,
                   [&] { return text_of(r) + " against " + text_of(x); });
  }

  bool plain() {
    Certificate certificate;
    answer_ = ask(q_, &certificate, &cache_);
    out_.answer.status = answer_.status;
    out_.answer.iterations = answer_.iterations;
    out_.unanswered = answer_.status == Status::precision_limit && !in_range_;
    return sound(answer_, certificate);
  }

  bool repeated() {
    QueryCache cache;
    const CastResult r = ask(q_, nullptr, &cache);
    const CastResult& first = answer_;
    return require(r.hit == first.hit && r.time == first.time && r.time_upper == first.time_upper &&
                       r.distance == first.distance && r.normal == first.normal &&
                       r.point_a == first.point_a && r.point_b == first.point_b,
                   "other bits without a certificate",
                   [&] { return text_of(first) + " against " + text_of(r); });
  }

  /// Asks another query that has the same time of contact: its answer must be sound and agree.
  bool also(const io::Query& other_query, const std::string& name) {
    MotionExaminer other(other_query);
    Certificate certificate;
    const CastResult r = ask(other_query, &certificate);
    if (!other.sound(r, certificate))
      return require(false, name + ": " + other.out_.failure, [&] { return other.out_.detail; });
    return same_truth(r, name + ": another time of contact");
  }

  bool swapped() {
    io::Query back = q_;
    std::swap(back.a, back.b);
    std::swap(back.pose_a, back.pose_b);
    back.motion = io::Motion{motion_of(q_).b, motion_of(q_).a};
    return also(back, "swapped");
  }

  bool hurried() {
    io::Query soon = q_;
    soon.options.max_iterations = kHurry;
    return also(soon, "hurried");
  }

  bool cached() {
    // Its own cache, then one that points the wrong way.
    for (int i = 0; i < 2; ++i) {
      QueryCache cache = cache_;
      if (i == 1) turn_away(cache);
      Certificate certificate;
      const CastResult r = ask(q_, &certificate, &cache);
      if (!sound(r, certificate)) {
        out_.failure = "cached: " + out_.failure;
        return false;
      }
      if (!same_truth(r, "cached: another time of contact")) return false;
    }
    return true;
  }

  /// Bodies at a time; of open meshes that meet, with the way out as the depth.
  DistanceResult at(double time) const {
    const io::Motion m = motion_of(q_);
    const Pose a = pose_at(q_.pose_a, m.a, time), b = pose_at(q_.pose_b, m.b, time);
    if (!has_open_mesh(q_.a) && !has_open_mesh(q_.b)) return distance(q_.a, a, q_.b, b);
    Manifold patch;
    return contacts(q_.a, a, q_.b, b, std::span(&patch, 1)).distance;
  }

  bool no_overlap_at(double time) {
    const DistanceResult r = at(time);
    return require(!(r.upper < -slack_), "overlap before the first contact", [&] {
      return fmt::format("{}; at {}: [{}, {}]", text_of(answer_), time, r.lower, r.upper);
    });
  }

  bool sampled() {
    if (!answered(answer_) || !in_range_) return true;
    const double end = answer_.hit == Overlap::no ? 1.0 : std::min(answer_.time, 1.0);
    if (!(end > 0.0)) return true;
    for (int i = 0; i < kSamples; ++i) {
      if (!no_overlap_at(end * i / (kSamples - 1))) return false;
    }
    for (const double before : kJustBefore) {
      if (!no_overlap_at(end * (1.0 - before))) return false;
    }
    return true;
  }

  bool arrived() {
    if (!answered(answer_) || !in_range_ || answer_.hit != Overlap::yes) return true;
    if (answer_.status != Status::converged) {
      // A wide bracket may reach beyond the contact: what a search without a cap finds is in it.
      io::Query patient = q_;
      patient.options.max_iterations = QueryOptions{}.max_iterations;
      return also(patient, "patient");
    }
    const DistanceResult r = at(answer_.time_upper);
    return require(!(r.lower > slack_), "no contact at the time of the hit", [&] {
      return fmt::format("{}; then: [{}, {}]", text_of(answer_), r.lower, r.upper);
    });
  }

  const io::Query& q_;
  PairLengths of_;
  double slack_ = 0.0;
  bool custom_, in_range_ = true;
  CastResult answer_;
  QueryCache cache_;
  Examination out_;
};

}  // namespace

Examination examine_motion(const io::Query& query) { return MotionExaminer(query).run(); }

}  // namespace tactus::detail::fuzz
