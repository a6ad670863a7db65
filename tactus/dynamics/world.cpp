#include "tactus/world.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "tactus/dynamics/contact_set.hpp"
#include "tactus/dynamics/contact_solver.hpp"
#include "tactus/dynamics/free_rotation.hpp"
#include "tactus/motion.hpp"
#include "tactus/query/plan/dispatch.hpp"

namespace tactus {
using namespace detail;
namespace {

constexpr BodyId kLastId = std::numeric_limits<BodyId>::max();

/// Growth of a bounding ball that covers the rounding of a ray's distance to it, for rays up to 1e6
/// radii long.
constexpr double kBallMargin = 1e-6;
/// Detections per impact and substep: the gap left shrinks quadratically from one to the next.
constexpr int kImpactPasses = 4;

using Clock = std::chrono::steady_clock;

double milliseconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - start).count();
}

Mat3 to_world_axes(const Mat3& body_matrix, const Mat3& axes) {
  return axes * (body_matrix * transpose(axes));
}

/// Does the half-line come near the ball that holds the body? `direction` is unit.
bool near_ball(const Vec3& origin, const Vec3& direction, const Body& body) {
  const Vec3 to_body = body.center_of_mass() - origin;
  const double along = dot(to_body, direction);
  const double reach = body.radius() * (1.0 + kBallMargin);
  return along >= -reach && squared_norm(to_body - direction * along) <= reach * reach;
}

/// A body that is not fixed, while it is stepped.
struct Mover {
  std::uint32_t body = 0;  ///< position in the list of bodies
  bool top = false;        ///< turns as a free top rather than steadily
  Vec3 position;
  Rotation rotation;
};

}  // namespace

struct World::Data {
  WorldSettings settings;
  std::vector<Body> bodies;  ///< by id
  BodyId next_id = 1;
  std::uint64_t step_count = 0;
  std::vector<IdPair> excluded;  ///< sorted
  ContactSet contact_set;
  ContactSolver solver;
  std::vector<SolverBody> solver_bodies;  ///< in the order of `bodies`
  std::vector<Mover> movers;
  std::vector<Contact> contacts;
  StepStatistics statistics;

  std::vector<Body>::iterator find(BodyId id);
  Body& at(BodyId id);
  void load();
  Pose pose_ahead(std::uint32_t body, double time) const;
  void kick();
  void refresh_impacts();
  void drift();
  void store();
  void collect_contacts();
  void measure();
};

/// The first body whose id is not below `id`.
std::vector<Body>::iterator World::Data::find(BodyId id) {
  return std::lower_bound(bodies.begin(), bodies.end(), id,
                          [](const Body& body, BodyId wanted) { return body.id() < wanted; });
}

Body& World::Data::at(BodyId id) {
  const auto found = find(id);
  if (found == bodies.end() || found->id() != id)
    throw InvalidInput("id", "there is no body " + std::to_string(id));
  return *found;
}

void World::Data::load() {
  solver_bodies.assign(bodies.size(), {});
  movers.clear();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (body.type() == BodyType::fixed) continue;
    const Mat3& axes = body.pose().rotation();
    SolverBody& solver_body = solver_bodies[i];
    solver_body.linear = body.linear_velocity();
    solver_body.angular = body.angular_velocity();
    const bool top = body.is_moving() && !body.has_isotropic_inertia();
    movers.push_back({static_cast<std::uint32_t>(i),
                      top,
                      body.center_of_mass(),
                      {body.motion().orientation, axes, {}}});
    if (!body.is_moving()) continue;
    solver_body.inverse_mass = body.inverse_mass();
    solver_body.inverse_inertia = to_world_axes(body.inverse_inertia(), axes);
    solver_body.acceleration = settings.gravity;
  }
}

