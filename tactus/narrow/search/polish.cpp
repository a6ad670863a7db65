#include "tactus/narrow/search/polish.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/narrow/difference/curvature.hpp"
#include "tactus/narrow/search/flat_finish.hpp"

namespace tactus::detail {
namespace {

constexpr int kSteps = 20;
// As long as each comes nearer: out of the kink of a disc seen face on the way grows by half in
// each.
constexpr int kMostSteps = 32;
// Pieces that are dropped after convergence: more would come and go without an end.
constexpr int kMaxDrops = 2;
// Sine of the angle below which two edges between active points count as parallel: the third point
// then adds nothing but noise.
constexpr double kParallel = 1e-13;
// A piece whose weight would become this negative does not belong to the set. (Slightly negative
// ones may: the facet can have more corners than the three that are followed.)
constexpr double kDropWeight = 0.25;
// Curvature below this fraction of the larger one is rounding.
constexpr double kFlat = 1e-14;
// Largest change of direction in one step (radians, roughly): beyond it the model of the pieces is
// not trusted.
constexpr double kTrust = 0.5;
// A step below this no longer changes the value: its effect is of second order.
constexpr double kStepDone = 1e-14;
// Nor does one from witnesses that miss value * n by this many roundings.
constexpr double kSolved = 0.125;
// A step below this hardly changes the direction's last digit.
constexpr double kStill = 1e-15;
// Below this step the next one is below rounding, as the steps converge quadratically: it is not
// made if the witnesses agree.
constexpr double kLastStep = 1e-8;
// A rim whose support point turns faster than this per radian (in units of the pair's size) is a
// disc seen along its axis: its points are then held fixed, as corners of the disc.
constexpr double kRimStiffness = 1e4;
// Directions this near to a disc's axis (1 - cosine; 8 degrees) are compared with the axis itself,
// where f has a kink.
constexpr double kDiscAlignment = 1e-2;

// Witnesses that miss distance * normal by more roundings than this are searched for again.
constexpr double kResidual = 3.0;
// Corners of a facet that are tried for the witnesses.
constexpr int kMaxCorners = 12;

struct Pair2 {
  double x = 0.0, y = 0.0;
};
double dot(const Pair2& a, const Pair2& b) { return a.x * b.x + a.y * b.y; }

// One active piece: a pair of pieces of A and B, or a fixed point of A - B.
struct Active {
  SupportPoint point;
  bool smooth_a = false, smooth_b = false;
  TangentForm derivative;  // of w on the tangent plane
  double weight = 0.0;
};

// Are x and p points of one pair of pieces, at least one of them moving with n? One model serves
// both then. (The points of a custom body share one piece without moving by a known law: they must
// be equal.)
bool same_piece(const Active& x, const SupportPoint& p) {
  return (x.smooth_a || x.smooth_b) && x.point.piece_a == p.piece_a &&
         x.point.piece_b == p.piece_b && (x.smooth_a || x.point.a == p.a) &&
         (x.smooth_b || x.point.b == p.b);
}

// A direction with its tangent frame as both bodies see it.
struct View {
  TangentFrame frame, of_b;
  View(const Cso& cso, const Vec3& n) : frame(n), of_b(frame.seen_by_b(cso)) {}
};

// Support point of the active piece and its derivative in direction n. False when a rim is seen
// along its axis.
bool evaluate(const Cso& cso, Active& x, const View& view) {
  x.derivative = {};
  const auto add = [&](const Core& core, const PieceCurvature& c) {
    x.derivative += c.form;
    x.derivative.xx -= core.shrink;
    x.derivative.yy -= core.shrink;
  };
  if (x.smooth_a) {
    const PieceCurvature c = piece_curvature(cso.a, x.point.piece_a, view.frame);
    x.point.a = c.point;
    add(cso.a, c);
  }
  if (x.smooth_b) {
    const PieceCurvature c = piece_curvature(cso.b, x.point.piece_b, view.of_b);
    x.point.b = cso.rotation * c.point + cso.translation;
    add(cso.b, c);
  }
  x.point.w = x.point.a - x.point.b;
  x.point.direction = view.frame.n;
  return x.derivative.xx + x.derivative.yy <= kRimStiffness * cso.size();
}

bool is_one_piece(const Core& core) {
  return core.kind == CoreKind::ellipsoid || core.kind == CoreKind::point;
}

struct ActiveSet {
  Active item[3];
  int size = 0;
  bool fixed = false;  ///< points held as they are (discs seen face on)

