#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/planar.hpp"

/// Random pairs of regions for the laws of planar answers, most of them degenerate, and references
/// in wider arithmetic that share nothing with the library.
namespace tactus::detail::test {

using PlanarPoints = std::vector<Vec2>;

/// How the coordinates of a pair are drawn.
enum class PlanarGrid { whole, generic };

struct PlanarCase {
  PlanarPoints a, b;
  Pose2 pose_a, pose_b;
  bool convex = false;

  Region region_a() const { return Region(a); }
  Region region_b() const { return Region(b); }
};

inline double planar_coordinate(Random& random, PlanarGrid grid) {
  return grid == PlanarGrid::whole ? static_cast<double>(random.below(17))
                                   : random.uniform(0.0, 16.0);
}

inline PlanarPoints planar_box(Random& random, PlanarGrid grid) {
  for (;;) {
    const double x = planar_coordinate(random, grid), y = planar_coordinate(random, grid);
    const double z = planar_coordinate(random, grid), w = planar_coordinate(random, grid);
    if (x < z && y < w) return {{x, y}, {z, y}, {z, w}, {x, w}};
  }
}

/// Corners of the convex hull, counter-clockwise, none on the line of its neighbours; empty where
/// the points lie on one line.
inline PlanarPoints planar_hull(PlanarPoints points) {
  std::sort(points.begin(), points.end(),
            [](const Vec2& p, const Vec2& q) { return p.x != q.x ? p.x < q.x : p.y < q.y; });
  PlanarPoints hull;
  for (const bool upper : {false, true}) {
    const std::size_t base = hull.size();
    for (const Vec2& p : points) {
      while (hull.size() >= base + 2 &&
             cross(hull.back() - hull[hull.size() - 2], p - hull[hull.size() - 2]) <= 0.0) {
        hull.pop_back();
      }
      hull.push_back(p);
    }
    hull.pop_back();
    if (!upper) std::reverse(points.begin(), points.end());
  }
  return hull.size() < 3 ? PlanarPoints{} : hull;
}

/// A polygon of up to `most` corners: convex, or in random order until it does not cross itself.
inline PlanarPoints planar_polygon(Random& random, PlanarGrid grid, bool convex,
                                   std::uint32_t most) {
  for (;;) {
    PlanarPoints points;
    const std::uint32_t count = 3 + random.below(most - 2);
    for (std::uint32_t i = 0; i < count; ++i) {
      const double x = planar_coordinate(random, grid), y = planar_coordinate(random, grid);
      points.push_back({x, y});
    }
    if (convex) points = planar_hull(points);
    if (points.empty()) continue;
    try {
      Region region(points);
      return points;
    } catch (const InvalidInput&) {
    }
  }
}

/// A comb, whose teeth fit into another one's gaps.
inline PlanarPoints planar_comb(Random& random) {
  const auto teeth = static_cast<int>(2 + random.below(3));
  const double height = 2.0 + random.below(6), base = 1.0;
  PlanarPoints comb{{0, 0}, {2.0 * teeth - 1, 0}};
  for (int k = teeth - 1; k >= 0; --k) {
    comb.push_back({2.0 * k + 1, height});
    comb.push_back({2.0 * k, height});
    if (k == 0) break;
    comb.push_back({2.0 * k, base});
    comb.push_back({2.0 * k - 1, base});
  }
  return comb;
}

inline PlanarPoints planar_shape(Random& random, PlanarGrid grid, bool convex) {
  const std::uint32_t kind = random.below(8);
  if (kind < 2) return planar_box(random, grid);
  if (kind == 2 && !convex) return planar_comb(random);
  return planar_polygon(random, grid, convex, 8);
}

/// Pairs on whole coordinates stand where they are, or are moved by whole numbers; generic ones are
/// turned and moved.
inline PlanarCase planar_case(Random& random, PlanarGrid grid) {
  PlanarCase c;
  c.convex = random.below(2) == 0;
  c.a = planar_shape(random, grid, c.convex);
  c.b = planar_shape(random, grid, c.convex);
  if (random.below(16) == 0) c.b = c.a;
  const std::uint32_t placing = random.below(4);
  if (grid == PlanarGrid::whole) {
    if (placing == 0) {
      const double x = static_cast<double>(random.below(17)) - 8.0;
      const double y = static_cast<double>(random.below(17)) - 8.0;
      c.pose_b = Pose2({x, y}, 0.0);
    }
    return c;
  }
  if (placing == 0) return c;
  const double turn_a = random.uniform(-3.0, 3.0), turn_b = random.uniform(-3.0, 3.0);
  const double x = random.uniform(-8.0, 8.0), y = random.uniform(-8.0, 8.0);
  c.pose_a = Pose2({x, y}, turn_a);
  const Vec2 middle_b{random.uniform(-4.0, 4.0), 8.0};
  c.pose_b =
      Pose2(c.pose_a.to_world({8.0, 8.0}) - Pose2({0.0, 0.0}, turn_b).to_world(middle_b), turn_b);
  return c;
}

struct WideVec {
  long double x, y;
};
inline WideVec wide(const Vec2& v) { return {v.x, v.y}; }
inline WideVec placed_wide(const Pose2& pose, const Vec2& p) {
  const long double c = pose.cosine(), s = pose.sine();
  return {c * p.x - s * p.y + pose.position().x, s * p.x + c * p.y + pose.position().y};
}

/// Distance of a place in the world from the boundary of a placed polygon.
inline long double from_boundary(const PlanarPoints& points, const Pose2& pose, const Vec2& place) {
  const WideVec p = wide(place);
  long double least = 1e300L;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const WideVec q = placed_wide(pose, points[i]);
    const WideVec r = placed_wide(pose, points[(i + 1) % points.size()]);
    const long double ux = r.x - q.x, uy = r.y - q.y, px = p.x - q.x, py = p.y - q.y;
    const long double length = ux * ux + uy * uy;
    const long double t = length > 0 ? std::clamp((px * ux + py * uy) / length, 0.0L, 1.0L) : 0.0L;
    least = std::min(least, std::hypot(px - t * ux, py - t * uy));
  }
  return least;
}

