#include "tactus/mesh/quickhull.hpp"

#include <cmath>
#include <limits>

#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

std::size_t next(std::size_t corner) { return corner == 2 ? 0 : corner + 1; }

// Coordinates are at most 1, so those of a difference at most 2; twice that pays for the rounding
// of the bound.
constexpr double kLargestDifference = 4.0;

// Every point that is not yet a vertex waits in the list of one triangle strictly below it. A step
// takes the farthest point of a list, removes the triangles that see it, and closes the hole with a
// cone of new triangles. A point above a removed triangle and outside the grown hull is strictly
// above one of the new triangles: the triangles that see it are connected, so they cross the hole's
// rim somewhere, and the new triangle at that edge lies in the angle between the old two. So the
// lists of the removed triangles are dealt to the new ones only, and what none of them sees is
// inside. Triangles exactly coplanar with the point stay: since they do not see it, none of the new
// ones can be degenerate.
class Quickhull {
 public:
  Quickhull(std::span<const Vec3> points, const std::array<std::uint32_t, 4>& simplex)
      : points_(points), waiting_(points.size(), kNone), at_tail_(points.size(), kNone) {
    const auto [a, b, c, d] = simplex;
    const std::array<std::uint32_t, 4> first = {make(a, b, c), make(a, d, b), make(b, d, c),
                                                make(c, d, a)};
    facets_[first[0]].triangle.neighbor = {first[1], first[2], first[3]};
    facets_[first[1]].triangle.neighbor = {first[3], first[2], first[0]};
    facets_[first[2]].triangle.neighbor = {first[1], first[3], first[0]};
    facets_[first[3]].triangle.neighbor = {first[2], first[1], first[0]};
    for (std::uint32_t i = 0; i < points.size(); ++i) deal(i, first);
    enqueue(first);
  }

