#pragma once

#include <nlohmann/json.hpp>

#include "tactus/io.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

/// The drawable parts of a shape: a list of primitives, and of polygons whose coordinates are
/// rounded far below what a picture shows. Cost: linear.
nlohmann::json shape_picture(const Shape& shape);

/// `[{name, parts}]` of a scene's shapes, as the player's picture room takes them.
nlohmann::json shapes_to_json(const Scene& scene);

/// `[{name, shape, scale, moving, mass?, ...}]` of its bodies, the fixed ones with their poses.
nlohmann::json bodies_to_json(const Scene& scene);

/// `[{type, a, b, anchor_a, anchor_b, axis?, line?, spring?, until?}]` of its joints: bodies by
/// their places in the list, anchors and the axis (of A) in the frames of the bodies' shapes,
/// `line` for those that hold a distance, `until` the first picture after one broke.
nlohmann::json joints_to_json(const Scene& scene, const RunCheckpoint& run);

/// The triangles of a deformable's surface.
std::vector<std::array<std::uint32_t, 3>> surface_triangles(const soft::DeformableDefinition& body);

/// Median size of the bounded bodies that are not fixed; 1 without any.
double median_size(const Scene& scene);

/// Size to which marks of contacts are drawn: the bodies' median or, if smaller, two mean edges of
/// the finest deformable, since deformables touch at many places.
double mark_size(const Scene& scene);

}  // namespace tactus::io
