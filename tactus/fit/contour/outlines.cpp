#include "tactus/fit/contour/outlines.hpp"

#include <algorithm>
#include <numeric>

namespace tactus::detail::contour {
namespace {

// A crossing stays this part of a pixel away from both centres, so that rounding joins none.
constexpr double kLeastPart = 1.0 / 64.0;

bool joined(const Picture& picture, SaddleRule rule, int x, int y) {
  if (rule != SaddleRule::mean) return rule == SaddleRule::join;
  const double sum = (static_cast<double>(picture.at(x, y)) + picture.at(x + 1, y)) +
                     (static_cast<double>(picture.at(x, y + 1)) + picture.at(x + 1, y + 1));
  return sum >= 4.0 * picture.threshold();
}

// The next crack, the inside at the left; at a corner where four pixels alternate the rule decides.
Crack following(const Picture& picture, SaddleRule rule, const Crack& c) {
  const int along = (c.side + 1) % 4;
  const int ax = c.x + kStepX[along], ay = c.y + kStepY[along];
  const int bx = ax + kStepX[c.side], by = ay + kStepY[c.side];
  const bool ahead = picture.inside(ax, ay), beside = picture.inside(bx, by);
  if (ahead && !beside) return {ax, ay, c.side};
  const bool on = beside && (ahead || joined(picture, rule, std::min(c.x, bx), std::min(c.y, by)));
  if (on) return {bx, by, (along + 2) % 4};
  return {c.x, c.y, along};
}

// The pixels inside as runs of rows, and which of them are connected.
class Shapes {
 public:
  Shapes(const Picture& picture, SaddleRule rule) : picture_(picture), rule_(rule) {
    rows_.push_back(0);
    for (int y = 0; y < picture.height(); ++y) add_row(y);
  }

  std::size_t shape_of(int x, int y) { return root(run_at(x, y)); }

 private:
  struct Run {
    int first, end;
  };

  void add_row(int y) {
    for (int x = 0; x < picture_.width(); ++x) {
      if (!picture_.inside(x, y)) continue;
      const int first = x;
      while (picture_.inside(x, y)) ++x;
      runs_.push_back({first, x});
      parents_.push_back(parents_.size());
    }
    rows_.push_back(runs_.size());
    if (y > 0) join_rows(y);
  }

  void join_rows(int y) {
    const auto row = static_cast<std::size_t>(y);
    std::size_t i = rows_[row - 1], j = rows_[row];
    while (i < rows_[row] && j < rows_[row + 1]) {
      const Run &above = runs_[i], &below = runs_[j];
      const bool overlap = above.first < below.end && below.first < above.end;
      const bool corner =
          (above.end == below.first && joined(picture_, rule_, above.end - 1, y - 1)) ||
          (below.end == above.first && joined(picture_, rule_, below.end - 1, y - 1));
      if (overlap || corner) join(i, j);
      if (above.end <= below.end) {
        ++i;
      } else {
        ++j;
      }
    }
  }

  std::size_t root(std::size_t run) {
    while (parents_[run] != run) run = parents_[run] = parents_[parents_[run]];
    return run;
  }
  void join(std::size_t a, std::size_t b) {
    a = root(a);
    b = root(b);
    parents_[std::max(a, b)] = std::min(a, b);
  }
  std::size_t run_at(int x, int y) const {
    const auto row = static_cast<std::size_t>(y);
    const auto first = runs_.begin() + static_cast<std::ptrdiff_t>(rows_[row]);
    const auto end = runs_.begin() + static_cast<std::ptrdiff_t>(rows_[row + 1]);
    const auto after =
        std::upper_bound(first, end, x, [](int v, const Run& r) { return v < r.first; });
    return static_cast<std::size_t>(after - runs_.begin()) - 1;
  }

  const Picture& picture_;
  SaddleRule rule_;
  std::vector<Run> runs_;
  std::vector<std::size_t> rows_, parents_;
};

}  // namespace

std::vector<Outline> outlines_of(const Picture& picture, SaddleRule rule) {
  Shapes shapes(picture, rule);
  const auto width = static_cast<std::size_t>(picture.width());
  // Every outline passes a left side of a pixel.
  std::vector<bool> seen(width * static_cast<std::size_t>(picture.height()), false);
  std::vector<Outline> outlines;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      const std::size_t place = static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x);
      if (!picture.inside(x, y) || picture.inside(x - 1, y) || seen[place]) continue;
      Outline outline;
      const Crack start{x, y, 2};
      Crack c = start;
      do {
        if (c.side == 2) {
          seen[static_cast<std::size_t>(c.y) * width + static_cast<std::size_t>(c.x)] = true;
        }
        outline.cracks.push_back(c);
        // Sides at +x lead towards +y: the area is that left of them.
        if (c.side % 2 == 0) outline.twice_area += c.side == 0 ? 2.0 * (c.x + 1) : -2.0 * c.x;
        c = following(picture, rule, c);
      } while (c.x != start.x || c.y != start.y || c.side != start.side);
      outline.shape = shapes.shape_of(x, y);
      outlines.push_back(std::move(outline));
    }
  }
  return outlines;
}

Vec2 crossing(const Picture& picture, const Crack& c) {
  const int dx = kStepX[c.side], dy = kStepY[c.side];
  const double in = picture.at(c.x, c.y), out = picture.at(c.x + dx, c.y + dy);
  const double part = (in - picture.threshold()) / (in - out);
  const double s = std::fmin(std::fmax(part, kLeastPart), 1.0 - kLeastPart);
  return {c.x + 0.5 + s * dx, c.y + 0.5 + s * dy};
}

}  // namespace tactus::detail::contour
