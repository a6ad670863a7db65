// Draws the figures of touches of circles and of the depth of regions in the plane, from answers
// of the library.
#include <cmath>
#include <vector>

#include "docs/figures/figure_program.hpp"
#include "docs/figures/svg.hpp"
#include "tactus/planar.hpp"

namespace {

using namespace tactus;
using namespace svg;

constexpr const char* kBlue = "#3060c0";
constexpr const char* kOrange = "#d07000";
constexpr const char* kRed = "#c02020";

/// Coordinates of a panel to pixels, y upwards.
struct Panel {
  double x, y, scale;
  Point operator()(const planar::Vec2& p) const { return {x + scale * p.x, y - scale * p.y}; }
  Line operator()(std::span<const planar::Vec2> points, const planar::Vec2& by = {}) const {
    Line out;
    for (const planar::Vec2& p : points) out.push_back((*this)(p + by));
    return out;
  }
};

Line closed(Line line) {
  line.push_back(line.front());
  return line;
}

// One circle on each kind of place.
void draw_touches(std::FILE* out) {
  begin_figure(out, 290.0);
  const Panel panel{20.0, 250.0, 60.0};
  const planar::Contour contour({{0.2, 2.6},
                                 {1.6, 0.6},
                                 {4.2, 0.6},
                                 {5.4, 2.6},
                                 {6.6, 0.9},
                                 {9.4, 0.9},
                                 {9.4, 2.4},
                                 {10.8, 2.4}},
                                false);
  draw_lines(out, {panel(contour.points())}, kInk, 2.0);
  struct Ball {
    planar::Vec2 centre;
    double radius;
  };
  const Ball balls[] = {{{2.9, 1.05}, 0.5}, {{5.4, 3.0}, 0.5},   {{8.88, 1.38}, 0.6},
                        {{1.86, 1.1}, 0.6}, {{11.05, 2.6}, 0.4}, {{7.6, 0.7}, 0.45}};
  for (const Ball& ball : balls) {
    const Point centre = panel(ball.centre);
    draw_ring(out, centre, kBlue, panel.scale * ball.radius);
    draw_dot(out, centre, kBlue, 2.0);
    std::vector<planar::Touch> found;
    touches(planar::Circle(ball.radius), planar::Pose2(ball.centre, 0.0), contour, {}, found);
    for (const planar::Touch& t : found) {
      draw_line(out, panel(t.point), panel(t.point + t.normal * 0.45), kOrange, 2.0);
      draw_dot(out, panel(t.point), kRed, 3.5);
    }
    if (found.empty()) continue;
    draw_text(out, {centre.x, centre.y - panel.scale * ball.radius - 5.0},
              std::string(to_string(found[0].kind)), kBlue, "middle");
  }
}

// Left: a comb and a hook, and the hook where it is free. Right: all translations, those in which
// the interiors meet grey, and the nearest that is free.
void draw_depth(std::FILE* out) {
  begin_figure(out, 340.0);
  const std::vector<planar::Vec2> comb{{-1.5, -1.2},  {1.5, -1.2},  {1.5, 0.9},  {1.0, 0.9},
                                       {1.0, -0.7},   {0.25, -0.7}, {0.25, 0.9}, {-0.25, 0.9},
                                       {-0.25, -0.7}, {-1.0, -0.7}, {-1.0, 0.9}, {-1.5, 0.9}};
  const std::vector<planar::Vec2> hook{{0.0, -0.5}, {0.3, -0.5},  {0.3, 1.0},    {-0.6, 1.0},
                                       {-0.6, 0.3}, {-0.35, 0.3}, {-0.35, 0.75}, {0.0, 0.75}};
  const planar::Region a(comb), b(hook);
  const planar::Vec2 shift{0.05, -0.35};
  const planar::PlanarResult r = distance(a, {}, b, planar::Pose2(shift, 0.0));
  const planar::Vec2 way = r.point_a - r.point_b;
  const Panel left{180.0, 180.0, 95.0};
  draw_area(out, left(comb), "#808080", 0.35);
  draw_lines(out, {closed(left(comb))}, kInk, 1.5);
  draw_area(out, left(hook, shift), kBlue, 0.25);
  draw_lines(out, {closed(left(hook, shift))}, kBlue, 1.5);
  draw_lines(out, {closed(left(hook, shift + way))}, kOrange, 1.5,
             "fill='none' stroke-dasharray='5 3'");
  draw_line(out, left(r.point_b), left(r.point_a), kRed, 2.5);
  draw_text(out, {180.0, 334.0}, "depth " + decimal(-r.distance, 3), kRed, "middle");

  const Panel right{540.0, 170.0, 62.0};
  constexpr int kCells = 75;
  constexpr double kReach = 2.5, kCell = 2.0 * kReach / kCells;
  for (int row = 0; row < kCells; ++row) {
    for (int column = 0, end = 0; column < kCells; column = end) {
      const auto meets = [&](int x) {
        const planar::Vec2 t{(x + 0.5) * kCell - kReach, (row + 0.5) * kCell - kReach};
        return overlap(a, {}, b, planar::Pose2(shift + t, 0.0));
      };
      const bool grey = meets(column);
      for (end = column + 1; end < kCells && meets(end) == grey;) ++end;
      if (!grey) continue;
      const double x0 = column * kCell - kReach, x1 = end * kCell - kReach;
      const double y0 = row * kCell - kReach, y1 = y0 + kCell;
      const planar::Vec2 corners[] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
      draw_area(out, right(corners), "#808080", 0.45);
    }
  }
  draw_ring(out, right(planar::Vec2{}), kRed, right.scale * -r.distance);
  draw_line(out, right(planar::Vec2{}), right(way), kRed, 2.5);
  draw_dot(out, right(planar::Vec2{}), kInk, 3.0);
  draw_text(out, {540.0, 334.0}, "translations of the hook: grey where the interiors meet", kInk,
            "middle");
}

constexpr Figure kFigures[] = {{"planar_touches", draw_touches}, {"planar_depth", draw_depth}};

}  // namespace

int main(int argc, char** argv) { return run_figures(kFigures, argc, argv); }
