#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "tactus/rigid/body/find_body.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/world/world_data.hpp"

namespace tactus {
using namespace detail;
namespace {

constexpr JointId kLastId = std::numeric_limits<JointId>::max();

using Clock = std::chrono::steady_clock;

bool by_ids(const TouchingPair& x, const TouchingPair& y) {
  return std::pair(x.body_a, x.body_b) < std::pair(y.body_a, y.body_b);
}

double milliseconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - start).count();
}

}  // namespace

/// After joints have changed.
void World::Data::find_untouchable() { common.rules.set_jointed(joints.untouchable()); }

/// For each body: do contacts, limits or motors carry it, or what it hangs on?
std::vector<Carried> World::Data::carried() {
  std::vector<Carried> result = contact_set.carried(common.bodies);
  joints.spread(result);
  return result;
}

void World::Data::drop_forces() {
  for (Body& body : common.bodies) body.set_force({}, {});
}

/// Throws StepFault for a body that the step could not follow.
void World::Data::check_motion() const {
  common.refuse_absurd_motion(settings.time_step);
  if (!common.space.any()) return;
  for (const Body& body : common.bodies) {
    try {
      common.space.check(body);
      common.space.cell(body.center_of_mass());
    } catch (const InvalidInput& error) {
      throw StepFault(StepError::place, {body.id()}, error.what());
    }
    for (int i = 0; i < 3; ++i) {
      const double period = common.space.period(i);
      if (period > 0.0 && !(std::fabs(body.linear_velocity()[i]) * settings.time_step < period))
        throw StepFault(StepError::motion, {body.id()},
                        "its linear velocity moves it by a period in a step");
    }
  }
  joints.check_places(common.bodies);
}

/// Before anything of the step is changed.
void World::Data::begin() {
  Before& b = before;
  b.whole = false;
  b.motions.clear();
  b.forces.clear();
  for (const Body& body : common.bodies) {
    b.motions.push_back(body.motion());
    b.forces.push_back({body.force(), body.torque()});
  }
  b.stiffening = choice.stiffening();
  b.step_count = common.step_count;
  b.wrapped.clear();
  joints.remember();
  contact_set.remember();
  swap_reports();
  b.whole = true;
}

/// Exchanges `contacts` and the lists of touches with those of `before`.
void World::Data::swap_reports() noexcept {
  contacts.swap(before.contacts);
  touching.swap(before.touching);
  known.swap(before.known);
  begun.swap(before.begun);
  ended.swap(before.ended);
}

/// Allocates no memory.
void World::Data::undo() noexcept {
  if (!before.whole) return;
  for (std::size_t i = 0; i < common.bodies.size(); ++i) {
    Body& body = common.bodies[i];
    if (body.motion() != before.motions[i]) body.set_motion(before.motions[i]);
    body.set_force(before.forces[i].force, before.forces[i].torque);
  }
  common.step_count = before.step_count;
  common.rays.clear();
  choice.set(before.stiffening, settings);
  joints.undo();
  contact_set.undo(common.bodies, before.wrapped);
  swap_reports();
}

/// Throws StepFault for what the step has made of the world, where that is no number: joints and
/// contacts are looked at first, which the bodies follow.
void World::Data::require_finite() const {
  joints.require_finite();
  contact_set.require_finite();
  for (const Body& body : common.bodies)
    if (body.type() != BodyType::fixed) detail::require_finite(body);
}

/// Brings bodies back into a periodic space.
void World::Data::wrap() {
  if (!common.space.any()) return;
  wrapped.assign(common.bodies.size(), {});
  bool any = false;
  for (std::size_t i = 0; i < wrapped.size(); ++i) {
    Body& body = common.bodies[i];
    if (body.type() == BodyType::fixed || !std::isfinite(body.size())) continue;
    try {
      wrapped[i] = common.space.cell(body.center_of_mass());
    } catch (const InvalidInput& error) {
      throw StepFault(StepError::place, {body.id()}, error.what());
    }
    if (wrapped[i] == Periods{}) continue;
    any = true;
    BodyMotion motion = body.motion();
    motion.position -= common.space.shift(wrapped[i]);
    body.set_motion(motion);
  }
  if (!any) return;
  contact_set.wrap(common.bodies, wrapped);
  joints.wrap(common.bodies, wrapped);
}

