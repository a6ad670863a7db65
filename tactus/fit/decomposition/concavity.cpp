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

// Distance up to which bodies count as touching when the boundary of their union is made, of the
// unit: above the rounding of the cuts, far below what is measured.
constexpr double kTouching = 1e-8;
constexpr std::size_t kMostPieces = 1000000;
constexpr std::size_t kGrain = 64;
// A deviation smaller than this part of the largest one is not measured further.
constexpr double kMatters = 0.5;
// Pieces nearer than this, of their size, are cut along the triangle below them, where they hang
// over it by more than this part of the tolerance.
constexpr double kNearby = 0.25, kOverhang = 0.01;
// Half the diagonal of a cube, in half sides, rounded up.
constexpr double kHalfDiagonal = 1.7320508075688774;
// Hollows of a smaller depth, of the unit, are not looked for; volume of a ball of radius 1,
// rounded down.
constexpr double kLeastHollow = 0.004;
constexpr double kBall = 4.18;

enum class Side : std::uint8_t { unknown, outside, inside };

struct Piece {
  Triangle triangle;
  Vec3 middle;
  double distance = 0.0;      ///< of the middle
  double upper = 0.0;         ///< of the distance of all points, or of those that count
  std::size_t number = 0;     ///< in the order of making: ties are broken by it
  std::uint32_t nearest = 0;  ///< triangle to the middle
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

Triangle triangle_of(const TriangleMesh& mesh, std::uint32_t t) {
  const auto& corner = mesh.triangles[t];
  return {{mesh.vertices[corner[0]], mesh.vertices[corner[1]], mesh.vertices[corner[2]]}};
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
  piece.nearest = nearest.triangle;
  const Triangle triangle = triangle_of(to.mesh, nearest.triangle);
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

// The side of a triangle's edge on which most of a piece's overhang lies, as a plane; false when
// the piece does not cross the edge's plane. Pieces near the surface are cut there: what lies over
// the one triangle is bounded by it, and the rest has another one that is nearest.
bool crossing_side(const Piece& piece, const Triangle& over, double least, Vec3& normal,
                   double& offset) {
  const Vec3 up = cross(over.corner[1] - over.corner[0], over.corner[2] - over.corner[0]);
  double most = least;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3& at = over.corner[k];
    const Vec3 inward = normalized(cross(up, over.corner[(k + 1) % 3] - at), {});
    double low = 0.0, high = 0.0;
    for (const Vec3& v : piece.triangle.corner) {
      const double h = dot(inward, v - at);
      low = std::min(low, h);
      high = std::max(high, h);
    }
    if (std::min(-low, high) <= most) continue;
    most = std::min(-low, high);
    normal = inward;
    offset = dot(inward, at);
  }
  return most > least;
}

std::vector<Triangle> taken_apart(const Piece& piece, const TriangleMesh& to, double tolerance) {
  const auto& v = piece.triangle.corner;
  Vec3 normal;
  double offset = 0.0;
  if (piece.distance < kNearby * largest_way(piece) &&
      crossing_side(piece, triangle_of(to, piece.nearest), kOverhang * tolerance, normal, offset)) {
    std::vector<Triangle> parts;
    for (const double side : {-1.0, 1.0}) {
      std::vector<Vec3> polygon;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 &p = v[k], &q = v[(k + 1) % 3];
        const double hp = side * (dot(normal, p) - offset), hq = side * (dot(normal, q) - offset);
        if (hp >= 0.0) polygon.push_back(p);
        if ((hp > 0.0 && hq < 0.0) || (hp < 0.0 && hq > 0.0))
          polygon.push_back(p + (q - p) * (hp / (hp - hq)));
      }
      for (std::size_t i = 2; i < polygon.size(); ++i)
        parts.push_back({{polygon[0], polygon[i - 1], polygon[i]}});
    }
    return parts;
  }
  std::size_t side = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (squared_norm(v[(k + 1) % 3] - v[k]) > squared_norm(v[(side + 1) % 3] - v[side])) side = k;
  }
  const Vec3 &p = v[side], &q = v[(side + 1) % 3], &r = v[(side + 2) % 3];
  const Vec3 middle = (p + q) * 0.5;
  return {{{p, middle, r}}, {{middle, q, r}}};
}

