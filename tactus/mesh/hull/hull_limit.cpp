#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <string>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/mesh.hpp"
#include "tactus/mesh/hull/hull_points.hpp"
#include "tactus/mesh/hull/quickhull.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"

namespace tactus {
using namespace detail;
namespace {

using detail::HullSurface;
using detail::HullTriangle;
using detail::kNoIndex;
using detail::Quickhull;
using Index = std::uint32_t;

// Distances err by up to 1e-14 of the largest distance of two points, which is below 4 (coordinates
// are at most 1); twice that pays for what the vertices' rounding hides.
constexpr double kDistanceError = 8e-14;

/// A place to grow at: the farthest point above a triangle, or beyond a side of a polygon.
struct Candidate {
  double distance;
  Index place, point;

  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.place > b.place;
  }
};

/// Corners of a limited hull, as numbers of points, and the largest distance left out.
struct Choice {
  std::vector<Index> corners;
  double error = 0.0;
};

double distance_to(std::span<const Vec3> points, const HullTriangle& t, const Vec3& p) {
  const auto& [a, b, c] = t.corner;
  return point_to_triangle(p, {points[a], points[b], points[c]}).distance;
}

// The nearest of the triangles that see a point is the nearest of all.
double left_out(std::span<const Vec3> points, const Quickhull& hull) {
  double most = 0.0;
  HullSurface surface = hull.surface();
  for (Index t = 0; t < surface.slots(); ++t) {
    if (!surface.alive(t)) continue;
    for (Index i = hull.first_waiting(t); i != kNoIndex; i = hull.next_waiting(i)) {
      double distance = distance_to(points, surface[t], points[i]);
      if (distance <= most) continue;
      surface.find_visible(points, t, points[i]);
      for (const Index v : surface.visible())
        distance = std::fmin(distance, distance_to(points, surface[v], points[i]));
      most = std::fmax(most, distance);
    }
  }
  return most;
}

Choice choose_in_space(std::span<const Vec3> points, const detail::StartSimplex& simplex,
                       std::size_t max_vertices) {
  Quickhull hull(points, HullSurface(points.size(), simplex.point));
  std::priority_queue<Candidate> queue;
  const auto offer = [&](std::span<const Index> triangles) {
    for (const Index t : triangles) {
      const Index i = hull.farthest(t);
      if (i == kNoIndex) continue;
      const auto& [a, b, c] = hull.surface()[t].corner;
      const Vec3 normal = normalized(cross(points[b] - points[a], points[c] - points[a]));
      queue.push({dot(normal, points[i] - points[a]), t, i});
    }
  };
  std::vector<Index> all(points.size());
  std::iota(all.begin(), all.end(), 0u);
  constexpr std::array<Index, 4> kFirst = {0, 1, 2, 3};
  hull.deal(all, kFirst);
  offer(kFirst);
  // A closed triangulated surface has two triangles per vertex, less four. A step adds one vertex
  // and may bury others.
  while (!queue.empty() && hull.surface().count() / 2 + 2 < max_vertices) {
    const Candidate best = queue.top();
    queue.pop();
    // The triangle may be gone, or another one in its place.
    if (hull.farthest(best.place) != best.point) continue;
    hull.grow_at(best.place);
    offer(hull.surface().cone());
  }
  Choice choice;
  for (Index t = 0; t < hull.surface().slots(); ++t) {
    if (!hull.surface().alive(t)) continue;
    for (const Index i : hull.surface()[t].corner) choice.corners.push_back(i);
  }
  choice.error = left_out(points, hull);
  return choice;
}

// Chooses corners of a polygon for a hull in the plane: `loop` holds their indices in order.
Choice choose_in_plane(std::span<const Vec3> points, std::span<const Index> loop,
                       std::size_t max_vertices) {
  const auto corner = [&](std::size_t i) { return points[loop[i]]; };
  // Corners between `first` and `last` (exclusive; beyond the end it goes on from the start).
  struct Arc {
    std::size_t first, last;
  };
  std::vector<Arc> arcs;
  std::priority_queue<Candidate> queue;
  const auto offer = [&](const Arc& arc) {
    const Vec3 a = corner(arc.first), b = corner(arc.last % loop.size());
    Candidate best{-1.0, static_cast<Index>(arcs.size()), kNoIndex};
    for (std::size_t i = arc.first + 1; i < arc.last; ++i) {
      // A segment is a triangle without area.
      const double distance = point_to_triangle(corner(i % loop.size()), {a, b, b}).distance;
      if (distance > best.distance) {
        best.distance = distance;
        best.point = static_cast<Index>(i);
      }
    }
    arcs.push_back(arc);
    if (best.point != kNoIndex) queue.push(best);
  };
  std::size_t farthest = 1;
  for (std::size_t i = 1; i < loop.size(); ++i) {
    if (squared_norm(corner(i) - corner(0)) > squared_norm(corner(farthest) - corner(0)))
      farthest = i;
  }
  offer({0, farthest});
  offer({farthest, loop.size()});
  Choice choice;
  choice.corners = {loop[0], loop[farthest]};
  while (!queue.empty() && choice.corners.size() < max_vertices) {
    const Candidate best = queue.top();
    queue.pop();
    const Arc arc = arcs[best.place];
    choice.corners.push_back(loop[best.point % loop.size()]);
    offer({arc.first, best.point});
    offer({best.point, arc.last});
  }
  if (!queue.empty()) choice.error = queue.top().distance;
  return choice;
}

// The first of the points at the place of each corner.
std::vector<Index> first_of_equals(std::span<const Vec3> points, std::vector<Index> corners) {
  const auto less = [&](Index a, Index b) { return detail::lexicographic(points[a], points[b]); };
  const auto equal = [&](Index a, Index b) { return points[a] == points[b]; };
  std::sort(corners.begin(), corners.end(), less);
  corners.erase(std::unique(corners.begin(), corners.end(), equal), corners.end());
  for (auto i = static_cast<Index>(points.size()); i-- > 0;) {
    const auto place = std::lower_bound(corners.begin(), corners.end(), i, less);
    if (place != corners.end() && equal(*place, i)) *place = i;
  }
  std::sort(corners.begin(), corners.end());
  return corners;
}

}  // namespace

