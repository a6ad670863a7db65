#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/body/find_body.hpp"
#include "tactus/rigid/body/locks.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/world/contact_report.hpp"
#include "tactus/rigid/world/world_data.hpp"

namespace tactus {
using namespace detail;
namespace {

constexpr JointId kLastId = std::numeric_limits<JointId>::max();

using Clock = std::chrono::steady_clock;

double milliseconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - start).count();
}

}  // namespace

void World::Data::drop_forces() {
  for (Body& body : common.bodies) BodyAccess::set_force(body, {}, {});
}

/// Where all ranks have the same pairs, the first one keeps them.
void World::Data::keep_pairs_of_first() {
  if (!ranks || ranks->exchange.rank() == 0) return;
  contact_set.memory().now().pairs.clear();
  contact_set.memory().now().stirring = 0;
}

/// Before anything of the step is changed.
void World::Data::begin() {
  before.note(*this);
  std::swap(contacts, contacts_before);
  broken.swap(broken_before);
  servos.swap(servos_before);
  touches.remember();
}

/// Allocates no memory.
void World::Data::undo() noexcept {
  if (!before.is_known()) return;
  before.bring_back(*this);
  std::swap(contacts, contacts_before);
  broken.swap(broken_before);
  servos.swap(servos_before);
  touches.undo();
}

