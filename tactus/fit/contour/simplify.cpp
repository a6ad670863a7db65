#include "tactus/fit/contour/simplify.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "tactus/core/constants.hpp"

namespace tactus::detail::contour {
namespace {

// Rounding of directions is covered by so much less error.
constexpr double kShrink = 1.0 - 1e-9;
// Shortcuts that are looked at in one round, and for all starts together.
constexpr std::size_t kMostShortcuts = 400000, kMostSteps = 4000000;
constexpr int kMostBisections = 60;

// Grows with the angle of (x, y) from -180 to 180 degrees, between -2 and 2.
double pseudo_angle(double x, double y) {
  const double part = y / (std::fabs(x) + std::fabs(y));
  if (x >= 0.0) return part;
  return y >= 0.0 ? 2.0 - part : -2.0 - part;
}

// The directions from a point in which a ray passes all discs so far.
class Cone {
 public:
  explicit Cone(double radius) : radius_(radius) {}

  bool holds(const Vec2& v) const {
    if (!bounded_) return v.x != 0.0 || v.y != 0.0;
    const double angle = angle_of(v);
    return low_ <= angle && angle <= high_;
  }

  // The disc about `v`; false when no direction is left.
  bool add(const Vec2& v) {
    const double rest = dot(v, v) - radius_ * radius_;
    if (!(rest > 0.0)) return true;
    const double t = std::sqrt(rest);
    const Vec2 left{v.x * t - v.y * radius_, v.y * t + v.x * radius_};
    const Vec2 right{v.x * t + v.y * radius_, v.y * t - v.x * radius_};
    if (!bounded_) {
      middle_ = v;
      bounded_ = true;
      low_ = angle_of(right);
      high_ = angle_of(left);
      return true;
    }
    // A disc's half is less than a right angle; what turns past half a round is off the cone.
    const double at = angle_of(v);
    double low = angle_of(right), high = angle_of(left);
    if (low > at) low = -4.0;
    if (high < at) high = 4.0;
    low_ = std::fmax(low_, low);
    high_ = std::fmin(high_, high);
    return low_ <= high_;
  }

 private:
  double angle_of(const Vec2& v) const { return pseudo_angle(dot(middle_, v), cross(middle_, v)); }

  double radius_;
  bool bounded_ = false;
  Vec2 middle_;
  double low_ = 0.0, high_ = 0.0;
};

// Sums over a line's points, for the squared distances from a shortcut.
class Moments {
 public:
  explicit Moments(std::span<const Vec2> line) : line_(line), sums_(line.size() + 1) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const Vec2 p = line[i] - line[0];
      const Sum& s = sums_[i];
      sums_[i + 1] = {s.x + p.x, s.y + p.y, s.xx + p.x * p.x, s.xy + p.x * p.y, s.yy + p.y * p.y};
    }
  }

  // Sum of the squared distances of the points after `first` and before `next` from the line
  // through both; up to rounding.
  double squared(std::size_t first, std::size_t next) const {
    const std::size_t n = line_.size();
    Sum s = between(first % n + 1, next > n ? n : next);
    if (next > n)
      s = first < n ? plus(between(first + 1, n), between(0, next - n))
                    : between(first - n + 1, next - n);
    const double count = static_cast<double>(next - first - 1);
    const Vec2 a = line_[first % n] - line_[0], d = line_[next % n] - line_[first % n];
    // The normal form of the line: u x + v y + w.
    const double u = -d.y, v = d.x, w = d.y * a.x - d.x * a.y;
    const double sum = (u * u * s.xx + v * v * s.yy + 2.0 * u * v * s.xy) +
                       2.0 * w * (u * s.x + v * s.y) + count * w * w;
    const double square = dot(d, d);
    return square > 0.0 ? std::fmax(0.0, sum / square) : 0.0;
  }

 private:
  struct Sum {
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
  };
  static Sum plus(const Sum& a, const Sum& b) {
    return {a.x + b.x, a.y + b.y, a.xx + b.xx, a.xy + b.xy, a.yy + b.yy};
  }
  Sum between(std::size_t first, std::size_t end) const {
    const Sum &a = sums_[first], &b = sums_[end];
    return {b.x - a.x, b.y - a.y, b.xx - a.xx, b.xy - a.xy, b.yy - a.yy};
  }

  std::span<const Vec2> line_;
  std::vector<Sum> sums_;
};

