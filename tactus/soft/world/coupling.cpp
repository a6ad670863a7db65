#include <string>

#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/soft/world/soft_step.hpp"

namespace tactus {
using namespace detail;
namespace {

void require(bool condition, const std::string& field, const std::string& reason) {
  if (!condition) throw InvalidInput(field, reason);
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

namespace detail {

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

}  // namespace detail

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

}  // namespace tactus
