#include "tactus/io.hpp"

namespace tactus::io {

SceneObstacles scene_obstacles(const Scene& scene) {
  SceneObstacles found;
  for (const SceneBody& body : scene.bodies) {
    const BodyDefinition& d = body.definition;
    RobotBody obstacle{d.shape, d.pose, body.name};
    if (d.type == BodyType::kinematic) {
      // A kinematic body has its origin for a centre of mass.
      found.moving.push_back({std::move(obstacle), {}, d.linear_velocity, d.angular_velocity});
    } else {
      found.resting.push_back(std::move(obstacle));
    }
  }
  return found;
}

}  // namespace tactus::io
