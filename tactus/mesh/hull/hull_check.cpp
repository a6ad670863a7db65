#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/mesh.hpp"
#include "tactus/mesh/hull/cone_map.hpp"
#include "tactus/mesh/hull/hull_points.hpp"
#include "tactus/mesh/hull/hull_surface.hpp"
#include "tactus/mesh/hull/surface_walk.hpp"

namespace tactus {
using namespace detail;
namespace {

using detail::HullTriangle;
using detail::kNoIndex;
using Index = std::uint32_t;

constexpr std::size_t kGrain = 4096;

/// Number of the first of [0, count) that is not `right`, or count.
template <class Right>
std::size_t first_wrong(std::size_t count, int max_threads, Right&& right) {
  std::vector<std::size_t> wrong(count / kGrain + 1, count);
  parallel_for(
      count, kGrain,
      [&](std::size_t begin, std::size_t end) {
        std::size_t i = begin;
        while (i < end && right(i)) ++i;
        if (i < end) wrong[begin / kGrain] = i;
      },
      max_threads);
  return *std::min_element(wrong.begin(), wrong.end());
}

/// Is the polygon strictly convex and without loops? `turn(i, j, k)` is positive when the corners
/// turn to the left.
template <class Turn>
bool strictly_convex(std::span<const Index> corners, Turn&& turn) {
  const std::size_t count = corners.size();
  if (count < 3) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (turn(corners[i], corners[(i + 1) % count], corners[(i + 2) % count]) <= 0) return false;
  }
  // All corners left of the first side, in the order of their directions from its start: once
  // around.
  for (std::size_t i = 2; i < count; ++i) {
    if (turn(corners[0], corners[1], corners[i]) <= 0) return false;
    if (turn(corners[0], corners[i - 1], corners[i]) <= 0) return false;
  }
  return true;
}

class Checker {
 public:
  Checker(std::span<const Vec3> points, const ConvexHull& hull, int max_threads)
      : hull_(hull), max_threads_(max_threads), points_(detail::rescaled(points)) {}

  HullCheck run() {
    if (!vertices_are_points()) return fail("a vertex is not the point that it is said to be");
    switch (hull_.dimension) {
      case 0:
        count([&](const Vec3& p) { return p == vertices_[0] ? 0 : 1; });
        break;
      case 1:
        check_segment();
        break;
      case 2:
        check_polygon();
        break;
      default:
        check_body();
    }
    if (result_.outside > 0) fail("points lie outside");
    return result_;
  }

 private:
  HullCheck fail(const char* problem) {
    if (result_.ok()) result_.problem = problem;
    return result_;
  }

  bool vertices_are_points() {
    if (hull_.vertices.empty() || hull_.source.size() != hull_.vertices.size()) return false;
    const std::size_t least =
        hull_.dimension < 3 ? static_cast<std::size_t>(hull_.dimension) + 1 : 4;
    if (hull_.dimension < 0 || hull_.vertices.size() < least) return false;
    vertices_.reserve(hull_.vertices.size());
    for (std::size_t i = 0; i < hull_.vertices.size(); ++i) {
      if (hull_.source[i] >= points_.size()) return false;
      if (i > 0 && hull_.source[i] <= hull_.source[i - 1]) return false;
      vertices_.push_back(points_[hull_.source[i]]);
    }
    return true;
  }

  /// Counts the points by `where`: -1 inside, 0 on the boundary, 1 outside.
  template <class Where>
  void count(Where&& where) {
    struct Counts {
      std::uint64_t inside = 0, boundary = 0, outside = 0;
    };
    std::vector<Counts> counts(points_.size() / kGrain + 1);
    parallel_for(
        points_.size(), kGrain,
        [&](std::size_t begin, std::size_t end) {
          Counts& c = counts[begin / kGrain];
          for (std::size_t i = begin; i < end; ++i) {
            const int side = where(points_[i]);
            ++(side < 0 ? c.inside : side > 0 ? c.outside : c.boundary);
          }
        },
        max_threads_);
    for (const Counts& c : counts) {
      result_.inside += c.inside;
      result_.boundary += c.boundary;
      result_.outside += c.outside;
    }
  }

