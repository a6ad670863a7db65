#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "tactus/dynamics/contact/both.hpp"
#include "tactus/math.hpp"
#include "tactus/query.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Gap, relative to the smaller body's size, beyond which a point counts as not touching: above the
/// gaps of bodies at rest, and small enough for the normal of an impact.
inline constexpr double kOpenGap = 1e-4;

/// What holds a body against outside forces: nothing, contacts alone, or joints, which limits,
/// motors or the contacts of any of their bodies hold.
enum class Carried : std::uint8_t { no, by_contacts, by_joints };

/// A body as the contact solver sees it. Its neighbours in the list may be moved by other threads
/// at the same time.
struct SolverBody {
  Vec3 linear, angular;                 ///< velocities, world
  Vec3 shift, turn;                     ///< displacement and rotation vector since the detection
  double inverse_mass = 0.0;            ///< zero unless moving
  Mat3 inverse_inertia = Mat3::zero();  ///< world axes; zero unless moving
  Vec3 acceleration;                    ///< by outside forces
  Vec3 push, twist;                     ///< impulses of all contacts in a substep
  double left = 0.0;                    ///< of the substep, that the body has yet to move
  double radius = 0.0;                  ///< of a ball about the centre of mass that holds the body
  bool steady_inertia = true;           ///< stays as it is while the body turns
};

/// What a contact patch is made of.
struct ContactPatch {
  std::uint32_t body_a = 0, body_b = 0;  ///< positions in the span of solver bodies
  Vec3 center_a, center_b;               ///< centres of mass at detection
  Manifold manifold;
  SurfacePair surface;
  double size = 0.0;            ///< of the smaller body
  double rolling_radius = 0.0;  ///< of the smaller body
  double spread = 1.0;          ///< of friction, `friction_spread`
  double reach = 0.0;           ///< points with a smaller gap are all known
  Vec3 shift = {};              ///< from B to its image that is meant; center_b is the image's
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

/// The contact of two bodies in one patch, as velocities and impulses meet it.
struct ContactConstraint {
  /// How an impulse on B along an axis of the patch, with its reaction on A, turns both bodies.
  struct Row {
    BothVec3 moment;   ///< about the centres of mass, per impulse
    BothVec3 angular;  ///< change of the angular velocities, per impulse
  };
  struct Point {
    double normal_impulse = 0.0;
    double load_before = 0.0;  ///< normal impulse at the end of the last substep
    double friction_impulse[2] = {};
    double gap = 0.0;  ///< at detection
    double normal_mass = 0.0;
    double friction_inverse[3] =
        {};  ///< inverse of the symmetric 2 x 2 mobility along the tangents: 11, 12, 22
    double friction_step = 0.0;  ///< inverse of its largest eigenvalue
    Row rows[3];                 ///< along the normal and both tangents
  };
  // At detection, and what it was of.
  double size = 0.0;         ///< of the smaller body
  double least_gap = 0.0;    ///< no point of the bodies was nearer at detection
  Vec3 shift, turn, turn_b;  ///< at detection: shift of B less that of A, turns of A and of B
  bool alone = false;        ///< the only patch of its pair
  bool rolls = false;        ///< the place of contact moves on smoothly, not from corner to corner
  // What every sweep reads.
  std::uint32_t body_a = 0, body_b = 0;
  int count = 0;
  int age = 0;          ///< substeps since the detection
  bool open = false;    ///< no point touched at detection
  bool struck = false;  ///< has collided
  bool fresh = false;   ///< no load to start from in this substep
  bool steady = false;  ///< the inertia of both bodies stays as it is while they turn
  double spread = 1.0;  ///< of friction
  double load = 0.0;    ///< sum of the normal impulses of the substeps since the preparation
  Vec3 normal, tangent[2];
  double rolling_bound = 0.0, torsion_bound = 0.0;  ///< torque per normal force
  double push_speed = 0.0;
  /// Second difference of the gap from substep to substep beyond its first-order change; known
  /// where the patch was detected again within the step, as that of bodies that roll and rock.
  double curvature = 0.0;
  /// Velocity of the contact point on B less that on A, along the tangents, which comes from the
  /// way that the arms change within half a substep; known where `curvature` is. Impacts, which
  /// take no time, have none.
  double creep[2] = {};
  SurfacePair surface;
  Point points[Manifold::kCapacity];
  // What only a few patches need.
  Mat3 angular_mass;  ///< only with rolling or torsional resistance
  Vec3 rolling_impulse;
  BothVec3 arms[Manifold::kCapacity];  ///< where impulses act, from the centres of mass
  BothVec3 rubs[Manifold::kCapacity];  ///< where friction acts on the points if it is spread
  BothVec3 load_center;                ///< near which they are

