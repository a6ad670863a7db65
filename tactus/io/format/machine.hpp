#pragma once

#include <string>

namespace tactus::io {

/// Processor, number of its threads, and the commit of the working folder's sources (`-dirty` where
/// they have been changed since; `unknown` outside of a repository), for the heads of measured
/// results. Runs git.
std::string machine_name();

/// The date (UTC) as 2026-11-21.
std::string today();

}  // namespace tactus::io
