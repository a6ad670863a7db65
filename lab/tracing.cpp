#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "lab/experiment.hpp"
#include "lab/verdicts.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/fit.hpp"
#include "tactus/planar.hpp"

// Source: docs/algorithms/contour-tracing.md.

namespace tactus::detail::lab {
namespace {

constexpr int kSide = 512;  // pixels
// Lines per row on which the coverage is summed up, each exactly.
constexpr int kLines = 64;
// Both outlines are looked at in steps of this, in pixels.
constexpr double kStep = 0.25;

using Line = std::vector<Vec2>;
/// An outline and its holes, in pixels, y upwards.
using Lines = std::vector<Line>;

Vec2 polar(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// Where on the picture, how large and how turned a shape lies.
struct Place {
  Vec2 centre;
  double size = 1.0, angle = 0.0;

  explicit Place(Random& random) {
    centre.x = random.uniform(246.0, 266.0);
    centre.y = random.uniform(246.0, 266.0);
    size = random.uniform(170.0, 200.0);
    angle = random.uniform(0.0, kTwoPi);
  }
  Line operator()(const Line& points) const {
    const Vec2 turn = polar(size, angle);
    Line out;
    for (const Vec2& p : points) {
      out.push_back(centre + Vec2{turn.x * p.x - turn.y * p.y, turn.y * p.x + turn.x * p.y});
    }
    return out;
  }
};

Line oval(double a, double b, int count) {
  Line out;
  for (int i = 0; i < count; ++i) {
    const Vec2 p = polar(1.0, kTwoPi * i / count);
    out.push_back({a * p.x, b * p.y});
  }
  return out;
}

Lines ellipse(Random& random) {
  const Place place(random);
  return {place(oval(1.0, random.uniform(0.4, 0.9), 4000))};
}

Lines ring(Random& random) {
  const Place place(random);
  const double inner = random.uniform(0.4, 0.8);
  return {place(oval(1.0, 1.0, 4000)), place(oval(inner, inner, 4000))};
}

Lines gear(Random& random) {
  const Place place(random);
  const int teeth = 12 + static_cast<int>(random.below(13));
  Line out;
  for (int k = 0; k < teeth; ++k) {
    const double at = kTwoPi * k / teeth, step = kTwoPi / teeth;
    out.push_back(polar(0.8, at));
    out.push_back(polar(1.0, at + 0.12 * step));
    out.push_back(polar(1.0, at + 0.42 * step));
    out.push_back(polar(0.8, at + 0.55 * step));
  }
  return {place(out), place(oval(0.3, 0.3, 2000))};
}

Lines letter_a(Random& random) {
  const Place place(random);
  return {place({{-0.75, -0.8},
                 {-0.5, -0.8},
                 {-0.32, -0.3},
                 {0.32, -0.3},
                 {0.5, -0.8},
                 {0.75, -0.8},
                 {0.13, 0.8},
                 {-0.13, 0.8}}),
          place({{-0.24, -0.08}, {0.0, 0.55}, {0.24, -0.08}})};
}

Lines letter_e(Random& random) {
  const Place place(random);
  return {place({{-0.5, -0.8},
                 {0.5, -0.8},
                 {0.5, -0.58},
                 {-0.25, -0.58},
                 {-0.25, -0.1},
                 {0.4, -0.1},
                 {0.4, 0.12},
                 {-0.25, 0.12},
                 {-0.25, 0.58},
                 {0.5, 0.58},
                 {0.5, 0.8},
                 {-0.5, 0.8}})};
}

// The covered part of every pixel, line by line: along a line exactly.
std::vector<double> coverage(const Lines& lines) {
  std::vector<std::vector<double>> places(static_cast<std::size_t>(kSide) * kLines);
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      Vec2 p = line[i], q = line[(i + 1) % line.size()];
      if (p.y > q.y) std::swap(p, q);
      const auto first = static_cast<int>(std::ceil(p.y * kLines - 0.5));
      const auto last = static_cast<int>(std::ceil(q.y * kLines - 0.5));
      for (int k = first; k < last; ++k) {
        const double t = ((k + 0.5) / kLines - p.y) / (q.y - p.y);
        places[static_cast<std::size_t>(k)].push_back(p.x + t * (q.x - p.x));
      }
    }
  }
  std::vector<double> out(static_cast<std::size_t>(kSide) * kSide);
  for (std::size_t k = 0; k < places.size(); ++k) {
    std::sort(places[k].begin(), places[k].end());
    // Pictures begin at the top.
    double* row = &out[(kSide - 1 - k / kLines) * kSide];
    for (std::size_t i = 0; i + 1 < places[k].size(); i += 2) {
      const double from = places[k][i], to = places[k][i + 1];
      for (auto x = static_cast<int>(from); x <= static_cast<int>(to); ++x) {
        row[x] += (std::fmin(to, x + 1.0) - std::fmax(from, x)) / kLines;
      }
    }
  }
  return out;
}

// In 8 bits, dark on light.
std::vector<std::uint16_t> picture(const Lines& lines, bool binary) {
  std::vector<std::uint16_t> out;
  for (const double covered : coverage(lines)) {
    const double dark = binary ? (covered > 0.5 ? 1.0 : 0.0) : covered;
    out.push_back(static_cast<std::uint16_t>(257.0 * std::floor(255.0 * (1.0 - dark) + 0.5)));
  }
  return out;
}

double distance_to(const Vec2& p, const Lines& lines) {
  double least = std::numeric_limits<double>::infinity();
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const Vec2 &q0 = line[i], s = line[(i + 1) % line.size()] - q0, o = p - q0;
      const double t = std::clamp(dot(o, s) / dot(s, s), 0.0, 1.0);
      const Vec2 d = o - s * t;
      least = std::fmin(least, dot(d, d));
    }
  }
  return std::sqrt(least);
}

