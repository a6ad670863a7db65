#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tactus/math/vec3.hpp"

namespace tactus {

/// Indexed triangle surface. Plain data; `validate` says whether it can be used.
struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// Throws InvalidInput naming the element: no vertex (`vertices`), a coordinate that is not finite
/// (`vertices[i]`), no triangle (`triangles`), an index out of range (`triangles[i]`).
void validate(const TriangleMesh& mesh);

}  // namespace tactus
