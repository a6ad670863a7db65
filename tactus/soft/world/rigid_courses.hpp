#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/soft/world/descent.hpp"
#include "tactus/soft/world/world_data.hpp"

namespace tactus::detail {

/// A rigid body among the obstacles in a step: what the rigid world's step did to it, as if nothing
/// were deformable, and what becomes of it.
struct RigidCourse {
  std::uint32_t obstacle = 0;
  const Body* body = nullptr;  ///< after the rigid step
  Pose pose;                   ///< before it
  Vec3 center;                 ///< of mass, before it
  Quat orientation;            ///< of the pose
  bool carried = false;        ///< held by rigid bodies or joints in this step
  bool turned_less = false;    ///< it turned farther than is followed
  bool touched = false;        ///< deformables have changed its course
  double energy_before =
      0.0;               ///< of motion and gravity, of one that is touched: without deformables
  double held_up = 0.0;  ///< work of the rigid bodies that hold it, on what deformables move it
  Vec3 linear, angular;  ///< velocities at the end
};

/// Adds a block for each of these rigid bodies to the problem of a step, and its places to `x`;
/// notes its velocities in the course.
void add_blocks(const SoftWorldData& data, std::span<RigidCourse> courses, StepProblem& problem,
                std::vector<Vec3>& x);

/// The rigid bodies among the obstacles of a step: which of them deformables touch, what that does
/// to their velocities, the loads on them, and their energies.
class RigidCourses {
 public:
  /// `courses` as `problem.blocks`; what is passed by reference must outlive the use.
  RigidCourses(SoftWorldData& data, std::vector<RigidCourse> courses, StepProblem& problem)
      : data_(data), courses_(std::move(courses)), problem_(problem) {}

  /// The block of an obstacle; null where it is no rigid body.
  const RigidBlock* block_of(std::size_t obstacle) const;
  const RigidCourse& course(std::size_t block) const { return courses_[block]; }
  /// Bodies that come near deformables are from now on pushed by them; what is not carried is then
  /// `wanted` where its velocity at the end takes it.
  void note_touched(std::span<const Contacts::Near> active, std::vector<Vec3>& wanted);

  /// Velocities at the end of the step, from the places `x` there.
  void settle(std::span<const Vec3> x);
  void add_velocity(std::size_t block, const Vec3& linear, const Vec3& angular);
  /// Velocities of all that are touched, times `factor`.
  void scale(double factor);
  /// Notes the load of deformables on each rigid body: the last step's, which the rigid step has
  /// applied, and the change of velocities since.
  void note_loads(std::span<const Vec3> x);
  /// Puts the rigid bodies where the step has them: `led_through` tells whether an obstacle has
  /// come to the end of its way.
  template <class LedThrough>
  void hand_back(std::span<const Vec3> x, const LedThrough& led_through, World& world) const {
    for (std::size_t k = 0; k < courses_.size(); ++k)
      hand_back(k, x, led_through(courses_[k].obstacle), world);
  }

  /// Inertia about the centre, in the axes of the world.
  Mat3 inertia_of(std::size_t block, std::span<const Vec3> x) const;
  /// Energy of motion of the rigid bodies that are touched, or that are not; and of gravity.
  double motion_energy(bool touched, std::span<const Vec3> x) const;
  double weight_energy(bool touched, std::span<const Vec3> x) const;
  /// Adds to `sum` what the bodies have had and been given: energy before deformables touched them,
  /// and the work of the rigid bodies that hold them.
  void add_given(double& sum) const;

 private:
  Mat3 axes_of(std::size_t block, std::span<const Vec3> x) const;
  void hand_back(std::size_t block, std::span<const Vec3> x, bool led_through, World& world) const;

  SoftWorldData& data_;
  std::vector<RigidCourse> courses_;
  StepProblem& problem_;
};

}  // namespace tactus::detail
