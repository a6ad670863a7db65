#pragma once

#include <vector>

#include "tactus/deform.hpp"
#include "tactus/soft/model/elements.hpp"

namespace tactus::detail {

/// A body made of elements, over its own vertices: what follows from a definition alone.
struct Structure {
  std::vector<double> masses;
  std::vector<TetrahedronElement> tetrahedra;
  std::vector<TieElement> ties;
  std::vector<std::array<std::uint32_t, 3>> surface;
  std::vector<std::array<std::uint32_t, 2>> edges;  ///< of the surface, each once, ascending
  double mean_edge = 0.0;                           ///< of the surface
  double stiffness = 0.0;  ///< force per length of a piece as large as a mean edge
};

/// Throws InvalidInput as DeformableWorld::add.
Structure make_structure(const DeformableDefinition& definition);

/// The element seen from its vertex number `corner`.
TetrahedronCorner corner_of(const TetrahedronElement& element, int corner);

}  // namespace tactus::detail
