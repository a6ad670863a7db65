#pragma once

#include <cstdint>

#include "tactus/math/mat3.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus {

/// True when the core has a flat disc whose outward normal is the core's z axis (`side` = 1) or its
/// opposite (-1).
bool has_disc(const Core& core, int side);

/// Core of a convex shape (Shape::is_convex_body).
inline const Core& make_core(const Shape& shape) { return shape.core(); }

struct CorePoint {
  Vec3 point;
  Core::Piece piece = 0;
};

/// Farthest point of the core along the unit vector `n`, local frame; `hint` is a vertex to start
/// climbing from (large hulls only; any valid value gives the same bits up to ties).
CorePoint support(const Core& core, const Vec3& n, Core::Piece hint = 0);

/// Support value over all vertices or pieces, without climbing: what a proof rests on.
double support_value(const Core& core, const Vec3& n);

/// Support point of one piece along unit `n`, and the derivative of that point with respect to n
/// (symmetric, zero for a vertex).
struct PiecePoint {
  Vec3 point;
  Mat3 derivative;
};
PiecePoint piece_support(const Core& core, Core::Piece piece, const Vec3& n);

}  // namespace tactus