/// Outside forces and damping change the velocities by one substep.
void World::Data::kick() {
  const double time = settings.time_step / settings.substeps;
  const double keep_linear = 1.0 / (1.0 + settings.linear_damping * time);
  const double keep_angular = 1.0 / (1.0 + settings.angular_damping * time);
  for (const Mover& mover : movers) {
    SolverBody& body = solver_bodies[mover.body];
    if (!(body.inverse_mass > 0.0)) continue;
    body.linear = (body.linear + body.acceleration * time) * keep_linear;
    body.angular *= keep_angular;
  }
}

/// Where a body will be after some part of a substep if nothing is in its way.
Pose World::Data::pose_ahead(std::uint32_t body, double time) const {
  const Body& owner = bodies[body];
  if (owner.type() == BodyType::fixed) return owner.pose();
  const auto mover =
      std::lower_bound(movers.begin(), movers.end(), body,
                       [](const Mover& m, std::uint32_t wanted) { return m.body < wanted; });
  const SolverBody& motion = solver_bodies[body];
  const Mat3 axes = to_matrix(rotate_steadily(mover->rotation.orientation, motion.angular, time));
  return Pose::unchecked((mover->position + motion.linear * time) - axes * owner.mass().center,
                         axes);
}

/// Bodies that meet within this substep get normal and points of the moment they meet: those found
/// at the start of the step belong to places up to a step's travel away. The time to the plane of
/// the nearest points is never late, so that repeating it approaches the impact from before, and a
/// body that passes by is let go.
void World::Data::refresh_impacts() {
  for (int pass = 0; pass < kImpactPasses; ++pass) {
    const auto& impacts = solver.find_impacts(solver_bodies);
    if (impacts.empty()) return;
    for (const ContactSolver::Impact& impact : impacts) {
      const ContactPatch& patch = contact_set.patches()[impact.patch];
      contact_set.refresh(impact.patch, bodies, pose_ahead(patch.body_a, impact.time),
                          pose_ahead(patch.body_b, impact.time), settings);
      solver.replace(impact, patch, solver_bodies);
    }
  }
}

/// The velocities move the bodies by one substep.
void World::Data::drift() {
  const double time = settings.time_step / settings.substeps;
  for (Mover& mover : movers) {
    SolverBody& body = solver_bodies[mover.body];
    const Vec3 travel = body.linear * time;
    mover.position += travel;
    body.shift += travel;
    body.turn += body.angular * time;
    if (mover.top) {
      const Body& owner = bodies[mover.body];
      mover.rotation.angular_velocity = body.angular;
      mover.rotation =
          rotate_freely(mover.rotation, owner.mass().inertia, owner.inverse_inertia(), time);
      body.angular = mover.rotation.angular_velocity;
      body.inverse_inertia = to_world_axes(owner.inverse_inertia(), mover.rotation.axes);
    } else {
      mover.rotation.orientation = rotate_steadily(mover.rotation.orientation, body.angular, time);
    }
  }
}

void World::Data::store() {
  for (const Mover& mover : movers) {
    const SolverBody& body = solver_bodies[mover.body];
    Body& owner = bodies[mover.body];
    owner.set_motion(
        {owner.id(), mover.position, mover.rotation.orientation, body.linear, body.angular});
  }
  const auto impulses = contact_set.impulses();
  for (std::size_t i = 0; i < impulses.size(); ++i) impulses[i] = solver.impulses(i);
}

void World::Data::collect_contacts() {
  contacts.clear();
  const auto patches = contact_set.patches();
  const auto impulses = std::as_const(contact_set).impulses();
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const ContactPatch& patch = patches[i];
    for (std::size_t k = 0; k < patch.manifold.span().size(); ++k) {
      const ContactPoint& point = patch.manifold.points[k];
      contacts.push_back({bodies[patch.body_a].id(), bodies[patch.body_b].id(),
                          (point.point_a + point.point_b) * 0.5, patch.manifold.normal, point.depth,
                          impulses[i].normal[k], impulses[i].friction[k]});
    }
  }
}

