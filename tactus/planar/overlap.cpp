#include "tactus/planar/region/boundary.hpp"

namespace tactus::detail {
namespace {

/// A boundary, seen through a translation.
class Moved {
 public:
  Moved(const Boundary& boundary, const Vec2& shift) : boundary_(boundary), shift_(shift) {}
  const Boundary& boundary() const { return boundary_; }
  PlanarPoint point(std::size_t i) const { return placed(boundary_.points[i], shift_); }
  PlanarPoint end(std::size_t edge) const { return point(boundary_.next[edge]); }
  // Rounding is monotone: boxes of rounded points meet wherever those of the exact points do.
  Box2 moved(const Box2& box) const { return {box.low + shift_, box.high + shift_}; }

 private:
  const Boundary& boundary_;
  Vec2 shift_;
};

// Counts the edges to the right of the point. Each edge owns its lower end's height, not the upper.
int locate(const PlanarPoint& p, const Moved& region) {
  bool inside = false;
  const auto wanted = [&](const Box2& box) {
    const Box2 moved = region.moved(box);
    return moved.low.y <= p.high.y && p.high.y <= moved.high.y && p.high.x <= moved.high.x;
  };
  const bool on_it = region.boundary().tree.visit(wanted, [&](std::size_t edge) {
    const PlanarPoint a = region.point(edge), b = region.end(edge);
    const int ya = compare(a.high.y, a.low.y, p.high.y, p.low.y);
    const int yb = compare(b.high.y, b.low.y, p.high.y, p.low.y);
    if (ya * yb > 0) return false;
    const int side = orientation(a, b, p);
    if (side == 0 && on_segment(p, a, b)) return true;
    if ((ya <= 0) != (yb <= 0) && (side > 0) == (ya < yb) && side != 0) inside = !inside;
    return false;
  });
  return on_it ? 0 : (inside ? 1 : -1);
}

// Edge i of a against edge j of b: they cross, or the start of one lies on the other and the
// interiors meet there.
bool edges_meet(const Moved& a, std::size_t i, const Moved& b, std::size_t j) {
  const PlanarPoint a0 = a.point(i), a1 = a.end(i), b0 = b.point(j), b1 = b.end(j);
  const int at_b0 = orientation(a0, a1, b0), at_b1 = orientation(a0, a1, b1);
  if (at_b0 * at_b1 > 0) return false;
  const int at_a0 = orientation(b0, b1, a0), at_a1 = orientation(b0, b1, a1);
  if (at_a0 * at_a1 > 0) return false;
  if (at_b0 * at_b1 < 0 && at_a0 * at_a1 < 0) return true;
  if (same(a0, b0)) return sectors_meet(a.boundary().sector_at(i), b.boundary().sector_at(j));
  if (!same(a1, b0) && on_segment(b0, a0, a1) &&
      sectors_meet(a.boundary().half_plane(i), b.boundary().sector_at(j))) {
    return true;
  }
  return !same(a0, b1) && on_segment(a0, b0, b1) &&
         sectors_meet(a.boundary().sector_at(i), b.boundary().half_plane(j));
}

// Contours without a point in common with the other region's boundary lie on one side of it.
bool a_ring_is_inside(const Moved& a, const Moved& b) {
  for (const std::uint32_t i : a.boundary().rings) {
    if (locate(a.point(i), b) > 0) return true;
  }
  return false;
}

}  // namespace

int location(const Vec2& point, const Boundary& boundary, const Vec2& shift) {
  return locate(placed(point), Moved(boundary, shift));
}

int location_of_moved(const Vec2& point, const Vec2& shift, const Boundary& boundary) {
  return locate(placed(point, shift), Moved(boundary, {}));
}

namespace {

// Whether meet(i, j) holds for some edges whose boxes meet.
template <class Meet>
bool any_edges(const Moved& still, const Moved& other, Meet&& meet) {
  const Boundary &a = still.boundary(), &b = other.boundary();
  for (std::size_t j = 0; j < b.size(); ++j) {
    const Box2 box = other.moved(box_of(b.start(j), b.end(j)));
    const bool met = a.tree.visit(
        [&](const Box2& node) { return node.meets(box); },
        [&](std::size_t i) { return box_of(a.start(i), a.end(i)).meets(box) && meet(i, j); });
    if (met) return true;
  }
  return false;
}

}  // namespace

bool interiors_meet(const Boundary& a, const Boundary& b, const Vec2& shift) {
  const Moved still(a, {}), other(b, shift);
  if (!a.tree.box().meets(other.moved(b.tree.box()))) return false;
  if (any_edges(still, other,
                [&](std::size_t i, std::size_t j) { return edges_meet(still, i, other, j); })) {
    return true;
  }
  return a_ring_is_inside(still, other) || a_ring_is_inside(other, still);
}

bool closed_sets_meet(const Boundary& a, const Boundary& b, const Vec2& shift) {
  const Moved still(a, {}), other(b, shift);
  if (!a.tree.box().meets(other.moved(b.tree.box()))) return false;
  if (any_edges(still, other, [&](std::size_t i, std::size_t j) {
        return segments_meet(still.point(i), still.end(i), other.point(j), other.end(j));
      })) {
    return true;
  }
  return a_ring_is_inside(still, other) || a_ring_is_inside(other, still);
}

}  // namespace tactus::detail
