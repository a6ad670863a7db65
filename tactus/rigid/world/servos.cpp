#include "tactus/rigid/world/servos.hpp"

#include <algorithm>
#include <optional>

#include "tactus/core/constants.hpp"
#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/body/find_body.hpp"

namespace tactus::detail {
namespace {

/// A wall answers as if what it presses resisted so many times as much as its contacts alone do:
/// more than the number of bodies may grow by within a step.
constexpr double kCaution = 2.0;
/// Part of its largest speed that a wall without inertia gains in a step in which it bears nothing.
constexpr double kSooner = 0.05;

/// A body with a servo, and what it bears.
struct Wall {
  std::size_t place = 0;  ///< among the bodies
  Servo servo;
  ServoReading reading;
  double pressed = 0.0;  ///< mass of the bodies that its contacts push

  /// Force on the wall.
  void add(const Vec3& force) { reading.load -= dot(servo.axis, force); }
};

std::vector<Wall> find_walls(std::span<const Body> bodies) {
  std::vector<Wall> walls;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::optional<Servo> servo = bodies[i].servo();
    if (!servo) continue;
    Wall& wall = walls.emplace_back();
    wall.place = i;
    wall.servo = *servo;
    wall.reading.body = bodies[i].id();
  }
  return walls;
}

/// Null for other bodies.
Wall* wall_of(std::vector<Wall>& walls, BodyId id) {
  const auto found =
      std::lower_bound(walls.begin(), walls.end(), id,
                       [](const Wall& wall, BodyId wanted) { return wall.reading.body < wanted; });
  return found != walls.end() && found->reading.body == id ? &*found : nullptr;
}

/// A contact that pushes; `first`: of its pair.
void add_contact(const Contact& contact, double rate, bool first, std::span<const Body> bodies,
                 std::vector<Wall>& walls) {
  const Vec3 on_b = (contact.normal * contact.normal_impulse + contact.friction_impulse) * rate;
  const auto add = [&](BodyId body, const Vec3& force, BodyId other) {
    Wall* const wall = wall_of(walls, body);
    if (wall == nullptr) return;
    wall->add(force);
    if (first) wall->pressed += bodies[find_body(bodies, other)].mass().mass;
  };
  add(contact.body_a, -on_b, contact.body_b);
  add(contact.body_b, on_b, contact.body_a);
}

/// Force per speed with which the contacts of a mass resist a wall.
double resistance(double mass, const WorldSettings& stepping) {
  const double rate = 2.0 * kPi * stepping.contact_frequency * stepping.substeps;
  return 2.0 * stepping.contact_damping * mass * rate / stepping.time_step;
}

double next_speed(const Wall& wall, double speed, const ServoLoads& loads) {
  const Servo& servo = wall.servo;
  const double answer = std::max(kCaution * resistance(wall.pressed, loads.stepping),
                                 servo.mass / loads.settings.time_step);
  if (!(answer > 0.0)) {
    // Soon as fast as it may be, but not at once: it would throw off what it has just borne.
    return servo.force > 0.0
               ? std::min(std::max(speed, 0.0) + kSooner * servo.max_speed, servo.max_speed)
               : 0.0;
  }
  // One that moves against what it bears stops first: with its inertia it would crush the pack.
  if ((servo.force - wall.reading.load) * speed < 0.0) speed = 0.0;
  const double wanted = servo.force * (1.0 - speed / servo.max_speed);
  return std::clamp(speed + (wanted - wall.reading.load) / answer, -servo.max_speed,
                    servo.max_speed);
}

}  // namespace

void move_servos(const ServoLoads& loads, std::span<Body> bodies,
                 std::vector<ServoReading>& readings) {
  readings.clear();
  std::vector<Wall> walls = find_walls(bodies);
  if (walls.empty()) return;
  const double contact_rate = loads.settings.substeps / loads.settings.time_step;
  const Contact* last = nullptr;
  for (const Contact& contact : loads.contacts) {
    if (contact.normal_impulse == 0.0) continue;
    const bool first =
        last == nullptr || last->body_a != contact.body_a || last->body_b != contact.body_b;
    add_contact(contact, contact_rate, first, bodies, walls);
    last = &contact;
  }
  for (const Blow& blow : loads.blows)
    if (Wall* const wall = wall_of(walls, blow.body))
      wall->add(blow.impulse * (1.0 / loads.settings.time_step));
  for (Wall& wall : walls) {
    Body& body = bodies[wall.place];
    const Vec3& axis = wall.servo.axis;
    const double speed = dot(axis, body.linear_velocity());
    wall.reading.speed = next_speed(wall, speed, loads);
    wall.reading.position = dot(axis, body.center_of_mass());
    BodyAccess::set_velocity(body, body.linear_velocity() + axis * (wall.reading.speed - speed),
                             body.angular_velocity());
    readings.push_back(wall.reading);
  }
}

}  // namespace tactus::detail
