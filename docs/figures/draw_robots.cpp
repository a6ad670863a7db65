// Draws the figures of docs/algorithms on robots, all computed by the library.
// Usage: draw_robots [NAME [FILE.svg]]
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "docs/figures/figure_program.hpp"
#include "docs/figures/svg.hpp"
#include "tactus/robot.hpp"

using namespace tactus;
using namespace svg;

namespace {

constexpr const char* kDistance = "#2b6cb0";
constexpr const char* kTent = "#c05621";
constexpr const char* kClearance = "#c53030";

/// An arm of two links that swings past a ball.
RobotCollision arm_and_ball() {
  const Shape tube = Capsule(0.05, 0.5);
  const Pose middle = Pose::from_axis_angle({0.3, 0, 0}, {0, 1, 0}, 1.5707963267948966);
  const std::vector<RobotLink> links{{"base"}, {"upper"}, {"lower", {{tube, middle}}}};
  const Robot arm(
      "arm", links,
      {{"shoulder", RobotJointType::continuous, 0, 1, {}, {0, 0, 1}},
       {"elbow", RobotJointType::continuous, 1, 2, Pose::translation({0.6, 0, 0}), {0, 0, 1}}});
  return {arm, {}, {{Sphere(0.1), Pose::translation({0.85, 1.0, 0}), "ball"}}};
}

/// The least distance along a path, and for each claim of the nearest pair what it proves: a tent
/// that falls from its distance by the bound of the motion.
void draw_proved_path(std::FILE* out) {
  constexpr double kLeft = 50.0, kHigh = 250.0, kSpan = kWidth - 90.0, kMost = 0.9;
  const RobotCollision cell = arm_and_ball();
  const std::vector<double> from{-0.35, 0.1}, to{1.9, 2.3};
  const PathSegment segment = straight_segment(from, to);
  std::vector<PathClaim> claims;
  PathOptions options;
  options.clearance = 0.02;
  options.claims = &claims;
  cell.certify(segment, options);
  const auto place = [&](double s, double d) {
    return Point{kLeft + kSpan * s, 20.0 + kHigh * (1.0 - std::clamp(d, 0.0, kMost) / kMost)};
  };
  begin_figure(out, kHigh + 60.0);
  for (const PathClaim& claim : claims) {
    if (claim.pair != 0 || !(claim.end > claim.begin)) continue;
    const double middle = 0.5 * (claim.begin + claim.end);
    const Point top = place(middle, claim.distance);
    for (const double end : {claim.begin, claim.end})
      draw_line(out, top, place(end, claim.distance - claim.motion), kTent, 1.2);
    draw_dot(out, top, kTent, 2.5);
  }
  Point last{};
  for (int i = 0; i <= 300; ++i) {
    const double s = i / 300.0;
    std::vector<double> values;
    for (const PathPolynomial& p : segment) values.push_back(p.at(s));
    const Point next = place(s, cell.clearance(values).upper);
    if (i > 0) draw_line(out, last, next, kDistance, 2.0);
    last = next;
  }
  draw_line(out, place(0, options.clearance), place(1, options.clearance), kClearance, 1.2);
  draw_line(out, place(0, 0), place(1, 0), kInk, 1.0);
  draw_line(out, place(0, 0), place(0, kMost), kInk, 1.0);
  draw_text(out, {kLeft, kHigh + 40.0}, "time");
  draw_text(out, {kLeft + 190.0, 24.0}, "distance of the lower link from the ball", kDistance);
  draw_text(out, {kLeft + 190.0, 40.0}, "what each measured distance proves of the times around it",
            kTent);
  draw_text(out, {kLeft + kSpan, place(0, options.clearance).y - 5.0}, "clearance", kClearance,
            "end");
}

constexpr Figure kFigures[] = {{"proved_path", draw_proved_path}};

}  // namespace

int main(int argc, char** argv) { return run_figures(kFigures, argc, argv); }
