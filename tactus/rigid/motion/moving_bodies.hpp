#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/rigid/motion/free_rotation.hpp"
#include "tactus/rigid/solver/contact_constraint.hpp"
#include "tactus/rigid/solver/solver_blocks.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Where a body is at one moment.
struct BodyPlace {
  Pose pose;    ///< of the shape's frame
  Vec3 center;  ///< of mass, world
};

/// By gravity and by forces from outside; zero unless moving.
Vec3 outside_acceleration(const Body& body, const WorldSettings& settings);

/// How far a body may stray within `time` from the straight path of its present velocities, until
/// its contacts must be found again. Zero for bodies that nothing can push.
double straying(const Body& body, const WorldSettings& settings, double time);

/// The bodies of a world while it is stepped: velocities, places and rotations of the substeps.
class MovingBodies {
 public:
  /// Starts from the bodies' motion; `time` is for how long the paths are predicted.
  void load(std::span<const Body> bodies, const WorldSettings& settings, double time);
  /// Puts the bodies of a slab side by side: they are moved by the thread that solves their
  /// contacts. Last come the bodies apart: those that are marked, by body, those of no slab, and
  /// those that nothing pushes.
  void group(const SolverBlocks& blocks, const Columns& columns, std::span<const char> apart);
  /// The slabs of these, and of all others.
  using Slabs = SolverBlocks::Range;
  Slabs apart() const { return {first_.size() - 2, first_.size() - 1}; }
  Slabs in_slabs() const { return {0, first_.size() - 2}; }
  /// Within a step velocities belong to the middle of the substep before. Those of the bodies,
  /// which belong to the end of the last step, are brought there: of bodies that contacts carried
  /// by what `to_end` did, of others by the outside forces; those that joints carry keep theirs.
  void to_middle(std::span<const Carried> carried);
  /// Brings the velocities to the end of the last substep: of bodies that contacts carry by half of
  /// what it changed, as far as that is no impact. Those that roll, by body, get what outside
  /// forces and friction have worked since its middle.
  void to_end(std::span<const Carried> carried, std::span<const Rolling> rolling);
  /// In the order of the world's bodies.
  std::span<SolverBody> solver_bodies() { return solver_bodies_; }
  std::span<const SolverBody> solver_bodies() const { return solver_bodies_; }
  /// Outside forces and damping change the velocities by one substep; this can be taken back before
  /// contacts are solved.
  void integrate_velocities(Slabs slabs);
  void take_back_velocities(Slabs slabs);
  /// Not less than how far any point of a body has come since the detection, and than its speed: a
  /// length and a length per time, after
  /// `integrate_velocities`.
  struct Motion {
    double way = 0.0, speed = 0.0;
  };
  std::span<const Motion> motions() const { return motions_; }
  /// Gives the bodies the impulses with which their contacts pushed them in the last substep:
  /// added up by body, which is cheaper than to go through all contacts once more. Contacts
  /// begin after it. `noting`: in the last three substeps, from which `to_end` learns.
  void warm_start(Slabs slabs, bool noting);
  /// Adds to the impulses what contacts change from now on, until the positions are integrated or
  /// the substep ends.
  void begin_contacts(Slabs slabs);
  /// Moves the bodies to the end of the substep. Contacts end before, and begin again after it.
  void integrate_positions(Slabs slabs);
  void end_substep(Slabs slabs, bool noting, double elapsed);
  /// Has a body left the path that was foreseen for it by the time that had gone by at the end of
  /// the substep, or will it within a substep?
  bool strayed() const { return strayed_; }
  /// Acceleration by outside forces.
  Vec3 acceleration(std::uint32_t body) const;
  /// Calls `act(a, b)` with two bodies as they are at a time within the substep, and returns what
  /// it does. If that is true, what can be pushed of them comes back with the velocities that `act`
  /// has left it; all else is as if nobody had looked.
  template <class Act>
  bool meet(std::uint32_t body_a, std::uint32_t body_b, double time, const Act& act);
  /// Moves a body ahead within the substep; `integrate_positions` leaves out what it has moved, or,
  /// of a body that is held, all the rest.
  void go_ahead(std::uint32_t body, double time, bool held);
  /// Where a body will be after some part of a substep if nothing is in its way.
  Pose pose_ahead(std::uint32_t body, double time) const;
  /// A body as it is foreseen at the start of a substep, after `integrate_velocities`, with the
  /// contact impulses of the last substep.
  Course course(std::uint32_t body) const;
  /// Pose and centre of mass of a body now, and after the rest of the substep.
  BodyPlace place(std::uint32_t body) const;
  BodyPlace place_at_end(std::uint32_t body) const;
  /// Hands the motion back, or the velocities alone.
  void store(std::span<Body> bodies);
  void store_velocities(std::span<Body> bodies);

