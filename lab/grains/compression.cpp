#include <algorithm>
#include <cmath>
#include <vector>

#include "lab/grains/grains.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail::lab::grains {
namespace {

constexpr double kPressure = 1e4;
constexpr double kCell = 1.15 * kDiameter;
/// Walls that move touch grains, and not one another.
constexpr CollisionFilter kWall{2, 1};
/// Steps over which the angle is averaged; where its critical value begins, and where the run ends.
constexpr int kAveraged = 10;
constexpr double kCriticalFrom = 0.15, kMostStrain = 0.25;

/// Grains between three fixed walls and three that move along their normals.
class Cube {
 public:
  Cube(const Sample& sample, const Material& material) : world_(settings_of(sample)) {
    const int side = std::max(3, static_cast<int>(std::cbrt(static_cast<double>(sample.grains))));
    const double length = side * kCell;
    wide_ = 4.0 * length;
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 normal;
      normal[axis] = 1.0;
      add_wall(world_, normal, 0.0, surface(0.0));
      walls_[axis] = add_moving_wall(axis, length, BodyType::dynamic_body);
    }
    Random random(sample.seed, 3);
    const auto along = static_cast<std::uint64_t>(side);
    for (std::uint64_t i = 0; i < along * along * along; ++i) {
      BodyDefinition body = grain(random, material);
      body.pose = Pose::translation(lattice_place(i, side, side) * kCell);
      body.linear_velocity = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
      grains_.push_back(world_.add(body));
    }
    solid_ = mass_of(world_, grains_) / kDensity;
  }

  /// Equal pressure on all sides until the grains rest.
  void press() {
    while (world_.time() < 1.0 ||
           (world_.time() < 10.0 && world_.statistics().rms_relative_speed > 5e-3))
      step();
  }
  /// From now on the top moves down by this part of its height per time.
  void drive_top(double rate) {
    const double height = extent(2);
    world_.remove(walls_[2]);
    walls_[2] = add_moving_wall(2, height, BodyType::kinematic, -rate * height);
    driven_ = true;
  }
  void set_friction(double friction) {
    for (const BodyId id : grains_) world_.set_material(id, surface(friction, 0.0));
  }
  void step() {
    for (int axis = 0; axis < (driven_ ? 2 : 3); ++axis) {
      Vec3 force;
      force[axis] = -kPressure * extent((axis + 1) % 3) * extent((axis + 2) % 3);
      world_.apply_force(walls_[axis], force);
    }
    require_done(world_.step());
  }
  /// Extent of the grains, from the fixed wall to the one that moves.
  double extent(int axis) const {
    return world_.body(walls_[axis]).center_of_mass()[axis] - 0.5 * wide_;
  }
  double volume() const { return extent(0) * extent(1) * extent(2); }
  double solid_fraction() const { return solid_ / volume(); }
  GrainMeasures measure() const { return measure_grains(world_, grains_, volume()); }

 private:
  static WorldSettings settings_of(const Sample& sample) {
    WorldSettings settings;
    settings.max_threads = sample.threads;
    settings.gravity = {};
    return settings;
  }
  BodyId add_moving_wall(int axis, double at, BodyType type, double speed = 0.0) {
    BodyDefinition wall{Box({wide_, wide_, wide_})};
    Vec3 place{0.25 * wide_ * 0.5, 0.25 * wide_ * 0.5, 0.25 * wide_ * 0.5};
    place[axis] = at + 0.5 * wide_;
    wall.pose = Pose::translation(place);
    wall.type = type;
    wall.material = surface(0.0, 0.0);
    wall.filter = kWall;
    wall.linear_velocity[axis] = speed;
    if (type == BodyType::dynamic_body) {
      wall.lock.angular = {true, true, true};
      for (int i = 0; i < 3; ++i) wall.lock.linear[static_cast<std::size_t>(i)] = i != axis;
      const double mass = 50.0 * kDensity * kPi / 6.0 * kDiameter * kDiameter * kDiameter;
      wall.mass = BodyMass{mass, {}, Mat3::diagonal({mass, mass, mass})};
    }
    return world_.add(wall);
  }

  World world_;
  double wide_ = 0.0, solid_ = 0.0;
  BodyId walls_[3] = {};
  std::vector<BodyId> grains_;
  bool driven_ = false;
};

double in_degrees(double sine) { return std::asin(std::clamp(sine, -1.0, 1.0)) * 180.0 / kPi; }

}  // namespace

Compression compress(double friction, double strain_rate, const Sample& sample) {
  // Without friction first: so they lie dense.
  Cube cube(sample, surface(0.0, 0.0));
  cube.press();
  Compression result;
  result.friction = friction;
  result.solid_fraction = cube.solid_fraction();
  result.coordination = cube.measure().coordination;
  cube.set_friction(friction);
  cube.drive_top(strain_rate);
  const double height = cube.extent(2);
  double sum = 0.0, off = 0.0, critical = 0.0, peak = 0.0;
  int steps = 0, averages = 0;
  while (cube.extent(2) > (1.0 - kMostStrain) * height) {
    cube.step();
    const Mat3 stress = cube.measure().stress;
    const double side = 0.5 * (stress(0, 0) + stress(1, 1)), top = stress(2, 2);
    sum += (top - side) / (top + side);
    off += std::fabs(side / kPressure - 1.0);
    if (++steps % kAveraged != 0) continue;
    const double mean = sum / kAveraged;
    sum = 0.0;
    peak = std::max(peak, mean);
    if (1.0 - cube.extent(2) / height < kCriticalFrom) continue;
    critical += mean;
    ++averages;
  }
  result.peak = in_degrees(peak);
  result.critical = in_degrees(averages > 0 ? critical / averages : 0.0);
  result.pressure_off = off / std::max(steps, 1);
  return result;
}

}  // namespace tactus::detail::lab::grains
