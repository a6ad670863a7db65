// A pile that all ranks of an MPI program share: mpirun -n 4 distributed.
#include "tactus/distributed.hpp"

#include <cstdio>

#include "tactus/world.hpp"

int main() {
  if (!tactus::distributed::has_mpi()) {
    std::puts("built without MPI");
    return 0;
  }
  tactus::distributed::Ranks ranks;
  // Every rank makes the same world.
  tactus::World world;
  tactus::BodyDefinition ground{tactus::HalfSpace({0, 0, 1}, 0)};
  ground.type = tactus::BodyType::fixed;
  world.add(ground);
  for (int i = 0; i < 100; ++i) {
    tactus::BodyDefinition ball{tactus::Sphere(0.2)};
    ball.pose = tactus::Pose::translation({0.5 * (i % 10), 0.5 * (i / 10), 0.3});
    world.add(ball);
  }
  ranks.share_out(world);
  for (int i = 0; i < 60; ++i) tactus::require_done(world.step());
  // No bit depends on the number of ranks.
  const std::uint64_t hash = world.state_hash();
  if (ranks.rank() == 0) std::printf("%016llx\n", static_cast<unsigned long long>(hash));
  return 0;
}
