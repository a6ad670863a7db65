#include "tactus/rigid/joint/joint_systems.hpp"

#include <algorithm>
#include <utility>

#include "tactus/core/disjoint_sets.hpp"
namespace tactus::detail {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
/// Turns of joints and contacts; in each a limit or motor may come to a bound.
constexpr int kMostTurns = 4;

/// The response of a body alone.
void respond_alone(const SolverBody& body, std::vector<double>& response) {
  response.assign(36, 0.0);
  const auto at = [&](int row, int column) -> double& {
    return response[6 * static_cast<std::size_t>(row) + static_cast<std::size_t>(column)];
  };
  const Vec3 along = pushed(body, {1.0, 1.0, 1.0});
  for (int i = 0; i < 3; ++i) {
    at(i, i) = along[i];
    for (int j = 0; j < 3; ++j) at(3 + i, 3 + j) = body.inverse_inertia(i, j);
  }
}

}  // namespace

void JointSystems::set_islands(std::vector<JointIsland> islands) {
  islands_ = std::move(islands);
  systems_.clear();
}

void JointSystems::take_contacts(std::span<const SteppedJoint> joints, ContactSolver& solver,
                                 std::span<const SolverBody> bodies, std::span<char> pushed) {
  systems_.clear();
  if (islands_.empty()) return;
  std::vector<std::uint32_t> island_of(bodies.size(), kNone);
  for (std::uint32_t k = 0; k < islands_.size(); ++k) {
    for (const std::uint32_t number : islands_[k].joints()) {
      const SteppedJoint& joint = joints[number];
      if (joint.moves_a) island_of[joint.body_a] = k;
      if (joint.moves_b) island_of[joint.body_b] = k;
    }
  }
  const auto constraints = std::as_const(solver).constraints();
  // Islands that contacts tie to each other; a system is named by its first.
  DisjointSets ties(islands_.size());
  std::vector<std::uint32_t> patches;
  for (std::uint32_t i = 0; i < constraints.size(); ++i) {
    const std::uint32_t a = island_of[constraints[i].body_a], b = island_of[constraints[i].body_b];
    if (a == kNone && b == kNone) continue;
    patches.push_back(i);
    if (a != kNone && b != kNone) ties.join(a, b);
  }
  std::vector<std::uint32_t> system_of(islands_.size());
  for (std::uint32_t k = 0; k < islands_.size(); ++k) {
    const std::uint32_t first = ties.least_of(k);
    system_of[k] = first == k ? static_cast<std::uint32_t>(systems_.size()) : system_of[first];
    if (first == k) systems_.emplace_back();
    systems_[system_of[k]].islands.push_back(k);
  }
  std::vector<std::vector<std::uint32_t>> of_system(systems_.size());
  for (const std::uint32_t i : patches) {
    const std::uint32_t a = island_of[constraints[i].body_a], b = island_of[constraints[i].body_b];
    of_system[system_of[a != kNone ? a : b]].push_back(i);
    solver.hand_over(i);
    pushed[constraints[i].body_a] = pushed[constraints[i].body_b] = 1;
  }
  for (std::size_t s = 0; s < systems_.size(); ++s) {
    if (of_system[s].empty()) continue;
    System& system = systems_[s];
    std::vector<AnsweringBodies> parts(system.islands.size());
    std::vector<char> known(bodies.size(), 0);
    for (const std::uint32_t i : of_system[s]) {
      for (const std::uint32_t body : {constraints[i].body_a, constraints[i].body_b}) {
        if (!(bodies[body].inverse_mass > 0.0) || known[body] != 0) continue;
        known[body] = 1;
        const auto in = std::find(system.islands.begin(), system.islands.end(), island_of[body]);
        if (in == system.islands.end()) parts.emplace_back();
        AnsweringBodies& part = in == system.islands.end()
                                    ? parts.back()
                                    : parts[static_cast<std::size_t>(in - system.islands.begin())];
        part.bodies.push_back(body);
      }
    }
    system.contacts.begin(of_system[s], std::move(parts), constraints);
  }
}

void JointSystems::push(System& system, Phase phase, bool again, std::span<SteppedJoint> joints,
                        ContactSolver& solver, std::span<SolverBody> bodies) {
  const std::span<AnsweringBodies> parts = system.contacts.parts();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    AnsweringBodies& part = parts[i];
    if (i < system.islands.size())
      islands_[system.islands[i]].find_response(joints, bodies, part.bodies, again, part.response);
    else
      respond_alone(bodies[part.bodies.front()], part.response);
  }
  system.contacts.start(phase, solver, bodies);
  system.contacts.solve(phase, solver, bodies);
  for (const std::uint32_t k : system.islands) islands_[k].answer(joints, bodies);
}

bool JointSystems::came_to_bound(const System& system, std::span<const SteppedJoint> joints) const {
  return std::any_of(system.islands.begin(), system.islands.end(),
                     [&](std::uint32_t k) { return islands_[k].came_to_bound(joints); });
}

void JointSystems::solve(std::span<SteppedJoint> joints, MovingBodies& moving,
                         ContactSolver& solver, double substep) {
  for (System& system : systems_) {
    for (int turn = 0;; ++turn) {
      for (const std::uint32_t k : system.islands) islands_[k].solve(joints, moving, substep);
      if (system.contacts.patches().empty() || turn == kMostTurns) break;
      if (turn > 0 && !came_to_bound(system, joints)) break;
      push(system, Phase::solve, turn > 0, joints, solver, moving.solver_bodies());
    }
  }
}

void JointSystems::relax(std::span<SteppedJoint> joints, MovingBodies& moving,
                         ContactSolver& solver) {
  const std::span<SolverBody> bodies = moving.solver_bodies();
  for (System& system : systems_) {
    for (const std::uint32_t k : system.islands) islands_[k].place(joints, moving);
    for (int turn = 0;; ++turn) {
      for (const std::uint32_t k : system.islands) islands_[k].relax(joints, bodies);
      if (system.contacts.patches().empty() || turn == kMostTurns) break;
      if (turn > 0 && !came_to_bound(system, joints)) break;
      push(system, Phase::relax, turn > 0, joints, solver, bodies);
    }
    if (!system.contacts.patches().empty()) system.contacts.end(solver, bodies);
  }
}

}  // namespace tactus::detail
