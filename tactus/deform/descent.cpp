#include "tactus/deform/descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::detail {
namespace {

constexpr std::size_t kGrain = 64;       // vertices of a colour
constexpr std::size_t kSumGrain = 1024;  // elements of a sum
constexpr std::size_t kPast = 8;         // sweeps that are mixed

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
         contacts.energy(x, start, true);
}

Descent::Descent(const StepProblem& problem, const Contacts& contacts,
                 std::span<const Vec3> reference)
    : problem_(problem),
      contacts_(contacts),
      reference_(reference),
      colors_(&problem.model->colors),
      at_bound_(problem.model->free_vertices, 0),
      last_energy_(std::numeric_limits<double>::infinity()) {
  if (contacts.active().empty()) return;
  const WorldModel& m = *problem.model;
  own_colors_ = color_vertices(m.free_vertices, [&](std::uint32_t i, const auto& take) {
    for (const std::uint32_t j : m.neighbors.of(i)) take(j);
    contacts.each_partner(i, take);
  });
  colors_ = &own_colors_;
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

void Descent::relax(std::vector<Vec3>& x) {
  const WorldModel& m = *problem_.model;
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
            for (std::uint32_t q = m.tie_first[i]; q < m.tie_first[i + 1]; ++q) {
              const WorldModel::Incident& t = m.tie_corners[q];
              const TieElement& tie = m.ties[t.tie];
              tie.add(t.corner, x, tie.damping / h, problem_.start_lengths[t.tie], local);
            }
            contacts_.add(i, x, problem_.start, local);
            const Vec3 move = inverse(local.hessian) * local.gradient;
            Vec3 place = x[i] - move;
            if (!is_finite(place)) place = x[i];
            at_bound_[i] = keep_within(i, place) ? 1 : 0;
            next_[i] = place;
          }
        },
        problem_.max_threads);
    for (const std::uint32_t i : group) x[i] = next_[i];
  }
}

void Descent::remember(std::span<const Vec3> x, std::span<const Vec3> swept) {
  const std::size_t n = problem_.model->free_vertices;
  std::vector<Vec3> out(swept.begin(), swept.begin() + static_cast<std::ptrdiff_t>(n)), move(n);
  for (std::size_t i = 0; i < n; ++i) move[i] = swept[i] - x[i];
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
  Progress p;
  for (std::size_t i = 0; i < problem_.model->free_vertices; ++i)
    p.largest_move = std::fmax(p.largest_move, squared_norm(x[i] - before[i]));
  p.largest_move = std::sqrt(p.largest_move);
  mix(before, x);
  for (const std::uint8_t b : at_bound_) p.at_bound += b;
  return p;
}

}  // namespace tactus::detail
