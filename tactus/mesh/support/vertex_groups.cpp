#include "tactus/mesh/support/vertex_groups.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "tactus/simd/wide.hpp"

namespace tactus::detail {
namespace {

#define TACTUS_LANE_CODE "tactus/mesh/support/vertex_groups.inc"
#include "tactus/simd/both_widths.inc"

}  // namespace

VertexGroups::VertexGroups(std::span<const Vec3> vertices)
    : last_(static_cast<std::uint32_t>(vertices.size()) - 1) {
  groups_.resize((vertices.size() + 3) / 4);
  for (std::size_t i = 0; i < 4 * groups_.size(); ++i) {
    const Vec3& v = vertices[std::min(i, vertices.size() - 1)];
    Group& group = groups_[i / 4];
    group.x[i % 4] = v.x;
    group.y[i % 4] = v.y;
    group.z[i % 4] = v.z;
  }
}

// A direction that is no number may end at a repeated vertex.
std::uint32_t VertexGroups::farthest(const Vec3& n) const {
  const auto search = kHasWide ? wide::farthest_of_one : narrow::farthest_of_one;
  return std::min(search(groups_.data()->x, groups_.size(), n), last_);
}

void VertexGroups::farthest_of_both(const VertexGroups& a, const Vec3& n, const VertexGroups& b,
                                    const Vec3& m, std::uint32_t found[2]) {
  const auto search = kHasWide ? wide::farthest_of_two : narrow::farthest_of_two;
  search(a.groups_.data()->x, a.groups_.size(), n, b.groups_.data()->x, b.groups_.size(), m, found);
  found[0] = std::min(found[0], a.last_);
  found[1] = std::min(found[1], b.last_);
}

}  // namespace tactus::detail
