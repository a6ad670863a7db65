#include "tactus/broad/slab.hpp"

#include <cmath>

namespace tactus::detail {

void validate_box(const Aabb& box) {
  if (!is_finite(box.lower) || !is_finite(box.upper)) throw InvalidInput("box", "must be finite");
  for (int axis = 0; axis < 3; ++axis) {
    if (box.lower[axis] > box.upper[axis])
      throw InvalidInput("box", "its lower side is above its upper side");
  }
}

Slab::Slab(const Aabb& box, const Vec3& direction, double max_time)
    : box_(box), direction_(direction) {
  validate_box(box);
  if (!is_finite(direction)) throw InvalidInput("direction", "must be finite");
  if (!(max_time >= 0.0)) throw InvalidInput("max_time", "must not be negative");
}

}  // namespace tactus::detail
