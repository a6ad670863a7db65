#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {
struct BodyAccess;
}  // namespace tactus::detail

namespace tactus {

/// Surface and bulk constants of a body.
struct Material {
  /// Coulomb coefficient, >= 0, dimensionless.
  double friction = 0.5;
  /// Ratio of separation to approach speed of an impact, in [0, 1].
  double restitution = 0.0;
  /// Resistance to rolling, >= 0, dimensionless: a round body rests on slopes up to this tangent.
  /// The torque is bounded by this times the normal force times the smaller body's rolling radius.
  double rolling_friction = 0.0;
  /// Resistance to spinning about the contact normal, >= 0, dimensionless; bounded in the same way.
  double torsional_friction = 0.0;
  /// Mass per volume, > 0, for bodies whose mass is not given.
  double density = 1000.0;
  /// Names the kind of surface for `RigidWorld::set_surface_pair`; 0 names none.
  std::uint32_t kind = 0;
  /// Work of adhesion, energy per area, >= 0: what touches holds on, until it is drawn apart with
  /// `pull_off_force`. In a `World`.
  double adhesion = 0.0;
  friend bool operator==(const Material&, const Material&) = default;
};

/// Coefficients of friction and restitution of two surfaces in contact.
struct SurfacePair {
  double friction = 0.0;
  double restitution = 0.0;
  double rolling_friction = 0.0;
  double torsional_friction = 0.0;
  double adhesion = 0.0;  ///< energy per area
  friend bool operator==(const SurfacePair&, const SurfacePair&) = default;
};

/// Throws InvalidInput naming the field that is negative, out of range or not finite.
void validate(const Material& material);
void validate(const SurfacePair& surface);

/// Combination rule: geometric mean of the Coulomb coefficients and of the works of adhesion (one
/// slippery surface makes a slippery pair); the larger restitution, rolling and torsional friction
/// (one bouncy or yielding surface is enough). Symmetric.
SurfacePair combine(const Material& a, const Material& b);

/// Contacts as springs, in place of bodies that do not yield: those of Hertz and Mindlin, of the
/// discrete element method. Bodies that move are balls without adhesion; walls of any shape are as
/// stiff as these. A step is made of as many small ones as the springs ask for, thousands for hard
/// grains. Restitutions below 0.1 act as 0.1; adhesion of surface pairs and contact rules has no
/// effect. Not with joints, sleep, shear, sensors or ranks. Source: cundall1979discrete.
struct ElasticContacts {
  double young = 0.0;           ///< Young's modulus, force per area, > 0
  double poisson = 0.25;        ///< Poisson's ratio, in [0, 0.5]
  double rayleigh_part = 0.15;  ///< of the time of a wave round the smallest ball, in (0, 0.5]
  friend bool operator==(const ElasticContacts&, const ElasticContacts&) = default;
};

/// Names a body for the life of its world; never used twice. 0 names none.
using BodyId = std::uint64_t;
inline constexpr BodyId kNoBody = 0;

enum class BodyType : std::uint8_t {
  fixed,         ///< never moves
  kinematic,     ///< moves by its velocities, which nothing but the caller changes
  dynamic_body,  ///< moved by gravity and contacts
  moving [[deprecated("dynamic_body")]] = dynamic_body,
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

/// Axes of the world, x, y and z, along which a centre of mass does not move, and about which a
/// body does not turn.
struct LockedAxes {
  std::array<bool, 3> linear{}, angular{};
  friend bool operator==(const LockedAxes&, const LockedAxes&) = default;
};

/// Mass distribution in the body's own frame.
struct BodyMass {
  double mass = 0.0;
  Vec3 center;   ///< centre of mass
  Mat3 inertia;  ///< about the centre, axes of the body's frame; no moment above the others' sum
};

/// How a surface runs against its body, as a belt on its rolls does: axes of the shape's frame.
/// Only friction sees it, and of it what lies along the surface.
struct SurfaceVelocity {
  Vec3 linear;   ///< length per time
  Vec3 angular;  ///< about the origin of the shape's frame, radians per time
  friend bool operator==(const SurfaceVelocity&, const SurfaceVelocity&) = default;
};

/// A wall that keeps a force: moves a kinematic body along an axis, to and fro, until its contacts
/// bear that force. At the end of every step its speed v along the axis changes by
/// (`force` (1 - v / `max_speed`) - load) / D, where D is twice what all bodies that it presses
/// resist with per speed, or `mass` over the time step if that is more; one that moves against its
/// load stops first. What presses nothing gains a twentieth of `max_speed` in a step up to the
/// whole, or accelerates by its mass: choose `max_speed` so that a twentieth of it, all at once,
/// throws off nothing. Its other velocities stay. The load is that of the contacts at the end of
/// the step and the mean of the step's impacts.
struct Servo {
  Vec3 axis;               ///< world, not zero: towards what it presses
  double force = 0.0;      ///< along the axis, >= 0
  double max_speed = 0.0;  ///< along the axis, either way, length per time, > 0
  double mass = 0.0;       ///< inertia, >= 0, for walls that are hit rather than loaded
  friend bool operator==(const Servo&, const Servo&) = default;
};

/// Throws InvalidInput naming the field.
void validate(const Servo& servo);

/// A wall that keeps a force (`Servo`), at the end of the last step.
struct ServoReading {
  BodyId body = kNoBody;
  double load = 0.0;      ///< force of what it presses, against its axis
  double position = 0.0;  ///< of its centre of mass, along the axis from the origin
  double speed = 0.0;     ///< along the axis, in the next step
  friend bool operator==(const ServoReading&, const ServoReading&) = default;
};

/// Everything that makes a body.
struct BodyDefinition {
  Shape shape;
  Pose pose = {};              ///< of the shape's frame
  Vec3 linear_velocity = {};   ///< of the centre of mass, length per time
  Vec3 angular_velocity = {};  ///< world frame, radians per time
  /// Outside force through the centre of mass and torque about it in every step of a `World`, world
  /// frame; zero unless moving.
  Vec3 force = {}, torque = {};
  /// Part of the world's gravity that acts on it: 0 for a body that floats, less for one that
  /// rises.
  double gravity_scale = 1.0;
  /// Rates at which its velocities decay, >= 0, per time, in place of those of the `World`.
  std::optional<double> linear_damping = {}, angular_damping = {};
  /// Its velocities along and about these are zero whatever acts on it, also where they are set: a
  /// `World` keeps its place along them bit for bit.
  LockedAxes lock = {};
  BodyType type = BodyType::dynamic_body;
  Material material = {};
  CollisionFilter filter = {};
  bool sensor = false;  ///< touches are reported, but it pushes nothing and nothing pushes it
  std::optional<BodyMass> mass = {};  ///< from the shape and `material.density` when not given
  BodyId id = kNoBody;                ///< chosen by the world when not given
  /// For a conveyor, a turntable that stands, the tracks of a vehicle; in a `World`.
  SurfaceVelocity surface_velocity = {};
  /// A direction of the shape's frame, not zero: the body holds what lies on this side of it, and
  /// lets through what comes from another one or is in it (`World`, docs/guide/simulation.md).
  std::optional<Vec3> one_way = {};
  /// For a kinematic body in a `World`, which then chooses its speed along the axis.
  std::optional<Servo> servo = {};
};

/// State of a body that a step changes.
struct BodyMotion {
  BodyId id = kNoBody;
  Vec3 position;          ///< of the centre of mass, world
  Quat orientation;       ///< of the shape's frame
  Vec3 linear_velocity;   ///< of the centre of mass
  Vec3 angular_velocity;  ///< world frame
  /// Velocities above less those in the middle of the last substep, with which the next step of a
  /// `World` begins. Zero unless contacts supported the body in the last step and the difference is
  /// known.
  Vec3 linear_ahead = {}, angular_ahead = {};
  /// Time for which the body has been slow, and whether it sleeps (without velocity); used where
  /// bodies fall asleep (`WorldSettings::sleep_time`).
  double rest_time = 0.0;
  bool asleep = false;
  friend bool operator==(const BodyMotion&, const BodyMotion&) = default;
};

/// A body in a world: what it is, and how it moves.
class Body {
 public:
  /// Throws InvalidInput naming the field: a value that is not finite, a bad material, a moving
  /// body that is unbounded, holds an open mesh or has no volume, a mass that is not positive, an
  /// inertia that is not symmetric, positive definite and of a body (no principal moment above the
  /// sum of the others), a force on one not moving, a damping below 0, a `one_way` that is zero, a
  /// servo of what is not kinematic.
  /// `definition.id` must be set.
  explicit Body(const BodyDefinition& definition);

