#pragma once

#include <vector>

#include "tactus/fit.hpp"
#include "tactus/fit/box/local_frame.hpp"
#include "tactus/mesh/hull/vertex_search.hpp"
#include "tactus/mesh/support/direction_map.hpp"

namespace tactus::detail::fit {

/// A box without a place: axes, and the volume that the body needs along them. Lengths are those of
/// a LocalFrame.
struct Turn {
  Mat3 axes;  ///< orthonormal rows
  double volume = 0.0;
};

/// The corners of a hull in a frame of their own, asked for the farthest ones along directions.
class HullWidths {
 public:
  explicit HullWidths(const ConvexHull& hull) : frame_(hull.vertices) {
    vertices_.reserve(hull.vertices.size());
    for (const Vec3& v : hull.vertices) vertices_.push_back(frame_.local(v));
    map_ = DirectionMap(vertices_);
    // Seen along any direction, the body has at most half of its surface as shadow; shadow times
    // width is at least the volume.
    double volume = 0.0, surface = 0.0;
    for (const ConvexHull::Face& face : hull.faces) {
      const auto corners = hull.corners(face);
      const Vec3& a = vertices_[corners[0]];
      for (std::size_t i = 2; i < corners.size(); ++i) {
        const Vec3 twice = cross(vertices_[corners[i - 1]] - a, vertices_[corners[i]] - a);
        volume += dot(a, twice) / 6.0;
        surface += 0.5 * norm(twice);
      }
    }
    if (hull.dimension == 3 && volume > kRounding * surface)
      least_width_ = 2.0 * (volume - kRounding * surface) / surface;
  }

  const LocalFrame& frame() const { return frame_; }
  const std::vector<Vec3>& vertices() const { return vertices_; }
  /// The body is nowhere narrower than this.
  double least_width() const { return least_width_; }

  const Vec3& farthest(const Vec3& n) const {
    return map_.empty() ? vertices_[farthest_by_scan(vertices_, n)]
                        : *map_.farthest(vertices_.data(), n).point;
  }
  /// From the farthest corner against n to the farthest along it: times n it is the width.
  Vec3 across(const Vec3& n) const { return farthest(n) - farthest(-n); }
  Turn turn(const Mat3& axes) const {
    Turn turn{orthonormal(axes), 1.0};
    for (const Vec3& n : turn.axes.row) turn.volume *= dot(across(n), n);
    return turn;
  }

 private:
  // Far more than the sums can lose, which are of a body of about unit size.
  static constexpr double kRounding = 1e-12;

  LocalFrame frame_;
  std::vector<Vec3> vertices_;
  double least_width_ = 0.0;
  DirectionMap map_;
};

}  // namespace tactus::detail::fit
