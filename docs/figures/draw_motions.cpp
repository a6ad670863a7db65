// Draws the figures of docs/algorithms on directions and on bodies in motion, all computed by the
// library. Usage: draw_motions [NAME [FILE.svg]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "docs/figures/chart.hpp"
#include "docs/figures/figure_program.hpp"
#include "docs/figures/svg.hpp"
#include "tactus/math/sine.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"
#include "tactus/world.hpp"

using namespace tactus;
using namespace svg;

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr const char* kA = "#2b6cb0";
constexpr const char* kB = "#c05621";
constexpr const char* kAnswer = "#c53030";
constexpr const char* kFaint = "#bbb";

struct Body {
  Shape shape;
  Pose pose;
};

Vec3 direction(double degrees) {
  const detail::SineCosine s = detail::sine_cosine(degrees * kPi / 180.0);
  return {s.cosine, s.sine, 0.0};
}

Vec3 farthest(const Body& body, const Vec3& n) {
  return body.pose.to_world(support(body.shape, body.pose.direction_to_local(n)));
}

/// The outline of a body in the x-y plane, as its farthest points tell it.
template <class Place>
Line outline(const Body& body, const Place& place) {
  Line line;
  for (int k = 0; k <= 180; ++k) line.push_back(place(farthest(body, direction(2.0 * k + 0.25))));
  return line;
}

/// f(n) over the directions of the plane: the same question for bodies apart and in overlap.
void draw_decision(std::FILE* out) {
  constexpr double kScale = 46.0, kHigh = 190.0;
  const Body a{Box({2.0, 1.2, 4.0}), Pose(Vec3{}, Quat{0.985, 0.0, 0.0, 0.17})};
  begin_figure(out, 2.0 * kHigh + 40.0);
  double y = 0.0;
  for (const double away : {1.7, 1.0}) {
    const Body b{Cylinder(0.7, 4.0), Pose::translation({away, 0.9, 0.0})};
    const auto f = [&](double degrees) {
      const Vec3 n = direction(degrees);
      return dot(n, farthest(a, n) - farthest(b, -n));
    };
    const DistanceResult r = distance(a.shape, a.pose, b.shape, b.pose);
    const auto place = [&](const Vec3& v) {
      return Point{95.0 + kScale * v.x, 130.0 - kScale * v.y};
    };
    begin_group(out, 0.0, y);
    for (const Body* body : {&a, &b}) {
      const Line line = outline(*body, place);
      draw_area(out, line, body == &a ? kA : kB, 0.12);
      draw_lines(out, {line}, body == &a ? kA : kB, 1.2);
    }
    draw_line(out, place(r.point_a), place(r.point_b), kAnswer, 2.5);
    const Chart chart{{310.0, 28.0}, 390.0, kHigh - 40.0, -180.0, 180.0, -1.0, 4.0};
    chart.frame(out, "", "f(n)");
    chart.level(out, 0.0, kFaint);
    for (const double x : {-180.0, -90.0, 0.0, 90.0, 180.0})
      chart.tick_x(out, x, decimal(x, 0) + "\u00b0");
    draw_lines(out, {chart.curve(f, 360)}, kA, 1.8);
    const double at = std::atan2(r.normal.y, r.normal.x) * 180.0 / kPi;
    const Point least = chart(at, -r.distance);
    draw_dot(out, least, kAnswer, 3.5);
    draw_text(out, {least.x, least.y + 20.0},
              r.distance > 0.0 ? "least: minus the distance " + decimal(r.distance, 3)
                               : "least: the depth " + decimal(-r.distance, 3),
              kAnswer, "middle");
    end_group(out);
    y += kHigh + 16.0;
  }
}

