#pragma once

#include <filesystem>

#include "tactus/robot.hpp"

namespace tactus::app {

/// The robot with the convex parts of each of its meshes in place of the mesh, of that concavity
/// (`tactus decompose`). Parts that `cache` holds for a mesh and concavity are taken from it; those
/// that are made anew are added to it. An empty name keeps nothing. Throws FileError, InvalidInput.
Robot decomposed(const Robot& robot, double concavity, const std::filesystem::path& cache);

}  // namespace tactus::app
