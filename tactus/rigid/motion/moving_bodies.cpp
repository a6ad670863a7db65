#include "tactus/rigid/motion/moving_bodies.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core.hpp"
#include "tactus/math/turned.hpp"
#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/body/locks.hpp"

namespace tactus::detail {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
/// Grain size (bodies) of the loops over moving bodies.
constexpr std::size_t kMovedTogether = 128;
/// A body may stray from its path by these parts of the contact margin's length, and of the way
/// that it was foreseen to go.
constexpr double kStrayThreshold = 0.5;
constexpr double kStrayTravel = 0.125;
/// Safety factor, for rounding, of a bound on lengths that takes no root.
constexpr double kSlower = 0.9;
/// Further straying that is allowed, relative to half of the body's smallest extent.
constexpr double kStrayThickness = 0.05;
/// A change that grows by as much from substep to substep, but for this part, goes on to do so.
constexpr double kSmooth = 0.5;
/// The velocities of a body that rolls are brought to its energy where they differ from it by less
/// than this part; more is no error of second order.
constexpr double kMostWorked = 0.02;

int count_locked(const std::array<bool, 3>& axes) {
  return static_cast<int>(std::count(axes.begin(), axes.end(), true));
}

}  // namespace

Vec3 outside_acceleration(const Body& body, const WorldSettings& settings) {
  if (!body.is_awake()) return {};
  return along_free(body.lock().linear, settings.gravity * body.gravity_scale() +
                                            body.total_force() * body.inverse_mass());
}

double straying(const Body& body, const WorldSettings& settings, double time) {
  if (!body.is_awake()) return 0.0;
  const double travel =
      (norm(body.linear_velocity()) + norm(body.angular_velocity()) * body.radius()) * time;
  return kStrayThreshold * settings.contact_margin * body.size() + kStrayTravel * travel +
         norm(outside_acceleration(body, settings)) * time * time;
}

template <class Change>
void MovingBodies::for_each(const Change& change) {
  parallel_for(
      movers_.size(), kMovedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (Mover& mover : std::span(movers_).subspan(begin, end - begin))
          change(mover, solver_bodies_[mover.body]);
      },
      max_threads_, Schedule::steady);
}

template <class Change>
void MovingBodies::for_each(Slabs slabs, const Change& change) {
  const std::size_t first = first_[slabs.first], count = first_[slabs.last] - first;
  // A part that has all slabs is the only one of its turn.
  const bool in_part = slabs.last < apart().last && slabs.last - slabs.first < in_slabs().last;
  parallel_for(
      count, in_part ? count : kMovedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (Mover& mover : std::span(movers_).subspan(first + begin, end - begin))
          change(mover, solver_bodies_[mover.body]);
      },
      max_threads_, Schedule::steady);
}