  void check_segment() {
    const auto [low, high] = std::minmax(vertices_[0], vertices_[1], detail::lexicographic);
    if (hull_.vertices.size() != 2 || low == high) {
      fail("a segment has two ends");
      return;
    }
    count([&, a = low, b = high](const Vec3& p) {
      const bool between = !detail::lexicographic(p, a) && !detail::lexicographic(b, p);
      return between && collinear(a, b, p) ? 0 : 1;
    });
  }

  void check_polygon() {
    if (hull_.faces.size() != 1 || !face_is_whole(0) ||
        hull_.face_vertices.size() != vertices_.size()) {
      fail("a flat hull has one face with all vertices");
      return;
    }
    const auto corners = hull_.corners(hull_.faces[0]);
    const auto orient_along = [&](int axis, const Vec3& a, const Vec3& b, const Vec3& c) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      return orient2d(a[u], a[v], b[u], b[v], c[u], c[v]);
    };
    const Vec3 &a = vertices_[corners[0]], &b = vertices_[corners[1]], &c = vertices_[corners[2]];
    int axis = 0, sign = 0;
    for (; axis < 3 && sign == 0; ++axis) sign = orient_along(axis, a, b, c);
    --axis;
    const auto turn = [&](const Vec3& p, const Vec3& q, const Vec3& r) {
      return sign * orient_along(axis, p, q, r);
    };
    const auto corner = [&](std::size_t i) -> const Vec3& { return vertices_[corners[i]]; };
    if (sign == 0 || !strictly_convex(corners, [&](Index i, Index j, Index k) {
          return turn(vertices_[i], vertices_[j], vertices_[k]);
        })) {
      fail("the face is not a convex polygon");
      return;
    }
    count([&](const Vec3& p) {
      if (orient3d(a, b, c, p) != 0) return 1;
      if (turn(a, b, p) < 0 || turn(corner(corners.size() - 1), a, p) < 0) return 1;
      // The wedge from the first corner that holds the point.
      std::size_t low = 1, high = corners.size() - 1;
      while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        (turn(a, corner(middle), p) >= 0 ? low : high) = middle;
      }
      return turn(corner(low), corner(high), p) >= 0 ? 0 : 1;
    });
  }

  void check_body() {
    centered_ = choose_center();
    if (!faces_are_convex()) {
      fail("a face is not a flat, convex polygon above the inside");
      return;
    }
    triangulate();
    if (!sides_meet()) {
      fail("the surface is not closed, or its edges are not the listed ones");
      return;
    }
    if (!is_sphere()) {
      fail("the surface is not connected and of genus 0");
      return;
    }
    if (!edges_are_convex()) {
      fail("an edge is not strictly convex");
      return;
    }
    const Index ray = centered_ ? ray_triangle() : kNoIndex;
    if (ray == kNoIndex) {
      check_thin_body();
      return;
    }
    if (!winds_once(ray)) {
      fail("the surface winds around its centre more than once");
      return;
    }
    const detail::ConeMap map(vertices_, triangles_, center_);
    count([&](const Vec3& p) {
      const Index t = map.locate(p);
      if (t == kNoIndex) return 1;
      const auto& [a, b, c] = triangles_[t].corner;
      return orient3d(vertices_[a], vertices_[b], vertices_[c], p);
    });
  }

  /// A point strictly inside of a simplex of vertices, if need be after both were made fat.
  bool choose_center() {
    const detail::StartSimplex simplex = detail::find_simplex(vertices_);
    if (simplex.dimension < 3) return false;
    std::optional<Vec3> center = detail::inner_point(vertices_, simplex.point);
    if (!center) {
      detail::fatten(points_);
      for (std::size_t i = 0; i < vertices_.size(); ++i) vertices_[i] = points_[hull_.source[i]];
      center = detail::inner_point(vertices_, simplex.point);
    }
    if (center) center_ = *center;
    return center.has_value();
  }

  /// So thin that no double lies strictly inside, or that the doubles next to the middle of a face
  /// are seen through others. Where all vertices lie below all faces these are parts of the hull's
  /// own; their sides are edges of the hull, since two of its planes meet there, so that none of
  /// them is less than a whole face; and connected they are all of them.
  void check_thin_body() {
    const auto supports = [&](std::size_t t) {
      return std::all_of(vertices_.begin(), vertices_.end(),
                         [&](const Vec3& v) { return height(triangles_[t], v) <= 0; });
    };
    if (first_wrong(triangles_.size(), max_threads_, supports) != triangles_.size()) {
      fail("a vertex lies above a face");
      return;
    }
    count([&](const Vec3& p) {
      int highest = -1;
      for (const HullTriangle& t : triangles_) {
        highest = std::max(highest, height(t, p));
        if (highest > 0) return 1;
      }
      return highest;
    });
  }

  /// Sign: positive above the triangle.
  int height(const HullTriangle& t, const Vec3& p) const {
    return orient3d(vertices_[t.corner[0]], vertices_[t.corner[1]], vertices_[t.corner[2]], p);
  }

  bool face_is_whole(std::size_t f) const {
    const ConvexHull::Face& face = hull_.faces[f];
    if (face.count < 3 || face.first > hull_.face_vertices.size() ||
        face.count > hull_.face_vertices.size() - face.first)
      return false;
    const auto corners = hull_.corners(face);
    return std::all_of(corners.begin(), corners.end(),
                       [&](Index v) { return v < vertices_.size(); });
  }

  bool faces_are_convex() const {
    const auto right = [&](std::size_t f) {
      if (!face_is_whole(f)) return false;
      const auto corners = hull_.corners(hull_.faces[f]);
      const Vec3 &a = vertices_[corners[0]], &b = vertices_[corners[1]], &c = vertices_[corners[2]];
      const auto in_plane = [&](Index v) { return orient3d(a, b, c, vertices_[v]) == 0; };
      if (!std::all_of(corners.begin(), corners.end(), in_plane)) return false;
      // Seen from below: from the centre, or else from a vertex of another face.
      const auto below = std::find_if(vertices_.begin(), vertices_.end(),
                                      [&](const Vec3& v) { return orient3d(a, b, c, v) < 0; });
      if (!centered_ && below == vertices_.end()) return false;
      const Vec3& eye = centered_ ? center_ : *below;
      return strictly_convex(corners, [&](Index i, Index j, Index k) {
        return orient3d(eye, vertices_[i], vertices_[j], vertices_[k]);
      });
    };
    return !hull_.faces.empty() &&
           first_wrong(hull_.faces.size(), max_threads_, right) == hull_.faces.size();
  }

  /// Faces as fans; neighbours within a fan only.
  void triangulate() {
    for (Index f = 0; f < hull_.faces.size(); ++f) {
      const auto corners = hull_.corners(hull_.faces[f]);
      for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const auto t = static_cast<Index>(triangles_.size());
        triangles_.push_back(
            {{corners[0], corners[i], corners[i + 1]},
             {i > 1 ? t - 1 : kNoIndex, kNoIndex, i + 2 < corners.size() ? t + 1 : kNoIndex}});
        face_.push_back(f);
      }
    }
  }

  /// Joins the fans: each side must have one opposite, and be the edge that the hull lists.
  bool sides_meet() {
    struct Side {
      Index low, high, triangle;
      std::uint8_t side;
      bool forward;
    };
    std::vector<Side> sides;
    for (Index t = 0; t < triangles_.size(); ++t) {
      for (std::uint8_t side = 0; side < 3; ++side) {
        if (triangles_[t].neighbor[side] != kNoIndex) continue;
        const Index tail = triangles_[t].corner[side], head = triangles_[t].corner[(side + 1) % 3];
        sides.push_back({std::min(tail, head), std::max(tail, head), t, side, tail < head});
      }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
      if (a.low != b.low) return a.low < b.low;
      if (a.high != b.high) return a.high < b.high;
      return a.forward && !b.forward;
    });
    if (sides.size() != 2 * hull_.edges.size()) return false;
    for (std::size_t i = 0; i < sides.size(); i += 2) {
      const Side &a = sides[i], &b = sides[i + 1];
      const ConvexHull::Edge& edge = hull_.edges[i / 2];
      if (a.low != b.low || a.high != b.high || !a.forward || b.forward) return false;
      if (edge.tail != a.low || edge.head != a.high || edge.left != face_[a.triangle] ||
          edge.right != face_[b.triangle])
        return false;
      triangles_[a.triangle].neighbor[a.side] = b.triangle;
      triangles_[b.triangle].neighbor[b.side] = a.triangle;
    }
    return true;
  }

  /// Connected with Euler's number 2. Then no vertex can join two fans either: parted there, the
  /// surface would have more than 2.
  bool is_sphere() const {
    std::vector<bool> used(vertices_.size(), false), seen(triangles_.size(), false);
    std::vector<Index> stack = {0};
    seen[0] = true;
    std::size_t reached = 0;
    while (!stack.empty()) {
      const HullTriangle& t = triangles_[stack.back()];
      stack.pop_back();
      ++reached;
      for (std::size_t side = 0; side < 3; ++side) {
        used[t.corner[side]] = true;
        const Index beyond = t.neighbor[side];
        if (seen[beyond]) continue;
        seen[beyond] = true;
        stack.push_back(beyond);
      }
    }
    return reached == triangles_.size() &&
           std::find(used.begin(), used.end(), false) == used.end() &&
           vertices_.size() + hull_.faces.size() == hull_.edges.size() + 2;
  }

  bool edges_are_convex() const {
    return first_wrong(triangles_.size(), max_threads_, [&](std::size_t t) {
             const auto& [a, b, c] = triangles_[t].corner;
             for (const Index beyond : triangles_[t].neighbor) {
               if (face_[beyond] == face_[t]) continue;
               for (const Index v : triangles_[beyond].corner) {
                 // Two of the three are the edge's ends.
                 if (v == a || v == b || v == c) continue;
                 if (orient3d(vertices_[a], vertices_[b], vertices_[c], vertices_[v]) >= 0)
                   return false;
               }
             }
             return true;
           }) == triangles_.size();
  }

  Vec3 middle(Index t) const {
    const auto& [a, b, c] = triangles_[t].corner;
    return (vertices_[a] + vertices_[b] + vertices_[c]) * (1.0 / 3.0);
  }

  /// Does the line from the centre to p meet the triangle at all sides by `least` (a sign)?
  bool in_cone(const HullTriangle& t, const Vec3& p, int least) const {
    for (std::size_t side = 0; side < 3; ++side) {
      const Vec3 &tail = vertices_[t.corner[side]], &head = vertices_[t.corner[(side + 1) % 3]];
      if (orient3d(center_, tail, head, p) < least) return false;
    }
    return true;
  }

  /// The first triangle whose middle the centre sees strictly through it, rounded as it is.
  Index ray_triangle() const {
    for (Index t = 0; t < triangles_.size(); ++t) {
      if (in_cone(triangles_[t], middle(t), 1)) return t;
    }
    return kNoIndex;
  }

  /// Does the line from the centre through that triangle meet no other one?
  bool winds_once(Index ray) const {
    const Vec3 p = middle(ray);
    return first_wrong(triangles_.size(), max_threads_, [&](std::size_t t) {
             return t == ray || !in_cone(triangles_[t], p, 0);
           }) == triangles_.size();
  }

  const ConvexHull& hull_;
  int max_threads_;
  std::vector<Vec3> points_, vertices_;
  Vec3 center_;
  bool centered_ = false;  ///< is there a centre?
  std::vector<HullTriangle> triangles_;
  std::vector<Index> face_;  // of each triangle
  HullCheck result_;
};

}  // namespace

HullCheck check_hull(std::span<const Vec3> points, const ConvexHull& hull, int max_threads) {
  detail::check_points(points);
  return Checker(points, hull, max_threads).run();
}

}  // namespace tactus
