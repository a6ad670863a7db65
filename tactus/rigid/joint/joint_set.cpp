#include "tactus/rigid/joint/joint_set.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/core/constants.hpp"
#include "tactus/rigid/body/find_body.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/joint/joint_images.hpp"

namespace tactus::detail {
namespace {

auto place_of(std::span<const Joint> joints, JointId id) {
  return std::lower_bound(joints.begin(), joints.end(), id, [](const Joint& joint, JointId wanted) {
    return joint.definition.id < wanted;
  });
}

/// A limit that is one value holds like any other row.
bool is_locked(const JointDefinition& joint) {
  const JointLimits* limits = limits_of(joint);
  return limits != nullptr && limits->lower == limits->upper;
}

/// Did a limit act in the last substep?
bool is_limited(const JointDefinition& joint, const JointMemory& memory) {
  const bool swing = joint.swing && memory.impulses[kSwingRow] != 0.0;
  return swing || (!is_locked(joint) && memory.impulses[kLimitRow] != 0.0);
}

/// Stiffness, damper, and what they make of a substep: with forces taken in the middle of the
/// position's and the velocity's change, the spring keeps its energy at any frequency.
void set_spring(SteppedJoint& joint, const JointSpring& spring, double mass, double substep) {
  const double angular = 2.0 * kPi * spring.frequency;
  joint.stiffness = mass * angular * angular;
  joint.damper = 2.0 * spring.damping_ratio * mass * angular;
  joint.softness = 1.0 / (substep * (0.25 * substep * joint.stiffness + 0.5 * joint.damper));
}

/// A damped spring of the implicit rule: its force is that of the place and speed at the end of the
/// substep.
void take_drive(SteppedJoint& joint, const JointDrive& drive, double substep) {
  const double stiff = substep * drive.stiffness + drive.damping;
  joint.drive_rate = drive.stiffness / stiff;
  joint.drive_softness = 1.0 / (substep * stiff);
  joint.most_motor = drive.max_force * substep;
}

/// Adds the impulses of the rows, on B.
void add_impulses(const JointRows& rows, const std::array<double, 8>& impulses, Vec3& along,
                  Vec3& about) {
  for (std::size_t slot = 0; slot < rows.row.size(); ++slot) {
    const JointRow& row = rows.row[slot];
    along += row.linear * impulses[slot];
    if (!(max_abs(row.linear) > 0.0)) about += row.angular_b * impulses[slot];
  }
}

bool breaks(const JointDefinition& joint) { return joint.break_force || joint.break_torque; }

/// A step tears a joint apart by this part of its bodies' sizes, and by this factor.
constexpr double kTorn = 0.1, kTornFrom = 1.5;

/// Distance of the anchors in the directions in which the joint holds them.
double anchors_apart(const SteppedJoint& joint, std::span<const Body> bodies) {
  const Body &a = bodies[joint.body_a], &b = bodies[joint.body_b];
  JointRows rows;
  place_rows(*joint.definition, {a.pose(), a.center_of_mass()},
             placed({b.pose(), b.center_of_mass()}, joint.shift), 0.0, rows);
  Vec3 error;
  for (std::size_t i = 0; i < kAngularRows; ++i) {
    const JointRow& row = rows.row[kLinearRows + i];
    if (row.kind == RowKind::held) error += row.linear * row.error;
  }
  return norm(error);
}

/// The rows where the bodies are, and what the joint tells of them; `side` as of `place_rows`.
void place_now(Joint& joint, const Body& a, const Body& b, double side, JointRows& rows) {
  place_rows(joint.definition, {a.pose(), a.center_of_mass()},
             placed({b.pose(), b.center_of_mass()}, joint.shift), side, rows);
  joint.position = rows.position;
  joint.swing = rows.swing;
}

}  // namespace

bool JointSet::contains(JointId id) const {
  const auto place = place_of(joints_, id);
  return place != std::span<const Joint>(joints_).end() && place->definition.id == id;
}

const Joint& JointSet::at(JointId id) const {
  if (!contains(id)) throw InvalidInput("id", "there is no joint " + std::to_string(id));
  return *place_of(joints_, id);
}

void JointSet::add(const JointDefinition& definition, const Body& a, const Body& b) {
  const auto place = place_of(joints_, definition.id) - std::span<const Joint>(joints_).begin();
  Joint joint{definition, {}, {}, 0.0, 0.0, {}};
  take_near_anchors(space_, a, b, joint.definition);
  const Periods image = nearest_image(space_, a, b, joint.definition);
  joint.shift = space_.shift(image);
  JointRows rows;
  place_now(joint, a, b, 0.0, rows);
  const bool has_length =
      definition.type == JointType::distance && (definition.spring || !definition.limits);
  if (has_length && !definition.length) joint.definition.length = rows.position;
  joints_.insert(joints_.begin() + place, joint);
  memory_.insert(memory_.begin() + place, {definition.id, {}, image});
}

void JointSet::remove(JointId id) {
  at(id);
  std::erase_if(joints_, [id](const Joint& joint) { return joint.definition.id == id; });
  std::erase_if(memory_, [id](const JointMemory& memory) { return memory.id == id; });
}

void JointSet::remove_of_bodies(std::span<const BodyId> bodies) {
  std::vector<JointId> gone;
  for (const Joint& joint : joints_) {
    if (names_one_of(joint.definition, bodies)) gone.push_back(joint.definition.id);
  }
  for (const JointId id : gone) remove(id);
}

/// Impulses of a motor or drive, with what a limit held against it.
void JointSet::forget_impulses(JointId id) {
  auto& impulses = memory_[static_cast<std::size_t>(&at(id) - joints_.data())].impulses;
  impulses[kMotorRow] = impulses[kLimitRow] = 0.0;
  if (at(id).definition.type != JointType::ball) return;
  for (const std::size_t slot : kDriveRows) impulses[slot] = 0.0;
}

void JointSet::set_motor(JointId id, const std::optional<JointMotor>& motor) {
  joints_[static_cast<std::size_t>(&at(id) - joints_.data())].definition.motor = motor;
  forget_impulses(id);
}

void JointSet::set_drive(JointId id, const std::optional<JointDrive>& drive) {
  joints_[static_cast<std::size_t>(&at(id) - joints_.data())].definition.drive = drive;
  forget_impulses(id);
}

std::vector<BodyId> JointSet::bodies() const {
  std::vector<BodyId> result;
  for (const Joint& joint : joints_) {
    result.push_back(joint.definition.body_a);
    result.push_back(joint.definition.body_b);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<IdPair> JointSet::untouchable() const {
  std::vector<IdPair> pairs;
  for (const Joint& joint : joints_) {
    const JointDefinition& d = joint.definition;
    if (!d.touch) pairs.emplace_back(std::min(d.body_a, d.body_b), std::max(d.body_a, d.body_b));
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

void JointSet::check_places(std::span<const Body> bodies) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Body& a = bodies[find_body(bodies, joints_[i].definition.body_a)];
    const Body& b = bodies[find_body(bodies, joints_[i].definition.body_b)];
    const Vec3 way = b.center_of_mass() + space_.shift(memory_[i].image) - a.center_of_mass();
    try {
      space_.nearest(way, "pose");
    } catch (const InvalidInput& error) {
      throw StepFault(StepError::place, {a.id(), b.id()}, error.what());
    }
  }
}

void JointSet::remember() {
  pulls_.assign(joints_.size(), {});
  joints_before_ = joints_;
  memory_before_ = memory_;
}

void JointSet::undo() noexcept {
  joints_.swap(joints_before_);
  memory_.swap(memory_before_);
}

void JointSet::require_finite() const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto& impulses = memory_[i].impulses;
    if (std::all_of(impulses.begin(), impulses.end(), [](double x) { return std::isfinite(x); }))
      continue;
    const JointDefinition& d = joints_[i].definition;
    throw StepFault(StepError::joint, {d.body_a, d.body_b},
                    "joint " + std::to_string(d.id) + " cannot hold them");
  }
}

void JointSet::require_held(std::span<const Body> bodies) const {
  for (const SteppedJoint& joint : stepped_) {
    if (!joint.moves_a && !joint.moves_b) continue;
    const double apart = anchors_apart(joint, bodies);
    if (!(apart > std::max(kTorn * joint.moving_size, kTornFrom * joint.apart))) continue;
    const JointDefinition& d = *joint.definition;
    throw StepFault(StepError::joint, {d.body_a, d.body_b},
                    "joint " + std::to_string(d.id) + " cannot hold them: it would be torn");
  }
}

void JointSet::wrap(std::span<const Body> bodies, std::span<const Periods> periods) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointDefinition& d = joints_[i].definition;
    memory_[i].image = memory_[i].image + periods[find_body(bodies, d.body_b)] -
                       periods[find_body(bodies, d.body_a)];
  }
}

