#include "tactus/mesh/hull/hull_surface.hpp"

namespace tactus::detail {
namespace {

std::size_t next(std::size_t corner) { return corner == 2 ? 0 : corner + 1; }

}  // namespace

HullSurface::HullSurface(std::size_t points, const std::array<std::uint32_t, 4>& simplex)
    : HullSurface(points, std::vector<HullTriangle>{}) {
  const auto [a, b, c, d] = simplex;
  triangles_ = {{{a, b, c}, {1, 2, 3}},
                {{a, d, b}, {3, 2, 0}},
                {{b, d, c}, {1, 3, 0}},
                {{c, d, a}, {2, 1, 0}}};
  visible_mark_.assign(4, 0);
}

std::uint32_t HullSurface::make(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t index;
  if (free_.empty()) {
    index = static_cast<std::uint32_t>(triangles_.size());
    triangles_.emplace_back();
    visible_mark_.push_back(0);
  } else {
    index = free_.back();
    free_.pop_back();
  }
  triangles_[index].corner = {a, b, c};
  return index;
}

bool HullSurface::find_visible(std::span<const Vec3> points, std::uint32_t start, const Vec3& p) {
  visible_.assign(1, start);
  rim_.clear();
  visible_mark_[start] = 1;
  bool own = true;
  for (std::size_t i = 0; i < visible_.size() && own; ++i) {
    const HullTriangle triangle = triangles_[visible_[i]];
    for (std::size_t side = 0; side < 3; ++side) {
      const std::uint32_t beyond = triangle.neighbor[side];
      if ((beyond & kForeign) != 0) {
        own = false;
        break;
      }
      if (visible_mark_[beyond] != 0) continue;
      if (sees(points, triangles_[beyond], p)) {
        visible_mark_[beyond] = 1;
        visible_.push_back(beyond);
      } else {
        rim_.push_back({triangle.corner[side], triangle.corner[next(side)], beyond});
      }
    }
  }
  for (const std::uint32_t t : visible_) visible_mark_[t] = 0;
  if (!own) visible_.clear();
  return own;
}

void HullSurface::grow(std::uint32_t apex) {
  cone_.clear();
  // One new triangle per edge of the rim, a single closed path.
  for (const RimEdge& edge : rim_) {
    const std::uint32_t t = make(edge.tail, edge.head, apex);
    cone_.push_back(t);
    at_tail_[edge.tail] = t;
    triangles_[t].neighbor[0] = edge.beyond;
    HullTriangle& beyond = triangles_[edge.beyond];
    for (std::size_t side = 0; side < 3; ++side) {
      if (beyond.corner[side] == edge.head && beyond.corner[next(side)] == edge.tail) {
        beyond.neighbor[side] = t;
      }
    }
  }
  for (const std::uint32_t t : cone_) {
    const std::uint32_t following = at_tail_[triangles_[t].corner[1]];
    triangles_[t].neighbor[1] = following;
    triangles_[following].neighbor[2] = t;
  }
  for (const std::uint32_t t : visible_) triangles_[t].corner[0] = kNoIndex;
  free_.insert(free_.end(), visible_.begin(), visible_.end());
}

std::vector<HullTriangle> HullSurface::compact(std::vector<std::uint32_t>& renumbered) const {
  renumbered.assign(slots(), kNoIndex);
  std::uint32_t found = 0;
  for (std::uint32_t t = 0; t < slots(); ++t) {
    if (alive(t)) renumbered[t] = found++;
  }
  std::vector<HullTriangle> triangles;
  triangles.reserve(found);
  for (std::uint32_t t = 0; t < slots(); ++t) {
    if (!alive(t)) continue;
    HullTriangle triangle = triangles_[t];
    for (std::uint32_t& neighbor : triangle.neighbor) {
      if ((neighbor & kForeign) == 0) neighbor = renumbered[neighbor];
    }
    triangles.push_back(triangle);
  }
  return triangles;
}

}  // namespace tactus::detail
