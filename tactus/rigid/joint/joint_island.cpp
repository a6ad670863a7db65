#include "tactus/rigid/joint/joint_island.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

/// Corrections of a substep: each leaves of an error what the bodies turn in the substep.
constexpr int kMostCorrections = 8;
/// Corrections that leave more of the error than this part don't converge.
constexpr double kConvergence = 0.7;
/// An error below this, in sizes or radians, is met.
constexpr double kMet = 1e-10;
/// An error below this is left to the next substep.
constexpr double kNearlyMet = 1e-6;
/// Solutions in which one more bound may show; what passes its bound in the last one is cut off.
constexpr int kMostPasses = 64;
/// A row at a bound is drawn inwards by more than this part of its impulse.
constexpr double kDrawn = 1e-6;
/// By what every row gives way, relative to its mobility: rows that say the same twice then have
/// one answer, the least one.
constexpr double kSoftness = 1e-9;
/// By what the anchors of closed loops give way to their pull in the places of a substep's end,
/// relative to the way that the pull would move their bodies within it, where a row is nearly a
/// combination of others: by less than this part of itself it is not.
constexpr double kGive = 1e-2;
constexpr double kNearlySingular = 1e-3;
/// A row that says the same as others wherever the bodies go, as in plane loops, is left with what
/// the softness makes of it, and so with more when all rows are softer by the first factor: by the
/// second one at least. A row that is only near to such a place is not.
constexpr double kSofter = 2.0, kGrown = 1.5;
/// A drive alone moves its joint by at most so many sizes, or radians, in a substep: farther, what
/// else holds the bodies could not be followed.
constexpr double kMostDriven = 0.05;

bool is_linear(std::size_t slot, const JointDefinition& joint) {
  const bool turns = joint.type == JointType::hinge || joint.type == JointType::ball;
  return slot < kAngularRows || (slot >= kLimitRow && !turns);
}

/// An error below this is met.
double tolerance(std::size_t slot, const SteppedJoint& joint) {
  return kMet * (is_linear(slot, *joint.definition) ? joint.size : 1.0);
}

/// Does the row ask for a speed, that of a motor, spring or drive, rather than for a place?
bool asks_for_speed(RowKind kind) {
  return kind == RowKind::driven || kind == RowKind::sprung || kind == RowKind::drawn;
}

/// Springs and drives give way to their impulse, which their residual counts.
bool gives_way(RowKind kind) { return kind == RowKind::sprung || kind == RowKind::drawn; }

/// Do locked axes leave the bodies nothing to move by along the row?
bool is_immovable(const JointRow& row, double own, const SolverBody& a, const SolverBody& b) {
  if (a.locked == 0 && b.locked == 0) return false;
  const double free = (a.inverse_mass + b.inverse_mass) * squared_norm(row.linear) +
                      trace(a.inverse_inertia) * squared_norm(row.angular_a) +
                      trace(b.inverse_inertia) * squared_norm(row.angular_b);
  return !(own > kImmovable * free);
}

}  // namespace

/// Change of the speed of one row per impulse of the other.
double JointIsland::coupling(const Row& x, const Row& y) {
  double sum = 0.0;
  if (x.body_a == y.body_a)
    sum += dot(x.geometry.linear, y.move_a) + dot(x.geometry.angular_a, y.spin_a);
  if (x.body_a == y.body_b)
    sum -= dot(x.geometry.linear, y.move_b) + dot(x.geometry.angular_a, y.spin_b);
  if (x.body_b == y.body_a)
    sum -= dot(x.geometry.linear, y.move_a) + dot(x.geometry.angular_b, y.spin_a);
  if (x.body_b == y.body_b)
    sum += dot(x.geometry.linear, y.move_b) + dot(x.geometry.angular_b, y.spin_b);
  return sum;
}

double JointIsland::speed(const Row& row, std::span<const SolverBody> bodies) {
  const SolverBody& a = bodies[row.body_a];
  const SolverBody& b = bodies[row.body_b];
  return dot(row.geometry.linear, b.linear - a.linear) +
         (dot(row.geometry.angular_b, b.angular) - dot(row.geometry.angular_a, a.angular));
}