void JointSet::begin_step(std::span<const Body> bodies) {
  energy_.forget();
  stepped_.assign(joints_.size(), {});
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    SteppedJoint& joint = stepped_[i];
    joint.definition = &joints_[i].definition;
    joint.body_a = static_cast<std::uint32_t>(find_body(bodies, joint.definition->body_a));
    joint.body_b = static_cast<std::uint32_t>(find_body(bodies, joint.definition->body_b));
    joint.moves_a = bodies[joint.body_a].is_awake();
    joint.moves_b = bodies[joint.body_b].is_awake();
    const double size_a = bodies[joint.body_a].size(), size_b = bodies[joint.body_b].size();
    joint.size = std::min(size_a, size_b);
    joint.moving_size = !joint.moves_a ? size_b : !joint.moves_b ? size_a : joint.size;
    joint.shift = space_.shift(memory_[i].image);
    joint.apart = anchors_apart(joint, bodies);
  }
  systems_.set_islands(find_islands(stepped_, bodies));
}

void JointSet::find_again(std::span<const Body> bodies) {
  for (SteppedJoint& joint : stepped_) {
    joint.body_a = static_cast<std::uint32_t>(find_body(bodies, joint.definition->body_a));
    joint.body_b = static_cast<std::uint32_t>(find_body(bodies, joint.definition->body_b));
  }
}

