#include "tactus/fit/decomposition/concavity.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tactus/bvh/point_query.hpp"
#include "tactus/core.hpp"
#include "tactus/fit/decomposition/union_boundary.hpp"
#include "tactus/mesh.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"

namespace tactus::detail::fit {
namespace {

// What counts as touching when the boundary of the union is made, of the unit: above the rounding
// of the cuts, far below what is measured.
constexpr double kTouching = 1e-8;
constexpr std::size_t kMostPieces = 1000000;
constexpr std::size_t kGrain = 64;
// A deviation smaller than this part of the largest one is not measured further.
constexpr double kMatters = 0.5;

enum class Side : std::uint8_t { unknown, outside, inside };

struct Piece {
  Triangle triangle;
  Vec3 middle;
  double distance = 0.0;      ///< of the middle
  double upper = 0.0;         ///< of the distance of all points, or of those that count
  std::size_t number = 0;     ///< in the order of making: ties are broken by it
  Side side = Side::unknown;  ///< of the middle
};

bool less_wide(const Piece& a, const Piece& b) {
  return a.upper != b.upper ? a.upper < b.upper : a.number > b.number;
}

double largest_way(const Piece& piece) {
  double way = 0.0;
  for (const Vec3& v : piece.triangle.corner) way = std::max(way, norm(v - piece.middle));
  return way;
}

// From above bounded are all points, by the way from the middle and by the distance from the one
// triangle that is nearest to the middle: a convex function, so that the corners decide.
Piece make_piece(const Triangle& t, const bvh::MeshView& to, std::size_t number) {
  Piece piece;
  piece.triangle = t;
  piece.middle = ((t.corner[0] + t.corner[1]) + t.corner[2]) / 3.0;
  piece.number = number;
  const bvh::SurfacePoint nearest = bvh::nearest_point(to, piece.middle);
  piece.distance = nearest.distance;
  const auto& corner = to.mesh.triangles[nearest.triangle];
  const Triangle triangle{
      {to.mesh.vertices[corner[0]], to.mesh.vertices[corner[1]], to.mesh.vertices[corner[2]]}};
  double from_one = 0.0;
  for (const Vec3& v : t.corner) {
    from_one = std::max(from_one, point_to_triangle(v, triangle).distance);
  }
  piece.upper = std::max(piece.distance, std::min(piece.distance + largest_way(piece), from_one));
  return piece;
}

std::vector<Piece> make_pieces(const TriangleMesh& from, const bvh::MeshView& to, int threads) {
  std::vector<Piece> pieces(from.triangles.size());
  parallel_for(
      pieces.size(), kGrain,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto& corner = from.triangles[i];
          pieces[i] = make_piece(
              {{from.vertices[corner[0]], from.vertices[corner[1]], from.vertices[corner[2]]}}, to,
              i);
        }
      },
      threads);
  return pieces;
}

// The side of a solid's surface on which points count; `unknown`: all do.
struct Counted {
  const Solid* solid = nullptr;
  Side side = Side::unknown;

  // Asked only of pieces that could matter. A point that does not count is farther from one that
  // does than from the surface between them.
  bool counts(Piece& piece) const {
    if (side == Side::unknown) return true;
    if (piece.side == Side::unknown)
      piece.side = solid->inside(piece.middle) ? Side::inside : Side::outside;
    if (piece.side == side) return true;
    piece.upper = std::min(piece.upper, std::max(0.0, largest_way(piece) - piece.distance));
    return false;
  }
};

// The sides that were asked for stay with `pieces`.
Deviation search(std::vector<Piece>& pieces, const bvh::MeshView& to, double tolerance,
                 double least, const Counted& counted) {
  std::vector<Piece> heap = pieces;
  std::make_heap(heap.begin(), heap.end(), less_wide);
  std::size_t made = heap.size();
  Deviation best;
  const auto settled = [&](const Piece& piece) {
    return piece.upper <= std::max(best.lower, least) + tolerance;
  };
  while (made < kMostPieces && !settled(heap.front())) {
    std::pop_heap(heap.begin(), heap.end(), less_wide);
    Piece piece = heap.back();
    heap.pop_back();
    const bool counts = counted.counts(piece);
    if (piece.number < pieces.size()) pieces[piece.number].side = piece.side;
    if (counts && piece.distance > best.lower) {
      best.lower = piece.distance;
      best.at = piece.middle;
    }
    if (settled(piece)) {
      heap.push_back(piece);
      std::push_heap(heap.begin(), heap.end(), less_wide);
      continue;
    }
    const auto& v = piece.triangle.corner;
    std::size_t side = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      if (squared_norm(v[(k + 1) % 3] - v[k]) > squared_norm(v[(side + 1) % 3] - v[side])) side = k;
    }
    const Vec3 &p = v[side], &q = v[(side + 1) % 3], &r = v[(side + 2) % 3];
    const Vec3 middle = (p + q) * 0.5;
    for (const Triangle& triangle : {Triangle{{p, middle, r}}, Triangle{{middle, q, r}}}) {
      Piece half = make_piece(triangle, to, made++);
      half.upper = std::min(half.upper, piece.upper);
      // The surface does not pass between the two middles.
      if (norm(half.middle - piece.middle) < piece.distance) half.side = piece.side;
      heap.push_back(half);
      std::push_heap(heap.begin(), heap.end(), less_wide);
    }
  }
  best.upper = std::max(best.lower, heap.front().upper);
  return best;
}

}  // namespace

Deviation largest_distance(const TriangleMesh& from, const bvh::MeshView& to, double tolerance,
                           double least, int threads) {
  std::vector<Piece> pieces = make_pieces(from, to, threads);
  return search(pieces, to, tolerance, least, {});
}

SidedDeviation largest_distances(const TriangleMesh& from, const Solid& solid, double tolerance,
                                 int threads) {
  const bvh::MeshView to = solid.view();
  std::vector<Piece> pieces = make_pieces(from, to, threads);
  SidedDeviation d;
  d.outside = search(pieces, to, tolerance, 0.0, {&solid, Side::outside});
  d.inside = search(pieces, to, tolerance, kMatters * d.outside.lower, {&solid, Side::inside});
  return d;
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
  const SidedDeviation beyond = largest_distances(boundary, solid, tolerance, threads);
  result.bulge = beyond.outside;
  result.hollow = beyond.inside;
  result.fill =
      largest_distance(solid.outer_surface(), {boundary, tree}, tolerance,
                       kMatters * std::max(result.bulge.lower, result.hollow.lower), threads);
  result.volume = mass_properties(boundary).volume;
  return result;
}

}  // namespace tactus::detail::fit