  BodyId id() const noexcept { return motion_.id; }
  const Shape& shape() const noexcept { return shape_; }
  BodyType type() const noexcept { return type_; }
  bool is_dynamic() const noexcept { return type_ == BodyType::dynamic_body; }
  [[deprecated("is_dynamic")]] bool is_moving() const noexcept { return is_dynamic(); }
  /// Held where it is until something touches its group (`WorldSettings::sleep_time`).
  bool is_asleep() const noexcept { return motion_.asleep; }
  /// Moving, and not asleep.
  bool is_awake() const noexcept { return is_dynamic() && !motion_.asleep; }
  const Material& material() const noexcept { return material_; }
  const CollisionFilter& filter() const noexcept { return filter_; }
  bool is_sensor() const noexcept { return sensor_; }
  double gravity_scale() const noexcept { return gravity_scale_; }
  /// None where those of the world apply.
  const std::optional<double>& linear_damping() const noexcept { return linear_damping_; }
  const std::optional<double>& angular_damping() const noexcept { return angular_damping_; }
  /// Does the surface run against the body?
  bool has_belt() const noexcept { return surface_ != nullptr && surface_->runs; }
  SurfaceVelocity surface_velocity() const noexcept {
    return surface_ == nullptr ? SurfaceVelocity{} : surface_->velocity;
  }
  /// Velocity of the surface against the body at a world point, world axes.
  Vec3 belt_velocity_at(const Vec3& world_point) const;
  /// Unit, in the shape's frame.
  std::optional<Vec3> one_way() const noexcept {
    return surface_ == nullptr ? std::nullopt : surface_->one_way;
  }
  /// With an axis of unit length.
  std::optional<Servo> servo() const {
    return servo_ == nullptr ? std::nullopt : std::optional(*servo_);
  }
  bool has_servo() const noexcept { return servo_ != nullptr; }
  /// With those of its world (`WorldSettings::plane`).
  const LockedAxes& lock() const noexcept { return lock_; }

