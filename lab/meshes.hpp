#pragma once

#include "tactus/core/random.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::lab {

/// Unit sphere of `around` meridians and `bands` belts: 2 * around * (bands - 1) triangles.
TriangleMesh globe(std::uint32_t around, std::uint32_t bands);

/// Hull of `count` points on the unit sphere, evenly spread along a spiral: 2 * count - 4
/// triangles.
TriangleMesh spiral_sphere(std::uint32_t count);

/// A globe with smooth random bumps and dents of a fifth of its radius.
TriangleMesh bumpy_globe(std::uint32_t around, std::uint32_t bands, Random& random);

/// A ring about z: radius 1 to the middle of the tube, `tube` of the tube; 2 * around * across
/// triangles.
TriangleMesh ring(std::uint32_t around, std::uint32_t across, double tube);

}  // namespace tactus::detail::lab
