#include "tactus/mesh/support/direction_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "tactus/core/constants.hpp"
#include "tactus/simd/four_floats.hpp"

namespace tactus::detail {
namespace {

using Index = std::uint32_t;

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

// Coordinates in blocks err by half a unit, so that the difference of two values, along directions
// whose absolute coordinates add up to one, errs by one unit; what single precision adds is less
// than a tenth.
constexpr double kBlockSlack = 1.25;
constexpr double kHalfWidth = 32767.5;
constexpr Index kChambers = 64;
// Candidates of a cell, on average over its parts, from which on boxes are searched instead: these
// cost about as much.
constexpr std::size_t kLongest = 64;
// Corners that sixteen bits can tell apart.
constexpr std::size_t kPage = 65536;

using Corners = std::array<Vec3, 4>;
using Heights = std::array<double, 4>;

// Thins lists of candidates.
class Thinner {
 public:
  Thinner(std::span<const Vec3> vertices, double margin) : vertices_(vertices), margin_(margin) {}

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

  std::span<const Vec3> vertices_;
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
// `take(cell, list)` is called for each, neighbours one after the other, but for those that would
// have too long a list.
template <class Take>
struct SquareBuilder {
  Thinner& thinner;
  std::size_t side;
  std::vector<Index> pool;  ///< lists of the cells from the root to the present one
  Take take;
  bool left_out = false;  ///< has a cell no list?