  /// Takes over a patch that was detected with both bodies moved ahead by a time. Impulses are kept
  /// only where `impulses` is given.
  void place(const ContactPatch& patch, std::span<const SolverBody> bodies, double ahead,
             const PatchImpulses* impulses);
  /// Of the points, for their arms and the bodies' inertia now.
  void set_rows(const SolverBody& a, const SolverBody& b);
  void set_rows(Point& p, const BothVec3& arm, const BothVec3& friction_arm,
                const BothMat3& inverse_inertia) const;
  /// The same where only the inertia has changed, or only where friction acts.
  void turn_rows(const SolverBody& a, const SolverBody& b);
  void set_friction_rows(const SolverBody& a, const SolverBody& b);
  /// Friction acts nearer to the centre of the load than the points that carry it. False where that
  /// has not moved; else the friction rows are to be set.
  bool follow_load();
  /// Change of the relative velocity at a point along an axis, per impulse along another. The
  /// inverse mass is the sum of both.
  static double mobility(const Point& p, double inverse_mass, int axis, int other);
  /// Effective masses of a point, from its rows.
  static void set_masses(Point& p, double inverse_mass);
  PatchImpulses impulses() const;
  /// Is any of them not zero?
  bool pushes() const;
  /// What all impulses of a substep do: the impulse on B, with its reaction on A, and the angular
  /// impulses about both centres of mass.
  struct Push {
    Vec3 linear;
    BothVec3 angular;
  };
  Push push() const;
  /// Adds a change of it to what the bodies are pushed by.
  static void change_push(const Push& change, SolverBody& a, SolverBody& b);
  /// Of the points, the least of it; infinite without any.
  double nearest_gap(std::span<const SolverBody> bodies) const;
  /// By how much the gap differs by now from its first-order change, and will in the next substep.
  double bend() const { return 0.5 * curvature * age * age; }
  double bend_ahead() const { return curvature * (age + 0.5); }
  /// Learns the curvature from the patch's last detection: what its gap was foreseen to be now.
  void set_curvature(double foreseen, double found, int substeps, double substep,
                     std::span<const SolverBody> bodies);
  /// Learns the creep from the arms of the patch's last detection.
  /// Source: mclachlan2006nonholonomic.
  void set_creep(const BothVec3& before, int substeps, std::span<const SolverBody> bodies);
  /// Lets friction act nearer to a centre, given from both centres of mass.
  void gather_friction(const BothVec3& center);
  /// How far any points of the bodies have moved against each other, after a time ahead, since the
  /// patch was detected.
  double moved(std::span<const SolverBody> bodies, double ahead) const;
  /// The part of it that comes from turning about other axes than the normal, now.
  double tilted(std::span<const SolverBody> bodies) const;
  /// Is all of it more than a bound, now?
  bool moved_beyond(double bound, std::span<const SolverBody> bodies) const;
};

/// What nothing moves is not written to: it may belong to several threads.
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

/// Where the bodies of a patch are since the detection.
struct PatchPlaces {
  PatchPlaces(const ContactConstraint& c, const SolverBody& a, const SolverBody& b)
      : apart(dot(c.normal, b.shift - a.shift)), turn(both(a.turn, b.turn)) {}

