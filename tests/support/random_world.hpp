#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/joint_scene.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail::test {

/// A world of a few dozen bodies with anything that a world may have, and what is done to it
/// between steps: all of it follows from the seed.
class RandomWorld {
 public:
  explicit RandomWorld(std::uint64_t seed) : seed_(seed) {
    Random random(seed);
    const auto chance = [&](double part) { return random.uniform(0.0, 1.0) < part; };
    kind_ = static_cast<int>(random.uniform(0.0, 4.0));
    floor_ = static_cast<int>(random.uniform(0.0, 4.0));
    sleeps_ = chance(0.4);
    periodic_x_ = chance(0.25);
    periodic_y_ = chance(0.25);
    sensors_ = chance(0.3);
    kinematic_ = chance(0.3);
    wide_ = chance(0.3);
    disturbed_ = chance(0.5);
    weightless_ = chance(0.15);
    restitution_ = chance(0.5) ? random.uniform(0.0, 1.0) : 0.0;
    rolling_ = chance(0.3) ? 0.02 : 0.0;
    count_ = 24 + static_cast<int>(random.uniform(0.0, 40.0));
    if (periodic_x_ || periodic_y_) floor_ = 0;
    joints_ = chance(0.4);
    rollers_ = chance(0.5);
    belts_ = chance(0.3);
    locks_ = chance(0.3);
    one_way_ = chance(0.3);
    rules_ = chance(0.2);
    // From the weight of a grain to many times it.
    if (chance(0.3)) adhesion_ = std::pow(10.0, random.uniform(1.0, 3.0));
  }

  std::string text() const {
    const auto flag = [](bool on, const char* name) { return on ? std::string(name) + ' ' : ""; };
    return "kind " + std::to_string(kind_) + ", floor " + std::to_string(floor_) + ", " +
           std::to_string(count_) + " bodies, restitution " + std::to_string(restitution_) + ' ' +
           flag(sleeps_, "sleep") + flag(periodic_x_, "periodic_x") +
           flag(periodic_y_, "periodic_y") + flag(sensors_, "sensors") +
           flag(kinematic_, "kinematic") + flag(wide_, "wide") + flag(disturbed_, "disturbed") +
           flag(weightless_, "weightless") + flag(rolling_ > 0.0, "rolling") +
           flag(joints_, "joints") + flag(rollers_, "rollers") + flag(belts_, "belts") +
           flag(adhesion_ > 0.0, "adhesion") + flag(locks_, "locks") + flag(one_way_, "one_way") +
           flag(rules_, "rules");
  }

  World make() const {
    WorldSettings settings;
    settings.max_threads = 1;
    if (sleeps_) settings.sleep_time = 0.05;
    if (weightless_) settings.gravity = {};
    if (periodic_x_) settings.periodic[0] = PeriodicAxis{-1.5, 1.5};
    if (periodic_y_) settings.periodic[1] = PeriodicAxis{-1.5, 1.5};
    World world(settings);
    Random random(seed_ + 1000);
    add_floor(world);
    const bool flat = floor_ == 3;
    for (int i = 0; i < count_; ++i) {
      const double x = random.uniform(-1.4, 1.4), y = random.uniform(-1.4, 1.4);
      const double z = flat                    ? 0.4 + 0.3 * (i % 4)
                       : sleeps_ && i % 2 == 0 ? 0.21
                                               : random.uniform(0.25, 1.6);
      BodyDefinition body{shape(i)};
      body.pose = flat ? Pose::from_axis_angle({x, y, z}, {0, 0, 1}, random.uniform(0.0, 3.0))
                       : Pose({x, y, z}, test::random_rotation(random));
      body.material = material();
      if (weightless_ || i % 5 == 0) {
        const double vx = random.uniform(-2.0, 2.0), vy = random.uniform(-2.0, 2.0);
        const double vz = random.uniform(-2.0, 0.0);
        body.linear_velocity = {vx, vy, vz};
      }
      if (i % 7 == 0) body.angular_velocity = {3.0, -2.0, 8.0};
      if (sensors_) make_sensor(i, body);
      if (locks_ && i % 6 == 2) body.lock.angular = {true, true, false};
      if (locks_ && i % 6 == 4) body.lock.linear = {false, true, false};
      if (kinematic_ && i % 13 == 5) {
        body.type = BodyType::kinematic;
        body.linear_velocity = {0.5, 0.2, 0.0};
      }
      world.add(body);
    }
    if (wide_ && !periodic_x_ && !periodic_y_)
      add_body(world, Box({2.4, 0.2, 0.2}), {0.1, 0.2, 2.0}, material());
    if (joints_) join(world, random);
    if (rollers_) add_rollers(world);
    if (one_way_) {
      BodyDefinition shelf{Box({1.1, 0.9, 0.1})};
      shelf.pose = Pose::translation({0.2, -0.3, 0.9});
      shelf.type = BodyType::fixed;
      shelf.one_way = Vec3{0.0, 0.0, 1.0};
      world.add(shelf);
    }
    if (belts_)
      for (BodyId id = 1; id < first_id(); ++id)
        world.set_surface_velocity(id, {{0.6, -0.3, 0.0}, {0.0, 0.0, 0.4}});
    if (rules_)
      world.set_contact_rule([](const FoundContact& contact, ContactTerms& terms) {
        if ((contact.body_a.id() + contact.body_b.id()) % 5 == 0) terms.surface.friction = 0.05;
        terms.ignored = contact.body_a.id() % 11 == 0 && contact.body_b.id() % 7 == 0;
      });
    return world;
  }

