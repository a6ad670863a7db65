#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "tactus/fit/contour/repair.hpp"
#include "tactus/fit/contour/simplify.hpp"
#include "tactus/fit/contour/trace.hpp"

namespace tactus::fit {
namespace {

using namespace detail::contour;
using planar::Vec2;

// After so many rounds whole outlines give up their coverage, and all points come back.
constexpr int kMostRounds = 100;

void check(const GreyImage& image, const TraceOptions& options) {
  if (image.width < 1 || image.height < 1) throw InvalidInput("image", "has no pixels");
  const std::int64_t pixels = static_cast<std::int64_t>(image.width) * image.height;
  if (pixels > kMostPixels) {
    throw InvalidInput("image", "has " + std::to_string(image.width) + " x " +
                                    std::to_string(image.height) + " pixels, more than " +
                                    std::to_string(kMostPixels) + " in all");
  }
  if (image.values.size() != static_cast<std::size_t>(pixels)) {
    throw InvalidInput("image", "has another number of values than pixels");
  }
  const auto positive = [](double value) { return std::isfinite(value) && value >= 0.0; };
  if (options.threshold && !(*options.threshold > 0.0 && *options.threshold < 1.0)) {
    throw InvalidInput("threshold", "must lie between 0 and 1");
  }
  if (!positive(options.despeckle)) throw InvalidInput("despeckle", "must not be negative");
  if (options.error && !positive(*options.error)) {
    throw InvalidInput("error", "must not be negative");
  }
  if (options.points && options.error) {
    throw InvalidInput("points", "not together with an error");
  }
  if (options.pixels && (options.error || options.points)) {
    throw InvalidInput("pixels", "not together with an error or a number of points");
  }
  if (options.points && *options.points < 3) throw InvalidInput("points", "must be at least 3");
  if (!(options.scale >= 1e-9 && options.scale <= 1e9)) {
    throw InvalidInput("scale", "must lie between 1e-9 and 1e9");
  }
}

std::vector<Vec2> line_of(const Trace& trace, double scale) {
  std::vector<Vec2> line;
  line.reserve(trace.size());
  for (const TracePoint& p : trace) line.push_back(p.at * scale);
  return line;
}

std::vector<std::size_t> all_of(const std::vector<Vec2>& line) {
  std::vector<std::size_t> all(line.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// Puts the crossings of the grey values in place of the points of the marked cracks.
void give_up(const Picture& picture, const Outline& outline, const std::vector<bool>& marked,
             Trace& trace) {
  Trace out;
  const std::size_t n = outline.cracks.size();
  const auto first =
      std::min_element(trace.begin(), trace.end(),
                       [](const TracePoint& a, const TracePoint& b) { return a.crack < b.crack; });
  std::rotate(trace.begin(), first, trace.end());
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (marked[i]) out.push_back({crossing(picture, outline.cracks[i]), i, PointKind::crossing});
    for (; k < trace.size() && trace[k].crack <= i; ++k) {
      if (!marked[i]) out.push_back(trace[k]);
    }
  }
  trace = std::move(out);
}

/// The outlines of one picture on their way to contours.
class Tracer {
 public:
  Tracer(const GreyImage& image, const TraceOptions& options)
      : options_(options),
        levels_(grey_levels(image, options)),
        picture_(image, levels_, options.y_up),
        outlines_(outlines_of(picture_, options.saddle)) {}

  Tracing run() {
    result_.threshold = levels_.threshold / 65535.0;
    result_.dark = levels_.foreground < levels_.background;
    leave_out_specks();
    result_.binary = is_binary(picture_, outlines_);
    for (const Outline& outline : outlines_) {
      const bool sharp = result_.binary || is_sharp(picture_, outline);
      of_pixels_.push_back(options_.pixels || (sharp && is_small(outline)));
      if (of_pixels_.back()) {
        traces_.push_back(trace_pixels(picture_, outline));
      } else if (sharp) {
        traces_.push_back(trace_staircase(picture_, outline));
      } else {
        traces_.push_back(trace_coverage(picture_, outline));
        refit_corners(picture_, outline, traces_.back());
      }
      lines_.push_back(line_of(traces_.back(), options_.scale));
    }
    part_traces();
    simplify_lines();
    part_contours();
    gather();
    return std::move(result_);
  }

 private:
  void leave_out_specks() {
    const auto small = [&](const Outline& o) {
      return std::fabs(o.twice_area) < 2.0 * options_.despeckle;
    };
    const auto kept = std::remove_if(outlines_.begin(), outlines_.end(), small);
    result_.specks = static_cast<std::size_t>(outlines_.end() - kept);
    outlines_.erase(kept, outlines_.end());
  }

  // Traces that cross or touch go back to the crossings of grey values there, which don't.
  void part_traces() {
    for (int round = 0; round <= kMostRounds; ++round) {
      const auto pairs = crossings_of(lines_);
      if (pairs.empty()) return;
      std::map<std::size_t, std::vector<bool>> marked;
      for (const auto& [p, q] : pairs) {
        for (const SegmentOf& s : {p, q}) {
          std::vector<bool>& marks = marked[s.line];
          const std::size_t n = outlines_[s.line].cracks.size();
          if (marks.empty()) marks.assign(n, round == kMostRounds);
          const Trace& trace = traces_[s.line];
          const std::size_t last = trace[(s.segment + 1) % trace.size()].crack;
          std::size_t i = trace[s.segment].crack;
          for (; i != last; i = (i + 1) % n) marks[i] = true;
          marks[last] = true;
        }
      }
      for (const auto& [line, marks] : marked) {
        give_up(picture_, outlines_[line], keep_given_up(line, marks), traces_[line]);
        lines_[line] = line_of(traces_[line], options_.scale);
      }
    }
  }

  // Cracks of a line whose trace was given up in this round (`marks`) or in an earlier one.
  const std::vector<bool>& keep_given_up(std::size_t line, const std::vector<bool>& marks) {
    std::vector<bool>& all = given_up_[line];
    if (all.empty()) all.assign(marks.size(), false);
    for (std::size_t i = 0; i < marks.size(); ++i) all[i] = all[i] || marks[i];
    return all;
  }

  void simplify_lines() {
    const double error = options_.error.value_or(result_.binary ? kBinaryError : kSmoothError);
    for (std::size_t l = 0; l < lines_.size(); ++l) {
      const std::vector<Vec2>& line = lines_[l];
      if (of_pixels_[l] && !options_.error && !options_.points) {
        kept_.push_back(all_of(line));
        continue;
      }
      kept_.push_back(options_.points ? least_error(line, true, *options_.points)
                                      : fewest_points(line, true, error * options_.scale));
    }
  }

  // Points come back until contours neither cross nor lie on another side of each other than the
  // traces. With all points back, they don't.
  void part_contours() {
    std::size_t before = 0, after = 0;
    for (const auto& kept : kept_) before += kept.size();
    for (int round = 0; round <= kMostRounds; ++round) {
      std::vector<std::pair<std::size_t, std::size_t>> again = crossing_stretches();
      if (again.empty()) again = wrong_sides();
      if (again.empty()) break;
      std::sort(again.begin(), again.end());
      again.erase(std::unique(again.begin(), again.end()), again.end());
      for (const auto& [line, point] : again) {
        std::vector<std::size_t>& kept = kept_[line];
        if (round == kMostRounds) {
          kept = all_of(lines_[line]);
        } else {
          kept.insert(std::lower_bound(kept.begin(), kept.end(), point), point);
        }
      }
    }
    for (const auto& kept : kept_) after += kept.size();
    result_.restored = after - before;
  }

  std::vector<Vec2> contour(std::size_t line) const {
    std::vector<Vec2> points;
    points.reserve(kept_[line].size());
    for (const std::size_t i : kept_[line]) points.push_back(lines_[line][i]);
    return points;
  }

  std::size_t next_kept(std::size_t line, std::size_t i) const {
    return kept_[line][i + 1 == kept_[line].size() ? 0 : i + 1];
  }

  // The point of a stretch that is farthest from its segment, if it has any.
  void split(std::size_t line, std::size_t i,
             std::vector<std::pair<std::size_t, std::size_t>>& again) const {
    const std::size_t first = kept_[line][i];
    const auto most = deviation(lines_[line], first, next_kept(line, i));
    if (most.at != first) again.emplace_back(line, most.at);
  }

  std::vector<std::pair<std::size_t, std::size_t>> crossing_stretches() const {
    std::vector<std::vector<Vec2>> contours;
    contours.reserve(lines_.size());
    for (std::size_t l = 0; l < lines_.size(); ++l) contours.push_back(contour(l));
    std::vector<std::pair<std::size_t, std::size_t>> again;
    for (const auto& [p, q] : crossings_of(contours)) {
      split(p.line, p.segment, again);
      split(q.line, q.segment, again);
    }
    return again;
  }

  // Stretches that have moved over a point of another contour.
  std::vector<std::pair<std::size_t, std::size_t>> wrong_sides() const {
    std::vector<std::pair<std::size_t, std::size_t>> again;
    for (std::size_t l = 0; l < lines_.size(); ++l) {
      const std::vector<Vec2> simple = contour(l);
      Vec2 low = lines_[l][0], high = low;
      for (const Vec2& p : lines_[l]) {
        low = {std::fmin(low.x, p.x), std::fmin(low.y, p.y)};
        high = {std::fmax(high.x, p.x), std::fmax(high.y, p.y)};
      }
      for (std::size_t other = 0; other < lines_.size(); ++other) {
        const Vec2& p = lines_[other][kept_[other][0]];
        if (other == l || p.x < low.x || p.y < low.y || p.x > high.x || p.y > high.y) continue;
        if (encloses(lines_[l], p) == encloses(simple, p)) continue;
        for (std::size_t i = 0; i < kept_[l].size(); ++i) {
          if (encloses(stretch(l, i), p)) split(l, i, again);
        }
      }
    }
    return again;
  }

  std::vector<Vec2> stretch(std::size_t line, std::size_t i) const {
    const std::size_t last = next_kept(line, i), n = lines_[line].size();
    std::vector<Vec2> points;
    for (std::size_t k = kept_[line][i]; k != last; k = k + 1 == n ? 0 : k + 1) {
      points.push_back(lines_[line][k]);
    }
    points.push_back(lines_[line][last]);
    return points;
  }

  TracedContour finished(std::size_t line) const {
    return {contour(line), lines_[line].size(), largest_deviation(lines_[line], true, kept_[line])};
  }

  // Holes go to the outer contour of their shape; those of a shape left out went with it.
  void gather() {
    std::map<std::size_t, std::size_t> region_of;
    for (std::size_t l = 0; l < outlines_.size(); ++l) {
      if (outlines_[l].twice_area < 0.0) continue;
      region_of[outlines_[l].shape] = result_.regions.size();
      result_.regions.push_back({finished(l), {}});
    }
    for (std::size_t l = 0; l < outlines_.size(); ++l) {
      const auto region = region_of.find(outlines_[l].shape);
      if (outlines_[l].twice_area < 0.0 && region != region_of.end()) {
        result_.regions[region->second].holes.push_back(finished(l));
      }
    }
  }

  const TraceOptions& options_;
  GreyLevels levels_;
  Picture picture_;
  std::vector<Outline> outlines_;
  Tracing result_;
  std::vector<Trace> traces_;
  std::vector<bool> of_pixels_;  // outlines whose corners are those of pixels
  std::vector<std::vector<Vec2>> lines_;
  std::vector<std::vector<std::size_t>> kept_;
  std::map<std::size_t, std::vector<bool>> given_up_;
};

void check_line(std::span<const Vec2> points, bool closed) {
  if (points.size() < (closed ? 3U : 2U)) throw InvalidInput("points", "are too few");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!(std::fabs(points[i].x) <= 1e90 && std::fabs(points[i].y) <= 1e90)) {
      throw InvalidInput("points[" + std::to_string(i) + "]", "must be finite, at most 1e90");
    }
  }
}

}  // namespace

Tracing trace_contours(const GreyImage& image, const TraceOptions& options) {
  check(image, options);
  return Tracer(image, options).run();
}

SimplifiedLine simplify(std::span<const Vec2> points, bool closed, double error) {
  check_line(points, closed);
  if (!std::isfinite(error) || error < 0.0) throw InvalidInput("error", "must not be negative");
  SimplifiedLine out;
  out.kept = fewest_points(points, closed, error);
  out.error = largest_deviation(points, closed, out.kept);
  return out;
}

SimplifiedLine simplify_to(std::span<const Vec2> points, bool closed, std::size_t most) {
  check_line(points, closed);
  if (most < 3) throw InvalidInput("most", "must be at least 3");
  SimplifiedLine out;
  out.kept = least_error(points, closed, most);
  out.error = largest_deviation(points, closed, out.kept);
  return out;
}

}  // namespace tactus::fit
