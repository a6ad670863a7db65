#include "tactus/rigid/world/rigid_world.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "tactus/broad.hpp"
#include "tactus/math/angle.hpp"
#include "tactus/math/exact_sum.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/body/locks.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/ranks/ranks.hpp"

namespace tactus {
using namespace detail;
namespace {

constexpr BodyId kLastId = std::numeric_limits<BodyId>::max();

/// A body moves by at most so many of its sizes and turns by at most so many radians per step.
constexpr double kMostSizes = 1e6, kMostTurn = 1e4;

/// Measures of the motions of bodies, in any order.
struct Motions {
  int moving = 0, asleep = 0;
  double max_speed = 0.0, max_relative_speed = 0.0;
  ExactSum kinetic, potential, squared_speed;

  void add(const Body& body, const Vec3& gravity) {
    ++moving;
    if (body.is_asleep()) ++asleep;
    kinetic.add(body.kinetic_energy());
    potential.add(-(body.mass().mass * body.gravity_scale() * dot(gravity, body.center_of_mass())));
    const double speed = norm(body.linear_velocity());
    const double relative = speed / body.size();
    max_speed = std::max(max_speed, speed);
    max_relative_speed = std::max(max_relative_speed, relative);
    squared_speed.add(relative * relative);
  }
  void add(const Motions& other) {
    moving += other.moving;
    asleep += other.asleep;
    max_speed = std::max(max_speed, other.max_speed);
    max_relative_speed = std::max(max_relative_speed, other.max_relative_speed);
    kinetic.add(other.kinetic);
    potential.add(other.potential);
    squared_speed.add(other.squared_speed);
  }
};

}  // namespace

namespace detail {

void require_finite(const Body& body) {
  const BodyMotion& m = body.motion();
  const Quat& q = m.orientation;
  const bool finite = is_finite(m.position) && std::isfinite(q.w) && std::isfinite(q.x) &&
                      std::isfinite(q.y) && std::isfinite(q.z) && is_finite(m.linear_velocity) &&
                      is_finite(m.angular_velocity) && is_finite(m.linear_ahead) &&
                      is_finite(m.angular_ahead);
  if (!finite)
    throw StepFault(StepError::not_finite, {body.id()},
                    "its place or velocity is no number any more");
}

void require_answer(const DistanceResult& found, const Body& a, const Body& b) {
  const bool knows_nothing = std::isinf(found.lower) && std::isinf(found.upper) &&
                             std::signbit(found.lower) != std::signbit(found.upper);
  const bool refused = found.status == Status::invalid_input || found.status == Status::unsupported;
  if (!refused && !(knows_nothing && found.status == Status::precision_limit)) return;
  throw StepFault(
      StepError::no_answer, {a.id(), b.id()},
      "the query of their contacts has no answer: " + std::string(to_string(found.status)));
}

}  // namespace detail

std::vector<Body>::iterator detail::WorldBodies::find(BodyId id) {
  return std::lower_bound(bodies.begin(), bodies.end(), id,
                          [](const Body& body, BodyId wanted) { return body.id() < wanted; });
}

Body& detail::WorldBodies::at(BodyId id) {
  const auto found = find(id);
  if (found == bodies.end() || found->id() != id)
    throw InvalidInput("id", "there is no body " + std::to_string(id));
  return *found;
}

void detail::WorldBodies::refuse_absurd_motion(double time_step) const {
  for (const Body& body : bodies) {
    if (body.type() == BodyType::fixed) continue;
    const double travel = max_abs(body.linear_velocity()) * time_step;
    const double turn = max_abs(body.angular_velocity()) * time_step;
    const auto refuse = [&](bool fine, StepError error, const char* reason) {
      if (!fine) throw StepFault(error, {body.id()}, reason);
    };
    refuse(travel <= kMostSizes * body.size(), StepError::motion,
           "its linear velocity moves it by over 1e6 of its sizes in a step");
    refuse(turn <= kMostTurn, StepError::motion,
           "its angular velocity turns it by over 1e4 radians in a step");
    const double pull = max_abs(along_free(body.lock().linear, body.total_force())) *
                        body.inverse_mass() * time_step * time_step;
    const double twist =
        max_abs(body.inverse_inertia() * along_free(body.lock().angular, body.total_torque())) *
        time_step * time_step;
    refuse(pull <= kMostSizes * body.size(), StepError::force,
           "the force on it moves it by over 1e6 of its sizes in a step");
    refuse(twist <= kMostTurn, StepError::force,
           "the torque on it turns it by over 1e4 radians in a step");
  }
}

void detail::WorldBodies::measure(const Vec3& gravity, StepStatistics& s) const {
  s.step = step_count;
  s.bodies = static_cast<int>(region != nullptr ? region->count() : bodies.size());
  Motions all;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].is_dynamic() && (region == nullptr || region->counts(i)))
      all.add(bodies[i], gravity);
  if (region != nullptr) {
    const Motions mine = std::exchange(all, {});
    for (const Motions& theirs : region->gather(mine)) all.add(theirs);
  }
  s.moving = all.moving;
  s.asleep = all.asleep;
  s.max_speed = all.max_speed;
  s.max_relative_speed = all.max_relative_speed;
  s.kinetic_energy = all.kinetic.value();
  s.potential_energy = all.potential.value();
  if (s.moving > 0) s.rms_relative_speed = std::sqrt(all.squared_speed.value() / s.moving);
}

