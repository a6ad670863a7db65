#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"

namespace tactus::detail {

/// The vertices of a small hull in groups of four, the last one repeated: so few that looking at
/// all of them, four at a time, costs less than choosing whom to look at.
class VertexGroups {
 public:
  VertexGroups() = default;
  explicit VertexGroups(std::span<const Vec3> vertices);

  bool empty() const { return groups_.empty(); }
  /// Vertices, the repeated ones included.
  std::size_t size() const { return 4 * groups_.size(); }
  std::size_t bytes() const { return groups_.size() * sizeof(Group); }

  /// The farthest vertex along n, the lowest index among equals: the bits of `farthest_by_scan`.
  /// Must not be empty. Cost: some 12 instructions a group where the processor has registers of
  /// four numbers.
  std::uint32_t farthest(const Vec3& n) const;
  /// Farthest vertices of two hulls: of `a` along n, of `b` along m.
  static void farthest_of_both(const VertexGroups& a, const Vec3& n, const VertexGroups& b,
                               const Vec3& m, std::uint32_t found[2]);

 private:
  struct alignas(32) Group {
    double x[4], y[4], z[4];
  };
  std::vector<Group> groups_;
  std::uint32_t last_ = 0;  ///< of the vertices
};

}  // namespace tactus::detail
