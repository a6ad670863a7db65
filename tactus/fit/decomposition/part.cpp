#include "tactus/fit/decomposition/part.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tactus/mesh.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/mesh/surface/triangle_meet.hpp"

namespace tactus::detail::fit {
namespace {

constexpr int kGridNodes = 64;
// Lengths, of the unit: spacing of the points at which a hull's surface is looked at, distance up
// to which a point is in a plane, and how far beside a hull a place on its surface may seem to be.
constexpr double kSpacing = 0.06;
constexpr double kOnPlane = 1e-9;
constexpr double kSamePlace = 1e-6;
// Nearer to a plane than this a wall of a void is none.
constexpr double kWall = 0.002;
// How far behind a face one looks whether the body goes on: by the grid, and exactly.
constexpr double kBehindByGrid = 0.005, kBehind = 1e-6;
// More pieces than this are not looked at in an estimate.
constexpr std::size_t kManyPieces = 8;
constexpr double kMostRows = 64.0;
// Three planes whose normals' determinant is smaller count as having no common point.
constexpr double kParallel = 1e-9;

bool less_by_place(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

bool in_plane(const ConvexHull& hull, const ConvexHull::Face& face, const Plane& plane,
              double tolerance) {
  for (const std::uint32_t v : hull.corners(face)) {
    if (std::fabs(dot(plane.normal, hull.vertices[v]) - plane.offset) > tolerance) return false;
  }
  return true;
}

// Points spread evenly over a triangle, about `spacing` apart, in rows along its longest side.
template <class Visit>
void each_point(const Triangle& triangle, double spacing, Visit&& visit) {
  std::size_t side = 0;
  double longest = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double length = norm(triangle.corner[(k + 1) % 3] - triangle.corner[k]);
    if (length > longest) {
      longest = length;
      side = k;
    }
  }
  if (!(longest > 0.0)) return;
  const Vec3 &p = triangle.corner[side], &q = triangle.corner[(side + 1) % 3],
             &r = triangle.corner[(side + 2) % 3];
  const double height = norm(cross(q - p, r - p)) / longest;
  const double rows = std::ceil(std::min(height / spacing, kMostRows)) + 1.0;
  for (double row = 0.5; row < rows; row += 1.0) {
    const double t = row / rows;
    const Vec3 from = p + (r - p) * t, along = (q - p) * (1.0 - t);
    const double points = std::ceil(std::min(longest * (1.0 - t) / spacing, kMostRows)) + 1.0;
    for (double point = 0.5; point < points; point += 1.0) visit(from + along * (point / points));
  }
}

// Distance to a face of a point below its plane. Edges count where the foot is beside the face.
double distance_to_face(const ConvexHull& hull, const ConvexHull::Face& face, const Vec3& p) {
  const auto corner = hull.corners(face);
  const double below = face.offset - dot(face.normal, p);
  double square = std::numeric_limits<double>::infinity();
  bool over = true;
  for (std::size_t i = 0; i < corner.size(); ++i) {
    const Vec3& a = hull.vertices[corner[i]];
    const Vec3 edge = hull.vertices[corner[i + 1 == corner.size() ? 0 : i + 1]] - a, to = p - a;
    if (dot(cross(edge, to), face.normal) >= 0.0) continue;
    over = false;
    const double t = dot(to, edge) / squared_norm(edge);
    square = std::min(square, squared_norm(to - edge * std::min(std::max(t, 0.0), 1.0)));
  }
  return over ? below : std::sqrt(square);
}

bool lies_on(const TriangleMesh& surface, const Vec3& p, double tolerance) {
  return std::any_of(surface.triangles.begin(), surface.triangles.end(), [&](const auto& t) {
    const Triangle triangle{
        {surface.vertices[t[0]], surface.vertices[t[1]], surface.vertices[t[2]]}};
    return point_to_triangle(p, triangle).distance <= tolerance;
  });
}

// The one point of three planes; false when there is none, or nearly.
bool common_point(const Plane& a, const Plane& b, const Plane& c, Vec3& p) {
  const Vec3 bc = cross(b.normal, c.normal);
  const double determinant = dot(a.normal, bc);
  if (std::fabs(determinant) < kParallel) return false;
  p = (bc * a.offset +
       (cross(c.normal, a.normal) * b.offset + cross(a.normal, b.normal) * c.offset)) /
      determinant;
  return true;
}

void append(TriangleMesh& to, const TriangleMesh& from) {
  const auto first = static_cast<std::uint32_t>(to.vertices.size());
  to.vertices.insert(to.vertices.end(), from.vertices.begin(), from.vertices.end());
  for (const auto& [a, b, c] : from.triangles)
    to.triangles.push_back({first + a, first + b, first + c});
}

}  // namespace

bool holds(const ConvexHull& hull, const Vec3& p, double tolerance) {
  if (hull.dimension < 3) return false;
  return std::all_of(hull.faces.begin(), hull.faces.end(), [&](const ConvexHull::Face& face) {
    return dot(face.normal, p) <= face.offset + tolerance;
  });
}

PartJudge::PartJudge(const Solid& solid, int threads, const std::atomic<bool>* cancel)
    : solid_(solid),
      grid_(solid, kGridNodes, threads, cancel),
      samples_(solid.outer_surface().vertices) {
  std::sort(samples_.begin(), samples_.end(), less_by_place);
  samples_.erase(std::unique(samples_.begin(), samples_.end()), samples_.end());
  // Where enclosed hollows are the deepest: a hull that fills one is known to bulge that far.
  if (!solid.closed()) return;
  for (const DistanceGrid::Peak& peak : grid_.enclosed_peaks())
    outside_.push_back({peak.at, peak.distance});
}

PartError PartJudge::judge(const ConvexHull& hull, std::span<const Vec3> samples,
                           std::span<const Plane> cuts) const {
  PartError error;
  error.volume = mass_properties(hull).volume;
  const double on_plane = kOnPlane * unit();
  std::vector<const ConvexHull::Face*> open;
  for (const ConvexHull::Face& face : hull.faces) {
    const bool cut = std::any_of(cuts.begin(), cuts.end(), [&](const Plane& plane) {
      return in_plane(hull, face, plane, on_plane);
    });
    if (!cut) open.push_back(&face);
    const auto corner = hull.corners(face);
    for (std::size_t i = 2; i < corner.size(); ++i) {
      const Triangle triangle{
          {hull.vertices[corner[0]], hull.vertices[corner[i - 1]], hull.vertices[corner[i]]}};
      each_point(triangle, kSpacing * unit(), [&](const Vec3& p) {
        const double out = grid_.at(p);
        if (out > error.bulge) {
          error.bulge = out;
          error.bulge_at = p;
          error.bulge_normal = face.normal;
        }
      });
    }
  }
  if (hull.dimension < 3) return error;
  judge_remembered(hull, error);
  if (open.empty()) {
    // The walls of a void, all around them body: nothing of them shows.
    const auto wall = std::find_if(samples.begin(), samples.end(),
                                   [&](const Vec3& p) { return holds(hull, p, -kWall * unit()); });
    if (wall == samples.end()) return error;
    error.fill = unit();
    error.fill_at = *wall;
    error.fill_normal = hull.faces[0].normal;
    return error;
  }
  for (const Vec3& p : samples) {
    double depth = std::numeric_limits<double>::infinity();
    Vec3 normal;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i]->offset - dot(open[i]->normal, p) >= depth) continue;
      const double below = distance_to_face(hull, *open[i], p);
      if (below >= depth) continue;
      depth = below;
      normal = open[i]->normal;
      if (depth > error.fill) continue;
      // The face that rules this sample out is likely to rule out the next one.
      std::swap(open[i], open[0]);
      break;
    }
    if (depth > error.fill) {
      error.fill = depth;
      error.fill_at = p;
      error.fill_normal = normal;
    }
  }
  return error;
}

