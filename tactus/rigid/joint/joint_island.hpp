#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tactus/rigid/joint/envelope_cholesky.hpp"
#include "tactus/rigid/joint/joint_rows.hpp"
#include "tactus/rigid/motion/moving_bodies.hpp"

namespace tactus::detail {

/// A joint while its world is stepped.
struct SteppedJoint {
  const JointDefinition* definition = nullptr;
  std::uint32_t body_a = 0, body_b = 0;  ///< positions in the world's list
  bool moves_a = false, moves_b = false;
  Vec3 shift;                       ///< from B to its image that is held
  JointRows rows;                   ///< where the bodies are
  std::array<double, 8> impulse{};  ///< of the substep
  std::array<double, 8> left{};     ///< errors that may stay at its end
  double size = 0.0;                ///< of the smaller body
  double moving_size = 0.0;         ///< of those that move
  double apart = 0.0;            ///< its anchors at the start of the step, as far as it holds them
  double most_correction = 0.0;  ///< sizes, or radians, per substep
  double motor_speed = 0.0;
  double most_motor = 0.0;               ///< impulse per substep, of a motor or drive
  double drive_rate = 0.0;               ///< speed per error that a drive asks for
  double drive_softness = 0.0;           ///< speed per impulse by which it gives way
  double stiffness = 0.0, damper = 0.0;  ///< of the spring
  double softness = 0.0;                 ///< speed per impulse by which the spring gives way
  double spring_speed = 0.0;             ///< at which it would need no impulse
  double pull = 0.0;                     ///< impulse of the spring from the middle of a substep on
};

/// Joints that hang together through moving bodies, solved at once.
///
/// `solve` changes the velocities so that the joints' errors vanish at the end of the substep, by
/// Newton's method on the places that the bodies will have; `relax` removes the velocity that then
/// points out of the joints. They act along the rows of the moments before and after the positions
/// are integrated: the scheme of SHAKE and RATTLE, which keeps energy in the long run. Rows with
/// bounds (limits, motors) are solved with the others, and stay at a bound that they would pass.
/// Rows that say the same twice share their impulse. Cost per substep: that of `EnvelopeCholesky`,
/// linear for chains and trees. Source: ryckaert1977shake, andersen1983rattle; baraff1996lagrange
/// (chains at once); newmark1959 (springs: constant average acceleration).
class JointIsland {
 public:
  /// `joints` are positions in the list of joints in the order of elimination; `reach[k]` is the
  /// place in this order of the first one that shares a moving body with the k-th.
  /// `closed`: there are loops, also through bodies that do not move.
  JointIsland(std::vector<std::uint32_t> joints, std::vector<std::uint32_t> reach, bool closed)
      : joints_(std::move(joints)), reach_(std::move(reach)), closed_(closed) {}
  std::span<const std::uint32_t> joints() const { return joints_; }

  /// Takes the joints' rows where the bodies are now.
  void place(std::span<SteppedJoint> joints, const MovingBodies& moving);
  /// Before outside forces act: what the springs will ask for.
  void note_springs(std::span<SteppedJoint> joints, std::span<const SolverBody> bodies,
                    double substep) const;
  /// Gives the bodies the impulses of the last substep.
  void start(std::span<const SteppedJoint> joints, std::span<SolverBody> bodies) const;
  void solve(std::span<SteppedJoint> joints, MovingBodies& moving, double substep);
  /// After `place`.
  void relax(std::span<SteppedJoint> joints, std::span<SolverBody> bodies);

  // After `solve` or `relax`: what contacts meet that push the island's bodies.

  /// How the velocities of some bodies answer impulses on them while the joints keep the speeds of
  /// their rows, but of those at a bound: by columns, of a unit of each component of the linear and
  /// angular impulse on each. Notes the speeds.
  void find_response(std::span<const SteppedJoint> joints, std::span<const SolverBody> bodies,
                     std::span<const std::uint32_t> pushed, bool again,
                     std::vector<double>& response);
  /// Contacts have pushed the bodies since: joints answer.
  void answer(std::span<SteppedJoint> joints, std::span<SolverBody> bodies);
  /// How far the pull of any joint moves its two bodies within a substep, in sizes: near 1, light
  /// bodies under a heavy load swing across it faster than the substep can follow.
  double pull(std::span<const SteppedJoint> joints, double substep) const;
  /// Since `find_response`, has a row come to a bound?
  bool came_to_bound(std::span<const SteppedJoint> joints) const;

  /// Velocities that belong to the middle of the substep before, and the half of a substep of
  /// outside forces added: what springs and held rows do to them until its end. `note_pulls` comes
  /// before the forces.
  void note_pulls(std::span<SteppedJoint> joints, std::span<const SolverBody> bodies,
                  double substep) const;
  void to_end(std::span<const SteppedJoint> joints, std::span<SolverBody> bodies);
  /// The other way.
  void to_middle(std::span<const SteppedJoint> joints, std::span<SolverBody> bodies,
                 double substep);

 private:
  struct Row {
    std::uint32_t joint = 0, slot = 0;
    std::uint32_t body_a = 0, body_b = 0;
    JointRow geometry;
    Vec3 move_a, spin_a, move_b, spin_b;  ///< velocities per impulse
    double lower = 0.0, upper = 0.0;      ///< of the impulse
    double softness = 0.0;                ///< speed per impulse by which it gives way
    double give = 0.0;                    ///< more of it, at the end of a substep
    double residual = 0.0;                ///< speed that the impulses shall take away
    double change = 0.0;                  ///< of the impulse
    double before = 0.0;                  ///< the impulse at the start of the substep
    double asked = 0.0;                   ///< speed that a drive asks for
    double kept = 0.0;                    ///< speed that contacts shall not change
    bool pinned = false;                  ///< its change is given
    bool bound = false;                   ///< does not answer contacts
    bool idle = false;                    ///< its impulse shall not change
  };
  static double coupling(const Row& x, const Row& y);
  static double speed(const Row& row, std::span<const SolverBody> bodies);
  static void apply(const Row& row, double impulse, std::span<SolverBody> bodies);

  void collect_rows(std::span<const SteppedJoint> joints, std::span<const SolverBody> bodies);
  void fill_matrix();
  double look_ahead(std::span<const SteppedJoint> joints, const MovingBodies& moving,
                    double substep);
  static double own_residual(const Row& row, const SteppedJoint& joint,
                             std::span<const SolverBody> bodies);
  void solve_linear(std::span<SteppedJoint> joints, std::span<SolverBody> bodies, double substep);
  void pin_at_bounds(std::span<const SteppedJoint> joints);
  bool pin_beyond(std::span<const SteppedJoint> joints, RowKind kind);
  bool free_drawn_inwards(std::span<const SteppedJoint> joints);
  void correct(std::span<SteppedJoint> joints, std::span<SolverBody> bodies);
  bool is_bound(const Row& row, std::span<const SteppedJoint> joints) const;
  void factor_free();
  double nearly_singular();
  void set_giving(double giving);
  void limit_drives(std::span<const SteppedJoint> joints, double substep);
  void solve_free();

  std::vector<std::uint32_t> joints_, reach_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> first_row_;  ///< of each joint of the island
  EnvelopeCholesky matrix_, factor_;
  std::vector<char> factored_;  ///< which rows were pinned in the factor; empty: there is none
  std::vector<double> right_;
  bool closed_ = false;
  double giving_ = 0.0;  ///< the part of `Row::give` that acts
};

/// The islands of all joints, in the order of their first ones.
std::vector<JointIsland> find_islands(std::span<const SteppedJoint> joints,
                                      std::span<const Body> bodies);

}  // namespace tactus::detail
