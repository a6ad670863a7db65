#pragma once

#include <cstdint>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail::fuzz {

/// How the measures of a shape are drawn.
enum class Style : std::uint8_t {
  usual,      ///< between 0.2 and 2
  exact,      ///< quarters up to 2, so that features coincide without rounding
  sliver,     ///< some of them down to 1e-8 of the others
  zero_size,  ///< some of them zero: points, segments, discs, flat hulls
  rounded,    ///< usual or zero, grown by 1e-12..1e2
};

/// Seeded maker of shapes. What it gives depends on its seed and on the stream alone.
class ShapeMaker {
 public:
  explicit ShapeMaker(std::uint64_t seed);

  /// Any convex body that has a written form.
  Shape convex_body(Random& random, Style style) const;
  /// A hull that hull builders and searches dislike: cospherical, lattice, prism, duplicated or
  /// nearly coplanar points; or one of many vertices.
  Shape hard_hull(Random& random, Style style) const;
  /// One to four parts, sometimes half-spaces; compounds again if they may be nested; meshes if
  /// they are wanted.
  Shape compound(Random& random, Style style, bool nested = false, bool meshes = false) const;
  Shape halfspace(Random& random, Style style) const;
  /// Anything that the pair table has a row for, but meshes.
  Shape any(Random& random, Style style) const;
  /// A mesh, or a shape of `any`.
  Shape any_or_mesh(Random& random, Style style) const;

 private:
  std::vector<Shape> large_;  // hulls of 64..1024 vertices: building them takes long
};

/// A support function that answers for another shape: what a user's own body looks like.
class ByFunction : public SupportFunction {
 public:
  explicit ByFunction(Shape shape) : shape_(std::move(shape)) {}
  Vec3 support(const Vec3& direction) const noexcept override;
  const Shape& shape() const { return shape_; }

 private:
  Shape shape_;
};

/// The convex body as a user's own support function.
Shape as_function(const Shape& shape);
/// The shape behind `as_function`; null for every other shape.
const Shape* behind_function(const Shape& shape);

}  // namespace tactus::detail::fuzz
