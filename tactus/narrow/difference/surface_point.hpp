#pragma once

#include "tactus/shape.hpp"

namespace tactus::detail {

/// A point of a core's surface and an outward unit normal there (one of many at edges): with a ball
/// of any radius along it, a point of the grown body's surface. The core's frame.
struct SurfacePoint {
  Vec3 point, normal;
};

/// A point of a core, and n along which the grown body's point lies from there, moved onto the
/// surface so that the latter moves little: to a face, or to an edge or corner that looks along n;
/// for ellipsoids and custom cores the support point along n. On triangles and flat hulls it stays.
/// Cost: constant, of a hull some products per face and edge.
SurfacePoint onto_core_surface(const Core& core, const Vec3& point, const Vec3& n);

/// The direction nearest to n between a face's normal and n (unit, core's frame) along which a
/// point of that face still supports a polytope: with a ball of any radius, the surface over the
/// point looks that way. n itself for cores that are no polytopes with an inside. Cost: two
/// products per vertex.
Vec3 supported_normal(const Core& core, const Vec3& point, const Vec3& face_normal, const Vec3& n);

}  // namespace tactus::detail
