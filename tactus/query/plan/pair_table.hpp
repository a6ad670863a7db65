#pragma once

#include "tactus/shape.hpp"

namespace tactus::detail {

/// How a pair of shapes is served. One table for distance, overlap and contacts; the order of rows
/// and columns is ShapeType.
enum class PairKind : unsigned char {
  convex,       ///< core + radius: closed form where one exists, else GJK, EPA and the second-order
                ///< finish
  halfspace,    ///< one support evaluation
  compound,     ///< recursion over the parts
  mesh,         ///< branch and bound over the triangles
  unsupported,  ///< no answer: half-space against half-space
};

inline constexpr PairKind kPairTable[kShapeTypes][kShapeTypes] = {
#define V PairKind::convex
#define H PairKind::halfspace
#define C PairKind::compound
#define M PairKind::mesh
#define U PairKind::unsupported
    // sphere box capsule cylinder cone ellipsoid convex mesh halfspace compound custom
    {V, V, V, V, V, V, V, M, H, C, V},  // sphere
    {V, V, V, V, V, V, V, M, H, C, V},  // box
    {V, V, V, V, V, V, V, M, H, C, V},  // capsule
    {V, V, V, V, V, V, V, M, H, C, V},  // cylinder
    {V, V, V, V, V, V, V, M, H, C, V},  // cone
    {V, V, V, V, V, V, V, M, H, C, V},  // ellipsoid
    {V, V, V, V, V, V, V, M, H, C, V},  // convex
    {M, M, M, M, M, M, M, M, M, C, M},  // mesh
    {H, H, H, H, H, H, H, M, U, C, H},  // halfspace
    {C, C, C, C, C, C, C, C, C, C, C},  // compound
    {V, V, V, V, V, V, V, M, H, C, V},  // custom
#undef V
#undef H
#undef C
#undef M
#undef U
};

constexpr PairKind pair_kind(ShapeType a, ShapeType b) {
  return kPairTable[static_cast<int>(a)][static_cast<int>(b)];
}

}  // namespace tactus::detail