  // The parent's list is pool[first, last).
  void build(std::size_t half_space, std::size_t row, std::size_t column, std::size_t count,
             std::size_t first, std::size_t last) {
    const double width = 2.0 / static_cast<double>(count);
    thinner.thin(pool, first, last, square_corners(half_space, row, column, width));
    const std::size_t end = pool.size(), cells = (side / count) * (side / count);
    if (end - last > kLongest * cells) {
      left_out = true;
    } else if (count == side) {
      take((half_space * side + row) * side + column,
           std::span<const Index>(pool.data() + last, end - last));
    } else {
      for (std::size_t k = 0; k < 4; ++k)
        build(half_space, 2 * row + (k & 1u), 2 * column + (k >> 1u), 2 * count, last, end);
    }
    pool.resize(last);
  }
};

using four_floats::Lanes;
using Ints = four_floats::Bits;
using Shorts = std::uint16_t __attribute__((vector_size(16)));

Shorts load(const std::uint16_t* p) {
  Shorts x;
  std::memcpy(&x, p, sizeof x);
  return x;
}
Lanes low_half(Shorts x) {
  const Shorts wide = __builtin_shufflevector(x, Shorts{}, 0, 8, 1, 9, 2, 10, 3, 11);
  return __builtin_convertvector((Ints)wide, Lanes);
}
Lanes high_half(Shorts x) {
  const Shorts wide = __builtin_shufflevector(x, Shorts{}, 4, 12, 5, 13, 6, 14, 7, 15);
  return __builtin_convertvector((Ints)wide, Lanes);
}
Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }

// All bits of the four.
unsigned any_of(Ints x) {
  x |= __builtin_shufflevector(x, x, 2, 3, 0, 1);
  x |= __builtin_shufflevector(x, x, 1, 0, 3, 2);
  return static_cast<unsigned>(x[0]);
}

// Values of four candidates.
template <class Block>
Lanes values(const Block& block, Lanes x, Lanes y, Lanes z) {
  const Shorts xy = load(block.x), zc = load(block.z);
  return (low_half(xy) * x + high_half(xy) * y) + low_half(zc) * z;
}

}  // namespace

DirectionMap::DirectionMap(std::span<const Vec3> vertices) {
  if (vertices.size() <= kGroupedVertices) {
    groups_ = VertexGroups(vertices);
    return;
  }
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
  const double margin = kValueSlack * kEpsilon * (reach / least) + kPlaceSlack * kEpsilon;
  if (vertices.size() <= kChamberVertices) {
    make_chambers(stretched, margin);
  } else {
    make_squares(vertices, stretched, margin);
  }
}

void DirectionMap::make_chambers(std::span<const Vec3> stretched, double margin) {
  Thinner thinner(stretched, margin);
  std::vector<Index> all(stretched.size());
  std::iota(all.begin(), all.end(), 0u);
  std::vector<Index> list;
  for (Index chamber = 0; chamber < kChambers; ++chamber) {
    lists_.push_back(static_cast<Index>(kChambers + 1 + list.size()));
    Corners corner;
    if (chamber_corners(chamber, corner)) {
      std::vector<Index> pool = all;
      thinner.thin(pool, 0, all.size(), corner);
      list.insert(list.end(), pool.begin() + static_cast<std::ptrdiff_t>(all.size()), pool.end());
    } else {
      list.push_back(0);
    }
  }
  lists_.push_back(static_cast<Index>(kChambers + 1 + list.size()));
  lists_.insert(lists_.end(), list.begin(), list.end());
}

void DirectionMap::make_squares(std::span<const Vec3> vertices, std::span<const Vec3> stretched,
                                double margin) {
  // One cell for two vertices, or some more: a square is cut in two or three along a side, and each
  // part in halves.
  std::size_t parts = 2;
  side_ = 2;
  while (4 * side_ * side_ < vertices.size()) {
    parts = parts == 2 ? 3 : 2;
    side_ = parts == 3 ? side_ / 2 * 3 : side_ / 3 * 4;
  }
  margin_ = static_cast<float>(kBlockSlack + margin * kHalfWidth);
  first_.resize(2 * side_ * side_ + 1);
  constexpr Index kNone = ~Index{0};
  std::vector<Index> corner_of(vertices.size(), kNone);
  // The lists of the cells in the order of the walk; blocks follow the order of the cells.
  std::vector<Index> lists;
  std::vector<std::size_t> begin(first_.size()), count(first_.size());
  Thinner thinner(stretched, margin);
  std::vector<Index> all(vertices.size());
  std::iota(all.begin(), all.end(), 0u);
  const auto take = [&](std::size_t cell, std::span<const Index> list) {
    begin[cell] = lists.size();
    count[cell] = list.size();
    lists.insert(lists.end(), list.begin(), list.end());
    // The walk meets neighbours one after the other: so the vertices lie in memory.
    for (const Index i : list) {
      if (corner_of[i] != kNone) continue;
      corner_of[i] = static_cast<Index>(corners_.size());
      corners_.push_back({vertices[i], i});
    }
  };
  SquareBuilder<decltype(take)> squares{thinner, side_, std::move(all), take, false};
  for (std::size_t k = 0; k < 2 * parts * parts; ++k)
    squares.build(k / (parts * parts), k / parts % parts, k % parts, parts, 0, vertices.size());
  if (squares.left_out) boxes_ = PointBoxes(vertices, order_by_place(vertices));

  const auto whole = [](double x) {
    const double place = (x + 1.0) * kHalfWidth + 0.5;
    return static_cast<std::uint16_t>(place > 0.0 ? std::min(place, 2.0 * kHalfWidth) : 0.0);
  };
  std::vector<std::uint16_t> page;
  for (std::size_t cell = 0; cell + 1 < first_.size(); ++cell) {
    first_[cell] = static_cast<Index>(4 * blocks_.size());
    const std::span<Index> list(lists.data() + begin[cell], count[cell]);
    std::sort(list.begin(), list.end(),
              [&](Index i, Index j) { return corner_of[i] < corner_of[j]; });
    std::size_t lane = 4;
    for (const Index i : list) {
      const std::size_t corner = corner_of[i];
      if (lane == 4 || page.back() != corner / kPage) {
        blocks_.emplace_back();
        page.push_back(static_cast<std::uint16_t>(corner / kPage));
        lane = 0;
      }
      // The rest of the block repeats it, until another one comes.
      Block& block = blocks_.back();
      for (std::size_t k = lane++; k < 4; ++k) {
        block.x[k] = whole(stretched[i].x);
        block.y[k] = whole(stretched[i].y);
        block.z[k] = whole(stretched[i].z);
        block.corner[k] = static_cast<std::uint16_t>(corner % kPage);
      }
    }
    first_[cell] += static_cast<Index>(4 - lane);
  }
  first_.back() = static_cast<Index>(4 * blocks_.size());
  if (corners_.size() > kPage) page_ = std::move(page);
}

DirectionMap::Place DirectionMap::place(const Vec3& n) const {
  const Vec3 d = component_product(scale_, n);
  const Vec3 m = component_abs(d);
  const Vec3 t = d * (1.0 / ((m.x + m.y) + m.z));
  const double half = 0.5 * static_cast<double>(side_);
  // Within the square whatever x is, not a number included.
  const auto index = [&](double x) {
    const double most = static_cast<double>(side_ - 1);
    x = x * half + half;
    x = x > 0.0 ? x : 0.0;
    x = x < most ? x : most;
    return static_cast<std::size_t>(static_cast<std::int64_t>(x));
  };
  const std::size_t half_space = d.z < 0.0 ? side_ : 0;
  const std::size_t cell = (half_space + index(t.x + t.y)) * side_ + index(t.x - t.y);
  const Block* const block = blocks_.data() + first_[cell] / 4u;
  __builtin_prefetch(block);
  __builtin_prefetch(block + 2);
  return {t, cell};
}

DirectionMap::Found DirectionMap::farthest_from(const Place& at, const Vec3* vertices,
                                                const Vec3& n) const {
  const Index first = first_[at.cell];
  const Block* const begin = blocks_.data() + first / 4u;
  const Block* const end = blocks_.data() + first_[at.cell + 1] / 4u;
  if (begin == end) {
    const Index vertex = boxes_.farthest({vertices, boxes_.size()}, n);
    return {vertices + vertex, vertex};
  }
  const auto splat = [](double t) {
    const auto f = static_cast<float>(t);
    return Lanes{f, f, f, f};
  };
  const Lanes x = splat(at.direction.x), y = splat(at.direction.y), z = splat(at.direction.z);
  const auto corner = [&](const Block* block, unsigned lane) {
    std::size_t index = block->corner[lane];
    if (!page_.empty()) index += kPage * page_[static_cast<std::size_t>(block - blocks_.data())];
    return corners_.data() + index;
  };
  // As a rule there are up to three blocks, and one candidate is left: without branches to guess.
  const std::ptrdiff_t blocks = end - begin;
  const Block* const second = begin + (blocks > 1 ? 1 : 0);
  const Block* const third = begin + (blocks > 2 ? 2 : 0);
  const Lanes of_first = values(*begin, x, y, z), of_second = values(*second, x, y, z),
              of_third = values(*third, x, y, z);
  Lanes most = larger(larger(of_first, of_second), of_third);
  for (const Block* block = begin + 3; block < end; ++block)
    most = larger(most, values(*block, x, y, z));
  most = larger(most, __builtin_shufflevector(most, most, 2, 3, 0, 1));
  most = larger(most, __builtin_shufflevector(most, most, 1, 0, 3, 2));
  const Lanes least = most - margin_;
  if (blocks <= 3) {
    const unsigned count = static_cast<unsigned>(4 * blocks) - first % 4u;
    const Ints bits = ((of_first >= least) & Ints{1, 2, 4, 8}) |
                      ((of_second >= least) & Ints{16, 32, 64, 128}) |
                      ((of_third >= least) & Ints{256, 512, 1024, 2048});
    const unsigned open = any_of(bits) & ((1u << count) - 1u);
    if (open != 0 && (open & (open - 1u)) == 0) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(open));
      const Corner* const found = corner(begin + lane / 4u, lane % 4u);
      return {&found->point, found->vertex};
    }
  }
  const Corner* best = nullptr;
  for (const Block* block = begin; block != end; ++block) {
    unsigned open = any_of((values(*block, x, y, z) >= least) & Ints{1, 2, 4, 8});
    for (; open != 0; open &= open - 1u) {
      const Corner* const next = corner(block, static_cast<unsigned>(__builtin_ctz(open)));
      if (best == nullptr) best = next;
      const double value = dot(next->point, n), before = dot(best->point, n);
      if (value > before || (value == before && next->vertex < best->vertex)) best = next;
    }
  }
  if (best == nullptr) best = corner(begin, 0);
  return {&best->point, best->vertex};
}

std::size_t DirectionMap::candidates(const Vec3& n) const {
  if (small()) return groups_.size();
  if (side_ == 0) {
    const unsigned c = chamber(n);
    return lists_[c + 1] - lists_[c];
  }
  const std::size_t cell = place(n).cell;
  const std::size_t blocks = first_[cell + 1] / 4u - first_[cell] / 4u;
  return 4 * blocks - first_[cell] % 4u;
}

std::size_t DirectionMap::bytes() const {
  return groups_.bytes() + (lists_.size() + first_.size()) * sizeof(Index) + boxes_.bytes() +
         blocks_.size() * sizeof(Block) + corners_.size() * sizeof(Corner) +
         page_.size() * sizeof(std::uint16_t);
}

}  // namespace tactus::detail
