#pragma once

#include "tactus/narrow/difference/curvature.hpp"

namespace tactus::detail {

/// A vector of the tangent plane.
struct Pair2 {
  double x = 0.0, y = 0.0;
  friend Pair2 operator+(const Pair2& a, const Pair2& b) { return {a.x + b.x, a.y + b.y}; }
  friend Pair2 operator-(const Pair2& a, const Pair2& b) { return {a.x - b.x, a.y - b.y}; }
  friend Pair2 operator*(const Pair2& a, double s) { return {a.x * s, a.y * s}; }
  Pair2& operator+=(const Pair2& b) {
    x += b.x;
    y += b.y;
    return *this;
  }
};
inline double dot(const Pair2& a, const Pair2& b) { return a.x * b.x + a.y * b.y; }
inline double norm(const Pair2& a) { return std::sqrt(dot(a, a)); }

/// The support functions of boxes, cylinders, cones and ellipsoids are sums of a few norms: the
/// half edges times |n.e|, the radius times |n across the axis|, |D n|; a cone's is the larger of
/// two, half their sum and half their difference's size. Near a direction all of them are smooth
/// but those of the form size |u|, which have a kink where u = 0: where the bodies touch along
/// edges, faces and generators.
struct Kink {
  double size, at;  ///< size |at + slope.x| for the direction n + x
  Pair2 slope;
};

/// State of a kink that a search keeps from step to step. `held`: the direction stays in it, and
/// `multiplier`, between -size and size, is what the kink gives to the derivative, and to the
/// witness.
struct Multiplier {
  double value = 0.0;
  bool held = false;
};

/// f for the directions n + x, x in the tangent plane, to second order besides the kinks.
struct KinkModel {
  static constexpr int kMostKinks = 4;
  double value;  ///< without the kinks
  Pair2 slope;
  TangentForm form;
  Kink kink[kMostKinks];
  int kinks;

  KinkModel() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)

  Pair2 times(const Pair2& v) const {
    return {form.xx * v.x + form.xy * v.y, form.xy * v.x + form.yy * v.y};
  }
};

/// Is the core's support function such a sum?
inline bool is_sum_of_norms(const Core& core) {
  return core.kind != CoreKind::triangle && core.kind != CoreKind::polytope &&
         core.kind != CoreKind::custom;
}

/// Number of kinks of such a core.
inline int kinks_of(const Core& core) {
  if (core.kind == CoreKind::box) return 3;
  return core.kind == CoreKind::segment || core.kind == CoreKind::cylinder ||
                 core.kind == CoreKind::cone
             ? 1
             : 0;
}

/// Adds the support function of a core to the model; `seen` and what follows in the body's frame,
/// `multiplier` of its kinks.
void add_core(const Core& core, const TangentFrame& seen, const Multiplier* multiplier,
              KinkModel& model);

/// The core's support point along n, within the kinks that are held the one that their multipliers
/// name.
Vec3 witness_of(const Core& core, const Vec3& n, const Multiplier* multiplier);

/// The direction n + x of the least value of the model, its curvature taken positive; `multiplier`:
/// the kinks that the direction is likely to stay in, and then those in which it does. An
/// active-set method over at most two kinks at a time. Source: nocedal2006, chapter 16.
Pair2 least_of(const KinkModel& model, Multiplier* multiplier);

/// Radius of a ball inside the core that touches its surface from inside in the witness `p`, where
/// n is the outward normal; zero at rims, edges and corners.
double ball_at(const Core& core, const Vec3& p, const Vec3& n, const Multiplier* multiplier);

/// Radius of a ball about `p` inside the grown core; not positive when p may lie outside.
double inner_radius_at(const Core& core, const Vec3& p);

/// A ball inside a core, the largest about its middle. Its centre may move by `move` along each of
/// the core's axes, all at once, and stay inside.
struct InnerBall {
  Vec3 center;
  double radius = 0.0;
  Vec3 move;
};
InnerBall inner_ball(const Core& core);

/// Parts of f's growth about a critical direction n with witnesses a - b = f(n) n: for every unit m
///   f(m) >= f(n) n.m + sum of the terms,
/// the term `linear`: size x where x = along.m is positive, else other |x|; not linear, a rim:
/// size x^2 / (2 |m'|), m' the part of m across `axis`. A disc whose axis is n gives  disc |m -
/// (m.n) n| - over.m. `along` and `over` lie in the tangent plane, the third of `axis` is along n.
struct Growth {
  struct Term {
    double size, other;
    Pair2 along;
    Vec3 axis;
    bool linear;
  };
  static constexpr int kMostTerms = 6;
  Term term[kMostTerms];
  int count = 0;
  double disc = 0.0;
  Pair2 over;

  Growth() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)
  void add_kink(double size, double other, const Pair2& along) {
    term[count++] = {size, other, along, {}, true};
  }
  void add_rim(double radius, const Pair2& along, const Vec3& axis) {
    term[count++] = {radius, radius, along, axis, false};
  }
};

/// Adds what a core's support function h grows by over its witness p, h(m) - p.m. A rim of radius r
/// gains  r (|m'| - u.m') >= r (s.m)^2 / (2 |m'|), m' across the axis, u the direction of the
/// witness and s perpendicular to it; a kink  size |x| - multiplier x, x = slope.m; a cone's
/// generator with the part `rim` of its weight there gains the larger of  g + (1 - rim) x  and -rim
/// x, g the rim's gain, and so every mean of the two; edges and corners none, and ellipsoids none
/// that would be of use here. `wanted`: the depth. Source: docs/algorithms/proof-of-depth.md.
void add_growth(const Core& core, const TangentFrame& seen, const Multiplier* multiplier,
                const Kink* kink, double wanted, Growth& growth);

}  // namespace tactus::detail