void JointSet::mark(std::span<char> bodies) const {
  for (const SteppedJoint& joint : stepped_) bodies[joint.body_a] = bodies[joint.body_b] = 1;
}

void JointSet::spread(std::span<Carried> carried) const {
  for (const JointIsland& island : systems_.islands()) {
    bool any = false;
    for (const std::uint32_t i : island.joints()) {
      const SteppedJoint& joint = stepped_[i];
      const JointDefinition& d = *joint.definition;
      any = any || (joint.moves_a && carried[joint.body_a] != Carried::no) ||
            (joint.moves_b && carried[joint.body_b] != Carried::no) || d.motor || d.drive ||
            is_limited(d, memory_[i]);
    }
    for (const std::uint32_t i : island.joints()) {
      const SteppedJoint& joint = stepped_[i];
      if (any && joint.moves_a) carried[joint.body_a] = Carried::by_joints;
      if (any && joint.moves_b) carried[joint.body_b] = Carried::by_joints;
    }
  }
}

void JointSet::load(const MovingBodies& moving, const WorldSettings& settings, double scale) {
  substep_ = settings.time_step / settings.substeps;
  const auto bodies = moving.solver_bodies();
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    SteppedJoint& joint = stepped_[i];
    joint.impulse = memory_[i].impulses;
    for (double& impulse : joint.impulse) impulse *= scale;
    double& limit = joint.impulse[kLimitRow];
    joint.rows.side = !is_locked(*joint.definition) && limit < 0.0 ? -1.0 : 1.0;
    limit *= joint.rows.side;
    joint.most_correction = settings.max_push_speed * substep_;
    if (joint.definition->motor) {
      joint.motor_speed = joint.definition->motor->speed;
      joint.most_motor = joint.definition->motor->max_force * substep_;
    }
    if (joint.definition->drive) take_drive(joint, *joint.definition->drive, substep_);
    if (joint.definition->spring) {
      const double inverse_mass =
          bodies[joint.body_a].inverse_mass + bodies[joint.body_b].inverse_mass;
      set_spring(joint, *joint.definition->spring, 1.0 / inverse_mass, substep_);
    }
  }
  for (JointIsland& island : systems_.islands()) island.place(stepped_, moving);
}

/// As `spread` has left it: all of an island's moving bodies are carried, or none.
bool JointSet::is_carried(const JointIsland& island, std::span<const Carried> carried) const {
  const SteppedJoint& joint = stepped_[island.joints().front()];
  return carried[joint.moves_a ? joint.body_a : joint.body_b] != Carried::no;
}

void JointSet::to_middle(MovingBodies& moving, std::span<const Carried> carried) {
  for (JointIsland& island : systems_.islands()) {
    if (!is_carried(island, carried)) island.to_middle(stepped_, moving.solver_bodies(), substep_);
  }
}

void JointSet::note_pulls(const MovingBodies& moving) {
  for (const JointIsland& island : systems_.islands())
    island.note_pulls(stepped_, moving.solver_bodies(), substep_);
}

void JointSet::to_end(MovingBodies& moving, std::span<const Carried> carried) {
  for (JointIsland& island : systems_.islands()) {
    if (!is_carried(island, carried)) island.to_end(stepped_, moving.solver_bodies());
  }
}

