// Shapes made of numbers.
#include "bindings/wasm/numbers/shapes.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/wasm/numbers/number_reader.hpp"

namespace tactus::wasm {

Registry<Shape>& shapes() {
  static Registry<Shape> all;
  return all;
}

namespace {

std::vector<Vec3> points_of(const double* xyz, int count) {
  NumberReader numbers(xyz);
  std::vector<Vec3> points(static_cast<std::size_t>(count));
  for (Vec3& p : points) p = numbers.vector();
  return points;
}

/// Kinds by their places in ShapeType; the numbers are those of the constructor.
Shape primitive(ShapeType type, NumberReader numbers) {
  const auto radius_and_length = [&](auto make) {
    const double radius = numbers.next(), length = numbers.next();
    return make(radius, length);
  };
  switch (type) {
    case ShapeType::sphere:
      return Sphere(numbers.next());
    case ShapeType::box:
      return Box(numbers.vector());
    case ShapeType::capsule:
      return radius_and_length([](double r, double l) { return Shape(Capsule(r, l)); });
    case ShapeType::cylinder:
      return radius_and_length([](double r, double l) { return Shape(Cylinder(r, l)); });
    case ShapeType::cone:
      return radius_and_length([](double r, double l) { return Shape(Cone(r, l)); });
    case ShapeType::ellipsoid:
      return Ellipsoid(numbers.vector());
    case ShapeType::halfspace: {
      const Vec3 normal = numbers.vector();
      return HalfSpace(normal, numbers.next());
    }
    default:
      throw InvalidInput("type", "is made by a call of its own");
  }
}

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

// Each answers with the number of the new shape, or 0.
TACTUS_EXPORT int tactus_shape_primitive(int type, const double* numbers) {
  return guarded(0, [&] {
    return shapes().add(primitive(static_cast<ShapeType>(type), NumberReader(numbers)));
  });
}

TACTUS_EXPORT int tactus_shape_convex(const double* xyz, int count) {
  return guarded(
      0, [&] { return shapes().add(Convex(std::span<const Vec3>(points_of(xyz, count)))); });
}

TACTUS_EXPORT int tactus_shape_mesh(const double* xyz, int vertices, const std::uint32_t* corners,
                                    int triangles) {
  return guarded(0, [&] {
    TriangleMesh mesh;
    mesh.vertices = points_of(xyz, vertices);
    mesh.triangles.resize(static_cast<std::size_t>(triangles));
    for (auto& triangle : mesh.triangles)
      for (std::uint32_t& corner : triangle) corner = *corners++;
    return shapes().add(Mesh(std::move(mesh)));
  });
}

// `poses`: seven numbers each.
TACTUS_EXPORT int tactus_shape_compound(const std::int32_t* parts, const double* poses, int count) {
  return guarded(0, [&] {
    NumberReader numbers(poses);
    std::vector<Compound::Part> list;
    list.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) list.push_back({shapes().at(parts[i]), numbers.pose()});
    return shapes().add(Compound(std::move(list)));
  });
}

TACTUS_EXPORT int tactus_shape_rounded(int shape, double radius) {
  return guarded(0, [&] { return shapes().add(Shape(shapes().at(shape).geometry(), radius)); });
}

TACTUS_EXPORT void tactus_shape_close(int shape) { shapes().remove(shape); }
