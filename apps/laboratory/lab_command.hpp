#pragma once

#include "apps/tactus/laboratory.hpp"

namespace tactus::app {

/// Runs an experiment of the laboratory and prints our figures beside those of the source and the
/// verdict. An interrupt ends a resumable experiment after its round, with its state saved. Returns
/// the exit code: 0; 1 when the verdict is a failure or the run was interrupted; 2 when the
/// experiment is unknown or a file cannot be written (named on standard error).
int run_lab(const LabCommand& command);

}  // namespace tactus::app
