#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "tactus/math.hpp"
#include "tactus/query.hpp"
#include "tactus/rigid/solver/both.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Gap, relative to the smaller body's size, beyond which a point counts as not touching: above the
/// gaps of bodies at rest, and small enough for the normal of an impact.
inline constexpr double kOpenGap = 1e-4;

/// Gap, relative to the smaller body's size, up to which adhesion pulls: well above those of bodies
/// at rest and of roundings, and as small beside the body as the necks of adhesive grains.
inline constexpr double kAdhesiveGap = 1e-3;

/// A point whose bodies' locks or joints leave it less than this part of their free mobility cannot
/// move.
inline constexpr double kImmovable = 1e-7;

/// The centre of a smaller load is not computed: its inverse would be beyond all numbers.
inline constexpr double kLeastLoad = 1e-290;

/// Coefficient of friction of patches that pinch a body, and of their resistance to turning, in
/// sizes: the body goes with its partners.
inline constexpr double kPinchedFriction = 100.0;

/// Support of a body against outside forces: none, contacts alone, or joints, which limits, motors
/// or the contacts of any of their bodies hold.
enum class Carried : std::uint8_t { no, by_contacts, by_joints };

/// Does only the contact with bodies at rest push a body, where its place moves on, without
/// resistance to turning? Then friction alone does work, where it slips.
struct Rolling {
  bool rolls = false;
  double work = 0.0;  ///< of friction in half a substep
};

/// A body as the contact solver sees it. Its neighbours in the list may be moved by other threads
/// at the same time. Sweeps read the first three lines of the cache, by the places of the numbers
/// (sweep.cpp).
struct alignas(64) SolverBody {
  Vec3 linear, angular;                 ///< velocities, world
  double inverse_mass = 0.0;            ///< zero unless moving
  double left = 0.0;                    ///< of the substep, that the body has yet to move
  Vec3 shift, rotation;                 ///< displacement and rotation vector since the detection
  double radius = 0.0;                  ///< of a ball about the centre of mass that holds the body
  Mat3 inverse_inertia = Mat3::zero();  ///< world axes; zero unless moving
  Vec3 impulse, angular_impulse;        ///< impulses of all contacts in a substep
  std::uint8_t locked = 0;              ///< as `bits_of`
  double elapsed = 0.0;                 ///< time since the detection through which it has moved
};

/// Change of a body's linear velocity by an impulse.
inline Vec3 pushed(const SolverBody& body, const Vec3& impulse) {
  const Vec3 change = impulse * body.inverse_mass;
  if (body.locked == 0) return change;
  return {(body.locked & 1U) != 0 ? 0.0 : change.x, (body.locked & 2U) != 0 ? 0.0 : change.y,
          (body.locked & 4U) != 0 ? 0.0 : change.z};
}

/// A contact patch as detected: its manifold, surfaces and the sizes of its bodies.
struct ContactPatch {
  std::uint32_t body_a = 0, body_b = 0;  ///< positions in the span of solver bodies
  Vec3 center_a, center_b;               ///< centres of mass at detection
  Manifold manifold;
  SurfacePair surface;
  double size = 0.0;            ///< of the smaller body
  double rolling_radius = 0.0;  ///< of the smaller body
  double spread = 1.0;          ///< of friction, `friction_spread`
  double reduced_radius = 0.0;  ///< `reduced_radius` of the bodies, for adhesion
  double reach = 0.0;           ///< points with a smaller gap are all known
  Vec3 shift = {};              ///< from B to its image that is meant; center_b is the image's
  /// How the surface of B runs against that of A: along the tangents of the constraint, and about
  /// the normal.
  Vec3 drive = {};
  /// Velocity of B's image beside that of B (`PeriodicShear`); `shift` is that at detection.
  Vec3 image_velocity = {};
  /// Force with which adhesion draws the bodies together at each point that is near enough.
  double pull() const;
  /// Is a point so near?
  bool sticks(const ContactPoint& point) const {
    return -point.depth <= kAdhesiveGap * size && surface.adhesion > 0.0;
  }
  bool kept = false;      ///< of a pair that rests, from a detection before
  bool covered = false;   ///< has lost its points to a seam
  bool on_seam = false;   ///< so, and was the only patch of its parts
  bool overlaps = false;  ///< has lost some that touched
};