void JointIsland::apply(const Row& row, double impulse, std::span<SolverBody> bodies) {
  SolverBody& a = bodies[row.body_a];
  SolverBody& b = bodies[row.body_b];
  a.linear -= row.move_a * impulse;
  a.angular -= row.spin_a * impulse;
  b.linear += row.move_b * impulse;
  b.angular += row.spin_b * impulse;
}

void JointIsland::place(std::span<SteppedJoint> joints, const MovingBodies& moving) {
  for (const std::uint32_t number : joints_) {
    SteppedJoint& joint = joints[number];
    const double side = joint.rows.side;
    place_rows(*joint.definition, moving.place(joint.body_a),
               placed(moving.place(joint.body_b), joint.shift), 0.0, joint.rows);
    // The other limit has no load yet.
    if (joint.rows.side != side) joint.impulse[kLimitRow] = 0.0;
    for (std::size_t slot = 0; slot < joint.rows.row.size(); ++slot) {
      const JointRow& row = joint.rows.row[slot];
      const double most =
          joint.most_correction * (is_linear(slot, *joint.definition) ? joint.size : 1.0);
      const double error = row.kind == RowKind::limited ? std::min(row.error, 0.0) : row.error;
      joint.left[slot] = error - std::clamp(error, -most, most);
    }
  }
  collect_rows(joints, moving.solver_bodies());
  fill_matrix();
}

void JointIsland::collect_rows(std::span<const SteppedJoint> joints,
                               std::span<const SolverBody> bodies) {
  rows_.clear();
  first_row_.clear();
  for (const std::uint32_t number : joints_) {
    const SteppedJoint& joint = joints[number];
    const SolverBody& a = bodies[joint.body_a];
    const SolverBody& b = bodies[joint.body_b];
    first_row_.push_back(static_cast<std::uint32_t>(rows_.size()));
    for (std::size_t slot = 0; slot < joint.rows.row.size(); ++slot) {
      const JointRow& row = joint.rows.row[slot];
      if (row.kind == RowKind::none) continue;
      Row r;
      r.joint = number;
      r.slot = static_cast<std::uint32_t>(slot);
      r.body_a = joint.body_a;
      r.body_b = joint.body_b;
      r.geometry = row;
      r.move_a = pushed(a, row.linear);
      r.spin_a = a.inverse_inertia * row.angular_a;
      r.move_b = pushed(b, row.linear);
      r.spin_b = b.inverse_inertia * row.angular_b;
      const bool bounded = row.kind == RowKind::driven || row.kind == RowKind::drawn;
      r.upper = bounded ? joint.most_motor : kInfinity;
      r.lower = row.kind == RowKind::limited ? 0.0 : -r.upper;
      const double own = coupling(r, r);
      if (is_immovable(row, own, a, b)) continue;
      r.softness = row.kind == RowKind::sprung  ? joint.softness
                   : row.kind == RowKind::drawn ? joint.drive_softness
                                                : kSoftness * own;
      if (closed_ && slot < kAngularRows && row.kind == RowKind::held) r.give = kGive * own;
      rows_.push_back(r);
    }
  }
}

void JointIsland::fill_matrix() {
  std::vector<std::uint32_t> first(rows_.size());
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const std::size_t end = k + 1 < joints_.size() ? first_row_[k + 1] : rows_.size();
    for (std::size_t i = first_row_[k]; i < end; ++i) first[i] = first_row_[reach_[k]];
  }
  matrix_.start(first);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (std::size_t j = first[i]; j <= i; ++j) matrix_.at(i, j) = coupling(rows_[i], rows_[j]);
    matrix_.at(i, i) += rows_[i].softness;
  }
  factored_.clear();
}

void JointIsland::note_springs(std::span<SteppedJoint> joints, std::span<const SolverBody> bodies,
                               double substep) const {
  for (const Row& row : rows_) {
    if (row.geometry.kind != RowKind::sprung) continue;
    SteppedJoint& joint = joints[row.joint];
    const double now = speed(row, bodies);
    const double force = joint.stiffness * row.geometry.error + joint.damper * now;
    joint.spring_speed = now - joint.softness * substep * force;
  }
}

