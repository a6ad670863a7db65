#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "tactus/fit/contour/trace.hpp"
#include "tactus/fit/contour/window_coverage.hpp"

namespace tactus::detail::contour {
namespace {

// Lengths in pixels. The sides of a corner are fitted over kSide, beyond one of the gaps: a column
// next to the corner's is exact, at acute corners columns farther away are so.
constexpr double kSide = 9.0, kLookedAt = 4.0;
constexpr std::array<double, 4> kGaps = {1.1, 1.8, 2.7, 4.0};
// Cosine of the least turn over the gap that is looked at: 10 degrees.
constexpr double kLeastTurn = 0.985, kOwnTurn = 0.1;
// Candidates are this far apart; nearer than the next lengths, two may be one corner. The greater
// is tried where the smaller leaves no sides that meet.
constexpr double kApart = 2.5;
constexpr std::array<double, 2> kSame = {3.5, 5.5};
// Least sine of the angle between the fitted sides, and the farthest corner beyond the trace.
constexpr double kLeastSine = 0.1, kFarthest = 6.0;
// Deviation from a line that asks for a parabola; of points from coverage.
constexpr double kBent = 0.02;
// The squared error of coverage below which a trace needs no corner, and the part of it that a
// corner may leave.
constexpr double kGoodEnough = 1e-3, kLeft = 0.6;
constexpr int kMostRadius = 7;

// A side as a height over a direction: v = a + b u + c u^2 from its origin.
struct Side {
  Vec2 origin, along, across;
  double a = 0.0, b = 0.0, c = 0.0;
  std::size_t first = 0;  // its point nearest to the corner

  double u_of(const Vec2& p) const { return dot(p - origin, along); }
  Vec2 at(double u) const { return origin + along * u + across * (a + u * (b + c * u)); }
  Vec2 tangent(double u) const { return along + across * (b + 2.0 * c * u); }
};

// Least squares of a polynomial of degree one or two.
void fit(Side& side, const std::vector<Vec2>& points, bool parabola) {
  const auto n = static_cast<double>(points.size());
  double mean = 0.0;
  for (const Vec2& p : points) mean += side.u_of(p) / n;
  double s2 = 0.0, s3 = 0.0, s4 = 0.0, v0 = 0.0, v1 = 0.0, v2 = 0.0;
  for (const Vec2& p : points) {
    const double u = side.u_of(p) - mean, v = dot(p - side.origin, side.across);
    s2 += u * u;
    s3 += u * u * u;
    s4 += u * u * u * u;
    v0 += v;
    v1 += u * v;
    v2 += u * u * v;
  }
  double a = v0 / n, b = s2 > 0.0 ? v1 / s2 : 0.0, c = 0.0;
  // The square's part that is neither constant nor linear.
  const double own = s4 - s2 * s2 / n - (s2 > 0.0 ? s3 * s3 / s2 : 0.0);
  if (parabola && own > 1e-9 * s4) {
    c = (v2 - s2 * a - s3 * b) / own;
    a -= c * s2 / n;
    b -= c * s3 / s2;
  }
  side.a = a - mean * (b - c * mean);
  side.b = b - 2.0 * c * mean;
  side.c = c;
}

struct Corner {
  Vec2 at;
  std::vector<TracePoint> points;   // instead of those between the sides
  std::size_t first = 0, last = 0;  // the points of the trace that stay
  double error = 0.0;
};

class CornerFit {
 public:
  CornerFit(const Picture& picture, const Outline& outline, Trace& trace)
      : picture_(picture), outline_(outline), trace_(trace), n_(trace.size()) {
    arc_.push_back(0.0);
    for (std::size_t i = 0; i < n_; ++i) arc_.push_back(arc_.back() + norm(at(i + 1) - at(i)));
  }

