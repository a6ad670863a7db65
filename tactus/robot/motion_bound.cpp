#include "tactus/robot/motion_bound.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Factor for the roundings of a sum of products.
constexpr double kGrowth = 1.0 + 1e-12;

}  // namespace

void values_at(const PathSegment& segment, double s, std::vector<double>& values) {
  values.resize(segment.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = segment[i].at(s);
}

std::vector<double> farthest_values(const PathSegment& segment) {
  std::vector<double> most;
  for (const PathPolynomial& p : segment)
    most.push_back(((std::fabs(p.a) + std::fabs(p.b)) + std::fabs(p.c)) + std::fabs(p.d));
  return most;
}

void most_changes(const PathSegment& segment, double begin, double end,
                  std::vector<double>& changes) {
  changes.resize(segment.size());
  // The middle is rounded, too.
  const double half = (0.5 * (end - begin) + 4.0 * kUnit) * kGrowth;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const PathPolynomial& p = segment[i];
    const auto slope = [&](double s) { return p.b + s * (2.0 * p.c + s * (3.0 * p.d)); };
    const double first = slope(begin), last = slope(end);
    const double middle = first + (p.c + 3.0 * p.d * begin) * (end - begin);
    const double most = std::max({std::fabs(first), std::fabs(middle), std::fabs(last)});
    // Slopes are sums that may cancel: so many roundings of their terms.
    const double lost =
        16.0 * kUnit * (std::fabs(p.b) + 2.0 * std::fabs(p.c) + 3.0 * std::fabs(p.d));
    changes[i] = half * (most + lost);
  }
}

void MotionBound::start(const PlacedRobot& at, const std::vector<double>& changes) {
  at_ = &at;
  changes_ = &changes;
}

double MotionBound::reach(std::uint32_t item, std::uint32_t frame) {
  const Frame& f = RobotAccess::data(data_.robot).frames[frame];
  const Pose& pose = at_->frames[frame];
  return reach_from_axis(at_->capsules[item], pose.position(), pose.rotation() * f.axis);
}

double MotionBound::between(const ItemPair& pair) {
  const RobotData& robot = RobotAccess::data(data_.robot);
  const FrameChain& chain = data_.chains[pair.chain];
  joints_.assign(chain.of_a.begin(), chain.of_a.end());
  joints_.insert(joints_.end(), chain.of_b.rbegin(), chain.of_b.rend());
  const auto step = [&](std::uint32_t item, std::uint32_t frame, double moved) {
    const Frame& f = robot.frames[frame];
    const double change = std::fabs(f.multiplier) * (*changes_)[f.coordinate];
    if (change == 0.0) return moved;
    return moved + change * (f.motion == FrameMotion::turn ? reach(item, frame) + moved : 1.0);
  };
  from_a_.assign(1, 0.0);
  for (const std::uint32_t frame : joints_) from_a_.push_back(step(pair.a, frame, from_a_.back()));
  double best = from_a_.back(), from_b = 0.0;
  for (std::size_t i = joints_.size(); i-- > 0;) {
    from_b = step(pair.b, joints_[i], from_b);
    best = std::min(best, from_a_[i] + from_b);
  }
  return best * kGrowth;
}

}  // namespace tactus::detail
