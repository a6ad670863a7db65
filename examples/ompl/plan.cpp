// OMPL plans for an arm beside thin poles, and Tactus proves each motion that it keeps.
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/RandomNumbers.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "examples/ompl/proved_motion_validator.hpp"

int main() {
  using namespace tactus;
  namespace ob = ompl::base;
  namespace og = ompl::geometric;
  const Shape bar = Box({0.6, 0.08, 0.08});
  const RobotBody tube{bar, Pose::translation({0.3, 0, 0}), ""};
  const Vec3 up{0, 0, 1};
  const Robot arm(
      "arm", {{"base"}, {"upper", {tube}}, {"lower", {tube}}},
      {{"shoulder", RobotJointType::revolute, 0, 1, {}, up, -3, 3},
       {"elbow", RobotJointType::revolute, 1, 2, Pose::translation({0.6, 0, 0}), up, -2.5, 2.5}});
  const RobotCollision cell(arm, movable_pairs(arm),
                            {{Cylinder(0.001, 1.0), Pose::translation({0.9, 0.5, 0}), "pole"}});
  constexpr double kClearance = 0.01;

  ompl::RNG::setSeed(1);
  const auto space = std::make_shared<ob::RealVectorStateSpace>(arm.coordinates().size());
  ob::RealVectorBounds bounds(static_cast<unsigned>(arm.coordinates().size()));
  for (unsigned i = 0; i < arm.coordinates().size(); ++i) {
    bounds.setLow(i, arm.coordinates()[i].lower);
    bounds.setHigh(i, arm.coordinates()[i].upper);
  }
  space->setBounds(bounds);
  og::SimpleSetup setup(space);
  const ob::SpaceInformationPtr information = setup.getSpaceInformation();
  setup.setStateValidityChecker(
      std::make_shared<ompl_example::ClearStates>(information, cell, kClearance));
  information->setMotionValidator(
      std::make_shared<ompl_example::ProvedMotions>(information, cell, kClearance));
  setup.setPlanner(std::make_shared<og::RRTConnect>(information));
  ob::ScopedState<ob::RealVectorStateSpace> start(space), goal(space);
  start[0] = start[1] = goal[1] = 0.0;
  goal[0] = 1.2;
  setup.setStartAndGoalStates(start, goal);
  if (!setup.solve(20.0)) return 1;

  // Every motion of the plan is proved again, as a path.
  og::PathGeometric& path = setup.getSolutionPath();
  std::printf("%zu states\n", path.getStateCount());
  PathOptions options;
  options.clearance = kClearance;
  for (std::size_t i = 0; i + 1 < path.getStateCount(); ++i) {
    const PathSegment segment = straight_segment(
        ompl_example::configuration_of(path.getState(static_cast<unsigned>(i)), 2),
        ompl_example::configuration_of(path.getState(static_cast<unsigned>(i + 1)), 2));
    if (cell.certify(segment, options).verdict != PathVerdict::free) return 1;
  }
  // The straight way is refused, and free up to the pole.
  std::pair<ob::State*, double> last{nullptr, 0.0};
  const bool straight =
      information->getMotionValidator()->checkMotion(start.get(), goal.get(), last);
  std::printf("straight: %s, free until %.3f of the way\n", straight ? "free" : "refused",
              last.second);
  return !straight && last.second > 0.2 && last.second < 0.4 ? 0 : 1;
}
