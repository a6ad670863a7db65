#pragma once

#include <array>
#include <cstdint>

#include "tactus/math/vec3.hpp"

namespace tactus {

/// Where an earlier search for the same pair of bodies ended: the direction and the pieces of both
/// cores (vertices, rims, smooth surfaces; `Core::Piece`) whose support points carry the answer. On
/// a nearby pose the same pieces are the start, and as a rule the end. Any content is safe: pieces
/// that do not exist are left out, and a start that no longer fits costs steps, never truth.
struct WarmStart {
  Vec3 direction;            ///< last n in A's frame, zero when empty
  bool overlapping = false;  ///< the cores overlapped
  std::int32_t count = 0;
  std::array<std::uint32_t, 3> piece_a{}, piece_b{};
  friend bool operator==(const WarmStart&, const WarmStart&) = default;
};

}  // namespace tactus
