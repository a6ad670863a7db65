#include "tactus/fit/concavity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/bvh/point_query.hpp"
#include "tactus/core/parallel.hpp"
#include "tactus/fit/union_boundary.hpp"
#include "tactus/mesh/mass_properties.hpp"
#include "tactus/mesh/triangle_distance.hpp"

namespace tactus::fit {
namespace {

// What counts as touching when the boundary of the union is made, of the unit: above the rounding
// of the cuts, far below what is measured.
constexpr double kTouching = 1e-8;
constexpr std::size_t kMostPieces = 1000000;
constexpr std::size_t kGrain = 64;

struct Piece {
  Triangle triangle;
  double upper = 0.0;
  std::size_t number = 0;  ///< in the order of making: ties are broken by it
};

bool less_wide(const Piece& a, const Piece& b) {
  return a.upper != b.upper ? a.upper < b.upper : a.number > b.number;
}

// Bounds distances from one surface to another.
struct Target {
  const bvh::MeshView& to;
  const Solid* solid;
  Side side;

  // The distance of the piece's middle; from above bounded are all its points, by the way from the
  // middle and by the distance from the one triangle that is nearest to the middle: a convex
  // function, so that the corners decide. A point that does not count is farther from one that does
  // than from the surface between them.
  Deviation bound(const Triangle& piece) const {
    const auto& [a, b, c] = piece.corner;
    const Vec3 middle = ((a + b) + c) / 3.0;
    const bvh::SurfacePoint nearest = bvh::nearest_point(to, middle);
    const auto& corner = to.mesh.triangles[nearest.triangle];
    const Triangle triangle{
        {to.mesh.vertices[corner[0]], to.mesh.vertices[corner[1]], to.mesh.vertices[corner[2]]}};
    double way = 0.0, from_one = 0.0;
    for (const Vec3& v : piece.corner) {
      way = std::max(way, norm(v - middle));
      from_one = std::max(from_one, point_to_triangle(v, triangle).distance);
    }
    if (side != Side::both && solid->inside(middle) != (side == Side::inside))
      return {0.0, std::max(0.0, std::min(way - nearest.distance, from_one)), middle};
    return {nearest.distance,
            std::max(nearest.distance, std::min(nearest.distance + way, from_one)), middle};
  }
};

}  // namespace

Deviation largest_distance(const TriangleMesh& from, const bvh::MeshView& to, double tolerance,
                           int threads, const Solid* solid, Side side_that_counts) {
  const Target target{to, solid, side_that_counts};
  std::vector<Piece> heap(from.triangles.size());
  std::vector<Deviation> found(heap.size());
  parallel_for(
      heap.size(), kGrain,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto& corner = from.triangles[i];
          heap[i].triangle = {
              {from.vertices[corner[0]], from.vertices[corner[1]], from.vertices[corner[2]]}};
          heap[i].number = i;
          found[i] = target.bound(heap[i].triangle);
          heap[i].upper = found[i].upper;
        }
      },
      threads);
  Deviation best;
  for (const Deviation& f : found) {
    if (f.lower > best.lower) best = f;
  }
  std::make_heap(heap.begin(), heap.end(), less_wide);
  std::size_t made = heap.size();
  while (made < kMostPieces && heap.front().upper > best.lower + tolerance) {
    std::pop_heap(heap.begin(), heap.end(), less_wide);
    const Piece piece = heap.back();
    heap.pop_back();
    const auto& v = piece.triangle.corner;
    std::size_t side = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      if (squared_norm(v[(k + 1) % 3] - v[k]) > squared_norm(v[(side + 1) % 3] - v[side])) side = k;
    }
    const Vec3 &p = v[side], &q = v[(side + 1) % 3], &r = v[(side + 2) % 3];
    const Vec3 middle = (p + q) * 0.5;
    for (const Triangle& half : {Triangle{{p, middle, r}}, Triangle{{middle, q, r}}}) {
      const Deviation d = target.bound(half);
      if (d.lower > best.lower) best = d;
      heap.push_back({half, std::min(d.upper, piece.upper), made++});
      std::push_heap(heap.begin(), heap.end(), less_wide);
    }
  }
  best.upper = std::max(best.lower, heap.front().upper);
  return best;
}

double Concavity::lower() const {
  return std::max(bulge.lower, std::max(hollow.lower, fill.lower));
}
double Concavity::upper() const {
  return std::max(bulge.upper, std::max(hollow.upper, fill.upper));
}

Concavity measure_concavity(const Solid& solid, std::span<const ConvexHull> bodies,
                            double tolerance, int threads) {
  Concavity result;
  const TriangleMesh boundary = union_boundary(bodies, kTouching * solid.unit(), threads);
  if (boundary.triangles.empty()) {
    result.bulge.upper = result.hollow.upper = result.fill.upper =
        std::numeric_limits<double>::infinity();
    return result;
  }
  const bvh::Hierarchy<bvh::OrientedBox> tree(boundary);
  result.bulge =
      largest_distance(boundary, solid.view(), tolerance, threads, &solid, Side::outside);
  result.hollow =
      largest_distance(boundary, solid.view(), tolerance, threads, &solid, Side::inside);
  result.fill = largest_distance(solid.outer_surface(), {boundary, tree}, tolerance, threads);
  result.volume = mass_properties(boundary).volume;
  return result;
}

}  // namespace tactus::fit