  /// Before a step.
  void disturb(World& world, int step) const {
    if (!disturbed_ || step % 3 != 2) return;
    Random random(seed_ * 7919 + static_cast<std::uint64_t>(step));
    const auto some = [&] {
      return first_id() + static_cast<BodyId>(random.uniform(0.0, static_cast<double>(count_)));
    };
    const BodyId hit = some(), gone = some(), forced = some();
    const double speed = random.uniform(-3.0, 3.0);
    if (world.contains(hit)) world.set_velocity(hit, {speed, 1.0, 2.0}, {});
    if (world.contains(gone) && step % 2 == 0) world.remove(gone);
    if (world.contains(forced)) world.apply_force(forced, {0.0, 20.0 * speed, 5.0});
    BodyDefinition body{Sphere(0.15)};
    body.pose = Pose::translation({random.uniform(-1.0, 1.0), 0.3, 1.9});
    body.material = material();
    if (step % 2 == 1) world.add(body);
  }

 private:
  BodyId first_id() const { return floor_ == 1 ? 17 : floor_ == 3 ? 30 : 2; }
  Material material() const {
    Material material;
    material.restitution = restitution_;
    material.rolling_friction = rolling_;
    material.adhesion = adhesion_;
    return material;
  }
  Shape shape(int i) const {
    switch (kind_) {
      case 0:
        return Sphere(i % 3 == 0 ? 0.12 : 0.2);
      case 1:
        return Box({0.35, 0.35, 0.35});
      default:
        return mixed_shape(i);
    }
  }
  /// Sensors that lie, that fall with the others, and that pass a body within a step.
  static void make_sensor(int i, BodyDefinition& body) {
    if (i % 9 == 4) {
      body.sensor = true;
      body.type = BodyType::fixed;
    } else if (i % 9 == 7) {
      body.sensor = true;
    } else if (i % 9 == 1) {
      body.sensor = true;
      body.type = BodyType::kinematic;
      body.linear_velocity = {40.0, -25.0, 0.0};
    }
  }
  /// Cylinders that roll beside each other on the floor, and a turntable that carries bodies.
  void add_rollers(World& world) const {
    for (int i = 0; i < 8; ++i) {
      BodyDefinition roller{i % 3 == 2 ? Shape(Ellipsoid({0.15, 0.15, 0.3}))
                                       : Shape(Cylinder(0.15, 0.4))};
      roller.pose = Pose::from_axis_angle({0.305 * i - 1.1, 1.7, 0.15}, {1, 0, 0}, 0.5 * kPi);
      const double speed = 0.4 - 0.2 * (i % 2);
      roller.linear_velocity = {speed, 0.0, 0.0};
      roller.angular_velocity = {0.0, speed / 0.15, 0.0};
      roller.material = material();
      world.add(roller);
    }
    BodyDefinition table{Cylinder(0.6, 0.2)};
    table.type = BodyType::kinematic;
    table.pose = Pose::translation({-0.2, -1.9, 0.35});
    table.angular_velocity = {0.0, 0.0, 2.0};
    table.material = material();
    world.add(table);
    add_body(world, Box({0.25, 0.25, 0.25}), {0.1, -1.9, 0.576}, material());
    add_body(world, Sphere(0.12), {-0.5, -1.8, 0.571}, material());
  }
  /// A chain across the others, and a door that may have a motor.
  void join(World& world, Random& random) const {
    std::vector<BodyId> links;
    for (int i = 0; i < 5; ++i)
      links.push_back(add_body(world, Capsule(0.08, 0.2), {0.45 * i - 0.9, 0.4, 1.9}, material()));
    const double holds = random.uniform(0.0, 400.0);
    for (std::size_t i = 1; i < links.size(); ++i) {
      JointDefinition joint =
          joint_at(JointType::ball, world.body(links[i - 1]), world.body(links[i]),
                   {0.45 * static_cast<double>(i) - 1.125, 0.4, 1.9}, {0, 1, 0});
      if (i % 2 == 0) joint.break_force = holds;
      world.add_joint(joint);
    }
    world.set_velocity(links[2], {0.0, 0.0, 3.0}, {});
    BodyDefinition frame{Box({0.1, 0.1, 0.1})};
    frame.type = BodyType::fixed;
    frame.pose = Pose::translation({-0.8, -0.6, 0.9});
    const BodyId post = world.add(frame);
    const BodyId door = add_body(world, Box({0.6, 0.1, 0.4}), {-0.4, -0.6, 0.9}, material());
    JointDefinition hinge = joint_at(JointType::hinge, world.body(post), world.body(door),
                                     {-0.75, -0.6, 0.9}, {0, 0, 1});
    if (random.uniform(0.0, 1.0) < 0.5) hinge.motor = JointMotor{2.0, 5.0};
    if (!hinge.motor) hinge.drive = JointDrive{0.8, 200.0, 20.0, 50.0};
    world.add_joint(hinge);
  }
  void add_floor(World& world) const {
    if (floor_ == 0 || floor_ == 3) add_ground(world, material());
    if (floor_ == 3) {
      // Bricks that move, side by side: one surface for those on it.
      for (int i = 0; i < 28; ++i) {
        BodyDefinition brick{Box({0.5, 0.5, 0.25})};
        brick.pose = Pose::translation({0.5 * (i % 7) - 1.5, 0.5 * (i / 7) - 0.75, 0.125});
        brick.material = material();
        world.add(brick);
      }
    } else if (floor_ == 1) {
      for (int i = 0; i < 16; ++i) {
        BodyDefinition tile{Box({1.0, 1.0, 0.4})};
        tile.pose = Pose::translation({(i % 4) - 1.5, (i / 4) - 1.5, -0.2});
        tile.type = BodyType::fixed;
        tile.material = material();
        world.add(tile);
      }
    } else if (floor_ == 2) {
      TriangleMesh mesh;
      for (int i = 0; i <= 8; ++i)
        for (int j = 0; j <= 8; ++j)
          mesh.vertices.push_back(
              {0.5 * (i - 4), 0.5 * (j - 4), 0.06 * std::fabs((i + 2 * j) % 3 - 1.0)});
      for (std::uint32_t i = 0; i < 8; ++i) {
        for (std::uint32_t j = 0; j < 8; ++j) {
          const std::uint32_t v = 9 * i + j;
          mesh.triangles.push_back({v, v + 9, v + 10});
          mesh.triangles.push_back({v, v + 10, v + 1});
        }
      }
      // Bodies on it slide over the seams of a mesh.
      BodyDefinition ground{Mesh(mesh)};
      ground.type = BodyType::fixed;
      ground.material = material();
      world.add(ground);
    }
  }

  std::uint64_t seed_;
  int kind_ = 0, floor_ = 0, count_ = 0;
  bool sleeps_ = false, periodic_x_ = false, periodic_y_ = false, sensors_ = false,
       kinematic_ = false, wide_ = false, disturbed_ = false, weightless_ = false, joints_ = false,
       rollers_ = false, belts_ = false, locks_ = false, one_way_ = false, rules_ = false;
  double restitution_ = 0.0, rolling_ = 0.0, adhesion_ = 0.0;
};

}  // namespace tactus::detail::test
