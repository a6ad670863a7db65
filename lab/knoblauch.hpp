#pragma once

#include <vector>

#include "tactus/deform.hpp"

namespace tactus::detail::lab {

/// What one of the source's four runs moves, in their order; `scenes/knoblauch_*.json` are the
/// same.
std::vector<DeformableDefinition> knoblauch_bodies(int run);

}  // namespace tactus::detail::lab
