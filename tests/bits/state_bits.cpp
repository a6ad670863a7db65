// state_bits SCENE STEPS   prints the hash of a scene's state after so many steps: what other
// compilers must print too (tools/hash_matrix).
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "tactus/io.hpp"

namespace {

std::uint64_t hash_after(const tactus::io::Scene& scene, std::uint64_t steps) {
  if (scene.deformables.empty()) {
    const auto world = tactus::io::build_world(scene);
    for (std::uint64_t i = 0; i < steps; ++i) {
      tactus::io::begin_step(scene, i, *world);
      world->step();
    }
    return world->state_hash();
  }
  const auto rigid = tactus::io::build_rigid_world(scene);
  tactus::soft::DeformableWorld world = tactus::io::build_deformable_world(scene, rigid.get());
  for (std::uint64_t i = 0; i < steps; ++i) tactus::io::step_deformables(scene, world, rigid.get());
  return tactus::io::state_hash(world, rigid.get());
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("state_bits SCENE STEPS\n", stderr);
    return 2;
  }
  try {
    const std::uint64_t hash =
        hash_after(tactus::io::read_scene(words[1]), std::strtoull(words[2], nullptr, 10));
    std::printf("state hash: %016llx\n", static_cast<unsigned long long>(hash));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "state_bits: %s\n", error.what());
    return 1;
  }
  return 0;
}
