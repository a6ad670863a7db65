#pragma once

#include <string_view>

/// Version of this library, as `major.minor.patch` (semver.org): before 1.0 a minor version may
/// change the interface.
#define TACTUS_VERSION_MAJOR 0
#define TACTUS_VERSION_MINOR 2
#define TACTUS_VERSION_PATCH 0
#define TACTUS_VERSION "0.2.0"

namespace tactus {

/// Version of the library that runs, as `TACTUS_VERSION` was when it was compiled: another one than
/// that of the header where a program has a shared library of a later release. Ends with a zero
/// character, and lives as long as the program.
/// @code{.cpp}
/// assert(version() == TACTUS_VERSION);  // else header and library are of two releases
/// @endcode
std::string_view version() noexcept;

}  // namespace tactus
