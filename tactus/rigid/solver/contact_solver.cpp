#include "tactus/rigid/solver/contact_solver.hpp"

#include <cstddef>

#include "tactus/core/constants.hpp"
#include "tactus/rigid/solver/pinch.hpp"

namespace tactus::detail {
namespace {

/// Patches that one thread stores one after the other.
constexpr std::size_t kStoredTogether = 256;

}  // namespace

void ContactSolver::prepare(std::span<const ContactPatch> patches,
                            std::span<const PatchImpulses> impulses, double scale,
                            std::span<SolverBody> bodies, const Columns& columns,
                            const WorldSettings& settings) {
  const double angle = 2.0 * kPi * settings.contact_frequency;  // radians per substep
  const double a1 = 2.0 * settings.contact_damping + angle;
  const double a2 = angle * a1;
  rates_.substep_rate = settings.substeps / settings.time_step;
  rates_.bias_rate = angle * rates_.substep_rate / a1;
  rates_.mass_scale = a2 / (1.0 + a2);
  rates_.impulse_scale = 1.0 / (1.0 + a2);

  max_threads_ = settings.max_threads;
  blocks_.arrange(patches, bodies, columns, max_threads_, sharing_ != nullptr);
  constraints_.resize(patches.size());
  left_out_.assign(patches.size(), 0);
  handed_over_.assign(patches.size(), 0);
  groups_.clear(patches.size(), blocks_.parts());
  find_pinched(patches, bodies, sharing_, pinched_);
  const auto make = [&](std::uint32_t i) {
    const ContactPatch& patch = patches[i];
    ContactConstraint& c = constraints_[i];
    c.surface = patch.surface;
    c.rolling_bound = patch.surface.rolling_friction * patch.rolling_radius;
    c.torsion_bound = patch.surface.torsional_friction * patch.rolling_radius;
    c.push_speed = settings.max_push_speed * patch.size;
    c.pinched = pinched_[i] != 0;
    if (c.pinched) {
      c.push_speed = 0.0;
      c.rolling_bound = c.torsion_bound = kPinchedFriction * patch.size;
    }
    c.substep = settings.time_step / settings.substeps;
    c.load = 0.0;
    c.held_mobility = 0.0;
    c.struck = false;
    const PatchImpulses start = impulses[i].scaled(scale);
    c.place(patch, bodies, 0.0, c.pinched ? nullptr : &start);
    c.set_carried_creep(bodies, c.substep);
    if (!c.pushes()) return;
    if (sharing_ != nullptr)
      sharing_->push(i, c.impulse());
    else
      ContactConstraint::change_impulse(c.impulse(), bodies[c.body_a], bodies[c.body_b]);
  };
  const auto fill = [&](std::size_t part) {
    for (const std::uint32_t i : blocks_.patches(part)) make(i);
    groups_.fill(part, blocks_.turns(part), constraints_, bodies);
  };
  if (sharing_ != nullptr) turn_count_ = sharing_->begin(blocks_, patches, bodies);
  blocks_.for_each_part(fill, max_threads_);
  if (sharing_ != nullptr) sharing_->end_pushes(bodies);
}

ContactSolver::RollingPart ContactSolver::rolling_part(const ContactConstraint& c,
                                                       std::span<const SolverBody> bodies) {
  const auto rests = [](const SolverBody& body) {
    return body.inverse_mass == 0.0 && body.linear == Vec3{} && body.angular == Vec3{};
  };
  RollingPart part;
  part.creeps = c.creeps;
  part.pushes = c.pushes();
  part.passive =
      c.creeps && !c.resists_turning() && (rests(bodies[c.body_a]) || rests(bodies[c.body_b]));
  part.work = part.pushes && part.passive ? 0.5 * c.slip_work(bodies) : 0.0;
  return part;
}

void ContactSolver::RollingPart::add_to(Rolling& body) const {
  if (!pushes) return;
  body.rolls = body.rolls && passive;
  body.work += work;
}

void ContactSolver::mark_rolling(std::span<const SolverBody> bodies,
                                 std::vector<Rolling>& rolling) const {
  rolling.assign(bodies.size(), {});
  bool any = false;
  for (const ContactConstraint& c : constraints_) {
    if (!c.creeps) continue;
    any = true;
    rolling[c.body_a].rolls = rolling[c.body_b].rolls = true;
  }
  if (!any) return;
  for (const ContactConstraint& c : constraints_) {
    const RollingPart part = rolling_part(c, bodies);
    part.add_to(rolling[c.body_a]);
    part.add_to(rolling[c.body_b]);
  }
}

void ContactSolver::store(std::span<PatchImpulses> impulses, double scale) {
  parallel_for(
      impulses.size(), kStoredTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          read(static_cast<std::uint32_t>(i));
          impulses[i] = constraints_[i].impulses().scaled(scale);
        }
      },
      max_threads_);
}

}  // namespace tactus::detail
