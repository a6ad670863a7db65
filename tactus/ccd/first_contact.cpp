#include "tactus/ccd/first_contact.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/ccd/wide_primitives.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Fraction of an interval that a cut leaves in excess at either end, against its rounding.
constexpr double kCutMargin = 1e-9;
// Times in [0, 1] are off by less than this when they are computed.
constexpr double kTimeMargin = 4.0 * kUnit;
// An interval that a cut leaves longer is halved.
constexpr double kWorthCutting = 0.6;
// A proof of contact is tried on intervals widened at both ends by these multiples of their length.
constexpr double kProofWidths[] = {4.0, 64.0, 4096.0, 1048576.0};
// Intervals up to this multiple of `least_` are tried for a proof of contact.
constexpr double kPlain = 1024.0;
// Pairs of this size have products whose low halves are numbers too.
constexpr double kLeastWide = 1e-80, kMostWide = 1e80;
// The next of the intervals that a search starts with, from the last one back, of a known start.
constexpr double kAhead = 0.125;
// Intervals that wait: the later halves of those at hand, which are at most as many as halvings.
constexpr int kStack = 128;
// Times that wide numbers look at a short interval alone; then at all that is left.
constexpr int kReturns = 3;
// Times that a short interval is split off at the start of one in which the volume does not tell.
constexpr int kStartsTried = 2;

struct Interval {
  double from, to;
};

/// Numbers that a search computes with: doubles, or of twice their digits.
struct Doubles {
  using Pair = MovingPrimitives;
  using Vectors = PairVectors;
  static constexpr double kPlace = kMovingPlaceError, kAlong = kAlongError, kVolume = kVolumeError;
  using Vector = Vec3;
  static Vec3 widened(const Vec3& v) { return v; }
  static Vec3 rounded(const Vec3& v) { return v; }
  static double rounded(double x) { return x; }
};
struct Wides {
  using Pair = WidePrimitives;
  using Vectors = WideVectors;
  static constexpr double kPlace = kWidePlaceError, kAlong = kWideAlongError,
                          kVolume = kWideVolumeError;
  using Vector = WideVec3;
  static WideVec3 widened(const Vec3& v) { return {{v.x, 0.0}, {v.y, 0.0}, {v.z, 0.0}}; }
  static Vec3 rounded(const WideVec3& v) { return {v.x.rounded(), v.y.rounded(), v.z.rounded()}; }
  static double rounded(const Wide& x) { return x.rounded(); }
};

template <class Numbers>
class Search {
 public:
  using Pair = typename Numbers::Pair;

  /// `exact`: the pair as the numbers know it; `pair`: in doubles, for what needs no proof.
  /// `hands_over`: what it cannot tell is looked at again in more digits.
  Search(const Pair& exact, const MovingPrimitives& pair, const CcdOptions& options,
         bool hands_over)
      : exact_(exact),
        pair_(pair),
        options_(options),
        hands_over_(hands_over),
        volume_error_(Numbers::kVolume * pair.reach * pair.reach_u * pair.reach_v),
        normal_error_(64.0 * kUnit * pair.reach_u * pair.reach_v),
        along_error_(Numbers::kAlong * pair.reach) {
    double speed = 0.0;
    for (int i = 0; i < pair.corners; ++i)
      speed = std::fmax(speed, max_abs(pair.t1.corner[i] - pair.t0.corner[i]));
    // Shorter intervals move nothing beyond the rounding of places.
    least_ = speed > 0.0 ? 2.0 * Numbers::kPlace * pair.reach / speed : 1.0;
    least_ = std::fmax(least_, 4.0 * kTimeMargin);
  }

