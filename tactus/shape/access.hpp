#pragma once

#include <memory>
#include <utility>

#include "tactus/shape.hpp"

namespace tactus::detail {

/// Reads the data that shapes keep for searches; it lives as long as a copy of the shape does.
struct ShapeAccess {
  static const PreparedHull& prepared(const Convex& convex) noexcept { return *convex.hull_; }
  static const MeshFacts& facts(const Mesh& mesh) noexcept { return *mesh.facts_; }
  static const CompoundData& data(const Compound& compound) noexcept { return *compound.data_; }
  static const Core& core(const Shape& shape) noexcept { return shape.core_; }
  static void set_data(Compound& compound, std::shared_ptr<const CompoundData> data) {
    compound.data_ = std::move(data);
  }
};

/// Core of a convex body for the narrow phase; refers to data that copies of the shape share.
inline const Core& core_of(const Shape& shape) noexcept { return ShapeAccess::core(shape); }

}  // namespace tactus::detail
