#pragma once

#include <nlohmann/json.hpp>

#include "tactus/mesh.hpp"

namespace tactus::io {

/// Counts, measures and faults of a surface, as `tactus mesh` prints them. A surface that winds
/// around no points has `volume` null, and neither centroid nor inertia. Cost: O(n log n) without
/// self-crossings.
nlohmann::ordered_json surface_facts(const TriangleMesh& mesh);

}  // namespace tactus::io
