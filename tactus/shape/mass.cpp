#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "tactus/core/constants.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/grown_mass.hpp"

namespace tactus {
using namespace detail;
namespace {

// A body symmetric about its origin in all three coordinates, from its volume and the integrals of
// x^2, y^2, z^2.
MassProperties symmetric_body(double volume, const Vec3& second) {
  return {
      volume, {}, Mat3::diagonal({second.y + second.z, second.z + second.x, second.x + second.y})};
}

MassProperties ball(double radius) {
  const double volume = 4.0 / 3.0 * kPi * radius * radius * radius;
  const double second = 0.2 * volume * radius * radius;
  return symmetric_body(volume, {second, second, second});
}

// Cylinder plus the two halves of a ball, moved apart by the length.
MassProperties capsule(double radius, double length) {
  const double cylinder = kPi * radius * radius * length;
  const double caps = 4.0 / 3.0 * kPi * radius * radius * radius;
  const double across = cylinder * 0.25 * radius * radius + caps * 0.2 * radius * radius;
  // A half ball has its centre 3/8 radius beyond its disc.
  const double along =
      cylinder * length * length / 12.0 +
      caps * (0.25 * length * length + 0.375 * length * radius + 0.2 * radius * radius);
  return symmetric_body(cylinder + caps, {across, across, along});
}

// Integral of x^2 over a box with edges a (along x), b, c grown by a ball of radius r: core and
// slabs, quarter cylinders along the edges, eighths of a ball at the corners.
double grown_box_second_moment(double a, double b, double c, double r) {
  const double outer = 0.5 * a + r, inner = 0.5 * a;
  const double slabs_x = 2.0 / 3.0 * b * c * (outer * outer * outer - inner * inner * inner);
  const double around_x = (b * c + 2.0 * r * (b + c) + kPi * r * r) * a * a * a / 12.0;
  const double r2 = r * r;
  const double edges_yz =
      (b + c) * (0.25 * kPi * r2 * a * a + 4.0 / 3.0 * r2 * r * a + 0.25 * kPi * r2 * r2);
  const double corners = r2 * r * kPi * (a * a / 3.0 + 0.5 * a * r + 4.0 / 15.0 * r2);
  return slabs_x + around_x + edges_yz + corners;
}

MassProperties grown_box(const Vec3& size, double r) {
  const auto [a, b, c] = size;
  const double volume = a * b * c + 2.0 * r * (a * b + b * c + c * a) + kPi * r * r * (a + b + c) +
                        4.0 / 3.0 * kPi * r * r * r;
  return symmetric_body(volume,
                        {grown_box_second_moment(a, b, c, r), grown_box_second_moment(b, c, a, r),
                         grown_box_second_moment(c, a, b, r)});
}

// `inner` placed by `pose`, its inertia about the given point.
Mat3 inertia_about(const MassProperties& inner, const Pose& pose, const Vec3& point) {
  const Mat3& r = pose.rotation();
  const Vec3 d = pose.to_world(inner.center) - point;
  return r * inner.inertia * transpose(r) +
         (Mat3::identity() * squared_norm(d) - outer(d, d)) * inner.volume;
}

struct MassMaker {
  double rounding;

  MassProperties operator()(const Sphere& s) const { return ball(s.radius() + rounding); }
  MassProperties operator()(const Box& s) const { return grown_box(s.size(), rounding); }
  MassProperties operator()(const Capsule& s) const {
    return capsule(s.radius() + rounding, s.length());
  }
  MassProperties operator()(const Cylinder& s) const { return detail::grown_mass(s, rounding); }
  MassProperties operator()(const Cone& s) const { return detail::grown_mass(s, rounding); }
  MassProperties operator()(const Ellipsoid& s) const { return detail::grown_mass(s, rounding); }
  MassProperties operator()(const Convex& s) const {
    return detail::grown_mass(s.hull(), rounding);
  }
  MassProperties operator()(const Mesh& s) const {
    MassProperties mass = mass_properties(s.mesh());
    // The body of an inside-out surface is the same.
    if (s.inward()) {
      mass.volume = -mass.volume;
      mass.inertia = mass.inertia * -1.0;
    }
    return mass;
  }
  MassProperties operator()(const HalfSpace&) const {
    throw InvalidInput("halfspace", "has no finite volume");
  }
  MassProperties operator()(const CustomConvex&) const {
    throw InvalidInput("custom", "its volume is not known");
  }
  MassProperties operator()(const Compound& s) const {
    std::vector<MassProperties> parts;
    MassProperties sum{0.0, {}, Mat3::zero()};
    Vec3 first;
    for (std::size_t i = 0; i < s.parts().size(); ++i) {
      const auto& [shape, pose] = s.parts()[i];
      try {
        parts.push_back(mass_properties(shape));
      } catch (const InvalidInput& error) {
        throw error.within("parts[" + std::to_string(i) + "]");
      }
      sum.volume += parts.back().volume;
      first += pose.to_world(parts.back().center) * parts.back().volume;
      sum.center += pose.to_world(parts.back().center) / static_cast<double>(s.parts().size());
    }
    if (sum.volume != 0.0) sum.center = first / sum.volume;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      sum.inertia = sum.inertia + inertia_about(parts[i], s.parts()[i].pose, sum.center);
    }
    return sum;
  }
};

}  // namespace

MassProperties mass_properties(const Shape& shape) {
  return std::visit(MassMaker{shape.rounding_radius()}, shape.geometry());
}

}  // namespace tactus