/// A rod that turns once while a box drops: where they are at some times, and how far apart.
void draw_impact(std::FILE* out) {
  const Body rod{Capsule(0.08, 2.6), Pose(Vec3{}, Quat{0.70710678, 0.70710678, 0.0, 0.0})};
  const Body box{Box({0.5, 0.5, 0.5}), Pose::translation({1.25, 1.15, 0.0})};
  const RigidMotion turning{{}, {0.0, 0.0, -2.0 * kPi}},
      falling{{-0.7, -0.9, 0.0}, {0.0, 0.0, 1.0}};
  const CastResult c = impact(rod.shape, rod.pose, turning, box.shape, box.pose, falling);
  const auto at = [&](const Body& body, const RigidMotion& motion, double t) {
    return Body{body.shape, pose_at(body.pose, motion, t)};
  };
  const auto gap = [&](double t) {
    const Body a = at(rod, turning, t), b = at(box, falling, t);
    return distance(a.shape, a.pose, b.shape, b.pose).distance;
  };
  begin_figure(out, 300.0);
  const auto place = [](const Vec3& v) { return Point{150.0 + 92.0 * v.x, 160.0 - 92.0 * v.y}; };
  constexpr int kTimes = 5;
  for (int k = 0; k <= kTimes; ++k) {
    const bool last = k == kTimes;
    const double t = c.time * k / kTimes;
    for (const bool of_a : {true, false}) {
      const Line line =
          of_a ? outline(at(rod, turning, t), place) : outline(at(box, falling, t), place);
      if (last) draw_area(out, line, of_a ? kA : kB, 0.15);
      draw_lines(out, {line}, last ? (of_a ? kA : kB) : kFaint, last ? 1.6 : 0.8);
    }
  }
  draw_dot(out, place(c.point_a), kAnswer, 3.5);

  const Chart chart{{345.0, 32.0}, 350.0, 210.0, 0.0, 1.0, -0.4, 1.4};
  chart.frame(out, "time", "signed distance");
  chart.level(out, 0.0, kFaint);
  for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) chart.tick_x(out, t, decimal(t, 2));
  draw_lines(out, {chart.curve(gap, 400)}, kA, 1.8);
  const Point touch = chart(c.time, 0.0);
  draw_dot(out, touch, kAnswer, 3.5);
  draw_text(out, {touch.x + 8.0, touch.y - 8.0}, "first contact at " + decimal(c.time, 4), kAnswer);
}

/// The deepest overlap in a tower of boxes, in sizes of a box, over time.
std::vector<double> depths_in_tower(int substeps, int steps) {
  WorldSettings settings;
  settings.substeps = substeps;
  World world(settings);
  world.add({.shape = HalfSpace({0.0, 0.0, 1.0}, 0.0), .type = BodyType::fixed});
  for (int k = 0; k < 20; ++k) {
    world.add(
        {.shape = Box({0.5, 0.5, 0.5}), .pose = Pose::translation({0.0, 0.0, 0.25 + 0.5 * k})});
  }
  std::vector<double> depths;
  depths.reserve(static_cast<std::size_t>(steps));
  for (int k = 0; k < steps; ++k)
    depths.push_back(require_done(world.step()).deepest_relative_penetration);
  return depths;
}

/// Drawing: why a step is divided into substeps.
void draw_substeps(std::FILE* out) {
  constexpr int kSteps = 150;
  const Chart chart{{80.0, 30.0}, 520.0, 220.0, 0.0, kSteps / 60.0, -5.0, 0.0};
  begin_figure(out, 300.0);
  chart.frame(out, "seconds", "deepest overlap in a tower of 20 boxes, in sizes of a box");
  for (int k = -5; k <= 0; ++k) {
    chart.tick_y(out, k, k == 0 ? "1" : "1e" + decimal(k, 0));
    if (k > -5) chart.level(out, k, "#eee");
  }
  for (int t = 0; t <= 5; ++t) chart.tick_x(out, 0.5 * t, decimal(0.5 * t, 1));
  const char* colors[] = {"#c53030", "#c05621", "#2f855a", "#2b6cb0"};
  std::size_t color = 0;
  for (const int substeps : {1, 2, 4, 12}) {
    const std::vector<double> depths = depths_in_tower(substeps, kSteps);
    Line line;
    for (std::size_t k = 0; k < depths.size(); ++k) {
      const double depth = std::log10(std::max(depths[k], 1e-5));
      line.push_back(chart(static_cast<double>(k + 1) / 60.0, depth));
    }
    draw_lines(out, std::vector<Line>(1, line), colors[color], 1.6);
    draw_text(out, {610.0, 70.0 + 40.0 * static_cast<double>(color)},
              std::to_string(substeps) + (substeps == 1 ? " substep" : " substeps"), colors[color]);
    ++color;
  }
}

constexpr Figure kFigures[] = {
    {"decision", draw_decision}, {"impact", draw_impact}, {"substeps", draw_substeps}};

}  // namespace

int main(int argc, char** argv) { return run_figures(kFigures, argc, argv); }
