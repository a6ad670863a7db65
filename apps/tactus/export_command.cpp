#include "apps/tactus/export_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>

#include "apps/tactus/output.hpp"
#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/run/export.hpp"

namespace tactus::app {
namespace {

void export_run(const ExportCommand& command) {
  if (command.csv.empty() && command.contacts.empty() && command.vtk.empty() &&
      command.bodies.empty()) {
    throw InvalidInput("", "nothing to write: give --csv, --contacts, --vtk or --bodies");
  }
  io::PictureReader pictures(command.run);
  std::optional<io::Scene> scene;
  if (!command.scene.empty()) {
    scene = io::read_scene(command.scene);
    if (scene->fingerprint != pictures.run().fingerprint)
      throw InvalidInput("--scene", command.scene + " is not the scene of " + command.run);
    if (!command.bodies.empty()) {
      io::export_bodies_csv(*scene, command.bodies);
      wrote(command.bodies);
    }
  }
  if (!command.csv.empty()) {
    io::export_csv(pictures, command.csv);
    wrote(command.csv);
  }
  if (!command.contacts.empty()) {
    io::export_contacts_csv(pictures, command.contacts);
    wrote(command.contacts);
  }
  if (!command.vtk.empty()) {
    const std::string name = std::filesystem::path(command.run).stem().string();
    for (const auto& file : io::export_vtk(pictures, command.vtk, name, scene ? &*scene : nullptr))
      wrote(file.string());
  }
}

}  // namespace

int run_export(const ExportCommand& command) {
  try {
    if (command.run == "-")
      throw InvalidInput("RUN", "a recording is read more than once, and cannot be standard input");
    export_run(command);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus export: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