void World::Data::measure() {
  StepStatistics& s = statistics;
  common.measure(settings.gravity, s);
  s.time = time();
  measure_contacts(contact_set, common.region, s);
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

#ifdef TACTUS_WITHOUT_RANKS
void StepUndo::share_out(World&, Exchange&) {
  throw InvalidInput("ranks", "this build of the library has one alone");
}
void StepUndo::share_out_parts(World& world, BodyTable /*all*/, Exchange& exchange) {
  share_out(world, exchange);
}
void StepUndo::add_part(World&, BodyTable&, BodyDefinition, bool) {}
#else
void World::Data::refuse_ranks() const {
  if (common.space.is_sheared()) throw InvalidInput("shear", "is not for worlds that ranks share");
  if (settings.elastic) throw InvalidInput("elastic", "is not for worlds that ranks share");
  for (const Body& body : common.bodies)
    if (body.has_servo()) throw InvalidInput("servo", "is not for worlds that ranks share");
}

void StepUndo::share_out(World& world, Exchange& exchange) {
  World::Data& d = *world.data_;
  d.refuse_ranks();
  share_by(world, std::make_unique<Ranks>(exchange, d.common.bodies, d.settings));
}

void StepUndo::share_out_parts(World& world, BodyTable all, Exchange& exchange) {
  World::Data& d = *world.data_;
  d.refuse_ranks();
  d.common.next_id = all.size() == 0 ? 1 : all.id(all.size() - 1) + 1;
  share_by(world, std::make_unique<Ranks>(exchange, d.common.bodies, std::move(all), d.settings));
}

void StepUndo::add_part(World& world, BodyTable& all, BodyDefinition body, bool mine) {
  if (mine) {
    all.add(world.body(world.add(std::move(body))));
    return;
  }
  body.lock = merged(body.lock, world.data_->common.lock);
  all.add(Body(body));
}

void StepUndo::share_by(World& world, std::unique_ptr<Ranks> ranks) {
  World::Data& d = *world.data_;
  d.ranks = std::move(ranks);
  d.common.region = &d.ranks->region;
  d.contact_set.filter(&d.ranks->region);
  d.sleep.share(&d.ranks->sleep);
  if (d.contact_set.pair_count() > 0) {
    d.keep_pairs_of_first();
    return;
  }
  // No rank holds longer than it must what others move.
  d.stepper.hand_out();
}
#endif

Ranks* StepUndo::ranks(World& world) noexcept { return world.data_->ranks.get(); }

bool StepUndo::has_all_contacts(const World& world) noexcept { return world.data_->contacts.whole; }

void StepUndo::collect(World& world) {
  World::Data& d = *world.data_;
  if (!d.ranks) return;
  d.contacts.gather(d.ranks->region, false);
  d.ranks->region.know_all(d.common.bodies);
  d.common.index.clear();
}

void StepUndo::collect_on_first(World& world) {
  World::Data& d = *world.data_;
  if (!d.ranks) return;
  d.contacts.gather(d.ranks->region, true);
  d.ranks->region.show_on_first(d.common.bodies);
  d.common.index.clear();
}

void StepUndo::take_back(World& world) noexcept {
  World::Data& d = *world.data_;
  d.undo();
  d.before.forget();
  d.statistics = {};
}

void StepUndo::set_force(World& world, BodyId id, const Vec3& force, const Vec3& torque) {
  BodyAccess::set_force(world.data_->common.at(id), force, torque);
}

World::World(const WorldSettings& settings) : data_(std::make_unique<Data>(common(), settings)) {
  validate(settings);
  common().space = PeriodicBox(settings.periodic, settings.shear);
  if (settings.plane == MotionPlane::xy)
    common().lock = {{false, false, true}, {true, true, false}};
  // Bodies that lie there at the start have no loads yet to choose the stiffness by.
  data_->choice.set(kMostStiffening, settings);
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

const WorldSettings& World::settings() const { return data_->settings; }

JointId World::add_joint(JointDefinition definition) {
  common().know_all();
  if (common().space.is_sheared()) throw InvalidInput("joints", "are not for a world under shear");
  if (settings().elastic) throw InvalidInput("joints", "are not for a world with elastic contacts");
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
  common().know_all();
  const JointDefinition removed = joint(id).definition;
  disturb(std::array{removed.body_a, removed.body_b});
  data_->joints.remove(id);
  data_->find_untouchable();
}

std::span<const Joint> World::joints() const { return data_->joints.joints(); }
const Joint& World::joint(JointId id) const { return data_->joints.at(id); }

void World::set_motor(JointId id, const std::optional<JointMotor>& motor) {
  common().know_all();
  JointDefinition changed = joint(id).definition;
  changed.motor = motor;
  validate(changed);
  data_->joints.set_motor(id, motor);
  disturb(std::array{changed.body_a, changed.body_b});
}

void World::set_contact_rule(ContactRule rule) {
  common().know_all();
  common().rules.set_contact_rule(std::move(rule));
  std::vector<BodyId> all;
  for (const Body& body : bodies()) all.push_back(body.id());
  disturb(all);
}

void World::set_drive(JointId id, const std::optional<JointDrive>& drive) {
  common().know_all();
  JointDefinition changed = joint(id).definition;
  changed.drive = drive;
  validate(changed);
  data_->joints.set_drive(id, drive);
  disturb(std::array{changed.body_a, changed.body_b});
}

std::span<const Joint> World::broken_joints() const { return data_->broken; }

void World::set_servo(BodyId id, const std::optional<Servo>& servo) {
  common().know_all();
  Body& body = common().at(id);
  Body changed = body;
  BodyAccess::set_servo(changed, servo);
  check_body(changed);
  body = std::move(changed);
}

std::span<const ServoReading> World::servos() const { return data_->servos; }

void World::check_body(const Body& body) const {
  common().space.check(body);
  if (data_->ranks && body.has_servo())
    throw InvalidInput("servo", "is not for worlds that ranks share");
  if (settings().elastic) check_elastic(body);
}

void World::disturb(std::span<const BodyId> ids) {
  if (!data_->may_sleep()) return;
  const std::span<const Body> bodies = common().bodies;
  std::vector<std::uint32_t> disturbed;
  for (const BodyId id : ids) {
    // Nothing that touches one that is awake sleeps.
    const std::size_t place = find_body(bodies, id);
    if (!bodies[place].is_awake()) disturbed.push_back(static_cast<std::uint32_t>(place));
  }
  if (!data_->any(!disturbed.empty())) return;
  data_->contact_set.look_again();
  wake(*data_, disturbed);
}

void World::forget(std::span<const BodyId> ids) {
  data_->contact_set.remove(ids);
  data_->joints.remove_of_bodies(ids);
  data_->find_untouchable();
  data_->contacts.forget(ids);
  std::erase_if(data_->servos, [&](const ServoReading& reading) {
    return std::binary_search(ids.begin(), ids.end(), reading.body);
  });
  data_->touches.forget(ids);
}

const StepStatistics& World::step() {
  Data& d = *data_;
  const auto start = Clock::now();
  d.statistics = {};
  d.before.forget();
  d.common.hide();
  const StepFailure failure = failure_of([&] {
    d.together([&d] { d.check_motion(); });
    d.begin();
    d.advance();
    for (const Joint& joint : d.broken) {
      disturb(std::array{joint.definition.body_a, joint.definition.body_b});
      d.joints.remove(joint.definition.id);
    }
    if (!d.broken.empty()) d.find_untouchable();
  });
  StepStatistics& s = d.statistics;
  // It runs out here alone, and the others wait for what this rank was to tell them.
  if (failure.error == StepError::memory && d.ranks && d.ranks->exchange.ranks() > 1)
    throw std::runtime_error(failure.reason);
  if (failure.any()) {
    d.undo();
    d.common.know_all();
    s = {};
    s.failure = failure;
    d.common.measure(d.settings.gravity, s);
    s.time = time();
  }
  s.total_ms = milliseconds_between(start, Clock::now());
  s.solve_ms = s.total_ms - (s.broad_ms + s.narrow_ms);
  return s;
}

/// The next step begins with velocities half a substep of its own before the end of this one.
void World::Data::change_substeps(int old) {
  const int now = choice.stepping().substeps;
  if (now == old) return;
  const double longer = static_cast<double>(old) / now;
  for (Body& body : common.bodies) {
    BodyMotion motion = body.motion();
    if (motion.linear_ahead == Vec3{} && motion.angular_ahead == Vec3{}) continue;
    motion.linear_ahead *= longer;
    motion.angular_ahead *= longer;
    BodyAccess::set_motion(body, motion);
  }
}

/// `Stepper::run`; again from the start of the step, with more substeps, where these were too long
/// for what swings on joints.
int World::Data::run() {
  for (;;) {
    common.index.clear();
    together([&] { stepper.wrap(); });
    before.take_wrapped(stepper.wrapped());
    touches.begin_step(common.bodies, common.region);
    wake_forced(*this);
    if (settings.elastic) {
      run_elastic();
      return 1;
    }
    joints.begin_step(common.bodies);
    const int solved = stepper.run(touches, statistics);
    const int finer = choice.finer(stepper.swing_error(), settings);
    if (finer == 1) return solved;
    const int wanted = finer * choice.stepping().substeps;
    undo();
    begin();
    const int old = choice.stepping().substeps;
    choice.refine(wanted / old);
    change_substeps(old);
  }
}

void World::Data::run_elastic() {
  elastic.run(time(), [&] { touches.note(common.bodies, contact_set, stepper.solver()); });
  statistics.broad_ms += elastic.broad_ms();
  statistics.narrow_ms += elastic.narrow_ms();
  statistics.substeps = elastic.small_steps();
}

void World::Data::advance() {
  const int solved = run();
  together([&] { require_finite(); });
  drop_forces();
  ++common.step_count;
  at_once(
      [&] {
        collect_contacts(common.bodies, contact_set, settings.time_step / settings.substeps,
                         common.region, contacts);
      },
      [&] {
        touches.note(common.bodies, contact_set, stepper.solver());
        touches.end_step(common.bodies, common.region);
      });
  together([&] { stepper.wrap(); });
  joints.report(common.bodies, settings.time_step / settings.substeps);
  if (ranks && joints.can_break()) joints.take_pulls(ranks->of_joint_rank(joints.pulls()));
  broken = joints.broken(settings.time_step);
  fall_asleep(*this);
  const int substeps = choice.stepping().substeps;
  const auto choose = [&] {
    if (settings.elastic) return;
    // Only who solves the joints knows how they pull.
    const double pull = !ranks || ranks->region.solves_joints() ? joints.pull() : 0.0;
    choice.choose(solved, pull, settings, common.bodies, contact_set, stepper.solver(),
                  ranks.get());
  };
  at_once([&] { measure(); }, choose);
  change_substeps(substeps);
  move_servos({contacts.list, stepper.blows(), settings, choice.stepping()}, common.bodies, servos);
}

const StepStatistics& World::statistics() const { return data_->statistics; }
double World::time() const { return data_->time(); }
std::span<const Contact> World::contacts() const { return data_->contacts.list; }
double World::contact_time() const { return data_->settings.time_step / data_->settings.substeps; }

std::span<const TouchingPair> World::touching() const { return data_->touches.touching(); }
std::span<const TouchingPair> World::touches_begun() const { return data_->touches.begun(); }
std::span<const TouchingPair> World::touches_ended() const { return data_->touches.ended(); }

void World::apply_force(BodyId id, const Vec3& force) {
  common().know_all();
  apply_force(id, force, body(id).center_of_mass());
}

void World::apply_force(BodyId id, const Vec3& force, const Vec3& world_point) {
  common().know_all();
  Body& body = common().at(id);
  if (!is_finite(force)) throw InvalidInput("force", "must be finite");
  if (!is_finite(world_point)) throw InvalidInput("world_point", "must be finite");
  if (!body.is_dynamic()) return;
  BodyAccess::set_force(body, body.force() + force,
                        body.torque() + cross(world_point - body.center_of_mass(), force));
}

void World::apply_torque(BodyId id, const Vec3& torque) {
  common().know_all();
  Body& body = common().at(id);
  if (!is_finite(torque)) throw InvalidInput("torque", "must be finite");
  if (body.is_dynamic()) BodyAccess::set_force(body, body.force(), body.torque() + torque);
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
  common().space.set_time(time());
  data_->contact_set.restore(state);
  data_->keep_pairs_of_first();
  data_->restore_joints(state);
  if (!data_->may_sleep())
    for (Body& body : common().bodies) BodyAccess::set_rest_time(body, 0.0);
  data_->contacts.clear();
  data_->broken.clear();
  data_->servos.clear();
  data_->touches.clear();
  data_->drop_forces();
  data_->statistics = {};
}

}  // namespace tactus