  /// Pose of the shape's frame in the world.
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

  /// Outside force through the centre of mass, and torque about it, in the next step of a `World`;
  /// world frame, zero after it.
  const Vec3& force() const noexcept { return force_; }
  const Vec3& torque() const noexcept { return torque_; }
  /// As `force` and `torque`, but acting in every step.
  const Vec3& constant_force() const noexcept { return constant_force_; }
  const Vec3& constant_torque() const noexcept { return constant_torque_; }
  /// Force of the next step plus the constant force.
  Vec3 total_force() const noexcept { return force_ + constant_force_; }
  Vec3 total_torque() const noexcept { return torque_ + constant_torque_; }

 private:
  friend struct detail::BodyAccess;

  /// Replaces the motion (the id stays), bit for bit but for velocities along locked axes; the
  /// orientation must be unit.
  void set_motion(const BodyMotion& motion);
  void set_velocity(const Vec3& linear, const Vec3& angular);
  /// Sets the time for which the body has been slow (`BodyMotion::rest_time`), and wakes it.
  void set_rest_time(double time);
  /// Takes its velocities away.
  void fall_asleep();
  void set_force(const Vec3& force, const Vec3& torque);
  /// Throws InvalidInput (`force`, `torque`) for what is not finite, or not zero unless moving;
  /// nothing has then changed.
  void set_constant_force(const Vec3& force, const Vec3& torque);
  /// Throws InvalidInput (`surface_velocity`) for what is not finite; nothing has then changed.
  void set_surface_velocity(const SurfaceVelocity& velocity);

