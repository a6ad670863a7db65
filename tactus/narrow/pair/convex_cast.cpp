#include "tactus/narrow/pair/convex_cast.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/narrow/search/ray_cast.hpp"

namespace tactus::detail {
namespace {

// No margin is added for the rounding of the times themselves, which moves the bodies by some 5 u
// of their ways at most (u = 2^-53): every distance is moved to the safe side by far more, the
// rounding of A - B at its time, 32 u of the motions and positions and 64 u of the bodies' reach.

// The ray cast hands over to Newton's method at this fraction of the smaller body's extent.
constexpr double kNear = 1e-3;
// Newton's method doubles the digits at a plain contact; at a grazing one each step halves the
// remaining time, 50 of them reach rounding.
constexpr int kMaxSteps = 64;
// Depth along the normal of the first pose tried for a proof of overlap, and the farthest travel to
// it, as fractions of the smaller body's extent.
constexpr double kProbeDepth = 0.02, kProbeTravel = 0.5;
// Poses tried for a proof of overlap, each at a quarter of the way of the one before.
constexpr int kMaxProbes = 24;
constexpr double kProbeStep = 0.25;
// Contact times nearer to each other than this many roundings of the position are one.
constexpr double kSamePlace = 8.0;
// A distance known no better than this many roundings at `time` is asked again as much earlier, a
// few times.
constexpr double kLoose = 64.0;
constexpr int kMaxBacks = 5;
// A chord steeper than the tangent by less than this is as good; else a second pose is tried, at
// this depth relative to the smaller body's extent.
constexpr double kStraight = 1e-6, kNearProbe = 1e-4;

// Directions all round across the motion, the second half being the opposite of the first.
constexpr int kFan = 8;
constexpr double kFanDirection[kFan][2] = {{1.0, 0.0}, {1.0, 0.4},  {1.0, 1.0},  {0.4, 1.0},
                                           {0.0, 1.0}, {-0.4, 1.0}, {-1.0, 1.0}, {-1.0, 0.4}};

bool is_usable(const ConvexAnswer& a) {
  return std::isfinite(a.lower) && std::isfinite(a.upper) && is_finite(a.point_a) &&
         is_finite(a.point_b) && is_finite(a.n);
}

/// The motion, asked for the signed distance at one time after another.
class Caster {
 public:
  Caster(const MovingCso& moving, double last, PairFormula formula, const ConvexOptions& options,
         Epa& epa)
      : moving_(moving), last_(last), formula_(formula), options_(options), epa_(epa) {
    options_.sign_only = false;
    // Times of contact are where a search is worst off: at the edge between two of its cases.
    options_.steps = false;
    options_.max_distance = std::numeric_limits<double>::infinity();
  }

  ConvexCast run() {
    if (!search()) return finish_miss();
    const Newton newton = advance();
    if (newton == Newton::miss) return finish_miss();
    if (newton == Newton::failed) {
      r_.status = Status::precision_limit;
      return r_;
    }
    if (r_.time == 0.0 && r_.answer.upper < 0.0) {
      r_.outcome = CastOutcome::hit;
      r_.time_upper = 0.0;
      r_.status = r_.answer.status;
      return r_;
    }
    settle();
    prove_contact();
    if (r_.outcome == CastOutcome::undecided) prove_crossing();
    judge_width();
    return r_;
  }

 private:
  enum class Newton : std::uint8_t { arrived, miss, failed };

  ConvexAnswer ask(double t, const Vec3& start, bool sign_only = false) {
    const Cso cso = moving_.at(t);
    cso_rounding_ = cso.error_bound;
    ConvexOptions options = options_;
    options.start = start;
    options.sign_only = sign_only;
    const ConvexAnswer answer = measure_pair(cso, formula_, options, epa_);
    r_.iterations += answer.iterations;
    return answer;
  }

  // False when the ray cast proves a miss.
  bool search() {
    Vec3 start = options_.start;
    const Cso& cso = moving_.start;
    if (start == Vec3{}) start = cso.between_centers();
    RayCastOptions ray;
    ray.last = last_;
    ray.gap = kNear * moving_.scale();
    ray.max_iterations = options_.max_iterations;
    ray.observer = options_.observer;
    const RayCastResult found = gjk_ray_cast(moving_, start, ray);
    r_.iterations += found.iterations;
    r_.time = found.time;
    plane_ = found.normal;
    r_.answer.n = found.normal;
    return !found.miss;
  }