void MovingBodies::load(std::span<const Body> bodies, const WorldSettings& settings, double time) {
  bodies_ = bodies;
  substep_ = settings.time_step / settings.substeps;
  max_threads_ = settings.max_threads;
  strayed_ = false;
  SolverBody still;
  still.left = substep_;
  solver_bodies_.resize(bodies.size());
  ends_.resize(bodies.size());
  motions_.assign(bodies.size(), {});
  mover_of_.assign(bodies.size(), kNone);
  parallel_for(
      bodies.size(), kMovedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) solver_bodies_[i] = still;
      },
      max_threads_, Schedule::steady);
  movers_.clear();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].type() == BodyType::fixed || bodies[i].is_asleep()) {
      // One that wakes within the step learns from nothing that was before.
      ends_[i].changes = {};
      continue;
    }
    mover_of_[i] = static_cast<std::uint32_t>(movers_.size());
    movers_.emplace_back().body = static_cast<std::uint32_t>(i);
  }
  for_each([&](Mover& mover, SolverBody& solver_body) {
    const Body& body = bodies[mover.body];
    const Mat3& axes = body.pose().rotation();
    solver_body.linear = body.linear_velocity();
    solver_body.angular = body.angular_velocity();
    if (std::isfinite(body.radius())) solver_body.radius = body.radius();
    Ends& ends = ends_[mover.body];
    ends.torque = body.total_torque();
    ends.linear_ahead = body.motion().linear_ahead;
    ends.angular_ahead = body.motion().angular_ahead;
    // About one axis of the world every body turns steadily.
    const int locked = count_locked(body.lock().angular);
    mover.top = body.is_dynamic() && !body.has_isotropic_inertia() && locked < 2;
    mover.held = mover.top && locked == 1;
    mover.twisted = body.is_dynamic() && ends.torque != Vec3{};
    mover.position = body.center_of_mass();
    mover.rotation = {body.motion().orientation, axes, {}};
    mover.linear = body.linear_velocity();
    mover.angular = body.angular_velocity();
    mover.acceleration = outside_acceleration(body, settings);
    mover.keep_linear =
        1.0 / (1.0 + body.linear_damping().value_or(settings.linear_damping) * substep_);
    mover.keep_angular =
        1.0 / (1.0 + body.angular_damping().value_or(settings.angular_damping) * substep_);
    mover.straying = straying(body, settings, time) + kStrayThickness * body.rolling_radius();
    if (!body.is_dynamic()) return;
    solver_body.inverse_mass = body.inverse_mass();
    solver_body.inverse_inertia = turning_by_torque(body, axes);
    solver_body.locked = bits_of(body.lock());
  });
}

