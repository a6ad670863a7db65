#pragma once

#include "tactus/math/vec3.hpp"

namespace tactus {

/// How a world steps. Any consistent units; the defaults suit metres, kilograms and seconds, bodies
/// from centimetres to tens of metres.
struct WorldSettings {
  Vec3 gravity{0.0, 0.0, -9.81};  ///< acceleration
  double time_step = 1.0 / 60.0;  ///< time per step(), > 0
  /// Solver steps per step(), >= 1; contacts are detected once per step(). The penetration under a
  /// load falls with the square of the number; twelve carry a tower of 50 boxes.
  int substeps = 12;
  /// Contacts are reported up to this gap, relative to the smaller body's size, in addition to what
  /// the bodies can approach in one step.
  double contact_threshold = 0.01;
  /// Contacts push overlapping bodies apart as a spring of this frequency, in units of the substep
  /// rate, in (0, 0.5].
  double contact_frequency = 0.25;
  /// Damping ratio of that spring, > 0; large values separate slowly and without overshoot.
  double contact_damping = 10.0;
  /// Fastest separation of overlapping bodies, in sizes of the smaller body per time.
  double max_push_speed = 3.0;
  /// Approach slower than this does not bounce, length per time, >= 0.
  double restitution_threshold = 0.1;
  /// Rate at which velocities decay by themselves, per time, >= 0.
  double linear_damping = 0.0;
  double angular_damping = 0.0;
};

/// Throws InvalidInput naming the field.
void validate(const WorldSettings& settings);

}  // namespace tactus
