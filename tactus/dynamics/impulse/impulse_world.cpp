#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "tactus/dynamics/impulse/engine.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/world.hpp"

namespace tactus {
using namespace detail;
namespace {

constexpr BodyId kLastId = std::numeric_limits<BodyId>::max();
/// A body moves by at most so many of its sizes and turns by at most so many radians per step.
constexpr double kMostSizes = 1e6, kMostTurn = 1e4;

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
}

struct ImpulseWorld::Data {
  ImpulseSettings settings;
  std::vector<Body> bodies;  ///< by id
  BodyId next_id = 1;
  std::uint64_t step_count = 0;
  double time = 0.0;
  std::vector<IdPair> excluded;  ///< sorted
  ImpulseEngine engine;
  ImpulseStatistics statistics;

  std::vector<Body>::iterator find(BodyId id) {
    return std::lower_bound(bodies.begin(), bodies.end(), id,
                            [](const Body& body, BodyId wanted) { return body.id() < wanted; });
  }
  Body& at(BodyId id) {
    const auto found = find(id);
    if (found == bodies.end() || found->id() != id)
      throw InvalidInput("id", "there is no body " + std::to_string(id));
    return *found;
  }
  void refuse_absurd_motion() const;
  const ImpulseStatistics& advance(bool until_impact);
  void measure();
};

void ImpulseWorld::Data::refuse_absurd_motion() const {
  for (const Body& body : bodies) {
    if (body.type() == BodyType::fixed) continue;
    const double travel = max_abs(body.linear_velocity()) * settings.time_step;
    const double turn = max_abs(body.angular_velocity()) * settings.time_step;
    const auto field = [&](const char* name) {
      return "bodies[" + std::to_string(body.id()) + "]." + name;
    };
    if (!(travel <= kMostSizes * body.size()))
      throw InvalidInput(field("linear_velocity"), "moves it by over 1e6 of its sizes in a step");
    if (!(turn <= kMostTurn))
      throw InvalidInput(field("angular_velocity"), "turns it by over 1e4 radians in a step");
  }
}

const ImpulseStatistics& ImpulseWorld::Data::advance(bool until_impact) {
  refuse_absurd_motion();
  const auto start = std::chrono::steady_clock::now();
  statistics = {};
  engine.advance(bodies, settings, excluded, time, until_impact, statistics);
  ++step_count;
  time += statistics.advanced;
  measure();
  statistics.total_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  statistics.narrow_ms = statistics.total_ms;
  return statistics;
}

void ImpulseWorld::Data::measure() {
  ImpulseStatistics& s = statistics;
  s.step = step_count;
  s.time = time;
  s.bodies = static_cast<int>(bodies.size());
  double sum_squared_speed = 0.0;
  for (const Body& body : bodies) {
    if (!body.is_moving()) continue;
    ++s.moving;
    s.kinetic_energy += body.kinetic_energy();
    s.potential_energy -= body.mass().mass * dot(settings.gravity, body.center_of_mass());
    const double speed = norm(body.linear_velocity());
    const double relative = speed / body.size();
    s.max_speed = std::max(s.max_speed, speed);
    s.max_relative_speed = std::max(s.max_relative_speed, relative);
    sum_squared_speed += relative * relative;
  }
  if (s.moving > 0) s.rms_relative_speed = std::sqrt(sum_squared_speed / s.moving);
}

ImpulseWorld::ImpulseWorld(const ImpulseSettings& settings) : data_(std::make_unique<Data>()) {
  set_settings(settings);
}
ImpulseWorld::~ImpulseWorld() = default;
ImpulseWorld::ImpulseWorld(ImpulseWorld&&) noexcept = default;
ImpulseWorld& ImpulseWorld::operator=(ImpulseWorld&&) noexcept = default;

const ImpulseSettings& ImpulseWorld::settings() const { return data_->settings; }
void ImpulseWorld::set_settings(const ImpulseSettings& settings) {
  validate(settings);
  data_->settings = settings;
}

BodyId ImpulseWorld::add(BodyDefinition definition) {
  if (definition.id == kNoBody) definition.id = data_->next_id;
  if (contains(definition.id))
    throw InvalidInput("id", "body " + std::to_string(definition.id) + " exists already");
  if (definition.id == kLastId) throw InvalidInput("id", "leaves no id for later bodies");
  data_->bodies.insert(data_->find(definition.id), Body(definition));
  data_->next_id = std::max(data_->next_id, definition.id + 1);
  return definition.id;
}

void ImpulseWorld::remove(BodyId id) {
  data_->at(id);
  data_->bodies.erase(data_->find(id));
  data_->engine.remove(id);
}

void ImpulseWorld::exclude(BodyId a, BodyId b) {
  data_->at(a);
  data_->at(b);
  if (a == b) throw InvalidInput("id", "a body cannot be excluded from itself");
  const IdPair pair{std::min(a, b), std::max(a, b)};
  auto& excluded = data_->excluded;
  const auto place = std::lower_bound(excluded.begin(), excluded.end(), pair);
  if (place == excluded.end() || *place != pair) excluded.insert(place, pair);
}

std::span<const Body> ImpulseWorld::bodies() const { return data_->bodies; }
const Body& ImpulseWorld::body(BodyId id) const { return data_->at(id); }
bool ImpulseWorld::contains(BodyId id) const {
  const auto found = data_->find(id);
  return found != data_->bodies.end() && found->id() == id;
}

void ImpulseWorld::set_pose(BodyId id, const Pose& pose) {
  Body& body = data_->at(id);
  if (!is_finite(pose)) throw InvalidInput("pose", "must be finite");
  BodyMotion motion = body.motion();
  motion.orientation = to_quaternion(pose.rotation());
  motion.position = pose.to_world(body.mass().center);
  body.set_motion(motion);
}

void ImpulseWorld::set_velocity(BodyId id, const Vec3& linear, const Vec3& angular) {
  Body& body = data_->at(id);
  if (!is_finite(linear)) throw InvalidInput("linear", "must be finite");
  if (!is_finite(angular)) throw InvalidInput("angular", "must be finite");
  if (body.type() != BodyType::fixed) body.set_velocity(linear, angular);
}

void ImpulseWorld::apply_impulse(BodyId id, const Vec3& impulse, const Vec3& world_point) {
  Body& body = data_->at(id);
  if (!is_finite(impulse)) throw InvalidInput("impulse", "must be finite");
  if (!is_finite(world_point)) throw InvalidInput("world_point", "must be finite");
  if (!body.is_moving()) return;
  const Vec3 moment = cross(world_point - body.center_of_mass(), impulse);
  const Mat3& axes = body.pose().rotation();
  body.set_velocity(
      body.linear_velocity() + impulse * body.inverse_mass(),
      body.angular_velocity() + axes * (body.inverse_inertia() * transpose_times(axes, moment)));
}

void ImpulseWorld::set_material(BodyId id, const Material& material) {
  Body& body = data_->at(id);
  BodyDefinition definition{.shape = body.shape()};
  definition.type = body.type();
  definition.material = material;
  definition.filter = body.filter();
  if (body.is_moving()) definition.mass = body.mass();
  definition.id = id;
  Body changed(definition);
  changed.set_motion(body.motion());
  body = std::move(changed);
}

const ImpulseStatistics& ImpulseWorld::step() { return data_->advance(false); }
const ImpulseStatistics& ImpulseWorld::advance_to_next_impact() { return data_->advance(true); }
const ImpulseStatistics& ImpulseWorld::statistics() const { return data_->statistics; }
double ImpulseWorld::time() const { return data_->time; }
std::uint64_t ImpulseWorld::step_count() const { return data_->step_count; }
std::span<const Impact> ImpulseWorld::impacts() const { return data_->engine.impacts(); }
std::span<const Contact> ImpulseWorld::contacts() const { return data_->engine.contacts(); }

std::vector<BodyOverlap> ImpulseWorld::overlaps(double tolerance) const {
  const std::span<const Body> all = data_->bodies;
  std::vector<BroadEntry> entries;
  entries.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    entries.push_back({i, bounding_box(all[i].shape(), all[i].pose())});
  std::vector<BroadPair> candidates;
  SweepAndPrune().find_pairs(entries, candidates);
  std::vector<BodyOverlap> result;
  for (const BroadPair& pair : candidates) {
    const Body& a = all[pair.a];
    const Body& b = all[pair.b];
    if (!may_touch(a, b, data_->excluded)) continue;
    const double depth = -detail::bare_distance(a.shape(), a.pose(), b.shape(), b.pose()).distance;
    const double size = std::min(a.size(), b.size());
    if (depth > tolerance * size) result.push_back({a.id(), b.id(), depth, depth / size});
  }
  return result;
}

WorldState ImpulseWorld::save() const {
  WorldState state;
  state.step = data_->step_count;
  state.next_id = data_->next_id;
  state.bodies.reserve(data_->bodies.size());
  for (const Body& body : data_->bodies) state.bodies.push_back(body.motion());
  for (const NearPair& pair : data_->engine.pairs()) {
    const auto place = static_cast<std::uint32_t>(state.points.size());
    state.pairs.push_back({pair.body_a, pair.body_b, pair.cache, place, 1});
    state.manifolds.push_back({-1, -1, place, 1, {}});
    state.points.push_back({0, {}, pair.reserve_momentum, {}});
  }
  return state;
}

void ImpulseWorld::restore(const WorldState& state) {
  validate(state);
  if (!state.joints.empty()) throw InvalidInput("joints", "an impulse-based world has none");
  for (const BodyMotion& motion : state.bodies) {
    if (!contains(motion.id))
      throw InvalidInput("bodies", "there is no body " + std::to_string(motion.id));
  }
  std::vector<NearPair> pairs;
  pairs.reserve(state.pairs.size());
  for (const PairMemory& pair : state.pairs) {
    if (pair.count != 1 || state.manifolds[pair.first].count != 1)
      throw InvalidInput("pairs", "are not those of an impulse-based world");
    pairs.push_back({pair.body_a, pair.body_b, pair.cache,
                     state.points[state.manifolds[pair.first].first].normal_impulse});
  }
  auto next = state.bodies.begin();
  std::erase_if(data_->bodies, [&](Body& body) {
    if (next == state.bodies.end() || next->id != body.id()) return true;
    body.set_motion(*next++);
    return false;
  });
  data_->next_id = state.next_id;
  data_->step_count = state.step;
  data_->time = static_cast<double>(state.step) * data_->settings.time_step;
  data_->engine.set_pairs(std::move(pairs));
  data_->engine.forget();
  data_->statistics = {};
}

std::uint64_t ImpulseWorld::state_hash() const { return hash(save()); }

}  // namespace tactus