void JointIsland::start(std::span<const SteppedJoint> joints, std::span<SolverBody> bodies) const {
  for (const Row& row : rows_) apply(row, joints[row.joint].impulse[row.slot], bodies);
}

/// Residual of the row of a motor, spring or drive: its speed less the speed that is asked for.
double JointIsland::own_residual(const Row& row, const SteppedJoint& joint,
                                 std::span<const SolverBody> bodies) {
  const double now = speed(row, bodies);
  if (row.geometry.kind == RowKind::driven) return now - joint.motor_speed;
  if (row.geometry.kind == RowKind::drawn)
    return now + row.softness * joint.impulse[row.slot] - row.asked;
  return now + row.softness * joint.impulse[row.slot] - joint.spring_speed;
}

/// Finds the residuals of all rows with the present velocities. Returns the largest one that is not
/// excused by a bound, over what counts as met.
double JointIsland::look_ahead(std::span<const SteppedJoint> joints, const MovingBodies& moving,
                               double substep) {
  const auto bodies = moving.solver_bodies();
  JointRows ahead;
  std::uint32_t looked = ~std::uint32_t{0};
  double worst = 0.0;
  for (Row& row : rows_) {
    const SteppedJoint& joint = joints[row.joint];
    const double impulse = joint.impulse[row.slot];
    if (asks_for_speed(row.geometry.kind)) {
      row.residual = own_residual(row, joint, bodies);
    } else {
      if (looked != row.joint)
        place_rows(*joint.definition, moving.place_at_end(joint.body_a),
                   placed(moving.place_at_end(joint.body_b), joint.shift), joint.rows.side, ahead);
      looked = row.joint;
      row.residual = (ahead.row[row.slot].error - joint.left[row.slot]) / substep;
    }
    const bool excused = (impulse >= row.upper && row.residual < 0.0) ||
                         (impulse <= row.lower && row.residual > 0.0);
    if (!excused)
      worst = std::max(worst, std::fabs(row.residual) * substep / tolerance(row.slot, joint));
  }
  return worst;
}

/// Rows at a bound that their residual draws outwards stay there.
void JointIsland::pin_at_bounds(std::span<const SteppedJoint> joints) {
  for (Row& row : rows_) {
    const double impulse = joints[row.joint].impulse[row.slot];
    row.pinned = row.idle || (impulse >= row.upper && row.residual <= 0.0) ||
                 (impulse <= row.lower && row.residual >= 0.0);
    row.change = row.pinned ? std::clamp(impulse, row.lower, row.upper) - impulse : 0.0;
  }
}

/// Factors of the matrix of the free rows.
void JointIsland::factor_free() {
  const std::size_t count = rows_.size();
  bool same = factored_.size() == count;
  for (std::size_t i = 0; i < count && same; ++i) same = (factored_[i] != 0) == rows_[i].pinned;
  if (same) return;
  factor_ = matrix_;
  for (std::size_t i = 0; i < count && giving_ > 0.0; ++i)
    factor_.at(i, i) += giving_ * rows_[i].give;
  factored_.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = matrix_.first(i); j < i; ++j)
      if (rows_[i].pinned || rows_[j].pinned) factor_.at(i, j) = 0.0;
    if (!rows_[i].pinned) continue;
    factored_[i] = 1;
    factor_.at(i, i) = 1.0;
  }
  factor_.factor();
}

void JointIsland::set_giving(double giving) {
  if (giving != giving_) factored_.clear();
  giving_ = giving;
}

/// How near the rows are to a place where some of them say the same and leave it again, in [0, 1].
double JointIsland::nearly_singular() {
  if (!closed_) return 0.0;
  set_giving(0.0);
  // Motors and limits give way by their bounds.
  for (Row& row : rows_) row.pinned = row.upper < kInfinity || row.lower > -kInfinity;
  factor_free();
  EnvelopeCholesky softer = matrix_;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (std::size_t j = matrix_.first(i); j < i; ++j)
      if (factored_[i] != 0 || factored_[j] != 0) softer.at(i, j) = 0.0;
    softer.at(i, i) += (kSofter - 1.0) * kSoftness / (1.0 + kSoftness) * matrix_.at(i, i);
  }
  softer.factor();
  double least = kInfinity;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double left = factor_.at(i, i) * factor_.at(i, i);
    const bool repeated = softer.at(i, i) * softer.at(i, i) > kGrown * left;
    if (rows_[i].give > 0.0 && !repeated) least = std::min(least, left / matrix_.at(i, i));
  }
  const double ratio = least / kNearlySingular;
  return 1.0 / (1.0 + ratio * ratio);
}

