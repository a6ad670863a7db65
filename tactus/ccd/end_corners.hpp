#pragma once

#include <cmath>

#include "tactus/ccd/moving_primitives.hpp"

namespace tactus::detail {

/// The corners of a pair at both ends of its motion, coordinate by coordinate: what most pairs are
/// excluded by. `Corners`: 3 of a vertex and a face, 4 of two edges.
template <int Corners>
class EndCorners {
 public:
  explicit EndCorners(const MovingVertexFace& m)
    requires(Corners == 3)
  {
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < 3; ++i) {
        c_[axis][i] = m.face_t0[i][axis] - m.vertex_t0[axis];
        c_[axis][3 + i] = m.face_t1[i][axis] - m.vertex_t1[axis];
      }
    }
  }
  explicit EndCorners(const MovingEdges& m)
    requires(Corners == 4)
  {
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < 4; ++i) {
        c_[axis][i] = m.b_t0[i & 1][axis] - m.a_t0[i >> 1][axis];
        c_[axis][4 + i] = m.b_t1[i & 1][axis] - m.a_t1[i >> 1][axis];
      }
    }
  }

  /// Does a plane stand between the pair all the time, farther than `separation`: across an axis
  /// (exact: differences have the signs of the true ones), or across the direction to the middle of
  /// all corners? False where a number is not finite.
  bool are_apart(double separation) const {
    double n[3], reach = 0.0;
    bool apart = false;
    for (int axis = 0; axis < 3; ++axis) {
      const double* c = c_[axis];
      double least = c[0], most = c[0], sum = c[0];
      for (int i = 1; i < kCount; ++i) {
        least = c[i] < least ? c[i] : least;
        most = c[i] > most ? c[i] : most;
        sum += c[i];
      }
      apart = apart | (least > separation) | (most < -separation);
      n[axis] = sum;
      reach = most > reach ? most : reach;
      reach = -least > reach ? -least : reach;
    }
    if (!std::isfinite((n[0] + n[1]) + n[2])) return false;
    if (apart) return true;
    double wanted = kAlongError * reach * ((std::fabs(n[0]) + std::fabs(n[1])) + std::fabs(n[2]));
    if (separation > 0.0) wanted += separation * norm(Vec3{n[0], n[1], n[2]}) * (1.0 + 1e-12);
    // Products that vanish say nothing.
    if (!(wanted > 0.0)) return false;
    bool beyond = true;
    for (int i = 0; i < kCount; ++i)
      beyond = beyond & ((n[0] * c_[0][i] + n[1] * c_[1][i]) + n[2] * c_[2][i] > wanted);
    return beyond;
  }

 private:
  static constexpr int kCount = 2 * Corners;
  double c_[3][kCount];
};

EndCorners(const MovingVertexFace&) -> EndCorners<3>;
EndCorners(const MovingEdges&) -> EndCorners<4>;

}  // namespace tactus::detail