void PartJudge::judge_remembered(const ConvexHull& hull, PartError& error) const {
  for (const Place& place : outside_) {
    if (place.out <= error.bulge || !holds(hull, place.at, kSamePlace * unit())) continue;
    const auto nearest = std::min_element(
        hull.faces.begin(), hull.faces.end(),
        [&](const ConvexHull::Face& a, const ConvexHull::Face& b) {
          return a.offset - dot(a.normal, place.at) < b.offset - dot(b.normal, place.at);
        });
    error.bulge = place.out;
    error.bulge_at = place.at;
    error.bulge_normal = nearest->normal;
  }
}

void PartJudge::remember_outside(const Vec3& place) {
  outside_.push_back({place, solid_.outside_by(place)});
}

void PartJudge::finish(Part& part) const {
  std::vector<Vec3> points = part.surface.vertices;
  points.insert(points.end(), part.corners.begin(), part.corners.end());
  if (points.empty()) return;
  part.hull = convex_hull(points);
  part.error = judge(part.hull, part.samples, part.cuts);
}

Part PartJudge::whole() const {
  Part part;
  part.surface = solid_.mesh();
  part.samples = samples_;
  finish(part);
  return part;
}

std::pair<Part, Part> PartJudge::split(const Part& part, const Plane& plane) const {
  SplitMesh halves = split_mesh(part.surface, plane, kOnPlane * unit());
  Part below, above;
  below.allowed = above.allowed = part.allowed;
  below.alone = above.alone = part.alone;
  below.surface = std::move(halves.below);
  above.surface = std::move(halves.above);
  // A point in the plane is of the side on which the surface about it goes on.
  const double touching = kOnPlane * unit();
  for (const Vec3& p : part.samples) {
    const double height = dot(plane.normal, p) - plane.offset;
    const bool in_the_plane = std::fabs(height) <= touching;
    if (in_the_plane ? lies_on(below.surface, p, touching) : height < 0.0)
      below.samples.push_back(p);
    if (in_the_plane ? lies_on(above.surface, p, touching) : height > 0.0)
      above.samples.push_back(p);
  }
  for (const Vec3& p : part.corners) {
    const double height = dot(plane.normal, p) - plane.offset;
    if (height <= touching) below.corners.push_back(p);
    if (height >= -touching) above.corners.push_back(p);
  }
  for (std::size_t i = 0; i < part.cuts.size(); ++i) {
    for (std::size_t j = i + 1; j < part.cuts.size(); ++j) {
      Vec3 p;
      if (!common_point(part.cuts[i], part.cuts[j], plane, p)) continue;
      bool within = true;
      for (std::size_t k = 0; k < part.cuts.size() && within; ++k) {
        within = k == i || k == j || dot(part.cuts[k].normal, p) <= part.cuts[k].offset + touching;
      }
      if (!within || !solid_.inside(p)) continue;
      below.corners.push_back(p);
      above.corners.push_back(p);
    }
  }
  below.cuts = part.cuts;
  below.cuts.push_back(plane);
  above.cuts = part.cuts;
  above.cuts.push_back({-plane.normal, -plane.offset});
  finish(below);
  finish(above);
  return {std::move(below), std::move(above)};
}

