#pragma once

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "tactus/robot.hpp"

namespace tactus::ompl_example {

/// The configuration of a state of a RealVectorStateSpace.
inline std::vector<double> configuration_of(const ompl::base::State* state, std::size_t count) {
  const auto* values = state->as<ompl::base::RealVectorStateSpace::StateType>()->values;
  return {values, values + count};
}

/// States that keep the clearance.
class ClearStates : public ompl::base::StateValidityChecker {
 public:
  ClearStates(const ompl::base::SpaceInformationPtr& space, RobotCollision cell, double clearance)
      : StateValidityChecker(space), cell_(std::move(cell)), clearance_(clearance) {}

  bool isValid(const ompl::base::State* state) const override {
    const std::size_t count = cell_.robot().coordinates().size();
    return cell_.clearance(configuration_of(state, count)).lower > clearance_;
  }

 private:
  RobotCollision cell_;
  double clearance_;
};

/// Motions that are free from end to end, proved, in place of DiscreteMotionValidator's samples. A
/// motion that is undecided counts as one that is not free.
class ProvedMotions : public ompl::base::MotionValidator {
 public:
  ProvedMotions(const ompl::base::SpaceInformationPtr& space, RobotCollision cell, double clearance)
      : MotionValidator(space), cell_(std::move(cell)) {
    options_.clearance = clearance;
  }

  bool checkMotion(const ompl::base::State* from, const ompl::base::State* to) const override {
    PathOptions options = options_;
    options.first = false;
    return counted(certified(from, to, options).verdict == PathVerdict::free);
  }

  /// `last`: the part of the motion before which it is proved free, and the state there.
  bool checkMotion(const ompl::base::State* from, const ompl::base::State* to,
                   std::pair<ompl::base::State*, double>& last) const override {
    const PathAnswer answer = certified(from, to, options_);
    if (counted(answer.verdict == PathVerdict::free)) return true;
    last.second = answer.lower;
    if (last.first != nullptr) si_->getStateSpace()->interpolate(from, to, last.second, last.first);
    return false;
  }

 private:
  PathAnswer certified(const ompl::base::State* from, const ompl::base::State* to,
                       const PathOptions& options) const {
    const std::size_t count = cell_.robot().coordinates().size();
    return cell_.certify(
        straight_segment(configuration_of(from, count), configuration_of(to, count)), options);
  }

  bool counted(bool free) const {
    ++(free ? valid_ : invalid_);
    return free;
  }

  RobotCollision cell_;
  PathOptions options_;
};

}  // namespace tactus::ompl_example