double farthest(const Lines& from, const Lines& to) {
  double most = 0.0;
  for (const Line& line : from) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const Vec2 &p = line[i], s = line[(i + 1) % line.size()] - p;
      const int steps = 1 + static_cast<int>(norm(s) / kStep);
      for (int k = 0; k < steps; ++k)
        most = std::fmax(most, distance_to(p + s * (1.0 * k / steps), to));
    }
  }
  return most;
}

struct Found {
  double worst = 0.0, mean = 0.0, points = 0.0, seconds = std::numeric_limits<double>::infinity();
  double wrong = 0.0;  ///< other numbers of outlines than there are
};

Found measure(Lines (*draw)(Random&), bool binary, std::uint64_t stream, const Settings& settings) {
  Found found;
  const auto count = static_cast<double>(settings.pairs);
  for (std::uint64_t k = 0; k < settings.pairs; ++k) {
    Random random(settings.seed + 7919 * stream, k);
    const Lines lines = draw(random);
    const std::vector<std::uint16_t> values = picture(lines, binary);
    const std::clock_t start = std::clock();
    const Tracing tracing = trace_contours({kSide, kSide, values});
    found.seconds =
        std::fmin(found.seconds, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    Lines traced;
    for (const TracedRegion& region : tracing.regions) {
      traced.push_back(region.outer.points);
      for (const TracedContour& hole : region.holes) traced.push_back(hole.points);
    }
    if (traced.size() != lines.size() || tracing.binary != binary) {
      found.wrong += 1.0;
      continue;
    }
    const double error = std::fmax(farthest(traced, lines), farthest(lines, traced));
    found.worst = std::fmax(found.worst, error);
    found.mean += error / count;
    for (const Line& line : traced) found.points += static_cast<double>(line.size()) / count;
  }
  return found;
}

}  // namespace

Report run_tracing(const Settings& settings) {
  struct Shape {
    const char* name;
    Lines (*draw)(Random&);
    bool binary;
    double bound;
  };
  // Up to half as much again as 100 pictures of each kind reach.
  const Shape shapes[] = {{"ellipse", ellipse, false, 0.03},
                          {"ring", ring, false, 0.03},
                          {"gear", gear, false, 0.03},
                          {"letter A", letter_a, false, 0.01},
                          {"letter E", letter_e, false, 0.01},
                          {"ellipse, black and white", ellipse, true, 0.5},
                          {"ring, black and white", ring, true, 0.5}};
  Report report;
  report.name = "tracing";
  report.title = "Contours from pictures of known outlines";
  report.text = "Shapes of known outline, " + std::to_string(settings.pairs) +
                " of each kind, placed and turned at random, drawn with " + std::to_string(kSide) +
                " x " + std::to_string(kSide) +
                " pixels by the covered part of each pixel in 8 bits (black and white: by half of "
                "it),\ntraced with the options that are there without any. *error*: the Hausdorff "
                "distance between the outlines and the result, in pixels. *ms*: processor time "
                "of\nthe tracing, the least of all.";
  Table table{"Errors", {"shape", "worst error", "mean error", "bound", "points", "ms"}, {}};
  std::vector<TracedShape> figures;
  std::uint64_t stream = 0;
  for (const Shape& shape : shapes) {
    const Found f = measure(shape.draw, shape.binary, stream++, settings);
    table.rows.push_back({shape.name, f.worst, f.mean, shape.bound, f.points, 1e3 * f.seconds});
    figures.push_back({shape.name, f.worst, shape.bound, f.wrong, 1e3 * f.seconds});
    settings.progress(stream * settings.pairs / std::size(shapes), settings.pairs);
  }
  report.bars = bars_of(figures);
  report.tables = {table};
  return report;
}

}  // namespace tactus::detail::lab
