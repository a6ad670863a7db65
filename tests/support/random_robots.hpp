#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/robot.hpp"

namespace tactus::detail::test {

inline Vec3 random_vector(Random& random, double size) {
  const double x = random.uniform(-size, size), y = random.uniform(-size, size);
  const double z = random.uniform(-size, size);
  return {x, y, z};
}

inline Pose placed_at_random(Random& random, double size) {
  const Vec3 position = random_vector(random, size), axis = random_vector(random, 1.0);
  return Pose::from_axis_angle(position, axis, random.uniform(-3.0, 3.0));
}

/// A small convex body.
inline Shape random_body(Random& random, double size) {
  const double a = size * random.uniform(0.2, 1.0), b = size * random.uniform(0.2, 1.0);
  switch (random.below(5)) {
    case 0:
      return Sphere(a);
    case 1:
      return Box({a, b, 2.0 * size});
    case 2:
      return Capsule(0.5 * a, 2.0 * b);
    case 3:
      return Cylinder(0.5 * a, 2.0 * b);
    default: {
      std::vector<Vec3> points(12);
      for (Vec3& p : points) p = random_vector(random, a);
      return Convex(std::span<const Vec3>(points));
    }
  }
}

/// An octahedron with one corner pushed in: closed, and not convex.
inline Shape dented_body(Random& random, double size) {
  TriangleMesh mesh{
      {{size, 0, 0}, {-size, 0, 0}, {0, size, 0}, {0, -size, 0}, {0, 0, 2 * size}, {0, 0, -size}},
      {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
  mesh.vertices[4].z = -size * random.uniform(0.2, 0.6);
  return Mesh(std::move(mesh));
}

/// A tree of up to `links` links with joints of all types and mimics.
inline Robot random_robot(Random& random, std::uint32_t links, bool meshes = false,
                          double size = 0.2) {
  std::vector<RobotLink> made;
  std::vector<RobotJoint> joints;
  for (std::uint32_t i = 0; i < links; ++i) {
    RobotLink link{"link" + std::to_string(i), {}};
    const std::uint32_t bodies = random.below(3);
    for (std::uint32_t k = 0; k < bodies; ++k) {
      const Shape shape =
          meshes && random.below(2) == 0 ? dented_body(random, size) : random_body(random, size);
      link.bodies.push_back({shape, placed_at_random(random, 0.2), ""});
    }
    made.push_back(std::move(link));
    if (i == 0) continue;
    RobotJoint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = static_cast<RobotJointType>(random.below(6));
    joint.parent = random.below(2) == 0 ? i - 1 : random.below(i);
    joint.child = i;
    joint.origin = placed_at_random(random, 0.5);
    joint.axis = random_vector(random, 2.0);
    joint.lower = random.uniform(-2.0, 0.0);
    joint.upper = random.uniform(0.0, 2.0);
    const auto single = [](const RobotJoint& j) {
      return j.type != RobotJointType::fixed && j.type != RobotJointType::planar &&
             j.type != RobotJointType::floating;
    };
    if (single(joint) && random.below(4) == 0)
      for (std::uint32_t k = 0; k < joints.size(); ++k)
        if (single(joints[k]))
          joint.mimic = RobotMimic{k, random.uniform(-2.0, 2.0), random.uniform(-1.0, 1.0)};
    joints.push_back(joint);
  }
  return {"random", std::move(made), std::move(joints)};
}

inline std::vector<double> random_configuration(Random& random, const Robot& robot) {
  std::vector<double> values;
  for (const RobotCoordinate& c : robot.coordinates())
    values.push_back(
        random.uniform(c.lower > -10.0 ? c.lower : -2.0, c.upper < 10.0 ? c.upper : 2.0));
  return values;
}

}  // namespace tactus::detail::test
