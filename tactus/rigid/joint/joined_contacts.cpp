#include "tactus/rigid/joint/joined_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/rigid/body/locks.hpp"

namespace tactus::detail {
namespace {

/// Sweeps of a turn, and the change, over all impulses, at which they have settled.
constexpr int kMostSweeps = 50;
constexpr double kSettled = 1e-6;

Vec3 vector_at(const double* x) { return {x[0], x[1], x[2]}; }
void put(double* x, const Vec3& v) {
  x[0] = v.x;
  x[1] = v.y;
  x[2] = v.z;
}
void put_velocity(double* x, const SolverBody& body) {
  put(x, body.linear);
  put(x + 3, body.angular);
}

ContactConstraint::Impulse difference(const ContactConstraint::Impulse& x,
                                      const ContactConstraint::Impulse& y) {
  return {x.linear - y.linear, x.angular - y.angular};
}

/// Friction acts nearer to the centre of the load than the points that carry it.
void follow_load(ContactConstraint& c) {
  double total = 0.0;
  BothVec3 center;
  for (const ContactConstraint::Point& p : c.all_points()) {
    total += p.normal_impulse;
    center += p.arm * p.normal_impulse;
  }
  if (c.gathered != 0.0 && total > kLeastLoad) c.load_center = center * (1.0 / total);
}

/// Free mobility of a row on one body.
double free_mobility(const SolverBody& body, const double* along) {
  const Vec3 linear = vector_at(along), angular = vector_at(along + 3);
  return body.inverse_mass * squared_norm(linear) + dot(angular, body.inverse_inertia * angular);
}

}  // namespace

void JoinedContacts::begin(std::span<const std::uint32_t> patches,
                           std::vector<AnsweringBodies> parts,
                           std::span<const ContactConstraint> constraints) {
  numbers_.assign(patches.begin(), patches.end());
  parts_ = std::move(parts);
  std::size_t count = 0;
  for (AnsweringBodies& part : parts_) {
    part.first = count;
    count += part.count();
  }
  velocities_.assign(count, 0.0);
  patches_.assign(numbers_.size(), {});
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const ContactConstraint& c = constraints[numbers_[i]];
    const std::uint32_t bodies[] = {c.body_a, c.body_b};
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::size_t part = 0; part < parts_.size(); ++part) {
        const auto& list = parts_[part].bodies;
        const auto found = std::find(list.begin(), list.end(), bodies[side]);
        if (found == list.end()) continue;
        patches_[i].part[side] = part;
        patches_[i].at[side] =
            parts_[part].first + 6 * static_cast<std::size_t>(found - list.begin());
      }
    }
  }
}

/// A row that gives B an impulse and an angular impulse, and A others.
void JoinedContacts::make_row(const Patch& patch, const ContactConstraint& c,
                              std::span<const SolverBody> bodies, const BothVec3& linear,
                              const BothVec3& angular, Row& row) {
  put(row.along[0], linear.a());
  put(row.along[0] + 3, angular.a());
  put(row.along[1], linear.b());
  put(row.along[1] + 3, angular.b());
  row.still = 0.0;
  const std::uint32_t body[] = {c.body_a, c.body_b};
  for (std::size_t side = 0; side < 2; ++side) {
    row.response[side] = kNone;
    if (patch.part[side] == kNone) {
      row.still += dot(vector_at(row.along[side]), bodies[body[side]].linear) +
                   dot(vector_at(row.along[side] + 3), bodies[body[side]].angular);
      continue;
    }
    const AnsweringBodies& part = parts_[patch.part[side]];
    const std::size_t count = part.count();
    // Two bodies of one part answer as one.
    const bool same = side == 1 && patch.part[0] == patch.part[1];
    const std::size_t to = same ? row.response[0] : responses_.size();
    if (!same) {
      row.response[side] = to;
      responses_.resize(to + count, 0.0);
    }
    const double* column = part.response.data() + (patch.at[side] - part.first) * count;
    for (std::size_t k = 0; k < 6; ++k, column += count)
      for (std::size_t i = 0; i < count; ++i) responses_[to + i] += column[i] * row.along[side][k];
  }
  row.mobility = mobility(patch, row, row);
}

