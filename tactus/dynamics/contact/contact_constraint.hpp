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
  double left = 0.0;                    ///< of the substep, that the body has yet to move
  double radius = 0.0;                  ///< of a ball about the centre of mass that holds the body
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
};

/// How easily a pair of bodies is pushed.
struct PairMobility {
  PairMobility(const SolverBody& a, const SolverBody& b)
      : inverse_mass(both(a.inverse_mass, b.inverse_mass)),
        inverse_inertia(both(a.inverse_inertia, b.inverse_inertia)) {}

  Both inverse_mass;
  BothMat3 inverse_inertia;

  /// Change of the relative velocity at a point, along `direction`, per impulse along `other`.
  double at(const BothVec3& arm, const Vec3& direction, const Vec3& other) const {
    const Both angular = dot(cross(arm, both(direction, direction)),
                             inverse_inertia * cross(arm, both(other, other)));
    return (inverse_mass[0] + inverse_mass[1]) * dot(direction, other) + (angular[0] + angular[1]);
  }
};

/// Velocities of both bodies, held outside the bodies while one constraint is solved.
struct PairVelocities {
  PairVelocities(const SolverBody& a, const SolverBody& b)
      : linear(both(a.linear, b.linear)), angular(both(a.angular, b.angular)), mobility(a, b) {}

  BothVec3 linear, angular;
  PairMobility mobility;

  /// Of the bodies at a place.
  BothVec3 at(const BothVec3& arm) const { return linear + cross(angular, arm); }
  /// Of B relative to A.
  Vec3 between(const BothVec3& arm) const { return at(arm).difference(); }
  void apply(const BothVec3& arm, const Vec3& impulse) {
    const BothVec3 pushes = opposed(impulse);
    linear += pushes * mobility.inverse_mass;
    angular += mobility.inverse_inertia * cross(arm, pushes);
  }
  void apply_angular(const Vec3& impulse) {
    angular += mobility.inverse_inertia * opposed(impulse);
  }
  /// What nothing moves is not written to: it may belong to several threads.
  void store(SolverBody& a, SolverBody& b) const {
    if (a.inverse_mass > 0.0) {
      a.linear = linear.a();
      a.angular = angular.a();
    }
    if (b.inverse_mass > 0.0) {
      b.linear = linear.b();
      b.angular = angular.b();
    }
  }
};

/// Where both bodies are since the detection.
struct PairPlaces {
  PairPlaces(const SolverBody& a, const SolverBody& b)
      : shift(both(a.shift, b.shift)), turn(both(a.turn, b.turn)) {}

  BothVec3 shift, turn;

  /// Displacement of B's point less that of A's.
  Vec3 between(const BothVec3& arm) const { return (shift + cross(turn, arm)).difference(); }
};

/// The contact of two bodies in one patch, as velocities and impulses meet it.
struct ContactConstraint {
  // What every sweep reads comes first.
  struct Point {
    BothVec3 arm;      ///< where an impulse acts, from the centres of mass
    double gap = 0.0;  ///< at detection
    double normal_mass = 0.0;
    double normal_impulse = 0.0;
    double load_before = 0.0;  ///< normal impulse at the end of the last substep
    double friction_impulse[2] = {};
    double friction_inverse[3] =
        {};  ///< inverse of the symmetric 2 x 2 mobility along the tangents: 11, 12, 22
    double friction_step = 0.0;  ///< inverse of its largest eigenvalue
  };
  std::uint32_t body_a = 0, body_b = 0;
  int count = 0;
  int age = 0;          ///< substeps since the detection
  bool open = false;    ///< no point touched at detection
  bool struck = false;  ///< has collided
  bool fresh = false;   ///< no load to start from in this substep
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
  double size = 0.0;         ///< of the smaller body
  double least_gap = 0.0;    ///< no point of the bodies was nearer at detection
  Vec3 shift, turn, turn_b;  ///< at detection: shift of B less that of A, turns of A and of B
  Mat3 angular_mass;         ///< only with rolling or torsional resistance
  Vec3 rolling_impulse;
  BothVec3 rubs[Manifold::kCapacity];  ///< where friction acts on the points if it is spread

  /// Where friction acts for the area of the patch (friction_spread.hpp).
  const BothVec3& friction_arm(int k) const { return spread == 1.0 ? points[k].arm : rubs[k]; }
  /// Takes over a patch that was detected with both bodies moved ahead by a time. Impulses are kept
  /// only where `impulses` is given.
  void place(const ContactPatch& patch, std::span<const SolverBody> bodies, double ahead,
             const PatchImpulses* impulses);
  /// Effective masses of a point for its arms.
  void set_masses(Point& p, const BothVec3& friction_arm, const PairMobility& pair) const;
  PatchImpulses impulses() const;
  /// At the start of the substep.
  double gap(const Point& p, const PairPlaces& places) const {
    return p.gap + dot(normal, places.between(p.arm));
  }
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
  /// How far any points of the bodies have moved against each other, after a time ahead, since the
  /// patch was detected.
  double moved(std::span<const SolverBody> bodies, double ahead) const;
  /// The part of it that comes from turning about other axes than the normal, now.
  double tilted(std::span<const SolverBody> bodies) const;
  /// Is all of it more than a bound, now?
  bool moved_beyond(double bound, std::span<const SolverBody> bodies) const;
};

/// Not less than the length, and without a root: tells for most bodies that they move little.
inline double most_length(const Vec3& v) {
  return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z);
}

/// Changes the friction impulse of a point, kept within the disc of this radius, so that the
/// sliding stops or the friction is opposite to it. `creep`: what is to be added to the sliding
/// that the velocities tell, along the tangents. `arm`: where friction acts.
inline void solve_friction(const ContactConstraint& c, ContactConstraint::Point& p,
                           const BothVec3& arm, double limit, const double (&creep)[2],
                           PairVelocities& v) {
  // Stops the sliding when the disc allows it. Otherwise a projected step with one scalar for both
  // directions: at its fixed point the force is opposite to the sliding velocity, which scaling
  // back the first solution would miss.
  const double old0 = p.friction_impulse[0], old1 = p.friction_impulse[1];
  if (limit == 0.0 && old0 == 0.0 && old1 == 0.0) return;
  const Vec3 sliding = v.between(arm);
  const double u0 = dot(c.tangent[0], sliding) + creep[0];
  const double u1 = dot(c.tangent[1], sliding) + creep[1];
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
  v.apply(arm, c.tangent[0] * (new0 - old0) + c.tangent[1] * (new1 - old1));
}

}  // namespace tactus::detail
