#pragma once

#include <memory>

#include "tactus/check/rounding.hpp"
#include "tactus/shape/parts.hpp"

namespace tactus::detail {

/// One convex piece, placed: a part, or a triangle of a mesh.
struct Piece {
  Shape shape;
  Pose pose;

  bool is(ShapeType type) const { return shape.type() == type; }
  double reach() const;
};

/// A part in the pose of its body as a piece: a mesh as the triangle of that index, or as its hull
/// where its body is that (Mesh::hull). Null where there is no such piece.
std::unique_ptr<Piece> piece_of(const Part& part, const Pose& body, std::int32_t triangle);

/// f(n) of two pieces: n times the largest coordinate of A - B, relative to the difference of the
/// positions. Infinite for a half-space unless n is along its normal.
double pair_value(const Piece& a, const Piece& b, const Vec3& n);

/// A point of A less one of B, each given in its own frame; world axes.
Vec3 difference(const Piece& a, const Vec3& point_a, const Piece& b, const Vec3& point_b);

/// (size + offset) of two pieces.
double lengths(const Piece& a, const Piece& b);

}  // namespace tactus::detail
