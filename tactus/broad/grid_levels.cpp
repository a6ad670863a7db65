#include "tactus/broad/grid_levels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

/// Sizes below the largest times 2^-31 share the last class: their cells would be as fine only
/// where the boxes are as dense.
constexpr int kClasses = 32;
/// Cells are wider than the boxes by this factor: fewer cells to visit for some more comparisons.
constexpr double kCellPerSize = 1.25;
/// Cells of a dense grid per box.
constexpr double kCellsPerBox = 4.0;
/// Cost of the look-up of a row of cells, in comparisons of two boxes.
constexpr double kRow = 3.0;
/// Rows and cells that a box reaches in its own grid, of which it visits half, and in a coarser
/// one.
constexpr double kOwnRows = 3.5, kOwnCells = 8.0, kOtherRows = 5.0, kOtherCells = 11.0;
/// Cells are no smaller, so that their reciprocal is finite.
constexpr double kLeastSide = 1e-290;

std::uint16_t exponent_of(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return static_cast<std::uint16_t>((bits >> 52u) & 0x7ffu);
}

/// No side of a class is longer than this, although sides are rounded.
double bound_of(double longest) {
  return longest * (1.0 + 4.0 * kEpsilon) + std::numeric_limits<double>::denorm_min();
}

}  // namespace

void BoxSurvey::take(std::span<const BroadEntry> entries) {
  count.fill(0);
  longest.fill(0.0);
  bounded = 0;
  lower = {kInfinity, kInfinity, kInfinity};
  upper = -lower;
  exponent.resize(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Aabb& box = entries[i].box;
    const Vec3 sides = box.upper - box.lower;
    const double size = std::max(std::max(sides.x, sides.y), sides.z);
    // Boxes turned inside out are left to the comparison with all, too.
    const bool sound = std::min(std::min(sides.x, sides.y), sides.z) >= 0.0 &&
                       max_abs(box.lower) <= kFarthest && max_abs(box.upper) <= kFarthest;
    if (!sound) {
      exponent[i] = kUnbounded;
      continue;
    }
    ++bounded;
    const std::uint16_t e = exponent_of(size);
    exponent[i] = e;
    ++count[e];
    longest[e] = std::max(longest[e], size);
    lower = component_min(lower, box.lower);
    upper = component_max(upper, box.lower);
  }
}

void GridLevel::spread(const BoxSurvey& survey, double new_side) {
  hashed = false;
  const double afford = kCellsPerBox * count + 64.0;
  origin = survey.lower;
  const Vec3 extent = survey.upper - origin;
  farthest = max_abs(extent);
  side = std::max(std::max(new_side, kLeastSide), farthest / afford);
  double product = 0.0;
  // Each turn makes the cells 1.125 times as long; the longest extent has no more than `afford` of
  // them at the start, so that 120 turns are enough.
  for (int turn = 0; turn < 160; ++turn) {
    product = 1.0;
    for (int axis = 0; axis < 3; ++axis) product *= std::floor(extent[axis] / side) + 1.0;
    if (product <= afford) break;
    side *= 1.125;
  }
  inverse = 1.0 / side;
  for (int axis = 0; axis < 3; ++axis)
    cells[static_cast<std::size_t>(axis)] =
        static_cast<std::int64_t>(std::floor(extent[axis] / side)) + 1;
  places = static_cast<std::uint32_t>(cells[0] * cells[1] * cells[2]);
}

double GridLevel::least_side(double wanted) const {
  constexpr double kCounted = 1.0 / (std::uint64_t{1} << 50u);
  return std::max(std::max(wanted, reach), std::max(kLeastSide, farthest * kCounted));
}

void GridLevel::hash(double new_side) {
  hashed = true;
  side = new_side;
  inverse = 1.0 / side;
  places = 64;
  while (places < 2 * std::size_t{count} && places < (1u << 30u)) places *= 2;
  mask = places - 1;
}

std::vector<GridLevel> choose_levels(const BoxSurvey& survey) {
  std::vector<GridLevel> levels;
  if (survey.bounded == 0) return levels;
  // Classes from the smallest sizes to the largest that occur.
  std::vector<GridLevel> classes;
  std::uint32_t top = BoxSurvey::kExponents - 1;
  while (survey.count[top] == 0) --top;
  const std::uint32_t least = top > kClasses ? top - kClasses : 0;
  for (std::uint32_t e = 0; e <= top; ++e) {
    if (survey.count[e] == 0) continue;
    if (classes.empty() || e > least) classes.push_back({});
    GridLevel& last = classes.back();
    if (last.count == 0) last.first_exponent = e;
    last.last_exponent = e;
    last.count += survey.count[e];
    last.reach = std::max(last.reach, bound_of(survey.longest[e]));
  }
  // best[i]: cost of the classes from i on, those below being finer; the range that starts there.
  const std::size_t n = classes.size();
  std::vector<double> best(n + 1, 0.0);
  std::vector<std::size_t> next(n + 1, n);
  std::vector<GridLevel> chosen(n);
  std::vector<double> finer(n + 1, 0.0);
  for (std::size_t i = 0; i < n; ++i) finer[i + 1] = finer[i] + classes[i].count;
  for (std::size_t i = n; i-- > 0;) {
    best[i] = std::numeric_limits<double>::infinity();
    GridLevel range = classes[i];
    for (std::size_t j = i; j < n; ++j) {
      if (j > i) {
        range.count += classes[j].count;
        range.reach = std::max(range.reach, classes[j].reach);
        range.last_exponent = classes[j].last_exponent;
      }
      range.spread(survey, kCellPerSize * range.reach);
      const double density = static_cast<double>(range.count) / range.places;
      const double cost = range.count * (kOwnRows * kRow + kOwnCells * density) +
                          finer[i] * (kOtherRows * kRow + kOtherCells * density) + best[j + 1];
      if (!(cost < best[i])) continue;
      best[i] = cost;
      next[i] = j + 1;
      chosen[i] = range;
    }
  }
  for (std::size_t i = 0; i < n; i = next[i]) levels.push_back(chosen[i]);
  return levels;
}

}  // namespace tactus::detail
