#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tactus/core/random.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail::lab {

enum class StackKind : std::uint8_t { cubes, turned_boxes, discs, hulls, capsules, meshes };
inline constexpr StackKind kStackKinds[] = {StackKind::cubes,    StackKind::turned_boxes,
                                            StackKind::discs,    StackKind::hulls,
                                            StackKind::capsules, StackKind::meshes};
std::string_view name_of(StackKind kind);

/// B stands on A: a gap or depth of 5e-4, or touching.
struct Stack {
  Shape a, b;
  Pose pose_a, pose_b;
  double size = 0.0;
  Vec3 up;                   ///< from A to B, in A's frame
  double best_spread = 0.0;  ///< `spread` of the best points of the common face
};

/// One of many stacks: half of them with faces that line up, in any orientation of the bodies.
Stack draw_stack(StackKind kind, Random& random);

/// Describes in words the stacks that are drawn.
std::string stacks_in_words();

/// Largest area of four of the points, seen along `up`; of two points their distance.
double spread(std::span<const Vec3> points, const Vec3& up);

}  // namespace tactus::detail::lab