  std::vector<HullTriangle> run() {
    // The queue grows while it is worked through; facets in it may have been removed, or emptied,
    // meanwhile.
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (facets_[queue_[i]].waiting_first != kNone) add_farthest(queue_[i]);
    }
    return result();
  }

 private:
  struct Facet {
    HullTriangle triangle;
    Vec3 origin, normal;  // of the plane; the normal is not unit, and rounded
    double error = 0.0;   // bound of the rounding error of the height of any point
    std::uint32_t waiting_first = kNone, waiting_last = kNone;
    std::uint32_t farthest = kNone;
    double farthest_height = 0.0;
    bool alive = true;
    bool visible = false;
  };

  std::uint32_t make(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint32_t index;
    if (free_.empty()) {
      index = static_cast<std::uint32_t>(facets_.size());
      facets_.emplace_back();
    } else {
      index = free_.back();
      free_.pop_back();
      facets_[index] = Facet{};
    }
    Facet& facet = facets_[index];
    facet.triangle = {{a, b, c}, {kNone, kNone, kNone}};
    facet.origin = points_[a];
    const Vec3 u = points_[b] - points_[a], v = points_[c] - points_[a];
    facet.normal = cross(u, v);
    const Vec3 s = component_abs(u), t = component_abs(v);
    const double terms =
        (s.y * t.z + s.z * t.y) + (s.z * t.x + s.x * t.z) + (s.x * t.y + s.y * t.x);
    facet.error = kOrient3dError * kLargestDifference * terms;
    return index;
  }

  // Six times the volume between facet and point, rounded, but positive exactly when the point sees
  // the facet. Where its sign is clear, it is the determinant that orient3d computes.
  double height(const Facet& facet, std::uint32_t point) const {
    const double determinant = dot(facet.normal, points_[point] - facet.origin);
    if (std::fabs(determinant) > facet.error) return determinant;
    const auto& [a, b, c] = facet.triangle.corner;
    const bool sees = orient3d(points_[a], points_[b], points_[c], points_[point]) > 0;
    return sees ? std::fmax(determinant, std::numeric_limits<double>::min()) : 0.0;
  }

  // Appends the point to the list of the first of `facets` that it sees.
  void deal(std::uint32_t point, std::span<const std::uint32_t> facets) {
    for (const std::uint32_t f : facets) {
      Facet& facet = facets_[f];
      const double h = height(facet, point);
      if (!(h > 0.0)) continue;
      if (h > facet.farthest_height) {
        facet.farthest_height = h;
        facet.farthest = point;
      }
      (facet.waiting_first == kNone ? facet.waiting_first : waiting_[facet.waiting_last]) = point;
      facet.waiting_last = point;
      waiting_[point] = kNone;
      return;
    }
  }

  void enqueue(std::span<const std::uint32_t> facets) {
    for (const std::uint32_t f : facets) {
      if (facets_[f].waiting_first != kNone) queue_.push_back(f);
    }
  }

  void add_farthest(std::uint32_t start) {
    const std::uint32_t apex = facets_[start].farthest;
    find_visible(start, apex);
    build_cone(apex);
    for (const std::uint32_t f : visible_) {
      for (std::uint32_t p = facets_[f].waiting_first; p != kNone;) {
        const std::uint32_t following = waiting_[p];
        if (p != apex) deal(p, cone_);
        p = following;
      }
      facets_[f] = Facet{};
      facets_[f].alive = false;
    }
    free_.insert(free_.end(), visible_.begin(), visible_.end());
    enqueue(cone_);
  }

  // All triangles that see the apex (they are connected), and the edges of those around them.
  void find_visible(std::uint32_t start, std::uint32_t apex) {
    visible_.assign(1, start);
    rim_.clear();
    facets_[start].visible = true;
    for (std::size_t i = 0; i < visible_.size(); ++i) {
      for (std::size_t side = 0; side < 3; ++side) {
        const HullTriangle& triangle = facets_[visible_[i]].triangle;
        const std::uint32_t beyond = triangle.neighbor[side];
        if (facets_[beyond].visible) continue;
        if (height(facets_[beyond], apex) > 0.0) {
          facets_[beyond].visible = true;
          visible_.push_back(beyond);
        } else {
          rim_.push_back({triangle.corner[side], triangle.corner[next(side)], beyond});
        }
      }
    }
  }

  // One new triangle per edge of the rim, a single closed path.
  void build_cone(std::uint32_t apex) {
    cone_.clear();
    for (const RimEdge& edge : rim_) {
      const std::uint32_t f = make(edge.tail, edge.head, apex);
      cone_.push_back(f);
      at_tail_[edge.tail] = f;
      facets_[f].triangle.neighbor[0] = edge.beyond;
      HullTriangle& beyond = facets_[edge.beyond].triangle;
      for (std::size_t side = 0; side < 3; ++side) {
        if (beyond.corner[side] == edge.head && beyond.corner[next(side)] == edge.tail) {
          beyond.neighbor[side] = f;
        }
      }
    }
    for (const std::uint32_t f : cone_) {
      const std::uint32_t following = at_tail_[facets_[f].triangle.corner[1]];
      facets_[f].triangle.neighbor[1] = following;
      facets_[following].triangle.neighbor[2] = f;
    }
  }

  std::vector<HullTriangle> result() const {
    std::vector<std::uint32_t> renumbered(facets_.size(), kNone);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < facets_.size(); ++i) {
      if (facets_[i].alive) renumbered[i] = count++;
    }
    std::vector<HullTriangle> triangles;
    triangles.reserve(count);
    for (const Facet& facet : facets_) {
      if (!facet.alive) continue;
      HullTriangle triangle = facet.triangle;
      for (std::uint32_t& neighbor : triangle.neighbor) neighbor = renumbered[neighbor];
      triangles.push_back(triangle);
    }
    return triangles;
  }

  struct RimEdge {
    std::uint32_t tail, head;  // counter-clockwise in the removed triangle
    std::uint32_t beyond;      // the triangle that stays
  };

  std::span<const Vec3> points_;
  std::vector<std::uint32_t> waiting_;  // next point in the same list
  std::vector<std::uint32_t> at_tail_;  // new triangle at the rim edge that starts at a point
  std::vector<Facet> facets_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint32_t> visible_, cone_;
  std::vector<RimEdge> rim_;
};

}  // namespace

std::vector<HullTriangle> quickhull(std::span<const Vec3> points,
                                    const std::array<std::uint32_t, 4>& simplex) {
  return Quickhull(points, simplex).run();
}

}  // namespace tactus::detail