RigidWorld::RigidWorld() : common_(std::make_unique<Common>()) {}
RigidWorld::~RigidWorld() = default;
RigidWorld::RigidWorld(RigidWorld&&) noexcept = default;
RigidWorld& RigidWorld::operator=(RigidWorld&&) noexcept = default;

BodyId RigidWorld::add(BodyDefinition definition) {
  common_->know_all();
  if (definition.id == kNoBody) definition.id = common_->next_id;
  if (contains(definition.id))
    throw InvalidInput("id", "body " + std::to_string(definition.id) + " exists already");
  if (definition.id == kLastId) throw InvalidInput("id", "leaves no id for later bodies");
  definition.lock = merged(definition.lock, common_->lock);
  Body body(definition);
  check_body(body);
  common_->bodies.insert(common_->find(definition.id), std::move(body));
  common_->index.clear();
  common_->next_id = std::max(common_->next_id, definition.id + 1);
  return definition.id;
}

void RigidWorld::remove(BodyId id) { remove(std::span(&id, 1)); }

void RigidWorld::remove(std::span<const BodyId> ids) {
  common_->know_all();
  for (const BodyId id : ids) common_->at(id);
  disturb(ids);
  std::vector<BodyId> gone(ids.begin(), ids.end());
  std::sort(gone.begin(), gone.end());
  std::erase_if(common_->bodies, [&](const Body& body) {
    return std::binary_search(gone.begin(), gone.end(), body.id());
  });
  common_->index.clear();
  forget(gone);
}

void RigidWorld::exclude(BodyId a, BodyId b) {
  common_->know_all();
  common_->at(a);
  common_->at(b);
  if (a == b) throw InvalidInput("id", "a body cannot be excluded from itself");
  common_->rules.exclude(a, b);
  disturb(std::array{a, b});
}

std::span<const Body> RigidWorld::bodies() const { return common_->bodies; }
const Body& RigidWorld::body(BodyId id) const { return common_->at(id); }
bool RigidWorld::contains(BodyId id) const {
  if (common_->region != nullptr && !common_->region->knows_all())
    return common_->region->table().contains(id);
  const auto found = common_->find(id);
  return found != common_->bodies.end() && found->id() == id;
}

void RigidWorld::set_pose(BodyId id, const Pose& pose) {
  common_->know_all();
  Body& body = common_->at(id);
  if (!is_finite(pose)) throw InvalidInput("pose", "must be finite");
  BodyMotion motion = body.motion();
  motion.orientation = to_quaternion(pose.rotation());
  motion.position = pose.to_world(body.mass().center);
  motion.linear_ahead = motion.angular_ahead = {};
  BodyAccess::set_motion(body, motion);
  common_->index.clear();
  disturb(std::array{id});
}

void RigidWorld::set_velocity(BodyId id, const Vec3& linear, const Vec3& angular) {
  common_->know_all();
  Body& body = common_->at(id);
  if (!is_finite(linear)) throw InvalidInput("linear", "must be finite");
  if (!is_finite(angular)) throw InvalidInput("angular", "must be finite");
  if (body.type() == BodyType::fixed) return;
  BodyAccess::set_velocity(body, linear, angular);
  disturb(std::array{id});
}