// Is there body behind a face of the hull, within the cuts?
bool PartJudge::goes_on(const ConvexHull& hull, std::span<const Plane> cuts, bool estimate) const {
  const double step = (estimate ? kBehindByGrid : kBehind) * unit();
  const auto body_at = [&](const Vec3& p) {
    return std::all_of(cuts.begin(), cuts.end(),
                       [&](const Plane& cut) { return dot(cut.normal, p) <= cut.offset; }) &&
           (estimate ? grid_.at(p) < -0.5 * step : solid_.inside(p));
  };
  const auto body_beside = [&](const Vec3& p, const Vec3& normal) {
    return body_at(p + normal * step) || (hull.dimension < 3 && body_at(p - normal * step));
  };
  return std::any_of(hull.faces.begin(), hull.faces.end(), [&](const ConvexHull::Face& face) {
    const auto corner = hull.corners(face);
    if (estimate) {
      Vec3 middle;
      for (const std::uint32_t v : corner) middle += hull.vertices[v];
      return body_beside(middle / static_cast<double>(face.count), face.normal);
    }
    bool found = false;
    for (std::size_t i = 2; i < corner.size() && !found; ++i) {
      const Triangle triangle{
          {hull.vertices[corner[0]], hull.vertices[corner[i - 1]], hull.vertices[corner[i]]}};
      each_point(triangle, kSpacing * unit(),
                 [&](const Vec3& p) { found = found || body_beside(p, face.normal); });
    }
    return found;
  });
}

