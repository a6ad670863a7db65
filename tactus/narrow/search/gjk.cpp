#include "tactus/narrow/search/gjk.hpp"

#include <algorithm>

#include "tactus/core/uncleared.hpp"
#include "tactus/narrow/difference/signed_volumes.hpp"
#include "tactus/narrow/search/observe.hpp"

namespace tactus::detail {
namespace {

// Most steps with momentum. It gains on the first dozen; after that it circles around touching
// bodies without an end.
constexpr int kMomentumSteps = 12;

// Nesterov's momentum on the directions of the search. All are made unit, since those of the
// nearest point fade while the search closes in.
class Momentum {
 public:
  explicit Momentum(Acceleration acceleration)
      : steps_left_(acceleration == Acceleration::nesterov ? kMomentumSteps : 0) {}

  bool on() const { return steps_left_ > 0; }
  void drop() { steps_left_ = 0; }
  // The next direction; `n` is the one without momentum, `last` the latest support point.
  Vec3 bend(const Vec3& n, const Vec3& nearest, const Vec3& last) {
    const int step = kMomentumSteps - steps_left_--;
    if (step == 0) {
      direction_ = n;
    } else {
      const double keep = (step + 1.0) / (step + 3.0);
      const Vec3 ahead = normalized(nearest * keep + last * (1.0 - keep), -n);
      direction_ = normalized(direction_ * keep - ahead * (1.0 - keep), n);
    }
    return direction_;
  }

 private:
  int steps_left_;
  Vec3 direction_;
};

GjkResult holding_origin(GjkResult r) {
  r.outcome = GjkOutcome::overlapping;
  r.upper = 0.0;
  return r;
}

bool is_far_off(const GjkResult& r, double most) {
  return r.upper > most && r.upper - r.lower > most;
}

GjkResult given_up(GjkResult r) {
  r.outcome = GjkOutcome::stale;
  return r;
}

void tell(Observer* observer, const Cso& cso, const Simplex& simplex, const SupportPoint& p,
          const GjkResult& r) {
  if (observer == nullptr) return;
  const SearchState state{"gjk", r.iterations, r.lower, r.upper, cso.a.radius + cso.b.radius};
  observe(*observer, state, simplex, p);
}

// The first support point, unless the simplex has points already.
GjkResult begin(const Cso& cso, Simplex& simplex, const Vec3& start, Observer* observer) {
  GjkResult r;
  r.direction = start;
  if (simplex.size > 0) return r;
  cso.support(start, simplex.point[0]);
  r.lower = -dot(start, simplex.point[0].w);
  ++r.iterations;
  tell(observer, cso, simplex, simplex.point[0], r);
  simplex.size = 1;
  return r;
}

// `Variant`: with the momentum, observer and sub-algorithm of the options, which would stand in the
// way of the plain search. `Given`: with a start that may be stale.
template <bool Variant, bool Given>
GjkResult search(const Cso& cso, Simplex& simplex, const Vec3& start, const GjkOptions& options) {
  const auto find_nearest = [&](Nearest& out) {
    if (Variant && options.variant.sub_algorithm == SubAlgorithm::signed_volumes)
      return nearest_by_signed_volumes(simplex, out);
    return nearest_to_origin(simplex, out);
  };
  Observer* const observer = Variant ? options.observer : nullptr;
  GjkResult r = begin(cso, simplex, start, observer);
  const double gap = std::max(options.gap, cso.error_bound);
  Momentum momentum(Variant ? options.variant.acceleration : Acceleration::none);
  // Nearest point of the present simplex, and of the next: a copy would wait for writes to it.
  Uncleared<Nearest, 2> found;
  int now = 0;
  if (find_nearest(found[now])) return holding_origin(r);
  simplex.keep(found[now]);
  r.upper = norm(found[now].point);
  while (true) {
    if (r.upper <= cso.error_bound) return r;
    const Nearest& nearest = found[now];
    const Vec3 straight = toward_origin(nearest);
    const bool bent = Variant && momentum.on();
    const Vec3 n =
        bent ? momentum.bend(straight, nearest.point, simplex.point[simplex.size - 1].w) : straight;
    // Next to the points that are valid; it becomes one below.
    SupportPoint& p = simplex.point[simplex.size];
    cso.support(n, p);
    ++r.iterations;
    const double lower = -dot(n, p.w);
    if (lower > r.lower) {
      r.lower = lower;
      r.direction = n;
    }
    tell(observer, cso, simplex, p, r);
    if (Given && r.iterations == 1 && is_far_off(r, options.first_gap)) return given_up(r);
    if (r.upper - r.lower <= gap || (r.lower > cso.error_bound && r.lower > options.max_distance))
      break;
    if (options.stop_at_sign && (r.lower > options.sign_at + cso.error_bound ||
                                 r.upper < options.sign_at - cso.error_bound)) {
      break;
    }
    if (r.iterations >= options.max_iterations) {
      r.capped = true;
      break;
    }
    // A bent direction that gains nothing ends the momentum; a straight one ends the search. Near:
    // the bound would close if the direction were straight.
    const bool near = bent && r.upper + dot(straight, p.w) <= gap;
    if (near || simplex.contains(p)) {
      momentum.drop();
      if (bent) continue;
      break;
    }
    // The point joins, but the simplex before is kept until there is progress.
    ++simplex.size;
    Nearest& next = found[1 - now];
    if (find_nearest(next)) {
      tell(observer, cso, simplex, p, holding_origin(r));
      return holding_origin(r);
    }
    const double upper = norm(next.point);
    // No progress beyond rounding: the simplex before was as good.
    if (!(upper < r.upper)) {
      --simplex.size;
      momentum.drop();
      if (bent) continue;
      break;
    }
    simplex.keep(next);
    now = 1 - now;
    r.upper = upper;
  }
  if (r.lower > cso.error_bound) r.outcome = GjkOutcome::separated;
  return r;
}

}  // namespace

GjkResult gjk(const Cso& cso, Simplex& simplex, const Vec3& start, const GjkOptions& options) {
  const bool plain = options.variant.sub_algorithm == SubAlgorithm::voronoi &&
                     options.variant.acceleration == Acceleration::none &&
                     options.observer == nullptr;
  if (!plain) return search<true, true>(cso, simplex, start, options);
  return options.first_gap < std::numeric_limits<double>::infinity()
             ? search<false, true>(cso, simplex, start, options)
             : search<false, false>(cso, simplex, start, options);
}

}  // namespace tactus::detail
