#include "tactus/soft/world/rigid_courses.hpp"

#include <cmath>

#include "tactus/math/turned.hpp"

namespace tactus::detail {
namespace {

// The farthest turn in a step that is followed, as the cosine and the tangent of its half: two
// radians.
constexpr double kLeastCosine = 0.54030230586813972, kMostTangent = 1.5574077246549022;

/// Gibbs' vector of the turn from one orientation to another; of the farthest one at most.
Vec3 turn_between(const Quat& from, const Quat& to, bool& less) {
  const Quat q = to * conjugate(from);
  const double sign = q.w < 0.0 ? -1.0 : 1.0;
  const Vec3 axis = Vec3{q.x, q.y, q.z} * sign;
  const double cosine = q.w * sign;
  less = cosine < kLeastCosine;
  return less ? normalized(axis) * kMostTangent : axis / cosine;
}

void add_block(const SoftWorldData& data, RigidCourse& course, StepProblem& problem,
               std::vector<Vec3>& x) {
  const Body& body = *course.body;
  const SoftWorldData::Obstacle& o = data.obstacles[course.obstacle];
  RigidBlock b;
  b.body = problem.model->surfaces.first_obstacle + course.obstacle;
  b.led = !body.is_dynamic();
  b.unknown = x.size();
  b.first = o.first;
  b.scale = 2.0 * (b.led ? body.size() : body.radius());
  for (std::size_t i = 0; i < o.mesh.vertices.size(); ++i)
    b.arms.push_back(x[o.first + i] - course.center);
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
  x.insert(x.end(), b.start.begin(), b.start.end());
  problem.blocks.push_back(std::move(b));
}

}  // namespace

void add_blocks(const SoftWorldData& data, std::span<RigidCourse> courses, StepProblem& problem,
                std::vector<Vec3>& x) {
  for (RigidCourse& course : courses) add_block(data, course, problem, x);
}

const RigidBlock* RigidCourses::block_of(std::size_t obstacle) const {
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    if (courses_[k].obstacle == obstacle) return &problem_.blocks[k];
  }
  return nullptr;
}

void RigidCourses::note_touched(std::span<const Contacts::Near> active, std::vector<Vec3>& wanted) {
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    RigidCourse& c = courses_[k];
    RigidBlock& b = problem_.blocks[k];
    if (b.led || c.touched) continue;
    for (const Contacts::Near& n : active) {
      for (const std::uint32_t v : n.pair.v)
        c.touched = c.touched || (v >= b.first && v < b.first + b.arms.size());
    }
    if (!c.touched || c.carried) continue;
    // The rigid world's flight is a parabola; what is pushed moves by its velocity at the end, as
    // the deformables do, so that what rests has none.
    b.wanted[0] = b.start[0] + c.linear * problem_.time_step;
    b.put(b.wanted, wanted);
  }
}

Mat3 RigidCourses::axes_of(std::size_t block, std::span<const Vec3> x) const {
  return rotation_of(problem_.blocks[block].turn_of(x)) * courses_[block].pose.rotation();
}

Mat3 RigidCourses::inertia_of(std::size_t block, std::span<const Vec3> x) const {
  return to_world_axes(courses_[block].body->mass().inertia, axes_of(block, x));
}

double RigidCourses::motion_energy(bool touched, std::span<const Vec3> x) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    const RigidCourse& c = courses_[k];
    if (problem_.blocks[k].led || c.touched != touched) continue;
    const Mat3 inertia = inertia_of(k, x);
    sum += 0.5 *
           (problem_.blocks[k].mass * squared_norm(c.linear) + dot(c.angular, inertia * c.angular));
  }
  return sum;
}

double RigidCourses::weight_energy(bool touched, std::span<const Vec3> x) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    const RigidBlock& b = problem_.blocks[k];
    if (!b.led && courses_[k].touched == touched) sum -= b.mass * dot(problem_.gravity, b.at(x)[0]);
  }
  return sum;
}

void RigidCourses::add_given(double& sum) const {
  for (const RigidCourse& c : courses_) sum += c.energy_before + c.held_up;
}

void RigidCourses::settle(std::span<const Vec3> x) {
  const double h = problem_.time_step;
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    RigidCourse& c = courses_[k];
    const RigidBlock& b = problem_.blocks[k];
    const Body& body = *c.body;
    if (b.led) continue;
    c.touched = c.touched || c.turned_less || b.at(x) != b.wanted;
    if (!c.touched) continue;
    // The work of what was handed on is no energy of the body's own. Where rigid bodies hold it
    // against load and weight, they do the work of both on what the deformables move it.
    const Vec3 center = body.center_of_mass(), weight = problem_.gravity * b.mass;
    const double to_angle = 2.0 / b.scale;
    c.energy_before = (body.kinetic_energy() - dot(weight, center)) -
                      (dot(b.force, center - c.center) + dot(b.torque, b.wanted[1] * to_angle));
    if (c.carried && (b.force != Vec3{} || b.torque != Vec3{})) {
      const RigidPlace place = b.at(x);
      c.held_up = -dot(weight + b.force, place[0] - center) -
                  dot(b.torque, (place[1] - b.wanted[1]) * to_angle);
    }
    c.linear += b.extra_force(x, h) * (h / b.mass);
    c.angular = to_world_axes(body.inverse_inertia(), axes_of(k, x)) *
                (body.spin() + b.extra_torque(x, h) * h);
  }
}

void RigidCourses::add_velocity(std::size_t block, const Vec3& linear, const Vec3& angular) {
  courses_[block].linear += linear;
  courses_[block].angular += angular;
}

void RigidCourses::scale(double factor) {
  for (RigidCourse& c : courses_) {
    if (!c.touched) continue;
    c.linear *= factor;
    c.angular *= factor;
  }
}

void RigidCourses::note_loads(std::span<const Vec3> x) {
  const double rate = 1.0 / problem_.time_step;
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    const RigidCourse& c = courses_[k];
    const RigidBlock& b = problem_.blocks[k];
    SoftWorldData::Obstacle& o = data_.obstacles[c.obstacle];
    o.carried = c.carried && !b.led;
    o.load = {};
    if (b.led || !c.touched) continue;
    const Vec3 spin = inertia_of(k, x) * c.angular;
    o.load.force = b.force + (c.linear - c.body->linear_velocity()) * (b.mass * rate);
    o.load.torque = b.torque + (spin - c.body->spin()) * rate;
  }
}

void RigidCourses::hand_back(std::size_t block, std::span<const Vec3> x, bool led_through,
                             World& world) const {
  const RigidCourse& c = courses_[block];
  const RigidBlock& b = problem_.blocks[block];
  const BodyId id = c.body->id();
  if (c.touched || (b.led && (c.turned_less || !led_through))) {
    const Mat3 axes = axes_of(block, x);
    const Vec3 center = axes * c.body->mass().center;
    world.set_pose(id, unchecked_pose(b.at(x)[0] - center, axes));
    world.set_velocity(id, c.linear, c.angular);
  }
  data_.obstacles[c.obstacle].pose = world.body(id).pose();
}

}  // namespace tactus::detail