/// Depth of convex polygons: the least overlap along the normal of an edge; negative: apart along
/// one.
inline long double convex_depth(const PlanarCase& c) {
  std::vector<WideVec> sides[2];
  for (const Vec2& p : c.a) sides[0].push_back(placed_wide(c.pose_a, p));
  for (const Vec2& p : c.b) sides[1].push_back(placed_wide(c.pose_b, p));
  long double depth = 1e300L;
  for (int k = 0; k < 2; ++k) {
    const auto &own = sides[k], &other = sides[1 - k];
    for (std::size_t i = 0; i < own.size(); ++i) {
      const WideVec p = own[i], q = own[(i + 1) % own.size()];
      const long double length = std::hypot(q.x - p.x, q.y - p.y);
      const long double nx = (q.y - p.y) / length, ny = (p.x - q.x) / length;
      // Polygons of either winding: the own body lies below its edge.
      long double top = -1e300L, low = 1e300L, own_low = 1e300L;
      for (const WideVec& v : own) {
        top = std::max(top, nx * v.x + ny * v.y);
        own_low = std::min(own_low, nx * v.x + ny * v.y);
      }
      long double other_top = -1e300L;
      for (const WideVec& v : other) {
        low = std::min(low, nx * v.x + ny * v.y);
        other_top = std::max(other_top, nx * v.x + ny * v.y);
      }
      depth = std::min({depth, top - low, other_top - own_low});
    }
  }
  return depth;
}

/// The size that roundings are counted in: the largest coordinates of both bodies, the offset, and
/// the coordinates of the origins, which those of places in the world have.
inline double planar_size(const PlanarCase& c) {
  double size = norm(c.pose_b.position() - c.pose_a.position());
  for (const PlanarPoints* points : {&c.a, &c.b}) {
    double most = 0.0;
    for (const Vec2& p : *points) most = std::max({most, std::fabs(p.x), std::fabs(p.y)});
    size += most;
  }
  return size + 0.25 * (norm(c.pose_a.position()) + norm(c.pose_b.position()));
}

}  // namespace tactus::detail::test
