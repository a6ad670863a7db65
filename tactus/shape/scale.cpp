#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "tactus/shape.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/compound_data.hpp"

namespace tactus {
using namespace detail;
namespace {

struct Scaled {
  double factor;

  Shape::Geometry operator()(const Sphere& s) const { return Sphere(s.radius() * factor); }
  Shape::Geometry operator()(const Box& s) const { return Box(s.size() * factor); }
  Shape::Geometry operator()(const Capsule& s) const {
    return Capsule(s.radius() * factor, s.length() * factor);
  }
  Shape::Geometry operator()(const Cylinder& s) const {
    return Cylinder(s.radius() * factor, s.length() * factor);
  }
  Shape::Geometry operator()(const Cone& s) const {
    return Cone(s.radius() * factor, s.length() * factor);
  }
  Shape::Geometry operator()(const Ellipsoid& s) const { return Ellipsoid(s.radii() * factor); }
  Shape::Geometry operator()(const Convex& s) const {
    // Not by scaling the old hull: rounding may break exact coplanarity, so the hull is built anew.
    std::vector<Vec3> vertices = s.hull().vertices;
    for (Vec3& vertex : vertices) vertex *= factor;
    return Convex(vertices);
  }
  Shape::Geometry operator()(const Mesh& s) const {
    TriangleMesh mesh = s.mesh();
    for (Vec3& vertex : mesh.vertices) vertex *= factor;
    return Mesh(std::move(mesh));
  }
  Shape::Geometry operator()(const HalfSpace& s) const {
    return HalfSpace(s.normal(), s.offset() * factor);
  }
  Shape::Geometry operator()(const Compound& s) const {
    std::vector<Compound::Part> parts;
    parts.reserve(s.parts().size());
    for (const Compound::Part& part : s.parts()) {
      parts.push_back(
          {scaled(part.shape, factor),
           detail::unchecked_pose(part.pose.position() * factor, part.pose.rotation())});
    }
    const std::optional<detail::Prism>& prism = detail::ShapeAccess::data(s).prism;
    if (!prism) return Compound(std::move(parts));
    return detail::as_prism(std::move(parts),
                            {scaled_region(prism->region), prism->height * factor});
  }
  planar::Region scaled_region(const planar::Region& region) const {
    std::vector<std::vector<planar::Vec2>> contours;
    for (const planar::Contour& contour : region.contours()) {
      contours.emplace_back();
      for (const planar::Vec2& p : contour.points()) contours.back().push_back(p * factor);
    }
    std::vector<planar::Vec2> outer = std::move(contours.front());
    contours.erase(contours.begin());
    return planar::Region(std::move(outer), std::move(contours));
  }
  Shape::Geometry operator()(const CustomConvex&) const {
    throw InvalidInput("scale", "a custom support function cannot be scaled");
  }
};

}  // namespace

Shape scaled(const Shape& shape, double factor) {
  if (!std::isfinite(factor) || factor <= 0.0) {
    throw InvalidInput("scale", "must be positive and finite");
  }
  if (factor == 1.0) return shape;
  return std::visit(
      [&](auto geometry) { return Shape(std::move(geometry), shape.rounding_radius() * factor); },
      std::visit(Scaled{factor}, shape.geometry()));
}

namespace {
bool has_inside(const Shape& shape) {
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) return mesh->closed();
  const auto* compound = std::get_if<Compound>(&shape.geometry());
  return compound != nullptr &&
         std::any_of(compound->parts().begin(), compound->parts().end(),
                     [](const Compound::Part& part) { return has_inside(part.shape); });
}
}  // namespace

Shape bare(const Shape& shape) {
  if (!has_inside(shape)) return shape;
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) return mesh->bare();
  std::vector<Compound::Part> parts = std::get<Compound>(shape.geometry()).parts();
  for (Compound::Part& part : parts) part.shape = bare(part.shape);
  return Compound(std::move(parts));
}

}  // namespace tactus