double JoinedContacts::speed(const Patch& patch, const Row& row) const {
  double sum = row.still;
  for (std::size_t side = 0; side < 2; ++side) {
    if (patch.part[side] == kNone) continue;
    const double* v = velocities_.data() + patch.at[side];
    for (std::size_t k = 0; k < 6; ++k) sum += row.along[side][k] * v[k];
  }
  return sum;
}

/// Change of the speed of one row per impulse of the other, of the same patch.
double JoinedContacts::mobility(const Patch& patch, const Row& x, const Row& y) const {
  double sum = 0.0;
  for (std::size_t side = 0; side < 2; ++side) {
    if (patch.part[side] == kNone) continue;
    const bool same = side == 1 && patch.part[0] == patch.part[1];
    const double* answer = responses_.data() + y.response[same ? 0 : side] +
                           (patch.at[side] - parts_[patch.part[side]].first);
    for (std::size_t k = 0; k < 6; ++k) sum += x.along[side][k] * answer[k];
  }
  return sum;
}

void JoinedContacts::apply(const Patch& patch, const Row& row, double impulse) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (row.response[side] == kNone) continue;
    const AnsweringBodies& part = parts_[patch.part[side]];
    const double* answer = responses_.data() + row.response[side];
    for (std::size_t k = 0; k < part.count(); ++k)
      velocities_[part.first + k] += answer[k] * impulse;
  }
}

void JoinedContacts::make_point(Phase phase, Patch& patch, const ContactConstraint& c,
                                std::size_t k, std::span<const SolverBody> bodies) {
  Point& p = patch.points[k];
  const SolverBody &a = bodies[c.body_a], &b = bodies[c.body_b];
  const ContactConstraint::Point& point = c.points[k];
  const BothVec3 friction_arm = c.friction_arm(point);
  const auto make = [&](const Vec3& axis, const BothVec3& arm, Row& row) {
    make_row(patch, c, bodies, opposed(axis), cross(arm, opposed(axis)), row);
  };
  make(c.normal, point.arm, p.row[0]);
  for (int i = 0; i < 2; ++i) make(c.tangent[i], friction_arm, p.row[i + 1]);
  const auto free = [&](const Row& row) {
    return free_mobility(a, row.along[0]) + free_mobility(b, row.along[1]);
  };
  const double m11 = p.row[1].mobility, m22 = p.row[2].mobility;
  const double m12 = mobility(patch, p.row[1], p.row[2]);
  p.acts = p.row[0].mobility > kImmovable * free(p.row[0]);
  const double determinant = m11 * m22 - m12 * m12, trace = m11 + m22;
  const double difference = 0.5 * (m11 - m22);
  const double largest = 0.5 * trace + std::sqrt(difference * difference + m12 * m12);
  p.friction_step = largest > kImmovable * free(p.row[1]) ? 1.0 / largest : 0.0;
  // Where joints hold one of the tangents: along the other.
  const bool both_ways = determinant > kImmovable * trace * trace;
  p.friction_inverse[0] = both_ways ? m22 / determinant : p.friction_step;
  p.friction_inverse[1] = both_ways ? -m12 / determinant : 0.0;
  p.friction_inverse[2] = both_ways ? m11 / determinant : p.friction_step;
  const double age = c.age + (phase == Phase::relax ? 1.0 : 0.0);
  p.gap = c.gap(point, a, b) + point.creep[0] * (age * age) * patch.substep;
  // After impacts the bodies may have come different ways through the substep.
  if (a.left != b.left) {
    const auto moving = [&](const SolverBody& body, const double* along) {
      return dot(vector_at(along), body.linear) + dot(vector_at(along + 3), body.angular);
    };
    p.gap += moving(b, p.row[0].along[1]) * (b.left - patch.left) +
             moving(a, p.row[0].along[0]) * (a.left - patch.left);
  }
}

