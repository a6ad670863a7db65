#include "tactus/mesh/hull/cone_map.hpp"

#include <cmath>

#include "tactus/mesh/hull/surface_walk.hpp"

namespace tactus::detail {
namespace {

// Triangles per cell, about.
constexpr std::size_t kTrianglesPerCell = 2;

}  // namespace

ConeMap::ConeMap(std::span<const Vec3> points, std::span<const HullTriangle> triangles,
                 const Vec3& center)
    : points_(points), triangles_(triangles), center_(center) {
  Vec3 reach;
  for (const HullTriangle& t : triangles)
    reach = component_max(reach, component_abs(points[t.corner[0]] - center));
  for (int axis = 0; axis < 3; ++axis) scale_[axis] = reach[axis] > 0.0 ? 1.0 / reach[axis] : 1.0;
  while (6 * side_ * side_ * kTrianglesPerCell < triangles.size()) ++side_;
  start_.resize(6 * side_ * side_);
  std::uint32_t near = 0;
  for (std::size_t c = 0; c < start_.size(); ++c) {
    const std::size_t face = c / (side_ * side_), row = c / side_ % side_;
    // Every other row backwards, so that one walk goes on from the last.
    const std::size_t step = c % side_;
    const std::size_t column = row % 2 == 0 ? step : side_ - 1 - step;
    const auto place = [&](std::size_t i) {
      return (2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(side_) - 1.0;
    };
    const int axis = static_cast<int>(face / 2);
    Vec3 w;
    w[axis] = face % 2 == 0 ? 1.0 : -1.0;
    w[(axis + 1) % 3] = place(row);
    w[(axis + 2) % 3] = place(column);
    const Vec3 target = center + Vec3{w.x / scale_.x, w.y / scale_.y, w.z / scale_.z};
    const std::uint32_t found = walk_to(points_, triangles_, center_, near, target);
    if (found != kNoIndex) near = found;
    start_[(face * side_ + row) * side_ + column] = near;
  }
}

std::size_t ConeMap::cell(const Vec3& p) const {
  const Vec3 w = component_product(p - center_, scale_);
  const Vec3 m = component_abs(w);
  const int axis = m.x >= m.y && m.x >= m.z ? 0 : (m.y >= m.z ? 1 : 2);
  const double largest = m[axis] > 0.0 ? m[axis] : 1.0;
  const double half = 0.5 * static_cast<double>(side_);
  const auto index = [&](double x) {
    const double place = (x / largest + 1.0) * half;
    const auto i = static_cast<std::size_t>(place > 0.0 ? place : 0.0);
    return i < side_ ? i : side_ - 1;
  };
  const std::size_t face = 2 * static_cast<std::size_t>(axis) + (w[axis] < 0.0 ? 1 : 0);
  return (face * side_ + index(w[(axis + 1) % 3])) * side_ + index(w[(axis + 2) % 3]);
}

std::uint32_t ConeMap::locate(const Vec3& p) const {
  return walk_to(points_, triangles_, center_, start_[cell(p)], p);
}

}  // namespace tactus::detail