  double apart;  ///< how far B's centre has come from A's along the normal
  BothVec3 turn;

  /// At a point, to first order.
  double gap(const ContactConstraint::Point& p) const {
    return p.gap + (apart + sum(dot(p.rows[0].moment, turn)));
  }
};

/// Velocities of the bodies of a patch, held outside the bodies while its points are solved. The
/// relative velocity of the centres and the impulses are along the axes of the patch, the normal
/// and both tangents: they are orthonormal, so that rows meet each other in the turning alone.
struct PatchVelocities {
  PatchVelocities(const ContactConstraint& c, const SolverBody& a, const SolverBody& b)
      : angular(both(a.angular, b.angular)), inverse_mass(a.inverse_mass + b.inverse_mass) {
    const Vec3 between = b.linear - a.linear;
    linear[0] = dot(c.normal, between);
    linear[1] = dot(c.tangent[0], between);
    linear[2] = dot(c.tangent[1], between);
  }

  BothVec3 angular;
  double inverse_mass;  ///< sum of both
  double linear[3];
  double impulse[3] = {};  ///< on B, since the beginning

  /// Of B relative to A, along an axis at a point.
  double along(const ContactConstraint::Point& p, int axis) const {
    return linear[axis] + sum(dot(p.rows[axis].moment, angular));
  }
  void apply(const ContactConstraint::Point& p, int axis, double change) {
    angular += p.rows[axis].angular * change;
    linear[axis] += inverse_mass * change;
    impulse[axis] += change;
  }
  /// Of both centres.
  BothVec3 centers(const ContactConstraint& c, const SolverBody& a, const SolverBody& b) const {
    const Vec3 push =
        c.normal * impulse[0] + (c.tangent[0] * impulse[1] + c.tangent[1] * impulse[2]);
    return both(a.linear, b.linear) + opposed(push) * both(a.inverse_mass, b.inverse_mass);
  }
  void store(const ContactConstraint& c, SolverBody& a, SolverBody& b) const {
    store_velocities(centers(c, a, b), angular, a, b);
  }
};

/// Not less than the length, and without a root: tells for most bodies that they move little.
inline double most_length(const Vec3& v) {
  return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z);
}

/// Changes the friction impulse of a point, kept within the disc of this radius, so that the
/// sliding stops or the friction is opposite to it. `creep`: what is to be added to the sliding
/// that the velocities tell, along the tangents.
inline void solve_friction(ContactConstraint::Point& p, double limit, const double (&creep)[2],
                           PatchVelocities& v) {
  // Stops the sliding when the disc allows it. Otherwise a projected step with one scalar for both
  // directions: at its fixed point the force is opposite to the sliding velocity, which scaling
  // back the first solution would miss.
  const double old0 = p.friction_impulse[0], old1 = p.friction_impulse[1];
  if (limit == 0.0 && old0 == 0.0 && old1 == 0.0) return;
  const double u0 = v.along(p, 1) + creep[0], u1 = v.along(p, 2) + creep[1];
  double new0 = old0 - (p.friction_inverse[0] * u0 + p.friction_inverse[1] * u1);
  double new1 = old1 - (p.friction_inverse[1] * u0 + p.friction_inverse[2] * u1);
  if (new0 * new0 + new1 * new1 > limit * limit) {
    new0 = old0 - p.friction_step * u0;
    new1 = old1 - p.friction_step * u1;
    const double size = std::sqrt(new0 * new0 + new1 * new1);
    const double scale = size > limit ? limit / size : 1.0;
    new0 *= scale;
    new1 *= scale;
  }
  p.friction_impulse[0] = new0;
  p.friction_impulse[1] = new1;
  v.apply(p, 1, new0 - old0);
  v.apply(p, 2, new1 - old1);
}

}  // namespace tactus::detail
