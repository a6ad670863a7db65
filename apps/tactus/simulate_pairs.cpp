#include "apps/tactus/simulate_pairs.hpp"

#include <algorithm>

#include "tactus/io/format/atomic_file.hpp"
#include "tactus/io/json/capture.hpp"

namespace tactus::app {

void PairRecorder::before_step(const RigidWorld& world) {
  bodies_.clear();
  for (const Body& body : world.bodies()) bodies_.push_back({body.id(), body.pose()});
}

void PairRecorder::write(const RigidWorld& world, const std::string& file) const {
  if (bodies_.empty()) throw InvalidInput("--record-pairs", "no step was done");
  const auto pose_of = [&](BodyId id) -> const Pose& {
    return std::lower_bound(bodies_.begin(), bodies_.end(), id,
                            [](const Placed& body, BodyId wanted) { return body.id < wanted; })
        ->pose;
  };
  io::AtomicFile out(file);
  for (const PairMemory& pair : world.save().pairs) {
    const std::string name = std::to_string(pair.body_a) + "-" + std::to_string(pair.body_b);
    out.write(io::capture(world.body(pair.body_a).shape(), pose_of(pair.body_a),
                          world.body(pair.body_b).shape(), pose_of(pair.body_b), {},
                          io::Ask::distance, name) +
              "\n");
  }
  out.commit();
}

}  // namespace tactus::app