// The sides that were asked for stay with `pieces`.
Deviation search(std::vector<Piece>& pieces, const bvh::MeshView& to, double tolerance,
                 double least, const Counted& counted, const MeasureLimits& limits) {
  std::vector<Piece> heap = pieces;
  std::make_heap(heap.begin(), heap.end(), less_wide);
  std::size_t made = heap.size();
  Deviation best;
  const auto settled = [&](const Piece& piece) {
    return piece.upper <= std::max(best.lower, least) + tolerance;
  };
  while (made < kMostPieces && !settled(heap.front()) && !limits.reached(best.lower)) {
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
    for (const Triangle& triangle : taken_apart(piece, to.mesh, tolerance)) {
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

// A cube of space in which the union of the parts may reach beyond the body, and how far at most.
struct Cube {
  Vec3 middle;
  double half;
  double upper;
  std::size_t number;
};

bool shallower(const Cube& a, const Cube& b) {
  return a.upper != b.upper ? a.upper < b.upper : a.number > b.number;
}

// Fills in `upper`; false when the cube misses all bodies. A middle that counts raises `best`.
bool deepest_in(Cube& cube, const Solid& solid, std::span<const ConvexHull> bodies,
                Deviation& best) {
  const double radius = kHalfDiagonal * cube.half;
  bool met = false, in_a_body = false;
  for (const ConvexHull& body : bodies) {
    if (body.dimension < 3) continue;
    double above = -std::numeric_limits<double>::infinity();
    for (const ConvexHull::Face& face : body.faces) {
      above = std::max(above, dot(face.normal, cube.middle) - face.offset);
      if (above > radius) break;
    }
    met = met || above <= radius;
    in_a_body = in_a_body || above <= 0.0;
    if (in_a_body) break;
  }
  if (!met) return false;
  const double distance = bvh::nearest_point(solid.view(), cube.middle).distance;
  if (solid.inside(cube.middle)) {
    cube.upper = radius - distance;
    return true;
  }
  cube.upper = radius + distance;
  if (in_a_body && distance > best.lower) {
    best.lower = distance;
    best.at = cube.middle;
  }
  return true;
}

}  // namespace

Deviation largest_distance(const TriangleMesh& from, const bvh::MeshView& to, double tolerance,
                           double least, int threads, const MeasureLimits& limits) {
  std::vector<Piece> pieces = make_pieces(from, to, threads);
  return search(pieces, to, tolerance, least, {}, limits);
}

SidedDeviation largest_distances(const TriangleMesh& from, const Solid& solid, double tolerance,
                                 int threads, const MeasureLimits& limits) {
  const bvh::MeshView to = solid.view();
  std::vector<Piece> pieces = make_pieces(from, to, threads);
  SidedDeviation d;
  d.outside = search(pieces, to, tolerance, 0.0, {&solid, Side::outside}, limits);
  d.inside =
      search(pieces, to, tolerance, kMatters * d.outside.lower, {&solid, Side::inside}, limits);
  return d;
}

Deviation largest_filled_depth(const Solid& solid, std::span<const ConvexHull> bodies,
                               double tolerance, double least, const MeasureLimits& limits) {
  Deviation best;
  best.upper = least;
  if (bodies.empty()) return best;
  Vec3 low = bodies[0].vertices[0], high = low;
  for (const ConvexHull& body : bodies) {
    for (const Vec3& v : body.vertices) {
      low = component_min(low, v);
      high = component_max(high, v);
    }
  }
  std::vector<Cube> heap;
  std::size_t made = 0;
  const auto add = [&](const Vec3& middle, double half) {
    Cube cube{middle, half, 0.0, made++};
    if (!deepest_in(cube, solid, bodies, best)) return;
    if (cube.upper <= std::max(best.lower + tolerance, least)) return;
    heap.push_back(cube);
    std::push_heap(heap.begin(), heap.end(), shallower);
  };
  add((low + high) * 0.5, 0.5 * max_abs(high - low));
  const auto open = [&] {
    return !heap.empty() && heap.front().upper > std::max(best.lower + tolerance, least);
  };
  while (open() && made < kMostPieces && !limits.reached(best.lower)) {
    std::pop_heap(heap.begin(), heap.end(), shallower);
    const Cube cube = heap.back();
    heap.pop_back();
    const double half = 0.5 * cube.half;
    for (int i = 0; i < 8; ++i) {
      add(cube.middle + Vec3{i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half},
          half);
    }
  }
  best.upper = std::max(best.lower + tolerance, least);
  if (open()) best.upper = heap.front().upper;
  return best;
}

Concavity measure_concavity(const Solid& solid, std::span<const ConvexHull> bodies,
                            double tolerance, int threads, double bound,
                            const MeasureLimits& limits) {
  Concavity result;
  const TriangleMesh boundary = union_boundary(bodies, kTouching * solid.unit(), threads);
  if (boundary.triangles.empty()) {
    result.bulge.upper = result.hollow.upper = result.fill.upper =
        std::numeric_limits<double>::infinity();
    return result;
  }
  const bvh::Hierarchy<bvh::OrientedBox> tree(boundary);
  const SidedDeviation beyond = largest_distances(boundary, solid, tolerance, threads, limits);
  result.bulge = beyond.outside;
  result.hollow = beyond.inside;
  result.fill = largest_distance(solid.outer_surface(), {boundary, tree}, tolerance,
                                 kMatters * std::max(result.bulge.lower, result.hollow.lower),
                                 threads, limits);
  result.volume = mass_properties(boundary).volume;
  if (!solid.closed() || result.lower() > bound) return result;
  // A filled hollow deeper than all else holds a ball. Nothing is filled where there is no volume
  // for it.
  const double excess = result.volume - std::fabs(mass_properties(solid.mesh()).volume);
  const double least = std::max(kLeastHollow * solid.unit(), std::min(bound, result.upper()));
  const double radius = std::max(least - result.bulge.upper, kLeastHollow * solid.unit());
  const double ball = kBall * (radius * radius * radius);
  if (excess < ball && excess > -ball) return result;
  const Deviation filled = largest_filled_depth(solid, bodies, tolerance, least, limits);
  const bool deeper = filled.lower > result.bulge.lower;
  if (deeper || filled.upper > least)
    result.bulge.upper = std::max(result.bulge.upper, filled.upper);
  if (!deeper) return result;
  result.bulge.lower = filled.lower;
  result.bulge.at = filled.at;
  return result;
}

}  // namespace tactus::detail::fit