  /// From `start` on, before which there is no contact, up to `end`. What hands over leaves
  /// intervals of less than kPlain of the least: `doubt_to()` says up to where.
  enum class First : std::uint8_t {
    near,   ///< contact is likely to be near: the first intervals are short
    any,    ///< it may be anywhere
    solid,  ///< the same, and nothing is done where the volume is but rounding: `is_flat()`
  };
  CcdResult run(double start, double end, First first) {
    CcdResult r;
    int size = 0;
    double to = end;
    if (first == First::near) {
      // Each of the others is several times as long as the one before.
      for (double ahead = end - start; ahead > least_; ahead *= kAhead) {
        if (!(start + ahead < to)) continue;
        stack_[size++] = {start + ahead, to};
        to = start + ahead;
      }
    }
    stack_[size++] = {start, to};
    while (size > 0) {
      Interval now = stack_[--size];
      while (!excluded(now)) {
        const bool last =
            now.to - now.from <= least_ || intervals_ >= options_.max_intervals || size == kStack;
        const Interval cut = last ? now : cut_to_roots(now);
        if (!last && cut.to - cut.from <= kWorthCutting * (now.to - now.from)) {
          now = cut;
          continue;
        }
        if (first == First::solid && is_flat()) return hit(now, false);
        first = First::any;
        // Nothing of the volume is left but its rounding: a plain contact shows itself.
        const bool is_short = now.to - now.from <= kPlain * least_;
        if (is_short && proves_near(now)) return hit(now, true);
        if (passes_a_side(now)) break;
        if (last || (is_short && hands_over_)) return hit(now, false);
        double middle = 0.5 * (cut.from + cut.to);
        // Where the volume does not tell, contact may be at the start.
        const bool may_start = !hands_over_ || (now.from == start && now.to == end);
        if (may_start && starts_tried_ < kStartsTried && is_flat()) {
          ++starts_tried_;
          middle = cut.from + (hands_over_ ? kPlain : 1.0) * least_;
        }
        if (!(middle > cut.from && middle < cut.to)) return hit(cut, false);
        stack_[size++] = {middle, cut.to};
        now = {cut.from, middle};
      }
    }
    r.intervals = intervals_;
    return r;
  }
  double doubt_to() const { return doubt_to_; }
  /// Was the volume nothing but rounding on all of the last interval?
  bool is_flat() const {
    for (const double b : volume_.b) {
      if (std::fabs(b) > band_) return false;
    }
    return true;
  }

 private:
  // Is there no contact from `now.from` to `now.to`? Leaves the volume there for a cut.
  bool excluded(const Interval& now) {
    ++intervals_;
    s_ = exact_.at(now.from);
    e_ = exact_.at(now.to);
    volume_ = volume_between(s_, e_);
    band_ = volume_error_ + options_.min_separation * (volume_.widest + normal_error_);
    const double* b = volume_.b;
    if (b[0] > band_ && b[1] > band_ && b[2] > band_ && b[3] > band_) return true;
    if (b[0] < -band_ && b[1] < -band_ && b[2] < -band_ && b[3] < -band_) return true;
    const PairVectors middle = pair_.at(0.5 * (now.from + now.to));
    const Vec3 n = point_of(middle, pair_.corners, nearest_weights(middle, pair_.corners));
    return separates(Numbers::widened(n));
  }

  // Does a plane on one of the hull's sides stand between the pair: square to the hull, or along
  // the motion? Next to a long side the direction to the nearest point is not square enough to it.
  // `now`: the interval that `excluded` was asked about.
  bool passes_a_side(const Interval& now) const {
    const auto middle = exact_.at(0.5 * (now.from + now.to));
    const typename Numbers::Vector sides[3] = {middle.u, middle.v, middle.v + -middle.u};
    const typename Numbers::Vector with[2] = {cross(middle.u, middle.v),
                                              e_.corner[0] + -s_.corner[0]};
    const int count = pair_.corners == 3 ? 3 : 2;
    for (int k = 0; k < 2 * count; ++k) {
      const auto n = cross(sides[k % count], with[k / count]);
      double least = along(n, middle, 0), most = least;
      for (int i = 1; i < pair_.corners; ++i) {
        const double reach = along(n, middle, i);
        least = std::fmin(least, reach);
        most = std::fmax(most, reach);
      }
      if ((least > 0.0 && separates(n)) || (most < 0.0 && separates(-n))) return true;
    }
    return false;
  }
  template <class Vectors>
  static double along(const typename Numbers::Vector& n, const Vectors& p, int i) {
    return Numbers::rounded(dot(n, p.corner[static_cast<std::size_t>(i)]));
  }

  // Does the plane across n stand between the pair at both ends?
  bool separates(const typename Numbers::Vector& direction) const {
    const Vec3 n = Numbers::rounded(direction);
    const double sum = (std::fabs(n.x) + std::fabs(n.y)) + std::fabs(n.z);
    double wanted = along_error_ * sum;
    if (options_.min_separation > 0.0) wanted += options_.min_separation * norm(n) * (1.0 + 1e-12);
    // Products that vanish say nothing.
    if (!(wanted > 0.0)) return false;
    for (int i = 0; i < pair_.corners; ++i) {
      if (!(along(direction, s_, i) > wanted && along(direction, e_, i) > wanted)) return false;
    }
    return true;
  }

