#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/math.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// A part of a body that is looked at alone: a convex shape, a half-space or a mesh, placed
/// in the body. The triangles of a mesh are looked at in ranges of an order.
struct Part {
  const Shape* shape;
  const Mesh* mesh;  ///< null for others
  Pose in_body;
  std::int32_t index;  ///< in the compound, -1 for the body itself
  /// Radius of a ball about the body's origin that holds the part; of a half-space its offset.
  double reach = 0.0;
  std::vector<std::uint32_t> order{};  ///< of a mesh's triangles; empty: their own

  std::size_t pieces() const { return mesh != nullptr ? mesh->mesh().triangles.size() : 1; }
  const Vec3& corner(std::size_t piece, std::size_t k) const {
    const std::size_t triangle = order.empty() ? piece : order[piece];
    return mesh->mesh().vertices[mesh->mesh().triangles[triangle][k]];
  }
  bool is(ShapeType type) const { return shape->type() == type; }
};

/// The parts of a compound, or the body itself.
std::vector<Part> parts_of(const Shape& shape);

/// The part of that index; null where there is none.
const Part* find_part(const std::vector<Part>& parts, std::int32_t index);

/// Pieces [first, last) of a part.
struct Range {
  std::size_t first = 0, last = 1;
  std::size_t size() const { return last - first; }
};

/// Largest m . x over pieces of a part, x from the body's origin, world axes; m need not be unit.
/// Infinite for a half-space unless m is along its normal.
double height(const Part& part, const Mat3& rotation, Range pieces, const Vec3& m);

/// A half-space's outward normal in the world.
Vec3 plane_normal(const Part& part, const Mat3& rotation);

/// Two bodies: their poses, best about A's origin, so that what is far from the world's origin
/// loses nothing; and their motions if they move.
struct Pair {
  Pose a, b;
  RigidMotion motion_a, motion_b;
};

/// How far pieces of A and B are apart along n (from A to B, need not be unit) during the whole of
/// [t0, t1], at least; negative where they may meet. Bodies turn at most by second order about the
/// middle of the interval: |x(t) - x(c) - (t - c) w x x(c)| <= (|w| (t - c))^2 |x| / 2, and the
/// support function is convex along n + (t - c) n x w; what is round about an axis does not turn
/// about it. A half-space is looked at along its own normal. `roundings`: so many units of 2^-53 of
/// the lengths are taken off at each end.
double gap(const Pair& pair, const Part& a, Range of_a, const Part& b, Range of_b, const Vec3& n,
           double t0 = 0.0, double t1 = 0.0, double roundings = 0.0);

/// (size + offset) of two parts of a pair, motion included: what roundings are relative to.
double lengths(const Pair& pair, const Part& a, const Part& b, double time = 0.0);

}  // namespace tactus::detail
