#include "tactus/impulse_world.hpp"

#include <chrono>
#include <cmath>
#include <utility>

#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/body/locks.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/event/engine.hpp"
#include "tactus/rigid/world/rigid_world.hpp"
#include "tactus/world.hpp"

namespace tactus {
using namespace detail;
namespace {

void require(bool condition, const char* field, const char* reason) {
  if (!condition) throw InvalidInput(field, reason);
}

}  // namespace

void validate(const ImpulseSettings& settings) {
  require(is_finite(settings.gravity), "gravity", "must be finite");
  require(settings.time_step > 0.0 && std::isfinite(settings.time_step), "time_step",
          "must be finite and positive");
  require(settings.micro_height > 0.0 && settings.micro_height <= 0.01, "micro_height",
          "must lie in (0, 0.01]");
  require(settings.max_events >= 1, "max_events", "must be positive");
  validate_periodic(settings.periodic);
}

struct ImpulseWorld::Data {
  explicit Data(Common& world) : common(world) {}

  Common& common;
  ImpulseSettings settings;
  double time = 0.0;
  ImpulseEngine engine;
  ImpulseStatistics statistics;
  std::vector<BodyMotion> motions;  ///< before the step

  void fly(bool until_impact);
  const ImpulseStatistics& advance(bool until_impact);
};

void ImpulseWorld::Data::fly(bool until_impact) {
  common.refuse_absurd_motion(settings.time_step);
  motions.clear();
  for (const Body& body : common.bodies) motions.push_back(body.motion());
  engine.remember();
  common.index.clear();
  const StepFailure failure = failure_of([&] {
    engine.advance(common.bodies, settings, common.rules, common.space, time, until_impact,
                   statistics);
    for (const Body& body : common.bodies) require_finite(body);
  });
  if (!failure.any()) return;
  engine.undo();
  for (std::size_t i = 0; i < motions.size(); ++i)
    if (common.bodies[i].motion() != motions[i])
      BodyAccess::set_motion(common.bodies[i], motions[i]);
  statistics = {};
  statistics.failure = failure;
}

const ImpulseStatistics& ImpulseWorld::Data::advance(bool until_impact) {
  const auto start = std::chrono::steady_clock::now();
  statistics = {};
  const StepFailure failure = failure_of([&] { fly(until_impact); });
  if (failure.any()) statistics.failure = failure;
  if (!statistics.failure.any()) ++common.step_count;
  time += statistics.advanced;
  common.measure(settings.gravity, statistics);
  statistics.time = time;
  statistics.total_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  statistics.narrow_ms = statistics.total_ms;
  return statistics;
}

ImpulseWorld::ImpulseWorld(const ImpulseSettings& settings)
    : data_(std::make_unique<Data>(common())) {
  validate(settings);
  common().space = PeriodicBox(settings.periodic);
  data_->settings = settings;
}
ImpulseWorld::~ImpulseWorld() = default;
ImpulseWorld::ImpulseWorld(ImpulseWorld&&) noexcept = default;
ImpulseWorld& ImpulseWorld::operator=(ImpulseWorld&&) noexcept = default;

const ImpulseSettings& ImpulseWorld::settings() const { return data_->settings; }
void ImpulseWorld::set_settings(const ImpulseSettings& settings) {
  validate(settings);
  require(settings.periodic == data_->settings.periodic, "periodic",
          "must stay as it was when the world was made");
  data_->settings = settings;
}

void ImpulseWorld::check_body(const Body& body) const {
  constexpr const char* kReason = "must be zero in a world that moves by impulses";
  require(max_abs(body.constant_torque()) == 0.0, "torque", kReason);
  require(body.linear_damping().value_or(0.0) == 0.0, "linear_damping", kReason);
  require(body.angular_damping().value_or(0.0) == 0.0, "angular_damping", kReason);
  require(!body.has_belt(), "surface_velocity", kReason);
  require(!body.one_way(), "one_way", "is not for a world that moves by impulses");
  require(!body.has_servo(), "servo", "is not for a world that moves by impulses");
  require(body.material().adhesion == 0.0, "adhesion", kReason);
  require(!any(body.lock()), "lock", "must be empty in a world that moves by impulses");
  common().space.check(body);
}

void ImpulseWorld::forget(std::span<const BodyId> ids) { data_->engine.remove(ids); }

const ImpulseStatistics& ImpulseWorld::step() { return data_->advance(false); }
const ImpulseStatistics& ImpulseWorld::advance_to_next_impact() { return data_->advance(true); }
const ImpulseStatistics& ImpulseWorld::statistics() const { return data_->statistics; }
double ImpulseWorld::time() const { return data_->time; }
std::span<const Impact> ImpulseWorld::impacts() const { return data_->engine.impacts(); }
std::span<const Contact> ImpulseWorld::contacts() const { return data_->engine.contacts(); }

double ImpulseWorld::contact_time() const { return data_->settings.time_step; }

void ImpulseWorld::save_pairs(WorldState& state) const {
  for (const NearPair& pair : data_->engine.pairs()) {
    const auto place = static_cast<std::uint32_t>(state.points.size());
    state.pairs.push_back({pair.body_a, pair.body_b, pair.image, pair.cache, place, 1});
    state.manifolds.push_back({-1, -1, place, 1, {}});
    state.points.push_back({0, {}, pair.reserve_momentum, {}});
  }
}

void ImpulseWorld::check_pairs(const WorldState& state) const {
  if (!state.joints.empty()) throw InvalidInput("joints", "an impulse-based world has none");
  for (const PairMemory& pair : state.pairs) {
    if (pair.count != 1 || state.manifolds[pair.first].count != 1)
      throw InvalidInput("pairs", "are not those of an impulse-based world");
  }
}

void ImpulseWorld::restore_pairs(const WorldState& state) {
  std::vector<NearPair> pairs;
  pairs.reserve(state.pairs.size());
  for (const PairMemory& pair : state.pairs) {
    pairs.push_back({pair.body_a, pair.body_b, pair.image, pair.cache,
                     state.points[state.manifolds[pair.first].first].normal_impulse});
  }
  data_->time = static_cast<double>(state.step) * data_->settings.time_step;
  data_->engine.set_pairs(std::move(pairs));
  data_->engine.forget();
  data_->statistics = {};
}

}  // namespace tactus
