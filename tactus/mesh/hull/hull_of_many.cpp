#include "tactus/mesh/hull/hull_of_many.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/mesh/hull/cone_map.hpp"
#include "tactus/mesh/hull/quickhull.hpp"
#include "tactus/mesh/hull/surface_walk.hpp"

namespace tactus::detail {
namespace {

using Index = std::uint32_t;

// Fewer points are not worth a sample.
constexpr std::size_t kFew = 2000;
// One point in so many is in the sample.
constexpr std::size_t kSampleStep = 48;
// Parts of the surface, and points that must wait for them to be worth it.
constexpr std::size_t kParts = 16;
constexpr std::size_t kFewWaiting = 40000;
constexpr std::size_t kGrain = 2048;

// A number without pattern: points that are listed in turns, as the two ends of a prism are, must
// all come into the sample. One end alone would be grown to its last corner first, and each corner
// of the other end would see a part of all of it.
std::uint64_t mixed(std::uint64_t i) { return (i * 0x9e3779b97f4a7c15ULL) >> 40u; }

std::vector<HullTriangle> hull_of_sample(std::span<const Vec3> points,
                                         const std::array<Index, 4>& simplex, int max_threads) {
  std::vector<Index> number(simplex.begin(), simplex.end());
  for (std::size_t i = 0; i + kSampleStep <= points.size(); i += kSampleStep)
    number.push_back(static_cast<Index>(i + mixed(i) % kSampleStep));
  std::vector<Vec3> sample;
  sample.reserve(number.size());
  for (const Index i : number) sample.push_back(points[i]);
  std::vector<HullTriangle> triangles = hull_of_many(sample, {0, 1, 2, 3}, max_threads);
  for (HullTriangle& t : triangles) {
    for (Index& i : t.corner) i = number[i];
  }
  return triangles;
}

// The triangle above each point, or kNoIndex where the point is inside.
std::vector<Index> triangles_above(std::span<const Vec3> points,
                                   std::span<const HullTriangle> triangles, const ConeMap& map,
                                   int max_threads) {
  std::vector<Index> above(points.size(), kNoIndex);
  parallel_for(
      points.size(), kGrain,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const Index t = map.locate(points[i]);
          if (t != kNoIndex) {
            if (sees(points, triangles[t], points[i])) above[i] = t;
            continue;
          }
          for (Index other = 0; other < triangles.size(); ++other) {
            if (sees(points, triangles[other], points[i])) above[i] = other;
          }
        }
      },
      max_threads);
  return above;
}

/// Groups of numbers, one after the other: those of group g are members[first[g], first[g + 1]).
struct Groups {
  std::vector<Index> first, members;

  std::span<const Index> operator[](std::size_t g) const {
    return {members.data() + first[g], first[g + 1] - first[g]};
  }
};

// The numbers i by group_of[i], ascending; kNoIndex is in none.
Groups group_by(std::span<const Index> group_of, std::size_t groups) {
  Groups result;
  result.first.assign(groups + 1, 0);
  for (const Index g : group_of) {
    if (g != kNoIndex) ++result.first[g + 1];
  }
  for (std::size_t g = 0; g < groups; ++g) result.first[g + 1] += result.first[g];
  result.members.resize(result.first[groups]);
  std::vector<Index> end(result.first.begin(), result.first.end() - 1);
  for (Index i = 0; i < group_of.size(); ++i) {
    if (group_of[i] != kNoIndex) result.members[end[group_of[i]]++] = i;
  }
  return result;
}

/// A part of the surface after it was grown: triangles with corners among all points, neighbours
/// counted in the part, or foreign: then they are triangles of the surface before.
struct Part {
  std::vector<HullTriangle> triangles;
  std::vector<Index> renumbered;  // number of each of its first triangles, kNoIndex if it is gone
  std::vector<std::pair<Index, Index>> waiting;  // triangle, point
};

/// A surface in an order in which near numbers are near each other, cut into parts.
class Regions {
 public:
  Regions(std::span<const Vec3> points, std::span<const HullTriangle> triangles, const ConeMap& map,
          std::span<const Index> above)
      : points_(points),
        triangles_(triangles),
        waiting_(group_by(above, triangles.size())),
        order_(triangles.size()),
        rank_(triangles.size()) {
    std::vector<std::size_t> cell(triangles.size());
    for (Index t = 0; t < triangles.size(); ++t) {
      order_[t] = t;
      const auto& [a, b, c] = triangles[t].corner;
      cell[t] = map.cell((points[a] + points[b] + points[c]) * (1.0 / 3.0));
    }
    std::sort(order_.begin(), order_.end(),
              [&](Index a, Index b) { return cell[a] != cell[b] ? cell[a] < cell[b] : a < b; });
    for (Index r = 0; r < order_.size(); ++r) rank_[order_[r]] = r;
    cut();
  }

  std::size_t parts() const { return first_rank_.size() - 1; }

