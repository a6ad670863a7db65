#include "tactus/rigid/event/impulse_integration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

constexpr int kMaxSteps = 2000, kMostSliding = 1990;
// Largest change of the direction of sliding in a step, radians.
constexpr double kTurn = 0.02;
// A sliding speed relative to the first speed of the point that counts as none.
constexpr double kStuck = 1e-13;
// Directions that are tried for the one that keeps to itself, the turn between two of them, and the
// halvings of that.
constexpr int kDirections = 64, kHalvings = 60;
constexpr double kCosine = 0.99518472667219693, kSine = 0.098017140329560604;

double speed_of_sliding(const Vec3& u) { return std::sqrt(u.x * u.x + u.y * u.y); }

class Integration {
 public:
  explicit Integration(const PointImpact& impact)
      : k_(impact.mobility), friction_(impact.friction), u_(impact.velocity) {
    first_ = norm(u_);
    stuck_ = !(speed_of_sliding(u_) > kStuck * first_);
    if (stuck_) come_to_rest();
  }

  PointImpulse run(double restitution) {
    PointImpulse r;
    // Until the approach ends, then until enough is given back.
    phase([](const Integration& s, const Vec3& rate) {
      return rate.z > 0.0 ? -s.u_.z / rate.z : kInfinity;
    });
    r.taken = work_;
    const double wanted = -restitution * restitution * work_;
    work_ = 0.0;
    if (wanted > 0.0) {
      u_.z = 0.0;
      phase([wanted](const Integration& s, const Vec3& rate) {
        // work + u p + rate p^2 / 2 = wanted
        const double missing = wanted - s.work_;
        const double square = s.u_.z * s.u_.z + 2.0 * rate.z * missing;
        if (!(square >= 0.0)) return kInfinity;
        if (s.u_.z >= 0.0) return 2.0 * missing / (s.u_.z + std::sqrt(square));
        return rate.z > 0.0 ? (std::sqrt(square) - s.u_.z) / rate.z : kInfinity;
      });
    }
    r.given = work_;
    r.impulse = impulse_;
    return r;
  }

 private:
  /// Impulse per normal impulse.
  Vec3 push(const Vec3& u) const {
    if (stuck_) return hold_;
    const double slide = speed_of_sliding(u);
    if (!(slide > 0.0)) return {0.0, 0.0, 1.0};
    return {-friction_ * u.x / slide, -friction_ * u.y / slide, 1.0};
  }

  /// `rest(state, rate)`: normal impulse that is missing at that rate of the velocity.
  template <class Rest>
  void phase(Rest&& rest) {
    for (int i = 0; i < kMaxSteps; ++i) {
      const Vec3 rate = k_ * push(u_);
      double step = std::min(rest(*this, rate), sliding_step(rate));
      if (!(step > 0.0) || !std::isfinite(step)) return;
      const Vec3 mean = mean_push(step);
      const Vec3 mean_rate = k_ * mean;
      const double end = rest(*this, mean_rate);
      const bool last = end <= step * (1.0 + 1e-12);
      step = std::min(step, end);
      work_ += step * (u_.z + 0.5 * step * mean_rate.z);
      impulse_ += mean * step;
      u_ += mean_rate * step;
      if (last) return;
      const bool slides = speed_of_sliding(u_) > kStuck * first_ && i < kMostSliding;
      if (!stuck_ && !slides) come_to_rest();
    }
  }

  /// Until the sliding would stop, or has turned enough.
  double sliding_step(const Vec3& rate) const {
    if (stuck_) return kInfinity;
    const double slide = speed_of_sliding(u_);
    const double along = (u_.x * rate.x + u_.y * rate.y) / slide;
    const double across = std::fabs(u_.x * rate.y - u_.y * rate.x) / slide;
    double step = kInfinity;
    if (along < 0.0) step = slide / -along;
    if (across > 1e-15 * std::fabs(along)) step = std::min(step, kTurn * slide / across);
    return step;
  }

  /// Runge and Kutta's rule for the sliding; the mean impulse per normal impulse over the step.
  Vec3 mean_push(double step) const {
    const Vec3 first = push(u_);
    if (stuck_) return first;
    const Vec3 second = push(u_ + k_ * first * (0.5 * step));
    const Vec3 third = push(u_ + k_ * second * (0.5 * step));
    const Vec3 rate = k_ * third;
    const Vec3 end = u_ + rate * step;
    // The sliding ends in this step: its direction has not changed.
    if (end.x * u_.x + end.y * u_.y <= 1e-9 * (u_.x * u_.x + u_.y * u_.y)) return first;
    const Vec3 fourth = push(end);
    return (first + (second + third) * 2.0 + fourth) * (1.0 / 6.0);
  }

  void come_to_rest() {
    u_.x = u_.y = 0.0;
    stuck_ = true;
    // The tangential impulse per normal impulse that keeps the point from sliding.
    const double a = k_(0, 0), b = k_(0, 1), c = k_(1, 1);
    const double det = a * c - b * b;
    const Vec3 hold{(b * k_(1, 2) - c * k_(0, 2)) / det, (b * k_(0, 2) - a * k_(1, 2)) / det, 1.0};
    if (speed_of_sliding(hold) <= friction_) {
      hold_ = hold;
      return;
    }
    // It slides where the push takes it, and friction against that: of all directions, the one in
    // which the sliding grows straight on.
    const auto across = [&](const Vec3& d) {
      const Vec3 rate = k_ * Vec3{-friction_ * d.x, -friction_ * d.y, 1.0};
      return std::pair(d.x * rate.y - d.y * rate.x, d.x * rate.x + d.y * rate.y);
    };
    Vec3 d{1.0, 0.0, 0.0};
    for (int i = 0; i < kDirections; ++i) {
      Vec3 low = d;
      Vec3 high{d.x * kCosine - d.y * kSine, d.x * kSine + d.y * kCosine, 0.0};
      d = high;
      const bool turns = (across(low).first > 0.0) != (across(high).first > 0.0);
      if (!turns || !(across(low).second > 0.0 || across(high).second > 0.0)) continue;
      const bool sign = across(low).first > 0.0;
      for (int k = 0; k < kHalvings; ++k) {
        const Vec3 middle = normalized(low + high);
        ((across(middle).first > 0.0) == sign ? low : high) = middle;
      }
      d = low;
      if (across(d).second > 0.0) break;
      d = high;
    }
    hold_ = {-friction_ * d.x, -friction_ * d.y, 1.0};
  }

  Mat3 k_;
  double friction_;
  Vec3 u_, impulse_, hold_;
  double first_ = 0.0, work_ = 0.0;
  bool stuck_ = false;
};

}  // namespace

PointImpulse integrate_impact(const PointImpact& impact) {
  return Integration(impact).run(impact.restitution);
}

}  // namespace tactus::detail
