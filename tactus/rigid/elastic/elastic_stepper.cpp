#include "tactus/rigid/elastic/elastic_stepper.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <variant>

#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/body/locks.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/motion/moving_bodies.hpp"

namespace tactus::detail {
namespace {

/// Patches, and bodies, that a thread takes at once.
constexpr std::size_t kPushedTogether = 64, kMovedTogether = 128;
/// Packs come to rest where the small steps are shorter than `rayleigh_part` allows by the damping
/// over this; above it dampers of several contacts throw a ball to and fro.
constexpr double kCalmDamping = 0.45;
/// More small steps than this take minutes for a few balls.
constexpr double kMostSmallSteps = 1e6;

const Sphere* ball(const Body& body) { return std::get_if<Sphere>(&body.shape().geometry()); }
bool is_ball(const Body& body) { return ball(body) != nullptr; }
double radius_of(const Body& body) { return ball(body)->radius(); }

/// Moment of inertia about a point of the surface of a ball.
double rolling_inertia(const Body& ball) {
  const double radius = radius_of(ball);
  return ball.mass().inertia(0, 0) + ball.mass().mass * radius * radius;
}

Quat turned_by(const Quat& q, const Vec3& turn) {
  return normalized(to_quaternion(rotation_by(turn)) * q);
}

}  // namespace

int ElasticStepper::count_steps() const {
  double shortest = settings_.time_step, restitution = rules_.least_restitution();
  for (const Body& body : bodies_) {
    if (!body.is_dynamic()) continue;
    restitution = std::min(restitution, body.material().restitution);
    const double radius = radius_of(body);
    const double density = body.mass().mass / (4.0 / 3.0 * kPi * radius * radius * radius);
    shortest = std::min(shortest, elastic_.rayleigh_part * law_.rayleigh_time(radius, density));
  }
  const double damping = ElasticLaw::damping_ratio(restitution);
  const double steps =
      std::ceil(settings_.time_step / shortest * std::max(1.0, damping / kCalmDamping));
  if (!(steps <= kMostSmallSteps))
    throw StepFault(StepError::motion, {},
                    "the springs of contacts ask for more than a million small steps: a softer "
                    "material, larger balls or a shorter time step");
  return std::max(1, static_cast<int>(steps));
}

void ElasticStepper::begin(double now) {
  elastic_ = settings_.elastic.value_or(ElasticContacts{});
  law_ = ElasticLaw(elastic_);
  steps_ = count_steps();
  small_step_ = settings_.time_step / steps_;
  done_ = 0;
  now_ = now;
  broad_ms_ = narrow_ms_ = 0.0;
  detect();
}

void ElasticStepper::find_patches(double time) {
  contacts_.set_now(now_ + small_step_ * done_);
  contacts_.detect(bodies_, settings_, rules_, time);
  broad_ms_ += contacts_.broad_ms();
  narrow_ms_ += contacts_.narrow_ms();
}

/// Finds the patches for what is left of the step.
void ElasticStepper::detect() {
  const double time = time_left();
  find_patches(time);
  since_detection_ = 0.0;
  courses_.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    courses_[i] = {body.center_of_mass(),
                   body.linear_velocity(),
                   outside_acceleration(body, settings_),
                   straying(body, settings_, time),
                   {},
                   {}};
  }
  list_parts();
  take_stretches();
  push(0.0);
}

ElasticPair ElasticStepper::pair_of(const ContactPatch& patch) {
  const Body &a = bodies_[patch.body_a], &b = bodies_[patch.body_b];
  double curvature = 0.0, inverse_inertia = 0.0;
  for (const Body* body : {&a, &b}) {
    if (is_ball(*body)) curvature += 1.0 / radius_of(*body);
    if (body->is_dynamic()) inverse_inertia += 1.0 / rolling_inertia(*body);
  }
  return {1.0 / curvature, 1.0 / (a.inverse_mass() + b.inverse_mass()), 1.0 / inverse_inertia,
          patch.rolling_radius, damping_ratio(patch.surface.restitution)};
}