/// Sets the speeds that drives ask for. With the mobility m that the other joints leave a drive of
/// softness s, what it asks for becomes its part m / (m + s) of it: no more than kMostDriven.
void JointIsland::limit_drives(std::span<const SteppedJoint> joints, double substep) {
  const auto is_drive = [](const Row& row) { return row.geometry.kind == RowKind::drawn; };
  if (std::none_of(rows_.begin(), rows_.end(), is_drive)) return;
  for (Row& row : rows_)
    row.pinned = row.geometry.kind == RowKind::limited || row.geometry.kind == RowKind::driven;
  factor_free();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    if (!is_drive(row)) continue;
    const SteppedJoint& joint = joints[row.joint];
    right_.assign(rows_.size(), 0.0);
    right_[i] = 1.0;
    factor_.solve(right_);
    // The inverse of m + s is on the diagonal of the inverse.
    const double part = 1.0 - row.softness * right_[i];
    const double most =
        kMostDriven / substep * (is_linear(row.slot, *joint.definition) ? joint.moving_size : 1.0);
    const double asked = -joint.drive_rate * row.geometry.error;
    row.asked = std::fabs(asked) * part > most ? std::copysign(most / part, asked) : asked;
  }
}

/// Changes of the free rows that take their residuals away, those of the pinned ones given.
void JointIsland::solve_free() {
  const std::size_t count = rows_.size();
  factor_free();
  right_.assign(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    if (!rows_[i].pinned) right_[i] -= rows_[i].residual;
    for (std::size_t j = matrix_.first(i); j < i; ++j) {
      if (rows_[j].pinned) right_[i] -= matrix_.at(i, j) * rows_[j].change;
      if (rows_[i].pinned) right_[j] -= matrix_.at(i, j) * rows_[i].change;
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    if (rows_[i].pinned) right_[i] = 0.0;
  factor_.solve(right_);
  for (std::size_t i = 0; i < count; ++i)
    if (!rows_[i].pinned) rows_[i].change = right_[i];
}

/// Puts rows of a kind that would pass a bound there. Were there any?
bool JointIsland::pin_beyond(std::span<const SteppedJoint> joints, RowKind kind) {
  bool any = false;
  for (Row& row : rows_) {
    if (row.pinned || row.geometry.kind != kind) continue;
    const double impulse = joints[row.joint].impulse[row.slot];
    const double wanted = impulse + row.change;
    const double possible = std::clamp(wanted, row.lower, row.upper);
    if (possible == wanted) continue;
    any = row.pinned = true;
    row.change = possible - impulse;
  }
  return any;
}

/// Frees rows at a bound that all changes together draw inwards. Were there any?
bool JointIsland::free_drawn_inwards(std::span<const SteppedJoint> joints) {
  bool any = false;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    if (!row.pinned || row.idle) continue;
    double left = row.residual;
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      if (i >= j ? j >= matrix_.first(i) : i >= matrix_.first(j))
        left += matrix_.at(std::max(i, j), std::min(i, j)) * rows_[j].change;
    }
    const double impulse = joints[row.joint].impulse[row.slot] + row.change;
    const bool inwards = impulse <= row.lower ? left < 0.0 : left > 0.0;
    const double within = std::fabs(left) / matrix_.at(i, i);
    if (!inwards || !(within > kDrawn * (std::fabs(impulse) + std::fabs(row.change)))) continue;
    row.pinned = false;
    any = true;
  }
  return any;
}

