#include "tactus/soft/world/descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/soft/world/group_motion.hpp"

namespace tactus::detail {
namespace {

constexpr std::size_t kGrain = 64;       // vertices of a colour
constexpr std::size_t kSumGrain = 1024;  // elements of a sum
constexpr std::size_t kPast = 8;         // sweeps that are mixed
constexpr std::uint32_t kNoBlock = 0xffffffffu;
// Tries of a move that does not lower the energy, each half of the last; then it is left out.
constexpr int kHalvings = 4;

/// Sums in chunks that do not depend on the threads.
template <class Term>
double sum_of(std::size_t count, int max_threads, const Term& term) {
  std::vector<double> sums(count / kSumGrain + 1, 0.0);
  parallel_for(
      count, kSumGrain,
      [&](std::size_t begin, std::size_t end) {
        double sum = 0.0;
        for (std::size_t i = begin; i < end; ++i) sum += term(i);
        sums[begin / kSumGrain] = sum;
      },
      max_threads);
  double sum = 0.0;
  for (const double s : sums) sum += s;
  return sum;
}

double product(std::span<const Vec3> a, std::span<const Vec3> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

/// Solves the positive definite system of `size` rows in place; false where it is none.
bool solve(std::array<std::array<double, kPast>, kPast>& a, std::array<double, kPast>& b,
           std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double s = a[i][j];
      for (std::size_t k = 0; k < j; ++k) s -= a[i][k] * a[j][k];
      if (i == j) {
        if (!(s > 0.0)) return false;
        a[i][i] = std::sqrt(s);
      } else {
        a[i][j] = s / a[j][j];
      }
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return true;
}

}  // namespace

double StepProblem::elastic_energy(std::span<const Vec3> x) const {
  return sum_of(model->tetrahedra.size(), max_threads,
                [&](std::size_t i) { return model->tetrahedra[i].energy(x); }) +
         sum_of(model->ties.size(), max_threads,
                [&](std::size_t i) { return model->ties[i].energy(x); });
}

double StepProblem::gravity_energy(std::span<const Vec3> x) const {
  return sum_of(model->free_vertices, max_threads,
                [&](std::size_t i) { return -model->masses[i] * dot(gravity, x[i]); });
}

double StepProblem::block_energy(std::span<const Vec3> x) const {
  double sum = 0.0;
  for (const RigidBlock& b : blocks) sum += b.energy(x, time_step);
  return sum;
}

double StepProblem::energy(std::span<const Vec3> x, const Contacts& contacts) const {
  const double h = time_step;
  const double inertia = sum_of(model->free_vertices, max_threads, [&](std::size_t i) {
    if (led[i] != 0) return 0.0;
    return model->masses[i] * squared_norm((x[i] - start[i]) - velocity[i] * h);
  });
  const double damping = sum_of(model->ties.size(), max_threads, [&](std::size_t i) {
    const TieElement& t = model->ties[i];
    return t.damping > 0.0 ? t.damping_energy(x, t.damping / h, start_lengths[i]) : 0.0;
  });
  return ((0.5 * inertia / (h * h) + damping) + (elastic_energy(x) + gravity_energy(x))) +
         (contacts.energy(x, start, true) + block_energy(x));
}

Parties find_parties(const StepProblem& problem, const Contacts& contacts) {
  const SurfaceSet& surfaces = problem.model->surfaces;
  const std::span<const Contacts::Near> active = contacts.active();
  BodyLinks links(problem);
  links.note(surfaces, active);
  const std::vector<char> held = links.held();
  const std::size_t bodies = held.size();
  std::vector<Party> own(bodies), all(bodies);
  for (std::uint32_t i = 0; i < active.size(); ++i) {
    const auto [v, w] = active[i].sides();
    const std::uint32_t a = surfaces.body_of[v], b = surfaces.body_of[w];
    if (a == b && !active[i].floor) continue;
    own[a].outside.push_back(i);
    if (!active[i].floor) own[b].outside.push_back(i);
  }
  for (std::uint32_t i = 0; i < problem.model->free_vertices; ++i) {
    const std::uint32_t b = surfaces.body_of[i];
    own[b].vertices.push_back(i);
    all[links.first_of(b)].vertices.push_back(i);
  }
  for (std::uint32_t k = 0; k < problem.blocks.size(); ++k)
    all[links.first_of(problem.blocks[k].body)].blocks.push_back(k);
  Parties parties;
  for (std::uint32_t b = 0; b < bodies; ++b) {
    const bool deformable = b < surfaces.first_obstacle;
    if (deformable && links.is_free(b) && !own[b].outside.empty())
      parties.bodies.push_back(std::move(own[b]));
    if (links.first_of(b) == b && held[b] == 0) parties.groups.push_back(std::move(all[b]));
  }
  return parties;
}

Descent::Descent(const StepProblem& problem, const Contacts& contacts,
                 std::span<const Vec3> reference)
    : problem_(problem),
      contacts_(contacts),
      reference_(reference),
      colors_(&problem.model->colors),
      touching_(problem.blocks.size()),
      at_bound_(problem.model->free_vertices + problem.blocks.size(), 0),
      last_energy_(problem.energy(reference, contacts)) {
  const SoftModel& m = *problem.model;
  block_of_.assign(m.stiffness.size(), kNoBlock);
  for (std::uint32_t k = 0; k < problem.blocks.size(); ++k) block_of_[problem.blocks[k].body] = k;
  if (!problem.blocks.empty()) parties_ = find_parties(problem, contacts);
  if (contacts.active().empty()) return;
  own_colors_ = color_vertices(m.free_vertices, [&](std::uint32_t i, const auto& take) {
    for (const std::uint32_t j : m.neighbors.of(i)) take(j);
    contacts.each_partner(i, take);
  });
  colors_ = &own_colors_;
  find_touching();
}

void Descent::find_touching() {
  const std::vector<std::uint32_t>& body_of = problem_.model->surfaces.body_of;
  const std::span<const Contacts::Near> active = contacts_.active();
  for (std::uint32_t i = 0; i < active.size(); ++i) {
    if (active[i].floor) continue;
    for (const std::uint32_t v : active[i].sides()) {
      const std::uint32_t block = block_of_[body_of[v]];
      if (block != kNoBlock) touching_[block].push_back(i);
    }
  }
}

std::vector<Vec3> Descent::moving(std::span<const Vec3> x) const {
  const auto free = static_cast<std::ptrdiff_t>(problem_.model->free_vertices);
  std::vector<Vec3> out(x.begin(), x.begin() + free);
  for (const RigidBlock& b : problem_.blocks) {
    const RigidPlace place = b.at(x);
    out.insert(out.end(), place.begin(), place.end());
  }
  return out;
}

bool Descent::keep_within(std::uint32_t vertex, Vec3& place) const {
  const double bound = contacts_.bounds()[vertex];
  const Vec3 way = place - reference_[vertex];
  const double length = norm(way);
  if (length <= bound) return false;
  // A little less, for the rounding of the sum.
  place = reference_[vertex] + way * (bound / length * (1.0 - 1e-9));
  return true;
}

double Descent::tie_and_gap_energy(std::uint32_t vertex, std::span<const Vec3> x) const {
  const SoftModel& m = *problem_.model;
  double sum = contacts_.energy_at(vertex, x, problem_.start);
  for (std::uint32_t q = m.tie_first[vertex]; q < m.tie_first[vertex + 1]; ++q) {
    const std::uint32_t t = m.tie_corners[q].tie;
    sum += m.ties[t].energy(x) + m.ties[t].damping_energy(x, m.ties[t].damping / problem_.time_step,
                                                          problem_.start_lengths[t]);
  }
  return sum;
}

// As far to the place as lowers the energy: of gaps and ties as it is, of all else by its model,
// which is exact. No other vertex of the colour is concerned.
Vec3 Descent::lowering(std::uint32_t vertex, const LocalModel& exact, const Vec3& place,
                       std::vector<Vec3>& x) const {
  const SoftModel& m = *problem_.model;
  const bool has_ties = m.tie_first[vertex] != m.tie_first[vertex + 1];
  if (!has_ties && !contacts_.has_active(vertex)) return place;
  const Vec3 from = x[vertex];
  const double before = tie_and_gap_energy(vertex, x);
  Vec3 move = place - from;
  for (int k = 0; k < kHalvings; ++k, move *= 0.5) {
    x[vertex] = from + move;
    const double gained = tie_and_gap_energy(vertex, x) - before;
    const double rest = dot(exact.gradient, move) + 0.5 * dot(move, exact.hessian * move);
    if (gained + rest <= 0.0) break;
    x[vertex] = from;
  }
  const Vec3 found = x[vertex];
  x[vertex] = from;
  return found;
}

void Descent::relax(std::vector<Vec3>& x) {
  const SoftModel& m = *problem_.model;
  const double h = problem_.time_step, inverse_square = 1.0 / (h * h);
  next_.resize(m.free_vertices);
  for (std::size_t c = 0; c < colors_->size(); ++c) {
    const std::span<const std::uint32_t> group = colors_->of(c);
    parallel_for(
        group.size(), kGrain,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) {
            const std::uint32_t i = group[k];
            next_[i] = x[i];
            if (problem_.led[i] != 0) continue;
            LocalModel local;
            const double inertia = m.masses[i] * inverse_square;
            const Vec3 free = (x[i] - problem_.start[i]) - problem_.velocity[i] * h;
            local.gradient = free * inertia - problem_.gravity * m.masses[i];
            local.add_diagonal(inertia);
            for (std::uint32_t q = m.corner_first[i]; q < m.corner_first[i + 1]; ++q)
              m.corners[q].add(x[i], x, local);
            const LocalModel exact = local;
            for (std::uint32_t q = m.tie_first[i]; q < m.tie_first[i + 1]; ++q) {
              const SoftModel::Incident& t = m.tie_corners[q];
              const TieElement& tie = m.ties[t.tie];
              tie.add(t.corner, x, tie.damping / h, problem_.start_lengths[t.tie], local);
            }
            contacts_.add(i, x, problem_.start, local);
            const Vec3 move = inverse(local.hessian) * local.gradient;
            Vec3 place = x[i] - move;
            if (!is_finite(place)) place = x[i];
            at_bound_[i] = keep_within(i, place) ? 1 : 0;
            next_[i] = lowering(i, exact, place, x);
          }
        },
        problem_.max_threads);
    for (const std::uint32_t i : group) x[i] = next_[i];
  }
}

