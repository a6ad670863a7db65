#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/soft/contact/contacts.hpp"

namespace tactus::detail {

struct StepProblem;

/// Bodies of the surfaces that touch each other, over one or several searches, and which of them
/// are held: by a half-space, an obstacle or a vertex that is led.
class BodyLinks {
 public:
  BodyLinks() = default;
  /// No body touches another one.
  explicit BodyLinks(const StepProblem& problem);
  void note(const SurfaceSet& surfaces, std::span<const Contacts::Near> active);
  /// The least number of the bodies that touch each other.
  std::uint32_t first_of(std::uint32_t body) const;
  /// Is a body led, or a part of it?
  bool is_free(std::uint32_t body) const { return free_[body] != 0; }
  /// By first body (`first_of`) of those that touch each other: does something hold any of them?
  std::vector<char> held() const;

 private:
  std::vector<std::uint32_t> before_;  ///< another one that it touches, with a smaller number
  std::vector<char> free_, on_floor_;
};

/// Motion of a group of points and bodies as a whole.
struct GroupMotion {
  double mass = 0.0;
  Vec3 center;
  Mat3 inertia = Mat3::zero();  ///< about the centre
  Vec3 linear, angular;         ///< momenta, the angular one about the centre

  Vec3 velocity() const { return linear / mass; }
  Vec3 turning() const { return inverse(inertia) * angular; }
  /// Energy of the motion as one rigid body.
  double energy() const { return 0.5 * (dot(linear, velocity()) + dot(angular, turning())); }
};

/// A point mass of a group, or a rigid body at its centre.
struct GroupMember {
  double mass;
  Vec3 place, velocity;
};

/// `inertia` and `spin`: sums of those of the rigid bodies about their own centres.
GroupMotion motion_of(std::span<const GroupMember> members, const Mat3& inertia, const Vec3& spin);

}  // namespace tactus::detail
