#include "tactus/motion/moving_pair.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/narrow/formula/moving_spheres.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {
namespace {

// A time computed by a handful of operations, moved to the safe side.
constexpr double kEarlier = 1.0 - 16.0 * kEpsilon;
// Growth of the balls about the bodies, and of the bend, that covers the rounding of what is made
// with them.
constexpr double kBall = 1.0 + 64.0 * kEpsilon;
constexpr double kBend = 1.0 + 1e-9;
// Roundings of the place of B's origin relative to A's.
constexpr double kPlacing = 48.0 * kEpsilon;
// A gap of so many times its rounding has arrived.
constexpr double kArrived = 4.0;
// Separations along one direction before a new one is asked for, and the part of the first that is
// left when a new one is worth more.
constexpr int kLooks = 12;
constexpr double kWorn = 0.1;
// A direction that stands still is good enough when it proves this part of the length tried.
constexpr double kGood = 0.9;
// A look that proves less than this part of its length is followed by a shorter one.
constexpr double kPoor = 0.5;

// The separation is `first` now and `second` a time `length` later, and less half of `bend` times
// t^2 it is concave: how long it is positive for sure.
double positive_for(double first, double second, double length, double bend) {
  const double slope = (second - first) / length - 0.5 * bend * length;
  const double square = slope * slope - 2.0 * bend * first;
  if (second > 0.0 && (slope >= 0.0 || square < 0.0)) return length;
  const double zero = 2.0 * first / (std::sqrt(std::max(square, 0.0)) - slope) * kEarlier;
  if (second > 0.0 && zero >= length) return length;
  return std::min(zero, length * kEarlier);
}

// Bound of the second derivative in time of the coordinate n . x of a part's points while n turns
// too, x from its body's origin. As seen by n, which turns by v, the body turns by w = spin - v:
// the second derivative is that of n . ((w x v) x x + w x (w x x)). Or, by the product rule,
// n'' . x + 2 n' . x' + n . x''.
double turning_bend(const MovingPart& part, const Vec3& n, const Vec3& v) {
  const Vec3 w = part.motion().angular - v;
  const double across = norm(cross(v, n));
  const double seen = norm(cross(w, v)) + squared_norm(w);
  return std::min(seen * part.core_reach(),
                  across * (norm(v) + 2.0 * part.spin()) * part.core_reach() + part.largest_bend());
}

}  // namespace

MovingPair::MovingPair(const MovingPart& a, const MovingPart& b, const Vec3& offset, double from,
                       double last)
    : a_(a),
      b_(b),
      offset_(offset),
      motion_(b.motion().linear - a.motion().linear),
      time_(from),
      last_(last) {
  if (!a.is_halfspace()) clip();
  if (time_ >= last_) state_ = State::clear;
}

// Leaves out the times at which the balls about the bodies' origins are apart.
void MovingPair::clip() {
  const double radius = (a_.core_reach() + b_.core_reach()) * kBall;
  const auto free_for = [&](const Vec3& offset, const Vec3& motion) {
    const MovingSpheres met =
        moving_spheres(offset, radius, motion, last_, kPlacing * (norm(offset_) + norm(motion_)),
                       kPlacing * norm(motion_));
    return met.outcome == CastOutcome::miss ? last_ : std::min(met.time, last_);
  };
  const double forwards = free_for(offset_, -motion_);
  const double backwards = free_for(offset_at(last_), motion_);
  time_ = std::max(time_, forwards);
  last_ = std::min(last_, last_ - backwards + 4.0 * kEpsilon * last_);
}

MovingPair::Poses MovingPair::at(double t) const { return {a_.at(t, {}), b_.at(t, offset_at(t))}; }

double MovingPair::rounding(double t) const {
  const double way = norm(offset_) + norm(motion_) * t;
  const double turned = a_.is_halfspace() ? a_.rounding(t, way + b_.core_reach()) : a_.rounding(t);
  return (turned + b_.rounding(t)) + kPlacing * way;
}

double MovingPair::separation(const Path& path, const Poses& p, double t) const {
  if (!a_.is_halfspace()) {
    const Vec3 n = path.spin == Vec3{} ? path.n : rotation_by(path.spin * (t - path.from)) * path.n;
    return -(a_.support_value(p.a, n) + b_.support_value(p.b, -n)) - rounding(t);
  }
  const HalfSpace& h = std::get<HalfSpace>(a_.shape().geometry());
  const Vec3 n = p.a.direction_to_world(h.normal());
  return -b_.support_value(p.b, -n) - (dot(n, p.a.position()) + h.offset()) - rounding(t);
}

double MovingPair::bend(const Path& path, double length) const {
  if (path.spin == Vec3{}) return (a_.bend(path.n) + b_.bend(path.n)) * kBend;
  const double farthest = std::max(norm(offset_at(time_)), norm(offset_at(time_ + length)));
  const double of_offset =
      norm(cross(path.spin, path.n)) * (norm(path.spin) * farthest + 2.0 * norm(motion_));
  return (turning_bend(a_, path.n, path.spin) + turning_bend(b_, path.n, path.spin) + of_offset) *
         kBend;
}

double MovingPair::swept_time(const Vec3& n) const {
  const double separation =
      dot(n, offset_at(time_)) - (a_.swept_value(n) + b_.swept_value(-n)) - rounding(last_);
  if (!(separation > 0.0)) return time_;
  const double speed = kPlacing * norm(motion_) - dot(n, motion_);
  return speed > 0.0 ? std::min(time_ + separation / speed * kEarlier, last_) : last_;
}

