#include <algorithm>
#include <optional>

#include "tactus/fit/contour/trace.hpp"

namespace tactus::detail::contour {
namespace {

// Pixels on each side of a crack within which its column must end.
constexpr int kReach = 5;
// A pixel this near to a level is wholly inside or outside: less than a step of 8-bit grey.
constexpr double kSaturated = 0.003;
// Where levels vary, a column ends at a plateau: neighbours that differ by less than this, on the
// right side of the threshold by at least the next constant. In units of the contrast.
constexpr double kFlat = 0.06, kClear = 0.2;
// Points closer to each other than this are one.
constexpr double kNearest = 0.2;
// Part of cracks beside grey pixels below which a picture counts as binary.
constexpr double kGreyPart = 0.02;

struct Column {
  const Picture& picture;
  const Crack& crack;
  // The k-th pixel beyond the one inside, moved to the side by `aside` pixels.
  double at(int k, int aside = 0) const {
    const int side = (crack.side + 1) % 4;
    return picture.at(crack.x + k * kStepX[crack.side] + aside * kStepX[side],
                      crack.y + k * kStepY[crack.side] + aside * kStepY[side]);
  }
};

struct End {
  int pixel;
  double level;
};

// Does the column end at its k-th pixel at one of the picture's own levels?
bool saturated(const Column& column, int k, int step) {
  const double value = column.at(k);
  return step < 0 ? value >= 1.0 - kSaturated : value <= kSaturated;
}

bool plateau(const Column& column, int k, int step) {
  const double value = column.at(k);
  const auto flat = [&](int beyond, int aside) {
    return std::fabs(column.at(k + beyond, aside) - value) <= kFlat;
  };
  return (value - column.picture.threshold()) * -step >= kClear && flat(step, 0) && flat(0, 1) &&
         flat(0, -1);
}

// A plateau counts only where the column does not get to the picture's level.
std::optional<End> end_of(const Column& column, int first, int step) {
  std::optional<End> found;
  for (int k = first; (k - first) * step <= kReach; k += step) {
    if (saturated(column, k, step)) return End{k, step < 0 ? 1.0 : 0.0};
    if (!found && plateau(column, k, step)) found = End{k, column.at(k)};
    // A column that rises again belongs to another edge.
    if ((column.at(k + step) - column.at(k)) * step > kFlat) break;
  }
  return found;
}

// Distance of the edge from the middle of the crack's pixel.
std::optional<double> height_of(const Column& column) {
  const auto in = end_of(column, 0, -1), out = end_of(column, 1, 1);
  if (!in || !out) return std::nullopt;
  double sum = 0.0;
  for (int k = in->pixel + 1; k < out->pixel; ++k) {
    const double part = (column.at(k) - out->level) / (in->level - out->level);
    sum += std::fmin(std::fmax(part, 0.0), 1.0);
  }
  return in->pixel + 0.5 + sum;
}

// Does the edge run more across the column than along it?
bool across(const Column& c) {
  const double along = ((c.at(0, -1) + c.at(0, 1)) + 2.0 * c.at(0)) -
                       ((c.at(1, -1) + c.at(1, 1)) + 2.0 * c.at(1)) +
                       ((c.at(-1, -1) + c.at(-1, 1)) + 2.0 * c.at(-1)) -
                       ((c.at(2, -1) + c.at(2, 1)) + 2.0 * c.at(2));
  const double beside = ((c.at(-1, 1) - c.at(-1, -1)) + (c.at(2, 1) - c.at(2, -1))) +
                        2.0 * ((c.at(0, 1) - c.at(0, -1)) + (c.at(1, 1) - c.at(1, -1)));
  // The first sum spans two pixels of a step, the second one two of twice the weight.
  const double u = std::fabs(along), v = std::fabs(beside) * (4.0 / 3.0);
  return c.crack.side % 2 == 0 ? u > v : u >= v;
}

// Cracks of an outline that lie beside a grey pixel.
std::size_t grey_cracks(const Picture& picture, const Outline& outline) {
  std::size_t grey = 0;
  for (const Crack& c : outline.cracks) {
    const double in = picture.at(c.x, c.y);
    const double out = picture.at(c.x + kStepX[c.side], c.y + kStepY[c.side]);
    if (in < 1.0 - 4.0 * kSaturated || out > 4.0 * kSaturated) ++grey;
  }
  return grey;
}

}  // namespace

bool is_binary(const Picture& picture, const std::vector<Outline>& outlines) {
  std::size_t grey = 0, all = 0;
  for (const Outline& outline : outlines) {
    grey += grey_cracks(picture, outline);
    all += outline.cracks.size();
  }
  return static_cast<double>(grey) <= kGreyPart * static_cast<double>(all);
}

bool is_sharp(const Picture& picture, const Outline& outline) {
  return grey_cracks(picture, outline) == 0;
}

Trace trace_coverage(const Picture& picture, const Outline& outline) {
  const std::size_t n = outline.cracks.size();
  std::vector<TracePoint> points(n);
  std::vector<bool> aside(n, false);
  for (std::size_t i = 0; i < n; ++i) {
    const Crack& crack = outline.cracks[i];
    const Column column{picture, crack};
    points[i] = {crossing(picture, crack), i, PointKind::crossing};
    aside[i] = !across(column);
    if (aside[i]) continue;
    if (const auto height = height_of(column)) {
      points[i].at = {crack.x + 0.5 + *height * kStepX[crack.side],
                      crack.y + 0.5 + *height * kStepY[crack.side]};
      points[i].kind = PointKind::edge;
    }
  }
  // A crossing along the edge is left out where a neighbour is exact.
  Trace trace;
  const auto exact = [&](std::size_t i) { return points[i % n].kind == PointKind::edge; };
  for (std::size_t i = 0; i < n; ++i) {
    const bool beside = exact(i + 1) || exact(i + 2) || exact(i + n - 1) || exact(i + 2 * n - 2);
    if (aside[i] && beside) continue;
    if (!trace.empty() && norm(points[i].at - trace.back().at) < kNearest) {
      if (exact(i) && trace.back().kind != PointKind::edge) trace.back() = points[i];
      continue;
    }
    trace.push_back(points[i]);
  }
  while (trace.size() > 3 && norm(trace.front().at - trace.back().at) < kNearest) trace.pop_back();
  return trace;
}

}  // namespace tactus::detail::contour
