// Reads a scene, runs it, and writes a page that plays it. Usage: example_scene_file [SCENE
// [FOLDER]]
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tactus/io.hpp"

using namespace tactus;

namespace {

constexpr const char* kScene = R"({
  "title": "Three balls on a floor",
  "bodies": [
    {"type": "fixed", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}},
    {"shape": {"type": "sphere", "radius": 0.2}, "pose": {"position": [0, 0, 1]}},
    {"shape": {"type": "sphere", "radius": 0.2}, "pose": {"position": [0.1, 0, 1.6]}},
    {"shape": {"type": "sphere", "radius": 0.2}, "pose": {"position": [0, 0.1, 2.2]}}
  ]
})";

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder =
      argc > 2 ? argv[2] : std::filesystem::temp_directory_path() / "tactus_example";
  std::filesystem::create_directories(folder);
  std::filesystem::path file = folder / "balls.json";
  if (argc > 1) {
    file = argv[1];
  } else {
    std::ofstream(file) << kScene;
  }
  const auto read = attempt([&] { return io::read_scene(file); });
  if (!read) {
    std::fprintf(stderr, "%s\n", read.error().c_str());
    return 2;
  }
  const std::unique_ptr<RigidWorld> owned = io::build_world(*read);
  RigidWorld& world = *owned;
  io::Recording recording = io::start_recording(*read);
  for (std::uint64_t step = 0; step < 120; ++step) {
    io::begin_step(*read, step, world);
    world.step();
    io::record(*read, world, recording);
  }
  io::write_recording(recording, folder / "balls.tactus");
  std::printf("%zu pictures, %s\n", recording.pictures.size(), (folder / "balls.tactus").c_str());
  if (!io::kPlayerPage.empty()) {  // built with the player
    std::ofstream(folder / "balls.html") << io::html_page(*read, recording);
    std::printf("%s\n", (folder / "balls.html").c_str());
  }
  return recording.pictures.empty() ? 1 : 0;
}
