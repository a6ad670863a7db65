#include "tactus/soft/world/soft_step.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "tactus/soft/world/energy_guard.hpp"

namespace tactus::detail {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// How far contacts are sought, in contact distances: at rest, and at most.
constexpr double kLeastReach = 3.0, kMostReach = 5.0;
// Lag of a group that nothing holds behind its own way, in contact distances, from which it is
// moved on as a whole between rounds; and how often groups are moved on at the end, at most.
constexpr double kLeastCarried = 0.1;
constexpr int kLastCarries = 4;
/// The problem that a step of this world solves. Appends the places of the rigid bodies to `x`.
StepProblem problem_of(const SoftWorldData& data, std::span<RigidCourse> courses,
                       std::vector<Vec3>& x) {
  StepProblem problem;
  problem.model = &data.model;
  problem.time_step = data.settings.time_step;
  problem.gravity = data.settings.gravity;
  problem.max_threads = data.settings.max_threads;
  add_blocks(data, courses, problem, x);
  problem.start = x;
  problem.velocity = data.velocities;
  problem.led = data.held;
  problem.start_lengths.reserve(data.model.ties.size());
  for (const TieElement& t : data.model.ties) problem.start_lengths.push_back(norm(t.sum(x)));
  return problem;
}

/// Where everything is after the step when nothing is in its way, but for obstacles.
std::vector<Vec3> free_ends(const SoftWorldData& data, const StepProblem& problem) {
  const double h = problem.time_step;
  std::vector<Vec3> ends = problem.start;
  for (std::size_t i = 0; i < data.positions.size(); ++i)
    ends[i] = data.held[i] != 0 ? data.targets[i]
                                : (ends[i] + data.velocities[i] * h) + problem.gravity * (h * h);
  return ends;
}

/// The shortest mean edge of a body.
double least_edge(const SoftWorldData& data) {
  double edge = std::numeric_limits<double>::infinity();
  for (const auto& b : data.bodies) edge = std::fmin(edge, b.structure.mean_edge);
  return edge;
}

}  // namespace

SoftStep::SoftStep(SoftWorldData& data, std::vector<RigidCourse> courses)
    : data_(data),
      model_(data.model),
      contact_distance_(data.contact_distance()),
      edge_(least_edge(data)),
      x_(data.all_positions()),
      problem_(problem_of(data, courses, x_)),
      rigid_(data, std::move(courses), problem_),
      wanted_(free_ends(data, problem_)),
      led_(data, problem_, rigid_, wanted_),
      links_(problem_),
      momentum_(problem_, links_, rigid_, data.velocities),
      carrier_(problem_, momentum_, contacts_, contact_distance_),
      sweeps_left_(data.settings.sweeps) {}

void SoftStep::find_contacts() {
  reference_ = x_;
  if (!data_.settings.contacts) {
    contacts_.clear(x_.size());
    return;
  }
  const Clock::time_point start = Clock::now();
  double way = 0.0;
  for (const std::uint32_t v : model_.surfaces.vertices)
    way = std::fmax(way, norm(wanted_[v] - x_[v]));
  const double r = contact_distance_;
  const double reach = std::fmin(std::fmax(r + 2.1 * way, kLeastReach * r), kMostReach * r);
  Contacts::Settings settings;
  settings.r = r;
  settings.slip = data_.settings.slip_speed * data_.settings.time_step;
  settings.max_threads = data_.settings.max_threads;
  contacts_.search(model_.surfaces, x_, reach, model_.stiffness, model_.friction, settings);
  links_.note(model_.surfaces, contacts_.active());
  rigid_.note_touched(contacts_.active(), wanted_);
  contact_seconds_ += seconds_since(start);
}

void SoftStep::guess() {
  double most = 0.0;
  for (std::size_t i = 0; i < x_.size(); ++i) most = std::fmax(most, norm(wanted_[i] - x_[i]));
  if (data_.settings.contacts && most > 0.5 * (kMostReach - 1.0) * contact_distance_) {
    guess_far();
    return;
  }
  for (std::size_t i = 0; i < model_.free_vertices; ++i) {
    if (data_.held[i] != 0) continue;
    const Vec3 way = wanted_[i] - x_[i];
    const double length = norm(way), bound = contacts_.bounds()[i];
    x_[i] = length <= bound ? wanted_[i] : x_[i] + way * (bound / length * (1.0 - 1e-9));
  }
  for (const RigidBlock& b : problem_.blocks) {
    if (b.led) continue;
    b.put(b.wanted, x_);
    b.keep_within(contacts_.bounds(), reference_, x_);
  }
  if (!(problem_.energy(x_, contacts_) <= start_energy_ + problem_.block_energy(problem_.start)))
    x_ = reference_;
}

void SoftStep::guess_far() {
  const Clock::time_point start = Clock::now();
  const BodyApproach approach(problem_, led_, wanted_, contact_distance_);
  const std::vector<double> shares = approach.shares();
  contact_seconds_ += seconds_since(start);
  bool moves = false;
  for (const double s : shares) moves = moves || s > 0.0;
  if (!moves) return;
  x_ = approach.end_of(shares);
  led_.set_shares(shares);
  find_contacts();
  if (!led_.any() &&
      problem_.energy(x_, contacts_) > start_energy_ + problem_.block_energy(problem_.start)) {
    x_ = problem_.start;
    find_contacts();
  }
}

bool SoftStep::solve_round(bool last) {
  Descent descent(problem_, contacts_, reference_);
  const DeformableSettings& s = data_.settings;
  const int least = std::max(3, s.sweeps / s.rounds);
  for (int count = 1; sweeps_left_ > 0; ++count) {
    const Descent::Progress p = descent.sweep(x_);
    --sweeps_left_;
    ++out_.sweeps;
    if (p.largest_move <= s.tolerance * edge_) {
      out_.converged = p.at_bound == 0;
      return out_.converged;
    }
    if (p.at_bound > 0 && count >= least && !last) return false;
  }
  return true;
}

