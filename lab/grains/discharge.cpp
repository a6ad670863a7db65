#include <algorithm>
#include <cmath>
#include <vector>

#include "lab/grains/grains.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail::lab::grains {
namespace {

constexpr double kWidth = 11.0 * kDiameter;
constexpr int kAcross = 9;
constexpr double kFriction = 0.5;
/// Grains are taken away so far below the floor.
constexpr double kGone = -3.0 * kDiameter;
constexpr double kLongest = 40.0;

/// A floor with a round hole, as triangles.
Mesh floor_with_hole(double diameter) {
  constexpr std::uint32_t kCorners = 48;
  TriangleMesh mesh;
  for (const double radius : {0.5 * diameter, kWidth}) {
    for (std::uint32_t i = 0; i < kCorners; ++i) {
      const double angle = 2.0 * kPi * i / kCorners;
      mesh.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), 0.0});
    }
  }
  for (std::uint32_t i = 0; i < kCorners; ++i) {
    const std::uint32_t next = (i + 1) % kCorners;
    mesh.triangles.push_back({i, kCorners + i, kCorners + next});
    mesh.triangles.push_back({i, kCorners + next, next});
  }
  return Mesh(mesh);
}

/// Fills the bin above a plug in the hole; the plug.
BodyId fill(World& world, double diameter, const Sample& sample) {
  const Material material = surface(kFriction);
  for (const double side : {1.0, -1.0}) {
    add_wall(world, {side, 0, 0}, -0.5 * kWidth, material);
    add_wall(world, {0, side, 0}, -0.5 * kWidth, material);
  }
  BodyDefinition floor{floor_with_hole(diameter)};
  floor.type = BodyType::fixed;
  floor.material = material;
  world.add(floor);
  BodyDefinition plug{Cylinder(0.5 * diameter, kDiameter)};
  plug.type = BodyType::fixed;
  plug.material = material;
  plug.pose = Pose::translation({0, 0, -0.5 * kDiameter});
  const BodyId id = world.add(plug);
  Random random(sample.seed, 1);
  const double cell = 1.2 * kDiameter, corner = -0.5 * kAcross * cell;
  for (std::uint64_t i = 0; i < sample.grains; ++i) {
    BodyDefinition body = grain(random, material);
    const double shift = 0.05 * kDiameter;
    body.pose = Pose::translation(
        lattice_place(i, kAcross, kAcross) * cell +
        Vec3{corner + random.uniform(-shift, shift), corner + random.uniform(-shift, shift), 0.0});
    body.linear_velocity = {0, 0, -1};
    world.add(body);
  }
  for (double at_least = 3.0;
       world.time() < at_least ||
       (world.time() < kLongest && world.statistics().rms_relative_speed > 0.05);)
    require_done(world.step());
  return id;
}

/// Between two diameters above the floor and the height that four fifths lie below.
double bulk_density(const World& world, const std::vector<BodyId>& bodies) {
  std::vector<double> heights;
  heights.reserve(bodies.size());
  for (const BodyId id : bodies) heights.push_back(world.body(id).center_of_mass().z);
  std::sort(heights.begin(), heights.end());
  const double low = 2.0 * kDiameter, high = heights[heights.size() * 4 / 5];
  double mass = 0.0;
  for (const BodyId id : bodies) {
    const double z = world.body(id).center_of_mass().z;
    if (z > low && z < high) mass += world.body(id).mass().mass;
  }
  return mass / (kWidth * kWidth * std::max(high - low, kDiameter));
}

}  // namespace

Discharge discharge(double opening, const Sample& sample) {
  WorldSettings settings;
  settings.max_threads = sample.threads;
  World world(settings);
  const BodyId plug = fill(world, opening * kDiameter, sample);
  std::vector<BodyId> inside = dynamic_bodies(world);
  const double mass = mass_of(world, inside), begun = world.time();
  Discharge result;
  result.opening = opening;
  result.bulk_density = bulk_density(world, inside);
  result.solid_fraction = result.bulk_density / kDensity;
  world.remove(plug);
  double gone = 0.0, count = 0.0, sum_t = 0.0, sum_m = 0.0, sum_tt = 0.0, sum_tm = 0.0;
  while (gone < 0.65 * mass && world.time() - begun < kLongest) {
    require_done(world.step());
    for (std::size_t i = 0; i < inside.size();) {
      if (world.body(inside[i]).center_of_mass().z > kGone) {
        ++i;
        continue;
      }
      gone += world.body(inside[i]).mass().mass;
      world.remove(inside[i]);
      inside.erase(inside.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (gone < 0.15 * mass) continue;
    const double t = world.time() - begun;
    count += 1.0;
    sum_t += t;
    sum_m += gone;
    sum_tt += t * t;
    sum_tm += t * gone;
  }
  const double spread = count * sum_tt - sum_t * sum_t;
  result.rate = spread > 0.0 ? (count * sum_tm - sum_t * sum_m) / spread : 0.0;
  result.left = gone / mass;
  return result;
}

Beverloo fit_beverloo(const std::vector<Discharge>& all) {
  double n = 0.0, sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0;
  for (const Discharge& d : all) {
    // In grains' diameters, and without the density: W / (rho sqrt(g) d^2.5).
    const double y =
        std::pow(d.rate / (d.bulk_density * std::sqrt(kGravity) * std::pow(kDiameter, 2.5)), 0.4);
    n += 1.0;
    sum_x += d.opening;
    sum_y += y;
    sum_xx += d.opening * d.opening;
    sum_xy += d.opening * y;
  }
  const double slope = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
  const double at_zero = (sum_y - slope * sum_x) / n;
  Beverloo law{std::pow(slope, 2.5), -at_zero / slope, 0.0};
  for (const Discharge& d : all) {
    const double by_law = law.c * d.bulk_density * std::sqrt(kGravity) *
                          std::pow((d.opening - law.k) * kDiameter, 2.5);
    law.scatter = std::max(law.scatter, std::fabs(d.rate / by_law - 1.0));
  }
  return law;
}

}  // namespace tactus::detail::lab::grains