  double least(const double weight[3]) const {
    double w = weight[0];
    for (int i = 1; i < size; ++i) w = std::min(w, weight[i]);
    return w;
  }
  // Takes out the piece with the least of the given weights, by default its own.
  void drop_lightest(const double* weight = nullptr) {
    const auto weight_of = [&](int i) { return weight != nullptr ? weight[i] : item[i].weight; };
    int lightest = 0;
    for (int i = 1; i < size; ++i) {
      if (weight_of(i) < weight_of(lightest)) lightest = i;
    }
    --size;
    for (int i = lightest; i < size; ++i) item[i] = item[i + 1];
    double total = 0.0;
    for (int i = 0; i < size; ++i) total += item[i].weight = std::max(item[i].weight, 0.0);
    for (int i = 0; i < size; ++i)
      item[i].weight = total > 0.0 ? item[i].weight / total : 1.0 / size;
  }
  // Adds the piece of p, in place of the lightest when the set is full. False when it is there
  // already, or seen along a disc's axis.
  bool add(const Cso& cso, const SupportPoint& p, const View& view) {
    Active x;
    x.point = p;
    x.weight = 0.0;
    x.smooth_a = cso.a.is_smooth(p.piece_a);
    x.smooth_b = cso.b.is_smooth(p.piece_b);
    for (int i = 0; i < size; ++i) {
      if (same_piece(item[i], p) || item[i].point.w == p.w) return false;
    }
    if (!evaluate(cso, x, view)) return false;
    if (size == 3) drop_lightest();
    item[size++] = x;
    return true;
  }
};

ActiveSet make_active(const Cso& cso, const Simplex& simplex, const View& view) {
  ActiveSet set;
  for (int i = 0; i < simplex.size && i < 3; ++i) {
    const SupportPoint& p = simplex.point[i];
    bool merged = false;
    for (int j = 0; j < set.size && !merged; ++j) {
      if (same_piece(set.item[j], p)) {
        set.item[j].weight += simplex.weight[i];
        merged = true;
      }
    }
    if (merged) continue;
    Active& x = set.item[set.size++];
    x.point = p;
    x.weight = simplex.weight[i];
    x.smooth_a = cso.a.is_smooth(p.piece_a);
    x.smooth_b = cso.b.is_smooth(p.piece_b);
  }
  bool stiff = false;
  for (int i = 0; i < set.size; ++i) stiff |= !evaluate(cso, set.item[i], view);
  if (!stiff) return set;
  // Discs face on: the simplex itself is the best model.
  ActiveSet held;
  held.fixed = true;
  for (int i = 0; i < simplex.size && i < 3; ++i) {
    held.item[i].point = simplex.point[i];
    held.item[i].weight = simplex.weight[i];
    ++held.size;
  }
  return held;
}

// Newton's step -A^-1 g of a function with gradient g and symmetric second derivative A, with every
// curvature taken positive: downhill where the function is concave, so that saddles are left
// behind.
Pair2 descent_step(double a00, double a01, double a11, const Pair2& g) {
  const double mean = 0.5 * (a00 + a11);
  const double half = 0.5 * (a00 - a11);
  const double radius = std::sqrt(half * half + a01 * a01);
  // First eigenvector, of the eigenvalue mean + radius, from the better conditioned row.
  Pair2 e = half >= 0.0 ? Pair2{half + radius, a01} : Pair2{a01, radius - half};
  const double length = std::sqrt(dot(e, e));
  e = length > 0.0 ? Pair2{e.x / length, e.y / length} : Pair2{1.0, 0.0};
  const Pair2 across{-e.y, e.x};
  const double floor = kFlat * (std::fabs(mean) + radius);
  const auto along = [&](const Pair2& direction, double curvature) {
    return std::fabs(curvature) > floor ? -dot(direction, g) / std::fabs(curvature) : 0.0;
  };
  // The eigenvalue of smaller size from the determinant, as the difference would cancel: it belongs
  // to `across` when the mean is positive.
  const double larger = mean >= 0.0 ? mean + radius : mean - radius;
  const double smaller = larger != 0.0 ? (a00 * a11 - a01 * a01) / larger : 0.0;
  const double first = along(e, mean >= 0.0 ? larger : smaller);
  const double second = along(across, mean >= 0.0 ? smaller : larger);
  return {e.x * first + across.x * second, e.y * first + across.y * second};
}

// The step in the tangent plane (coordinates along t0, t1) and the new weights. False when the
// equations are singular.
bool newton_step(const ActiveSet& set, const TangentFrame& frame, Pair2& step, double weight[3]) {
  const Vec3 &n = frame.n, &t0 = frame.x, &t1 = frame.y;
  const int k = set.size;
  Vec3 sum;
  TangentForm hessian;
  for (int i = 0; i < k; ++i) {
    sum += set.item[i].point.w * set.item[i].weight;
    hessian += set.item[i].derivative * set.item[i].weight;
  }
  const double value = dot(n, sum);
  const double a00 = hessian.xx - value;
  const double a01 = hessian.xy;
  const double a11 = hessian.yy - value;
  const auto times_a = [&](const Pair2& v) {
    return Pair2{a00 * v.x + a01 * v.y, a01 * v.x + a11 * v.y};
  };
  const Pair2 residual{dot(t0, sum), dot(t1, sum)};
  for (int i = 0; i < k; ++i) weight[i] = set.item[i].weight;
  if (k == 1) {
    step = descent_step(a00, a01, a11, residual);
    return true;
  }
  const Vec3 d1 = set.item[1].point.w - set.item[0].point.w;
  const Pair2 g1{dot(t0, d1), dot(t1, d1)};
  const double c1 = dot(n, d1);
  if (k == 2) {
    const double length = dot(g1, g1);
    if (!(length > 0.0)) return false;
    const Pair2 base{-c1 * g1.x / length, -c1 * g1.y / length};
    const Pair2 free{-g1.y, g1.x};
    const Pair2 a_free = times_a(free);
    const double curvature = dot(free, a_free);
    // Along the free direction there is nothing to gain where f is flat: stay. Where f is concave:
    // downhill.
    const double wanted = -(dot(free, residual) + dot(a_free, base));
    const bool flat = std::fabs(curvature) <= kFlat * length * (std::fabs(a00) + std::fabs(a11));
    const double along = flat ? 0.0 : wanted / std::fabs(curvature);
    step = {base.x + free.x * along, base.y + free.y * along};
    const Pair2 a_step = times_a(step);
    const Pair2 rest{residual.x + a_step.x, residual.y + a_step.y};
    const double change = -dot(g1, rest) / length;
    weight[1] += change;
    weight[0] -= change;
    return true;
  }
  const Vec3 d2 = set.item[2].point.w - set.item[0].point.w;
  const Pair2 g2{dot(t0, d2), dot(t1, d2)};
  const double c2 = dot(n, d2);
  const double determinant = g1.x * g2.y - g1.y * g2.x;
  if (!(std::fabs(determinant) > kParallel * std::sqrt(dot(g1, g1) * dot(g2, g2)))) return false;
  // g1.step = -c1, g2.step = -c2
  step = {(g1.y * c2 - g2.y * c1) / determinant, (g2.x * c1 - g1.x * c2) / determinant};
  const Pair2 a_step = times_a(step);
  const Pair2 rest{residual.x + a_step.x, residual.y + a_step.y};
  const double change1 = (-rest.x * g2.y + rest.y * g2.x) / determinant;
  const double change2 = (-rest.y * g1.x + rest.x * g1.y) / determinant;
  weight[1] += change1;
  weight[2] += change2;
  weight[0] -= change1 + change2;
  return true;
}

// Weights back into the simplex: clipped to be convex, so that the witnesses stay in the bodies.
Simplex to_simplex(const ActiveSet& set) {
  Simplex s;
  double total = 0.0;
  for (int i = 0; i < set.size; ++i) {
    if (!(set.item[i].weight > 0.0)) continue;
    s.point[s.size] = set.item[i].point;
    s.weight[s.size] = set.item[i].weight;
    total += set.item[i].weight;
    ++s.size;
  }
  for (int i = 0; i < s.size; ++i) s.weight[i] /= total;
  return s;
}

// How far the weighted sum of a simplex misses value * n; infinite when no weight is positive.
double witness_residual(const Simplex& s, const Vec3& n, double value) {
  return s.size > 0 ? norm(s.closest() - n * value) : std::numeric_limits<double>::infinity();
}

// The point of one body's support face along n that comes nearest to the axis of the other's disc,
// as far as the face is known: it is spanned by the points level with `support` among the pieces of
// the body (rims, apex) or the corners in the simplex.
Vec3 nearest_to_axis(const Cso& cso, const Simplex& simplex, const Vec3& n, bool of_b,
                     const Vec3& support) {
  const Core& core = of_b ? cso.b : cso.a;
  const Vec3 foot = of_b ? Vec3{} : cso.translation;  // a point of the disc's axis
  Simplex seen;
  const auto add = [&](const Vec3& p) {
    if (seen.size == 3 || std::fabs(dot(n, p - support)) > cso.error_bound) return;
    const Vec3 across = p - foot;
    seen.point[seen.size].w = across - n * dot(n, across);
    seen.point[seen.size++].b = p;
  };
  if (core.kind == CoreKind::cylinder || core.kind == CoreKind::cone) {
    const Vec3 local = of_b ? -transpose_times(cso.rotation, n) : n;
    for (const Core::Piece piece : {0u, 1u}) {
      const Vec3 p = piece_support(core, piece, local);
      add(of_b ? cso.rotation * p + cso.translation : p);
    }
  } else {
    add(support);
    for (int i = 0; i < simplex.size; ++i) {
      const Vec3& p = of_b ? simplex.point[i].b : simplex.point[i].a;
      if (!(p == support)) add(p);
    }
  }
  if (seen.size == 0) return support;
  reduce(seen);
  return seen.closest_b();
}

// f has a kink, and often its minimum, where n is the normal of a disc: that direction is tried
// itself. The witness on the disc is the other body's, moved along n.
void try_disc(const Cso& cso, const Vec3& axis, bool disc_of_a, Critical& best) {
  if (dot(axis, best.n) < 1.0 - kDiscAlignment) return;
  const SupportPoint p = cso.support(axis);
  ++best.iterations;
  const double value = dot(axis, p.w);
  if (value > best.value + cso.error_bound) return;
  // Candidates for the other body's witness: the nearest point of its support face, the support
  // point, and the present witness, which may be a little off that plane.
  const Vec3 level = nearest_to_axis(cso, best.simplex, axis, disc_of_a, disc_of_a ? p.b : p.a);
  const Vec3 present = disc_of_a ? best.simplex.closest_b() : best.simplex.closest_a();
  const Core& disc = disc_of_a ? cso.a : cso.b;
  SupportPoint pair = p;
  bool found = false;
  for (const Vec3& other : {level, disc_of_a ? p.b : p.a, present}) {
    // Its image on the disc, along the axis: the disc's plane is that of the support point.
    const double height = disc_of_a ? dot(axis, p.a - other) : dot(axis, other - p.b);
    pair.a = disc_of_a ? other + axis * height : other;
    pair.b = disc_of_a ? other : other - axis * height;
    Vec3 local = disc_of_a ? pair.a : transpose_times(cso.rotation, pair.b - cso.translation);
    const double across = std::sqrt(local.x * local.x + local.y * local.y);
    found = across <= disc.half.x + cso.error_bound;
    if (!found) continue;
    // Beside the disc by no more than rounding: a witness is a member.
    if (across > disc.half.x) {
      local.x *= disc.half.x / across;
      local.y *= disc.half.x / across;
      (disc_of_a ? pair.a : pair.b) = disc_of_a ? local : cso.rotation * local + cso.translation;
    }
    break;
  }
  if (!found) return;
  pair.w = pair.a - pair.b;
  if (value >= best.value - cso.error_bound &&
      norm(pair.w - axis * value) > witness_residual(best.simplex, best.n, best.value)) {
    return;
  }
  best.n = axis;
  best.value = value;
  best.extreme = p;
  best.simplex = {};
  best.simplex.point[0] = pair;
  best.simplex.size = 1;
}

void try_discs(const Cso& cso, Critical& best) {
  for (const int side : {1, -1}) {
    const Vec3 axis{0.0, 0.0, static_cast<double>(side)};
    if (has_disc(cso.a, side)) try_disc(cso, axis, true, best);
    // B's disc faces A: n is against its outward normal.
    if (has_disc(cso.b, side)) try_disc(cso, -(cso.rotation * axis), false, best);
  }
}

}  // namespace

SupportPoint at_direction(const Cso& cso, const SupportPoint& p, const Vec3& n) {
  SupportPoint r = p;
  if (cso.a.is_smooth(p.piece_a)) r.a = piece_support(cso.a, p.piece_a, n);
  if (cso.b.is_smooth(p.piece_b)) {
    r.b = cso.rotation * piece_support(cso.b, p.piece_b, -transpose_times(cso.rotation, n)) +
          cso.translation;
  }
  r.w = r.a - r.b;
  r.direction = n;
  return r;
}

bool take_nearer(const Simplex& simplex, Critical& critical) {
  if (!(witness_residual(simplex, critical.n, critical.value) <
        witness_residual(critical.simplex, critical.n, critical.value))) {
    return false;
  }
  critical.simplex = simplex;
  return true;
}

void choose_witness(const Cso& cso, const SupportPoint* candidates, int count, Critical& critical) {
  const double enough = kResidual * cso.error_bound;
  if (witness_residual(critical.simplex, critical.n, critical.value) <= enough) return;
  SupportPoint corner[kMaxCorners];
  int corners = 0;
  for (int i = 0; i < count && corners < kMaxCorners; ++i) {
    const SupportPoint p = at_direction(cso, candidates[i], critical.n);
    bool known = dot(critical.n, p.w) < critical.value - enough;
    for (int j = 0; j < corners && !known; ++j) known = norm(corner[j].w - p.w) <= cso.error_bound;
    if (!known) corner[corners++] = p;
  }
  Simplex s;
  for (int i = 0; i < corners; ++i) {
    for (int j = i; j < corners; ++j) {
      for (int k = j; k < corners; ++k) {
        if (j == k && i != j) continue;
        s.size = i == j ? 1 : 3;
        s.point[0] = corner[i];
        s.point[1] = corner[j];
        s.point[2] = corner[k];
        reduce(s);
        if (take_nearer(s, critical) && witness_residual(s, critical.n, critical.value) <= enough) {
          return;
        }
      }
    }
  }
}

namespace {

// With (a, b) and (c, d) also (a, d) and (c, b) are points of A - B: where two edges or sides lie
// against each other the witnesses may need them.
void recombine_witness(const Cso& cso, Critical& critical) {
  if (witness_residual(critical.simplex, critical.n, critical.value) <= kResidual * cso.error_bound)
    return;
  SupportPoint known[4];
  int count = 0;
  for (int i = 0; i < critical.simplex.size && i < 3; ++i)
    known[count++] = critical.simplex.point[i];
  known[count++] = critical.extreme;
  SupportPoint pairs[16];
  int made = 0;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      SupportPoint& p = pairs[made++];
      p = known[i];
      p.b = known[j].b;
      p.piece_b = known[j].piece_b;
      p.w = p.a - p.b;
    }
  }
  choose_witness(cso, pairs, made, critical);
}