  /// Grows a part as far as it goes without the others.
  Part grow(std::size_t part) const {
    const std::span<const Index> own(order_.data() + first_rank_[part],
                                     first_rank_[part + 1] - first_rank_[part]);
    // Points of the part, in places next to each other.
    std::vector<Index> number;
    for (const Index t : own)
      number.insert(number.end(), triangles_[t].corner.begin(), triangles_[t].corner.end());
    std::sort(number.begin(), number.end());
    number.erase(std::unique(number.begin(), number.end()), number.end());
    const auto corners = static_cast<std::ptrdiff_t>(number.size());
    std::vector<HullTriangle> triangles;
    triangles.reserve(own.size());
    for (const Index t : own) {
      HullTriangle local = triangles_[t];
      for (Index& i : local.corner) {
        const auto end = number.begin() + corners;
        i = static_cast<Index>(std::lower_bound(number.begin(), end, i) - number.begin());
      }
      for (Index& beyond : local.neighbor) {
        const bool inside =
            rank_[beyond] >= first_rank_[part] && rank_[beyond] < first_rank_[part + 1];
        beyond = inside ? rank_[beyond] - first_rank_[part] : beyond | HullSurface::kForeign;
      }
      triangles.push_back(local);
    }
    for (const Index t : own) number.insert(number.end(), waiting_[t].begin(), waiting_[t].end());
    std::vector<Vec3> points;
    points.reserve(number.size());
    for (const Index i : number) points.push_back(points_[i]);

    Quickhull hull(points, HullSurface(points.size(), std::move(triangles)));
    auto next = static_cast<Index>(corners);
    std::vector<Index> list;
    for (Index local = 0; local < own.size(); ++local) {
      list.clear();
      for (std::size_t k = 0; k < waiting_[own[local]].size(); ++k) list.push_back(next++);
      if (!list.empty()) hull.deal(list, {&local, 1});
    }
    hull.run();

    Part result;
    result.triangles = hull.surface().compact(result.renumbered);
    for (Index t = 0; t < hull.surface().slots(); ++t) {
      for (Index i = hull.first_waiting(t); i != kNoIndex; i = hull.next_waiting(i))
        result.waiting.emplace_back(result.renumbered[t], number[i]);
    }
    result.renumbered.resize(own.size());
    for (HullTriangle& t : result.triangles) {
      for (Index& i : t.corner) i = number[i];
    }
    return result;
  }

  /// The number of a foreign triangle, which no part removes, when the parts are put one after the
  /// other.
  Index joined(Index foreign, std::span<const Part> parts, std::span<const Index> offset) const {
    const Index rank = rank_[foreign & ~HullSurface::kForeign];
    const auto part = static_cast<std::size_t>(
        std::upper_bound(first_rank_.begin(), first_rank_.end(), rank) - first_rank_.begin() - 1);
    return offset[part] + parts[part].renumbered[rank - first_rank_[part]];
  }

 private:
  // Into parts with as many waiting points each.
  void cut() {
    const std::size_t total = waiting_.members.size();
    const std::size_t parts = total < kFewWaiting ? 1 : kParts;
    first_rank_.push_back(0);
    std::size_t sum = 0;
    for (Index r = 0; r < order_.size(); ++r) {
      if (sum * parts >= total * first_rank_.size() && first_rank_.size() < parts)
        first_rank_.push_back(r);
      sum += waiting_[order_[r]].size();
    }
    first_rank_.push_back(static_cast<Index>(order_.size()));
  }

  std::span<const Vec3> points_;
  std::span<const HullTriangle> triangles_;
  Groups waiting_;            // points by triangle
  std::vector<Index> order_;  // triangles, and the place of each in the order
  std::vector<Index> rank_;
  std::vector<Index> first_rank_;  // of each part, and the end
};

std::vector<HullTriangle> join(std::span<const Vec3> points, const Regions& regions,
                               std::span<const Part> parts) {
  std::vector<Index> offset = {0};
  for (const Part& part : parts)
    offset.push_back(offset.back() + static_cast<Index>(part.triangles.size()));
  std::vector<HullTriangle> triangles;
  triangles.reserve(offset.back());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (HullTriangle t : parts[p].triangles) {
      for (Index& beyond : t.neighbor) {
        beyond = (beyond & HullSurface::kForeign) != 0 ? regions.joined(beyond, parts, offset)
                                                       : beyond + offset[p];
      }
      triangles.push_back(t);
    }
  }
  const auto nothing_waits = [](const Part& part) { return part.waiting.empty(); };
  if (std::all_of(parts.begin(), parts.end(), nothing_waits)) return triangles;

  Quickhull hull(points, HullSurface(points.size(), std::move(triangles)));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const auto& [triangle, point] : parts[p].waiting) {
      const Index t = triangle + offset[p];
      hull.deal({&point, 1}, {&t, 1});
    }
  }
  hull.run();
  std::vector<Index> renumbered;
  return hull.surface().compact(renumbered);
}

}  // namespace

std::vector<HullTriangle> hull_of_many(std::span<const Vec3> points,
                                       const std::array<std::uint32_t, 4>& simplex,
                                       int max_threads) {
  std::optional<Vec3> center;
  if (points.size() > kFew) center = inner_point(points, simplex);
  if (!center) return quickhull(points, simplex);
  const std::vector<HullTriangle> sampled = hull_of_sample(points, simplex, max_threads);
  const ConeMap map(points, sampled, *center);
  const Regions regions(points, sampled, map, triangles_above(points, sampled, map, max_threads));
  std::vector<Part> parts(regions.parts());
  parallel_for(
      parts.size(), 1, [&](std::size_t begin, std::size_t) { parts[begin] = regions.grow(begin); },
      max_threads);
  return join(points, regions, parts);
}

}  // namespace tactus::detail