/// Most patches have the restitution of the one before.
double ElasticStepper::damping_ratio(double restitution) {
  if (restitution != restitution_) {
    restitution_ = restitution;
    damping_ratio_ = ElasticLaw::damping_ratio(restitution);
  }
  return damping_ratio_;
}

/// How far springs are stretched follows from the forces that were remembered.
void ElasticStepper::take_stretches() {
  const auto patches = contacts_.patches();
  const auto impulses = contacts_.impulses();
  const double rate = settings_.substeps / settings_.time_step;
  touches_.resize(patches.size());
  pushes_.resize(patches.size());
  for (std::size_t i = 0; i < patches.size(); ++i) {
    Touch& touch = touches_[i];
    touch.last = {};
    touch.pair = pair_of(patches[i]);
    ElasticMeeting meeting;
    Vec3 point;
    touch.stretch = {};
    if (!meet(i, meeting, point)) continue;
    touch.stretch = law_.stretch(touch.pair, patches[i].surface, meeting.normal, meeting.depth,
                                 impulses[i].friction[0] * rate, impulses[i].rolling * rate);
  }
}

void ElasticStepper::list_parts() {
  const auto patches = contacts_.patches();
  first_.assign(bodies_.size() + 1, 0);
  const auto each = [&](const auto& act) {
    for (std::uint32_t i = 0; i < patches.size(); ++i) {
      if (bodies_[patches[i].body_a].is_dynamic()) act(patches[i].body_a, Part{i, false});
      if (bodies_[patches[i].body_b].is_dynamic()) act(patches[i].body_b, Part{i, true});
    }
  };
  each([&](std::uint32_t body, Part) { ++first_[body + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  parts_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  each([&](std::uint32_t body, Part part) { parts_[next[body]++] = part; });
}

/// Do the bodies of a patch overlap where they are now? Tells where and how.
bool ElasticStepper::meet(std::size_t patch, ElasticMeeting& meeting, Vec3& point) {
  const ContactPatch& p = contacts_.patches()[patch];
  const Body &a = bodies_[p.body_a], &b = bodies_[p.body_b];
  if (p.manifold.count == 0) return false;
  if (is_ball(a) && is_ball(b)) {
    const Vec3 way = b.center_of_mass() + p.shift - a.center_of_mass();
    const double apart = norm(way), radius_a = radius_of(a);
    meeting.depth = radius_a + radius_of(b) - apart;
    if (!(meeting.depth > 0.0)) return false;
    meeting.normal = apart > 0.0 ? way * (1.0 / apart) : p.manifold.normal;
    point = a.center_of_mass() + meeting.normal * (radius_a - 0.5 * meeting.depth);
  } else {
    const Manifold now =
        contacts_.look_ahead(patch, bodies_, a.pose(), b.pose(), touches_[patch].last);
    if (now.count == 0 || !(now.points[0].depth > 0.0)) return false;
    meeting.depth = now.points[0].depth;
    meeting.normal = now.normal;
    point = (now.points[0].point_a + now.points[0].point_b) * 0.5;
  }
  const auto surface_velocity = [&](const Body& body, const Vec3& at) {
    return body.velocity_at(at) + (body.has_belt() ? body.belt_velocity_at(at) : Vec3{});
  };
  meeting.velocity = surface_velocity(b, point - p.shift) - surface_velocity(a, point);
  meeting.turning = b.angular_velocity() - a.angular_velocity();
  return true;
}

void ElasticStepper::push_patch(std::size_t patch, double time) {
  const ContactPatch& p = contacts_.patches()[patch];
  Touch& touch = touches_[patch];
  ElasticMeeting meeting;
  Vec3 point;
  pushes_[patch] = {};
  if (!meet(patch, meeting, point)) {
    touch.stretch = {};
    touch.force = {};
    return;
  }
  touch.force = law_.force(touch.pair, p.surface, meeting, time, touch.stretch);
  const Vec3 force = meeting.normal * touch.force.normal + touch.force.friction;
  const Vec3 arm_a = point - bodies_[p.body_a].center_of_mass();
  const Vec3 arm_b = point - p.shift - bodies_[p.body_b].center_of_mass();
  pushes_[patch] = {force, -(cross(arm_a, force) + touch.force.torque),
                    cross(arm_b, force) + touch.force.torque};
}

/// Forces at the present places; springs are stretched by the present velocities for so long. The
/// patches of a pair share its query's cache, and follow each other.
void ElasticStepper::push(double time) {
  const auto& pairs = contacts_.memory().now().pairs;
  parallel_for(
      pairs.size(), kPushedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (const ContactPair& pair : std::span(pairs).subspan(begin, end - begin))
          for (std::size_t i = pair.first; i < pair.first + pair.count; ++i)
            if (i < pushes_.size()) push_patch(i, time);
      },
      settings_.max_threads, Schedule::steady);
  sum_forces();
}

void ElasticStepper::sum_forces() {
  parallel_for(
      bodies_.size(), kMovedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          Vec3 force, torque;
          for (std::uint32_t k = first_[i]; k < first_[i + 1]; ++k) {
            const Push& push = pushes_[parts_[k].patch];
            force += parts_[k].is_b ? push.force : -push.force;
            torque += parts_[k].is_b ? push.torque_b : push.torque_a;
          }
          courses_[i].force = force;
          courses_[i].torque = torque;
        }
      },
      settings_.max_threads, Schedule::steady);
}

