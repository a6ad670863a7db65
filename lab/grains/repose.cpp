#include <algorithm>
#include <cmath>
#include <vector>

#include "lab/grains/grains.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail::lab::grains {
namespace {

constexpr int kAlong = 14, kAcross = 6;
constexpr double kLength = kAlong * kDiameter, kBreadth = kAcross * kDiameter;
/// Grains are taken away so far below the floor.
constexpr double kGone = -3.0 * kDiameter;
constexpr double kLongest = 20.0, kRests = 0.02;

void step_to_rest(World& world, double at_least) {
  const double begun = world.time();
  while (world.time() < begun + at_least ||
         (world.time() < begun + kLongest && world.statistics().rms_relative_speed > kRests)) {
    require_done(world.step());
    std::vector<BodyId> gone;
    for (const Body& body : world.bodies())
      if (body.is_dynamic() && body.center_of_mass().z < kGone) gone.push_back(body.id());
    for (const BodyId id : gone) world.remove(id);
  }
}

/// Slope of a straight line through the highest grain of each diameter of the length, where that
/// has sunk: from the plateau that may be left beside the wall to the edge.
double angle_of(const World& world) {
  std::vector<double> highest(kAlong, 0.0);
  for (const Body& body : world.bodies()) {
    if (!body.is_dynamic()) continue;
    const Vec3& at = body.center_of_mass();
    const double slice = std::floor(at.x / kDiameter);
    if (!(slice >= 0.0 && slice < kAlong)) continue;
    double& top = highest[static_cast<std::size_t>(slice)];
    top = std::max(top, at.z);
  }
  const double plateau = *std::max_element(highest.begin(), highest.end()) - kDiameter;
  double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  int first = kAlong - 1;
  while (first > 1 && highest[static_cast<std::size_t>(first - 1)] < plateau) --first;
  first = std::min(first - 1, kAlong - 3);
  for (int i = first; i < kAlong; ++i) {
    const double x = (i + 0.5) * kDiameter, y = highest[static_cast<std::size_t>(i)];
    n += 1.0;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return std::atan(-(n * sxy - sx * sy) / (n * sxx - sx * sx)) * 180.0 / kPi;
}

}  // namespace

Repose repose(double friction, double rolling_friction, double bond, const Sample& sample) {
  WorldSettings settings;
  settings.max_threads = sample.threads;
  settings.periodic[1] = PeriodicAxis{0.0, kBreadth};
  World world(settings);
  Material material = surface(friction, 0.3);
  material.rolling_friction = material.torsional_friction = rolling_friction;
  const double mass = kDensity * kPi / 6.0 * kDiameter * kDiameter * kDiameter;
  material.adhesion = bond * mass * kGravity / (1.5 * kPi * 0.25 * kDiameter);
  add_wall(world, {1, 0, 0}, 0.0, surface(0.0, 0.0));
  const BodyId gate = add_wall(world, {-1, 0, 0}, -kLength, surface(0.0, 0.0));
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(kAlong * kAcross); ++i) {
    BodyDefinition body{Sphere(0.5 * kDiameter)};
    body.type = BodyType::fixed;
    body.material = material;
    const Vec3 place = lattice_place(i, kAlong, kAcross) * kDiameter;
    body.pose = Pose::translation({place.x, place.y, 0.0});
    world.add(body);
  }
  Random random(sample.seed, 4);
  for (std::uint64_t i = 0; i < sample.grains; ++i) {
    const Vec3 place = lattice_place(i, kAlong - 3, kAcross - 1);
    BodyDefinition body = grain(random, material);
    body.pose =
        Pose::translation({place.x * kLength / (kAlong - 3), place.y * kBreadth / (kAcross - 1),
                           (place.z * 1.15 + 0.6) * kDiameter});
    body.linear_velocity = {random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0.0};
    world.add(body);
  }
  step_to_rest(world, 1.0);
  world.remove(gate);
  step_to_rest(world, 2.0);
  return {friction, rolling_friction, bond, angle_of(world), world.statistics().rms_relative_speed};
}

}  // namespace tactus::detail::lab::grains
