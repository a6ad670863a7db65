// Shapes: made, shared, measured.
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "bindings/c/call.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/values.hpp"
#include "tactus/fit.hpp"

using namespace tactus;

namespace {

static_assert(TACTUS_SHAPE_ELLIPSOID == static_cast<int>(ShapeType::ellipsoid));
static_assert(TACTUS_SHAPE_CONVEX == static_cast<int>(ShapeType::convex));
static_assert(TACTUS_SHAPE_MESH == static_cast<int>(ShapeType::mesh));
static_assert(TACTUS_SHAPE_HALFSPACE == static_cast<int>(ShapeType::halfspace));
static_assert(TACTUS_SHAPE_COMPOUND == static_cast<int>(ShapeType::compound));

/// The shape that `make` gives, with one owner; null when it throws.
template <class Make>
tactus_shape* create(const Make& make) noexcept {
  tactus_shape* made = nullptr;
  c::call([&] { made = std::make_unique<tactus_shape>(make()).release(); });
  return made;
}

std::vector<Vec3> to_points(const tactus_vec3* points, std::size_t count, const char* name) {
  c::require_array(points, count, name);
  std::vector<Vec3> read(count);
  for (std::size_t i = 0; i < count; ++i) read[i] = c::to_vec(points[i]);
  return read;
}

Mesh to_mesh(const tactus_vec3* vertices, std::size_t vertex_count, const std::uint32_t* triangles,
             std::size_t triangle_count) {
  c::require_array(triangles, triangle_count, "triangles");
  TriangleMesh mesh;
  mesh.vertices = to_points(vertices, vertex_count, "vertices");
  mesh.triangles.resize(triangle_count);
  for (std::size_t i = 0; i < triangle_count; ++i) {
    mesh.triangles[i] = {triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]};
  }
  return Mesh(std::move(mesh));
}

Mesh to_heightfield(const double* heights, std::uint32_t columns, std::uint32_t rows,
                    double spacing_x, double spacing_y, double thickness) {
  const std::size_t count = static_cast<std::size_t>(columns) * rows;
  c::require_array(heights, count, "heights");
  fit::Heightfield field;
  field.columns = columns;
  field.rows = rows;
  field.spacing_x = spacing_x;
  field.spacing_y = spacing_y;
  field.heights.assign(heights, heights + count);
  if (thickness != 0.0) field.thickness = thickness;
  return Mesh(fit::make_heightfield(field));
}

Compound to_compound(const tactus_shape* const* parts, const tactus_pose* poses,
                     std::size_t count) {
  c::require_array(parts, count, "parts");
  std::vector<Compound::Part> read;
  read.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "parts[" + std::to_string(i) + "]";
    const tactus_shape& part = c::require(parts[i], name.c_str());
    read.push_back({part.shape, poses == nullptr ? Pose() : c::to_pose(poses[i], name + ".pose")});
  }
  return Compound(std::move(read));
}

}  // namespace

extern "C" {

tactus_shape* tactus_shape_retain(tactus_shape* shape) {
  if (shape != nullptr) shape->owners.fetch_add(1, std::memory_order_relaxed);
  return shape;
}

void tactus_shape_release(tactus_shape* shape) {
  if (shape != nullptr && shape->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shape;
}

tactus_shape* tactus_shape_create_sphere(double radius) {
  return create([&] { return Sphere(radius); });
}

tactus_shape* tactus_shape_create_box(tactus_vec3 size) {
  return create([&] { return Box(c::to_vec(size)); });
}

tactus_shape* tactus_shape_create_capsule(double radius, double length) {
  return create([&] { return Capsule(radius, length); });
}

tactus_shape* tactus_shape_create_cylinder(double radius, double length) {
  return create([&] { return Cylinder(radius, length); });
}

tactus_shape* tactus_shape_create_cone(double radius, double length) {
  return create([&] { return Cone(radius, length); });
}

tactus_shape* tactus_shape_create_ellipsoid(tactus_vec3 radii) {
  return create([&] { return Ellipsoid(c::to_vec(radii)); });
}

tactus_shape* tactus_shape_create_halfspace(tactus_vec3 normal, double offset) {
  return create([&] { return HalfSpace(c::to_vec(normal), offset); });
}

tactus_shape* tactus_shape_create_convex(const tactus_vec3* vertices, size_t count) {
  return create([&] { return Convex(to_points(vertices, count, "vertices")); });
}

tactus_shape* tactus_shape_create_mesh(const tactus_vec3* vertices, size_t vertex_count,
                                       const uint32_t* triangles, size_t triangle_count) {
  return create([&] { return to_mesh(vertices, vertex_count, triangles, triangle_count); });
}

tactus_shape* tactus_shape_create_heightfield(const double* heights, uint32_t columns,
                                              uint32_t rows, double spacing_x, double spacing_y,
                                              double thickness) {
  return create(
      [&] { return to_heightfield(heights, columns, rows, spacing_x, spacing_y, thickness); });
}

tactus_shape* tactus_shape_create_compound(const tactus_shape* const* parts,
                                           const tactus_pose* poses, size_t count) {
  return create([&] { return to_compound(parts, poses, count); });
}

tactus_shape* tactus_shape_create_rounded(const tactus_shape* shape, double rounding_radius) {
  return create([&] {
    return std::visit([&](const auto& geometry) { return Shape(geometry, rounding_radius); },
                      c::require(shape, "shape").shape.geometry());
  });
}

tactus_shape_type tactus_shape_get_type(const tactus_shape* shape) {
  return shape == nullptr ? -1 : static_cast<tactus_shape_type>(shape->shape.type());
}

tactus_error tactus_shape_get_box(const tactus_shape* shape, const tactus_pose* pose,
                                  tactus_vec3* lower, tactus_vec3* upper) {
  return c::call([&] {
    const Aabb box = bounding_box(c::require(shape, "shape").shape, c::to_pose(pose, "pose"));
    c::require(upper, "upper");
    c::require(lower, "lower") = c::from_vec(box.lower);
    *upper = c::from_vec(box.upper);
  });
}

tactus_error tactus_shape_get_mass(const tactus_shape* shape, double* volume, tactus_vec3* center,
                                   double* inertia) {
  return c::call([&] {
    const MassProperties mass = mass_properties(c::require(shape, "shape").shape);
    if (volume != nullptr) *volume = mass.volume;
    if (center != nullptr) *center = c::from_vec(mass.center);
    if (inertia == nullptr) return;
    for (int i = 0; i < 9; ++i) inertia[i] = mass.inertia(i / 3, i % 3);
  });
}

}  // extern "C"