void JoinedContacts::start(Phase phase, ContactSolver& solver, std::span<const SolverBody> bodies) {
  responses_.clear();
  for (const AnsweringBodies& part : parts_)
    for (std::size_t i = 0; i < part.bodies.size(); ++i)
      put_velocity(velocities_.data() + part.first + 6 * i, bodies[part.bodies[i]]);
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    Patch& patch = patches_[i];
    ContactConstraint& c = solver.constraints()[numbers_[i]];
    patch.swept = !solver.is_left_out(numbers_[i]);
    if (!patch.swept) continue;
    patch.left = std::min(bodies[c.body_a].left, bodies[c.body_b].left);
    patch.substep = 1.0 / solver.rates().substep_rate;
    patch.creep_now = 2.0 * c.age + 1.0;
    patch.swerve_now = phase == Phase::solve ? 1.0 : -1.0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(c.count); ++k) {
      make_point(phase, patch, c, k, bodies);
      if (phase == Phase::solve) patch.points[k].load_before = c.points[k].normal_impulse;
      const double mobility = patch.points[k].row[0].mobility;
      c.held_mobility = k == 0 ? mobility : std::min(c.held_mobility, mobility);
    }
    if (!c.resists_turning()) continue;
    const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Mat3 turning = Mat3::zero();
    for (int x = 0; x < 3; ++x) make_row(patch, c, bodies, {}, opposed(axes[x]), patch.turn[x]);
    for (int x = 0; x < 3; ++x)
      for (int y = 0; y < 3; ++y) turning(x, y) = mobility(patch, patch.turn[x], patch.turn[y]);
    patch.angular_mass = inverse_where_free(turning);
  }
}

void JoinedContacts::solve_turning(const Patch& patch, ContactConstraint& c) {
  double load = 0.0;
  for (const ContactConstraint::Point& p : c.all_points()) load += p.normal_impulse;
  if (load == 0.0 && c.rolling_impulse == Vec3{}) return;
  const Vec3 turning{speed(patch, patch.turn[0]), speed(patch, patch.turn[1]),
                     speed(patch, patch.turn[2])};
  const Vec3 before = c.rolling_impulse;
  c.rolling_impulse = c.within_resistance(before - patch.angular_mass * turning, load);
  const Vec3 change = c.rolling_impulse - before;
  for (int i = 0; i < 3; ++i) apply(patch, patch.turn[i], change[i]);
}

void JoinedContacts::solve_friction(const Patch& patch, const Point& p, ContactConstraint& c,
                                    std::size_t k, Change& change) {
  ContactConstraint::Point& point = c.points[k];
  const double limit = c.surface.friction * std::max(point.normal_impulse, p.load_before);
  const double old0 = point.friction_impulse[0], old1 = point.friction_impulse[1];
  if (limit == 0.0 && old0 == 0.0 && old1 == 0.0) return;
  double u0 = speed(patch, p.row[1]) + patch.creep(point, 1);
  double u1 = speed(patch, p.row[2]) + patch.creep(point, 2);
  if (c.is_driven()) {
    double belts[Manifold::kCapacity][2] = {};
    c.find_belts(true, belts);
    u0 += belts[k][0];
    u1 += belts[k][1];
  }
  const double m01 = p.friction_inverse[1];
  double new0 = old0 - (p.friction_inverse[0] * u0 + m01 * u1);
  double new1 = old1 - (m01 * u0 + p.friction_inverse[2] * u1);
  if (new0 * new0 + new1 * new1 > limit * limit) {
    const double slip0 = old0 - p.friction_step * u0, slip1 = old1 - p.friction_step * u1;
    const double size = std::sqrt(slip0 * slip0 + slip1 * slip1);
    const double scale = size > limit ? limit / size : 1.0;
    new0 = slip0 * scale;
    new1 = slip1 * scale;
  }
  point.friction_impulse[0] = new0;
  point.friction_impulse[1] = new1;
  change.change += std::fabs(new0 - old0) + std::fabs(new1 - old1);
  apply(patch, p.row[1], new0 - old0);
  apply(patch, p.row[2], new1 - old1);
}