  Newton advance() {
    for (int step = 0; step < std::min(kMaxSteps, options_.max_iterations); ++step) {
      const ConvexAnswer answer = ask(r_.time, plane_);
      if (!is_usable(answer)) return Newton::failed;
      r_.answer = answer;
      if (!(answer.lower > 0.0)) return Newton::arrived;
      const double approach = moving_.approach(answer.n);
      if (!(approach > 0.0)) return Newton::miss;
      const double next = r_.time + answer.lower / approach;
      if (next > last_) return Newton::miss;
      plane_ = answer.n;
      if (!(next > r_.time)) return Newton::arrived;
      r_.time = next;
    }
    capped_ = true;
    r_.answer = ask(r_.time, plane_);
    return is_usable(r_.answer) ? Newton::arrived : Newton::failed;
  }

  static double separation(const Cso& cso, const Vec3& n) {
    return -cso.value(n) - (cso.a.radius + cso.b.radius);
  }

  // A flat A - B has no depth, but may be crossed. Its points in directions across the motion, in
  // order, are a polygon; if the origin passes inside, contact begins not later than the time at
  // which the last of its corners has come level with the origin along n.
  void prove_crossing() {
    const Vec3 n = plane_normal();
    const double approach = dot(n, moving_.motion) - moving_.motion_error;
    if (!(approach > 0.0)) return;
    const Cso cso = moving_.at(r_.time);
    // Bodies that the plane does not separate, after a search that ended early, may have crossed
    // before.
    if (-separation(cso, n) > kLoose * cso.error_bound) return;
    const Vec3 along = normalized(moving_.motion);
    const Vec3 u = any_perpendicular(along);
    const Vec3 v = cross(along, u);
    const auto corner = [&](int i) {
      const double sign = i % (2 * kFan) < kFan ? 1.0 : -1.0;
      const double* d = kFanDirection[i % kFan];
      return cso.support(normalized((u * d[0] + v * d[1]) * sign)).w;
    };
    Vec3 last = corner(0);
    double behind = 0.0;
    int turns = 0;
    for (int i = 1; i <= 2 * kFan; ++i) {
      const Vec3 next = corner(i);
      behind = std::max(behind, -dot(n, next));
      if (next == last) continue;
      const double error = kSamePlace * cso.error_bound * (norm(last) + norm(next));
      if (!(dot(along, cross(last, next)) > error)) return;
      last = next;
      ++turns;
    }
    r_.iterations += 2 * kFan + 1;
    if (turns < 3) return;
    r_.time_upper = r_.time + (behind + cso.error_bound) / approach;
    if (r_.time_upper <= last_) r_.outcome = CastOutcome::hit;
  }

  // Looks for a pose with proved overlap in (time, latest): `latest` falls where a plane separates
  // for good.
  void prove_contact() {
    const double speed = norm(moving_.motion);
    if (!(speed > 0.0)) return;
    const double scale = moving_.scale();
    const double approach = dot(plane_normal(), moving_.motion);
    double latest = std::numeric_limits<double>::infinity();
    double ahead = kProbeTravel * scale / speed;
    if (approach > 0.0) ahead = std::min(ahead, kProbeDepth * scale / approach);
    for (int probe = 0; probe < std::min(kMaxProbes, options_.max_iterations); ++probe) {
      const double t = r_.time + ahead;
      if (!std::isfinite(t) || ahead * speed <= kSamePlace * cso_rounding_) return;
      const ConvexAnswer deep = ask(t, Vec3{}, true);
      if (!is_usable(deep)) return;
      if (deep.upper < 0.0) {
        take_chord(ahead, -deep.upper);
        return;
      }
      if (deep.lower > 0.0) {
        const double leave = -dot(deep.n, moving_.motion) + moving_.motion_error;
        if (leave > 0.0) latest = std::min(latest, t - deep.lower / leave);
        ahead = std::min(0.5 * (latest - r_.time), ahead * 0.5);
      } else {
        ahead *= kProbeStep;
      }
      if (!(ahead > 0.0)) return;
    }
  }

