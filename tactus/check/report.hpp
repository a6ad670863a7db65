#pragma once

#include <string_view>

#include "tactus/check.hpp"

namespace tactus::detail {

/// Records what was found of a claim; of several findings about one the worst counts.
void record(CheckReport& report, Claim claim, Proof proof, std::string_view reason);
/// After all claims: are all that are made proved?
void conclude(CheckReport& report);

}  // namespace tactus::detail