  /// Only few bodies have any of it.
  struct Surface {
    SurfaceVelocity velocity;
    bool runs = false;
    std::optional<Vec3> one_way;
  };
  void set_surface(const SurfaceVelocity& velocity, const std::optional<Vec3>& one_way);
  /// Throws InvalidInput (`servo`, or as `validate`); nothing has then changed.
  void set_servo(const std::optional<Servo>& servo);
  void update_pose();

  Shape shape_;
  BodyType type_;
  Material material_;
  CollisionFilter filter_;
  bool sensor_ = false;
  double gravity_scale_ = 1.0;
  std::optional<double> linear_damping_, angular_damping_;
  LockedAxes lock_;
  BodyMass mass_;
  double inverse_mass_ = 0.0;
  Mat3 inverse_inertia_ = Mat3::zero();
  bool isotropic_ = false;
  double size_ = 0.0, rolling_radius_ = 0.0, radius_ = 0.0;
  BodyMotion motion_;
  Pose pose_;
  Vec3 force_, torque_, constant_force_, constant_torque_;
  std::shared_ptr<const Surface> surface_;
  std::shared_ptr<const Servo> servo_;
};

/// Radius that stands for two surfaces that touch: the inverse of the sum of both curvatures. The
/// radius of a surface is half the smallest extent of its shape; spheres, ellipsoids and capsules
/// apart, bodies that do not move by themselves count as flat. 0 for two flat ones.
double reduced_radius(const Body& a, const Body& b);

/// Force that it takes to draw a body from another one at a contact patch: 3/2 pi times the work of
/// adhesion times the reduced radius, as of two elastic spheres. Until then they hold on, and press
/// on one another with this force more than the load: so friction is larger. Source:
/// johnson1971adhesion.
double pull_off_force(const Body& a, const Body& b, const SurfacePair& surface);

/// Names a joint for the life of its world; never used twice. 0 names none.
using JointId = std::uint64_t;
inline constexpr JointId kNoJoint = 0;

enum class JointType : std::uint8_t {
  fixed,     ///< the frames stay together
  ball,      ///< the anchors stay together
  hinge,     ///< and B turns about the z axis of the frames alone
  slider,    ///< B slides along the z axis of A's frame alone, and does not turn against A
  distance,  ///< the anchors keep a distance, stay within limits, or are drawn by a spring
};
std::string_view to_string(JointType type);

/// Limits of a joint's position: a hinge's angle or a ball joint's twist within [-pi, pi], a
/// slider's way, or the distance of the anchors.
struct JointLimits {
  double lower = 0.0, upper = 0.0;
  friend bool operator==(const JointLimits&, const JointLimits&) = default;
};

/// Drives a hinge or a slider towards a speed; a speed of 0 brakes.
struct JointMotor {
  double speed = 0.0;      ///< of B against A, radians or length per time
  double max_force = 0.0;  ///< >= 0; a torque for a hinge
  friend bool operator==(const JointMotor&, const JointMotor&) = default;
};

/// Draws a joint towards a position as a damped spring that is solved implicitly, with what it does
/// to the bodies: stable for any stiffness and step; without damping it loses energy all the same.
struct JointDrive {
  /// Angle of a hinge, in [-pi, pi], reached by the shorter way; way of a slider; angle about the z
  /// axis of A's frame by which B's frame shall be turned on a ball joint.
  double target = 0.0;
  double stiffness = 0.0;  ///< >= 0: force per length, torque per radian
  double damping = 0.0;    ///< >= 0: force per speed; one of the two is positive
  /// > 0; a torque for a hinge, and about each axis of A's frame for a ball joint.
  double max_force = std::numeric_limits<double>::infinity();
  friend bool operator==(const JointDrive&, const JointDrive&) = default;
};

/// A spring between the anchors of a distance joint. With the angular frequency w = 2 pi frequency
/// and the mass m = 1 / (1 / mass of A + 1 / mass of B), its stiffness is m w^2, its damper 2
/// damping_ratio m w. Without damping no energy is lost, at any frequency.
struct JointSpring {
  double frequency = 1.0;      ///< > 0, per time
  double damping_ratio = 0.0;  ///< >= 0
  friend bool operator==(const JointSpring&, const JointSpring&) = default;
};

/// Everything that makes a joint. Frames are seen from the bodies' shape frames; their origins are
/// the anchors.
struct JointDefinition {
  JointType type = JointType::ball;
  BodyId body_a = kNoBody, body_b = kNoBody;  ///< one of them moving
  Pose frame_a = {}, frame_b = {};
  std::optional<JointLimits> limits = {};  ///< of a hinge, a slider or a distance
  /// Swing limit of a ball joint: the largest angle between the z axes of the frames, in (0, pi];
  /// B's axis then stays within a cone about A's.
  std::optional<double> swing = {};
  /// Twist limits of a ball joint: of the angle by which B's frame is turned about z, before the
  /// least turn that leads from A's z axis to B's. It has no value where they are opposite: within
  /// 1 degree of there the limits do not act.
  std::optional<JointLimits> twist = {};
  std::optional<JointMotor> motor = {};    ///< of a hinge or a slider
  std::optional<JointDrive> drive = {};    ///< of a hinge or a slider without motor, or a ball
  std::optional<JointSpring> spring = {};  ///< of a distance
  /// Length that a distance joint without limits keeps, or rest length of its spring; by default
  /// the distance of the anchors when the joint is added.
  std::optional<double> length = {};
  /// A mean force or torque of a step above it, >= 0, breaks the joint: `World::broken_joints`.
  std::optional<double> break_force = {}, break_torque = {};
  bool touch = false;     ///< may the two bodies touch each other?
  JointId id = kNoJoint;  ///< chosen by the world when not given
};

/// A frame at a world point with z along a world axis of any length but zero. Throws InvalidInput
/// (`anchor`, `axis`).
Pose joint_frame(const Vec3& anchor, const Vec3& axis);
/// A joint whose frames coincide there as the bodies lie now. Throws InvalidInput as `joint_frame`.
/// @code{.cpp}
/// World world;
/// const BodyId post = world.add({.shape = Box({0.1, 0.1, 2}), .type = BodyType::fixed});
/// const BodyId door =
///     world.add({.shape = Box({0.9, 0.05, 2}), .pose = Pose::translation({0.5, 0, 0})});
/// world.add_joint(joint_at(JointType::hinge, world.body(post), world.body(door), {0.05, 0, 0}));
/// for (int i = 0; i < 60; ++i) world.step();
/// assert(std::fabs(world.body(door).center_of_mass().z) < 1e-6);  // the hinge carries it
/// @endcode
JointDefinition joint_at(JointType type, const Body& a, const Body& b, const Vec3& anchor,
                         const Vec3& axis = {0.0, 0.0, 1.0});
/// A distance joint between two world points as the bodies lie now. Throws InvalidInput
/// (`anchor_a`, `anchor_b`).
JointDefinition distance_joint(const Body& a, const Body& b, const Vec3& anchor_a,
                               const Vec3& anchor_b);

/// Throws InvalidInput naming the field that does not suit the type, is out of range or not finite.
/// Bodies are not looked at.
void validate(const JointDefinition& definition);

/// A joint in a world, with what it did in the last solver step.
struct Joint {
  JointDefinition definition;
  Vec3 force;   ///< on B at its anchor, world
  Vec3 torque;  ///< on B, world
  /// Angle in (-pi, pi] of a hinge, twist likewise of a ball joint, way of a slider, distance of
  /// anchors.
  double position = 0.0;
  double swing = 0.0;  ///< of a ball joint: angle between the z axes, in [0, pi]
  Vec3 shift = {};  ///< from B to its image that is held; zero but across faces of a periodic world
};

/// Warm start of a joint for the next step: impulses on B per `time_step / substeps`, along up to
/// three directions, about up to three axes (of a ball joint: of its swing limit, inwards), of the
/// limit (along the position) and of the motor or drive; the drive of a ball joint has the last two
/// axes and the motor's place.
struct JointMemory {
  JointId id = kNoJoint;
  std::array<double, 8> impulses{};
  /// Periods along each axis from B to its image that is held; zero unless the world is periodic.
  std::array<std::int32_t, 3> image{};
  friend bool operator==(const JointMemory&, const JointMemory&) = default;
};

}  // namespace tactus
