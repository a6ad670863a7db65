#pragma once

#include "tactus/narrow/difference/simplex.hpp"
#include "tactus/observer.hpp"

namespace tactus::detail {

/// Tells of a simplex and of the support point that was found in its search direction.
inline void observe(Observer& observer, const SearchState& state, const Simplex& simplex,
                    const SupportPoint& p) {
  Vec3 points[4];
  for (int i = 0; i < simplex.size; ++i) points[i] = simplex.point[i].w;
  const std::span<const Vec3> kept{points, static_cast<std::size_t>(simplex.size)};
  observer.simplex({state, kept, p.direction, p.w, p.a, p.b});
}

}  // namespace tactus::detail