/// Forces change the velocities for so long.
void ElasticStepper::integrate_velocities(double time) {
  parallel_for(
      bodies_.size(), kMovedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          Body& body = bodies_[i];
          if (!body.is_dynamic()) continue;
          const Course& course = courses_[i];
          const auto decay = [&](const std::optional<double>& own, double common) {
            return 1.0 / (1.0 + own.value_or(common) * time);
          };
          const Vec3 linear = body.linear_velocity() +
                              (course.acceleration + course.force * body.inverse_mass()) * time;
          const Vec3 angular =
              body.angular_velocity() +
              body.inverse_inertia() * ((course.torque + body.total_torque()) * time);
          BodyAccess::set_velocity(
              body, linear * decay(body.linear_damping(), settings_.linear_damping),
              angular * decay(body.angular_damping(), settings_.angular_damping));
        }
      },
      settings_.max_threads, Schedule::steady);
}

/// Bodies move for so long; has one left its path?
bool ElasticStepper::integrate_positions(double time) {
  since_detection_ += time;
  const double since = since_detection_;
  std::atomic<bool> strayed{false};
  parallel_for(
      bodies_.size(), kMovedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          Body& body = bodies_[i];
          if (body.type() == BodyType::fixed) continue;
          BodyMotion motion = body.motion();
          motion.position += motion.linear_velocity * time;
          if (motion.angular_velocity != Vec3{})
            motion.orientation = turned_by(motion.orientation, motion.angular_velocity * time);
          BodyAccess::set_motion(body, motion);
          const Course& course = courses_[i];
          const Vec3 foreseen =
              course.start + course.velocity * since + course.acceleration * (0.5 * since * since);
          if (body.is_dynamic() && norm(motion.position - foreseen) > course.aside)
            strayed.store(true, std::memory_order_relaxed);
        }
      },
      settings_.max_threads, Schedule::steady);
  return strayed.load(std::memory_order_relaxed);
}

/// Does small steps until a body leaves its path, or all of them: tells whether it has.
bool ElasticStepper::move_until_strayed() {
  bool strayed = false;
  while (done_ < steps_ && !strayed) {
    integrate_velocities(0.5 * small_step_);
    strayed = integrate_positions(small_step_);
    push(small_step_);
    integrate_velocities(0.5 * small_step_);
    ++done_;
  }
  return done_ == steps_;
}

/// Leaves the forces, as impulses, to the contacts.
void ElasticStepper::keep_forces() {
  const double time = settings_.time_step / settings_.substeps;
  const auto impulses = contacts_.impulses();
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    impulses[i] = {};
    impulses[i].normal[0] = touches_[i].force.normal * time;
    impulses[i].friction[0] = touches_[i].force.held * time;
    impulses[i].rolling = touches_[i].force.held_torque * time;
  }
}

/// Contacts are reported where the bodies have come to.
void ElasticStepper::finish() { find_patches(0.0); }

}  // namespace tactus::detail