std::vector<Part> PartJudge::islands(const Part& part, bool estimate) const {
  std::vector<TriangleMesh> pieces = connected_parts(part.surface);
  if (pieces.size() < 2 || (estimate && pieces.size() > kManyPieces)) return {};
  // Pieces whose hulls reach into each other stay together: a wall and its lining, for one.
  const double touching = kOnPlane * unit();
  std::vector<ConvexHull> hulls;
  hulls.reserve(pieces.size());
  for (const TriangleMesh& piece : pieces) hulls.push_back(convex_hull(piece.vertices));
  for (bool joined = true; joined;) {
    joined = false;
    for (std::size_t i = 0; i < pieces.size() && !joined; ++i) {
      for (std::size_t j = 0; j < pieces.size() && !joined; ++j) {
        if (i == j) continue;
        const bool reach = std::any_of(hulls[j].vertices.begin(), hulls[j].vertices.end(),
                                       [&](const Vec3& v) { return holds(hulls[i], v, touching); });
        if (!reach) continue;
        const std::size_t to = std::min(i, j), from = std::max(i, j);
        append(pieces[to], pieces[from]);
        hulls[to] = convex_hull(pieces[to].vertices);
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(from));
        hulls.erase(hulls.begin() + static_cast<std::ptrdiff_t>(from));
        joined = true;
      }
    }
  }
  if (pieces.size() < 2) return {};
  // Surfaces may also be joined by what is between them.
  for (const ConvexHull& hull : hulls) {
    if (goes_on(hull, part.cuts, estimate)) return {};
  }
  for (const Vec3& p : part.corners) {
    if (std::none_of(hulls.begin(), hulls.end(),
                     [&](const ConvexHull& hull) { return holds(hull, p, touching); }))
      return {};
  }
  std::vector<Part> islands(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    islands[i].surface = std::move(pieces[i]);
    islands[i].hull = std::move(hulls[i]);
    islands[i].cuts = part.cuts;
    islands[i].allowed = part.allowed;
    islands[i].alone = part.alone;
  }
  // Hulls hold their own samples; those of two hulls (which cross without corners) go to both.
  for (const Vec3& p : part.samples) {
    for (Part& island : islands) {
      if (holds(island.hull, p, touching)) island.samples.push_back(p);
    }
  }
  for (Part& island : islands) {
    island.error = judge(island.hull, island.samples, island.cuts);
  }
  return islands;
}

Part PartJudge::of_hull(const ConvexHull& hull) const {
  Part part;
  part.hull = hull;
  const double touching = kOnPlane * unit();
  for (const Vec3& p : samples_) {
    if (holds(hull, p, touching)) part.samples.push_back(p);
  }
  if (hull.dimension == 3) {
    for (const ConvexHull::Face& face : hull.faces) {
      bool behind = true;
      const auto corner = hull.corners(face);
      for (std::size_t i = 2; i < corner.size() && behind; ++i) {
        const Triangle triangle{
            {hull.vertices[corner[0]], hull.vertices[corner[i - 1]], hull.vertices[corner[i]]}};
        each_point(triangle, kSpacing * unit(), [&](const Vec3& p) {
          behind = behind && solid_.inside(p + face.normal * (kBehindByGrid * unit()));
        });
      }
      if (behind) part.cuts.push_back({face.normal, face.offset});
    }
  }
  part.error = judge(hull, part.samples, part.cuts);
  return part;
}

Part PartJudge::join(const Part& a, const Part& b) const {
  Part both;
  std::vector<Vec3> points = a.hull.vertices;
  points.insert(points.end(), b.hull.vertices.begin(), b.hull.vertices.end());
  both.samples = a.samples;
  both.samples.insert(both.samples.end(), b.samples.begin(), b.samples.end());
  both.allowed = std::min(a.allowed, b.allowed);
  both.hull = convex_hull(points);
  // Planes that still bound what is joined.
  const double touching = kOnPlane * unit();
  for (const Part* part : {&a, &b}) {
    for (const Plane& plane : part->cuts) {
      const bool bounds = std::all_of(
          both.hull.vertices.begin(), both.hull.vertices.end(),
          [&](const Vec3& v) { return dot(plane.normal, v) <= plane.offset + touching; });
      if (bounds) both.cuts.push_back(plane);
    }
  }
  both.error = judge(both.hull, both.samples, both.cuts);
  return both;
}

}  // namespace tactus::detail::fit