/// Impulses of a patch, world frame, acting on B; carried from step to step.
struct PatchImpulses {
  std::array<double, Manifold::kCapacity> normal{};
  std::array<Vec3, Manifold::kCapacity> friction{};
  Vec3 rolling;  ///< angular

  PatchImpulses scaled(double factor) const;
  /// Sum along the normal.
  double load() const;
};

/// A body at the start of a substep as it is foreseen: its velocities before the start, in the
/// middle of the substep before, at the start, and after it.
struct Course {
  Vec3 linear_before, angular_before;
  Vec3 linear, angular;
  Vec3 linear_after, angular_after;
  Vec3 turned;  ///< change of the angular velocity of a free top within half a substep
  Pose ahead;   ///< of the shape's frame at the end of the substep
  Vec3 center_ahead;
};

/// The contact of two bodies in one patch, as it was detected. What sweeps read and change of it
/// is kept by `SweepGroups`.
struct ContactConstraint {
  struct Point {
    BothVec3 arm;      ///< where impulses act, from the centres of mass
    double gap = 0.0;  ///< at detection
    // Impulses on B, of the last substep: as they were read last.
    double normal_impulse = 0.0;
    double friction_impulse[2] = {};  ///< along the tangents
    /// Impulse of adhesion in a substep, against the normal impulse: bodies that adhere are drawn
    /// together by a force that is known beforehand, and press on one another for it.
    double pull = 0.0;
    /// Velocity of the place of contact on B less that on A, along the normal and the tangents,
    /// that comes from the way that arms and normal change within half a substep, and from the way
    /// that bodies change their angular velocities as free tops. Impacts, which take no time, have
    /// none.
    double creep[3] = {}, swerve[3] = {};
    /// Speed at which the gap would open within the substep beyond its first-order change.
    double bend = 0.0;
  };
  std::uint32_t body_a = 0, body_b = 0;
  int count = 0;
  int age = 0;             ///< substeps since the detection, as they were read last
  double size = 0.0;       ///< of the smaller body
  double least_gap = 0.0;  ///< no point of the bodies was nearer at detection
  /// At detection: shift of B less that of A, rotation vectors of A and of B.
  Vec3 shift, rotation_a, rotation_b;
  bool alone = false;    ///< the only patch of its pair's parts
  bool rolls = false;    ///< the place of contact moves on smoothly, not from corner to corner
  bool follows = false;  ///< `creep` is asked for in every substep
  bool creeps = false;   ///< that of some point is not zero
  bool held = false;     ///< creeps, and is held where it is, without a spring
  bool open = false;     ///< no point touched at detection
  bool struck = false;   ///< has collided
  bool pinched = false;  ///< `find_pinched`: starts every substep without impulses
  bool on_seam = false;  ///< see ContactPatch
  Vec3 normal, tangent[2];
  SurfacePair surface;
  Point points[Manifold::kCapacity];
  /// Sum of the normal impulses of the substeps since the preparation, as it was read last.
  double load = 0.0;
  double push_speed = 0.0;
  /// Speed per impulse that joints leave the bodies at the point that they hold most, where the
  /// patch is solved with these; 0 elsewhere.
  double held_mobility = 0.0;
  Vec3 drive;            ///< of the patch
  Vec3 image_velocity;   ///< of the patch
  bool adheres = false;  ///< some point is pulled
  double substep = 0.0;  ///< its length
  /// Friction acts nearer to the centre of the load than the points that carry it, by this part;
  /// 0 where it acts at the points themselves.
  double gathered = 0.0;
  BothVec3 load_center;  ///< near which it is
  // Resistance to rolling and torsion, which only a few patches have.
  double rolling_bound = 0.0, torsion_bound = 0.0;  ///< torque per normal force
  Mat3 angular_mass;                                ///< only with these
  Vec3 rolling_impulse;                             ///< angular

