#include "tactus/world.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "tactus/dynamics/contact_set.hpp"
#include "tactus/dynamics/contact_solver.hpp"
#include "tactus/dynamics/impact_phase.hpp"
#include "tactus/dynamics/joint/joint_set.hpp"
#include "tactus/dynamics/moving_bodies.hpp"
#include "tactus/dynamics/ray_index.hpp"
#include "tactus/query/dispatch.hpp"

namespace tactus {
using namespace detail;
namespace {

constexpr BodyId kLastId = std::numeric_limits<BodyId>::max();

/// A body moves by at most so many of its sizes and turns by at most so many radians per step.
constexpr double kMostSizes = 1e6, kMostTurn = 1e4;

/// Contact springs stiffen and soften by at most this factor per step, and soften only where they
/// are stiffer than their load asks by more than the other.
constexpr double kStiffenRate = 1.25, kSoftenPlay = 2.0;
constexpr double kPi = 3.14159265358979323846;

using Clock = std::chrono::steady_clock;

double milliseconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - start).count();
}

Mat3 to_world_axes(const Mat3& body_matrix, const Mat3& axes) {
  return axes * (body_matrix * transpose(axes));
}

}  // namespace

struct World::Data {
  WorldSettings settings;
  WorldSettings stepping;    ///< the same with the substeps of the last step
  double stiffening = 1.0;   ///< frequency of the contact springs over that of the settings
  std::vector<Body> bodies;  ///< by id
  BodyId next_id = 1;
  std::uint64_t step_count = 0;
  std::vector<IdPair> excluded;  ///< by the caller, sorted
  JointSet joints;
  JointId next_joint = 1;
  std::vector<IdPair> untouchable;  ///< by the caller or by joints, sorted
  ContactSet contact_set;
  ContactSolver solver;
  MovingBodies moving;
  ImpactPhase impacts;
  RayIndex rays;
  std::vector<Contact> contacts;
  StepStatistics statistics;