  // In touch the witnesses of curved cores, and with them the upper bound of the distance, are
  // found less well than a little before.
  void settle() {
    from_ = r_.time;
    gap_ = std::max(r_.answer.upper, 0.0);
    double apart = kLoose * cso_rounding_;
    const double approach = dot(plane_normal(), moving_.motion);
    if (!(approach > 0.0)) return;
    const double clean = apart;
    for (int i = 0;
         i < std::min(kMaxBacks, options_.max_iterations) && looseness(r_.answer) > clean;
         ++i, apart *= kLoose) {
      const double back = std::max(r_.time - apart / approach, 0.0);
      const ConvexAnswer before = ask(back, plane_);
      if (!is_usable(before) || before.upper < 0.0) return;
      // Farther back the points are others.
      if (i == 0 && looseness(before) < looseness(r_.answer)) take_moved(before, r_.time - back);
      if (looseness(before) > clean) continue;
      from_ = back;
      gap_ = before.upper;
      return;
    }
  }

  // An answer of a little earlier, with the bodies where they are at `time`.
  void take_moved(const ConvexAnswer& before, double elapsed) {
    const Vec3 way = moving_.motion * elapsed;
    const double nearer = dot(before.n, way);
    r_.answer = before;
    r_.answer.distance -= nearer;
    r_.answer.lower -= nearer;
    r_.answer.upper -= nearer;
    r_.answer.core_b -= way;
    r_.answer.point_b -= way;
  }

  static double looseness(const ConvexAnswer& a) {
    return std::max(a.upper - a.distance, norm(a.point_b - a.point_a - a.n * a.distance));
  }

  // Overlap by `depth` is proved `ahead` of `time`: the chord from the gap at `from_`.
  double chord(double ahead, double depth) const {
    const double way = ahead + (r_.time - from_);
    return std::max(from_ + way * (gap_ / (gap_ + depth)), r_.time);
  }

  void take_chord(double ahead, double depth) {
    r_.time_upper = chord(ahead, depth);
    const double approach = dot(plane_normal(), moving_.motion);
    if (approach > 0.0) {
      // Where the tangent has fallen to zero: a chord that ends far from there rests on too small a
      // part of the depth, or on a pose too deep.
      const double tangent =
          from_ + (gap_ * (1.0 + kStraight) + kSamePlace * cso_rounding_) / approach;
      const double near = std::min(kNearProbe * moving_.scale() / approach, ahead);
      if (r_.time_upper > tangent) {
        const ConvexAnswer deep = ask(r_.time + near, Vec3{});
        if (is_usable(deep) && deep.upper < 0.0)
          r_.time_upper = std::min(r_.time_upper, chord(near, -deep.upper));
      }
    }
    if (r_.time_upper <= last_) r_.outcome = CastOutcome::hit;
  }

  // Where the bodies touch, the direction of the signed distance may be any of a cone of normals;
  // the one that proves `time` is the best of them.
  Vec3 plane_normal() const {
    const bool own =
        r_.answer.lower >= -kSamePlace * cso_rounding_ && dot(r_.answer.n, moving_.motion) > 0.0;
    return own || plane_ == Vec3{} ? r_.answer.n : plane_;
  }

  void judge_width() {
    r_.answer.n = plane_normal();
    const double extent = std::max(moving_.start.a.extent, moving_.start.b.extent);
    const double width = (r_.time_upper - r_.time) * norm(moving_.motion);
    const bool wide =
        r_.outcome == CastOutcome::undecided || !(width <= options_.tolerance * extent);
    if (wide) r_.status = capped_ ? Status::iteration_limit : Status::precision_limit;
    if (r_.outcome == CastOutcome::undecided) {
      r_.time_upper = std::numeric_limits<double>::infinity();
      // Far from touch the normals differ.
      r_.answer.distance = separation(moving_.at(r_.time), r_.answer.n);
    }
  }

  ConvexCast finish_miss() {
    r_.outcome = CastOutcome::miss;
    r_.time = r_.time_upper = std::numeric_limits<double>::infinity();
    return r_;
  }

  const MovingCso& moving_;
  double last_;
  PairFormula formula_;
  ConvexOptions options_;
  Epa& epa_;
  ConvexCast r_;
  Vec3 plane_;                     ///< the direction that proves `time`, zero when there is none
  double from_ = 0.0, gap_ = 0.0;  ///< a time near `time`, and the most that they are apart then
  double cso_rounding_ = 0.0;      ///< of the pose asked last
  bool capped_ = false;
};

}  // namespace

ConvexCast cast_convex_pair(const MovingCso& moving, double last, PairFormula formula,
                            const ConvexOptions& options, Epa& epa) {
  return Caster(moving, last, formula, options, epa).run();
}

}  // namespace tactus::detail
