#pragma once

#include <algorithm>
#include <cmath>

#include "tactus/ccd/moving_primitives.hpp"
#include "tactus/simd/two_doubles.hpp"

namespace tactus::detail {

/// The corners of a pair at both ends of its motion, two by two, coordinate by coordinate: what
/// most pairs are excluded by. `Corners`: 3 of a vertex and a face, 4 of two edges.
template <int Corners>
class EndCorners {
 public:
  EndCorners(const Vec3& vertex_t0, const Vec3& f0_t0, const Vec3& f1_t0, const Vec3& f2_t0,
             const Vec3& vertex_t1, const Vec3& f0_t1, const Vec3& f1_t1, const Vec3& f2_t1)
    requires(Corners == 3)
  {
    set(0, f0_t0, f1_t0, vertex_t0, vertex_t0);
    set(1, f2_t0, f2_t1, vertex_t0, vertex_t1);
    set(2, f0_t1, f1_t1, vertex_t1, vertex_t1);
  }
  EndCorners(const Vec3& a0_t0, const Vec3& a1_t0, const Vec3& b0_t0, const Vec3& b1_t0,
             const Vec3& a0_t1, const Vec3& a1_t1, const Vec3& b0_t1, const Vec3& b1_t1)
    requires(Corners == 4)
  {
    set(0, b0_t0, b1_t0, a0_t0, a0_t0);
    set(1, b0_t0, b1_t0, a1_t0, a1_t0);
    set(2, b0_t1, b1_t1, a0_t1, a0_t1);
    set(3, b0_t1, b1_t1, a1_t1, a1_t1);
  }
  explicit EndCorners(const MovingVertexFace& m)
      : EndCorners(m.vertex_t0, m.face_t0[0], m.face_t0[1], m.face_t0[2], m.vertex_t1, m.face_t1[0],
                   m.face_t1[1], m.face_t1[2]) {}
  explicit EndCorners(const MovingEdges& m)
      : EndCorners(m.a_t0[0], m.a_t0[1], m.b_t0[0], m.b_t0[1], m.a_t1[0], m.a_t1[1], m.b_t1[0],
                   m.b_t1[1]) {}

  /// Does a plane stand between the pair all the time, farther than `separation`: across an axis
  /// (exact: differences have the signs of the true ones), or across the direction to the middle of
  /// all corners? False where a number is not finite.
  bool are_apart(double separation) const {
    using namespace two_doubles;
    double n[3], reach = 0.0;
    bool apart = false;
    for (int axis = 0; axis < 3; ++axis) {
      const Lanes* c = c_[axis];
      Lanes low = c[0], high = c[0], total = c[0];
      for (int k = 1; k < Corners; ++k) {
        low = lesser(c[k], low);
        high = greater(c[k], high);
        total += c[k];
      }
      const double least = std::min(low[0], low[1]), most = std::max(high[0], high[1]);
      apart = apart | (least > separation) | (most < -separation);
      n[axis] = total[0] + total[1];
      reach = most > reach ? most : reach;
      reach = -least > reach ? -least : reach;
    }
    if (!std::isfinite((n[0] + n[1]) + n[2])) return false;
    if (apart) return true;
    double wanted = kAlongError * reach * ((std::fabs(n[0]) + std::fabs(n[1])) + std::fabs(n[2]));
    if (separation > 0.0) wanted += separation * norm(Vec3{n[0], n[1], n[2]}) * (1.0 + 1e-12);
    // Products that vanish say nothing.
    if (!(wanted > 0.0)) return false;
    Marks beyond{-1, -1};
    for (int k = 0; k < Corners; ++k) {
      const Lanes along = (all(n[0]) * c_[0][k] + all(n[1]) * c_[1][k]) + all(n[2]) * c_[2][k];
      beyond &= less(all(wanted), along);
    }
    return bits_of(beyond) == 3U;
  }

 private:
  using Lanes = two_doubles::Lanes;
  // Two corners, as two points are seen from two others.
  void set(int k, const Vec3& to, const Vec3& to_other, const Vec3& from, const Vec3& from_other) {
    for (int axis = 0; axis < 3; ++axis)
      c_[axis][k] = Lanes{to[axis], to_other[axis]} - Lanes{from[axis], from_other[axis]};
  }
  Lanes c_[3][Corners];
};

EndCorners(const MovingVertexFace&) -> EndCorners<3>;
EndCorners(const MovingEdges&) -> EndCorners<4>;

}  // namespace tactus::detail
