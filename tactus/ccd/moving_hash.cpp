#include "tactus/ccd/moving_hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tactus::detail {
namespace {

// Places per face, at least.
constexpr std::size_t kPlacesPerFace = 2;
// Cells that all faces together may cover, for each of them: smaller cells are made larger.
constexpr double kCellsPerFace = 32.0;
// Ways are widened by this part of the largest coordinate: some hundred roundings.
constexpr double kWiden = 0x1p-45;

double side_of(const SweptBox& b) { return max_abs(b.upper - b.lower); }

}  // namespace

MovingHash::MovingHash(std::span<const SweptBox> faces, double cell) : faces_(faces) {
  if (faces.empty()) return;
  SweptBox whole = faces.front();
  double sum = 0.0;
  for (const SweptBox& b : faces) {
    whole.add(b.lower);
    whole.add(b.upper);
    sum += side_of(b);
  }
  origin_ = whole.lower;
  cell_ = cell > 0.0 ? cell : sum / static_cast<double>(faces.size());
  // At most so many cells a side: a way passes a few thousand at most.
  cell_ = std::fmax(cell_, side_of(whole) * 0x1p-10);
  if (!(cell_ > 0.0)) cell_ = 1.0;
  for (double cells = std::numeric_limits<double>::infinity();;) {
    cells = 0.0;
    for (const SweptBox& b : faces) {
      const Vec3 sides = (b.upper - b.lower) * (1.0 / cell_) + Vec3{2.0, 2.0, 2.0};
      cells += sides.x * sides.y * sides.z;
    }
    if (cells <= (kCellsPerFace + 8.0) * static_cast<double>(faces.size())) break;
    cell_ *= 2.0;
  }
  whole_ = {cell_of(whole.lower), cell_of(whole.upper)};
  const std::size_t places = std::bit_ceil(kPlacesPerFace * faces.size());
  mask_ = places - 1;
  ranges_.reserve(faces.size());
  for (const SweptBox& b : faces) ranges_.push_back({cell_of(b.lower), cell_of(b.upper)});
  // Counted first, then filled in, in the order of the faces.
  first_.assign(places + 1, 0);
  const auto each_place = [&](const auto& visit) {
    for (std::uint32_t f = 0; f < faces.size(); ++f) {
      const Range& r = ranges_[f];
      for (std::int64_t x = r.low[0]; x <= r.high[0]; ++x) {
        for (std::int64_t y = r.low[1]; y <= r.high[1]; ++y) {
          for (std::int64_t z = r.low[2]; z <= r.high[2]; ++z) visit(place_of({x, y, z}), f);
        }
      }
    }
  };
  each_place([&](std::size_t place, std::uint32_t) { ++first_[place + 1]; });
  for (std::size_t i = 0; i < places; ++i) first_[i + 1] += first_[i];
  entries_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  each_place([&](std::size_t place, std::uint32_t face) { entries_[next[place]++] = face; });
}

