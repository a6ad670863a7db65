#include "tactus/mesh/direction_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tactus {
namespace {

using Index = std::uint32_t;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Half extents below this part of the largest one count as that, so that flat hulls have a scale.
constexpr double kFlattest = 1e-6;
// The values that a query compares err by three roundings of the coordinates' sum each; taken with
// a margin of more than two (in units of epsilon, which is two roundings).
constexpr double kValueSlack = 8.0;
// A query's place in the map errs by a few roundings of the square's side.
constexpr double kPlaceSlack = 64.0;
// Lists up to this length are thinned by all pairs, longer ones by the farthest vertices at the
// corners and in the middle.
constexpr std::size_t kAllPairs = 24;

using Corners = std::array<Vec3, 4>;
using Heights = std::array<double, 4>;

// Thins lists of candidates.
class Thinner {
 public:
  Thinner(std::vector<Vec3> vertices, double margin)
      : vertices_(std::move(vertices)), margin_(margin) {}

  // Appends to `out` what remains of `out[first, last)` in the cell with these corners.
  void thin(std::vector<Index>& out, std::size_t first, std::size_t last, const Corners& corner) {
    const std::size_t count = last - first;
    height_.resize(count);
    std::array<std::size_t, 5> farthest{};
    std::array<double, 5> most;
    most.fill(-std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < count; ++i) {
      std::array<double, 5> value{};
      for (std::size_t k = 0; k < 4; ++k) {
        value[k] = height_[i][k] = dot(vertices_[out[first + i]], corner[k]);
        value[4] += value[k];
      }
      for (std::size_t k = 0; k < 5; ++k) {
        if (value[k] > most[k]) {
          most[k] = value[k];
          farthest[k] = i;
        }
      }
    }
    kept_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const auto beats = [&](std::size_t j) { return dominates(j, i); };
      if (std::none_of(farthest.begin(), farthest.end(), beats)) kept_.push_back(i);
    }
    for (const std::size_t i : kept_) {
      const auto beats = [&](std::size_t j) { return dominates(j, i); };
      if (kept_.size() > kAllPairs || std::none_of(kept_.begin(), kept_.end(), beats))
        out.push_back(out[first + i]);
    }
  }

 private:
  // Is vertex j farther than i at every corner, and so in the whole cell?
  bool dominates(std::size_t j, std::size_t i) const {
    for (std::size_t k = 0; k < 4; ++k) {
      if (!(height_[j][k] - height_[i][k] > margin_)) return false;
    }
    return true;
  }

  std::vector<Vec3> vertices_;
  double margin_;
  std::vector<Heights> height_;
  std::vector<std::size_t> kept_;
};

// Corners of a chamber: the axis of the largest component, then the diagonals that the next ones
// join. Empty chambers (an order of magnitudes that contradicts itself) have none.
bool chamber_corners(Index chamber, Corners& out) {
  const bool xy = ((chamber >> 3u) & 1u) != 0;  // |x| < |y|, and so on
  const bool yz = ((chamber >> 4u) & 1u) != 0;
  const bool xz = ((chamber >> 5u) & 1u) != 0;
  if ((xy && yz && !xz) || (!xy && !yz && xz)) return false;
  const int rank_x = static_cast<int>(xy) + static_cast<int>(xz);
  const int rank_y = static_cast<int>(!xy) + static_cast<int>(yz);
  std::array<int, 3> axis{};
  axis[static_cast<std::size_t>(rank_x)] = 0;
  axis[static_cast<std::size_t>(rank_y)] = 1;
  axis[static_cast<std::size_t>(3 - rank_x - rank_y)] = 2;
  Vec3 sum;
  for (std::size_t k = 0; k < 3; ++k) {
    sum[axis[k]] = ((chamber >> axis[k]) & 1u) != 0 ? -1.0 : 1.0;
    out[k] = sum / (static_cast<double>(k) + 1.0);
  }
  out[3] = out[0];
  return true;
}

