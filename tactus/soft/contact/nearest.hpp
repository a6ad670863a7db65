#pragma once

#include "tactus/math.hpp"

namespace tactus::detail {

/// Nearest points of two primitives as weights of four vertices: the sum of the vertices with these
/// weights leads from one point to the other. Of a vertex and a face: 1, and minus the face's
/// weights; of two edges the first's weights, and minus the second's.
struct NearestWeights {
  double w[4];
};

/// Nearest point of the triangle (b, c, d) to the point a. Source: ericson2004rtcd, section 5.1.5.
NearestWeights nearest_vertex_face(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Nearest points of the segments (a, b) and (c, d), any of which may be a point.
/// Source: ericson2004rtcd, section 5.1.9.
NearestWeights nearest_edges(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace tactus::detail