// Newton's steps of f, restricted to the pieces that carry its value.
class Polishing {
 public:
  Polishing(const Cso& cso, const Simplex& simplex, const Vec3& start)
      : cso_(cso), view_(cso, start), set_(make_active(cso, simplex, view_)) {
    best_.simplex = simplex;
    best_.n = start;
    best_.extreme = cso.support(start);
    best_.value = dot(start, best_.extreme.w);
    best_.iterations = 1;
    best_residual_ = witness_residual(simplex, start, best_.value);
    extreme_ = best_.extreme;
    value_ = best_.value;
    // Then the active piece is the support in every direction.
    one_piece_ = is_one_piece(cso.a) && is_one_piece(cso.b) && set_.size == 1 && !set_.fixed;
  }

  Critical run() {
    for (int iteration = 0; iteration < kSteps || (nearing_ && iteration < kMostSteps);
         ++iteration) {
      nearing_ = false;
      Pair2 step;
      double weight[3] = {};
      if (!newton_step(set_, view_.frame, step, weight)) {
        if (set_.size == 1) break;
        set_.drop_lightest();
        continue;
      }
      const double length = std::sqrt(dot(step, step));
      if (!std::isfinite(length)) break;
      if (set_.size > 1 && set_.least(weight) < -kDropWeight) {
        set_.drop_lightest(weight);
        continue;
      }
      if (length > kTrust) {
        step = {step.x * (kTrust / length), step.y * (kTrust / length)};
      } else {
        for (int i = 0; i < set_.size; ++i) set_.item[i].weight = weight[i];
      }
      // A step that is nothing only finds the weights.
      if (length > kStill || iteration == 0) move(step);
      const double residual = judge();
      if (has_arrived(length, residual) || !go_on(weight, length)) break;
    }
    return best_;
  }

