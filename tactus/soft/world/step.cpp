#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "tactus/ccd.hpp"
#include "tactus/soft/world/world_data.hpp"

namespace tactus::detail {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// How far contacts are sought, in contact distances: at rest, and at most.
constexpr double kLeastReach = 3.0, kMostReach = 5.0;
// Bodies are brought this near to each other without being asked where they want to go, in contact
// distances, and by this part of the way to a contact.
constexpr double kApproach = 0.25, kPartOfWay = 0.8;
// Lag of a group that nothing holds behind its own way, in contact distances, from which it is
// moved on as a whole between rounds; and how often groups are moved on at the end, at most.
constexpr double kLeastCarried = 0.1;
constexpr int kLastCarries = 4;
// A step keeps energies to this relative rounding of their sums.
constexpr double kEnergyRounding = 1e-12;

/// Two bodies that meet, at this part of the way.
struct Meeting {
  std::uint32_t a, b;
  double time;
};

}  // namespace

SoftStep::SoftStep(SoftWorldData& data, std::vector<RigidCourse> courses)
    : data_(data),
      model_(data.model),
      courses_(std::move(courses)),
      contact_distance_(data.contact_distance()),
      edge_(std::numeric_limits<double>::infinity()),
      x_(data.all_positions()),
      share_(data.obstacles.size(), 0.0),
      share_before_(share_),
      sweeps_left_(data.settings.sweeps) {
  const DeformableSettings& s = data.settings;
  for (const auto& b : data.bodies) edge_ = std::fmin(edge_, b.structure.mean_edge);
  problem_.model = &data.model;
  problem_.time_step = s.time_step;
  problem_.gravity = s.gravity;
  problem_.max_threads = s.max_threads;
  for (RigidCourse& course : courses_) add_block(course);
  problem_.start = wanted_ = x_;
  problem_.velocity = data.velocities;
  problem_.led = data.held;
  problem_.start_lengths.reserve(data.model.ties.size());
  for (const TieElement& t : data.model.ties) problem_.start_lengths.push_back(norm(t.sum(x_)));
  links_ = BodyLinks(problem_);
  const double h = s.time_step;
  for (std::size_t i = 0; i < data.positions.size(); ++i) {
    if (data.held[i] != 0) {
      wanted_[i] = data.targets[i];
      anything_led_ = anything_led_ || wanted_[i] != x_[i];
    } else {
      wanted_[i] = (x_[i] + data.velocities[i] * h) + s.gravity * (h * h);
    }
  }
  for (std::size_t o = 0; o < data.obstacles.size(); ++o) {
    place_obstacle(o, 1.0, wanted_);
    const RigidBlock* block = block_of(o);
    if (block != nullptr && !block->led) {
      share_[o] = 1.0;
    } else {
      anything_led_ = anything_led_ || !rests(o);
    }
  }
}

bool SoftStep::has_contacts() const { return data_.settings.contacts; }

void SoftStep::place_obstacle(std::size_t o, double share, std::vector<Vec3>& x) const {
  if (const RigidBlock* block = block_of(o)) {
    block->put(between(block->start, block->wanted, share), x);
    return;
  }
  const SoftWorldData::Obstacle& obstacle = data_.obstacles[o];
  const Pose pose =
      pose_at(obstacle.pose, obstacle.motion, obstacle.time + share * data_.settings.time_step);
  for (std::size_t i = 0; i < obstacle.mesh.vertices.size(); ++i)
    x[obstacle.first + i] = pose.to_world(obstacle.mesh.vertices[i]);
}

