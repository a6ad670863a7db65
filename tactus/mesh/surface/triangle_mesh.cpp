#include <string>

#include "tactus/core.hpp"
#include "tactus/mesh.hpp"

namespace tactus {
using namespace detail;

void validate(const TriangleMesh& mesh) {
  if (mesh.vertices.empty()) throw InvalidInput("vertices", "must not be empty");
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (!is_finite(mesh.vertices[i])) {
      throw InvalidInput("vertices[" + std::to_string(i) + "]", "must be finite");
    }
  }
  if (mesh.triangles.empty()) throw InvalidInput("triangles", "must not be empty");
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (const std::uint32_t index : mesh.triangles[i]) {
      if (index >= mesh.vertices.size()) {
        throw InvalidInput("triangles[" + std::to_string(i) + "]",
                           "index " + std::to_string(index) + " is out of range (" +
                               std::to_string(mesh.vertices.size()) + " vertices)");
      }
    }
  }
}

}  // namespace tactus
