#pragma once

#include <string>
#include <vector>

#include "tactus/world.hpp"

namespace tactus::app {

/// Writes down the pairs that the broad phase handed on in a step, at the poses at which they were
/// asked.
class PairRecorder {
 public:
  /// Remembers where the bodies are.
  void before_step(const RigidWorld& world);
  /// The pairs of the step since, one query line each, by ids. Throws FileError, and InvalidInput
  /// when no step was done.
  void write(const RigidWorld& world, const std::string& file) const;

 private:
  struct Placed {
    BodyId id;
    Pose pose;
  };
  std::vector<Placed> bodies_;  ///< by id
};

}  // namespace tactus::app
