// An arm of two links beside a pole: how far is it from it, and can it turn past without touching?
#include "tactus/robot.hpp"

#include <cstdio>
#include <vector>

int main() {
  using namespace tactus;
  const Pose middle = Pose::translation({0.3, 0, 0});
  const Shape tube = Box({0.6, 0.08, 0.08});
  std::vector<RobotLink> links{{"base"}, {"upper", {{tube, middle}}}, {"lower", {{tube, middle}}}};
  const Vec3 up{0, 0, 1};
  const std::vector<RobotJoint> joints{
      {"shoulder", RobotJointType::revolute, 0, 1, {}, up, -3, 3},
      {"elbow", RobotJointType::revolute, 1, 2, Pose::translation({0.6, 0, 0}), up, -2.5, 2.5}};
  const Robot arm("arm", links, joints);
  const RobotBody pole{Cylinder(0.001, 1.0), Pose::translation({0.9, 0.5, 0}), "pole"};
  const RobotCollision cell(arm, movable_pairs(arm), {pole});

  const std::vector<double> start{0.0, 0.0}, goal{1.2, 0.0}, folded{0.0, -2.4}, past{1.2, -2.4};
  ClearanceOptions asked;
  asked.gradient = true;
  const RobotClearance now = cell.clearance(start, asked);
  std::printf("%.3f from the pole, %.3f less per radian of the shoulder\n", now.upper,
              -now.gradient[0]);

  const PathAnswer direct = cell.certify(straight_segment(start, goal));
  std::printf("straight: %s after %.4f of the way\n",
              std::string(to_string(direct.verdict)).c_str(), direct.upper);

  PathOptions options;
  options.clearance = 0.01;
  bool free = true;
  for (const auto& [from, to] : {std::pair{start, folded}, {folded, past}, {past, goal}})
    free = free && cell.certify(straight_segment(from, to), options).verdict == PathVerdict::free;
  std::printf("folded: %s\n", free ? "free all the way" : "not free");

  const RobotBody ball{Sphere(0.1), Pose::translation({0.9, 2, 0}), "ball"};
  const Robot among = add_obstacles(arm, {{ball, {}, {0, -0.5, 0}}});
  const RobotCollision live(among);  // coordinates: shoulder, elbow, time
  const PathAnswer late =
      live.certify(straight_segment(std::vector<double>{0, 0, 0}, std::vector<double>{1.2, 0, 4}));
  std::printf("beside a ball that comes: %s after %.4f of the way\n",
              std::string(to_string(late.verdict)).c_str(), late.upper);
  const bool seen = late.verdict == PathVerdict::below;
  return direct.verdict == PathVerdict::below && free && seen ? 0 : 1;
}