void JointSet::note_energy(std::span<const Body> bodies, std::span<const Carried> carried,
                           const WorldSettings& settings) {
  energy_.note(std::as_const(systems_).islands(), stepped_, bodies, carried, settings.gravity,
               settings.time_step);
}

void JointSet::leave_out_energy(std::span<const Carried> pushed) {
  energy_.leave_out(systems_.islands(), stepped_, pushed);
}

double JointSet::energy_error(std::span<const Body> bodies,
                              std::span<const Carried> carried) const {
  return energy_.most_error(systems_.islands(), stepped_, bodies, carried);
}

void JointSet::note_springs(const MovingBodies& moving) {
  for (const JointIsland& island : systems_.islands())
    island.note_springs(stepped_, moving.solver_bodies(), substep_);
}

void JointSet::start(MovingBodies& moving) const {
  for (const JointIsland& island : systems_.islands())
    island.start(stepped_, moving.solver_bodies());
}

void JointSet::take_contacts(ContactSolver& solver, std::span<const SolverBody> bodies,
                             std::span<char> pushed) {
  systems_.take_contacts(stepped_, solver, bodies, pushed);
}

void JointSet::solve(MovingBodies& moving, ContactSolver& solver) {
  systems_.solve(stepped_, moving, solver, substep_);
  if (!systems_.islands().empty()) moving.begin_contacts(moving.apart());
}

void JointSet::relax(MovingBodies& moving, ContactSolver& solver) {
  systems_.relax(stepped_, moving, solver);
  energy_.leave_out_limited(systems_.islands(), stepped_);
  add_pulls();
  if (!systems_.islands().empty()) moving.begin_contacts(moving.apart());
}

/// At the end of a substep: impulses of the joints that can break.
void JointSet::add_pulls() {
  for (std::size_t i = 0; i < stepped_.size(); ++i) {
    const SteppedJoint& joint = stepped_[i];
    if (breaks(*joint.definition))
      add_impulses(joint.rows, joint.impulse, pulls_[i].impulse, pulls_[i].turning);
  }
}

bool JointSet::can_break() const {
  return std::any_of(joints_.begin(), joints_.end(),
                     [](const Joint& joint) { return breaks(joint.definition); });
}

std::vector<Joint> JointSet::broken(double time) const {
  std::vector<Joint> result;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointDefinition& d = joints_[i].definition;
    if (!breaks(d)) continue;
    Joint mean = joints_[i];
    mean.force = pulls_[i].impulse * (1.0 / time);
    mean.torque = pulls_[i].turning * (1.0 / time);
    if ((d.break_force && norm(mean.force) > *d.break_force) ||
        (d.break_torque && norm(mean.torque) > *d.break_torque))
      result.push_back(mean);
  }
  return result;
}

double JointSet::pull() const {
  double most = 0.0;
  for (const JointIsland& island : systems_.islands())
    most = std::max(most, island.pull(stepped_, substep_));
  return most;
}

void JointSet::store(double scale) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    memory_[i].impulses = stepped_[i].impulse;
    memory_[i].impulses[kLimitRow] *= stepped_[i].rows.side;
    for (double& impulse : memory_[i].impulses) impulse *= scale;
  }
}

void JointSet::report(std::span<const Body> bodies, double substep) {
  JointRows rows;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    Joint& joint = joints_[i];
    const Body& a = bodies[find_body(bodies, joint.definition.body_a)];
    const Body& b = bodies[find_body(bodies, joint.definition.body_b)];
    joint.shift = space_.shift(memory_[i].image);
    place_now(joint, a, b, 1.0, rows);
    std::array<double, 8> forces = memory_[i].impulses;
    for (double& force : forces) force /= substep;
    joint.force = joint.torque = {};
    add_impulses(rows, forces, joint.force, joint.torque);
  }
}

void JointSet::save(WorldState& state) const { state.joints = memory_; }

void JointSet::check(const WorldState& state) const {
  for (const JointMemory& memory : state.joints) {
    if (!contains(memory.id))
      throw InvalidInput("joints", "there is no joint " + std::to_string(memory.id));
  }
}

void JointSet::restore(const WorldState& state) {
  memory_ = state.joints;
  auto next = state.joints.begin();
  std::erase_if(joints_, [&](const Joint& joint) {
    if (next == state.joints.end() || next->id != joint.definition.id) return true;
    ++next;
    return false;
  });
}

}  // namespace tactus::detail
