#include <cmath>
#include <string>

#include "tactus/math/turned.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/soft/world/world_data.hpp"

namespace tactus::soft {
using namespace detail;
namespace {

// The farthest turn in a step that is followed, as the cosine and the tangent of its half: two
// radians.
constexpr double kLeastCosine = 0.54030230586813972, kMostTangent = 1.5574077246549022;

void require(bool condition, const std::string& field, const std::string& reason) {
  if (!condition) throw InvalidInput(field, reason);
}

/// Gibbs' vector of the turn from one orientation to another; of the farthest one at most.
Vec3 turn_between(const Quat& from, const Quat& to, bool& less) {
  const Quat q = to * conjugate(from);
  const double sign = q.w < 0.0 ? -1.0 : 1.0;
  const Vec3 axis = Vec3{q.x, q.y, q.z} * sign;
  const double cosine = q.w * sign;
  less = cosine < kLeastCosine;
  return less ? normalized(axis) * kMostTangent : axis / cosine;
}

bool is_held(const World& world, BodyId id) {
  for (const TouchingPair& pair : world.touching()) {
    if (pair.body_a == id || pair.body_b == id) return true;
  }
  for (const Joint& joint : world.joints()) {
    if (joint.definition.body_a == id || joint.definition.body_b == id) return true;
  }
  return false;
}

}  // namespace

}  // namespace tactus::soft

namespace tactus::detail {

void SoftWorldData::refuse_discord(const World& world) const {
  const WorldSettings& s = world.settings();
  require(s.time_step == settings.time_step, "time_step", "differs from that of the rigid world");
  require(s.gravity == settings.gravity, "gravity", "differs from that of the rigid world");
  for (const auto& axis : s.periodic)
    require(!axis, "periodic", "the rigid world must not be periodic");
  for (const Obstacle& o : obstacles) {
    require(o.rigid == kNoBody || world.contains(o.rigid), "world",
            "has no body " + std::to_string(o.rigid));
  }
}

void SoftWorldData::follow(const World& world) {
  for (Obstacle& o : obstacles) {
    if (o.rigid == kNoBody) continue;
    const Pose& pose = world.body(o.rigid).pose();
    if (pose == o.pose) continue;
    o.pose = pose;
    examined = false;
  }
}

std::vector<RigidCourse> SoftWorldData::step_rigid(World& world) const {
  std::vector<RigidCourse> courses;
  for (std::uint32_t i = 0; i < obstacles.size(); ++i) {
    const Obstacle& o = obstacles[i];
    if (o.rigid == kNoBody) continue;
    const Body& body = world.body(o.rigid);
    RigidCourse course;
    course.obstacle = i;
    course.body = &body;
    course.pose = body.pose();
    course.center = body.center_of_mass();
    course.orientation = body.motion().orientation;
    courses.push_back(course);
    if (!o.carried) continue;
    world.apply_force(o.rigid, o.load.force);
    world.apply_torque(o.rigid, o.load.torque);
  }
  const StepFailure& failure = world.step().failure;
  if (failure.any()) throw StepFault(failure.error, failure.bodies, failure.reason);
  for (RigidCourse& c : courses) c.carried = is_held(world, c.body->id());
  return courses;
}

void SoftStep::add_block(RigidCourse& course) {
  const Body& body = *course.body;
  const SoftWorldData::Obstacle& o = data_.obstacles[course.obstacle];
  RigidBlock b;
  b.body = model_.surfaces.first_obstacle + course.obstacle;
  b.led = !body.is_dynamic();
  b.unknown = x_.size();
  b.first = o.first;
  b.scale = 2.0 * (b.led ? body.size() : body.radius());
  for (std::size_t i = 0; i < o.mesh.vertices.size(); ++i)
    b.arms.push_back(x_[o.first + i] - course.center);
  b.start = {course.center, Vec3{}};
  b.wanted = {
      body.center_of_mass(),
      turn_between(course.orientation, body.motion().orientation, course.turned_less) * b.scale};
  b.mass = body.mass().mass;
  b.inertia = to_world_axes(body.mass().inertia, body.pose().rotation());
  if (o.carried) {
    b.force = o.load.force;
    b.torque = o.load.torque;
  }
  course.linear = body.linear_velocity();
  course.angular = body.angular_velocity();
  x_.insert(x_.end(), b.start.begin(), b.start.end());
  problem_.blocks.push_back(std::move(b));
}

const RigidBlock* SoftStep::block_of(std::size_t obstacle) const {
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    if (courses_[k].obstacle == obstacle) return &problem_.blocks[k];
  }
  return nullptr;
}

bool SoftStep::rests(std::size_t obstacle) const {
  if (const RigidBlock* block = block_of(obstacle)) return block->start == block->wanted;
  const RigidMotion& m = data_.obstacles[obstacle].motion;
  return m.linear == Vec3{} && m.angular == Vec3{};
}

