#pragma once

/// Version of this library, as `major.minor.patch` (semver.org): before 1.0 a minor version may
/// change the interface.
#define TACTUS_VERSION_MAJOR 0
#define TACTUS_VERSION_MINOR 1
#define TACTUS_VERSION_PATCH 0
#define TACTUS_VERSION "0.1.0"
