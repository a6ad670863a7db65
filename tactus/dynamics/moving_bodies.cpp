#include "tactus/dynamics/moving_bodies.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core.hpp"
#include "tactus/math/turned.hpp"

namespace tactus::detail {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
/// Bodies that are moved one after the other on a thread.
constexpr std::size_t kMovedTogether = 128;
/// A body may stray from its path by these parts of the contact threshold's length, and of the way
/// that it was foreseen to go.
constexpr double kStrayThreshold = 0.5;
constexpr double kStrayTravel = 0.125;
/// What a bound without roots leaves for rounding.
constexpr double kSlower = 0.9;
/// What may be missed besides, in half of the body's smallest extent.
constexpr double kStrayThickness = 0.05;

}  // namespace

Vec3 outside_acceleration(const Body& body, const WorldSettings& settings) {
  return body.is_awake() ? settings.gravity + body.total_force() * body.inverse_mass() : Vec3{};
}

double straying(const Body& body, const WorldSettings& settings, double time) {
  if (!body.is_awake()) return 0.0;
  const double travel =
      (norm(body.linear_velocity()) + norm(body.angular_velocity()) * body.radius()) * time;
  return kStrayThreshold * settings.contact_threshold * body.size() + kStrayTravel * travel +
         norm(outside_acceleration(body, settings)) * time * time;
}

void MovingBodies::load(std::span<const Body> bodies, const WorldSettings& settings, double time) {
  bodies_ = bodies;
  substep_ = settings.time_step / settings.substeps;
  max_threads_ = settings.max_threads;
  keep_linear_ = 1.0 / (1.0 + settings.linear_damping * substep_);
  keep_angular_ = 1.0 / (1.0 + settings.angular_damping * substep_);
  SolverBody still;
  still.left = substep_;
  solver_bodies_.assign(bodies.size(), still);
  mover_of_.assign(bodies.size(), kNone);
  movers_.clear();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (body.type() == BodyType::fixed || body.is_asleep()) continue;
    const Mat3& axes = body.pose().rotation();
    SolverBody& solver_body = solver_bodies_[i];
    solver_body.linear = body.linear_velocity();
    solver_body.angular = body.angular_velocity();
    solver_body.radius = body.radius();
    solver_body.steady_inertia = !(body.is_moving() && !body.has_isotropic_inertia());
    mover_of_[i] = static_cast<std::uint32_t>(movers_.size());
    movers_.push_back({static_cast<std::uint32_t>(i),
                       body.is_moving() && !body.has_isotropic_inertia(),
                       body.center_of_mass(),
                       {body.motion().orientation, axes, {}},
                       body.linear_velocity(),
                       body.angular_velocity(),
                       body.total_torque(),
                       straying(body, settings, time) + kStrayThickness * body.rolling_radius(),
                       body.motion().linear_ahead,
                       body.motion().angular_ahead,
                       {},
                       {}});
    if (!body.is_moving()) continue;
    solver_body.inverse_mass = body.inverse_mass();
    solver_body.inverse_inertia = to_world_axes(body.inverse_inertia(), axes);
    solver_body.acceleration = outside_acceleration(body, settings);
  }
}