MovingHash::Cell MovingHash::cell_of(const Vec3& p) const {
  Cell c;
  // Points of the way may lie far from all faces.
  constexpr double kFar = 0x1p40;
  for (int i = 0; i < 3; ++i) {
    const double place = std::floor((p[i] - origin_[i]) / cell_);
    c[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(std::clamp(place, -kFar, kFar));
  }
  return c;
}

std::size_t MovingHash::place_of(const Cell& c) const {
  const auto word = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
  std::uint64_t h = word(c[0]) * 0x9e3779b97f4a7c15u ^ word(c[1]) * 0xc2b2ae3d27d4eb4fu ^
                    word(c[2]) * 0x165667b19e3779f9u;
  h ^= h >> 32u;
  return static_cast<std::size_t>(h) & mask_;
}

// The cells of the way, slab by slab along the axis on which it goes farthest; in each slab all
// cells that the way, widened, may pass.
void MovingHash::cells_of_way(const Vec3& start, const Vec3& end, const SweptBox& box,
                              std::vector<Cell>& way) const {
  const Vec3 go = component_abs(end - start);
  const std::size_t axis = go.x >= go.y && go.x >= go.z ? 0 : (go.y >= go.z ? 1 : 2);
  const auto main = static_cast<int>(axis);
  const double widen = kWiden * (std::fmax(max_abs(start), max_abs(end)) + max_abs(origin_));
  // How far the box reaches beyond the way on each side, widened for rounding.
  const Vec3 grow =
      component_max(component_min(start, end) - box.lower, Vec3{}) + Vec3{widen, widen, widen};
  const Range near_faces =
      common({cell_of(component_min(start, end) - grow), cell_of(component_max(start, end) + grow)},
             whole_);
  const double length = end[main] - start[main];
  for (std::int64_t s = near_faces.low[axis]; s <= near_faces.high[axis]; ++s) {
    // The part of the way that is in the slab, widened.
    double from = 0.0, to = 1.0;
    if (length != 0.0) {
      const double near = origin_[main] + cell_ * static_cast<double>(s) - grow[main];
      const double far = origin_[main] + cell_ * static_cast<double>(s + 1) + grow[main];
      const double p = (near - start[main]) / length, q = (far - start[main]) / length;
      from = std::fmax(std::fmin(p, q), 0.0);
      to = std::fmin(std::fmax(p, q), 1.0);
      if (from > to) continue;
    }
    const Vec3 p = start + (end - start) * from, q = start + (end - start) * to;
    auto [a, b] = common({cell_of(component_min(p, q) - grow), cell_of(component_max(p, q) + grow)},
                         near_faces);
    a[axis] = b[axis] = s;
    for (std::int64_t x = a[0]; x <= b[0]; ++x) {
      for (std::int64_t y = a[1]; y <= b[1]; ++y) {
        for (std::int64_t z = a[2]; z <= b[2]; ++z) way.push_back({x, y, z});
      }
    }
  }
}

MovingHash::Range MovingHash::common(const Range& x, const Range& y) {
  Range r;
  for (std::size_t i = 0; i < 3; ++i) {
    r.low[i] = std::max(x.low[i], y.low[i]);
    r.high[i] = std::min(x.high[i], y.high[i]);
  }
  return r;
}

bool MovingHash::covers(const Range& r, const Cell& c) {
  return r.low[0] <= c[0] && c[0] <= r.high[0] && r.low[1] <= c[1] && c[1] <= r.high[1] &&
         r.low[2] <= c[2] && c[2] <= r.high[2];
}

bool MovingHash::is_covered_before(const Range& r, std::span<const Cell> way, std::size_t k) {
  return std::any_of(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(k),
                     [&](const Cell& c) { return covers(r, c); });
}

// Is there a time at which the way is within the box on all axes? An axis along which nothing moves
// has been asked by the moving box.
bool MovingHash::passes(const Vec3& start, const Vec3& end, const SweptBox& face,
                        const SweptBox& way) {
  double from = 0.0, to = 1.0;
  const double widen = kWiden * std::fmax(max_abs(start), max_abs(end));
  for (int i = 0; i < 3; ++i) {
    const double go = end[i] - start[i];
    if (go == 0.0) continue;
    const double grow = std::fmax(std::fmin(start[i], end[i]) - way.lower[i], 0.0) + widen;
    const double p = (face.lower[i] - grow - start[i]) / go;
    const double q = (face.upper[i] + grow - start[i]) / go;
    // The rounding of the quotients is less than what the way was widened by, if that is seen from
    // a long way; from a short one, which a rounding could leave, nothing is cut off.
    if (!(std::fabs(go) > widen)) continue;
    from = std::fmax(from, std::fmin(p, q));
    to = std::fmin(to, std::fmax(p, q));
  }
  return from <= to;
}

}  // namespace tactus::detail
