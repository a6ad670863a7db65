#include "lab/knoblauch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "tactus/io.hpp"
#include "tactus/soft/contact/response.hpp"

namespace tactus::detail::lab {
namespace {

// The scenes that users run are those of the experiment, to the bit.
TEST(Knoblauch, ScenesAreThoseOfTheExperiment) {
  const std::filesystem::path folder = std::filesystem::path(TACTUS_SOURCE_DIR) / "scenes";
  const char* names[] = {"slow", "fast", "very_fast", "bodies"};
  for (int run = 0; run < 4; ++run) {
    const std::string name = names[run];
    const io::Scene scene = io::read_scene(folder / ("knoblauch_" + name + ".json"));
    EXPECT_EQ(scene.response, DeformableResponse::freeze_continuous);
    EXPECT_EQ(scene.step_rate, 60u);
    EXPECT_EQ(scene.recording.steps, 120u);
    DeformableSettings settings;
    settings.contacts = false;
    DeformableWorld world(settings);
    for (const DeformableDefinition& d : knoblauch_bodies(run)) world.add(d);
    DeformableWorld same = io::build_deformable_world(scene);
    ASSERT_EQ(same.bodies(), world.bodies()) << name;
    EXPECT_EQ(same.state_hash(), world.state_hash()) << name;
    for (int k = 0; k < 30; ++k) {
      const Places start = places_of(world);
      world.step();
      freeze(world, start, first_contacts(world, start, places_of(world), 0));
      io::step_deformables(scene, same, nullptr);
    }
    EXPECT_EQ(same.state_hash(), world.state_hash()) << name;
    EXPECT_EQ(frozen_bodies(same), same.bodies()) << name;
  }
}

}  // namespace
}  // namespace tactus::detail::lab
