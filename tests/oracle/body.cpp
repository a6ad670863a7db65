#include "tests/oracle/body.hpp"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace tactus::detail::oracle {
namespace {

using nlohmann::json;

Vec3 vec3_from_json(const json& value) {
  return {value.at(0).get<double>(), value.at(1).get<double>(), value.at(2).get<double>()};
}

/// The `v` lines of an OBJ file.
std::vector<Vec3> points_of_obj(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<Vec3> points;
  std::string key;
  while (file >> key) {
    std::string rest;
    if (key == "v") {
      Vec3 v;
      file >> v.x >> v.y >> v.z;
      points.push_back(v);
    }
    std::getline(file, rest);
  }
  return points;
}

/// Polar factor by Newton's iteration, in extended precision.
ExtendedRotation polar_factor(const Mat3& m) {
  Point r[3] = {Point(m.row[0]), Point(m.row[1]), Point(m.row[2])};
  for (int step = 0; step < 30; ++step) {
    const Point c[3] = {cross(r[1], r[2]), cross(r[2], r[0]), cross(r[0], r[1])};
    const Real inverse_determinant = 1 / dot(r[0], c[0]);
    for (int i = 0; i < 3; ++i) r[i] = (r[i] + c[i] * inverse_determinant) * Real(0.5);
  }
  return {{r[0], r[1], r[2]}};
}

}  // namespace

ExtendedRotation Placement::rotation() const {
  if (is_matrix) return polar_factor(matrix);
  const Real w = quaternion.w, x = quaternion.x, y = quaternion.y, z = quaternion.z;
  const Real s = 2 / (w * w + x * x + y * y + z * z);
  return {{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
           {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
           {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}}};
}

Pose Placement::pose() const {
  return is_matrix ? Pose::from_matrix(position, matrix) : Pose(position, quaternion);
}

Shape Body::shape() const {
  switch (type) {
    case ShapeType::sphere:
      return Shape(Sphere(radius), rounding);
    case ShapeType::box:
      return Shape(Box(size), rounding);
    case ShapeType::capsule:
      return Shape(Capsule(radius, length), rounding);
    case ShapeType::cylinder:
      return Shape(Cylinder(radius, length), rounding);
    case ShapeType::cone:
      return Shape(Cone(radius, length), rounding);
    case ShapeType::ellipsoid:
      return Shape(Ellipsoid(size), rounding);
    case ShapeType::halfspace:
      return HalfSpace(size, offset);
    case ShapeType::compound: {
      std::vector<Compound::Part> made;
      for (const Part& part : parts) made.push_back({part.body.shape(), part.placement.pose()});
      return Compound(std::move(made));
    }
    default: {
      std::vector<Vec3> scaled;
      for (const Vec3& point : points) scaled.push_back(component_product(point, scale));
      return Shape(Convex(scaled), rounding);
    }
  }
}

Body body_from_json(const json& value, const std::filesystem::path& folder) {
  static const std::map<std::string, ShapeType> kTypes = {
      {"sphere", ShapeType::sphere},    {"box", ShapeType::box},
      {"capsule", ShapeType::capsule},  {"cylinder", ShapeType::cylinder},
      {"cone", ShapeType::cone},        {"ellipsoid", ShapeType::ellipsoid},
      {"convex", ShapeType::convex},    {"halfspace", ShapeType::halfspace},
      {"compound", ShapeType::compound}};
  Body body;
  body.type = kTypes.at(value.at("type").get<std::string>());
  body.radius = value.value("radius", 0.0);
  body.length = value.value("length", 0.0);
  body.rounding = value.value("rounding", 0.0);
  body.offset = value.value("offset", 0.0);
  for (const char* name : {"size", "radii", "normal"}) {
    if (value.contains(name)) body.size = vec3_from_json(value.at(name));
  }
  if (value.contains("vertices")) {
    for (const json& vertex : value.at("vertices")) body.points.push_back(vec3_from_json(vertex));
  }
  if (value.contains("file")) {
    body.points = points_of_obj(folder / value.at("file").get<std::string>());
  }
  if (value.contains("scale")) {
    const json& scale = value.at("scale");
    body.scale =
        scale.is_array() ? vec3_from_json(scale) : Vec3{1.0, 1.0, 1.0} * scale.get<double>();
  }
  if (value.contains("parts")) {
    for (const json& part : value.at("parts")) {
      body.parts.push_back(
          {body_from_json(part.at("shape"), folder),
           part.contains("pose") ? placement_from_json(part.at("pose")) : Placement{}});
    }
  }
  return body;
}

Placement placement_from_json(const json& value) {
  Placement placement;
  if (value.is_array()) {
    placement.is_matrix = true;
    double m[12];
    for (std::size_t i = 0; i < 12; ++i) m[i] = value.at(i).get<double>();
    placement.matrix = {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}};
    placement.position = {m[3], m[7], m[11]};
  } else {
    placement.position = vec3_from_json(value.at("position"));
    const json& q = value.at("quaternion");
    placement.quaternion = {q.at(0).get<double>(), q.at(1).get<double>(), q.at(2).get<double>(),
                            q.at(3).get<double>()};
  }
  return placement;
}

}  // namespace tactus::detail::oracle