  // The rest of the interval after cuts at its ends where the hull of the volume's Bernstein form
  // misses the band about zero.
  Interval cut_to_roots(const Interval& now) const {
    const double low = cut_at_start([&](int i) { return volume_.b[i]; });
    const double high = cut_at_start([&](int i) { return volume_.b[3 - i]; });
    const double length = now.to - now.from;
    // Outwards, also by the rounding of the times themselves.
    const double from = now.from + length * std::fmax(low - kCutMargin, 0.0) - kTimeMargin;
    const double to = now.to - length * std::fmax(high - kCutMargin, 0.0) + kTimeMargin;
    // Never shorter than what ends the search.
    return {std::fmax(from, now.from), std::fmin(std::fmax(to, from + 0.5 * least_), now.to)};
  }
  template <class Value>
  double cut_at_start(const Value& b) const {
    const double side = b(0) > 0.0 ? 1.0 : -1.0;
    if (!(side * b(0) > band_)) return 0.0;
    double first = 1.0;
    for (int j = 1; j < 4; ++j) {
      const double beyond = side * b(j) - band_;
      if (beyond > 0.0) continue;
      for (int i = 0; i < j; ++i) {
        const double before = side * b(i) - band_;
        if (before > 0.0)
          first = std::fmin(first, (i + (j - i) * (before / (before - beyond))) / 3.0);
      }
    }
    return first;
  }

  CcdResult hit(const Interval& now, bool proved) {
    CcdResult r;
    r.hit = true;
    r.time = now.from;
    r.intervals = intervals_;
    doubt_to_ = now.to;
    const bool ended = now.to - now.from > (hands_over_ ? kPlain : 1.0) * least_ &&
                       intervals_ >= options_.max_intervals;
    r.status = ended ? Status::iteration_limit : Status::converged;
    const PairVectors p = pair_.at(now.from);
    r.weights = nearest_weights(p, pair_.corners);
    describe(p, r);
    r.proved = proved;
    if (r.proved) r.time_upper = proved_by_;
    return r;
  }

  // Does `proves` hold on a wider interval about this one? Contact is then not before this one, as
  // earlier contacts are excluded, and not after `proved_by_`.
  bool proves_near(const Interval& now) {
    if (options_.min_separation > 0.0) return false;
    for (const double width : kProofWidths) {
      const double beside = width * std::fmax(now.to - now.from, kUnit);
      const Interval wide = {std::fmax(now.from - beside, 0.0), std::fmin(now.to + beside, 1.0)};
      if (!proves(wide)) continue;
      proved_by_ = wide.to;
      return true;
    }
    return false;
  }

  static Vec3 unit_or(const Vec3& a, const Vec3& fallback) {
    return is_finite(a) ? normalized(a, fallback) : fallback;
  }

  // The normal looks to the side from which the pair came together.
  void describe(const PairVectors& p, CcdResult& r) const {
    PairVectors motion;
    for (int i = 0; i < pair_.corners; ++i)
      motion.corner[i] = pair_.t1.corner[i] - pair_.t0.corner[i];
    motion.u = pair_.t1.u - pair_.t0.u;
    motion.v = pair_.t1.v - pair_.t0.v;
    const Vec3 closing = point_of(motion, pair_.corners, r.weights);
    const Vec3 fallback = unit_or(closing, {0.0, 0.0, 1.0});
    Vec3 across = cross(p.u, p.v);
    // Products of lengths beyond 1e154 overflow, those of directions do not.
    if (!is_finite(across)) across = cross(unit_or(p.u, {}), unit_or(p.v, {}));
    across = unit_or(across, fallback);
    // The vectors lead from the vertex to the face, and from A to B.
    const bool turn = pair_.corners == 3 ? dot(across, closing) < 0.0 : dot(across, closing) > 0.0;
    r.normal = turn ? -across : across;
  }

