#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

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

/// The contact of two bodies in one patch, as velocities and impulses meet it.
struct ContactConstraint {
  /// Where an impulse acts, from the centres of mass.
  struct Arms {
    Vec3 a, b;
  };
  // What every sweep reads comes first.
  struct Point {
    Arms arm;
    double gap = 0.0;  ///< at detection
    double normal_mass = 0.0;
    double normal_impulse = 0.0;
    double load_before = 0.0;  ///< normal impulse at the end of the last substep
    double friction_impulse[2] = {};
    double friction_inverse[3] =
        {};  ///< inverse of the symmetric 2 x 2 mobility along the tangents: 11, 12, 22
    double friction_step = 0.0;  ///< inverse of its largest eigenvalue
    Arms rub;                    ///< `friction_arm` where friction is spread
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

  /// Where friction acts for the area of the patch (friction_spread.hpp).
  const Arms& friction_arm(const Point& p) const { return spread == 1.0 ? p.arm : p.rub; }
  /// Takes over a patch that was detected with both bodies moved ahead by a time. Impulses are kept
  /// only where `impulses` is given.
  void place(const ContactPatch& patch, std::span<const SolverBody> bodies, double ahead,
             const PatchImpulses* impulses);
  /// Effective masses of a point for its arms.
  void set_masses(Point& p, const SolverBody& a, const SolverBody& b) const;
  PatchImpulses impulses() const;
  /// At the start of the substep.
  double gap(const Point& p, const SolverBody& a, const SolverBody& b) const {
    const Vec3 moved = (b.shift + cross(b.turn, p.arm.b)) - (a.shift + cross(a.turn, p.arm.a));
    return p.gap + dot(normal, moved);
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
  void set_creep(const Arms& before, int substeps, std::span<const SolverBody> bodies);
  /// How far any points of the bodies have moved against each other, after a time ahead, since the
  /// patch was detected.
  double moved(std::span<const SolverBody> bodies, double ahead) const;
  /// The part of it that comes from turning about other axes than the normal, now.
  double tilted(std::span<const SolverBody> bodies) const;
  /// Is all of it more than a bound, now?
  bool moved_beyond(double bound, std::span<const SolverBody> bodies) const;
};

/// Velocities of both bodies, held outside the bodies while one constraint is solved.
struct PairVelocities {
  const SolverBody& a;
  const SolverBody& b;
  Vec3 linear_a = a.linear, angular_a = a.angular;
  Vec3 linear_b = b.linear, angular_b = b.angular;

  /// Of B relative to A.
  Vec3 at(const ContactConstraint::Arms& arm) const {
    return (linear_b + cross(angular_b, arm.b)) - (linear_a + cross(angular_a, arm.a));
  }
  void apply(const ContactConstraint::Arms& arm, const Vec3& impulse) {
    linear_a -= impulse * a.inverse_mass;
    angular_a -= a.inverse_inertia * cross(arm.a, impulse);
    linear_b += impulse * b.inverse_mass;
    angular_b += b.inverse_inertia * cross(arm.b, impulse);
  }
  void apply_angular(const Vec3& impulse) {
    angular_a -= a.inverse_inertia * impulse;
    angular_b += b.inverse_inertia * impulse;
  }
  /// What nothing moves is not written to: it may belong to several threads.
  void store(SolverBody& body_a, SolverBody& body_b) const {
    if (body_a.inverse_mass > 0.0) {
      body_a.linear = linear_a;
      body_a.angular = angular_a;
    }
    if (body_b.inverse_mass > 0.0) {
      body_b.linear = linear_b;
      body_b.angular = angular_b;
    }
  }
};

/// Not less than the length, and without a root: tells for most bodies that they move little.
inline double most_length(const Vec3& v) {
  return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z);
}

/// Change of the relative velocity at a point, along `direction`, per impulse along `other`.
double mobility(const SolverBody& a, const SolverBody& b, const ContactConstraint::Arms& arm,
                const Vec3& direction, const Vec3& other);

/// Changes the friction impulse of a point, kept within the disc of this radius, so that the
/// sliding stops or the friction is opposite to it. `creep`: what is to be added to the sliding
/// that the velocities tell, along the tangents.
void solve_friction(const ContactConstraint& c, ContactConstraint::Point& p, double limit,
                    const double (&creep)[2], PairVelocities& v);

}  // namespace tactus::detail
