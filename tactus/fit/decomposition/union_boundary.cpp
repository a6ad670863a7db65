#include "tactus/fit/decomposition/union_boundary.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core.hpp"

namespace tactus::detail::fit {
namespace {

using Polygon = std::vector<Vec3>;
using Face = ConvexHull::Face;

// Faces look the same way when the cosine between their normals is above this.
constexpr double kSameWay = 0.9;

struct Box {
  Vec3 lower, upper;
};

template <class Points>
Box box_of(const Points& points) {
  Box box{points[0], points[0]};
  for (const Vec3& p : points) {
    box.lower = component_min(box.lower, p);
    box.upper = component_max(box.upper, p);
  }
  return box;
}

bool apart(const Box& a, const Box& b, double by) {
  for (int k = 0; k < 3; ++k) {
    if (a.lower[k] > b.upper[k] + by || b.lower[k] > a.upper[k] + by) return true;
  }
  return false;
}

// The part of a convex polygon with normal . x <= offset goes to `below`, the rest to `above`.
void split(const Polygon& polygon, const Vec3& normal, double offset, Polygon& below,
           Polygon& above) {
  below.clear();
  above.clear();
  const std::size_t n = polygon.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 &p = polygon[i], &q = polygon[(i + 1) % n];
    const double hp = dot(normal, p) - offset, hq = dot(normal, q) - offset;
    (hp <= 0.0 ? below : above).push_back(p);
    if ((hp <= 0.0) != (hq <= 0.0)) {
      const Vec3 cut = p + (q - p) * (hp / (hp - hq));
      below.push_back(cut);
      above.push_back(cut);
    }
  }
  if (below.size() < 3) below.clear();
  if (above.size() < 3) above.clear();
}

// Narrower than `width`, or nearly: what rounding makes of coplanar points of a hull, and leaves
// along common edges of bodies. Such a piece is no boundary, nor does it hide one.
bool is_sliver(const Polygon& polygon, double width) {
  Vec3 twice;
  double around = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    twice += cross(p - polygon[0], q - polygon[0]);
    around += norm(q - p);
  }
  return norm(twice) <= width * around;
}

class Subtraction {
 public:
  Subtraction(std::span<const ConvexHull> bodies, double tolerance)
      : bodies_(bodies), tolerance_(tolerance) {
    for (const ConvexHull& body : bodies) boxes_.push_back(box_of(body.vertices));
  }

  /// Appends the pieces of a body's faces that lie in no other body, as a triangle soup.
  void remains(std::size_t body, TriangleMesh& out) {
    const ConvexHull& hull = bodies_[body];
    for (const Face& face : hull.faces) {
      Polygon polygon;
      for (const std::uint32_t v : hull.corners(face)) polygon.push_back(hull.vertices[v]);
      if (is_sliver(polygon, tolerance_)) continue;
      const Box box = box_of(polygon);
      std::vector<Polygon> pieces{polygon};
      for (std::size_t other = 0; other < bodies_.size() && !pieces.empty(); ++other) {
        if (other == body || bodies_[other].dimension < 3) continue;
        if (apart(box, boxes_[other], 2.0 * tolerance_)) continue;
        plan(face, body, other);
        std::vector<Polygon> left;
        for (const Polygon& piece : pieces) subtract(piece, bodies_[other], left);
        pieces = std::move(left);
      }
      for (Polygon& piece : pieces) {
        append(piece, out);
        if (hull.dimension == 3) continue;
        std::reverse(piece.begin(), piece.end());
        append(piece, out);
      }
    }
  }

 private:
  // Prepares to remove the part of `face` within `other`. The faces of `other` are pushed outwards
  // a little, so that nothing stays between bodies that touch. But where a face looks the same way
  // as ours, both would go: of these the one of the first body stays.
  void plan(const Face& face, std::size_t body, std::size_t other) {
    const ConvexHull& hull = bodies_[other];
    const bool flat = bodies_[body].dimension < 3;
    offset_.clear();
    for (const Face& g : hull.faces) {
      const double agree = dot(g.normal, face.normal);
      const bool same = agree > kSameWay || (flat && agree < -kSameWay);
      offset_.push_back(g.offset +
                        (same && (flat || other > body) ? -tolerance_ : 2.0 * tolerance_));
    }
  }

  void subtract(const Polygon& piece, const ConvexHull& hull, std::vector<Polygon>& left) {
    // First whether anything goes: an untouched piece is not cut up.
    inside_ = piece;
    for (std::size_t i = 0; i < hull.faces.size() && !inside_.empty(); ++i) {
      split(inside_, hull.faces[i].normal, offset_[i], below_, above_);
      inside_.swap(below_);
    }
    if (inside_.empty() || is_sliver(inside_, tolerance_)) {
      left.push_back(piece);
      return;
    }
    inside_ = piece;
    for (std::size_t i = 0; i < hull.faces.size() && !inside_.empty(); ++i) {
      split(inside_, hull.faces[i].normal, offset_[i], below_, above_);
      if (!above_.empty() && !is_sliver(above_, tolerance_)) left.push_back(above_);
      inside_.swap(below_);
    }
  }

  static void append(const Polygon& piece, TriangleMesh& out) {
    const auto first = static_cast<std::uint32_t>(out.vertices.size());
    out.vertices.insert(out.vertices.end(), piece.begin(), piece.end());
    for (std::uint32_t i = 2; i < piece.size(); ++i)
      out.triangles.push_back({first, first + i - 1, first + i});
  }

  std::span<const ConvexHull> bodies_;
  double tolerance_;
  std::vector<Box> boxes_;
  std::vector<double> offset_;  ///< of the other body's faces, moved
  Polygon inside_, below_, above_;
};

}  // namespace

TriangleMesh union_boundary(std::span<const ConvexHull> bodies, double tolerance, int threads) {
  std::vector<TriangleMesh> remains(bodies.size());
  const Subtraction common(bodies, tolerance);
  parallel_for(
      bodies.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        Subtraction work = common;
        for (std::size_t i = begin; i < end; ++i) work.remains(i, remains[i]);
      },
      threads);
  TriangleMesh all;
  for (const TriangleMesh& part : remains) {
    const auto first = static_cast<std::uint32_t>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), part.vertices.begin(), part.vertices.end());
    for (const auto& [a, b, c] : part.triangles)
      all.triangles.push_back({first + a, first + b, first + c});
  }
  return all;
}

}  // namespace tactus::detail::fit