void SoftStep::step_back(double factor) {
  for (std::size_t i = 0; i < model_.free_vertices; ++i)
    x_[i] = factor == 0.0 ? reference_[i] : reference_[i] + (x_[i] - reference_[i]) * factor;
  for (const RigidBlock& b : problem_.blocks) {
    if (!b.led) b.put(between(b.at(reference_), b.at(x_), factor), x_);
  }
  led_.wait(x_);
}

void SoftStep::accept() {
  bool shortened = false;
  if (!led_.has_moved()) {
    const double before = problem_.energy(reference_, contacts_);
    for (int k = 0; k < 10 && !(problem_.energy(x_, contacts_) <= before); ++k) {
      step_back(k == 9 ? 0.0 : 0.5);
      shortened = true;
    }
  }
  const Clock::time_point start = Clock::now();
  for (int k = 0; k < 20 && contacts_.any_impact(reference_, x_); ++k) {
    step_back(k == 19 ? 0.0 : 0.5);
    shortened = true;
  }
  contact_seconds_ += seconds_since(start);
  if (shortened) ++out_.corrections;
}

bool SoftStep::carry_groups(double least) {
  return data_.settings.contacts && carrier_.carry(least, x_);
}

void SoftStep::carry_to_end() {
  for (int k = 0; k < kLastCarries && carry_groups(0.0); ++k) find_contacts();
}

void SoftStep::solve() {
  const int rounds = data_.settings.rounds;
  bool at_rest = false;
  for (int round = 0; round < rounds && sweeps_left_ > 0; ++round) {
    if (round > 0) {
      const bool carried = carry_groups(kLeastCarried * contact_distance_);
      if (at_rest && !carried) break;
      find_contacts();
    }
    led_.advance(wanted_, reference_, contacts_.bounds(), x_);
    const bool done = solve_round(round + 1 == rounds);
    accept();
    ++out_.rounds;
    if (done && led_.has_arrived()) break;
    // The next round would be the same again.
    at_rest = !led_.has_moved() && x_ == reference_;
  }
  carry_to_end();
}

void SoftStep::settle_energy() {
  const DeformableSettings& s = data_.settings;
  for (std::size_t i = 0; i < model_.free_vertices; ++i)
    data_.velocities[i] = (x_[i] - problem_.start[i]) / s.time_step;
  rigid_.settle(x_);
  const std::vector<Party> groups = momentum_.free_groups();
  const EnergyGuard guard(problem_, contacts_, rigid_, momentum_, data_.velocities);
  momentum_.keep(groups, x_);
  guard.measure(x_, out_);
  double most = start_energy_;
  rigid_.add_given(most);
  if (!led_.any() && out_.energy() > most) {
    if (!guard.can_keep(most, groups, x_, out_)) {
      // Nothing has moved but groups as a whole: the energy of position is what it was.
      x_ = problem_.start;
      find_contacts();
      momentum_.stop();
      out_.was_stopped = true;
      carry_to_end();
      momentum_.keep(groups, x_);
      guard.measure(x_, out_);
    }
    guard.slow_down(most, groups, x_, out_);
  }
  const double decay = 1.0 / (1.0 + s.air_damping * s.time_step);
  if (s.air_damping > 0.0) {
    for (Vec3& v : data_.velocities) v *= decay;
  }
  guard.measure(x_, out_);
  out_.rigid_energy += rigid_.motion_energy(false, x_) + rigid_.weight_energy(false, x_);
}

void SoftStep::finish() {
  settle_energy();
  rigid_.note_loads(x_);
  contacts_.touching(x_, problem_.start, model_.surfaces.body_of, data_.contacts);
  out_.contacts = static_cast<int>(data_.contacts.size());
  out_.least_gap = contacts_.least_gap();
  for (std::size_t i = 0; i < model_.free_vertices; ++i) {
    data_.positions[i] = x_[i];
    out_.largest_speed = std::fmax(out_.largest_speed, norm(data_.velocities[i]));
  }
  for (std::size_t o = 0; o < data_.obstacles.size(); ++o) {
    if (rigid_.block_of(o) == nullptr)
      data_.obstacles[o].time += led_.share(o) * data_.settings.time_step;
    out_.held_back = out_.held_back || led_.share(o) < 1.0;
  }
  for (std::size_t i = 0; i < model_.free_vertices; ++i)
    out_.held_back = out_.held_back || (data_.held[i] != 0 && x_[i] != wanted_[i]);
  ++data_.step;
  out_.step = data_.step;
  out_.time = static_cast<double>(data_.step) * data_.settings.time_step;
  out_.vertices = static_cast<int>(model_.free_vertices);
  out_.elements = static_cast<int>(model_.tetrahedra.size() + model_.ties.size());
}

void SoftStep::run() {
  const Clock::time_point start = Clock::now();
  if (model_.free_vertices > 0) {
    find_contacts();
    start_energy_ = problem_.energy(x_, contacts_) - problem_.block_energy(x_);
    guess();
    solve();
  } else {
    led_.go_to_end(x_);
  }
  finish();
  out_.total_ms = 1e3 * seconds_since(start);
  out_.contact_ms = 1e3 * contact_seconds_;
  out_.solve_ms = out_.total_ms - out_.contact_ms;
  data_.statistics = out_;
}

void SoftStep::hand_back(World& world) const {
  rigid_.hand_back(x_, [&](std::size_t o) { return !(led_.share(o) < 1.0); }, world);
}

}  // namespace tactus::detail
