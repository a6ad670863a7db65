#include "tactus/narrow/search/smooth_search.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

// As a rule four to six; what takes more is left to the search with a simplex.
constexpr int kMostSteps = 16;
// Most steps for the sign alone: pairs not decided by then nearly touch.
constexpr int kMostSignSteps = 8;
// The witnesses miss value * n by at most this many roundings.
constexpr double kSolved = 0.25;
// Longest step (tangent of the angle).
constexpr double kTrust = 1.0;
// A step that was not downhill is shortened to about half by a curvature of this times its slope
// per length; it counts as downhill, too, when it has made the slope this much smaller.
constexpr double kDamp = 1.5;
constexpr double kFlatter = 0.5;
// Below this the next step is below rounding, as the steps converge quadratically.
constexpr double kLastStep = 1e-7;
// Cosine between a disc's axis and the direction from which on it is tried.
constexpr double kNearAxis = 0.9;
// Roundings by which f must exceed the depth elsewhere.
constexpr double kClearOfTies = 4.0;
// A bracket of this part of the pair's size is one that was left early.
constexpr double kWide = 1e-6;
// A sign counts as proved when it stands this many rounding bounds clear of zero.
constexpr double kClear = 2.0;

// Orthonormal tangents of a unit vector, without a root. Source: duff2017.
TangentFrame frame_of(const Vec3& n) {
  const double sign = std::copysign(1.0, n.z);
  const double a = -1.0 / (sign + n.z);
  const double b = n.x * n.y * a;
  return {
      n, {1.0 + sign * (n.x * n.x) * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

class SmoothSearch {
 public:
  SmoothSearch(const Cso& cso, const Vec3& start, int max_iterations, Observer* observer)
      : cso_(cso),
        observer_(observer),
        max_iterations_(max_iterations),
        of_a_(kinks_of(cso.a)),
        frame_(start, {}, {}) {}

  const Vec3& n() const { return frame_.n; }
  double value() const { return value_; }

  // True when a disc is the answer; `out` is set.
  bool try_discs(SmoothCritical& out) {
    return try_near_disc(false, frame_.n, out) ||
           try_near_disc(true, -transpose_times(cso_.rotation, frame_.n), out);
  }

  // The model in the present direction. True when that is critical.
  bool look() {
    frame_ = frame_of(frame_.n);
    seen_by_b_ = frame_.seen_by_b(cso_);
    KinkModel& m = models_[current_];
    m.kinks = 0;
    m.value = -dot(frame_.n, cso_.translation);
    m.slope = {-dot(frame_.x, cso_.translation), -dot(frame_.y, cso_.translation)};
    m.form = {};
    add_core(cso_.a, frame_, multiplier_, m);
    add_core(cso_.b, seen_by_b_, multiplier_ + of_a_, m);
    value_ = m.value;
    double off = 0.0;
    Pair2 slope = m.slope;
    for (int i = 0; i < m.kinks; ++i) {
      const Kink& k = m.kink[i];
      value_ += k.size * std::fabs(k.at);
      if (multiplier_[i].held) {
        // Bound of the proof's loss on either side of this kink.
        off += (k.size + std::fabs(multiplier_[i].value)) * std::fabs(k.at);
        slope += k.slope * multiplier_[i].value;
      } else {
        slope += k.slope * std::copysign(k.size, k.at);
      }
    }
    slope_ = norm(slope);
    return slope_ <= kSolved * cso_.error_bound && off <= kSolved * cso_.error_bound;
  }

  void tell(int iteration) const {
    const double endless = std::numeric_limits<double>::infinity();
    const double radii = cso_.a.radius + cso_.b.radius;
    observer_->plane({{"newton", iteration, -value_, endless, radii}, frame_.n, value_});
  }

  // After a step that can only have led to the end: are separated cores' witnesses exact now? Costs
  // a third of a look.
  bool has_arrived(SmoothCritical& out) const {
    if (!(value_ < 0.0 && norm(step_) < kLastStep)) return false;
    const Vec3& n = frame_.n;
    const Vec3 n_b = -transpose_times(cso_.rotation, n);
    out.n = n;
    out.a = witness_of(cso_.a, n, multiplier_);
    out.b = cso_.rotation * witness_of(cso_.b, n_b, multiplier_ + of_a_) + cso_.translation;
    const Vec3 w = out.a - out.b;
    out.value = dot(n, w);
    if (holds_kink()) {
      const Multiplier none[KinkModel::kMostKinks];
      const Vec3 b = cso_.rotation * witness_of(cso_.b, n_b, none) + cso_.translation;
      out.value = std::max(out.value, dot(n, witness_of(cso_.a, n, none) - b));
    }
    out.proof = SphereProof::open;
    return norm(w - n * out.value) <= kSolved * cso_.error_bound;
  }

  // On to the next direction; false when there is none.
  bool advance() {
    if (value_ > last_value_ + cso_.error_bound && !(slope_ < kFlatter * last_slope_)) {
      damping_ = std::max(4.0 * damping_, kDamp * last_slope_ / norm(step_));
      let_go();
    } else {
      last_value_ = value_;
      last_slope_ = slope_;
      damping_ = 0.0;
      from_ = frame_;
      // On the sphere, where n + x is longer than n.
      models_[current_].form.xx -= value_;
      models_[current_].form.yy -= value_;
      current_ = 1 - current_;
    }
    KinkModel& model = models_[1 - current_];
    double more = damping_;
    for (int i = 0; i < 5; ++i) {
      model.form.xx += more;
      model.form.yy += more;
      step_ = least_of(model, multiplier_);
      if (dot(step_, step_) <= kTrust * kTrust) break;
      more = (1 << i) * last_slope_ / kTrust;
    }
    const double square = dot(step_, step_);
    if (!(square < 1e10)) return false;
    frame_.n =
        ((from_.n + from_.x * step_.x) + from_.y * step_.y) * (1.0 / std::sqrt(1.0 + square));
    return true;
  }

  void finish(SmoothCritical& out) const {
    out.n = frame_.n;
    out.value = value_;
    out.proof = SphereProof::open;
    out.a = witness_of(cso_.a, frame_.n, multiplier_);
    const Vec3 local = witness_of(cso_.b, seen_by_b_.n, multiplier_ + of_a_);
    out.b = cso_.rotation * local + cso_.translation;
    if (!(value_ > 0.0)) return;
    const bool least =
        beyond_ties(value_) <= ball_at(cso_.a, out.a, frame_.n, multiplier_) +
                                   ball_at(cso_.b, local, seen_by_b_.n, multiplier_ + of_a_);
    out.proof = least ? SphereProof::proved : prove_least(out);
  }

  bool holds_kink() const {
    bool held = false;
    for (int i = 0; i < of_a_ + kinks_of(cso_.b); ++i) held |= multiplier_[i].held;
    return held;
  }
  const Multiplier* multipliers_of_a() const { return multiplier_; }
  const Multiplier* multipliers_of_b() const { return multiplier_ + of_a_; }

 private:
  // A ball larger than the depth by less could touch the surface elsewhere, too.
  double beyond_ties(double depth) const {
    return depth * (1.0 + kNearTie) + kClearOfTies * cso_.error_bound;
  }

  void let_go() {
    for (Multiplier& s : multiplier_) s.held = false;
  }

  // A disc that faces along n, seen along its axis: f has a kink there in every direction. The
  // other body's support point is its witness if it lies over the disc.
  bool try_disc(bool of_b, double side, SmoothCritical& out) const {
    const Multiplier none[KinkModel::kMostKinks];
    Vec3 over;
    if (of_b) {
      const Vec3 axis{cso_.rotation(0, 2) * side, cso_.rotation(1, 2) * side,
                      cso_.rotation(2, 2) * side};
      out.n = -axis;
      out.a = witness_of(cso_.a, out.n, none);
      over = transpose_times(cso_.rotation, out.a - cso_.translation);
    } else {
      out.n = {0.0, 0.0, side};
      over = cso_.rotation * witness_of(cso_.b, -transpose_times(cso_.rotation, out.n), none) +
             cso_.translation;
      out.b = over;
    }
    const Core& disc = of_b ? cso_.b : cso_.a;
    const double off_axis = std::sqrt(over.x * over.x + over.y * over.y);
    if (!(off_axis <= disc.half.x + kSolved * cso_.error_bound)) return false;
    out.value = disc.half.z - side * over.z;
    // Beside the disc by no more than rounding: the witness is a member.
    const double inward = off_axis > disc.half.x ? disc.half.x / off_axis : 1.0;
    const Vec3 local{over.x * inward, over.y * inward, side * disc.half.z};
    if (of_b) {
      out.b = cso_.rotation * local + cso_.translation;
    } else {
      out.a = local;
    }
    out.proof = SphereProof::open;
    if (!(out.value > 0.0)) return true;
    if (beyond_ties(out.value) <= ball_at(disc, over, {0.0, 0.0, side}, none)) {
      out.proof = SphereProof::proved;
      return true;
    }
    const TangentFrame frame = frame_of(out.n);
    const Vec3 offset{over.x, over.y, 0.0};
    const Vec3 in_a = of_b ? -(cso_.rotation * offset) : offset;
    Growth growth;
    growth.disc = disc.half.x;
    growth.over = {dot(frame.x, in_a), dot(frame.y, in_a)};
    out.proof = prove_on_sphere(cso_, frame, growth, out.value, max_iterations_, out.iterations,
                                out.lower, observer_);
    return true;
  }

  // Tries the disc whose axis is near n, the direction in its body's frame; each disc once.
  bool try_near_disc(bool of_b, const Vec3& n, SmoothCritical& out) {
    const Core& core = of_b ? cso_.b : cso_.a;
    if (std::fabs(n.z) < kNearAxis || !has_disc(core, n.z > 0.0 ? 1 : -1)) return false;
    const unsigned bit = (of_b ? 4u : 1u) << (n.z > 0.0 ? 1u : 0u);
    if ((tried_ & bit) != 0) return false;
    tried_ |= bit;
    return try_disc(of_b, n.z > 0.0 ? 1.0 : -1.0, out);
  }

  SphereProof prove_least(SmoothCritical& out) const {
    Growth growth;
    add_growth(cso_.a, frame_, multiplier_, models_[current_].kink, value_, growth);
    add_growth(cso_.b, seen_by_b_, multiplier_ + of_a_, models_[current_].kink + of_a_, value_,
               growth);
    return prove_on_sphere(cso_, frame_, growth, value_, max_iterations_, out.iterations, out.lower,
                           observer_);
  }

  const Cso& cso_;
  Observer* observer_;
  int max_iterations_, of_a_;
  TangentFrame frame_;
  TangentFrame from_{{}, {}, {}}, seen_by_b_{{}, {}, {}};
  Multiplier multiplier_[KinkModel::kMostKinks];
  KinkModel models_[2];  // of the present direction and of the one that the step starts from
  int current_ = 0;
  unsigned tried_ = 0;
  double value_ = 0.0, slope_ = 0.0;
  double last_value_ = std::numeric_limits<double>::infinity(), last_slope_ = 0.0;
  double damping_ = 0.0;
  Pair2 step_;
};

// Does one direction decide the sign?
struct SignTest {
  const Core &a, &b;
  const Mat3& rotation;  // of B's frame in A's frame, and its origin
  const Vec3& translation;
  double rounding;

  // By f(n), or by the witnesses along n; within kinks that are held, those that the multipliers
  // name.
  bool operator()(const Multiplier* multipliers_of_a, const Multiplier* multipliers_of_b, bool held,
                  SignAnswer& out) const {
    const Multiplier none[KinkModel::kMostKinks];
    const Vec3 n = out.n, n_b = -transpose_times(rotation, n);
    out.point_a = witness_of(a, n, none) + n * a.radius;
    out.point_b = rotation * witness_of(b, n_b, none) + translation - n * b.radius;
    const double f = dot(n, out.point_a - out.point_b);
    out.lower = -f - rounding;
    if (f < -kClear * rounding) {
      out.upper = std::max(norm(out.point_b - out.point_a), -f) + rounding;
      return true;
    }
    if (held) {
      out.point_a = witness_of(a, n, multipliers_of_a) + n * a.radius;
      out.point_b = rotation * witness_of(b, n_b, multipliers_of_b) + translation - n * b.radius;
    }
    const double inside = common_ball(out.point_a, out.point_b);
    out.upper = rounding - inside;
    return inside > kClear * rounding;
  }

 private:
  // Radius of a ball about the origin in A - B, which a ball in B about a point of A is, too: from
  // the witnesses or, of ellipsoids, from half way between them.
  double common_ball(const Vec3& point_a, const Vec3& point_b) const {
    const double at_a = inner_radius_at(b, transpose_times(rotation, point_a - translation));
    if (at_a > 0.0) return at_a;
    const double at_b = inner_radius_at(a, point_b);
    if (at_b > 0.0) return at_b;
    if (a.kind != CoreKind::ellipsoid && b.kind != CoreKind::ellipsoid) return 0.0;
    const Vec3 middle = (point_a + point_b) * 0.5;
    const double room_a = inner_radius_at(a, middle);
    if (!(room_a > 0.0)) return 0.0;
    const double room_b = inner_radius_at(b, transpose_times(rotation, middle - translation));
    return room_b > 0.0 ? room_a + room_b : 0.0;
  }
};

}  // namespace

bool search_critical(const Cso& cso, const Vec3& start, double max_distance, int max_iterations,
                     SmoothCritical& out, Observer* observer) {
  SmoothSearch search(cso, start, max_iterations, observer);
  const int steps = std::min(kMostSteps, max_iterations);
  for (out.iterations = 1; out.iterations <= steps; ++out.iterations) {
    if (search.has_arrived(out) || search.try_discs(out)) return true;
    const bool critical = search.look();
    if (observer != nullptr) search.tell(out.iterations);
    if (critical) {
      search.finish(out);
      return true;
    }
    if (search.value() < -max_distance) {
      search.finish(out);
      // A nearly exact answer takes further steps: witnesses are believed to the bracket's width.
      if (norm(out.a - out.b) + out.value > kWide * (cso.size() - out.value)) return true;
    }
    if (!search.advance()) break;
  }
  return false;
}

bool search_smooth_sign(const Core& a, const Core& b, const Mat3& rotation, const Vec3& translation,
                        const Vec3& start, int max_iterations, SignAnswer& out) {
  const Multiplier none[KinkModel::kMostKinks];
  const Vec3 between = rotation * b.center + translation - a.center;
  const bool given = !(start == Vec3{});
  out.n = normalized(given ? start : between, {0.0, 0.0, 1.0});
  out.iterations = 1;
  const SignTest test{a, b, rotation, translation, rounding_bound(a, b, translation)};
  if (test(none, none, false, out)) return true;
  if (given) {
    // It comes from elsewhere if the direction between the centres is better.
    SignAnswer fresh;
    fresh.n = normalized(between, {0.0, 0.0, 1.0});
    const bool decided = test(none, none, false, fresh);
    if (decided || fresh.lower > out.lower) out = fresh;
    out.iterations = 2;
    if (decided) return true;
  }
  const Cso cso(a, b, rotation, translation);
  SmoothSearch search(cso, out.n, max_iterations, nullptr);
  const int steps = std::min(kMostSignSteps, max_iterations);
  while (out.iterations < steps && !search.look() && search.advance()) {
    out.n = search.n();
    ++out.iterations;
    if (test(search.multipliers_of_a(), search.multipliers_of_b(), search.holds_kink(), out))
      return true;
  }
  return false;
}

}  // namespace tactus::detail
