#include "tactus/rigid/joint/swing_energy.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

/// Part of weight times size below which an error of the energy does not count: a chain that hangs
/// still moves by roundings.
constexpr double kNoMotion = 1e-9;

bool is_driven(const JointDefinition& joint) { return joint.motor || joint.drive || joint.spring; }

/// Does anything but gravity, joints and contacts change its energy?
bool is_worked_on(const Body& body) {
  if (body.is_dynamic())
    return body.linear_damping() > 0.0 || body.angular_damping() > 0.0 || body.force() != Vec3{} ||
           body.torque() != Vec3{};
  return body.linear_velocity() != Vec3{} || body.angular_velocity() != Vec3{};
}

}  // namespace

SwingEnergy::Energy SwingEnergy::of(const JointIsland& island, std::span<const SteppedJoint> joints,
                                    std::span<const Body> bodies,
                                    std::span<const Carried> carried) const {
  std::vector<std::uint32_t> members;
  for (const std::uint32_t i : island.joints()) {
    const SteppedJoint& joint = joints[i];
    if (is_driven(*joint.definition)) return {};
    members.push_back(joint.body_a);
    members.push_back(joint.body_b);
  }
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  Energy energy{.known = true};
  for (const std::uint32_t i : members) {
    const Body& body = bodies[i];
    if (is_worked_on(body)) return {};
    if (!body.is_dynamic()) continue;
    if (carried[i] != Carried::no) return {};
    const Vec3 weight = gravity_ * (body.mass().mass * body.gravity_scale());
    energy.kinetic += body.kinetic_energy();
    energy.potential -= dot(weight, body.center_of_mass());
    energy.rest += kNoMotion * norm(weight) * body.size();
    // Rows give way by a little (`JointIsland`): what hangs still creeps, and gains no speed.
    energy.rest += 0.5 * squared_norm(weight * time_step_) / body.mass().mass;
  }
  return energy;
}

void SwingEnergy::note(std::span<const JointIsland> islands, std::span<const SteppedJoint> joints,
                       std::span<const Body> bodies, std::span<const Carried> carried,
                       const Vec3& gravity, double time_step) {
  gravity_ = gravity;
  time_step_ = time_step;
  before_.clear();
  for (const JointIsland& island : islands) before_.push_back(of(island, joints, bodies, carried));
}

void SwingEnergy::leave_out(std::span<const JointIsland> islands,
                            std::span<const SteppedJoint> joints, std::span<const Carried> pushed) {
  for (std::size_t i = 0; i < before_.size(); ++i) {
    for (const std::uint32_t k : islands[i].joints()) {
      const SteppedJoint& joint = joints[k];
      if ((joint.moves_a && pushed[joint.body_a] != Carried::no) ||
          (joint.moves_b && pushed[joint.body_b] != Carried::no))
        before_[i].known = false;
    }
  }
}

void SwingEnergy::leave_out_limited(std::span<const JointIsland> islands,
                                    std::span<const SteppedJoint> joints) {
  for (std::size_t i = 0; i < before_.size(); ++i) {
    for (const std::uint32_t k : islands[i].joints()) {
      const SteppedJoint& joint = joints[k];
      for (std::size_t slot = 0; slot < joint.rows.row.size(); ++slot)
        if (joint.rows.row[slot].kind == RowKind::limited && joint.impulse[slot] != 0.0)
          before_[i].known = false;
    }
  }
}

double SwingEnergy::most_error(std::span<const JointIsland> islands,
                               std::span<const SteppedJoint> joints, std::span<const Body> bodies,
                               std::span<const Carried> carried) const {
  double most = 0.0;
  for (std::size_t i = 0; i < before_.size(); ++i) {
    const Energy& before = before_[i];
    if (!before.known) continue;
    const Energy after = of(islands[i], joints, bodies, carried);
    if (!after.known) continue;
    const double error =
        std::fabs((after.kinetic - before.kinetic) + (after.potential - before.potential));
    const double kinetic = std::max(before.kinetic, after.kinetic);
    most = std::max(most, error / (kinetic + before.rest));
  }
  return most;
}

}  // namespace tactus::detail