  void run() {
    find_candidates();
    std::vector<Corner> found;
    std::vector<bool> taken(n_, false), ends(n_, false);
    for (const Candidate& candidate : candidates_) {
      std::optional<Corner> corner = corner_at(candidate.point);
      if (!corner) continue;
      // Corners may share an end; none replaces what another one stands on.
      const std::size_t first = corner->first, last = corner->last;
      bool free = !taken[first % n_] && !taken[last % n_];
      for (std::size_t i = first + 1; i < last; ++i) free = free && !taken[i % n_] && !ends[i % n_];
      if (!free) continue;
      for (std::size_t i = first + 1; i < last; ++i) taken[i % n_] = true;
      ends[first % n_] = ends[last % n_] = true;
      found.push_back(std::move(*corner));
    }
    if (!found.empty()) replace(found, taken);
  }

 private:
  struct Candidate {
    std::size_t point;
    double turn;  // cosine
  };

  const Vec2& at(std::size_t i) const { return trace_[i % n_].at; }
  double length() const { return arc_[n_]; }
  // Distance along the trace, of at most a whole round.
  double distance(std::size_t from, std::size_t to) const {
    const double d = arc_[to % n_] - arc_[from % n_];
    return d < 0.0 ? d + length() : d;
  }
  std::size_t step(std::size_t i, int direction) const {
    return direction > 0 ? (i + 1) % n_ : (i + n_ - 1) % n_;
  }
  double gone(std::size_t from, std::size_t to, int direction) const {
    return direction > 0 ? distance(from, to) : distance(to, from);
  }

  // The mean direction between `gap` and `gap + kLookedAt` away.
  Vec2 direction_from(std::size_t k, int direction, double gap) const {
    std::size_t first = k, count = 0;
    do first = step(first, direction);
    while (++count < n_ && gone(k, first, direction) < gap);
    std::size_t last = first;
    while (++count < n_ && gone(k, step(last, direction), direction) <= gap + kLookedAt) {
      last = step(last, direction);
    }
    const Vec2 d = at(last) - at(first);
    const double l = norm(d);
    return l > 0.0 ? d / l : Vec2{};
  }

  double turn_at(std::size_t k) const {
    const Vec2 in = at(k) - at(k + n_ - 1), out = at(k + 1) - at(k);
    const double lengths = norm(in) * norm(out);
    return lengths > 0.0 ? dot(in, out) / lengths : 1.0;
  }

  void find_candidates() {
    std::vector<double> turns(n_), seen(n_);
    for (std::size_t k = 0; k < n_; ++k) {
      // The turn at the point itself decides between neighbours that see the same sides.
      turns[k] = -dot(direction_from(k, 1, kGaps[0]), direction_from(k, -1, kGaps[0]));
      seen[k] = turns[k];
      turns[k] -= kOwnTurn * (1.0 - turn_at(k));
    }
    for (std::size_t k = 0; k < n_; ++k) {
      bool sharpest = seen[k] < kLeastTurn;
      for (const int direction : {-1, 1}) {
        std::size_t i = step(k, direction);
        for (std::size_t count = 1; count < n_ && gone(k, i, direction) < kApart; ++count) {
          sharpest = sharpest && (turns[k] < turns[i] || (turns[k] == turns[i] && k < i));
          i = step(i, direction);
        }
      }
      if (sharpest) candidates_.push_back({k, turns[k]});
    }
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return a.turn != b.turn ? a.turn < b.turn : a.point < b.point;
    });
  }

  // How far the side may be looked at before the rounding of the next corner.
  double room(std::size_t k, int direction, double gap, double same) const {
    double free = gap + kSide;
    for (const Candidate& other : candidates_) {
      if (other.point == k) continue;
      const double away = gone(k, other.point, direction);
      if (away > same) free = std::fmin(free, away - kGaps[0]);
    }
    return std::fmin(free, 0.5 * length());
  }

