#pragma once

#include <string>

namespace tactus::io {

/// Processor and number of its threads, for the heads of measured results.
std::string machine_name();

/// The date (UTC) as 2026-11-21.
std::string today();

}  // namespace tactus::io
