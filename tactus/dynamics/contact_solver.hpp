#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/query.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// A body as the contact solver sees it.
struct SolverBody {
  Vec3 linear, angular;                 ///< velocities, world
  Vec3 shift, turn;                     ///< displacement and rotation vector since the detection
  double inverse_mass = 0.0;            ///< zero unless moving
  Mat3 inverse_inertia = Mat3::zero();  ///< world axes; zero unless moving
  Vec3 acceleration;                    ///< by outside forces
};

/// What a contact patch is made of.
struct ContactPatch {
  std::uint32_t body_a = 0, body_b = 0;  ///< positions in the span of solver bodies
  Vec3 center_a, center_b;               ///< centres of mass at detection
  Manifold manifold;
  SurfacePair surface;
  double size = 0.0;            ///< of the smaller body
  double rolling_radius = 0.0;  ///< of the smaller body
};

/// Impulses of a patch, world frame, acting on B; carried from step to step.
struct PatchImpulses {
  std::array<double, Manifold::kCapacity> normal{};
  std::array<Vec3, Manifold::kCapacity> friction{};
  Vec3 rolling;  ///< angular
};

/// Sequential-impulse solver for all patches of a step, one substep at a time.
///
/// Per substep the caller integrates outside forces into the velocities, replaces the patches of
/// impacts, then calls `solve`, moves the bodies, and calls `relax`. `solve` starts from the
/// impulses of the last substep and lets overlapping contacts push as damped springs; `relax`
/// removes the velocity that the push left, and lets impacts bounce. A gap closes at most to zero
/// within a substep, so that fast bodies stop at the surface. Friction keeps to the Coulomb disc at
/// every point; rolling and torsional resistance are bounded by the patch's normal force. Cost:
/// linear in the points. Source: catto2024solver2d, macklin2019smallsteps.
class ContactSolver {
 public:
  struct Impact {
    std::uint32_t patch = 0;
    double time = 0.0;  ///< from now
  };

  /// Takes over the patches of a step with the impulses to start from.
  void prepare(std::span<const ContactPatch> patches, std::span<const PatchImpulses> impulses,
               std::span<const SolverBody> bodies, const WorldSettings& settings);
  /// Patches that were open when they were detected and will be hit within the coming substep, with
  /// the velocities as they are. Their geometry belongs to another moment: the caller detects them
  /// again, with both bodies moved ahead by the time to the impact, and hands them to `replace`.
  const std::vector<Impact>& find_impacts(std::span<const SolverBody> bodies);
  /// The patch of an impact, detected with the bodies moved ahead by its time; it may have lost all
  /// points.
  void replace(const Impact& impact, const ContactPatch& patch, std::span<const SolverBody> bodies);
  void solve(std::span<SolverBody> bodies);
  void relax(std::span<SolverBody> bodies);
  /// Impulses of the last substep, in the order of the patches.
  PatchImpulses impulses(std::size_t patch) const;

 private:
  struct Point {
    Vec3 arm_a, arm_b;  ///< from the centres of mass
    double gap = 0.0;   ///< at detection
    double normal_mass = 0.0;
    double friction_inverse[3] =
        {};  ///< inverse of the symmetric 2 x 2 mobility along the tangents: 11, 12, 22
    double friction_step = 0.0;  ///< inverse of its largest eigenvalue
    double normal_impulse = 0.0;
    double friction_impulse[2] = {};
    double bounce_speed = 0.0;  ///< wanted after the impact of this substep, 0 when there is none
  };
  struct Constraint {
    std::uint32_t body_a = 0, body_b = 0;
    int count = 0;
    bool open = false;   ///< no point touched at detection
    bool fresh = false;  ///< no load to start from in this substep
    Vec3 normal, tangent[2];
    SurfacePair surface;
    double rolling_bound = 0.0, torsion_bound = 0.0;  ///< torque per normal force
    double push_speed = 0.0;
    double outside_acceleration = 0.0;  ///< along the normal, of B relative to A
    Mat3 angular_mass;                  ///< only with rolling or torsional resistance
    Vec3 rolling_impulse;
    Point points[Manifold::kCapacity];
  };
  struct Velocities;
  enum class Mode { push, rigid };

  static double current_gap(const Constraint& c, const Point& p, const SolverBody& a,
                            const SolverBody& b);
  static void place(Constraint& c, const ContactPatch& patch, std::span<const SolverBody> bodies,
                    double ahead);
  void measure_impacts(Constraint& c, std::span<const SolverBody> bodies) const;
  static void warm_start(Constraint& c, std::span<SolverBody> bodies);
  void iterate(Constraint& c, std::span<SolverBody> bodies, Mode mode) const;
  static double bounce(Constraint& c, std::span<SolverBody> bodies);
  static void drop_missed_impacts(Constraint& c);
  static void forget_impacts(Constraint& c);
  void solve_normal(const Constraint& c, Point& p, double gap, Mode mode, Velocities& v) const;
  static void solve_rolling(Constraint& c, Velocities& v);
  static void solve_friction(const Constraint& c, Point& p, Velocities& v);

  double substep_ = 0.0, rate_ = 0.0;  ///< length of a substep and its inverse
  double restitution_threshold_ = 0.0;
  double bias_rate_ = 0.0, mass_scale_ = 0.0, impulse_scale_ = 0.0;  ///< of the contact spring
  std::vector<Constraint> constraints_;
  std::vector<std::uint32_t> bouncing_;  ///< constraints with restitution
  std::vector<Impact> impacts_;
};

}  // namespace tactus::detail