LimitedHull limited_hull(std::span<const Vec3> points, std::uint32_t max_vertices) {
  detail::check_points(points);
  const std::vector<Vec3> scaled = detail::rescaled(points);
  const detail::StartSimplex simplex = detail::find_simplex(scaled);
  if (max_vertices < static_cast<std::uint32_t>(simplex.dimension) + 1) {
    throw InvalidInput("max_vertices", "must be at least " + std::to_string(simplex.dimension + 1) +
                                           " for a set of dimension " +
                                           std::to_string(simplex.dimension));
  }
  LimitedHull result;
  Choice choice;
  if (simplex.dimension == 3) {
    choice = choose_in_space(scaled, simplex, max_vertices);
  } else {
    result.hull = convex_hull(points);
    if (result.hull.vertices.size() <= max_vertices) return result;
    std::vector<Index> loop;
    loop.reserve(result.hull.face_vertices.size());
    for (const Index v : result.hull.face_vertices) loop.push_back(result.hull.source[v]);
    choice = choose_in_plane(scaled, loop, max_vertices);
  }
  const std::vector<Index> corners = first_of_equals(scaled, std::move(choice.corners));
  std::vector<Vec3> chosen;
  chosen.reserve(corners.size());
  for (const Index i : corners) chosen.push_back(points[i]);
  result.hull = convex_hull(chosen);
  for (Index& i : result.hull.source) i = corners[i];
  if (choice.error > 0.0) {
    double largest = 0.0, largest_scaled = 0.0;
    for (const Vec3& p : points) largest = std::fmax(largest, max_abs(p));
    for (const Vec3& p : scaled) largest_scaled = std::fmax(largest_scaled, max_abs(p));
    // The quotient is a power of two.
    result.error =
        (choice.error * (1.0 + kDistanceError) + kDistanceError) * (largest / largest_scaled);
  }
  return result;
}

}  // namespace tactus
