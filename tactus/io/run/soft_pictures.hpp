#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "tactus/io.hpp"

namespace tactus::io {

/// Contacts in a run with deformables: those of the rigid world (null: there is none), then those
/// of the deformables; bodies by their places in the scene, deformables after them.
std::vector<ContactSample> contacts_of(const soft::DeformableWorld& world, const RigidWorld* rigid,
                                       const Vec3& origin);

/// The pictures of a run with deformables, on disk beside its checkpoint: where the vertices and
/// the rigid bodies that are not fixed stand (their velocities are zero), and what touches. Each
/// tells how long it is, so that a run that was killed is continued by cutting off what came after
/// its checkpoint.
class SoftPictures {
 public:
  /// Starts the file anew. Throws FileError.
  SoftPictures(const Scene& scene, const std::filesystem::path& file);
  /// Goes on after the first `count` pictures of the file `from`, which may be `file` itself.
  /// Throws FileError when they are not there or of another scene.
  SoftPictures(const Scene& scene, const std::filesystem::path& file,
               const std::filesystem::path& from, std::uint64_t count);

  /// Appends a picture, with the contacts of both worlds where they are due; `rigid` is null in
  /// runs without moving bodies. Throws FileError.
  void add(const soft::DeformableWorld& world, const RigidWorld* rigid);
  /// After it, all that was added is in the file. Throws FileError.
  void flush();

  const RunCheckpoint& run() const { return run_; }
  std::uint64_t count() const { return count_; }
  /// Calls `take` for all pictures in order; to be flushed before. Throws FileError.
  void for_each(const std::function<void(const Picture&)>& take) const;

 private:
  std::filesystem::path file_;
  std::ofstream stream_;
  RunCheckpoint run_;         ///< of the scene, before its first step
  std::size_t vertices_ = 0;  ///< of all deformables
  std::uint64_t count_ = 0;
};

}  // namespace tactus::io
