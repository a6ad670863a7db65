#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/world.hpp"

namespace tactus::detail::test {

/// A small fixed body at the origin that touches nothing.
inline BodyId add_anchor(World& world) {
  BodyDefinition anchor{Sphere(0.01)};
  anchor.type = BodyType::fixed;
  anchor.filter.mask = 0;
  return world.add(anchor);
}

/// Kinetic and potential energy of the moving bodies.
inline double energy(const World& world) {
  double sum = 0.0;
  for (const Body& body : world.bodies()) {
    if (body.is_dynamic())
      sum += body.kinetic_energy() -
             body.mass().mass * dot(world.settings().gravity, body.center_of_mass());
  }
  return sum;
}

/// `count` links of length 1 along a direction from an anchor at the origin, jointed about y; they
/// touch nothing. Returns the anchor and the links.
inline std::vector<BodyId> add_chain(World& world, int count, JointType type,
                                     const Vec3& direction = {1.0, 0.0, 0.0}) {
  std::vector<BodyId> bodies{add_anchor(world)};
  for (int i = 0; i < count; ++i) {
    const Vec3 from = direction * i, to = direction * (i + 1.0);
    BodyDefinition link{Capsule(0.05, 0.8), Pose::along(from, to)};
    link.filter.mask = 0;
    bodies.push_back(world.add(link));
    world.add_joint(joint_at(type, world.body(bodies[bodies.size() - 2]), world.body(bodies.back()),
                             from, {0.0, 1.0, 0.0}));
  }
  return bodies;
}

/// A ball of the given mass half a length beyond the end of a link.
inline BodyId add_load(World& world, BodyId link, const Vec3& end, double mass) {
  const Vec3 way = normalized(end - world.body(link).center_of_mass());
  BodyDefinition load{Sphere(0.5), Pose::translation(end + way * 0.5)};
  load.material.density = mass / (kPi / 6.0);
  load.filter.mask = 0;
  const BodyId id = world.add(load);
  world.add_joint(joint_at(JointType::ball, world.body(link), world.body(id), end));
  return id;
}

/// Largest distance between the anchors of any joint but those of sliders and distances.
inline double gap(const World& world) {
  double most = 0.0;
  for (const Joint& joint : world.joints()) {
    const JointDefinition& d = joint.definition;
    if (d.type == JointType::slider || d.type == JointType::distance) continue;
    const Vec3 a = world.body(d.body_a).pose().to_world(d.frame_a.position());
    const Vec3 b = world.body(d.body_b).pose().to_world(d.frame_b.position());
    most = std::max(most, norm(b + joint.shift - a));
  }
  return most;
}

}  // namespace tactus::detail::test
