#pragma once

#include <cmath>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "tactus/math/mat3.hpp"
#include "tactus/math/quat.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus::oracle {

/// The precision of the reference: 64 bits of mantissa on x86, 113 on most others.
using Real = long double;

/// Plain triple in extended precision.
struct Point {
  Real x = 0, y = 0, z = 0;

  Point() = default;
  Point(Real px, Real py, Real pz) : x(px), y(py), z(pz) {}
  explicit Point(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}
};
inline Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Point operator-(const Point& a) { return {-a.x, -a.y, -a.z}; }
inline Point operator*(const Point& a, Real s) { return {a.x * s, a.y * s, a.z * s}; }
inline Real dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Point cross(const Point& a, const Point& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Real norm(const Point& a) { return std::sqrt(dot(a, a)); }
inline Point unit(const Point& a) { return a * (1 / norm(a)); }

/// Rotation in extended precision, stored by rows.
struct Rotation {
  Point row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  Point times(const Point& v) const { return {dot(row[0], v), dot(row[1], v), dot(row[2], v)}; }
  Point transpose_times(const Point& v) const { return row[0] * v.x + row[1] * v.y + row[2] * v.z; }
};

/// A pose as its file gives it: nothing is rounded before the reference sees it.
struct Placement {
  Vec3 position;
  Quat quaternion;
  bool is_matrix = false;
  Mat3 matrix;  ///< used instead of the quaternion: its nearest rotation counts

  Rotation rotation() const;
  Pose pose() const;  ///< what the library makes of it
};

/// A shape as its file gives it; independent of the library's own shapes.
struct Body {
  struct Part;

  ShapeType type = ShapeType::sphere;
  double radius = 0.0, length = 0.0, rounding = 0.0;
  Vec3 size;                 ///< box: edges; ellipsoid: radii; half-space: normal
  double offset = 0.0;       ///< half-space
  std::vector<Vec3> points;  ///< convex
  Vec3 scale{1.0, 1.0, 1.0};
  std::vector<Part> parts;  ///< compound

  Shape shape() const;  ///< what the library makes of it
};

struct Body::Part {
  Body body;
  Placement placement;
};

/// One pair to be asked about.
struct Pair {
  Body a;
  Placement place_a;
  Body b;
  Placement place_b;
};

/// Reads the fields of the query files; input that is not well-formed throws (these files are
/// trusted).
Body body_from_json(const nlohmann::json& value, const std::filesystem::path& folder);
Placement placement_from_json(const nlohmann::json& value);

}  // namespace tactus::oracle
