#pragma once

#include <span>
#include <string_view>

namespace tactus::detail::fuzz {

/// A reader of bytes from outside, and what must hold whatever they are. `digest` ends the program
/// when it does not; crashes and hangs are findings, too.
struct Target {
  std::string_view name;  ///< also of the executable `fuzz_<name>_bytes` and of its corpus
  void (*digest)(std::string_view bytes);
};

/// Readers of lines (query, planar, live), scenes, meshes (obj, stl, ply, off, gltf), tetrahedra,
/// trees, recordings, images, continuous queries (ccd), robots (urdf, mjcf, sdf, srdf) and their
/// paths.
std::span<const Target> targets();

}  // namespace tactus::detail::fuzz