void Descent::relax_blocks(std::vector<Vec3>& x) {
  for (std::size_t k = 0; k < problem_.blocks.size(); ++k) {
    const RigidBlock& b = problem_.blocks[k];
    if (b.led) continue;
    b.relax(contacts_, touching_[k], problem_.start, problem_.time_step, x);
    at_bound_[problem_.model->free_vertices + k] =
        b.keep_within(contacts_.bounds(), reference_, x) ? 1 : 0;
  }
}

bool Descent::may_shift(const Party& party, const Vec3& by, std::span<const Vec3> x) const {
  const auto fits = [&](std::size_t v) {
    return norm((x[v] + by) - reference_[v]) <= contacts_.bounds()[v] * (1.0 - 1e-9);
  };
  for (const std::uint32_t v : party.vertices) {
    if (!fits(v)) return false;
  }
  for (const std::uint32_t k : party.blocks) {
    const RigidBlock& b = problem_.blocks[k];
    for (std::size_t v = b.first; v < b.first + b.arms.size(); ++v) {
      if (!fits(v)) return false;
    }
  }
  return true;
}

void Descent::shift(const Party& party, std::vector<Vec3>& x) const {
  const SoftModel& m = *problem_.model;
  const double h = problem_.time_step, inverse_square = 1.0 / (h * h);
  Vec3 inertial;
  double mass = 0.0;
  for (const std::uint32_t i : party.vertices) {
    const Vec3 free = (x[i] - problem_.start[i]) - problem_.velocity[i] * h;
    inertial += free * (m.masses[i] * inverse_square) - problem_.gravity * m.masses[i];
    mass += m.masses[i];
  }
  for (const std::uint32_t k : party.blocks) {
    inertial += problem_.blocks[k].extra_force(x, h) + problem_.blocks[k].force;
    mass += problem_.blocks[k].mass;
  }
  LocalModel local;
  local.gradient = inertial;
  local.add_diagonal(mass * inverse_square);
  for (const std::uint32_t pair : party.outside) {
    const auto touches = contacts_.touches(pair, party.vertices.front(), party.vertices.back() + 1,
                                           x, problem_.start);
    for (const Contacts::Touch& t : touches) {
      local.gradient += t.model.gradient;
      local.hessian = local.hessian + t.model.hessian;
    }
  }
  Vec3 by = inverse(local.hessian) * -local.gradient;
  if (!is_finite(by)) return;
  const double before = contacts_.energy_of(party.outside, x, problem_.start);
  for (int k = 0; k < kHalvings; ++k, by *= 0.5) {
    if (!may_shift(party, by, x)) continue;
    std::vector<Vec3> moved = x;
    for (const std::uint32_t i : party.vertices) moved[i] += by;
    for (const std::uint32_t i : party.blocks) {
      const RigidBlock& b = problem_.blocks[i];
      const RigidPlace place = b.at(x);
      b.put({place[0] + by, place[1]}, moved);
    }
    const double gained = contacts_.energy_of(party.outside, moved, problem_.start) - before;
    const double lost = dot(inertial, by) + 0.5 * mass * inverse_square * squared_norm(by);
    if (!(gained + lost <= 0.0)) continue;
    x = std::move(moved);
    return;
  }
}

