#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "tactus/io/format/write/writers.hpp"

namespace tactus::io {
namespace {

constexpr std::size_t kStlTitle = 80;

// Unit normal of a triangle's corners as they are written; zero where they have no area.
Vec3 normal_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = cross(b - a, c - a);
  const double length = norm(n);
  return length > 0.0 && std::isfinite(length) ? n / length : Vec3{};
}

Vec3 widened(const SingleVec3& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

}  // namespace

std::string off_content(std::span<const NamedMesh> objects) {
  const TriangleMesh mesh = joined(objects);
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "OFF\n{} {} 0\n", mesh.vertices.size(), mesh.triangles.size());
  for (const Vec3& v : mesh.vertices) fmt::format_to(out, "{} {} {}\n", v.x, v.y, v.z);
  for (const auto& [a, b, c] : mesh.triangles) fmt::format_to(out, "3 {} {} {}\n", a, b, c);
  return {text.data(), text.size()};
}

std::string ply_content(std::span<const NamedMesh> objects) {
  const TriangleMesh mesh = joined(objects);
  std::string bytes = fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\n"
      "property double y\nproperty double z\nelement face {}\n"
      "property list uchar uint vertex_indices\nend_header\n",
      mesh.vertices.size(), mesh.triangles.size());
  for (const Vec3& v : mesh.vertices) {
    for (int i = 0; i < 3; ++i) append_little_endian(bytes, v[i]);
  }
  for (const auto& triangle : mesh.triangles) {
    bytes.push_back('\3');
    for (const std::uint32_t corner : triangle) append_little_endian(bytes, corner);
  }
  return bytes;
}

std::string stl_content(std::span<const NamedMesh> objects) {
  std::size_t count = 0;
  for (const NamedMesh& object : objects) count += object.mesh.triangles.size();
  std::string bytes = "binary STL, single precision";
  bytes.resize(kStlTitle, ' ');
  append_little_endian(bytes, static_cast<std::uint32_t>(count));
  for (std::size_t i = 0; i < objects.size(); ++i) {
    std::vector<SingleVec3> vertices;
    vertices.reserve(objects[i].mesh.vertices.size());
    for (std::size_t k = 0; k < objects[i].mesh.vertices.size(); ++k)
      vertices.push_back(single_precision(objects[i], i, k));
    for (const auto& [a, b, c] : objects[i].mesh.triangles) {
      const Vec3 n = normal_of(widened(vertices[a]), widened(vertices[b]), widened(vertices[c]));
      for (int k = 0; k < 3; ++k) append_little_endian(bytes, static_cast<float>(n[k]));
      for (const std::uint32_t corner : {a, b, c}) {
        for (const float x : {vertices[corner].x, vertices[corner].y, vertices[corner].z})
          append_little_endian(bytes, x);
      }
      bytes.append(2, '\0');
    }
  }
  return bytes;
}

}  // namespace tactus::io
