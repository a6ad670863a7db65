#include "tactus/mesh/hull/hull_lists.hpp"

#include <string>

#include "tactus/core.hpp"

namespace tactus::detail {
namespace {

[[noreturn]] void refuse(const char* list, std::size_t place, const char* reason) {
  throw InvalidInput(std::string(list) + "[" + std::to_string(place) + "]", reason);
}

void require_dimension(const ConvexHull& hull) {
  const int d = hull.dimension;
  if (d < 0 || d > 3) throw InvalidInput("dimension", "must be 0 to 3");
  if (hull.vertices.empty()) throw InvalidInput("vertices", "must not be empty");
  if (hull.vertices.size() <= static_cast<std::size_t>(d))
    throw InvalidInput("vertices", "are too few for the dimension");
  if (d < 3 ? hull.faces.size() != (d == 2 ? 1u : 0u) : hull.faces.size() < 4)
    throw InvalidInput("faces", "do not fit the dimension");
}

}  // namespace

void require_lists(const ConvexHull& hull) {
  require_dimension(hull);
  const std::size_t vertices = hull.vertices.size();
  for (std::size_t i = 0; i < vertices; ++i)
    if (!is_finite(hull.vertices[i])) refuse("vertices", i, "must be finite");
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const ConvexHull::Face& face = hull.faces[f];
    if (face.first > hull.face_vertices.size() ||
        face.count > hull.face_vertices.size() - face.first)
      refuse("faces", f, "its corners are not in the list");
    if (face.count < 3) refuse("faces", f, "must have three corners or more");
    for (const std::uint32_t corner : hull.corners(face))
      if (corner >= vertices) refuse("faces", f, "a corner does not exist");
  }
  for (std::size_t e = 0; e < hull.edges.size(); ++e) {
    const ConvexHull::Edge& edge = hull.edges[e];
    if (edge.tail >= vertices || edge.head >= vertices) refuse("edges", e, "an end does not exist");
    if (hull.dimension == 3 && (edge.left >= hull.faces.size() || edge.right >= hull.faces.size()))
      refuse("edges", e, "a face does not exist");
  }
  const std::vector<std::uint32_t>& first = hull.neighbor_first;
  if (first.size() != vertices + 1 || first.front() != 0 || first.back() != hull.neighbors.size())
    throw InvalidInput("neighbor_first", "does not fit neighbors");
  for (std::size_t i = 0; i < vertices; ++i)
    if (first[i] > first[i + 1]) refuse("neighbor_first", i, "must ascend");
  for (std::size_t i = 0; i < hull.neighbors.size(); ++i)
    if (hull.neighbors[i] >= vertices) refuse("neighbors", i, "does not exist");
}

}  // namespace tactus::detail
