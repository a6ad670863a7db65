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

/// What theory says of one scene, what the world did, and how far that may be off.
struct Finding {
  std::string name, unit;
  double theory = 0.0, ours = 0.0;
  double deviation = 0.0, bound = 0.0;
};

/// Under what every scene runs; tests change it to see the verdict change.
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
/// Of motion and height; velocities and positions of the end of the last step.
double energy(const World& world);

}  // namespace tactus::detail::lab::physics
