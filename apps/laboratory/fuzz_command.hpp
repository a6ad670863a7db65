#pragma once

#include "apps/tactus/laboratory.hpp"

namespace tactus::app {

/// Asks random degenerate queries, or those of a file, and tests all that the answers claim
/// (fuzz/claims.hpp); or tells lies about answers to the checker (fuzz/lies.hpp). An interrupt ends
/// the run after its batch, with everything saved. Returns the exit code: 0; 1 when a claim did not
/// hold, a lie was proved, or the run was interrupted; 2 when it could not run.
int run_fuzz(const FuzzCommand& command);

}  // namespace tactus::app