void Descent::remember(std::span<const Vec3> x, std::span<const Vec3> swept) {
  std::vector<Vec3> out = moving(swept), move = out;
  const std::vector<Vec3> before = moving(x);
  const std::size_t n = out.size();
  for (std::size_t i = 0; i < n; ++i) move[i] = out[i] - before[i];
  if (!last_out_.empty()) {
    Past p{out, move};
    for (std::size_t i = 0; i < n; ++i) {
      p.out[i] -= last_out_[i];
      p.move[i] -= last_move_[i];
    }
    if (past_.size() == kPast) past_.erase(past_.begin());
    past_.push_back(std::move(p));
  }
  last_out_ = std::move(out);
  last_move_ = std::move(move);
}

void Descent::mix_blocks(std::span<const double> weights, std::vector<Vec3>& mixed) {
  std::size_t i = problem_.model->free_vertices;
  for (std::size_t k = 0; k < problem_.blocks.size(); ++k, i += 2) {
    const RigidBlock& b = problem_.blocks[k];
    if (b.led) continue;
    RigidPlace place = b.at(mixed);
    for (std::size_t q = 0; q < past_.size(); ++q) {
      place[0] -= past_[q].out[i] * weights[q];
      place[1] -= past_[q].out[i + 1] * weights[q];
    }
    b.put(place, mixed);
    if (b.keep_within(contacts_.bounds(), reference_, mixed))
      at_bound_[problem_.model->free_vertices + k] = 1;
  }
}

