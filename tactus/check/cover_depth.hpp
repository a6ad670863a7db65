#pragma once

#include <string>
#include <vector>

#include "tactus/check/rounding.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/parts.hpp"

namespace tactus::detail {

/// The depth that the polytopes of a certificate (`covered`) prove, up to `wanted`; minus infinity
/// where they don't. Of a depth of unions a polytope names its parts, which else are those of the
/// certificate: what keeps different parts in contact says nothing of one pair.
///
/// Each polytope must belong to translations after which the bodies meet: its corners are proved to
/// be differences of points of the pieces, whose difference is convex, or translations that keep a
/// point inside of a closed mesh, which lie in a ball. A closed surface that is turned outwards
/// everywhere as seen from one point is crossed by every ray from there, and what lies beyond the
/// crossing lies beyond the plane of a face: so a translation outside of the polytope lies beyond
/// one of its faces. That no translation shorter than `wanted` lies outside of all of them is shown
/// by cases: beyond some faces, none is shorter than a bound, by weights of their planes; or the
/// shortest one lies in one more polytope, and each face of that is a case. `world`: what the
/// certificate's points are about.
double depth_by_cover(const Pair& pair, const std::vector<Part>& parts_a,
                      const std::vector<Part>& parts_b, const Certificate& certificate,
                      const Vec3& world, double wanted, bool of_unions, std::string& reason);

/// The distance of a point (about A's position) from the surface of a closed mesh that holds it;
/// minus infinity for others. Cost: a pass over the triangles.
double depth_in_mesh(const Part& mesh, const Pose& pose, const Vec3& point);

}  // namespace tactus::detail
