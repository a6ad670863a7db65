#pragma once

#include <cmath>

#include "tactus/shape.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/compound_data.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {

/// How far a shape brings lengths into a query, from its own origin; of a half-space its offset. At
/// most some times the true reach, infinite beyond the range of double. Cost: constant.
inline double length_of(const Shape& shape) {
  if (shape.is_convex_body()) return core_of(shape).reach + core_of(shape).radius;
  if (const auto* h = std::get_if<HalfSpace>(&shape.geometry())) return std::fabs(h->offset());
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry()))
    return norm(view_of(*mesh).tree.middle()) + view_of(*mesh).tree.reach();
  return ShapeAccess::data(std::get<Compound>(shape.geometry())).length;
}

}  // namespace tactus::detail