  // Along one direction the pair covers the origin during all of the interval, and it is on one
  // side of it at its start and on the other at its end: in between there is contact.
  bool proves(const Interval& now) const {
    const PairVectors s = pair_.at(now.from), e = pair_.at(now.to);
    const double first = dot(s.corner[0], cross(s.u, s.v)),
                 last = dot(e.corner[0], cross(e.u, e.v));
    const double error = kVolumeError * pair_.reach * pair_.reach_u * pair_.reach_v;
    if (!(std::fabs(first) > error && std::fabs(last) > error) || (first > 0.0) == (last > 0.0)) {
      return false;
    }
    const PairVectors middle = pair_.at(0.5 * (now.from + now.to));
    const Vec3 m = cross(middle.u, middle.v);
    const double turn_error = 128.0 * kUnit * max_abs(m) * (pair_.reach * pair_.reach);
    const auto turn = [&](int i, int j) {
      const double b0 = dot(m, cross(s.corner[i], s.corner[j]));
      const double b1 =
          0.5 * (dot(m, cross(s.corner[i], e.corner[j])) + dot(m, cross(e.corner[i], s.corner[j])));
      const double b2 = dot(m, cross(e.corner[i], e.corner[j]));
      if (b0 > turn_error && b1 > turn_error && b2 > turn_error) return 1;
      return b0 < -turn_error && b1 < -turn_error && b2 < -turn_error ? -1 : 0;
    };
    if (pair_.corners == 3) {
      const int first_turn = turn(0, 1);
      return first_turn != 0 && turn(1, 2) == first_turn && turn(2, 0) == first_turn;
    }
    return turn(0, 1) * turn(2, 3) < 0 && turn(0, 2) * turn(1, 3) < 0;
  }

  const Pair& exact_;
  const MovingPrimitives& pair_;
  const CcdOptions& options_;
  bool hands_over_;
  double volume_error_, normal_error_, along_error_, least_;
  typename Numbers::Vectors s_, e_;  // the pair at the ends of an interval
  Volume volume_;
  double band_ = 0.0;
  double proved_by_ = 1.0, doubt_to_ = 1.0;
  int intervals_ = 0, starts_tried_ = 0;
  Interval stack_[kStack];
};

}  // namespace

template <class Motion>
CcdResult search_contact(const Motion& motion, const CcdOptions& options) {
  const MovingPrimitives pair = MovingPrimitives::of(motion);
  const bool asks = std::isfinite(options.min_separation) && options.min_separation >= 0.0 &&
                    !std::isnan(options.until);
  if (!asks || !pair.is_finite()) {
    CcdResult r;
    r.hit = true;
    r.time = 0.0;
    r.status = Status::invalid_input;
    return r;
  }
  const double until = std::clamp(options.until, 0.0, 1.0);
  const bool hands_over =
      !(options.min_separation > 0.0) && pair.reach > kLeastWide && pair.reach < kMostWide;
  Search<Doubles> search(pair, pair, options, hands_over);
  using Doubly = Search<Doubles>;
  using Widely = Search<Wides>;
  CcdResult found = search.run(0.0, until, hands_over ? Doubly::First::solid : Doubly::First::any);
  const auto is_open = [&] {
    return hands_over && found.hit && !found.proved && found.status == Status::converged;
  };
  if (!is_open()) return found;
  // Touching, or apart by less than the rounding of doubles.
  const WidePrimitives exact(motion);
  int wide_intervals = 0;
  if (search.is_flat() && found.time == 0.0 && search.doubt_to() == until) {
    // In one plane all the time, but perhaps for what doubles do not see.
    Widely wide(exact, pair, options, false);
    CcdResult r = wide.run(0.0, until, Widely::First::solid);
    wide_intervals += r.intervals;
    if (r.status == Status::converged && !(r.hit && wide.is_flat() && wide.doubt_to() == until)) {
      r.intervals += found.intervals;
      return r;
    }
    found = search.run(0.0, until, Doubly::First::any);
  }
  for (int k = 0; k < kReturns && is_open(); ++k) {
    const double end = k + 1 < kReturns ? search.doubt_to() : until;
    CcdResult r = Widely(exact, pair, options, false).run(found.time, end, Widely::First::near);
    wide_intervals += r.intervals;
    r.intervals = found.intervals + wide_intervals;
    if (r.status != Status::converged) break;
    if (r.hit || end >= until) return r;
    // Not there: doubles go on behind.
    found = search.run(end, until, Doubly::First::any);
  }
  found.intervals += wide_intervals;
  return found;
}

template CcdResult search_contact(const MovingVertexFace&, const CcdOptions&);
template CcdResult search_contact(const MovingEdges&, const CcdOptions&);

}  // namespace tactus::detail