 private:
  /// Change of a body's velocities, as by contacts and joints in a substep.
  struct VelocityChange {
    Vec3 linear, angular;
    double size(const SolverBody& body) const { return norm(linear) + norm(angular) * body.radius; }
  };
  static VelocityChange difference(const VelocityChange& x, const VelocityChange& y) {
    return {x.linear - y.linear, x.angular - y.angular};
  }
  /// Changes in the last substeps.
  struct Changes {
    int known = 0;         ///< how many are
    VelocityChange last;   ///< of the last substep
    VelocityChange trend;  ///< by how much it was more than the one before
    VelocityChange bend;   ///< by how much that was more than the trend before
    double steady = 1.0;   ///< part of it that was there in the substeps before, too
    bool smooth = false;   ///< the trend goes on
  };
  /// A body that is not fixed: what every substep needs, line by line of the cache as the passes of
  /// a substep read it.
  struct alignas(64) Mover {
    std::uint32_t body = 0;  ///< position in the list of bodies
    bool top = false;        ///< turns as a free top rather than steadily
    bool held = false;       ///< likewise, but about two axes of the world alone
    bool twisted = false;    ///< by a torque from outside
    double straying = 0.0;
    Vec3 position;
    Vec3 acceleration;                             ///< by outside forces
    double keep_linear = 1.0, keep_angular = 1.0;  ///< what damping leaves in a substep
    Vec3 seen_linear = {}, seen_angular = {};      ///< before contacts are solved
    Vec3 linear, angular;                          ///< at the start
    Rotation rotation;
  };
  /// Data of a body that only the first and the last substep need.
  struct Ends {
    Vec3 torque;                       ///< from outside
    Vec3 linear_ahead, angular_ahead;  ///< of BodyMotion
    Vec3 noted_linear, noted_angular;  ///< turned on with the body
    Changes changes;
  };
  /// All of a body that changes as it moves.
  struct Copy {
    std::uint32_t body;
    Mover mover;
    SolverBody solver_body;
    Vec3 noted_angular;
  };
  Copy copy(std::uint32_t body) const;
  void restore(const Copy& copy);
  /// Calls `change(mover, body)` for all, on all threads; or for those of some slabs: what a part
  /// of a sweep calls, unless it is the only one, stays on its thread.
  template <class Change>
  void for_each(const Change& change);
  template <class Change>
  void for_each(Slabs slabs, const Change& change);
  static void begin_contacts(Mover& mover, const SolverBody& body);
  void end_contacts(const Mover& mover, SolverBody& body) const;
  static void note_change(Ends& ends, const SolverBody& body);
  /// Energy of motion over half of the mass.
  double energy(const Mover& mover, const Vec3& linear, const Vec3& angular) const;
  /// The factor that gives these velocities at the end the energy that outside forces and friction
  /// leave.
  double worked(const Mover& mover, const SolverBody& body, double work,
                const VelocityChange& end) const;
  bool strays(const Mover& mover, const SolverBody& body, double elapsed) const;
  /// Moves one body by its velocities; `time` may be negative.
  void advance(std::uint32_t body, double time);
  /// Returns how its angular velocity turned on.
  Vec3 advance(Mover& mover, SolverBody& body, double time) const;
  BodyPlace place(const Mover& mover) const;

  std::span<const Body> bodies_;
  int max_threads_ = 0;
  std::atomic<bool> strayed_ = false;
  double substep_ = 0.0;
  std::vector<SolverBody> solver_bodies_;
  std::vector<Mover> movers_, grouped_;
  std::vector<std::uint32_t> first_;     ///< of each slab, among the movers, and the end
  std::vector<std::uint32_t> slabs_;     ///< by mover, before they are grouped
  std::vector<Ends> ends_;               ///< by body
  std::vector<Motion> motions_;          ///< by body
  std::vector<std::uint32_t> mover_of_;  ///< by body; of fixed ones no mover
};

template <class Act>
bool MovingBodies::meet(std::uint32_t body_a, std::uint32_t body_b, double time, const Act& act) {
  const Copy before[] = {copy(body_a), copy(body_b)};
  // Velocities belong to the middle of the substep: those of this moment differ by what outside
  // forces change until then.
  const double ahead = time - 0.5 * substep_;
  for (const Copy& was : before) {
    advance(was.body, time);
    solver_bodies_[was.body].linear += acceleration(was.body) * ahead;
  }
  const bool acted = act(solver_bodies_[body_a], solver_bodies_[body_b]);
  for (const Copy& was : before) {
    if (acted && was.solver_body.inverse_mass > 0.0) {
      solver_bodies_[was.body].linear -= acceleration(was.body) * ahead;
      advance(was.body, -time);
    } else {
      restore(was);
    }
  }
  return acted;
}

}  // namespace tactus::detail
