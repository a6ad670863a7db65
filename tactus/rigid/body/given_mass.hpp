#pragma once

#include <optional>

#include "tactus/body.hpp"

namespace tactus::detail {

/// Mass, centre and inertia of a body, as far as somebody gives them.
struct GivenMass {
  std::optional<double> mass = {};
  std::optional<Vec3> center = {};   ///< centre of mass, in the body's frame
  std::optional<Mat3> inertia = {};  ///< about it

  bool any() const { return mass || center || inertia; }
  /// With the rest taken from the shape: its centre, and its inertia scaled to the mass, which is
  /// that of the density where it is not given. Throws InvalidInput (`mass`) of shapes that have
  /// none, unless all is given.
  BodyMass completed(const Shape& shape, double density) const;
};

}  // namespace tactus::detail
