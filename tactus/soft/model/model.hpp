#pragma once

#include <span>
#include <vector>

#include "tactus/soft/model/structure.hpp"
#include "tactus/soft/model/surface_set.hpp"

namespace tactus::detail {

/// Lists of lists, one after the other.
struct Groups {
  std::vector<std::uint32_t> first{0};
  std::vector<std::uint32_t> items;
  std::span<const std::uint32_t> of(std::size_t i) const {
    return {items.data() + first[i], first[i + 1] - first[i]};
  }
  std::size_t size() const { return first.size() - 1; }
};

/// All bodies of a world over one list of vertices, and the obstacles' vertices behind them: what
/// does not change while the world steps.
struct SoftModel {
  struct Incident {
    std::uint32_t tie;
    std::int32_t corner;
  };

  std::size_t free_vertices = 0;  ///< those of bodies; the others are of obstacles
  std::vector<double> masses;
  std::vector<TetrahedronElement> tetrahedra;
  std::vector<TieElement> ties;
  std::vector<std::uint32_t> corner_first;  ///< of each vertex, into `corners`
  std::vector<TetrahedronCorner> corners;
  std::vector<std::uint32_t> tie_first;  ///< of each vertex, into `tie_corners`
  std::vector<Incident> tie_corners;
  Groups neighbors;  ///< vertices with a common element, ascending
  Groups colors;     ///< vertices of which no two have a common element
  SurfaceSet surfaces;
  std::vector<double> stiffness, friction;  ///< of bodies, then obstacles

  /// Appends a body; its vertices are the next ones.
  void add_body(const Structure& s, double body_friction);
  /// After the last body: what follows from all.
  void finish_bodies();
  /// Appends a surface that nothing moves but its owner.
  void add_obstacle(const TriangleMesh& mesh, double body_friction);
  void add_floor(const Vec3& normal, double offset, double body_friction);
};

/// Puts vertices into groups such that no two of a group are neighbours: each one, by its number,
/// takes the first group that is free of its neighbours. `each_neighbor(i, take)` calls `take(j)`.
template <class EachNeighbor>
Groups color_vertices(std::size_t count, const EachNeighbor& each_neighbor) {
  constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<std::uint32_t> color(count, kNone), taken;
  std::uint32_t colors = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    each_neighbor(i, [&](std::uint32_t j) {
      if (j < i) taken[color[j]] = i;
    });
    std::uint32_t c = 0;
    while (c < colors && taken[c] == i) ++c;
    if (c == colors) {
      ++colors;
      taken.push_back(kNone);
    }
    color[i] = c;
  }
  Groups groups;
  groups.first.assign(colors + 1, 0);
  for (const std::uint32_t c : color) ++groups.first[c + 1];
  for (std::uint32_t c = 0; c < colors; ++c) groups.first[c + 1] += groups.first[c];
  groups.items.resize(count);
  std::vector<std::uint32_t> next(groups.first.begin(), groups.first.end() - 1);
  for (std::uint32_t i = 0; i < count; ++i) groups.items[next[color[i]]++] = i;
  return groups;
}

}  // namespace tactus::detail
