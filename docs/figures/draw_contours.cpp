// Draws the figures of contours from pictures and of the literal planar rules, from answers of the
// library. Usage: draw_contours [NAME [FILE.svg]]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "docs/figures/figure_program.hpp"
#include "docs/figures/svg.hpp"
#include "tactus/classic.hpp"
#include "tactus/fit.hpp"
#include "tactus/planar.hpp"

namespace {

using namespace tactus;
using namespace svg;

constexpr const char* kBlue = "#3060c0";
constexpr const char* kOrange = "#d07000";
constexpr const char* kRed = "#c02020";

/// A grey picture of a triangle with a round end, each pixel by the part of it that is covered.
struct Picture {
  static constexpr int kSide = 16, kSamples = 16;
  std::vector<std::uint16_t> values;

  static bool inside(double x, double y) {
    const double u = x - 5.3, v = y - 8.2;
    const bool disc = u * u + v * v < 3.6 * 3.6;
    const bool wedge = x > 5.3 && std::fabs(v) < 3.1 * (14.6 - x) / 9.3;
    return disc || wedge;
  }
  Picture() {
    for (int row = 0; row < kSide; ++row) {
      for (int column = 0; column < kSide; ++column) {
        int covered = 0;
        for (int i = 0; i < kSamples * kSamples; ++i) {
          const double x = column + (i % kSamples + 0.5) / kSamples;
          const double y = row + (i / kSamples + 0.5) / kSamples;
          covered += inside(x, y) ? 1 : 0;
        }
        const double light = 1.0 - static_cast<double>(covered) / (kSamples * kSamples);
        values.push_back(static_cast<std::uint16_t>(light * 65535.0));
      }
    }
  }
};

// Left: the picture and its contour. Right: the same picture in black and white.
void draw_tracing(std::FILE* out) {
  constexpr double kPixel = 20.0;
  begin_figure(out, 370.0);
  const Picture picture;
  std::vector<std::uint16_t> binary;
  for (const std::uint16_t value : picture.values) binary.push_back(value < 32768 ? 0 : 65535);
  double x = 20.0;
  for (const std::vector<std::uint16_t>* values : {&picture.values, &std::as_const(binary)}) {
    begin_group(out, x, 15.0);
    for (int row = 0; row < Picture::kSide; ++row) {
      for (int column = 0; column < Picture::kSide; ++column) {
        const int value = (*values)[static_cast<std::size_t>(row * Picture::kSide + column)] / 257;
        std::fprintf(out,
                     "<rect x='%.0f' y='%.0f' width='20' height='20' fill='rgb(%d,%d,%d)' "
                     "shape-rendering='crispEdges'/>\n",
                     column * kPixel, row * kPixel, value, value, value);
      }
    }
    fit::TraceOptions options;
    options.y_up = false;
    const fit::Tracing traced =
        fit::trace_contours({Picture::kSide, Picture::kSide, *values}, options);
    for (const fit::TracedRegion& region : traced.regions) {
      Line line;
      for (const planar::Vec2& p : region.outer.points)
        line.push_back({p.x * kPixel, p.y * kPixel});
      line.push_back(line.front());
      draw_lines(out, {line}, kOrange, 2.0);
      for (const Point& p : line) draw_dot(out, p, kRed, 2.5);
      draw_text(out, {160.0, 342.0},
                std::to_string(region.outer.points.size()) + " points, within " +
                    decimal(region.outer.error, 3) + " pixels of the trace",
                kInk, "middle");
    }
    end_group(out);
    x += 360.0;
  }
}

// Circles before a square: what the literal rules say, and what touches.
void draw_rules(std::FILE* out) {
  begin_figure(out, 250.0);
  const planar::Contour square({{0.0, 0.0}, {4.0, 0.0}, {4.0, 4.0}, {0.0, 4.0}}, true);
  const planar::Vec2 centres[] = {{4.7, 2.0}, {4.5, 4.5}, {3.2, 3.4}};
  double x = 60.0;
  for (const planar::Vec2& centre : centres) {
    const auto place = [&](const planar::Vec2& p) {
      return Point{x + 28.0 * p.x, 180.0 - 28.0 * p.y};
    };
    Line line;
    for (const planar::Vec2& p : square.points()) line.push_back(place(p));
    line.push_back(line.front());
    draw_area(out, line, "#808080", 0.25);
    draw_lines(out, {line}, kInk, 1.5);
    draw_ring(out, place(centre), kBlue, 28.0);
    draw_dot(out, place(centre), kBlue, 2.0);
    const LiteralTouch said = literal_touch(planar::Circle(1.0), planar::Pose2(centre, 0.0), square,
                                            planar::Pose2(planar::Vec2{}, 0.0));
    std::vector<planar::Touch> found;
    touches(planar::Circle(1.0), planar::Pose2(centre, 0.0), square, {}, found);
    for (const planar::Touch& t : found) {
      draw_line(out, place(t.point), place(t.point + t.normal * 1.2), kOrange, 2.0);
      draw_dot(out, place(t.point), kRed, 3.5);
    }
    const std::string rule =
        said.touching ? "touches segment " + std::to_string(said.segment) : "touches nothing";
    draw_text(out, {x + 60.0, 212.0}, "rules: " + rule, kInk, "middle");
    draw_text(
        out, {x + 60.0, 230.0},
        "library: " + std::to_string(found.size()) + (found.size() == 1 ? " touch" : " touches"),
        kOrange, "middle");
    x += 225.0;
  }
}

constexpr Figure kFigures[] = {{"tracing", draw_tracing}, {"planar_rules", draw_rules}};

}  // namespace

int main(int argc, char** argv) { return run_figures(kFigures, argc, argv); }