// Corners of a square's cell; the absolute coordinates of each add up to 1.
Corners square_corners(std::size_t half_space, std::size_t row, std::size_t column, double width) {
  Corners out;
  for (std::size_t k = 0; k < 4; ++k) {
    const double a = static_cast<double>(row + (k & 1u)) * width - 1.0;
    const double b = static_cast<double>(column + (k >> 1u)) * width - 1.0;
    const double height = 1.0 - std::max(std::fabs(a), std::fabs(b));
    out[k] = {0.5 * (a + b), 0.5 * (a - b), half_space == 0 ? height : -height};
  }
  return out;
}

// Cells of the two squares, from coarse to fine: a cell's list starts from that of its parent.
struct SquareBuilder {
  Thinner& thinner;
  std::size_t side;
  std::vector<Index> pool;  ///< lists of the cells from the root to the present one
  struct Leaf {
    std::size_t first = 0, count = 0;
  };
  std::vector<Leaf> leaves;
  std::vector<Index> candidates;

  // The parent's list is pool[first, last).
  void build(std::size_t half_space, std::size_t row, std::size_t column, std::size_t count,
             std::size_t first, std::size_t last) {
    const double width = 2.0 / static_cast<double>(count);
    thinner.thin(pool, first, last, square_corners(half_space, row, column, width));
    if (count == side) {
      leaves[(half_space * side + row) * side + column] = {candidates.size(), pool.size() - last};
      candidates.insert(candidates.end(), pool.begin() + static_cast<std::ptrdiff_t>(last),
                        pool.end());
    } else {
      const std::size_t end = pool.size();
      for (std::size_t k = 0; k < 4; ++k)
        build(half_space, 2 * row + (k & 1u), 2 * column + (k >> 1u), 2 * count, last, end);
    }
    pool.resize(last);
  }
};

}  // namespace

DirectionMap::DirectionMap(std::span<const Vec3> vertices) {
  if (vertices.size() < kFewestVertices) return;
  Vec3 low = vertices[0];
  Vec3 high = vertices[0];
  double reach = 0.0;
  for (const Vec3& v : vertices) {
    low = component_min(low, v);
    high = component_max(high, v);
    reach = std::max(reach, std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z));
  }
  const Vec3 center = low * 0.5 + high * 0.5;
  scale_ = high * 0.5 - low * 0.5;
  const double largest = max_abs(scale_);
  double least = largest;
  for (int i = 0; i < 3; ++i) {
    scale_[i] = std::max(scale_[i], kFlattest * largest);
    least = std::min(least, scale_[i]);
  }
  std::vector<Vec3> stretched;
  stretched.reserve(vertices.size());
  for (const Vec3& v : vertices) {
    const Vec3 p = v - center;
    stretched.push_back({p.x / scale_.x, p.y / scale_.y, p.z / scale_.z});
  }
  Thinner thinner(std::move(stretched),
                  kValueSlack * kEpsilon * (reach / least) + kPlaceSlack * kEpsilon);
  std::vector<Index> all(vertices.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);

  if (vertices.size() <= kChamberVertices) {
    for (Index chamber = 0; chamber < 64; ++chamber) {
      first_.push_back(static_cast<Index>(candidates_.size()));
      Corners corner;
      std::vector<Index> list = all;
      if (chamber_corners(chamber, corner)) {
        thinner.thin(list, 0, all.size(), corner);
        list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(all.size()));
      } else {
        list.resize(1);
      }
      candidates_.insert(candidates_.end(), list.begin(), list.end());
    }
    first_.push_back(static_cast<Index>(candidates_.size()));
    return;
  }
  side_ = 2;
  while (2 * side_ * side_ < vertices.size()) side_ *= 2;
  SquareBuilder squares{thinner, side_, std::move(all), {}, {}};
  squares.leaves.resize(2 * side_ * side_);
  const std::size_t count = vertices.size();
  for (std::size_t k = 0; k < 8; ++k) squares.build(k >> 2u, k & 1u, (k >> 1u) & 1u, 2, 0, count);
  for (const SquareBuilder::Leaf& leaf : squares.leaves) {
    first_.push_back(static_cast<Index>(candidates_.size()));
    const auto begin = squares.candidates.begin() + static_cast<std::ptrdiff_t>(leaf.first);
    candidates_.insert(candidates_.end(), begin, begin + static_cast<std::ptrdiff_t>(leaf.count));
  }
  first_.push_back(static_cast<Index>(candidates_.size()));
}

}  // namespace tactus
