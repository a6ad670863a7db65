#include "tactus/io/steps/difference_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/mesh.hpp"
#include "tactus/narrow/difference/polytope.hpp"
#include "tactus/shape/access.hpp"

namespace tactus::io {
namespace {

using detail::Core;
using detail::core_of;
using std::numbers::pi;

constexpr int kDirections = 320;
// Azimuths about each body's axis, so that rims are round, and the tilts at which they are asked.
constexpr int kAround = 28;
constexpr double kTilt = 1e-3;
// Sums of two polytopes' vertices, up to which they are all taken.
constexpr std::size_t kMostSums = 4096;
// Power of two of the grid's width, relative to the largest coordinate.
constexpr int kGrid = -22;

Vec3 on_sphere(double polar, double azimuth) {
  return {std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth),
          std::cos(polar)};
}

struct Placed {
  const Core& core;
  const Pose& pose;

  Placed(const Shape& shape, const Pose& place, const char* name)
      : core(core_of(shape)), pose(place) {
    if (!shape.is_convex_body()) throw InvalidInput(name, "must be a convex body");
  }

  Vec3 support(const Vec3& n, double radius) const {
    return pose.to_world(detail::support(core, pose.direction_to_local(n)).point) + n * radius;
  }
  std::vector<Vec3> corners() const {
    std::vector<Vec3> out;
    if (!core.is_polytope()) return out;
    const detail::Polytope polytope(core);
    for (std::uint32_t i = 0; i < polytope.vertex_count(); ++i)
      out.push_back(pose.to_world(polytope.vertex(i)));
    return out;
  }
};

// Evenly spread, and about both ends and the equator of a body's axis.
void add_directions(const Pose& pose, std::vector<Vec3>& out) {
  for (const double polar : {kTilt, 0.5 * pi - kTilt, 0.5 * pi + kTilt, pi - kTilt}) {
    for (int i = 0; i < kAround; ++i)
      out.push_back(pose.direction_to_world(on_sphere(polar, 2.0 * pi * i / kAround)));
  }
}

std::vector<Vec3> spread(const Placed& a, const Placed& b) {
  std::vector<Vec3> out;
  out.reserve(kDirections + 2 * 4 * kAround);
  const double golden = pi * (3.0 - std::sqrt(5.0));
  for (int i = 0; i < kDirections; ++i)
    out.push_back(
        normalized(on_sphere(std::acos(1.0 - 2.0 * (i + 0.5) / kDirections), golden * i)));
  add_directions(a.pose, out);
  add_directions(b.pose, out);
  return out;
}

// On a grid far finer than a picture, so that points which differ by rounding alone are one.
void snap(std::vector<Vec3>& points) {
  double largest = 0.0;
  for (const Vec3& p : points) largest = std::max(largest, max_abs(p));
  if (!(largest > 0.0)) return;
  const double grid = std::ldexp(1.0, std::ilogb(largest) + kGrid);
  for (Vec3& p : points) {
    for (int i = 0; i < 3; ++i) p[i] = std::floor(p[i] / grid + 0.5) * grid;
  }
}

void append_surface(std::string& text, const char* name, std::vector<Vec3> points, bool smooth) {
  snap(points);
  const ConvexHull hull = convex_hull(points);
  const auto out = std::back_inserter(text);
  fmt::format_to(out, R"("{}":{{"smooth":{},"vertices":[)", name, smooth);
  for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
    const Vec3& v = hull.vertices[i];
    fmt::format_to(out, "{}{:.7g},{:.7g},{:.7g}", i == 0 ? "" : ",", v.x, v.y, v.z);
  }
  text += "],\"faces\":[";
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    text += f == 0 ? "[" : ",[";
    const auto corners = hull.corners(hull.faces[f]);
    for (std::size_t i = 0; i < corners.size(); ++i)
      fmt::format_to(out, "{}{}", i == 0 ? "" : ",", corners[i]);
    text += ']';
  }
  text += "]}";
}

void append_body(std::string& text, const char* name, const Placed& body,
                 const std::vector<Vec3>& directions) {
  std::vector<Vec3> points = body.core.radius > 0.0 ? std::vector<Vec3>{} : body.corners();
  const bool smooth = points.empty();
  if (smooth) {
    for (const Vec3& n : directions) points.push_back(body.support(n, body.core.radius));
  }
  append_surface(text, name, std::move(points), smooth);
}

// A - B of the cores grown by the radii.
void append_difference(std::string& text, const char* name, const Placed& a, const Placed& b,
                       double radius_a, double radius_b, const std::vector<Vec3>& directions) {
  std::vector<Vec3> points;
  if (radius_a + radius_b == 0.0) {
    const std::vector<Vec3> of_a = a.corners(), of_b = b.corners();
    if (of_a.size() * of_b.size() <= kMostSums) {
      for (const Vec3& x : of_a) {
        for (const Vec3& y : of_b) points.push_back(x - y);
      }
    }
  }
  const bool smooth = points.empty();
  if (smooth) {
    for (const Vec3& n : directions)
      points.push_back(a.support(n, radius_a) - b.support(-n, radius_b));
  }
  append_surface(text, name, std::move(points), smooth);
}

}  // namespace

std::string difference_picture(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b,
                               const Pose& pose_b) {
  const Placed a(shape_a, pose_a, "a"), b(shape_b, pose_b, "b");
  const std::vector<Vec3> directions = spread(a, b);
  std::string text = "{";
  append_body(text, "a", a, directions);
  text += ',';
  append_body(text, "b", b, directions);
  text += ',';
  append_difference(text, "cores", a, b, 0.0, 0.0, directions);
  text += ',';
  if (a.core.radius + b.core.radius > 0.0) {
    append_difference(text, "bodies", a, b, a.core.radius, b.core.radius, directions);
  } else {
    text += "\"bodies\":null";
  }
  return text + '}';
}

std::string direction_sphere(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b,
                             const Pose& pose_b, int rows) {
  const Placed a(shape_a, pose_a, "a"), b(shape_b, pose_b, "b");
  const double radii = a.core.radius + b.core.radius;
  std::string text = "[";
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < 2 * rows; ++j) {
      const Vec3 n = on_sphere(pi * (i + 0.5) / rows, pi * j / rows);
      const double value = dot(n, a.support(n, 0.0) - b.support(-n, 0.0)) + radii;
      fmt::format_to(std::back_inserter(text), "{}{:.5g}", text.size() > 1 ? "," : "", value);
    }
  }
  return text + ']';
}

}  // namespace tactus::io
