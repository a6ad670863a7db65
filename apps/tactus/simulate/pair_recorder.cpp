#include "apps/tactus/simulate/pair_recorder.hpp"

#include <algorithm>

#include "tactus/io/json/capture.hpp"

namespace tactus::app {

void PairRecorder::before_step(const RigidWorld& world) {
  bodies_.clear();
  for (const Body& body : world.bodies()) bodies_.push_back({body.id(), body.pose()});
}

void PairRecorder::add(const RigidWorld& world, std::span<const PairMemory> pairs,
                       const std::string& file, bool numbered) {
  if (bodies_.empty()) throw InvalidInput("--record-pairs", "no step was done");
  const auto pose_of = [&](BodyId id) -> const Pose& {
    return std::lower_bound(bodies_.begin(), bodies_.end(), id,
                            [](const Placed& body, BodyId wanted) { return body.id < wanted; })
        ->pose;
  };
  if (!out_) out_ = std::make_unique<io::AtomicFile>(file);
  const std::string step = numbered ? std::to_string(world.step_count()) + ":" : "";
  for (const PairMemory& pair : pairs) {
    const std::string name = step + std::to_string(pair.body_a) + "-" + std::to_string(pair.body_b);
    out_->write(io::capture(world.body(pair.body_a).shape(), pose_of(pair.body_a),
                            world.body(pair.body_b).shape(), pose_of(pair.body_b), {},
                            io::Ask::distance, name) +
                "\n");
  }
}

void PairRecorder::finish(const std::string& file) {
  if (!out_) throw InvalidInput("--record-pairs", "no step was recorded into " + file);
  out_->commit();
}

}  // namespace tactus::app
