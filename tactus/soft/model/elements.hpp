#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"

namespace tactus::detail {

/// Sums of the first and second derivative of an energy by the place of one vertex; the second one
/// is symmetric and never negative definite.
struct LocalModel {
  Vec3 gradient;
  Mat3 hessian = Mat3::zero();

  void add_outer(const Vec3& n, double factor) {
    const Vec3 scaled = n * factor;
    hessian.row[0] += n * scaled.x;
    hessian.row[1] += n * scaled.y;
    hessian.row[2] += n * scaled.z;
  }
  void add_diagonal(double value) {
    hessian.row[0].x += value;
    hessian.row[1].y += value;
    hessian.row[2].z += value;
  }
};

/// Energy of a tetrahedron: volume * (mu / 2 (|F|^2 - 3) + lambda / 2 ((J - alpha)^2 - (1 -
/// alpha)^2)), zero at rest, with F the deformation gradient and J its determinant. It grows
/// finitely through inversion. With mu = 0 and alpha = 1 it keeps the volume alone. By the place of
/// one vertex J is linear and |F|^2 quadratic: a local model is exact.
/// Source: smith2018neohookean, section 3 (without the logarithm, as in macklin2021neohookean).
struct TetrahedronElement {
  std::array<std::uint32_t, 4> vertices;
  /// Products of the gradients of the barycentric coordinates at rest.
  std::array<std::array<double, 4>, 4> gram;
  double volume = 0.0, mu = 0.0, lambda = 0.0, alpha = 1.0;

  double energy(std::span<const Vec3> x) const;
};

/// An element as one of its vertices sees it: the others in the order that makes (b - a) x (c - a)
/// point to it, and all factors multiplied out.
struct TetrahedronCorner {
  std::array<std::uint32_t, 3> others;
  std::array<double, 3> pull;  ///< volume * mu * products of gradients
  double own;                  ///< the same with itself
  double swell;                ///< lambda * volume / (6 volume)^2
  double rest;                 ///< 6 volume * alpha

  void add(const Vec3& x, std::span<const Vec3> at, LocalModel& model) const {
    const Vec3 a = at[others[0]], b = at[others[1]], c = at[others[2]];
    const Vec3 n = cross(b - a, c - a);
    const double excess = dot(n, x - a) - rest;
    model.gradient += (a - x) * pull[0] + (b - x) * pull[1] + (c - x) * pull[2];
    model.gradient += n * (swell * excess);
    model.add_outer(n, swell);
    model.add_diagonal(own);
  }
};

/// A weighted sum of up to four vertices, whose length resists: k / 2 (|e| - rest)^2. Weights 1 and
/// -1 make a spring; those of two triangles at an edge make their bending (where rest is flat: of
/// bergou2006bending, k / 2 |e|^2). `damping` resists the length's change in a step.
/// Source: bergou2006bending.
struct TieElement {
  std::array<std::uint32_t, 4> vertices{};
  std::array<double, 4> weights{};
  int count = 0;
  double rest = 0.0, stiffness = 0.0, damping = 0.0;

  Vec3 sum(std::span<const Vec3> x) const {
    Vec3 e;
    for (int k = 0; k < count; ++k) {
      e += x[vertices[static_cast<std::size_t>(k)]] * weights[static_cast<std::size_t>(k)];
    }
    return e;
  }
  double energy(std::span<const Vec3> x) const {
    const double over = norm(sum(x)) - rest;
    return 0.5 * stiffness * (over * over);
  }
  /// `rate`: damping over the time step; `before`: the length at its start.
  void add(int corner, std::span<const Vec3> x, double rate, double before,
           LocalModel& model) const;
  double damping_energy(std::span<const Vec3> x, double rate, double before) const {
    const double over = norm(sum(x)) - before;
    return 0.5 * rate * (over * over);
  }
};

}  // namespace tactus::detail
