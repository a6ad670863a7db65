#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tactus/dynamics/material.hpp"
#include "tactus/math/pose.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus {

/// Names a body for the life of its world; never used twice. 0 names none.
using BodyId = std::uint64_t;
inline constexpr BodyId kNoBody = 0;

enum class BodyType : std::uint8_t {
  fixed,      ///< never moves
  kinematic,  ///< moves by its velocities, which nothing but the caller changes
  moving,     ///< moved by gravity and contacts
};
std::string_view to_string(BodyType type);

/// Two bodies can touch when each one's category is in the other's mask.
struct CollisionFilter {
  std::uint64_t category = 1;
  std::uint64_t mask = ~std::uint64_t{0};
  friend bool operator==(const CollisionFilter&, const CollisionFilter&) = default;
};
constexpr bool can_touch(const CollisionFilter& a, const CollisionFilter& b) {
  return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

/// Mass distribution in the body's own frame.
struct BodyMass {
  double mass = 0.0;
  Vec3 center;   ///< centre of mass
  Mat3 inertia;  ///< about the centre of mass, axes of the body's frame; symmetric
};

/// Everything that makes a body.
struct BodyDefinition {
  Shape shape;
  Pose pose = {};              ///< of the shape's frame
  Vec3 linear_velocity = {};   ///< of the centre of mass, length per time
  Vec3 angular_velocity = {};  ///< world frame, radians per time
  BodyType type = BodyType::moving;
  Material material = {};
  CollisionFilter filter = {};
  std::optional<BodyMass> mass = {};  ///< from the shape and `material.density` when not given
  BodyId id = kNoBody;                ///< chosen by the world when not given
};

/// What changes in a step.
struct BodyMotion {
  BodyId id = kNoBody;
  Vec3 position;          ///< of the centre of mass, world
  Quat orientation;       ///< of the shape's frame
  Vec3 linear_velocity;   ///< of the centre of mass
  Vec3 angular_velocity;  ///< world frame
  friend bool operator==(const BodyMotion&, const BodyMotion&) = default;
};

/// A body in a world: what it is, and how it moves.
class Body {
 public:
  /// Throws InvalidInput naming the field: a value that is not finite, a bad material, a moving
  /// body that is unbounded, a mesh or without volume, a mass that is not positive, an inertia that
  /// is not symmetric and positive definite. `definition.id` must be set.
  explicit Body(const BodyDefinition& definition);

  BodyId id() const noexcept { return motion_.id; }
  const Shape& shape() const noexcept { return shape_; }
  BodyType type() const noexcept { return type_; }
  bool is_moving() const noexcept { return type_ == BodyType::moving; }
  const Material& material() const noexcept { return material_; }
  const CollisionFilter& filter() const noexcept { return filter_; }

  /// Of the shape's frame.
  const Pose& pose() const noexcept { return pose_; }
  const BodyMotion& motion() const noexcept { return motion_; }
  const Vec3& center_of_mass() const noexcept { return motion_.position; }
  const Vec3& linear_velocity() const noexcept { return motion_.linear_velocity; }
  const Vec3& angular_velocity() const noexcept { return motion_.angular_velocity; }
  Vec3 velocity_at(const Vec3& world_point) const {
    return motion_.linear_velocity +
           cross(motion_.angular_velocity, world_point - motion_.position);
  }

  /// Zero unless moving.
  double inverse_mass() const noexcept { return inverse_mass_; }
  /// As given or computed; zero unless moving.
  const BodyMass& mass() const noexcept { return mass_; }
  /// Inverse of `mass().inertia`, axes of the body's frame; zero unless moving.
  const Mat3& inverse_inertia() const noexcept { return inverse_inertia_; }
  /// All axes are principal: no gyroscopic torque.
  bool has_isotropic_inertia() const noexcept { return isotropic_; }

  /// Longest extent of the shape; infinite for a half-space.
  double size() const noexcept { return size_; }
  /// Half of the smallest extent of the shape in its own frame.
  double rolling_radius() const noexcept { return rolling_radius_; }
  /// Radius of a ball about the centre of mass that holds the shape.
  double radius() const noexcept { return radius_; }

  /// Energy of motion, of translation and rotation.
  double kinetic_energy() const;
  /// Angular momentum about the centre of mass, world frame.
  Vec3 spin() const;

  /// Replaces the motion (the id stays), bit for bit; the orientation must be unit.
  void set_motion(const BodyMotion& motion);
  void set_velocity(const Vec3& linear, const Vec3& angular);

 private:
  void update_pose();

  Shape shape_;
  BodyType type_;
  Material material_;
  CollisionFilter filter_;
  BodyMass mass_;
  double inverse_mass_ = 0.0;
  Mat3 inverse_inertia_ = Mat3::zero();
  bool isotropic_ = false;
  double size_ = 0.0, rolling_radius_ = 0.0, radius_ = 0.0;
  BodyMotion motion_;
  Pose pose_;
};

}  // namespace tactus