/// The shortcuts between some of the line's points that keep within an error.
class Shortcuts {
 public:
  Shortcuts(std::span<const Vec2> line, bool closed, double error,
            const std::vector<std::size_t>& candidates, std::size_t most)
      : line_(line), closed_(closed), error_(error * kShrink), candidates_(candidates) {
    const std::size_t m = candidates.size();
    // A ray from either end must pass all points between.
    std::vector<std::vector<std::uint32_t>> forward(m), backward(m);
    for (std::size_t a = 0; a < m; ++a) {
      look(a, 1, most, forward[a]);
      look(a, -1, most, backward[a]);
    }
    ends_.resize(m);
    for (std::size_t b = 0; b < m; ++b) {
      for (const std::uint32_t steps : backward[b]) {
        const std::size_t a = (b + m - steps) % m;
        if (std::binary_search(forward[a].begin(), forward[a].end(), steps)) {
          ends_[a].push_back(steps);
        }
      }
    }
    for (std::size_t a = 0; a < m; ++a) {
      std::vector<std::uint32_t>& ends = ends_[a];
      std::sort(ends.begin(), ends.end());
      // The next candidate is reached however rounding falls.
      const bool next = closed || a + 1 < m;
      if (next && (ends.empty() || ends.front() != 1)) ends.insert(ends.begin(), 1);
      count_ += ends.size();
    }
  }

  std::size_t count() const { return count_; }
  // How many candidates each shortcut from `a` leads ahead, rising.
  const std::vector<std::uint32_t>& from(std::size_t a) const { return ends_[a]; }

  // Candidates of which every closed line of shortcuts holds one.
  std::vector<std::size_t> starts() const {
    const std::size_t m = ends_.size();
    // Number of candidates, up to each place, from which a shortcut leads beyond it.
    std::vector<std::int64_t> over(2 * m + 1, 0);
    for (std::size_t a = 0; a < m; ++a) {
      ++over[a];
      --over[a + ends_[a].back()];
    }
    for (std::size_t i = 0; i < 2 * m; ++i) over[i + 1] += over[i];
    std::size_t best = 0;
    for (std::size_t i = 1; i < m; ++i) {
      if (over[i] + over[i + m] < over[best] + over[best + m]) best = i;
    }
    std::vector<std::size_t> out;
    for (std::size_t back = 0; back < m; ++back) {
      const std::size_t a = (best + m - back) % m;
      if (ends_[a].back() > back) out.push_back(a);
    }
    return out;
  }

 private:
  void look(std::size_t a, int direction, std::size_t most,
            std::vector<std::uint32_t>& found) const {
    const std::size_t n = line_.size(), m = candidates_.size();
    const std::size_t start = candidates_[a];
    Cone cone(error_);
    std::size_t k = start;
    const std::size_t rounds = closed_ ? m - 1 : (direction > 0 ? m - 1 - a : a);
    for (std::size_t steps = 1; steps <= std::min(rounds, most); ++steps) {
      const std::size_t b = direction > 0 ? (a + steps) % m : (a + m - steps) % m;
      // The points between, then the candidate.
      for (;;) {
        k = direction > 0 ? (k + 1 == n ? 0 : k + 1) : (k == 0 ? n - 1 : k - 1);
        if (k == candidates_[b]) break;
        if (!cone.add(line_[k] - line_[start])) return;
      }
      const Vec2 v = line_[k] - line_[start];
      if (cone.holds(v)) found.push_back(static_cast<std::uint32_t>(steps));
      if (!cone.add(v)) return;
    }
  }

  std::span<const Vec2> line_;
  bool closed_;
  double error_;
  const std::vector<std::size_t>& candidates_;
  std::vector<std::vector<std::uint32_t>> ends_;
  std::size_t count_ = 0;
};

struct Path {
  std::size_t count = std::numeric_limits<std::size_t>::max();
  double squares = 0.0;
  std::vector<std::size_t> points;  // indices of candidates, unrolled

  bool better_than(const Path& other) const {
    return count != other.count ? count < other.count : squares < other.squares;
  }
};

// The best line of shortcuts from a candidate over `length` candidates.
Path best_path(const Shortcuts& shortcuts, const Moments& moments,
               const std::vector<std::size_t>& candidates, std::size_t n, std::size_t start,
               std::size_t length, std::size_t limit) {
  struct Reached {
    std::size_t count = std::numeric_limits<std::size_t>::max(), from = 0;
    double squares = 0.0;
  };
  const std::size_t m = candidates.size();
  std::vector<Reached> reached(length + 1);
  reached[0].count = 0;
  const auto place = [&](std::size_t i) { return candidates[i % m] + (i / m) * n; };
  for (std::size_t i = 0; i < length; ++i) {
    const Reached here = reached[i];
    if (here.count >= limit) continue;
    for (const std::uint32_t steps : shortcuts.from((start + i) % m)) {
      if (i + steps > length) break;
      Reached& there = reached[i + steps];
      if (here.count + 1 > there.count) continue;
      const std::size_t first = (start + i) % m;
      const double squares = here.squares + moments.squared(place(first), place(first + steps));
      if (here.count + 1 < there.count || squares < there.squares) {
        there = {here.count + 1, i, squares};
      }
    }
  }
  Path path;
  path.count = reached[length].count;
  path.squares = reached[length].squares;
  if (path.count > limit) return path;
  for (std::size_t i = length; i > 0; i = reached[i].from)
    path.points.push_back(start + reached[i].from);
  std::reverse(path.points.begin(), path.points.end());
  return path;
}

