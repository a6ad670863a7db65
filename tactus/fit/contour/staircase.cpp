#include <algorithm>
#include <array>

#include "tactus/fit/contour/trace.hpp"

namespace tactus::detail::contour {
namespace {

// Neighbours on each side that a parabola is fitted to, at least and at most.
constexpr std::size_t kLeastHalf = 3, kMostHalf = 40;
// A corner is where straight runs of at least this many cracks meet at a right angle.
constexpr std::size_t kStraight = 12;

Vec2 middle(const Crack& c) {
  return {c.x + 0.5 + 0.5 * kStepX[c.side], c.y + 0.5 + 0.5 * kStepY[c.side]};
}

// The end of a crack, in the outline's direction.
Vec2 end_of(const Crack& c) {
  const int along = (c.side + 1) % 4;
  return middle(c) + Vec2{0.5 * kStepX[along], 0.5 * kStepY[along]};
}

// For every crack the length of the run of cracks with its side; the outline has several sides.
std::vector<std::size_t> runs_of(const std::vector<Crack>& cracks) {
  const std::size_t n = cracks.size();
  std::size_t start = 0;
  while (cracks[start].side == cracks[(start + n - 1) % n].side) ++start;
  std::vector<std::size_t> runs(n);
  for (std::size_t i = 0; i < n;) {
    std::size_t end = i + 1;
    while (end < n && cracks[(start + end) % n].side == cracks[(start + i) % n].side) ++end;
    for (std::size_t k = i; k < end; ++k) runs[(start + k) % n] = end - i;
    i = end;
  }
  return runs;
}

// The parabola of least squares through values at -half ... half, in the middle.
template <class ValueAt>
double smoothed(std::ptrdiff_t half, const ValueAt& value) {
  double s2 = 0.0, s4 = 0.0, sum = 0.0, sum2 = 0.0;
  for (std::ptrdiff_t k = -half; k <= half; ++k) {
    const auto square = static_cast<double>(k * k);
    const double v = value(k);
    s2 += square;
    s4 += square * square;
    sum += v;
    sum2 += square * v;
  }
  const auto count = static_cast<double>(2 * half + 1);
  return (s4 * sum - s2 * sum2) / (count * s4 - s2 * s2);
}

}  // namespace

Trace trace_staircase(const Outline& outline) {
  const std::vector<Crack>& cracks = outline.cracks;
  const std::size_t n = cracks.size();
  const std::vector<std::size_t> runs = runs_of(cracks);
  // Corners, and for each crack the distance to the last and the next one.
  std::vector<std::size_t> back(n, n), ahead(n, n);
  std::vector<bool> corner(n, false);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    corner[i] = cracks[i].side != cracks[j].side && std::min(runs[i], runs[j]) >= kStraight;
  }
  for (std::size_t lap = 0, since = n; lap < 2 * n; ++lap) {
    back[lap % n] = std::min(back[lap % n], since);
    since = corner[lap % n] ? 0 : since + 1;
  }
  for (std::size_t lap = 2 * n, since = n; lap-- > 0;) {
    if (corner[lap % n]) since = 0;
    ahead[lap % n] = std::min(ahead[lap % n], since);
    ++since;
  }
  Trace trace;
  for (std::size_t i = 0; i < n; ++i) {
    const Crack& c = cracks[i];
    const Vec2 at = middle(c);
    // As far as the longer of the runs here and beside, but not around a corner.
    std::size_t longest = runs[i];
    const std::size_t before = (i + n - std::min(n - 1, runs[i])) % n, after = (i + runs[i]) % n;
    longest = std::max({longest, runs[before], runs[after]});
    std::size_t half = std::clamp(longest, kLeastHalf, kMostHalf);
    half = std::min({half, back[i], ahead[i], (n - 1) / 4});
    const auto value = [&](std::ptrdiff_t k) {
      const auto m = static_cast<std::ptrdiff_t>(n);
      return middle(cracks[static_cast<std::size_t>((static_cast<std::ptrdiff_t>(i) + k + m) % m)]);
    };
    Vec2 smooth = at;
    if (half > 0) {
      const auto h = static_cast<std::ptrdiff_t>(half);
      smooth = {smoothed(h, [&](std::ptrdiff_t k) { return value(k).x; }),
                smoothed(h, [&](std::ptrdiff_t k) { return value(k).y; })};
    }
    // Across the crack at most to the centres of its pixels, along it within its neighbours.
    const double limit = 0.5 - 1.0 / 64.0;
    smooth = {std::clamp(smooth.x, at.x - limit, at.x + limit),
              std::clamp(smooth.y, at.y - limit, at.y + limit)};
    trace.push_back({smooth, i, PointKind::crossing});
    if (corner[i]) trace.push_back({end_of(c), i, PointKind::corner});
  }
  return trace;
}

}  // namespace tactus::detail::contour