  /// Takes over a patch that was detected with both bodies moved ahead by a time. Impulses are kept
  /// only where `impulses` is given.
  void place(const ContactPatch& patch, std::span<const SolverBody> bodies, double ahead,
             const PatchImpulses* impulses);
  std::span<const Point> all_points() const { return {points, static_cast<std::size_t>(count)}; }
  /// Do surfaces run against their bodies?
  bool is_driven() const { return drive != Vec3{}; }
  bool image_moves() const { return image_velocity != Vec3{}; }
  /// Velocity of the centre of A less that of B's image.
  Vec3 closing(const SolverBody& a, const SolverBody& b) const {
    return a.linear - b.linear - image_velocity;
  }
  /// How far B's image has come since the detection beside what B has.
  Vec3 image_way(const SolverBody& b) const { return image_velocity * b.elapsed; }
  /// By how much the surfaces slide at each point for that, beside what the bodies do: where its
  /// friction acts in sweeps, or, `gathering` none, at the points themselves.
  void find_belts(bool gathering, double (*belts)[2]) const;
  bool resists_turning() const { return rolling_bound > 0.0 || torsion_bound > 0.0; }
  /// The part of an angular impulse that rolling and torsional resistance can give under a load.
  Vec3 within_resistance(const Vec3& wanted, double pressing) const;
  /// Where friction acts on a point.
  BothVec3 friction_arm(const Point& p) const { return p.arm + (load_center - p.arm) * gathered; }
  /// At a point, to first order, where the bodies are now.
  double gap(const Point& p, const SolverBody& a, const SolverBody& b) const {
    const BothVec3 way = both(a.shift, b.shift) + cross(both(a.rotation, b.rotation), p.arm);
    return p.gap + dot(normal, way.difference() + image_way(b));
  }
  /// Speed at which the gap opens at a point.
  double speed(const Point& p, const SolverBody& a, const SolverBody& b) const {
    const BothVec3 velocity = both(a.linear, b.linear) + cross(both(a.angular, b.angular), p.arm);
    return dot(normal, velocity.difference() + image_velocity);
  }
  PatchImpulses impulses() const;
  /// Is any impulse not zero?
  bool pushes() const;
  /// Work of friction in a substep, where it reaches its bound, at the present velocities.
  double slip_work(std::span<const SolverBody> bodies) const;
  /// Sum of all impulses of a substep: the impulse on B, with its reaction on A, and the angular
  /// impulses about both centres of mass.
  struct Impulse {
    Vec3 linear;
    BothVec3 angular;
  };
  Impulse impulse() const;
  /// Adds a change of this sum to the impulses that the bodies note.
  static void change_impulse(const Impulse& change, SolverBody& a, SolverBody& b);
  /// Least present gap of the points; infinite without any.
  double nearest_gap(std::span<const SolverBody> bodies) const;
  /// Learns creep and swerve from the patch as it is foreseen at the end of the substep. Places
  /// that move by more than `farthest` until then are others. Source: mclachlan2006nonholonomic.
  void set_creep(const Manifold& ahead, const Vec3& image, const Course& a, const Course& b,
                 std::span<const SolverBody> bodies, double substep, double farthest);
  /// The creep of a face that does not roll, since its points turn with their bodies: where it lies
  /// on a kinematic body that turns, and is carried around.
  void set_carried_creep(std::span<const SolverBody> bodies, double substep);
  /// How a point moves on.
  struct Moved {
    BothVec3 arm;
    double gap = 0.0;
  };
  bool follow(const Manifold& ahead, const BothVec3& centers, double farthest,
              std::span<Moved> moved) const;
  /// How far any points of the bodies have moved against each other, after a time ahead, since the
  /// patch was detected.
  double moved(std::span<const SolverBody> bodies, double ahead) const;
  /// The part of `moved` that comes from rotation about other axes than the normal, now.
  double tilted(std::span<const SolverBody> bodies) const;
  /// By how much gaps may differ from their first-order change, now, for the rotations since the
  /// patch was detected.
  double bent(std::span<const SolverBody> bodies) const;
  /// Is `moved` more than a bound, now?
  bool moved_beyond(double bound, std::span<const SolverBody> bodies) const;
};

/// Bodies that nothing moves are not written to: several threads may share them.
inline void store_velocities(const BothVec3& linear, const BothVec3& angular, SolverBody& a,
                             SolverBody& b) {
  if (a.inverse_mass > 0.0) {
    a.linear = linear.a();
    a.angular = angular.a();
  }
  if (b.inverse_mass > 0.0) {
    b.linear = linear.b();
    b.angular = angular.b();
  }
}

/// Not less than the length, and without a root: tells for most bodies that they move little.
inline double most_length(const Vec3& v) {
  return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z);
}

}  // namespace tactus::detail