/// Impulses that take the residuals away within the bounds.
void JointIsland::correct(std::span<SteppedJoint> joints, std::span<SolverBody> bodies) {
  for (Row& row : rows_) {
    if (!gives_way(row.geometry.kind))
      row.residual += (row.softness + giving_ * row.give) * joints[row.joint].impulse[row.slot];
  }
  pin_at_bounds(joints);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    solve_free();
    // Limits are released before motors reach their bounds: a limit may have been what a motor
    // pressed against.
    if (!pin_beyond(joints, RowKind::limited) && !pin_beyond(joints, RowKind::driven) &&
        !pin_beyond(joints, RowKind::drawn) && !free_drawn_inwards(joints))
      break;
  }
  for (Row& row : rows_) {
    const double impulse = joints[row.joint].impulse[row.slot];
    row.change = std::clamp(impulse + row.change, row.lower, row.upper) - impulse;
  }
  for (const Row& row : rows_) {
    joints[row.joint].impulse[row.slot] += row.change;
    apply(row, row.change, bodies);
  }
}

void JointIsland::solve(std::span<SteppedJoint> joints, MovingBodies& moving, double substep) {
  for (Row& row : rows_) {
    row.before = joints[row.joint].impulse[row.slot];
    row.idle = false;
  }
  set_giving(nearly_singular());
  limit_drives(joints, substep);
  double last = kInfinity;
  for (int i = 0; i < kMostCorrections; ++i) {
    const double worst = look_ahead(joints, moving, substep);
    if (!(worst > 1.0)) return;
    if (!(worst < kConvergence * last)) {
      last = worst;
      break;
    }
    last = worst;
    correct(joints, moving.solver_bodies());
  }
  if (last * kMet > kNearlyMet) solve_linear(joints, moving.solver_bodies(), substep);
}

/// Takes back what `solve` has done, and follows the errors to first order instead.
void JointIsland::solve_linear(std::span<SteppedJoint> joints, std::span<SolverBody> bodies,
                               double substep) {
  for (Row& row : rows_) {
    double& impulse = joints[row.joint].impulse[row.slot];
    apply(row, -impulse, bodies);
    impulse = 0.0;
  }
  for (Row& row : rows_) {
    if (asks_for_speed(row.geometry.kind)) {
      row.residual = own_residual(row, joints[row.joint], bodies);
    } else {
      const double left = joints[row.joint].left[row.slot];
      row.residual = speed(row, bodies) + (row.geometry.error - left) / substep;
    }
  }
  correct(joints, bodies);
}

void JointIsland::relax(std::span<SteppedJoint> joints, std::span<SolverBody> bodies) {
  set_giving(0.0);
  for (Row& row : rows_) {
    const RowKind kind = row.geometry.kind;
    const SteppedJoint& joint = joints[row.joint];
    row.residual = speed(row, bodies);
    if (kind == RowKind::driven) row.residual -= joint.motor_speed;
  }
  for (Row& row : rows_) {
    const bool rests =
        row.geometry.kind == RowKind::limited && joints[row.joint].impulse[row.slot] == 0.0;
    row.idle = gives_way(row.geometry.kind) || rests;
  }
  correct(joints, bodies);
}

bool JointIsland::is_bound(const Row& row, std::span<const SteppedJoint> joints) const {
  const double impulse = joints[row.joint].impulse[row.slot];
  return row.idle || impulse >= row.upper || impulse <= row.lower;
}

bool JointIsland::came_to_bound(std::span<const SteppedJoint> joints) const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [&](const Row& row) { return !row.bound && is_bound(row, joints); });
}

double JointIsland::pull(std::span<const SteppedJoint> joints, double substep) const {
  double most = 0.0;
  for (const Row& row : rows_) {
    const SteppedJoint& joint = joints[row.joint];
    if (row.geometry.kind != RowKind::held || !is_linear(row.slot, *joint.definition)) continue;
    const double way = std::fabs(joint.impulse[row.slot]) * coupling(row, row) * substep;
    most = std::max(most, way / joint.moving_size);
  }
  return most;
}