void SoftStep::note_touched() {
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    RigidCourse& c = courses_[k];
    RigidBlock& b = problem_.blocks[k];
    if (b.led || c.touched) continue;
    for (const Contacts::Near& n : contacts_.active()) {
      for (const std::uint32_t v : n.pair.v)
        c.touched = c.touched || (v >= b.first && v < b.first + b.arms.size());
    }
    if (!c.touched || c.carried) continue;
    // The rigid world's flight is a parabola; what is pushed moves by its velocity at the end, as
    // the deformables do, so that what rests has none.
    b.wanted[0] = b.start[0] + c.linear * problem_.time_step;
    place_obstacle(c.obstacle, 1.0, wanted_);
  }
}

Mat3 SoftStep::axes_of(std::size_t block) const {
  return rotation_of(problem_.blocks[block].turn_of(x_)) * courses_[block].pose.rotation();
}

double SoftStep::rigid_motion(bool touched) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    const RigidCourse& c = courses_[k];
    if (problem_.blocks[k].led || c.touched != touched) continue;
    const Mat3 inertia = to_world_axes(c.body->mass().inertia, axes_of(k));
    sum += 0.5 *
           (problem_.blocks[k].mass * squared_norm(c.linear) + dot(c.angular, inertia * c.angular));
  }
  return sum;
}

double SoftStep::rigid_weight(bool touched) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    const RigidBlock& b = problem_.blocks[k];
    if (!b.led && courses_[k].touched == touched)
      sum -= b.mass * dot(problem_.gravity, b.at(x_)[0]);
  }
  return sum;
}

void SoftStep::settle_blocks() {
  const double h = problem_.time_step;
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    RigidCourse& c = courses_[k];
    const RigidBlock& b = problem_.blocks[k];
    const Body& body = *c.body;
    if (b.led) continue;
    c.touched = c.touched || c.turned_less || b.at(x_) != b.wanted;
    if (!c.touched) continue;
    // The work of what was handed on is no energy of the body's own. Where rigid bodies hold it
    // against load and weight, they do the work of both on what the deformables move it.
    const Vec3 center = body.center_of_mass(), weight = problem_.gravity * b.mass;
    const double to_angle = 2.0 / b.scale;
    c.energy_before = (body.kinetic_energy() - dot(weight, center)) -
                      (dot(b.force, center - c.center) + dot(b.torque, b.wanted[1] * to_angle));
    if (c.carried && (b.force != Vec3{} || b.torque != Vec3{})) {
      const RigidPlace place = b.at(x_);
      c.held_up = -dot(weight + b.force, place[0] - center) -
                  dot(b.torque, (place[1] - b.wanted[1]) * to_angle);
    }
    c.linear += b.extra_force(x_, h) * (h / b.mass);
    c.angular = to_world_axes(body.inverse_inertia(), axes_of(k)) *
                (body.spin() + b.extra_torque(x_, h) * h);
  }
}

void SoftStep::note_loads() {
  const double rate = 1.0 / problem_.time_step;
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    const RigidCourse& c = courses_[k];
    const RigidBlock& b = problem_.blocks[k];
    SoftWorldData::Obstacle& o = data_.obstacles[c.obstacle];
    o.carried = c.carried && !b.led;
    o.load = {};
    if (b.led || !c.touched) continue;
    const Vec3 spin = to_world_axes(c.body->mass().inertia, axes_of(k)) * c.angular;
    o.load.force = b.force + (c.linear - c.body->linear_velocity()) * (b.mass * rate);
    o.load.torque = b.torque + (spin - c.body->spin()) * rate;
  }
}

void SoftWorldData::step_with(World& world) {
  refuse_discord(world);
  follow(world);
  prepare();
  refuse_crossings();
  require_slow();
  SoftStep both(*this, step_rigid(world));
  both.run();
  require_finite();
  both.hand_back(world);
}

void SoftStep::hand_back(World& world) const {
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    const RigidCourse& c = courses_[k];
    const RigidBlock& b = problem_.blocks[k];
    const BodyId id = c.body->id();
    if (c.touched || (b.led && (c.turned_less || share_[c.obstacle] < 1.0))) {
      const Mat3 axes = axes_of(k);
      const Vec3 center = axes * c.body->mass().center;
      world.set_pose(id, unchecked_pose(b.at(x_)[0] - center, axes));
      world.set_velocity(id, c.linear, c.angular);
    }
    data_.obstacles[c.obstacle].pose = world.body(id).pose();
  }
}

}  // namespace tactus::detail

namespace tactus::soft {

std::uint32_t DeformableWorld::add_obstacle(const World& world, BodyId body, double tolerance) {
  require(world.contains(body), "body", "there is no body " + std::to_string(body));
  const Body& b = world.body(body);
  require(!b.is_sensor(), "body", "is a sensor, which pushes nothing");
  for (const Data::Obstacle& o : data_->obstacles)
    require(o.rigid != body, "body", "is an obstacle already");
  const bool plane = b.shape().type() == ShapeType::halfspace;
  require(!plane || b.type() == BodyType::fixed, "body", "is a half-space that is not fixed");
  const std::uint32_t added =
      add_obstacle({b.shape(), b.pose(), {}, b.material().friction, tolerance});
  if (!plane) data_->obstacles[added].rigid = body;
  return added;
}

const DeformableStatistics& DeformableWorld::step(World& world) {
  data_->step_or_stay(&world);
  return data_->statistics;
}

}  // namespace tactus::soft
