#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tactus/io/file/atomic_file.hpp"
#include "tactus/world.hpp"

namespace tactus::app {

/// Writes down the pairs that the broad phase handed on in a step, at the poses at which they were
/// asked.
class PairRecorder {
 public:
  /// Remembers where the bodies are.
  void before_step(const RigidWorld& world);
  /// The pairs of the step since, one query line each, by ids: `1-2`, with `numbered` after the
  /// step's number: `60:1-2`. Throws FileError, and InvalidInput when no step was done.
  void add(const RigidWorld& world, std::span<const PairMemory> pairs, const std::string& file,
           bool numbered);
  /// Makes the file whole. Throws as `add`, and where no step was added.
  void finish(const std::string& file);

 private:
  struct Placed {
    BodyId id;
    Pose pose;
  };
  std::vector<Placed> bodies_;  ///< by id
  std::unique_ptr<io::AtomicFile> out_;
};

}  // namespace tactus::app
