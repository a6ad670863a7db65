// A soft ball and a cloth fall on a sphere; a vertex of the cloth is pulled. A rigid ball comes to
// rest on a cloth with a fixed rim.
#include <cstdio>

#include "tactus/deform.hpp"

using namespace tactus;

namespace {

soft::DeformableDefinition make_ball() {
  const soft::TetrahedralMesh mesh = soft::tetrahedral_sphere(0.15, 0.1);
  soft::DeformableDefinition ball;
  ball.vertices = mesh.vertices;
  ball.tetrahedra = mesh.tetrahedra;
  ball.material.young = 5e4;
  ball.material.damping = 0.005;
  ball.pose = Pose::translation({0.0, 0.0, 0.95});
  return ball;
}

soft::DeformableDefinition make_cloth(int cells) {
  soft::DeformableDefinition cloth;
  for (int j = 0; j <= cells; ++j) {
    for (int i = 0; i <= cells; ++i)
      cloth.vertices.push_back({1.0 * i / cells - 0.5, 1.0 * j / cells - 0.5, 0.0});
  }
  for (std::uint32_t j = 0; j < static_cast<std::uint32_t>(cells); ++j) {
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(cells); ++i) {
      const std::uint32_t row = static_cast<std::uint32_t>(cells) + 1, a = j * row + i;
      cloth.triangles.push_back({a, a + 1, a + row});
      cloth.triangles.push_back({a + 1, a + row + 1, a + row});
    }
  }
  cloth.material.density = 300.0;
  cloth.pose = Pose::translation({0.01, 0.02, 0.7});
  return cloth;
}

soft::DeformableDefinition make_trampoline() {
  soft::DeformableDefinition cloth = make_cloth(12);
  for (std::uint32_t i = 0; i < cloth.vertices.size(); ++i) {
    const Vec3& v = cloth.vertices[i];
    if (max_abs(v) > 0.49) cloth.fixed.push_back(i);
  }
  cloth.material.young = 1e6;
  cloth.material.damping = 0.01;
  cloth.pose = {};
  return cloth;
}

double rest_on_a_trampoline() {
  World rigid;
  soft::DeformableWorld soft;
  soft.add(make_trampoline());
  const BodyId ball = rigid.add({.shape = Sphere(0.1), .pose = Pose::translation({0.0, 0.0, 0.2})});
  const std::uint32_t obstacle = soft.add_obstacle(rigid, ball);
  for (int k = 0; k < 300; ++k) soft.step(rigid);
  // Load of the cloth on the ball: the ball's weight.
  return soft.load(obstacle).force.z;
}

}  // namespace

int main() {
  soft::DeformableSettings settings;
  settings.time_step = 1.0 / 60.0;
  soft::DeformableWorld world(settings);
  const soft::DeformableId cloth = world.add(make_cloth(12));
  const soft::DeformableId ball = world.add(make_ball());
  world.add_obstacle({Sphere(0.3), Pose::translation({0.0, 0.0, 0.35})});
  world.add_obstacle({HalfSpace({0.0, 0.0, 1.0}, 0.0)});

  for (int k = 0; k < 30; ++k) world.step();
  world.lead(cloth, 0, world.positions(cloth)[0] + Vec3{0.0, 0.0, 0.05});
  for (int k = 0; k < 10; ++k) world.step();

  const soft::DeformableStatistics& s = world.statistics();
  std::printf("time %.2f, %d contacts, energy %.3f, lowest ball vertex of %zu\n", s.time,
              s.contacts, s.energy(), world.positions(ball).size());
  std::printf("the cloth carries %.2f\n", rest_on_a_trampoline());
  return world.crossings().empty() ? 0 : 1;
}
