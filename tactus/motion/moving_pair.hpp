#pragma once

#include "tactus/motion/moving_part.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {

/// Conservative advancement of one pair of moving parts: a time up to which they are proved apart,
/// moved forward step by step.
///
/// A step asks for the distance at that time and keeps its direction n. Along n the parts are apart
/// by s(t) = the least n . (y - x) over the points x of A and y of B. Each of these runs along a
/// sinusoid, whose second derivative is bounded (MovingPart::bend); so s less half of that bound
/// times t^2 is concave, and two values of s bound it between them by a parabola, whose first zero
/// ends what the step has proved. Near the contact this is Newton's method, since the direction is
/// the best one: the digits double. Where a face or edge carries the contact, the best direction
/// turns with it; so n may turn at any constant velocity, and of standing still, turning with A,
/// with B, and as it did since the step before, the one that proves most is taken. Besides, what
/// the parts sweep over by turning is apart along n up to a time that one division gives. A
/// half-space's own direction is the only one there is; it turns with it, and no distance is asked.
/// Source: mirtich1996thesis, zhang2006interactive (motion bounds along the direction);
/// catto2013ccd (an axis fixed to a body, searched for its root); the parabola and the turning n
/// are ours.
class MovingPair {
 public:
  enum class State : std::uint8_t {
    apart,  ///< proved apart up to `time()`, and a next step may prove more
    near,   ///< at `time()` they are apart by no more than some roundings
    clear,  ///< proved apart up to `last`
    failed  ///< the distance has no answer
  };

  /// Parts in the order A, B; a half-space must be A. `offset`: of B's body origin from A's at time
  /// 0. `from`: they are known to be apart up to there. Refers to the parts.
  MovingPair(const MovingPart& a, const MovingPart& b, const Vec3& offset, double from,
             double last);

  State step(const QueryOptions& options, QueryCache* cache);

  const MovingPart& a() const { return a_; }
  State state() const { return state_; }
  double time() const { return time_; }
  /// Apart by at least this at the beginning of the last step.
  double gap() const { return gap_; }
  int looks() const { return looks_; }  ///< poses at which the pair was looked at

  /// The signed distance at time t; the origin is that of A's body then.
  DistanceResult distance_at(double t, const QueryOptions& options, QueryCache* cache);
  /// Speed at which the answer's points come nearer along its normal, at time t.
  double approach(const DistanceResult& at, double t) const {
    return approach(at.normal, at.point_a, at.point_b, t);
  }
  /// Bound of the error of the distance at time t beyond that of the query.
  double rounding(double t) const;

 private:
  struct Poses {
    Pose a, b;
  };
  /// A direction that turns at a constant velocity.
  struct Path {
    Vec3 n;  ///< at time `from`
    Vec3 spin;
    double from;
  };

  /// The separation at a later time, and for how long it proves the pair apart.
  struct Look {
    Path path;
    double next = 0.0, then = 0.0;  ///< the time, and the separation
    double proved = 0.0;            ///< for so long from now on it is positive for sure
  };

  void clip();
  Poses at(double t) const;
  Vec3 offset_at(double t) const { return offset_ + motion_ * t; }
  double separation(const Path& path, const Poses& p, double t) const;
  double bend(const Path& path, double length) const;
  double swept_time(const Vec3& n) const;
  Look look(const Path& path, const Poses& p, double now, double next) const;
  Look best_look(const Path& still, double now, double next);
  double look_length(const Path& path, double now, double approach) const;
  void advance(Path path, double now, double approach);
  double approach(const Vec3& n, const Vec3& point_a, const Vec3& point_b, double t) const;

  const MovingPart& a_;
  const MovingPart& b_;
  Vec3 offset_, motion_;  ///< of B's origin from A's; per unit of time
  double time_ = 0.0, last_ = 1.0, gap_ = 0.0;
  Vec3 before_;  ///< the direction of the step before, zero at first
  double before_time_ = 0.0;
  State state_ = State::apart;
  int looks_ = 0;
};

}  // namespace tactus::detail
