#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/world.hpp"

namespace tactus::detail::lab::physics {

/// One quantity of a scene: its value by theory and in the world, and the deviation allowed.
struct Finding {
  std::string name, unit;
  double theory = 0.0, ours = 0.0;
  double deviation = 0.0, bound = 0.0;
};

/// Settings under which every scene runs; tests change them to see the verdict change.
struct Conditions {
  WorldSettings settings;
  std::uint64_t drops = 1000;  ///< random bodies that are dropped
  std::uint64_t seed = 1;
};

/// One scene, or several that belong together; independent of all others.
struct Trial {
  std::string name;
  std::function<std::vector<Finding>(const Conditions&)> run;
};

// Each group in the file of its name.
std::vector<Trial> structures();
std::vector<Trial> sliding();
std::vector<Trial> rolling();
std::vector<Trial> impacts();
std::vector<Trial> many_impacts();
std::vector<Trial> walls();
std::vector<Trial> jointed();

/// All of them, in the order of the report.
std::vector<Trial> trials();

/// A finding that deviates by the difference to theory; where theory is not zero, relative to it.
Finding compare(std::string name, std::string unit, double theory, double ours, double bound);
/// A finding whose theory is "nothing": the value itself is the deviation.
Finding at_most(std::string name, std::string unit, double ours, double bound);

BodyId add_fixed(World& world, const Shape& shape, const Pose& pose, const Material& material);
BodyId add_moving(World& world, const Shape& shape, const Pose& pose, const Material& material,
                  const Vec3& linear = {}, const Vec3& angular = {});
void run(World& world, double seconds);
/// Kinetic and potential energy, by velocities and positions at the end of the last step.
double energy(const World& world);

}  // namespace tactus::detail::lab::physics
