#include <algorithm>
#include <array>
#include <cmath>

#include "tactus/fit/contour/trace.hpp"

namespace tactus::detail::contour {
namespace {

// Neighbours on each side that a parabola is fitted to, at least and at most.
constexpr std::size_t kLeastHalf = 3, kMostHalf = 40;
// An outline narrower and lower than this is too small to tell a curve from pixels.
constexpr int kSmall = 12;
// Part of a pixel by which an outline steps back from a point where it meets another one, or
// itself.
constexpr double kApart = 1.0 / 64.0;

Vec2 middle(const Crack& c) {
  return {c.x + 0.5 + 0.5 * kStepX[c.side], c.y + 0.5 + 0.5 * kStepY[c.side]};
}

// The end of a crack, in the outline's direction.
Vec2 end_of(const Crack& c) {
  const int along = (c.side + 1) % 4;
  return middle(c) + Vec2{0.5 * kStepX[along], 0.5 * kStepY[along]};
}

bool turns_left(const Crack& c, const Crack& next) { return next.side == (c.side + 1) % 4; }

// Appends the corner at the end of a crack. Where four pixels alternate around it, two passes meet
// there: each cuts the corner, so that its sides stay and nothing touches.
void add_corner(const Picture& picture, const Outline& outline, std::size_t i, Trace& trace) {
  const std::size_t n = outline.cracks.size();
  const Crack &c = outline.cracks[i], &next = outline.cracks[(i + 1) % n];
  const Vec2 p = end_of(c);
  const int x = static_cast<int>(p.x), y = static_cast<int>(p.y);
  const bool low = picture.inside(x - 1, y - 1), high = picture.inside(x, y);
  const bool left = picture.inside(x - 1, y), right = picture.inside(x, y - 1);
  if (low != high || left != right || low == left) {
    trace.push_back({p, i, PointKind::corner});
    return;
  }
  for (const Vec2& end : {middle(c), end_of(next)}) {
    const Vec2 d = end - p;
    const double length = std::fabs(d.x) + std::fabs(d.y);
    trace.push_back({p + d * (kApart / length), i, PointKind::corner});
  }
}

// Cracks with one side, one after the other, from the crack `first`.
struct Run {
  std::size_t first = 0, length = 0;
  bool left = false;  // the turn at its end
};

// The outline has several sides.
std::vector<Run> runs_of(const std::vector<Crack>& cracks) {
  const std::size_t n = cracks.size();
  std::size_t start = 0;
  while (cracks[start].side == cracks[(start + n - 1) % n].side) ++start;
  std::vector<Run> runs;
  for (std::size_t i = 0; i < n;) {
    std::size_t end = i + 1;
    while (end < n && cracks[(start + end) % n].side == cracks[(start + i) % n].side) ++end;
    const std::size_t last = (start + end - 1) % n;
    runs.push_back({(start + i) % n, end - i, turns_left(cracks[last], cracks[(last + 1) % n])});
    i = end;
  }
  return runs;
}

// Is the turn between a run and the next one a corner of the shape, or a step of a slanted edge or
// of a curve? Steps turn to and fro, and one of the two runs at a step is a single crack. So these
// are corners: a turn between longer runs; a turn whose neighbours turn the same way; the turns of
// a single crack that ends a strip of several cracks.
bool is_corner(const std::vector<Run>& runs, std::size_t i) {
  const std::size_t m = runs.size();
  const auto run = [&](std::size_t k) -> const Run& { return runs[k % m]; };
  const auto ends_strip = [&](std::size_t k) {
    return run(k + m - 1).left == run(k).left && run(k + m - 1).length > 1 && run(k + 1).length > 1;
  };
  const bool longer = run(i).length > 1 && run(i + 1).length > 1;
  const bool same = run(i + m - 1).left == run(i).left && run(i).left == run(i + 1).left;
  return longer || same || ends_strip(i) || ends_strip(i + 1);
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

bool is_small(const Outline& outline) {
  const Crack& any = outline.cracks.front();
  int left = any.x, right = any.x, low = any.y, high = any.y;
  for (const Crack& c : outline.cracks) {
    const int out_x = std::max(0, kStepX[c.side]), out_y = std::max(0, kStepY[c.side]);
    left = std::min(left, c.side == 0 ? c.x + out_x : c.x);
    right = std::max(right, c.side == 2 ? c.x : c.x + out_x);
    low = std::min(low, c.side == 1 ? c.y + out_y : c.y);
    high = std::max(high, c.side == 3 ? c.y : c.y + out_y);
  }
  return right - left < kSmall && high - low < kSmall;
}

Trace trace_pixels(const Picture& picture, const Outline& outline) {
  const std::size_t n = outline.cracks.size();
  Trace trace;
  for (std::size_t i = 0; i < n; ++i) {
    const Crack &c = outline.cracks[i], &next = outline.cracks[(i + 1) % n];
    if (c.side != next.side) add_corner(picture, outline, i, trace);
  }
  return trace;
}

Trace trace_staircase(const Picture& picture, const Outline& outline) {
  const std::vector<Crack>& cracks = outline.cracks;
  const std::size_t n = cracks.size();
  // The length of each crack's run, corners, and the distance to the last and the next one.
  std::vector<std::size_t> lengths(n), back(n, n), ahead(n, n);
  std::vector<bool> corner(n, false);
  const std::vector<Run> runs = runs_of(cracks);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t k = 0; k < runs[r].length; ++k)
      lengths[(runs[r].first + k) % n] = runs[r].length;
    corner[(runs[r].first + runs[r].length - 1) % n] = is_corner(runs, r);
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
    std::size_t longest = lengths[i];
    const std::size_t before = (i + n - std::min(n - 1, longest)) % n, after = (i + longest) % n;
    longest = std::max({longest, lengths[before], lengths[after]});
    std::size_t half = std::clamp(longest, kLeastHalf, kMostHalf);
    half = std::min({half, back[i], ahead[i], (n - 1) / 4});
    const auto value = [&](std::ptrdiff_t k) {
      const auto m = static_cast<std::ptrdiff_t>(n);
      return middle(cracks[static_cast<std::size_t>((static_cast<std::ptrdiff_t>(i) + k + m) % m)]);
    };
    Vec2 smooth = at;
    if (half > 0) {
      const auto h = static_cast<std::ptrdiff_t>(half);
      // Relative to the middle: a straight run stays where it is, to the last bit.
      smooth = {at.x + smoothed(h, [&](std::ptrdiff_t k) { return value(k).x - at.x; }),
                at.y + smoothed(h, [&](std::ptrdiff_t k) { return value(k).y - at.y; })};
    }
    // Across the crack at most to the centres of its pixels, along it within its neighbours.
    const double limit = 0.5 - 1.0 / 64.0;
    smooth = {std::clamp(smooth.x, at.x - limit, at.x + limit),
              std::clamp(smooth.y, at.y - limit, at.y + limit)};
    trace.push_back({smooth, i, PointKind::crossing});
    if (corner[i]) add_corner(picture, outline, i, trace);
  }
  return trace;
}

}  // namespace tactus::detail::contour
