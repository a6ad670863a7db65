#pragma once

#include <string>

#include "tactus/math.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

/// Two convex bodies and their difference A - B as surfaces to draw: JSON with `a` and `b` (world),
/// `cores` and `bodies` (differences of the bodies without and with the radii that they are grown
/// by, world axes; `bodies` is null without radii), each `{"vertices":[x,y,z,...],
/// "faces":[[i,j,...],...]}` with faces counter-clockwise seen from outside, and `smooth`: whether
/// an edge between its faces is there for the picture alone. Polytopes are exact, other bodies
/// hulls of some thousand support points. Throws InvalidInput for a body that is not convex. Cost:
/// some milliseconds.
std::string difference_picture(const Shape& a, const Pose& pose_a, const Shape& b,
                               const Pose& pose_b);

/// f(n) = max n.x over A - B of the whole bodies, on a grid of the direction sphere, as a JSON
/// array: row by row from +z to -z, `rows` at the polar angles pi (i + 1/2) / rows, each with twice
/// as many columns at the azimuths pi j / rows. Throws InvalidInput as above.
std::string direction_sphere(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             int rows);

}  // namespace tactus::io
