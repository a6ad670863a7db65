#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tactus/fit/decomposition/solid.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::fit {

/// Convex bodies that are the surface's body exactly, up to some 1e-6 of its size: what closed
/// components enclose by plain_cuts.hpp, and where a component is open, or encloses no volume, the
/// flat convex pieces of its planes. None when the surface is not plain (plain_body.hpp). Does not
/// depend on any bound. Cost: milliseconds to seconds.
std::optional<std::vector<ConvexHull>> exact_decomposition(const Solid& solid,
                                                           const std::function<bool()>& go_on);

}  // namespace tactus::detail::fit