void MovingBodies::group(std::span<const std::uint32_t> slabs) {
  first_.clear();
  for (const Mover& mover : movers_) {
    const std::size_t next = slabs[mover.body] + 1;
    if (first_.size() <= next) first_.resize(next + 1, 0);
    ++first_[next];
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  grouped_.resize(movers_.size());
  for (const Mover& mover : movers_) {
    const std::uint32_t place = first_[slabs[mover.body]]++;
    grouped_[place] = mover;
    mover_of_[mover.body] = place;
  }
  movers_.swap(grouped_);
}

void MovingBodies::to_middle(std::span<const Carried> carried) {
  pushes_.assign(solver_bodies_.size(), {});
  const double half = 0.5 * substep_;
  for (const Mover& mover : movers_) {
    SolverBody& body = solver_bodies_[mover.body];
    const bool alone = carried[mover.body] == Carried::no;
    body.linear -= alone ? body.acceleration * half : mover.linear_ahead;
    body.angular -= alone ? body.inverse_inertia * mover.torque * half : mover.angular_ahead;
  }
}

void MovingBodies::note_velocities() {
  for (Mover& mover : movers_) {
    mover.noted_linear = solver_bodies_[mover.body].linear;
    mover.noted_angular = solver_bodies_[mover.body].angular;
  }
}

void MovingBodies::note_pushes() {
  for (const Mover& mover : movers_) {
    const SolverBody& body = solver_bodies_[mover.body];
    Push& push = pushes_[mover.body];
    const Vec3 linear = body.linear - mover.noted_linear;
    const Vec3 angular = body.angular - mover.noted_angular;
    const double before = norm(push.linear) + norm(push.angular) * body.radius;
    const double now = norm(linear) + norm(angular) * body.radius;
    const double ratio = before != now ? std::min(before, now) / std::max(before, now) : 1.0;
    push = {linear, angular, push.known ? std::min(push.steady, ratio) : 1.0, true};
  }
}

void MovingBodies::to_end(std::span<const Carried> carried) {
  const double half = 0.5 * substep_;
  for (Mover& mover : movers_) {
    SolverBody& body = solver_bodies_[mover.body];
    mover.linear_ahead = mover.angular_ahead = {};
    if (!(body.inverse_mass > 0.0) || carried[mover.body] == Carried::by_joints) continue;
    Vec3 linear = body.acceleration * half, angular = body.inverse_inertia * mover.torque * half;
    if (carried[mover.body] == Carried::by_contacts) {
      const Push& push = pushes_[mover.body];
      mover.linear_ahead = linear += push.linear * (0.5 * push.steady);
      mover.angular_ahead = angular += push.angular * (0.5 * push.steady);
    }
    body.linear += linear;
    body.angular += angular;
  }
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

void MovingBodies::kick() {
  for_each([&](const Mover& mover, SolverBody& body) {
    if (!(body.inverse_mass > 0.0)) return;
    body.linear = (body.linear + body.acceleration * substep_) * keep_linear_;
    body.angular = (body.angular + body.inverse_inertia * mover.torque * substep_) * keep_angular_;
  });
}

void MovingBodies::push() {
  for_each([](Mover& mover, SolverBody& body) {
    body.linear += body.push * body.inverse_mass;
    body.angular += body.inverse_inertia * body.twist;
    begin_contacts(mover, body);
  });
}

void MovingBodies::begin_contacts(Mover& mover, const SolverBody& body) {
  mover.seen_linear = body.linear;
  mover.seen_angular = body.angular;
}

void MovingBodies::begin_contacts() {
  for_each([](Mover& mover, const SolverBody& body) { begin_contacts(mover, body); });
}

void MovingBodies::end_contacts(const Mover& mover, SolverBody& body) const {
  if (!(body.inverse_mass > 0.0)) return;
  body.push += (body.linear - mover.seen_linear) * (1.0 / body.inverse_mass);
  const Vec3 turned = body.angular - mover.seen_angular;
  if (mover.top) {
    const Mat3& axes = mover.rotation.axes;
    body.twist += axes * (bodies_[mover.body].mass().inertia * transpose_times(axes, turned));
  } else {
    body.twist += turned * (1.0 / body.inverse_inertia(0, 0));
  }
}

void MovingBodies::end_contacts() {
  for_each([&](const Mover& mover, SolverBody& body) { end_contacts(mover, body); });
}

void MovingBodies::advance(Mover& mover, SolverBody& body, double time) const {
  const Vec3 travel = body.linear * time;
  mover.position += travel;
  body.shift += travel;
  body.turn += body.angular * time;
  if (mover.top) {
    const Body& owner = bodies_[mover.body];
    mover.rotation.angular_velocity = body.angular;
    mover.rotation =
        rotate_freely(mover.rotation, owner.mass().inertia, owner.inverse_inertia(), time);
    mover.noted_angular += mover.rotation.angular_velocity - body.angular;
    body.angular = mover.rotation.angular_velocity;
    body.inverse_inertia = to_world_axes(owner.inverse_inertia(), mover.rotation.axes);
  } else {
    mover.rotation.orientation = rotate_steadily(mover.rotation.orientation, body.angular, time);
  }
}

void MovingBodies::advance(std::uint32_t body, double time) {
  if (mover_of_[body] != kNone) advance(movers_[mover_of_[body]], solver_bodies_[body], time);
}

void MovingBodies::go_ahead(std::uint32_t body, double time, bool held) {
  advance(body, time);
  solver_bodies_[body].left = held ? 0.0 : substep_ - time;
}

void MovingBodies::drift() {
  for_each([&](Mover& mover, SolverBody& body) {
    end_contacts(mover, body);
    advance(mover, body, body.left);
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

bool MovingBodies::strayed(double elapsed) const {
  for (const Mover& mover : movers_) {
    const SolverBody& body = solver_bodies_[mover.body];
    if (!(body.inverse_mass > 0.0)) continue;
    const Vec3 aside = body.shift - mover.linear * elapsed;
    const Vec3 turned = body.turn - mover.angular * elapsed;
    const Vec3 faster = body.linear - mover.linear, spun = body.angular - mover.angular;
    // Most bodies keep to their path: no root is needed to see it.
    const double most = (most_length(aside) + most_length(turned) * body.radius) +
                        (most_length(faster) + most_length(spun) * body.radius) * substep_;
    if (most < kSlower * mover.straying) continue;
    const double next = norm(faster) + norm(spun) * body.radius;
    if (norm(aside) + norm(turned) * body.radius + next * substep_ > mover.straying) return true;
  }
  return false;
}

void MovingBodies::store(std::span<Body> bodies) const {
  for (const Mover& mover : movers_) {
    const SolverBody& body = solver_bodies_[mover.body];
    Body& owner = bodies[mover.body];
    owner.set_motion({owner.id(),
                      mover.position,
                      mover.rotation.orientation,
                      body.linear,
                      body.angular,
                      {},
                      {},
                      owner.motion().rest_time});
  }
}

void MovingBodies::store_velocities(std::span<Body> bodies) const {
  for (const Mover& mover : movers_) {
    const SolverBody& body = solver_bodies_[mover.body];
    Body& owner = bodies[mover.body];
    owner.set_motion({owner.id(), mover.position, mover.rotation.orientation, body.linear,
                      body.angular, mover.linear_ahead, mover.angular_ahead,
                      owner.motion().rest_time});
  }
}

}  // namespace tactus::detail