 private:
  void move(const Pair2& step) {
    const Vec3 n = view_.frame.n;
    view_ = View(cso_, normalized((n + view_.frame.x * step.x) + view_.frame.y * step.y));
    for (int i = 0; i < set_.size; ++i) evaluate(cso_, set_.item[i], view_);
    if (one_piece_) {
      extreme_ = set_.item[0].point;
    } else {
      cso_.support(view_.frame.n, extreme_);
    }
    ++best_.iterations;
    value_ = dot(view_.frame.n, extreme_.w);
  }

  // Better is a smaller f; within rounding, witnesses that agree with it. Returns by how much these
  // do not.
  double judge() {
    const Simplex next = to_simplex(set_);
    const double residual = witness_residual(next, view_.frame.n, value_);
    nearing_ = residual < last_residual_;
    last_residual_ = residual;
    if (value_ < best_.value - cso_.error_bound ||
        (value_ <= best_.value + cso_.error_bound && residual <= best_residual_)) {
      best_.simplex = next;
      best_.n = view_.frame.n;
      best_.value = value_;
      best_.extreme = extreme_;
      best_residual_ = residual;
    }
    return residual;
  }

  // Or has lost its way.
  bool has_arrived(double length, double residual) const {
    if (length <= kLastStep && residual <= cso_.error_bound &&
        value_ <= best_.value + cso_.error_bound)
      return true;
    return value_ > best_.value + kTrust * cso_.size() ||
           (one_piece_ && residual <= kSolved * cso_.error_bound);
  }