void JoinedContacts::solve_normal(const Patch& patch, const Point& p, ContactConstraint& c,
                                  std::size_t k, const SweepRates& rates, Phase phase,
                                  Change& change) {
  double& impulse = c.points[k].normal_impulse;
  const double old = impulse;
  change.sum += old;
  const bool open = p.gap > 0.0;
  if (!p.acts || (open && !(patch.left > 0.0))) return;
  double bias = 0.0, scale = 1.0, leak = 0.0;
  if (open) {
    bias = p.gap / patch.left;
  } else if (phase == Phase::solve) {
    scale = rates.mass_scale;
    leak = rates.impulse_scale * old;
    // The load that leaks away is carried beside what parts the bodies.
    bias = std::max(-c.push_speed - leak * p.row[0].mobility / scale, rates.bias_rate * p.gap);
  }
  if (phase == Phase::relax && open && old == 0.0) return;
  const double creep =
      phase == Phase::solve ? c.points[k].bend * patch.creep_now : patch.creep(c.points[k], 0);
  const double wanted =
      old - scale / p.row[0].mobility * (speed(patch, p.row[0]) + creep + bias) - leak;
  impulse = std::max(wanted, 0.0);
  change.change += std::fabs(impulse - old);
  apply(patch, p.row[0], impulse - old);
}

double JoinedContacts::solve(Phase phase, ContactSolver& solver, std::span<SolverBody> bodies) {
  const auto constraints = solver.constraints();
  before_.clear();
  for (const std::uint32_t number : numbers_) before_.push_back(constraints[number].impulse());
  double first = 0.0;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    Change change;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const Patch& patch = patches_[i];
      if (!patch.swept) continue;
      ContactConstraint& c = constraints[numbers_[i]];
      const auto count = static_cast<std::size_t>(c.count);
      if (c.resists_turning()) solve_turning(patch, c);
      for (std::size_t k = 0; k < count; ++k) solve_friction(patch, patch.points[k], c, k, change);
      for (std::size_t k = 0; k < count; ++k)
        solve_normal(patch, patch.points[k], c, k, solver.rates(), phase, change);
    }
    if (sweep == 0) first = change.sum > 0.0 ? change.change / change.sum : 1.0;
    if (!(change.change > kSettled * change.sum)) break;
  }
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const ContactConstraint& c = constraints[numbers_[i]];
    SolverBody &a = bodies[c.body_a], &b = bodies[c.body_b];
    const ContactConstraint::Impulse change = difference(c.impulse(), before_[i]);
    ContactConstraint::change_impulse(change, a, b);
    if (a.inverse_mass > 0.0) {
      a.linear -= pushed(a, change.linear);
      a.angular += a.inverse_inertia * change.angular.a();
    }
    if (b.inverse_mass > 0.0) {
      b.linear += pushed(b, change.linear);
      b.angular += b.inverse_inertia * change.angular.b();
    }
  }
  return first;
}

void JoinedContacts::end(ContactSolver& solver, std::span<SolverBody> bodies) {
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    if (!patches_[i].swept) continue;
    ContactConstraint& c = solver.constraints()[numbers_[i]];
    ++c.age;
    for (const ContactConstraint::Point& p : c.all_points()) c.load += p.normal_impulse;
    const ContactConstraint::Impulse before = c.impulse();
    follow_load(c);
    ContactConstraint::change_impulse(difference(c.impulse(), before), bodies[c.body_a],
                                      bodies[c.body_b]);
  }
}

}  // namespace tactus::detail
