#include "tactus/query/way/inner_polytope.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Roundings of a height over a face, relative to the coordinates.
constexpr double kHeight = 16.0 * kUnit;

}  // namespace

// Not where the centre would not be below the face.
bool InnerPolytope::make_face(std::uint32_t a, std::uint32_t b, std::uint32_t c, Face& out) const {
  const Vec3 &p = points_[a], &q = points_[b], &r = points_[c];
  out.corner = {a, b, c};
  out.plane.n = normalized(cross(q - p, r - p), {});
  out.plane.offset = std::min({dot(out.plane.n, p), dot(out.plane.n, q), dot(out.plane.n, r)});
  out.alive = true;
  return out.plane.n != Vec3{} && dot(out.plane.n, centre_) < out.plane.offset - rounding_;
}

bool InnerPolytope::start(std::span<const Vec3> points, std::span<const Vec3> directions,
                          double least) {
  // The two points that are farthest apart, the one farthest from their line, from their plane.
  std::size_t corner[4] = {};
  double most = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double far = squared_norm(points[i] - points[j]);
      if (far > most) {
        most = far;
        corner[0] = j;
        corner[1] = i;
      }
    }
  }
  if (!(most > least * least)) return false;
  const Vec3 along = normalized(points[corner[1]] - points[corner[0]]);
  const auto choose = [&](std::size_t k, const auto& distance) {
    double farthest = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double far = distance(points[i] - points[corner[0]]);
      if (far > farthest) {
        farthest = far;
        corner[k] = i;
      }
    }
    return farthest > least;
  };
  if (!choose(2, [&](const Vec3& d) { return norm(cross(along, d)); })) return false;
  const Vec3 n = normalized(cross(along, points[corner[2]] - points[corner[0]]));
  if (!choose(3, [&](const Vec3& d) { return std::fabs(dot(n, d)); })) return false;
  if (dot(n, points[corner[3]] - points[corner[0]]) > 0.0) std::swap(corner[1], corner[2]);
  double size = 0.0;
  for (const Vec3& p : points) size = std::max(size, norm(p));
  rounding_ = kHeight * size;
  for (const std::size_t i : corner) {
    points_.push_back(points[i]);
    directions_.push_back(directions[i]);
    centre_ += points[i] * 0.25;
  }
  // Seen from the fourth corner, the first three are counter-clockwise from the other side.
  for (const auto& [a, b, c] : {std::array{0u, 1u, 2u}, std::array{0u, 3u, 1u},
                                std::array{1u, 3u, 2u}, std::array{2u, 3u, 0u}}) {
    Face f;
    if (!make_face(a, b, c, f)) return false;
    faces_.push_back(f);
  }
  for (std::size_t i = 0; i < points.size(); ++i) insert(points[i], directions[i]);
  return true;
}

bool InnerPolytope::insert(const Vec3& point, const Vec3& direction) {
  using Side = std::pair<std::uint32_t, std::uint32_t>;
  std::vector<std::size_t> seen;
  std::vector<Side> sides;
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const Face& f = faces_[i];
    if (!f.alive || !(dot(f.plane.n, point) > f.plane.offset + 2.0 * rounding_)) continue;
    seen.push_back(i);
    for (std::size_t k = 0; k < 3; ++k) sides.emplace_back(f.corner[k], f.corner[(k + 1) % 3]);
  }
  if (seen.empty()) return false;
  points_.push_back(point);
  const auto top = static_cast<std::uint32_t>(points_.size() - 1);
  // Sides of faces that see the point, whose other face does not, are the horizon.
  std::vector<Face> fan;
  std::vector<Side> sorted = sides;
  std::sort(sorted.begin(), sorted.end());
  for (const Side& side : sides) {
    if (std::binary_search(sorted.begin(), sorted.end(), Side(side.second, side.first))) continue;
    Face f;
    if (!make_face(side.first, side.second, top, f)) {
      points_.pop_back();
      return false;
    }
    fan.push_back(f);
  }
  directions_.push_back(direction);
  for (const std::size_t i : seen) faces_[i].alive = false;
  faces_.insert(faces_.end(), fan.begin(), fan.end());
  return true;
}

std::vector<std::array<std::uint32_t, 3>> InnerPolytope::living() const {
  std::vector<std::array<std::uint32_t, 3>> corners;
  for (const Face& f : faces_) {
    if (f.alive) corners.push_back(f.corner);
  }
  return corners;
}

}  // namespace tactus::detail