void MovingBodies::group(const SolverBlocks& blocks, const Columns& columns,
                         std::span<const char> apart) {
  const std::size_t slabs = blocks.slabs();
  first_.assign(slabs + 2, 0);
  slabs_.clear();
  for (const Mover& mover : movers_) {
    const bool aside = apart[mover.body] != 0 || solver_bodies_[mover.body].inverse_mass == 0.0;
    const std::size_t slab = aside ? slabs : blocks.slab(columns, mover.body);
    slabs_.push_back(static_cast<std::uint32_t>(slab));
    ++first_[slab + 1];
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  grouped_.resize(movers_.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < movers_.size(); ++i) mover_of_[movers_[i].body] = next[slabs_[i]]++;
  for_each([&](const Mover& mover, const SolverBody& /*body*/) {
    grouped_[mover_of_[mover.body]] = mover;
  });
  movers_.swap(grouped_);
}

void MovingBodies::to_middle(std::span<const Carried> carried) {
  const double half = 0.5 * substep_;
  for_each([&](const Mover& mover, SolverBody& body) {
    Ends& ends = ends_[mover.body];
    ends.changes = {};
    const bool alone = carried[mover.body] == Carried::no;
    body.linear -= alone ? mover.acceleration * half : ends.linear_ahead;
    body.angular -= alone ? body.inverse_inertia * ends.torque * half : ends.angular_ahead;
  });
}

double MovingBodies::energy(const Mover& mover, const Vec3& linear, const Vec3& angular) const {
  const BodyMass& mass = bodies_[mover.body].mass();
  const Vec3 local = transpose_times(mover.rotation.axes, angular);
  return squared_norm(linear) + dot(local, mass.inertia * local) * (1.0 / mass.mass);
}

double MovingBodies::worked(const Mover& mover, const SolverBody& body, double work,
                            const VelocityChange& end) const {
  const double now = energy(mover, end.linear, end.angular);
  const double due = energy(mover, body.linear, body.angular) +
                     dot(mover.acceleration, body.linear) * substep_ +
                     2.0 * work * body.inverse_mass;
  const double factor = std::sqrt(due / now);
  return std::fabs(factor - 1.0) <= kMostWorked ? factor : 1.0;
}

void MovingBodies::to_end(std::span<const Carried> carried, std::span<const Rolling> rolling) {
  const double half = 0.5 * substep_;
  for_each([&](const Mover& mover, SolverBody& body) {
    Ends& ends = ends_[mover.body];
    ends.linear_ahead = ends.angular_ahead = {};
    if (!(body.inverse_mass > 0.0) || carried[mover.body] == Carried::by_joints) return;
    Vec3 linear = mover.acceleration * half, angular = body.inverse_inertia * ends.torque * half;
    if (carried[mover.body] == Carried::by_contacts) {
      const Changes& changes = ends.changes;
      const VelocityChange& last = changes.last;
      const bool rolls = rolling[mover.body].rolls && !mover.twisted;
      if (rolls && changes.smooth) {
        linear += (last.linear + (changes.trend.linear + changes.bend.linear)) * 0.5;
        angular += (last.angular + (changes.trend.angular + changes.bend.angular)) * 0.5;
      } else {
        linear += last.linear * (0.5 * changes.steady);
        angular += last.angular * (0.5 * changes.steady);
      }
      if (rolls) {
        const Vec3 end = body.linear + linear, spin = body.angular + angular;
        const double factor = worked(mover, body, rolling[mover.body].work, {end, spin});
        linear = end * factor - body.linear;
        angular = spin * factor - body.angular;
      }
      ends.linear_ahead = linear;
      ends.angular_ahead = angular;
    }
    body.linear += linear;
    body.angular += angular;
  });
}

void MovingBodies::integrate_velocities(Slabs slabs) {
  for_each(slabs, [&](Mover& mover, SolverBody& body) {
    begin_contacts(mover, body);
    if (body.inverse_mass > 0.0) {
      body.linear = (body.linear + mover.acceleration * substep_) * mover.keep_linear;
      if (mover.twisted) body.angular += body.inverse_inertia * ends_[mover.body].torque * substep_;
      body.angular *= mover.keep_angular;
    }
    motions_[mover.body] = {most_length(body.shift) + most_length(body.rotation) * body.radius,
                            most_length(body.linear) + most_length(body.angular) * body.radius};
  });
}

void MovingBodies::take_back_velocities(Slabs slabs) {
  for_each(slabs, [](const Mover& mover, SolverBody& body) {
    body.linear = mover.seen_linear;
    body.angular = mover.seen_angular;
  });
}

void MovingBodies::warm_start(Slabs slabs, bool noting) {
  for_each(slabs, [&](Mover& mover, SolverBody& body) {
    if (noting) {
      ends_[mover.body].noted_linear = body.linear;
      ends_[mover.body].noted_angular = body.angular;
    }
    body.linear += pushed(body, body.impulse);
    body.angular += body.inverse_inertia * body.angular_impulse;
    begin_contacts(mover, body);
  });
}

void MovingBodies::begin_contacts(Mover& mover, const SolverBody& body) {
  mover.seen_linear = body.linear;
  mover.seen_angular = body.angular;
}

void MovingBodies::begin_contacts(Slabs slabs) {
  for_each(slabs, [](Mover& mover, const SolverBody& body) { begin_contacts(mover, body); });
}

void MovingBodies::end_contacts(const Mover& mover, SolverBody& body) const {
  if (!(body.inverse_mass > 0.0)) return;
  body.impulse += (body.linear - mover.seen_linear) * (1.0 / body.inverse_mass);
  const Vec3 turned = body.angular - mover.seen_angular;
  if (mover.top || body.locked != 0) {
    const Mat3& axes = mover.rotation.axes;
    body.angular_impulse +=
        axes * (bodies_[mover.body].mass().inertia * transpose_times(axes, turned));
  } else {
    body.angular_impulse += turned * (1.0 / body.inverse_inertia(0, 0));
  }
}

/// Notes how contacts changed the velocities in all, how much of that the last substep had, and
/// whether the difference goes on.
void MovingBodies::note_change(Ends& ends, const SolverBody& body) {
  const Changes old = ends.changes;
  Changes& now = ends.changes;
  now.last = {body.linear - ends.noted_linear, body.angular - ends.noted_angular};
  ++now.known;
  if (old.known == 0) return;
  const double size = now.last.size(body), before = old.last.size(body);
  if (before != size)
    now.steady = std::min(old.steady, std::min(before, size) / std::max(before, size));
  now.trend = difference(now.last, old.last);
  now.bend = difference(now.trend, old.trend);
  now.smooth = old.known > 1 && now.bend.size(body) <= kSmooth * now.trend.size(body);
}

bool MovingBodies::strays(const Mover& mover, const SolverBody& body, double elapsed) const {
  if (!(body.inverse_mass > 0.0)) return false;
  const Vec3 aside = body.shift - mover.linear * elapsed;
  const Vec3 turned = body.rotation - mover.angular * elapsed;
  const Vec3 faster = body.linear - mover.linear, spun = body.angular - mover.angular;
  // Most bodies keep to their path: no root is needed to see it.
  const double most = (most_length(aside) + most_length(turned) * body.radius) +
                      (most_length(faster) + most_length(spun) * body.radius) * substep_;
  if (most < kSlower * mover.straying) return false;
  const double next = norm(faster) + norm(spun) * body.radius;
  return norm(aside) + norm(turned) * body.radius + next * substep_ > mover.straying;
}

void MovingBodies::end_substep(Slabs slabs, bool noting, double elapsed) {
  for_each(slabs, [&](const Mover& mover, SolverBody& body) {
    end_contacts(mover, body);
    if (noting) note_change(ends_[mover.body], body);
    if (strays(mover, body, elapsed)) strayed_.store(true, std::memory_order_relaxed);
  });
}

Vec3 MovingBodies::acceleration(std::uint32_t body) const {
  return mover_of_[body] == kNone ? Vec3{} : movers_[mover_of_[body]].acceleration;
}

Vec3 MovingBodies::advance(Mover& mover, SolverBody& body, double time) const {
  const Vec3 travel = body.linear * time;
  mover.position += travel;
  body.shift += travel;
  body.elapsed += time;
  body.rotation += body.angular * time;
  Vec3 turned;
  if (mover.top) {
    const Body& owner = bodies_[mover.body];
    mover.rotation.angular_velocity = body.angular;
    mover.rotation =
        mover.held
            ? rotate_about_two(mover.rotation, owner.mass().inertia, owner.lock().angular, time)
            : rotate_freely(mover.rotation, owner.mass().inertia, owner.inverse_inertia(), time);
    turned = mover.rotation.angular_velocity - body.angular;
    body.angular = mover.rotation.angular_velocity;
    body.inverse_inertia = turning_by_torque(owner, mover.rotation.axes);
  } else {
    mover.rotation.orientation = rotate_steadily(mover.rotation.orientation, body.angular, time);
  }
  return turned;
}

void MovingBodies::advance(std::uint32_t body, double time) {
  if (mover_of_[body] != kNone)
    ends_[body].noted_angular += advance(movers_[mover_of_[body]], solver_bodies_[body], time);
}

MovingBodies::Copy MovingBodies::copy(std::uint32_t body) const {
  const std::uint32_t mover = mover_of_[body];
  return {body, mover == kNone ? Mover{} : movers_[mover], solver_bodies_[body],
          ends_[body].noted_angular};
}

void MovingBodies::restore(const Copy& copy) {
  const std::uint32_t mover = mover_of_[copy.body];
  if (mover != kNone) movers_[mover] = copy.mover;
  solver_bodies_[copy.body] = copy.solver_body;
  ends_[copy.body].noted_angular = copy.noted_angular;
}

void MovingBodies::set_changes(std::span<const Changes> changes) {
  ends_.resize(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) ends_[i].changes = changes[i];
}

MovingBodies::Flight MovingBodies::flight(std::uint32_t body) const {
  const Mover& mover = movers_[mover_of_[body]];
  const SolverBody& b = solver_bodies_[body];
  return {mover.position, mover.rotation, b.linear,          b.angular,
          b.shift,        b.rotation,     b.inverse_inertia, ends_[body].noted_angular};
}

void MovingBodies::set_flight(std::uint32_t body, const Flight& flight) {
  Mover& mover = movers_[mover_of_[body]];
  SolverBody& b = solver_bodies_[body];
  mover.position = flight.position;
  mover.rotation = flight.rotation;
  b.linear = flight.linear;
  b.angular = flight.angular;
  b.shift = flight.shift;
  b.rotation = flight.turned;
  b.inverse_inertia = flight.inverse_inertia;
  ends_[body].noted_angular = flight.noted_angular;
}

void MovingBodies::go_ahead(std::uint32_t body, double time, bool held) {
  advance(body, time);
  SolverBody& moved = solver_bodies_[body];
  moved.left = held ? 0.0 : substep_ - time;
  if (held) moved.elapsed += substep_ - time;
}

void MovingBodies::integrate_positions(Slabs slabs) {
  for_each(slabs, [&](Mover& mover, SolverBody& body) {
    end_contacts(mover, body);
    const Vec3 turned = advance(mover, body, body.left);
    if (mover.top) ends_[mover.body].noted_angular += turned;
    body.left = substep_;
    begin_contacts(mover, body);
  });
}

Pose MovingBodies::pose_ahead(std::uint32_t body, double time) const {
  const Body& owner = bodies_[body];
  if (mover_of_[body] == kNone) return owner.pose();
  Mover mover = movers_[mover_of_[body]];
  SolverBody motion = solver_bodies_[body];
  advance(mover, motion, time);
  return place(mover).pose;
}

Course MovingBodies::course(std::uint32_t body) const {
  SolverBody motion = solver_bodies_[body];
  Course result;
  if (mover_of_[body] == kNone) {
    result.ahead = bodies_[body].pose();
    result.center_ahead = bodies_[body].center_of_mass();
    return result;
  }
  Mover mover = movers_[mover_of_[body]];
  result.linear_before = motion.linear - mover.acceleration * substep_;
  result.angular_before = motion.angular;
  result.linear_after = motion.linear += motion.impulse * motion.inverse_mass;
  result.angular_after = motion.angular += motion.inverse_inertia * motion.angular_impulse;
  result.linear = (result.linear_before + result.linear_after) * 0.5;
  result.angular = (result.angular_before + result.angular_after) * 0.5;
  result.turned = advance(mover, motion, substep_) * 0.5;
  const BodyPlace ahead = place(mover);
  result.ahead = ahead.pose;
  result.center_ahead = ahead.center;
  return result;
}

BodyPlace MovingBodies::place(const Mover& mover) const {
  const Mat3 axes = to_matrix(mover.rotation.orientation);
  const Vec3& center = bodies_[mover.body].mass().center;
  return {unchecked_pose(mover.position - axes * center, axes), mover.position};
}

BodyPlace MovingBodies::place(std::uint32_t body) const {
  if (mover_of_[body] == kNone) return {bodies_[body].pose(), bodies_[body].center_of_mass()};
  return place(movers_[mover_of_[body]]);
}

BodyPlace MovingBodies::place_at_end(std::uint32_t body) const {
  if (mover_of_[body] == kNone) return place(body);
  Mover mover = movers_[mover_of_[body]];
  SolverBody motion = solver_bodies_[body];
  advance(mover, motion, motion.left);
  return place(mover);
}

void MovingBodies::store(std::span<Body> bodies) {
  for_each([&](const Mover& mover, const SolverBody& body) {
    Body& owner = bodies[mover.body];
    BodyAccess::set_motion(owner, {owner.id(),
                                   mover.position,
                                   mover.rotation.orientation,
                                   body.linear,
                                   body.angular,
                                   {},
                                   {},
                                   owner.motion().rest_time});
  });
}

void MovingBodies::store_velocities(std::span<Body> bodies) {
  for_each([&](const Mover& mover, const SolverBody& body) {
    const Ends& ends = ends_[mover.body];
    Body& owner = bodies[mover.body];
    BodyAccess::set_motion(
        owner, {owner.id(), mover.position, mover.rotation.orientation, body.linear, body.angular,
                ends.linear_ahead, ends.angular_ahead, owner.motion().rest_time});
  });
}

}  // namespace tactus::detail