/// Bodies that touched at the last detection, and those that joints hold together.
std::vector<Sleep::Link> World::Data::links() const {
  std::vector<Sleep::Link> result;
  const auto add = [&](BodyId a, BodyId b) {
    const std::size_t place_a = find_body(common.bodies, a), place_b = find_body(common.bodies, b);
    // Contacts of bodies that were removed wait for the next detection.
    if (std::max(place_a, place_b) < common.bodies.size())
      result.push_back({static_cast<std::uint32_t>(place_a), static_cast<std::uint32_t>(place_b)});
  };
  contact_set.for_each_link(add);
  for (const Joint& joint : joints.joints()) add(joint.definition.body_a, joint.definition.body_b);
  return result;
}

void World::Data::wake(std::span<const std::uint32_t> disturbed) {
  if (!disturbed.empty()) sleep.wake(common.bodies, links(), disturbed);
}

/// Forces of this step wake what they act on.
void World::Data::wake_forced() {
  if (!may_sleep()) return;
  std::vector<std::uint32_t> forced;
  for (std::uint32_t i = 0; i < common.bodies.size(); ++i) {
    const Body& body = common.bodies[i];
    if (body.is_asleep() && (body.force() != Vec3{} || body.torque() != Vec3{}))
      forced.push_back(i);
  }
  wake(forced);
}

/// Wakes what other bodies may touch within the step. Did any sleep?
bool World::Data::wake_reached() {
  if (!may_sleep()) return false;
  std::vector<std::uint32_t> reached;
  const auto look = [&](const ContactPatch& patch) {
    for (const std::uint32_t body : {patch.body_a, patch.body_b})
      if (common.bodies[body].is_asleep()) reached.push_back(body);
  };
  for (const ContactPatch& patch : contact_set.patches()) look(patch);
  contact_set.for_each_met(look);
  wake(reached);
  if (!reached.empty()) joints.begin_step(common.bodies);
  return !reached.empty();
}

/// Finds the contacts for what is left of the step.
void World::Data::detect(double time) {
  do {
    contact_set.detect(common.bodies, settings, common.rules, time);
    statistics.broad_ms += contact_set.broad_ms();
    statistics.narrow_ms += contact_set.narrow_ms();
  } while (wake_reached());
}

/// Groups the bodies by the parts of the solver's sweeps; apart stand those that no part has for
/// itself: of joints, and of patches that reach far.
void World::Data::group() {
  std::vector<char> apart(common.bodies.size(), 0);
  joints.mark(apart);
  for (const std::uint32_t i : solver.blocks().far_patches()) {
    const ContactPatch& patch = contact_set.patches()[i];
    apart[patch.body_a] = apart[patch.body_b] = 1;
  }
  moving.group(solver.blocks(), apart);
}

/// Prepares what is left of the step for the contacts that were found.
void World::Data::prepare_step(double time) {
  const WorldSettings& stepping = choice.stepping();
  const double scale = static_cast<double>(settings.substeps) / stepping.substeps;
  moving.load(common.bodies, stepping, time);
  solver.prepare(contact_set.patches(), std::as_const(contact_set).impulses(), scale,
                 moving.solver_bodies(), stepping);
  group();
  impacts.prepare(common.bodies, moving, contact_set, solver, stepping);
  joints.load(moving, stepping, scale);
}

/// The rest of a substep after its impacts; bodies that do not stand apart also get the velocities
/// of the next one. `elapsed`: since `prepare_step`.
void World::Data::solve(int substep, double elapsed) {
  const int substeps = choice.stepping().substeps;
  const bool near_end = substep + 3 >= substeps, last = substep + 1 == substeps;
  const MovingBodies::Slabs apart = moving.apart();
  const auto warm_start = [&](MovingBodies::Slabs slabs) { moving.warm_start(slabs, near_end); };
  const auto integrate = [&](MovingBodies::Slabs slabs) { moving.integrate_positions(slabs); };
  const auto end = [&](MovingBodies::Slabs slabs) { moving.end_substep(slabs, near_end, elapsed); };
  const auto go_on = [&](MovingBodies::Slabs slabs) {
    end(slabs);
    if (!last) moving.integrate_velocities(slabs);
  };
  warm_start(apart);
  joints.start(moving);
  joints.solve(moving);
  solver.solve(moving.solver_bodies(), warm_start, integrate);
  integrate(apart);
  joints.relax(moving);
  solver.relax(moving.solver_bodies(), nothing, go_on);
  end(apart);
}