void SoftStep::find_contacts() {
  reference_ = x_;
  if (!has_contacts()) {
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
  note_touched();
  contact_seconds_ += seconds_since(start);
}

void SoftStep::guess() {
  double most = 0.0;
  for (std::size_t i = 0; i < x_.size(); ++i) most = std::fmax(most, norm(wanted_[i] - x_[i]));
  if (has_contacts() && most > 0.5 * (kMostReach - 1.0) * contact_distance_) {
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

std::vector<Vec3> SoftStep::end_of(std::span<const double> shares) const {
  std::vector<Vec3> end = problem_.start;
  for (std::size_t i = 0; i < model_.free_vertices; ++i) {
    const double share = shares[model_.surfaces.body_of[i]];
    end[i] = share == 1.0 ? wanted_[i] : end[i] + (wanted_[i] - end[i]) * share;
  }
  for (std::size_t o = 0; o < data_.obstacles.size(); ++o)
    place_obstacle(o, shares[data_.bodies.size() + o], end);
  return end;
}

bool SoftStep::shorten(int attempt, std::vector<double>& shares) const {
  const std::vector<Vec3>& x0 = problem_.start;
  const std::vector<Vec3> x1 = end_of(shares);
  const double near = kApproach * contact_distance_;
  CcdOptions options;
  options.min_separation = near;
  const SurfaceSet& set = model_.surfaces;
  const auto found = search_pairs<std::vector<Meeting>>(
      set, x0, x1, 0.5 * near * (1.0 + 1e-12), data_.settings.max_threads,
      [&](const PrimitivePair& p, std::vector<Meeting>& mine) {
        const auto& v = p.v;
        const CcdResult r = swept(p, x0, x1, options);
        if (r.hit) mine.push_back({set.body_of[v[0]], set.body_of[v[p.edges ? 2 : 1]], r.time});
      });
  std::vector<double> factor(shares.size(), 1.0);
  bool any = false;
  const auto meet = [&](std::uint32_t body, double time) {
    any = true;
    const double f = attempt == 0 ? kPartOfWay * time : (attempt < 6 ? 0.5 : 0.0);
    factor[body] = std::fmin(factor[body], f);
  };
  for (const std::vector<Meeting>& list : found) {
    for (const Meeting& m : list) {
      meet(m.a, m.time);
      meet(m.b, m.time);
    }
  }
  for (const std::uint32_t v : set.kept_out) {
    for (const Floor& f : set.floors) {
      const double d0 = f.distance(x0[v]), d1 = f.distance(x1[v]);
      if (d1 > near || d1 >= d0) continue;
      meet(set.body_of[v], std::fmax(0.0, (d0 - near) / (d0 - d1)));
    }
  }
  for (std::size_t b = 0; b < shares.size(); ++b) shares[b] *= factor[b];
  return any;
}

std::vector<double> SoftStep::shares_of_bodies() const {
  std::vector<double> shares(model_.stiffness.size(), 1.0);
  const std::size_t most = shares.size() + 8;
  for (std::size_t attempt = 0; attempt < most; ++attempt) {
    if (!shorten(static_cast<int>(attempt), shares)) return shares;
  }
  shares.assign(shares.size(), 0.0);
  return shares;
}

void SoftStep::guess_far() {
  const Clock::time_point start = Clock::now();
  const std::vector<double> shares = shares_of_bodies();
  contact_seconds_ += seconds_since(start);
  bool moves = false;
  for (const double s : shares) moves = moves || s > 0.0;
  if (!moves) return;
  x_ = end_of(shares);
  for (std::size_t o = 0; o < share_.size(); ++o) {
    const RigidBlock* block = block_of(o);
    if (block == nullptr || block->led) share_[o] = shares[data_.bodies.size() + o];
  }
  find_contacts();
  if (!anything_led_ &&
      problem_.energy(x_, contacts_) > start_energy_ + problem_.block_energy(problem_.start)) {
    x_ = problem_.start;
    find_contacts();
  }
}

void SoftStep::advance_led() {
  share_before_ = share_;
  led_moved_ = false;
  all_arrived_ = true;
  for (std::size_t i = 0; i < model_.free_vertices; ++i) {
    if (data_.held[i] == 0 || wanted_[i] == x_[i]) continue;
    led_moved_ = true;
    const Vec3 way = wanted_[i] - reference_[i];
    const double length = norm(way), bound = contacts_.bounds()[i];
    if (length <= bound) {
      x_[i] = wanted_[i];
    } else {
      x_[i] = reference_[i] + way * (bound / length * (1.0 - 1e-9));
      all_arrived_ = false;
    }
  }
  for (std::size_t o = 0; o < share_.size(); ++o) {
    const SoftWorldData::Obstacle& obstacle = data_.obstacles[o];
    if (share_[o] >= 1.0) continue;
    if (obstacle.mesh.vertices.empty() || wanted_[obstacle.first] == x_[obstacle.first]) {
      if (obstacle.mesh.vertices.empty() || rests(o)) {
        share_[o] = 1.0;
        continue;
      }
    }
    led_moved_ = true;
    const auto fits = [&] {
      for (std::size_t i = 0; i < obstacle.mesh.vertices.size(); ++i) {
        const std::size_t v = obstacle.first + i;
        if (norm(x_[v] - reference_[v]) > contacts_.bounds()[v] * (1.0 - 1e-9)) return false;
      }
      return true;
    };
    double way = 1.0 - share_before_[o];
    share_[o] = 1.0;
    place_obstacle(o, share_[o], x_);
    for (int k = 0; k < 12 && !fits(); ++k) {
      way *= 0.5;
      share_[o] = k == 11 ? share_before_[o] : share_before_[o] + way;
      place_obstacle(o, share_[o], x_);
    }
    if (share_[o] < 1.0) all_arrived_ = false;
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
  // Obstacles wait: half of a turn is no place of theirs.
  for (std::size_t o = 0; o < share_.size(); ++o) {
    if (share_[o] == share_before_[o]) continue;
    share_[o] = share_before_[o];
    place_obstacle(o, share_[o], x_);
    all_arrived_ = false;
  }
}

void SoftStep::accept() {
  bool shortened = false;
  if (!led_moved_) {
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

void SoftStep::solve() {
  const int rounds = data_.settings.rounds;
  bool at_rest = false;
  for (int round = 0; round < rounds && sweeps_left_ > 0; ++round) {
    if (round > 0) {
      const bool carried = carry_groups(kLeastCarried * contact_distance_);
      if (at_rest && !carried) break;
      find_contacts();
    }
    advance_led();
    const bool done = solve_round(round + 1 == rounds);
    accept();
    ++out_.rounds;
    if (done && all_arrived_) break;
    // The next round would be the same again.
    at_rest = !led_moved_ && x_ == reference_;
  }
  // Groups that come near others on this way touch them from now on, and go on together.
  for (int k = 0; k < kLastCarries && carry_groups(0.0); ++k) find_contacts();
}

void SoftStep::slow_down(std::span<const Party> groups, double moving, double rest) {
  const double together = common_energy(groups);
  const double left = rest - together;
  if (left > 0.0) {
    const double within = std::sqrt(left / (moving - together)) * (1.0 - kEnergyRounding);
    scale_motion(groups, within, 1.0);
    return;
  }
  const double common = rest > 0.0 ? std::sqrt(rest / together) : 0.0;
  scale_motion(groups, 0.0, common);
}

void SoftStep::settle_energy() {
  const DeformableSettings& s = data_.settings;
  const auto measure = [&] {
    out_.elastic_energy = problem_.elastic_energy(x_);
    out_.potential_energy = problem_.gravity_energy(x_);
    out_.contact_energy = contacts_.energy(x_, problem_.start, false);
    out_.rigid_energy = rigid_motion(true) + rigid_weight(true);
    out_.kinetic_energy = 0.0;
    for (std::size_t i = 0; i < model_.free_vertices; ++i) {
      if (data_.held[i] == 0)
        out_.kinetic_energy += 0.5 * model_.masses[i] * squared_norm(data_.velocities[i]);
    }
  };
  for (std::size_t i = 0; i < model_.free_vertices; ++i)
    data_.velocities[i] = (x_[i] - problem_.start[i]) / s.time_step;
  settle_blocks();
  const std::vector<Party> groups = free_groups();
  keep_momentum(groups);
  measure();
  double most = start_energy_;
  for (const RigidCourse& c : courses_) most += c.energy_before + c.held_up;
  if (!anything_led_ && out_.energy() > most) {
    const auto moving = [&] { return out_.kinetic_energy + rigid_motion(true); };
    const auto rest = [&] { return most - (out_.energy() - moving()); };
    const double rounding = kEnergyRounding * (std::fabs(most) + moving());
    if (rest() < common_energy(groups) - rounding) {
      // Nothing has moved but groups as a whole: the energy of position is what it was.
      x_ = problem_.start;
      find_contacts();
      out_.was_stopped = true;
      for (int k = 0; k < kLastCarries && carry_groups(0.0); ++k) find_contacts();
      keep_momentum(groups);
      measure();
    }
    slow_down(groups, moving(), rest());
  }
  const double decay = 1.0 / (1.0 + s.air_damping * s.time_step);
  if (s.air_damping > 0.0) {
    for (Vec3& v : data_.velocities) v *= decay;
  }
  measure();
  out_.rigid_energy += rigid_motion(false) + rigid_weight(false);
}

void SoftStep::finish() {
  settle_energy();
  note_loads();
  contacts_.touching(x_, problem_.start, model_.surfaces.body_of, data_.contacts);
  out_.contacts = static_cast<int>(data_.contacts.size());
  out_.least_gap = contacts_.least_gap();
  for (std::size_t i = 0; i < model_.free_vertices; ++i) {
    data_.positions[i] = x_[i];
    out_.largest_speed = std::fmax(out_.largest_speed, norm(data_.velocities[i]));
  }
  for (std::size_t o = 0; o < share_.size(); ++o) {
    if (block_of(o) == nullptr) data_.obstacles[o].time += share_[o] * data_.settings.time_step;
    out_.held_back = out_.held_back || share_[o] < 1.0;
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
    share_.assign(share_.size(), 1.0);
    for (std::size_t o = 0; o < share_.size(); ++o) place_obstacle(o, 1.0, x_);
  }
  finish();
  out_.total_ms = 1e3 * seconds_since(start);
  out_.contact_ms = 1e3 * contact_seconds_;
  out_.solve_ms = out_.total_ms - out_.contact_ms;
  data_.statistics = out_;
}

}  // namespace tactus::detail