  std::optional<Side> side_of(std::size_t k, int direction, double gap, double same) const {
    const double free = room(k, direction, gap, same);
    std::vector<Vec2> points;
    Side side;
    std::size_t i = step(k, direction);
    for (std::size_t count = 1; count < n_; ++count, i = step(i, direction)) {
      const double away = gone(k, i, direction);
      if (away > free) break;
      if (away < gap || trace_[i].kind != PointKind::edge) continue;
      if (points.empty()) side.first = i;
      points.push_back(trace_[i].at);
    }
    if (points.size() < 2) return std::nullopt;
    const Vec2 chord = points.back() - points.front();
    const double l = norm(chord);
    if (!(l > 0.5)) return std::nullopt;
    side.origin = at(k);
    side.along = chord / l;
    side.across = {-side.along.y, side.along.x};
    fit(side, points, false);
    double most = 0.0;
    for (const Vec2& p : points) most = std::fmax(most, norm(p - side.at(side.u_of(p))));
    if (most > kBent && points.size() >= 5) fit(side, points, true);
    return side;
  }

  // Where the two sides meet; Newton's method on their tangents.
  static std::optional<Vec2> meeting(const Side& a, const Side& b, const Vec2& start) {
    Vec2 p = start;
    for (int iteration = 0; iteration < 8; ++iteration) {
      const double u = a.u_of(p), v = b.u_of(p);
      const Vec2 s = a.tangent(u), t = b.tangent(v);
      const double sine = cross(s, t);
      if (std::fabs(sine) < kLeastSine * norm(s) * norm(t)) return std::nullopt;
      p = a.at(u) + s * (cross(b.at(v) - a.at(u), t) / sine);
      if (!(norm(p - start) < kFarthest)) return std::nullopt;
    }
    return p;
  }

  // Points of a bent side between its first one and the corner, a pixel apart.
  void add_bend(const Side& side, const Vec2& corner, bool towards,
                std::vector<TracePoint>& out) const {
    if (side.c == 0.0) return;
    const double from = side.u_of(at(side.first)), to = side.u_of(corner);
    const int pieces = static_cast<int>(std::ceil(std::fabs(to - from)));
    for (int k = 1; k < pieces; ++k) {
      const double part = static_cast<double>(towards ? k : pieces - k) / pieces;
      out.push_back(
          {side.at(from + part * (to - from)), trace_[side.first].crack, PointKind::corner});
    }
  }

  std::optional<Corner> corner_at(std::size_t k) const {
    for (const double same : kSame) {
      if (std::optional<Corner> corner = corner_at(k, same)) return corner;
    }
    return std::nullopt;
  }
  std::optional<Corner> corner_at(std::size_t k, double same) const {
    std::optional<Corner> best;
    for (const double gap : kGaps) {
      const auto back = side_of(k, -1, gap, same), ahead = side_of(k, 1, gap, same);
      if (!back || !ahead) continue;
      const auto point = meeting(*back, *ahead, at(k));
      if (!point) continue;
      Corner corner;
      corner.at = *point;
      corner.first = back->first;
      corner.last = ahead->first;
      while (corner.last <= corner.first) corner.last += n_;
      add_bend(*back, *point, true, corner.points);
      corner.points.push_back({*point, trace_[k].crack, PointKind::corner});
      add_bend(*ahead, *point, false, corner.points);
      const auto errors = errors_of(corner, k);
      if (!errors || errors->first < kGoodEnough || errors->second > kLeft * errors->first)
        continue;
      // Relative to the trace's error, since windows of several sizes are compared.
      corner.error = errors->second / errors->first;
      if (!best || corner.error < best->error) best = std::move(corner);
    }
    return best;
  }

  // Squared errors of coverage around the corner, of the trace as it is and with the corner.
  std::optional<std::pair<double, double>> errors_of(const Corner& corner, std::size_t k) const {
    double reach = norm(corner.at - at(k));
    for (std::size_t i = corner.first; i <= corner.last; ++i) {
      reach = std::fmax(reach, norm(at(i) - at(k)));
    }
    const int radius = static_cast<int>(std::ceil(reach)) + 1;
    if (radius > kMostRadius) return std::nullopt;
    const Window window{static_cast<int>(std::floor(at(k).x)) - radius,
                        static_cast<int>(std::floor(at(k).y)) - radius, 2 * radius + 1};
    return compare(window, corner);
  }