double MovingPair::approach(const Vec3& n, const Vec3& point_a, const Vec3& point_b,
                            double t) const {
  return dot(n,
             velocity_at(a_.motion(), point_a) - velocity_at(b_.motion(), point_b - offset_at(t)));
}

DistanceResult MovingPair::distance_at(double t, const QueryOptions& options, QueryCache* cache) {
  ++looks_;
  const Poses p = at(t);
  return detail::bare_distance(a_.shape(), p.a, b_.shape(), p.b, options, cache);
}

MovingPair::Look MovingPair::look(const Path& path, const Poses& p, double now, double next) const {
  const double then = separation(path, p, next);
  const double length = next - time_;
  return {path, next, then, positive_for(now, then, length, bend(path, length))};
}

// The look that proves most, over all paths that serve.
MovingPair::Look MovingPair::best_look(const Path& still, double now, double next) {
  const Poses p = at(next);
  ++looks_;
  Look best = look(still, p, now, next);
  if (best.proved >= kGood * (next - time_) || a_.is_halfspace()) return best;
  const Vec3 since = before_ == Vec3{} || !(time_ > before_time_)
                         ? Vec3{}
                         : cross(before_, still.n) / (time_ - before_time_);
  for (const Vec3& spin : {a_.motion().angular, b_.motion().angular, since}) {
    if (spin == Vec3{}) continue;
    const Look other = look({still.n, spin, time_}, p, now, next);
    if (other.proved > best.proved) best = other;
  }
  return best;
}

// How far to look: over the length of the parabola two equal separations leave half of them in
// between; and not beyond where the separation would end if it went on to shrink as it does.
double MovingPair::look_length(const Path& path, double now, double approach) const {
  double length = last_ - time_;
  const double most = bend(path, length);
  if (most > 0.0) length = std::min(length, 2.0 * std::sqrt(now / most));
  if (approach > 0.0) length = std::min(length, now / approach);
  return length;
}

// Forward along the path, from a separation of `now` that shrinks at the speed `approach`.
void MovingPair::advance(Path path, double now, double approach) {
  const double first = now;
  for (int turn = 0; turn < kLooks; ++turn) {
    const double length = look_length(path, now, approach);
    const double next = length < last_ - time_ ? time_ + length : last_;
    if (!(next > time_)) break;
    Look best{path, next, 0.0, 0.0};
    if (turn == 0) {
      best = best_look(path, now, next);
    } else {
      ++looks_;
      best = look(path, at(next), now, next);
    }
    if (best.proved < kPoor * length) {
      // It bends down: once more at about the zero of what has been seen.
      const double fall = 2.0 * (now - best.then - approach * length) / (length * length);
      const double slope =
          approach + std::sqrt(std::max(approach * approach + 2.0 * fall * now, 0.0));
      const double nearer =
          slope > 0.0 ? time_ + std::min(2.0 * now / slope, kPoor * length) : time_;
      if (nearer > time_ + best.proved) {
        ++looks_;
        const Look again = look(best.path, at(nearer), now, nearer);
        if (again.proved > best.proved) best = again;
      }
    }
    if (!(time_ + best.proved > time_)) break;
    if (best.proved < best.next - time_) {
      time_ += best.proved;
      return;
    }
    path = best.path;
    approach = (now - best.then) / (best.next - time_);
    time_ = best.next;
    now = best.then;
    if (time_ >= last_) {
      state_ = State::clear;
      return;
    }
    if (now < kWorn * first || now <= kArrived * rounding(time_)) return;
  }
  // Nothing is gained any more: times are too coarse for the speed.
  if (now == first) state_ = State::near;
}

MovingPair::State MovingPair::step(const QueryOptions& options, QueryCache* cache) {
  if (state_ != State::apart) return state_;
  const Poses p = at(time_);
  Vec3 n, point_a, point_b;
  if (a_.is_halfspace()) {
    ++looks_;
    n = p.a.direction_to_world(std::get<HalfSpace>(a_.shape().geometry()).normal());
    point_a = point_b = p.b.to_world(support(b_.shape(), p.b.direction_to_local(-n)));
  } else {
    const DistanceResult d = distance_at(time_, options, cache);
    if (d.status == Status::unsupported || d.status == Status::invalid_input ||
        !is_finite(d.normal) || !is_finite(d.point_a) || !is_finite(d.point_b))
      return state_ = State::failed;
    n = d.normal;
    point_a = d.point_a;
    point_b = d.point_b;
  }
  gap_ = separation({n, {}, time_}, p, time_);
  if (options.observer != nullptr) {
    options.observer->segment({{"impact", looks_, time_, last_},
                               p.a.to_local(point_a),
                               p.a.to_local(point_b),
                               p.a.direction_to_local(n),
                               {},
                               {}});
  }
  if (!(gap_ > kArrived * rounding(time_))) return state_ = State::near;
  const double now = time_;
  const Path path{n, a_.is_halfspace() ? a_.motion().angular : Vec3{}, time_};
  const double speed = approach(n, point_a, point_b, time_);
  const double turned = a_.is_halfspace() ? time_ : swept_time(n);
  if (turned - time_ >= look_length(path, gap_, speed)) {
    time_ = turned;
    if (time_ >= last_) state_ = State::clear;
  } else {
    advance(path, gap_, speed);
  }
  before_ = n;
  before_time_ = now;
  return state_;
}

}  // namespace tactus::detail