  std::vector<Body>::iterator find(BodyId id);
  Body& at(BodyId id);
  void refuse_absurd_motion() const;
  void find_untouchable();
  std::vector<char> carried();
  void set_stiffening(double value);
  double load_overlap() const;
  void choose_substeps();
  void detect(double time);
  void foresee(double time);
  void store();
  void to_end();
  void collect_contacts();
  void measure();
  void restore_joints(const WorldState& state);
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

/// Throws for a body whose motion nothing could follow.
void World::Data::refuse_absurd_motion() const {
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

/// After exclusions or joints have changed.
void World::Data::find_untouchable() {
  const std::vector<IdPair> jointed = joints.untouchable();
  untouchable.clear();
  std::set_union(excluded.begin(), excluded.end(), jointed.begin(), jointed.end(),
                 std::back_inserter(untouchable));
}

/// For each body: do contacts, limits or motors carry it, or what it hangs on?
std::vector<char> World::Data::carried() {
  std::vector<char> result = contact_set.carried(bodies);
  joints.spread(result);
  return result;
}

void World::Data::set_stiffening(double value) {
  stiffening = value;
  stepping = settings;
  double doubled = 1.0;
  while (doubled < value) doubled *= 2.0;
  stepping.substeps = settings.substeps * static_cast<int>(doubled);
  stepping.contact_frequency = settings.contact_frequency * (value / doubled);
}

/// How far bodies overlap under the loads of the step before, over the bound of the settings, with
/// the substeps of the settings: the largest of all patches. A load of L per substep h overlaps by
/// L / (m h w^2), with the mass m of both bodies against each other and the frequency w of the
/// contact's spring, which is inverse to h.
double World::Data::load_overlap() const {
  const double angle = 2.0 * kPi * settings.contact_frequency;  // radians per substep
  const double substep = settings.time_step / settings.substeps;
  const auto patches = contact_set.patches();
  const auto impulses = contact_set.impulses();
  double most = 0.0;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const ContactPatch& patch = patches[i];
    double load = 0.0;
    for (const double impulse : impulses[i].normal) load += impulse;
    const double inverse_mass =
        bodies[patch.body_a].inverse_mass() + bodies[patch.body_b].inverse_mass();
    most = std::max(most, load * inverse_mass * substep / (angle * angle * patch.size));
  }
  return most / settings.load_overlap;
}

/// Chooses stiffness and substeps of the next step. Springs stiffen step by step, since one that
/// stiffens at once throws its load off; they soften with play, so that the number does not swing.
void World::Data::choose_substeps() {
  if (settings.load_overlap == 0.0) return;
  // The overlap falls with the square of the frequency.
  const double wanted = std::min(std::sqrt(load_overlap()), kMostStiffening);
  if (wanted > stiffening)
    set_stiffening(std::min(wanted, stiffening * kStiffenRate));
  else if (kSoftenPlay * wanted < stiffening && stiffening > 1.0)
    set_stiffening(std::max({kSoftenPlay * wanted, stiffening / kStiffenRate, 1.0}));
}

/// Finds the contacts for what is left of the step.
void World::Data::detect(double time) {
  contact_set.detect(bodies, settings, untouchable, time);
  statistics.broad_ms += contact_set.broad_ms();
  statistics.narrow_ms += contact_set.narrow_ms();
}

/// Prepares what is left of the step for the contacts that were found.
void World::Data::foresee(double time) {
  const double scale = static_cast<double>(settings.substeps) / stepping.substeps;
  moving.load(bodies, stepping, time);
  solver.prepare(contact_set.patches(), std::as_const(contact_set).impulses(), scale,
                 moving.solver_bodies(), stepping);
  impacts.prepare(bodies, moving, contact_set, solver, stepping);
  joints.load(moving, stepping, scale);
}

void World::Data::store() {
  moving.store(bodies);
  const auto impulses = contact_set.impulses();
  const auto constraints = std::as_const(solver).constraints();
  const double scale = static_cast<double>(stepping.substeps) / settings.substeps;
  for (std::size_t i = 0; i < impulses.size(); ++i)
    impulses[i] = constraints[i].impulses().scaled(scale);
  joints.store(scale);
}

/// Brings the velocities to the end of the step.
void World::Data::to_end() {
  const std::vector<char> held = carried();
  joints.note_pulls(moving);
  moving.to_end(held);
  joints.to_end(moving, held);
  moving.store_velocities(bodies);
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
  s.step = step_count;
  s.time = static_cast<double>(step_count) * settings.time_step;
  s.bodies = static_cast<int>(bodies.size());
  s.substeps = stepping.substeps;
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

/// After the bodies; joints of those that are gone go too.
void World::Data::restore_joints(const WorldState& state) {
  next_joint = state.next_joint;
  joints.restore(state);
  std::vector<JointId> loose;
  for (const Joint& joint : joints.joints()) {
    const auto there = [&](BodyId id) {
      const auto found = find(id);
      return found != bodies.end() && found->id() == id;
    };
    if (!there(joint.definition.body_a) || !there(joint.definition.body_b))
      loose.push_back(joint.definition.id);
  }
  for (const JointId id : loose) joints.remove(id);
  joints.report(bodies, settings.time_step / settings.substeps);
  find_untouchable();
}

World::World(const WorldSettings& settings) : data_(std::make_unique<Data>()) {
  validate(settings);
  data_->settings = settings;
  // What lies there at the start has no loads yet that would tell.
  data_->set_stiffening(settings.load_overlap > 0.0 ? kMostStiffening : 1.0);
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
  data_->rays.clear();
  data_->next_id = std::max(data_->next_id, definition.id + 1);
  return definition.id;
}

void World::remove(BodyId id) {
  data_->at(id);
  data_->bodies.erase(data_->find(id));
  data_->contact_set.remove(id);
  data_->joints.remove_of_body(id);
  data_->find_untouchable();
  data_->rays.clear();
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
  data_->find_untouchable();
}

JointId World::add_joint(JointDefinition definition) {
  validate(definition);
  const auto find = [&](BodyId id, const char* field) -> const Body& {
    if (!contains(id)) throw InvalidInput(field, "there is no body " + std::to_string(id));
    return data_->at(id);
  };
  const Body& a = find(definition.body_a, "body_a");
  const Body& b = find(definition.body_b, "body_b");
  if (!a.is_moving() && !b.is_moving())
    throw InvalidInput("body_a", "neither of the two bodies is moving");
  if (definition.id == kNoJoint) definition.id = data_->next_joint;
  if (data_->joints.contains(definition.id))
    throw InvalidInput("id", "joint " + std::to_string(definition.id) + " exists already");
  if (definition.id == kLastId) throw InvalidInput("id", "leaves no id for later joints");
  data_->joints.add(definition, a, b);
  data_->next_joint = std::max(data_->next_joint, definition.id + 1);
  data_->find_untouchable();
  return definition.id;
}

void World::remove_joint(JointId id) {
  data_->joints.remove(id);
  data_->find_untouchable();
}

std::span<const Joint> World::joints() const { return data_->joints.joints(); }
const Joint& World::joint(JointId id) const { return data_->joints.at(id); }

void World::set_motor(JointId id, const std::optional<JointMotor>& motor) {
  JointDefinition changed = joint(id).definition;
  changed.motor = motor;
  validate(changed);
  data_->joints.set_motor(id, motor);
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
  data_->rays.clear();
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
  d.refuse_absurd_motion();
  d.rays.clear();
  const auto start = Clock::now();
  d.statistics = {};
  d.joints.begin_step(d.bodies);
  const std::vector<char> carried = d.carried();
  d.detect(d.settings.time_step);
  d.choose_substeps();
  d.foresee(d.settings.time_step);
  d.moving.to_middle(carried);
  d.joints.to_middle(d.moving, carried);
  const int substeps = d.stepping.substeps;
  const double substep = d.settings.time_step / substeps;
  int foreseen = 0;
  for (int i = 0; i < substeps; ++i) {
    if (d.moving.strayed(substep * (i - foreseen))) {
      d.store();
      d.detect(substep * (substeps - i));
      d.foresee(substep * (substeps - i));
      foreseen = i;
    }
    d.joints.note_springs(d.moving);
    d.moving.kick();
    d.impacts.run();
    d.solver.start(d.moving.solver_bodies());
    d.joints.start(d.moving);
    d.joints.solve(d.moving);
    d.solver.solve(d.moving.solver_bodies());
    d.moving.drift();
    d.joints.relax(d.moving);
    d.solver.relax(d.moving.solver_bodies());
  }
  d.store();
  d.to_end();
  ++d.step_count;
  d.collect_contacts();
  d.joints.report(d.bodies, d.settings.time_step / d.settings.substeps);
  d.measure();
  d.statistics.total_ms = milliseconds_between(start, Clock::now());
  d.statistics.solve_ms = d.statistics.total_ms - (d.statistics.broad_ms + d.statistics.narrow_ms);
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
  AutoBroadPhase().find_pairs(entries, candidates);

  std::vector<BodyOverlap> result;
  for (const BroadPair& pair : candidates) {
    const Body& a = all[pair.a];
    const Body& b = all[pair.b];
    if (!may_touch(a, b, data_->untouchable)) continue;
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
  return data_->rays.nearest(data_->bodies, origin, normalized(direction), max_distance, mask);
}

WorldState World::save() const {
  WorldState state;
  state.step = data_->step_count;
  state.next_id = data_->next_id;
  state.stiffening = data_->stiffening;
  for (const Body& body : data_->bodies) state.bodies.push_back(body.motion());
  data_->contact_set.save(state);
  state.next_joint = data_->next_joint;
  data_->joints.save(state);
  return state;
}

void World::restore(const WorldState& state) {
  validate(state);
  for (const BodyMotion& motion : state.bodies) {
    if (!contains(motion.id))
      throw InvalidInput("bodies", "there is no body " + std::to_string(motion.id));
  }
  data_->joints.check(state);
  auto next = state.bodies.begin();
  std::erase_if(data_->bodies, [&](Body& body) {
    if (next == state.bodies.end() || next->id != body.id()) return true;
    body.set_motion(*next++);
    return false;
  });
  data_->rays.clear();
  data_->next_id = state.next_id;
  data_->step_count = state.step;
  data_->set_stiffening(data_->settings.load_overlap > 0.0 ? state.stiffening : 1.0);
  data_->contact_set.restore(state);
  data_->restore_joints(state);
  data_->contacts.clear();
  data_->statistics = {};
}

std::uint64_t World::state_hash() const { return hash(save()); }

}  // namespace tactus
