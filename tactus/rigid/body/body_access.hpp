#pragma once

#include "tactus/body.hpp"

namespace tactus::detail {

/// Writes the state of bodies for the worlds that own them: users change bodies by the world's own
/// functions, which check what is asked and wake what it disturbs.
struct BodyAccess {
  static void set_id(Body& body, BodyId id) { body.motion_.id = id; }
  static void set_motion(Body& body, const BodyMotion& motion) { body.set_motion(motion); }
  static void set_velocity(Body& body, const Vec3& linear, const Vec3& angular) {
    body.set_velocity(linear, angular);
  }
  static void set_rest_time(Body& body, double time) { body.set_rest_time(time); }
  static void fall_asleep(Body& body) { body.fall_asleep(); }
  static void set_force(Body& body, const Vec3& force, const Vec3& torque) {
    body.set_force(force, torque);
  }
  static void set_constant_force(Body& body, const Vec3& force, const Vec3& torque) {
    body.set_constant_force(force, torque);
  }
  static void set_surface_velocity(Body& body, const SurfaceVelocity& velocity) {
    body.set_surface_velocity(velocity);
  }
  static void set_servo(Body& body, const std::optional<Servo>& servo) { body.set_servo(servo); }
};

}  // namespace tactus::detail