void World::Data::measure() {
  StepStatistics& s = statistics;
  s = {};
  s.step = step_count;
  s.time = static_cast<double>(step_count) * settings.time_step;
  s.bodies = static_cast<int>(bodies.size());
  s.candidate_pairs = static_cast<int>(contact_set.pair_count());

  double sum_relative_depth = 0.0;
  contact_set.for_each_touching_pair([&](std::span<const ContactPatch> patches) {
    double deepest = -1.0;
    for (const ContactPatch& patch : patches) {
      for (const ContactPoint& point : patch.manifold.span()) {
        deepest = std::max(deepest, point.depth);
        if (point.depth >= 0.0) ++s.contact_points;
      }
    }
    if (deepest < 0.0) return;
    ++s.contacts;
    const double relative = deepest / patches.front().size;
    sum_relative_depth += relative;
    s.deepest_penetration = std::max(s.deepest_penetration, deepest);
    s.deepest_relative_penetration = std::max(s.deepest_relative_penetration, relative);
  });
  if (s.contacts > 0) s.mean_relative_penetration = sum_relative_depth / s.contacts;

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

World::World(const WorldSettings& settings) : data_(std::make_unique<Data>()) {
  validate(settings);
  data_->settings = settings;
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

const WorldSettings& World::settings() const { return data_->settings; }

BodyId World::add(BodyDefinition definition) {
  if (definition.id == kNoBody) definition.id = data_->next_id;
  if (contains(definition.id))
    throw InvalidInput("id", "body " + std::to_string(definition.id) + " exists already");
  if (definition.id == kLastId) throw InvalidInput("id", "leaves no id for later bodies");
  data_->bodies.insert(data_->find(definition.id), Body(definition));
  data_->next_id = std::max(data_->next_id, definition.id + 1);
  return definition.id;
}

void World::remove(BodyId id) {
  data_->at(id);
  data_->bodies.erase(data_->find(id));
  data_->contact_set.remove(id);
  std::erase_if(data_->contacts, [id](const Contact& contact) {
    return contact.body_a == id || contact.body_b == id;
  });
}

void World::exclude(BodyId a, BodyId b) {
  data_->at(a);
  data_->at(b);
  if (a == b) throw InvalidInput("id", "a body cannot be excluded from itself");
  const IdPair pair{std::min(a, b), std::max(a, b)};
  auto& excluded = data_->excluded;
  const auto place = std::lower_bound(excluded.begin(), excluded.end(), pair);
  if (place == excluded.end() || *place != pair) excluded.insert(place, pair);
}

std::span<const Body> World::bodies() const { return data_->bodies; }
const Body& World::body(BodyId id) const { return data_->at(id); }
bool World::contains(BodyId id) const {
  const auto found = data_->find(id);
  return found != data_->bodies.end() && found->id() == id;
}

void World::set_pose(BodyId id, const Pose& pose) {
  Body& body = data_->at(id);
  if (!is_finite(pose)) throw InvalidInput("pose", "must be finite");
  BodyMotion motion = body.motion();
  motion.orientation = to_quaternion(pose.rotation());
  motion.position = pose.to_world(body.mass().center);
  body.set_motion(motion);
}

void World::set_velocity(BodyId id, const Vec3& linear, const Vec3& angular) {
  Body& body = data_->at(id);
  if (!is_finite(linear)) throw InvalidInput("linear", "must be finite");
  if (!is_finite(angular)) throw InvalidInput("angular", "must be finite");
  if (body.type() != BodyType::fixed) body.set_velocity(linear, angular);
}

void World::apply_impulse(BodyId id, const Vec3& impulse, const Vec3& world_point) {
  Body& body = data_->at(id);
  if (!is_finite(impulse)) throw InvalidInput("impulse", "must be finite");
  if (!is_finite(world_point)) throw InvalidInput("world_point", "must be finite");
  if (!body.is_moving()) return;
  const Mat3 inverse_inertia = to_world_axes(body.inverse_inertia(), body.pose().rotation());
  body.set_velocity(body.linear_velocity() + impulse * body.inverse_mass(),
                    body.angular_velocity() +
                        inverse_inertia * cross(world_point - body.center_of_mass(), impulse));
}

const StepStatistics& World::step() {
  Data& d = *data_;
  const auto start = Clock::now();
  d.contact_set.detect(d.bodies, d.settings, d.excluded);
  const auto detected = Clock::now();
  d.load();
  d.solver.prepare(d.contact_set.patches(), std::as_const(d.contact_set).impulses(),
                   d.solver_bodies, d.settings);
  for (int substep = 0; substep < d.settings.substeps; ++substep) {
    d.kick();
    d.refresh_impacts();
    d.solver.solve(d.solver_bodies);
    d.drift();
    d.solver.relax(d.solver_bodies);
  }
  d.store();
  ++d.step_count;
  const auto solved = Clock::now();
  d.collect_contacts();
  d.measure();
  d.statistics.broad_ms = d.contact_set.broad_ms();
  d.statistics.narrow_ms = d.contact_set.narrow_ms();
  d.statistics.solve_ms = milliseconds_between(detected, solved);
  d.statistics.total_ms = milliseconds_between(start, Clock::now());
  return d.statistics;
}

const StepStatistics& World::statistics() const { return data_->statistics; }
double World::time() const {
  return static_cast<double>(data_->step_count) * data_->settings.time_step;
}
std::uint64_t World::step_count() const { return data_->step_count; }
std::span<const Contact> World::contacts() const { return data_->contacts; }

std::vector<BodyOverlap> World::overlaps(double tolerance) const {
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
    const DistanceResult found = detail::bare_distance(a.shape(), a.pose(), b.shape(), b.pose());
    const double depth = -found.distance;
    const double size = std::min(a.size(), b.size());
    if (depth > tolerance * size) result.push_back({a.id(), b.id(), depth, depth / size});
  }
  return result;
}

std::optional<RayHit> World::ray_cast(const Vec3& origin, const Vec3& direction,
                                      double max_distance, std::uint64_t mask) const {
  if (!is_finite(origin)) throw InvalidInput("origin", "must be finite");
  if (!is_finite(direction) || max_abs(direction) == 0.0)
    throw InvalidInput("direction", "must be finite and not zero");
  if (!(max_distance >= 0.0)) throw InvalidInput("max_distance", "must not be negative");
  const Vec3 unit = normalized(direction);
  double reach = max_distance;
  std::optional<RayHit> nearest;
  for (const Body& body : data_->bodies) {
    if ((body.filter().category & mask) == 0 || !near_ball(origin, unit, body)) continue;
    const CastResult hit = tactus::ray_cast(body.shape(), body.pose(), origin, unit, reach);
    const bool answered = hit.status != Status::unsupported && hit.status != Status::invalid_input;
    if (!answered || hit.hit == Overlap::no || (nearest && !(hit.time < nearest->distance)))
      continue;
    nearest = RayHit{body.id(), hit.time, origin + unit * hit.time, hit.normal, hit.part_a};
    reach = hit.time;
  }
  return nearest;
}

WorldState World::save() const {
  WorldState state;
  state.step = data_->step_count;
  state.next_id = data_->next_id;
  for (const Body& body : data_->bodies) state.bodies.push_back(body.motion());
  data_->contact_set.save(state);
  return state;
}

void World::restore(const WorldState& state) {
  validate(state);
  for (const BodyMotion& motion : state.bodies) {
    if (!contains(motion.id))
      throw InvalidInput("bodies", "there is no body " + std::to_string(motion.id));
  }
  auto next = state.bodies.begin();
  std::erase_if(data_->bodies, [&](Body& body) {
    if (next == state.bodies.end() || next->id != body.id()) return true;
    body.set_motion(*next++);
    return false;
  });
  data_->next_id = state.next_id;
  data_->step_count = state.step;
  data_->contact_set.restore(state);
  data_->contacts.clear();
  data_->statistics = {};
}

std::uint64_t World::state_hash() const { return hash(save()); }

}  // namespace tactus