void Descent::mix(std::span<const Vec3> x, std::vector<Vec3>& swept) {
  remember(x, swept);
  if (past_.empty()) return;
  const std::size_t n = past_.size();
  std::array<std::array<double, kPast>, kPast> a{};
  std::array<double, kPast> b{};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) a[i][j] = product(past_[i].move, past_[j].move);
    b[i] = product(past_[i].move, last_move_);
  }
  // Past sweeps that hardly differ shall not weigh much.
  for (std::size_t i = 0; i < n; ++i) a[i][i] *= 1.0 + 1e-10;
  if (!solve(a, b, n)) {
    past_.clear();
    return;
  }
  std::vector<Vec3> mixed = swept;
  for (std::uint32_t i = 0; i < problem_.model->free_vertices; ++i) {
    if (problem_.led[i] != 0) continue;
    for (std::size_t k = 0; k < n; ++k) mixed[i] -= past_[k].out[i] * b[k];
    if (keep_within(i, mixed[i])) at_bound_[i] = 1;
  }
  mix_blocks(b, mixed);
  const double energy = problem_.energy(mixed, contacts_);
  if (energy < last_energy_) {
    last_energy_ = energy;
    swept = std::move(mixed);
    return;
  }
  past_.clear();
  last_out_.clear();
  last_energy_ = problem_.energy(swept, contacts_);
}

Descent::Progress Descent::sweep(std::vector<Vec3>& x) {
  const std::vector<Vec3> before = x;
  relax(x);
  relax_blocks(x);
  for (const Party& party : parties_.bodies) shift(party, x);
  for (const Party& party : parties_.groups) shift(party, x);
  Progress p;
  const std::vector<Vec3> from = moving(before), to = moving(x);
  for (std::size_t i = 0; i < to.size(); ++i)
    p.largest_move = std::fmax(p.largest_move, squared_norm(to[i] - from[i]));
  p.largest_move = std::sqrt(p.largest_move);
  mix(before, x);
  for (const std::uint8_t b : at_bound_) p.at_bound += b;
  return p;
}

}  // namespace tactus::detail