std::vector<std::size_t> fewest_of(std::span<const Vec2> line, bool closed, double error,
                                   const std::vector<std::size_t>& candidates) {
  const std::size_t n = line.size(), m = candidates.size();
  const std::size_t most = std::max<std::size_t>(kMostShortcuts / m, 64);
  const Shortcuts shortcuts(line, closed, error, candidates, most);
  const Moments moments(line);
  Path best;
  if (!closed) {
    best = best_path(shortcuts, moments, candidates, n, 0, m - 1, m);
    best.points.push_back(m - 1);
  } else {
    std::vector<std::size_t> starts = shortcuts.starts();
    // Any start costs one point more at most.
    const std::size_t tried =
        std::max<std::size_t>(1, kMostSteps / std::max<std::size_t>(1, shortcuts.count()));
    const std::size_t stride = (starts.size() + tried - 1) / tried;
    for (std::size_t s = 0; s < starts.size(); s += stride) {
      const Path path =
          best_path(shortcuts, moments, candidates, n, starts[s], m, std::min(best.count, m));
      if (path.better_than(best)) best = path;
    }
  }
  std::vector<std::size_t> points;
  points.reserve(best.points.size());
  for (const std::size_t i : best.points) points.push_back(candidates[i % m]);
  std::sort(points.begin(), points.end());
  return points;
}

std::vector<std::size_t> all_of(std::span<const Vec2> line) {
  std::vector<std::size_t> all(line.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

ChordDeviation deviation(std::span<const Vec2> line, std::size_t first, std::size_t next) {
  // Rounding of a distance: of differences and products, relative to the coordinates.
  constexpr double kRounding = 8.0 * kUnit;
  const Vec2 a = line[first], d = line[next] - a;
  const double square = dot(d, d);
  ChordDeviation most{0.0, first};
  for (std::size_t k = first; (k = k + 1 == line.size() ? 0 : k + 1) != next;) {
    const Vec2 v = line[k] - a;
    const double part = square > 0.0 ? std::fmin(std::fmax(dot(v, d) / square, 0.0), 1.0) : 0.0;
    const Vec2 off = v - d * part;
    const double size = (std::fabs(a.x) + std::fabs(a.y)) + (std::fabs(v.x) + std::fabs(v.y));
    const double distance = norm(off) + kRounding * size;
    if (distance > most.distance) most = {distance, k};
  }
  return most;
}

double largest_deviation(std::span<const Vec2> line, bool closed,
                         const std::vector<std::size_t>& kept) {
  double most = 0.0;
  for (std::size_t i = 0; i + (closed ? 0 : 1) < kept.size(); ++i) {
    const std::size_t next = kept[i + 1 == kept.size() ? 0 : i + 1];
    most = std::fmax(most, deviation(line, kept[i], next).distance);
  }
  return most;
}

std::vector<std::size_t> fewest_points(std::span<const Vec2> line, bool closed, double error) {
  const std::size_t n = line.size(), least = closed ? 3 : 2;
  if (n <= least) return all_of(line);
  double allowed = error;
  for (int halving = 0; halving < kMostBisections; ++halving, allowed *= 0.5) {
    std::vector<std::size_t> kept = fewest_of(line, closed, allowed, all_of(line));
    // Where the shortcuts were cut off, longer ones between the points that are left.
    if (n * n > kMostShortcuts && kept.size() > least)
      kept = fewest_of(line, closed, allowed, kept);
    if (kept.size() >= least) return kept;
  }
  return all_of(line);
}

std::vector<std::size_t> least_error(std::span<const Vec2> line, bool closed, std::size_t count) {
  std::vector<std::size_t> best;
  if (line.size() <= count) return all_of(line);
  // No error of interest is larger than the line.
  Vec2 low = line[0], high = line[0];
  for (const Vec2& p : line) {
    low = {std::fmin(low.x, p.x), std::fmin(low.y, p.y)};
    high = {std::fmax(high.x, p.x), std::fmax(high.y, p.y)};
  }
  double below = 0.0, above = norm(high - low);
  best = fewest_points(line, closed, above);
  for (int k = 0; k < kMostBisections && below < above; ++k) {
    const double middle = 0.5 * (below + above);
    if (middle <= below || middle >= above) break;
    std::vector<std::size_t> kept = fewest_points(line, closed, middle);
    if (kept.size() > count) {
      below = middle;
      continue;
    }
    // No line of few enough points has an error between its own and the one that was allowed.
    above = std::fmin(middle, largest_deviation(line, closed, kept));
    best = std::move(kept);
    if (above - below < 1e-9 * above) break;
  }
  return best;
}

}  // namespace tactus::detail::contour
