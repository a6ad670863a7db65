#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tactus/fit/plain/plain_body.hpp"

namespace tactus::detail::fit {

/// Convex bodies without common points inside that fill a plain body exactly, up to its tolerance;
/// none when a part stays that no plane through its notches makes convex, when it has too many
/// notches, or when `go_on` says no.
///
/// Cuts go through notches: by the planes of the walls that meet there, and by planes through two
/// notches. Of these that one is taken after which the parts and the notches left are the fewest,
/// with the least area among equals; for few notches the best ones are followed to the end. Parts
/// whose union is convex are then joined. Cost: milliseconds for tens of notches.
/// Source: chazelle1984convex (a cut through each notch); which planes are tried is ours.
std::optional<std::vector<ConvexHull>> exact_parts(PlainBody plain, const TriangleMesh& mesh,
                                                   const std::function<bool()>& go_on);

}  // namespace tactus::detail::fit