  // With other pieces, where it must be.
  bool go_on(const double weight[3], double length) {
    double level = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < set_.size; ++i)
      level = std::max(level, dot(view_.frame.n, set_.item[i].point.w));
    // A piece that was not active has come out on top.
    if (value_ > level + cso_.error_bound && !set_.fixed && set_.add(cso_, extreme_, view_))
      return true;
    if (length > kStepDone) return true;
    // A facet or ridge whose foot lies beyond its rim: the part of it that is left. (A facet of
    // more corners comes back with another one.)
    if (set_.size == 1 || drops_ == kMaxDrops || !(set_.least(weight) < 0.0)) return false;
    if (set_.size == 3 && best_residual_ <= kResidual * cso_.error_bound) return false;
    ++drops_;
    set_.drop_lightest();
    return true;
  }

  const Cso& cso_;
  View view_;
  ActiveSet set_;
  Critical best_;
  double best_residual_ = 0.0, last_residual_ = 0.0;
  bool one_piece_ = false, nearing_ = false;
  int drops_ = 0;
  SupportPoint extreme_;
  double value_ = 0.0;
};

}  // namespace

Critical polish(const Cso& cso, const Simplex& simplex, const Vec3& start) {
  Critical best = Polishing(cso, simplex, start).run();
  try_discs(cso, best);
  recombine_witness(cso, best);
  if (witness_residual(best.simplex, best.n, best.value) > kResidual * cso.error_bound)
    finish_on_flat(cso, best);
  return best;
}

}  // namespace tactus::detail
