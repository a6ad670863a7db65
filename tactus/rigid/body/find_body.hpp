#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "tactus/world.hpp"

namespace tactus::detail {

/// The place of a body in a list that is ordered by id, most often without gaps; the length of the
/// list if the body is not there. Cost: constant without gaps before it, else logarithmic.
inline std::size_t find_body(std::span<const Body> bodies, BodyId id) {
  if (bodies.empty() || id < bodies.front().id()) return bodies.size();
  const std::size_t guess = id - bodies.front().id();
  if (guess < bodies.size() && bodies[guess].id() == id) return guess;
  const auto body = std::lower_bound(bodies.begin(), bodies.end(), id,
                                     [](const Body& b, BodyId wanted) { return b.id() < wanted; });
  return body != bodies.end() && body->id() == id ? static_cast<std::size_t>(body - bodies.begin())
                                                  : bodies.size();
}

}  // namespace tactus::detail