void RigidWorld::move_to(BodyId id, const Pose& pose, double duration) {
  common_->know_all();
  const Body& body = common_->at(id);
  if (body.type() != BodyType::kinematic) throw InvalidInput("id", "is not of a kinematic body");
  if (!is_finite(pose)) throw InvalidInput("pose", "must be finite");
  if (!(duration > 0.0) || !std::isfinite(duration))
    throw InvalidInput("duration", "must be finite and positive");
  const double rate = 1.0 / duration;
  set_velocity(id, (pose.to_world(body.mass().center) - body.center_of_mass()) * rate,
               rotation_between(body.pose().rotation(), pose.rotation()) * rate);
}

void RigidWorld::apply_impulse(BodyId id, const Vec3& impulse, const Vec3& world_point) {
  common_->know_all();
  Body& body = common_->at(id);
  if (!is_finite(impulse)) throw InvalidInput("impulse", "must be finite");
  if (!is_finite(world_point)) throw InvalidInput("world_point", "must be finite");
  if (!body.is_dynamic()) return;
  const Mat3 inverse_inertia = turning_by_torque(body, body.pose().rotation());
  BodyAccess::set_velocity(
      body, body.linear_velocity() + impulse * body.inverse_mass(),
      body.angular_velocity() +
          inverse_inertia * cross(world_point - body.center_of_mass(), impulse));
  disturb(std::array{id});
}

void RigidWorld::set_material(BodyId id, const Material& material) {
  common_->know_all();
  Body& body = common_->at(id);
  BodyDefinition definition{.shape = body.shape()};
  definition.type = body.type();
  definition.material = material;
  definition.filter = body.filter();
  definition.sensor = body.is_sensor();
  definition.gravity_scale = body.gravity_scale();
  definition.linear_damping = body.linear_damping();
  definition.angular_damping = body.angular_damping();
  definition.surface_velocity = body.surface_velocity();
  definition.one_way = body.one_way();
  definition.servo = body.servo();
  definition.lock = body.lock();
  if (body.is_dynamic()) definition.mass = body.mass();
  definition.id = id;
  Body changed(definition);
  BodyAccess::set_motion(changed, body.motion());
  BodyAccess::set_force(changed, body.force(), body.torque());
  BodyAccess::set_constant_force(changed, body.constant_force(), body.constant_torque());
  body = std::move(changed);
  disturb(std::array{id});
}

void RigidWorld::set_constant_force(BodyId id, const Vec3& force, const Vec3& torque) {
  common_->know_all();
  Body& body = common_->at(id);
  Body changed = body;
  BodyAccess::set_constant_force(changed, force, torque);
  check_body(changed);
  body = std::move(changed);
  disturb(std::array{id});
}

void RigidWorld::set_surface_velocity(BodyId id, const SurfaceVelocity& velocity) {
  common_->know_all();
  Body& body = common_->at(id);
  Body changed = body;
  BodyAccess::set_surface_velocity(changed, velocity);
  check_body(changed);
  body = std::move(changed);
  disturb(std::array{id});
}

void RigidWorld::set_surface_pair(std::uint32_t kind_a, std::uint32_t kind_b,
                                  const std::optional<SurfacePair>& surface) {
  common_->know_all();
  if (kind_a == 0) throw InvalidInput("kind_a", "0 names no kind of surface");
  if (kind_b == 0) throw InvalidInput("kind_b", "0 names no kind of surface");
  if (surface) validate(*surface);
  common_->rules.set_surface(kind_a, kind_b, surface);
  std::vector<BodyId> all;
  for (const Body& body : common_->bodies) all.push_back(body.id());
  disturb(all);
}

void RigidWorld::disturb(std::span<const BodyId> /*ids*/) {}

std::uint64_t RigidWorld::step_count() const { return common_->step_count; }

