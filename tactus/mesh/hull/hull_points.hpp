#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"

/// Preparation of points, common to all convex hull algorithms.
namespace tactus::detail {

/// Throws InvalidInput: `vertices` when there is no point, or too many; `vertices[i]` when a
/// coordinate is not finite.
void check_points(std::span<const Vec3> points);

/// The points times a power of two, so that the largest coordinate is between 1/2 and 1: exact, but
/// that coordinates below 2^-250 of the largest become zero. All others are multiples of 2^-302, so
/// that the predicates' products of three differences are multiples of 2^-906: far from underflow,
/// which makes every decision exact, and therefore consistent with all others.
std::vector<Vec3> rescaled(std::span<const Vec3> points);

/// Makes a thin set fat, where that can be done by exact steps that change no orientation: along
/// each axis the lowest coordinate becomes zero, if no difference must be rounded for that, and the
/// extent between 1/2 and 1. For rescaled points.
void fatten(std::vector<Vec3>& points);

inline bool lexicographic(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

/// As many affinely independent points as there are (dimension + 1), far apart as far as rounding
/// tells. In dimension 3, orient3d of the four is negative.
struct StartSimplex {
  int dimension = 0;
  std::array<std::uint32_t, 4> point{};
};

/// Decided exactly, so that the dimension is that of the set. Cost: four passes.
StartSimplex find_simplex(std::span<const Vec3> points);

}  // namespace tactus::detail