void World::Data::store() {
  moving.store(common.bodies);
  const double scale = static_cast<double>(choice.stepping().substeps) / settings.substeps;
  solver.store(contact_set.impulses(), scale);
  joints.store(scale);
  require_finite();
}

/// Adds the pairs that touch in the last detection to `touched`.
void World::Data::note_touches() {
  const auto patches = contact_set.all_patches();
  const auto resting = contact_set.all_impulses();
  const auto constraints = std::as_const(solver).constraints();
  const auto touches = [&](std::size_t i) {
    const auto points = patches[i].manifold.span();
    const bool pushed = i < constraints.size() ? constraints[i].struck || constraints[i].load > 0.0
                                               : resting[i].load() > 0.0;
    return pushed || std::any_of(points.begin(), points.end(),
                                 [](const ContactPoint& point) { return point.depth >= 0.0; });
  };
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (touches(i))
      touched.push_back(
          {common.bodies[patches[i].body_a].id(), common.bodies[patches[i].body_b].id()});
  }
}

/// At the end of the step: adds overlaps with sensors, and finds which touches begin and end.
void World::Data::find_touches() {
  const auto sensed = contact_set.sensed();
  for (std::size_t i = 0; i < sensed.size(); ++i) {
    const Body& a = common.bodies[sensed[i].a];
    const Body& b = common.bodies[sensed[i].b];
    const Pose pose_b = placed(b.pose(), contact_set.sensed_shift(i));
    if (overlap(a.shape(), a.pose(), b.shape(), pose_b).overlap == Overlap::yes)
      touched.push_back({a.id(), b.id()});
  }
  // Patches come in the order of their pairs: only several detections or sensors upset it.
  if (!std::is_sorted(touched.begin(), touched.end(), by_ids))
    std::sort(touched.begin(), touched.end(), by_ids);
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  begun.clear();
  ended.clear();
  const std::vector<TouchingPair>& earlier = before.known;
  std::set_difference(touched.begin(), touched.end(), earlier.begin(), earlier.end(),
                      std::back_inserter(begun), by_ids);
  std::set_difference(earlier.begin(), earlier.end(), touched.begin(), touched.end(),
                      std::back_inserter(ended), by_ids);
  touching = known = touched;
}

/// Brings the velocities to the end of the step.
void World::Data::to_end() {
  const std::vector<Carried> held = carried();
  joints.note_pulls(moving);
  moving.to_end(held);
  joints.to_end(moving, held);
  moving.store_velocities(common.bodies);
}

void World::Data::collect_contacts() {
  contacts.clear();
  contact_set.for_each_touching_pair(
      [&](std::span<const ContactPatch> patches, std::span<const PatchImpulses> impulses) {
        for (std::size_t i = 0; i < patches.size(); ++i) {
          const ContactPatch& patch = patches[i];
          for (std::size_t k = 0; k < patch.manifold.span().size(); ++k) {
            const ContactPoint& point = patch.manifold.points[k];
            contacts.push_back({common.bodies[patch.body_a].id(), common.bodies[patch.body_b].id(),
                                (point.point_a + point.point_b) * 0.5, patch.manifold.normal,
                                point.depth, impulses[i].normal[k], impulses[i].friction[k]});
          }
        }
      });
}

