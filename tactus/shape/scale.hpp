#pragma once

#include "tactus/shape/shape.hpp"

namespace tactus {

/// The shape enlarged by `factor` about its local origin, rounding and the poses of parts included.
/// Throws InvalidInput (`scale`) unless the factor is positive and finite, or for a custom support
/// function, whose size only its owner knows. Cost: linear in the vertices.
Shape scaled(const Shape& shape, double factor);

}  // namespace tactus
