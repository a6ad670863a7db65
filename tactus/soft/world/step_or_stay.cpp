#include <string>
#include <utility>

#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/soft/world/soft_step.hpp"

namespace tactus::detail {
namespace {

/// A vertex moves by at most so many mean edges of its body per step.
constexpr double kMostEdges = 1e6;

/// State that a step changes, of a world of deformables and of the rigid world beside it. Brings it
/// back unless the step was done: nothing of that needs memory.
class StepCourse {
 public:
  StepCourse(SoftWorldData& data, World* world)
      : data_(data),
        world_(world),
        step_(data.step),
        positions_(data.positions),
        velocities_(data.velocities),
        examined_(data.examined) {
    for (const SoftWorldData::Obstacle& o : data.obstacles)
      obstacles_.push_back({o.pose, o.time, o.load, o.carried});
    if (world != nullptr) {
      rigid_steps_ = world->step_count();
      for (const Body& body : world->bodies())
        forces_.push_back({body.id(), body.force(), body.torque()});
    }
    contacts_.swap(data.contacts);
  }
  StepCourse(const StepCourse&) = delete;
  StepCourse& operator=(const StepCourse&) = delete;
  ~StepCourse() {
    if (!done_) take_back();
  }
  void end() { done_ = true; }

 private:
  struct ObstacleBefore {
    Pose pose;
    double time;
    RigidLoad load;
    bool carried;
  };
  struct ForceBefore {
    BodyId id;
    Vec3 force, torque;
  };

  void take_back() noexcept {
    data_.step = step_;
    data_.positions.swap(positions_);
    data_.velocities.swap(velocities_);
    data_.examined = examined_;
    data_.contacts.swap(contacts_);
    for (std::size_t i = 0; i < obstacles_.size(); ++i) {
      SoftWorldData::Obstacle& o = data_.obstacles[i];
      o.pose = obstacles_[i].pose;
      o.time = obstacles_[i].time;
      o.load = obstacles_[i].load;
      o.carried = obstacles_[i].carried;
    }
    if (world_ == nullptr) return;
    if (world_->step_count() != rigid_steps_) StepUndo::take_back(*world_);
    for (const ForceBefore& f : forces_) StepUndo::set_force(*world_, f.id, f.force, f.torque);
  }

  SoftWorldData& data_;
  World* world_;
  bool done_ = false;
  std::uint64_t step_, rigid_steps_ = 0;
  std::vector<Vec3> positions_, velocities_;
  bool examined_;
  std::vector<ObstacleBefore> obstacles_;
  std::vector<ForceBefore> forces_;
  std::vector<DeformableContact> contacts_;
};

std::string name_of(std::size_t body) { return "deformable " + std::to_string(body); }

}  // namespace

void SoftWorldData::require_slow() const {
  const double h = settings.time_step;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const BodyPart& b = bodies[k];
    const double most = kMostEdges * b.structure.mean_edge;
    for (std::uint32_t v = b.first; v < b.first + b.count; ++v) {
      if (held[v] != 0) continue;
      // Gravity over a long step is no way: what is held up comes to rest in one such step.
      if (max_abs(velocities[v]) * h <= most) continue;
      throw SoftFault(StepError::motion, static_cast<std::uint32_t>(k),
                      "vertex " + std::to_string(v - b.first) + " of " + name_of(k) +
                          " would move by over 1e6 mean edges in a step");
    }
  }
}

void SoftWorldData::require_finite() const {
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const BodyPart& b = bodies[k];
    for (std::uint32_t v = b.first; v < b.first + b.count; ++v) {
      if (is_finite(positions[v]) && is_finite(velocities[v])) continue;
      throw SoftFault(StepError::not_finite, static_cast<std::uint32_t>(k),
                      "place or velocity of vertex " + std::to_string(v - b.first) + " of " +
                          name_of(k) + " is no number any more");
    }
  }
  for (const Obstacle& o : obstacles) {
    if (!is_finite(o.load.force) || !is_finite(o.load.torque))
      throw StepFault(StepError::not_finite, {o.rigid}, "the load on it is no number any more");
  }
}

void SoftWorldData::step_or_stay(World* world) {
  DeformableStatistics stay;
  stay.failure = failure_of([&] {
    StepCourse course(*this, world);
    try {
      if (world != nullptr) {
        step_with(*world);
      } else {
        for (const Obstacle& o : obstacles) {
          if (o.rigid != kNoBody)
            throw InvalidInput("world", "is missing: an obstacle is a body of a rigid world");
        }
        prepare();
        refuse_crossings();
        require_slow();
        SoftStep(*this).run();
        require_finite();
      }
    } catch (const SoftFault& fault) {
      stay.failed.push_back(fault.body());
      throw;
    }
    course.end();
  });
  if (!stay.failure.any()) return;
  stay.step = step;
  stay.time = static_cast<double>(step) * settings.time_step;
  stay.vertices = static_cast<int>(positions.size());
  statistics = std::move(stay);
}

}  // namespace tactus::detail
