#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/soft/world/rigid_courses.hpp"

namespace tactus::detail {

/// Leads what is moved from outside in a step, held vertices and obstacles: each goes towards its
/// end in pieces, so that nothing moves farther at once than its bound.
class LedWay {
 public:
  /// Puts all obstacles to their ends in `wanted`, which has those of the vertices. What is passed
  /// by reference must outlive the use.
  LedWay(const SoftWorldData& data, const StepProblem& problem, const RigidCourses& rigid,
         std::vector<Vec3>& wanted);

  /// Is anything moved from outside?
  bool any() const { return any_; }
  /// Puts an obstacle to where it is after this part of the step.
  void place(std::size_t obstacle, double share, std::vector<Vec3>& x) const;
  /// How far an obstacle has come, as a part of the step; 1 for rigid bodies that can be pushed.
  double share(std::size_t obstacle) const { return share_[obstacle]; }
  /// Notes that obstacles have come as far as these shares of the bodies say.
  void set_shares(std::span<const double> shares);
  /// Obstacles go to their ends, whatever is in their way.
  void go_to_end(std::vector<Vec3>& x);

  /// Goes on from `reference`, within the bounds of the vertices.
  void advance(std::span<const Vec3> wanted, std::span<const Vec3> reference,
               std::span<const double> bounds, std::vector<Vec3>& x);
  /// Did the last `advance` move anything?
  bool has_moved() const { return moved_; }
  /// Is everything at its end since?
  bool has_arrived() const { return arrived_; }
  /// Brings obstacles back to where they were before the last `advance`: half of a turn is no place
  /// of theirs.
  void wait(std::vector<Vec3>& x);

 private:
  bool rests(std::size_t obstacle) const;
  void advance_obstacle(std::size_t obstacle, std::span<const Vec3> wanted,
                        std::span<const Vec3> reference, std::span<const double> bounds,
                        std::vector<Vec3>& x);

  const SoftWorldData& data_;
  const StepProblem& problem_;
  const RigidCourses& rigid_;
  std::vector<double> share_, before_;  ///< of obstacles: how far they are in the step
  bool any_ = false, moved_ = false, arrived_ = true;
};

}  // namespace tactus::detail