void World::Data::measure() {
  StepStatistics& s = statistics;
  common.measure(settings.gravity, s);
  s.time = static_cast<double>(common.step_count) * settings.time_step;
  s.candidate_pairs = static_cast<int>(contact_set.pair_count());

  double sum_relative_depth = 0.0;
  contact_set.for_each_touching_pair([&](std::span<const ContactPatch> patches, auto&&) {
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
}

/// After the bodies; joints of those that are gone go too.
void World::Data::restore_joints(const WorldState& state) {
  next_joint = state.next_joint;
  joints.restore(state);
  std::vector<JointId> loose;
  for (const Joint& joint : joints.joints()) {
    const auto there = [&](BodyId id) {
      const auto found = common.find(id);
      return found != common.bodies.end() && found->id() == id;
    };
    if (!there(joint.definition.body_a) || !there(joint.definition.body_b))
      loose.push_back(joint.definition.id);
  }
  for (const JointId id : loose) joints.remove(id);
  joints.report(common.bodies, settings.time_step / settings.substeps);
  find_untouchable();
}

void StepUndo::take_back(World& world) noexcept {
  World::Data& d = *world.data_;
  d.undo();
  d.before.whole = false;
  d.statistics = {};
}

void StepUndo::set_force(World& world, BodyId id, const Vec3& force, const Vec3& torque) {
  world.data_->common.at(id).set_force(force, torque);
}

World::World(const WorldSettings& settings) : data_(std::make_unique<Data>(common(), settings)) {
  validate(settings);
  common().space = PeriodicBox(settings);
  // Bodies that lie there at the start have no loads yet to choose the stiffness by.
  data_->choice.set(kMostStiffening, settings);
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

const WorldSettings& World::settings() const { return data_->settings; }

JointId World::add_joint(JointDefinition definition) {
  validate(definition);
  const auto find = [&](BodyId id, const char* field) -> const Body& {
    if (!contains(id)) throw InvalidInput(field, "there is no body " + std::to_string(id));
    return body(id);
  };
  const Body& a = find(definition.body_a, "body_a");
  const Body& b = find(definition.body_b, "body_b");
  if (!a.is_dynamic() && !b.is_dynamic())
    throw InvalidInput("body_a", "neither of the two bodies is moving");
  if (definition.id == kNoJoint) definition.id = data_->next_joint;
  if (data_->joints.contains(definition.id))
    throw InvalidInput("id", "joint " + std::to_string(definition.id) + " exists already");
  if (definition.id == kLastId) throw InvalidInput("id", "leaves no id for later joints");
  data_->joints.add(definition, a, b);
  data_->next_joint = std::max(data_->next_joint, definition.id + 1);
  data_->find_untouchable();
  disturb(std::array{definition.body_a, definition.body_b});
  return definition.id;
}

void World::remove_joint(JointId id) {
  const JointDefinition removed = joint(id).definition;
  disturb(std::array{removed.body_a, removed.body_b});
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
  disturb(std::array{changed.body_a, changed.body_b});
}

void World::check_body(const Body& body) const { common().space.check(body); }

void World::disturb(std::span<const BodyId> ids) {
  if (!data_->may_sleep()) return;
  const std::span<const Body> bodies = common().bodies;
  std::vector<std::uint32_t> disturbed;
  for (const BodyId id : ids) {
    // Nothing that touches one that is awake sleeps.
    const std::size_t place = find_body(bodies, id);
    if (!bodies[place].is_awake()) disturbed.push_back(static_cast<std::uint32_t>(place));
  }
  if (disturbed.empty()) return;
  data_->contact_set.look_again();
  data_->wake(disturbed);
}

void World::forget(std::span<const BodyId> ids) {
  data_->contact_set.remove(ids);
  data_->joints.remove_of_bodies(ids);
  data_->find_untouchable();
  const auto names = [ids](const auto& pair) { return names_one_of(pair, ids); };
  std::erase_if(data_->contacts, names);
  std::erase_if(data_->touching, names);
}

const StepStatistics& World::step() {
  Data& d = *data_;
  const auto start = Clock::now();
  d.statistics = {};
  d.before.whole = false;
  const StepFailure failure = failure_of([&d] {
    d.check_motion();
    d.begin();
    d.advance();
  });
  StepStatistics& s = d.statistics;
  if (failure.any()) {
    d.undo();
    s = {};
    s.failure = failure;
    d.common.measure(d.settings.gravity, s);
    s.time = time();
  }
  s.total_ms = milliseconds_between(start, Clock::now());
  s.solve_ms = s.total_ms - (s.broad_ms + s.narrow_ms);
  return s;
}

void World::Data::advance() {
  common.rays.clear();
  touched.clear();
  wrap();
  before.wrapped.swap(wrapped);
  wake_forced();
  joints.begin_step(common.bodies);
  const std::vector<Carried> held = carried();
  detect(settings.time_step);
  prepare_step(settings.time_step);
  moving.to_middle(held);
  joints.to_middle(moving, held);
  const int substeps = choice.stepping().substeps;
  const double substep = settings.time_step / substeps;
  int prepared = 0;
  for (int i = 0; i < substeps; ++i) {
    if (moving.strayed()) {
      moving.take_back_velocities(moving.in_slabs());
      store();
      note_touches();
      detect(substep * (substeps - i));
      prepare_step(substep * (substeps - i));
      prepared = i;
    }
    joints.note_springs(moving);
    if (i == prepared) moving.integrate_velocities(moving.in_slabs());
    moving.integrate_velocities(moving.apart());
    impacts.run();
    solve(i, substep * (i + 1 - prepared));
  }
  store();
  to_end();
  require_finite();
  drop_forces();
  ++common.step_count;
  at_once([&] { collect_contacts(); },
          [&] {
            note_touches();
            find_touches();
          });
  wrap();
  joints.report(common.bodies, settings.time_step / settings.substeps);
  if (may_sleep()) sleep.settle(common.bodies, links(), settings);
  statistics.substeps = substeps;
  at_once(
      [&] { measure(); },
      [&] { choice.choose(substeps - prepared, settings, common.bodies, contact_set, solver); });
}

const StepStatistics& World::statistics() const { return data_->statistics; }
double World::time() const {
  return static_cast<double>(common().step_count) * data_->settings.time_step;
}
std::span<const Contact> World::contacts() const { return data_->contacts; }
double World::contact_time() const { return data_->settings.time_step / data_->settings.substeps; }

std::span<const TouchingPair> World::touching() const { return data_->touching; }
std::span<const TouchingPair> World::touches_begun() const { return data_->begun; }
std::span<const TouchingPair> World::touches_ended() const { return data_->ended; }

void World::apply_force(BodyId id, const Vec3& force) {
  apply_force(id, force, body(id).center_of_mass());
}

void World::apply_force(BodyId id, const Vec3& force, const Vec3& world_point) {
  Body& body = common().at(id);
  if (!is_finite(force)) throw InvalidInput("force", "must be finite");
  if (!is_finite(world_point)) throw InvalidInput("world_point", "must be finite");
  if (!body.is_dynamic()) return;
  body.set_force(body.force() + force,
                 body.torque() + cross(world_point - body.center_of_mass(), force));
}

void World::apply_torque(BodyId id, const Vec3& torque) {
  Body& body = common().at(id);
  if (!is_finite(torque)) throw InvalidInput("torque", "must be finite");
  if (body.is_dynamic()) body.set_force(body.force(), body.torque() + torque);
}

void World::set_constant_force(BodyId id, const Vec3& force, const Vec3& torque) {
  common().at(id).set_constant_force(force, torque);
  disturb(std::array{id});
}

void World::save_pairs(WorldState& state) const {
  state.stiffening = data_->choice.stiffening();
  data_->contact_set.save(state);
  state.next_joint = data_->next_joint;
  data_->joints.save(state);
}

void World::check_pairs(const WorldState& state) const { data_->joints.check(state); }

void World::restore_pairs(const WorldState& state) {
  data_->choice.set(state.stiffening, data_->settings);
  data_->contact_set.restore(state);
  data_->restore_joints(state);
  if (!data_->may_sleep())
    for (Body& body : common().bodies) body.set_rest_time(0.0);
  data_->contacts.clear();
  for (std::vector<TouchingPair>* list :
       {&data_->touching, &data_->known, &data_->begun, &data_->ended})
    list->clear();
  data_->drop_forces();
  data_->statistics = {};
}

}  // namespace tactus
