#include <array>
#include <cmath>

#include "lab/grains/grains.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail::lab::grains {
namespace {

constexpr double kLength = 10.0 * kDiameter, kBreadth = 8.0 * kDiameter;
constexpr double kFriction = 0.5, kRestitution = 0.5;
/// The flow is left alone for the first, and then measured for the second.
constexpr double kBefore = 8.0, kMeasured = 6.0;
constexpr std::size_t kSlices = 64;

/// Sums over the grains with their centres in a slice of a diameter.
struct Slice {
  double grains = 0.0, speed = 0.0, volume = 0.0;
};

World make(double slope, const Sample& sample) {
  WorldSettings settings;
  settings.max_threads = sample.threads;
  const double angle = slope * kPi / 180.0;
  settings.gravity = {kGravity * std::sin(angle), 0.0, -kGravity * std::cos(angle)};
  settings.periodic[0] = PeriodicAxis{0.0, kLength};
  settings.periodic[1] = PeriodicAxis{0.0, kBreadth};
  World world(settings);
  const Material material = surface(kFriction, kRestitution);
  Random random(sample.seed, 2);
  for (std::uint64_t i = 0; i < 80; ++i) {
    const Vec3 place = lattice_place(i, 10, 8);
    BodyDefinition body{Sphere(0.5 * kDiameter)};
    body.type = BodyType::fixed;
    body.material = material;
    body.pose = Pose::translation(
        {place.x * kDiameter, place.y * kDiameter, random.uniform(-0.3, 0.3) * kDiameter});
    world.add(body);
  }
  for (std::uint64_t i = 0; i < sample.grains; ++i) {
    const Vec3 place = lattice_place(i, 9, 7);
    BodyDefinition body = grain(random, material);
    body.pose = Pose::translation(
        {place.x * kLength / 9.0, place.y * kBreadth / 7.0, (1.15 * place.z + 0.95) * kDiameter});
    body.linear_velocity = {random.uniform(0.5, 1.5), random.uniform(-0.2, 0.2), 0.0};
    world.add(body);
  }
  return world;
}

/// Speed, and the exponent of the depth below the surface, of the profile between the bottom's
/// second slice and the last one that is as dense as a flow.
void read_profile(const std::array<Slice, kSlices>& slices, double steps, double slope,
                  Chute& result) {
  const double cell = kLength * kBreadth * kDiameter * steps;
  std::size_t top = 2;
  while (top + 1 < kSlices && slices[top + 1].volume > 0.45 * cell) ++top;
  const auto speed = [&](std::size_t i) { return slices[i].speed / slices[i].grains; };
  // v(surface) - v(z) ~ depth^exponent, with the surface's speed by the law of Bagnold: the
  // exponent that is wanted shows as a straight line in depth^1.5.
  const double surface = static_cast<double>(top) + 1.0;
  double best = 1e300;
  for (double exponent = 0.5; exponent <= 2.5; exponent += 0.01) {
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, syy = 0.0;
    for (std::size_t i = 1; i <= top; ++i) {
      const double x = std::pow(surface - (static_cast<double>(i) + 0.5), exponent);
      const double y = speed(i);
      n += 1.0;
      sx += x;
      sy += y;
      sxx += x * x;
      sxy += x * y;
      syy += y * y;
    }
    const double vx = n * sxx - sx * sx, vy = n * syy - sy * sy, c = n * sxy - sx * sy;
    const double off = 1.0 - c * c / (vx * vy);
    if (off < best) {
      best = off;
      result.exponent = exponent;
    }
  }
  const std::size_t middle = (top + 1) / 2;
  const double shear = (speed(middle + 1) - speed(middle - 1)) / (2.0 * kDiameter);
  double above = 0.5 * slices[middle].volume;
  for (std::size_t i = middle + 1; i < kSlices; ++i) above += slices[i].volume;
  const double pressure =
      kDensity * kGravity * std::cos(slope * kPi / 180.0) * above / (kLength * kBreadth * steps);
  result.inertial_number = shear * kDiameter / std::sqrt(pressure / kDensity);
  result.solid_fraction = slices[middle].volume / cell;
}

}  // namespace

Chute chute(double slope, const Sample& sample) {
  World world = make(slope, sample);
  std::array<Slice, kSlices> slices{};
  double halves[2] = {}, steps[2] = {};
  while (world.time() < kBefore + kMeasured) {
    require_done(world.step());
    if (world.time() < kBefore) continue;
    const int half = world.time() < kBefore + 0.5 * kMeasured ? 0 : 1;
    double sum = 0.0;
    for (const Body& body : world.bodies()) {
      if (!body.is_dynamic()) continue;
      const double z = body.center_of_mass().z / kDiameter, v = body.linear_velocity().x;
      sum += v;
      if (!(z >= 0.0 && z < static_cast<double>(kSlices))) continue;
      Slice& slice = slices[static_cast<std::size_t>(z)];
      slice.grains += 1.0;
      slice.speed += v;
      slice.volume += body.mass().mass / kDensity;
    }
    halves[half] += sum / static_cast<double>(sample.grains);
    steps[half] += 1.0;
  }
  Chute result;
  result.slope = slope;
  const double first = halves[0] / steps[0], second = halves[1] / steps[1];
  const double unit = std::sqrt(kGravity * kDiameter);
  result.speed = 0.5 * (first + second) / unit;
  result.growth = result.speed > 1e-3 ? (second - first) / (0.5 * (first + second)) : 0.0;
  if (result.speed > 1e-3) read_profile(slices, steps[0] + steps[1], slope, result);
  return result;
}

}  // namespace tactus::detail::lab::grains