std::vector<BodyOverlap> RigidWorld::overlaps(double tolerance) const {
  const std::span<const Body> all = common_->bodies;
  std::vector<BroadEntry> entries;
  entries.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    entries.push_back({i, bounding_box(all[i].shape(), all[i].pose())});
  std::vector<BroadPair> candidates;
  std::vector<Periods> images;
  AutoBroadPhase broad;
  if (common_->space.any())
    PeriodicPairs().find(common_->space, entries, broad, kAllPairs, candidates, images);
  else
    broad.find_pairs(entries, candidates);

  std::vector<BodyOverlap> result;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Body& a = all[candidates[i].a];
    const Body& b = all[candidates[i].b];
    if (!common_->rules.may_push(a, b)) continue;
    const Vec3 shift = images.empty() ? Vec3{} : common_->space.shift(images[i]);
    const DistanceResult found =
        detail::bare_distance(a.shape(), a.pose(), b.shape(), placed(b.pose(), shift));
    const double depth = -found.distance;
    const double size = std::min(a.size(), b.size());
    if (depth > tolerance * size) result.push_back({a.id(), b.id(), depth, depth / size, shift});
  }
  return result;
}

std::optional<RayHit> RigidWorld::ray_cast(const Vec3& origin, const Vec3& direction,
                                           double max_distance, std::uint64_t mask) const {
  if (!is_finite(origin)) throw InvalidInput("origin", "must be finite");
  if (!is_finite(direction) || max_abs(direction) == 0.0)
    throw InvalidInput("direction", "must be finite and not zero");
  if (!(max_distance >= 0.0)) throw InvalidInput("max_distance", "must not be negative");
  return common_->index.nearest_on_ray(common_->bodies, origin, normalized(direction), max_distance,
                                       mask);
}

std::optional<ShapeHit> RigidWorld::cast_shape(const Shape& shape, const Pose& pose,
                                               const Vec3& motion,
                                               const BodySelection& selection) const {
  if (!is_finite(pose)) throw InvalidInput("pose", "must be finite");
  if (!is_finite(motion)) throw InvalidInput("motion", "must be finite");
  return common_->index.first_hit(common_->bodies, {shape, pose}, motion, selection);
}

std::vector<BodyId> RigidWorld::overlapping(const Shape& shape, const Pose& pose,
                                            const BodySelection& selection) const {
  if (!is_finite(pose)) throw InvalidInput("pose", "must be finite");
  return common_->index.overlapping(common_->bodies, {shape, pose}, selection);
}

std::optional<NearestBody> RigidWorld::nearest_body(const Shape& shape, const Pose& pose,
                                                    double max_distance,
                                                    const BodySelection& selection) const {
  if (!is_finite(pose)) throw InvalidInput("pose", "must be finite");
  if (!(max_distance >= 0.0)) throw InvalidInput("max_distance", "must not be negative");
  return common_->index.nearest(common_->bodies, {shape, pose}, max_distance, selection);
}

WorldState RigidWorld::save() const {
  const RankRegion* region = common_->region;
  WorldState state;
  state.step = common_->step_count;
  state.next_id = common_->next_id;
  const std::span<const Body> bodies = common_->known();
  state.bodies.reserve(bodies.size());
  for (const Body& body : bodies) state.bodies.push_back(body.motion());
  save_pairs(state);
  return region == nullptr ? state : gather_state(*region, bodies, std::move(state));
}

void RigidWorld::restore(const WorldState& state) {
  common_->know_all();
  validate(state);
  for (const BodyMotion& motion : state.bodies) {
    if (!contains(motion.id))
      throw InvalidInput("bodies", "there is no body " + std::to_string(motion.id));
  }
  check_pairs(state);
  auto next = state.bodies.begin();
  std::erase_if(common_->bodies, [&](Body& body) {
    if (next == state.bodies.end() || next->id != body.id()) return true;
    BodyAccess::set_motion(body, *next++);
    return false;
  });
  common_->index.clear();
  common_->next_id = state.next_id;
  common_->step_count = state.step;
  restore_pairs(state);
}

std::uint64_t RigidWorld::state_hash() const {
  RankRegion* region = common_->region;
  if (region == nullptr) return hash(save());
  const RankRegion::SavesOnFirst alone(*region);
  const WorldState state = save();
  return region->gather(region->me() == 0 ? hash(state) : 0).front();
}

}  // namespace tactus
