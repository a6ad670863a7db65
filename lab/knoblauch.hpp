#pragma once

#include <vector>

#include "tactus/deform.hpp"

namespace tactus::detail::lab {

/// Bodies of one of the source's four runs, in their order; `scenes/knoblauch_*.json` hold the same
/// bodies.
std::vector<DeformableDefinition> knoblauch_bodies(int run);

}  // namespace tactus::detail::lab
