#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/mesh.hpp"

namespace tactus::wasm {

/// Three corners of each triangle: fans about each face's first corner.
std::vector<std::uint32_t> triangles_of(const ConvexHull& hull);

}  // namespace tactus::wasm