void JointIsland::find_response(std::span<const SteppedJoint> joints,
                                std::span<const SolverBody> bodies,
                                std::span<const std::uint32_t> pushed, bool again,
                                std::vector<double>& response) {
  for (Row& row : rows_) {
    row.pinned = row.bound = (again && row.bound) || is_bound(row, joints);
    row.change = 0.0;
    row.kept = speed(row, bodies);
  }
  factor_free();
  response.clear();
  for (const std::uint32_t body : pushed) {
    for (int component = 0; component < 6; ++component) {
      Vec3 unit[2];
      unit[component / 3][component % 3] = 1.0;
      right_.assign(rows_.size(), 0.0);
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        if (row.pinned) continue;
        if (row.body_a == body) right_[i] -= dot(row.move_a, unit[0]) + dot(row.spin_a, unit[1]);
        if (row.body_b == body) right_[i] += dot(row.move_b, unit[0]) + dot(row.spin_b, unit[1]);
      }
      factor_.solve(right_);
      for (const std::uint32_t other : pushed) {
        SolverBody answer;
        if (other == body) {
          answer.linear = detail::pushed(bodies[body], unit[0]);
          answer.angular = bodies[body].inverse_inertia * unit[1];
        }
        for (std::size_t i = 0; i < rows_.size(); ++i) {
          const Row& row = rows_[i];
          if (row.body_a == other) {
            answer.linear += row.move_a * right_[i];
            answer.angular += row.spin_a * right_[i];
          }
          if (row.body_b == other) {
            answer.linear -= row.move_b * right_[i];
            answer.angular -= row.spin_b * right_[i];
          }
        }
        for (int i = 0; i < 3; ++i) response.push_back(answer.linear[i]);
        for (int i = 0; i < 3; ++i) response.push_back(answer.angular[i]);
      }
    }
  }
}

void JointIsland::answer(std::span<SteppedJoint> joints, std::span<SolverBody> bodies) {
  for (Row& row : rows_) {
    row.pinned = row.bound;
    row.change = 0.0;
    row.residual = speed(row, bodies) - row.kept;
  }
  solve_free();
  for (const Row& row : rows_) {
    joints[row.joint].impulse[row.slot] += row.change;
    apply(row, row.change, bodies);
  }
}

void JointIsland::note_pulls(std::span<SteppedJoint> joints, std::span<const SolverBody> bodies,
                             double substep) const {
  for (const Row& row : rows_) {
    if (row.geometry.kind != RowKind::sprung) continue;
    SteppedJoint& joint = joints[row.joint];
    joint.pull = (0.25 * substep * substep * joint.stiffness) *
                 (speed(row, bodies) - 2.0 / substep * row.geometry.error);
  }
}

// The trapezoidal rule v' - v = (h/2) (a + a'), x' - x = (h/2) (v + v') has the velocity v - (h/4)
// (a_before + a) in the middle of the substep before. Of a spring, that is k (2 x - h v_middle) / 4
// of h, where both know the same: forwards the velocity in the middle, backwards to find it.
void JointIsland::to_end(std::span<const SteppedJoint> joints, std::span<SolverBody> bodies) {
  for (Row& row : rows_) {
    row.pinned = row.geometry.kind != RowKind::held;
    row.change = row.geometry.kind == RowKind::sprung ? joints[row.joint].pull : 0.0;
    row.residual = speed(row, bodies);
  }
  solve_free();
  for (const Row& row : rows_) apply(row, row.change, bodies);
}

void JointIsland::to_middle(std::span<const SteppedJoint> joints, std::span<SolverBody> bodies,
                            double substep) {
  const EnvelopeCholesky kept = matrix_;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    const bool sprung = row.geometry.kind == RowKind::sprung;
    row.pinned = !sprung && row.geometry.kind != RowKind::held;
    row.change = 0.0;
    row.residual = speed(row, bodies);
    if (!sprung) continue;
    row.residual -= 2.0 / substep * row.geometry.error;
    // Without the damper.
    matrix_.at(i, i) += 4.0 / (substep * substep * joints[row.joint].stiffness) - row.softness;
  }
  factored_.clear();
  solve_free();
  for (const Row& row : rows_) apply(row, row.change, bodies);
  matrix_ = kept;
  factored_.clear();
}

}  // namespace tactus::detail