  std::optional<std::pair<double, double>> compare(const Window& window,
                                                   const Corner& corner) const {
    // The stretch of the trace that crosses the window, of at most one round.
    const std::size_t from = corner.first + n_, to = corner.last + n_;
    std::size_t first = from, last = to;
    while (last - first < n_ && window.holds(at(first))) --first;
    while (last - first < n_ && window.holds(at(last))) ++last;
    const bool whole = last - first >= n_;
    if (whole) last = first + n_ - 1;
    if (!alone(window, first, last, whole)) return std::nullopt;
    std::vector<Vec2> old_chain, new_chain;
    for (std::size_t i = first; i <= last; ++i) {
      old_chain.push_back(at(i));
      if (i <= from || i >= to) new_chain.push_back(at(i));
      if (i == from) {
        for (const TracePoint& p : corner.points) new_chain.push_back(p.at);
      }
    }
    if (!whole) {
      close_around(window, old_chain);
      close_around(window, new_chain);
    }
    return std::pair(error_of(window, old_chain), error_of(window, new_chain));
  }

  // Do all cracks within the window belong to the stretch?
  bool alone(const Window& window, std::size_t first, std::size_t last, bool whole) const {
    std::size_t in_picture = 0, in_stretch = 0;
    const auto count = [&](int x, int y, int i, int j) {
      if (window.holds(i, j) && picture_.inside(x, y) != picture_.inside(i, j)) ++in_picture;
    };
    for (int y = window.y; y < window.y + window.size; ++y) {
      for (int x = window.x; x < window.x + window.size; ++x) {
        count(x, y, x + 1, y);
        count(x, y, x, y + 1);
      }
    }
    const std::size_t m = outline_.cracks.size();
    const std::size_t start = trace_[first % n_].crack, end = trace_[last % n_].crack;
    const std::size_t cracks = whole ? m : (end + m - start) % m + 1;
    for (std::size_t i = 0; i < cracks; ++i) {
      const Crack& c = outline_.cracks[(start + i) % m];
      if (window.holds(c.x, c.y) && window.holds(c.x + kStepX[c.side], c.y + kStepY[c.side])) {
        ++in_stretch;
      }
    }
    return in_picture == in_stretch;
  }

  double error_of(const Window& window, const std::vector<Vec2>& polygon) const {
    const std::vector<double> parts = window_coverage(window, polygon);
    double sum = 0.0;
    std::size_t k = 0;
    for (int y = window.y; y < window.y + window.size; ++y) {
      for (int x = window.x; x < window.x + window.size; ++x, ++k) {
        const double seen = std::fmin(std::fmax(static_cast<double>(picture_.at(x, y)), 0.0), 1.0);
        sum += (parts[k] - seen) * (parts[k] - seen);
      }
    }
    return sum;
  }

  void replace(std::vector<Corner>& found, const std::vector<bool>& taken) {
    std::vector<std::size_t> corner_after(n_, found.size());
    for (std::size_t c = 0; c < found.size(); ++c) corner_after[found[c].first % n_] = c;
    Trace out;
    for (std::size_t i = 0; i < n_; ++i) {
      if (!taken[i]) out.push_back(trace_[i]);
      if (const std::size_t c = corner_after[i]; c < found.size()) {
        out.insert(out.end(), found[c].points.begin(), found[c].points.end());
      }
    }
    trace_ = std::move(out);
  }

  const Picture& picture_;
  const Outline& outline_;
  Trace& trace_;
  std::size_t n_;
  std::vector<double> arc_;
  std::vector<Candidate> candidates_;
};

}  // namespace

void refit_corners(const Picture& picture, const Outline& outline, Trace& trace) {
  constexpr std::size_t kLeastPoints = 8;
  if (trace.size() >= kLeastPoints) CornerFit(picture, outline, trace).run();
}

}  // namespace tactus::detail::contour
