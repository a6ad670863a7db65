#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "tactus/mesh.hpp"

namespace tactus::detail::fit {

/// The triangles of a mesh joined to groups, two groups at a time: always the two for which the
/// volume of the box about both exceeds the sum of the volumes of their boxes (along the axes) the
/// least. Groups with a common vertex are joined first; when none is left, any two.
/// Source: huotari2011, section 7.3 (there the groups need not touch).
class BoxMerging {
 public:
  /// `go_on`, asked now and then with the number of groups, may end it early. Cost: some ten
  /// microseconds per triangle.
  BoxMerging(const TriangleMesh& mesh, const std::function<bool(std::size_t groups)>& go_on);

  /// The least number of groups that was reached.
  std::size_t fewest() const { return mesh_.triangles.size() - joins_.size(); }
  /// Hulls of the groups when there were `groups` of them, in the order of their first triangles.
  std::vector<ConvexHull> hulls(std::size_t groups, int threads) const;

 private:
  const TriangleMesh& mesh_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joins_;  ///< triangles of either group
};

}  // namespace tactus::detail::fit
