// Worlds: made, changed, stepped, saved.
#include <cstddef>
#include <memory>

#include "bindings/c/call.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/values.hpp"

using namespace tactus;

namespace {

static_assert(TACTUS_BODY_FIXED == static_cast<int>(BodyType::fixed));
static_assert(TACTUS_BODY_KINEMATIC == static_cast<int>(BodyType::kinematic));
static_assert(TACTUS_BODY_DYNAMIC == static_cast<int>(BodyType::dynamic_body));
static_assert(TACTUS_PLANE_NONE == static_cast<int>(MotionPlane::none));
static_assert(TACTUS_PLANE_XY == static_cast<int>(MotionPlane::xy));

/// Sizes of the structs in their first version: they never change when the structs grow.
constexpr std::size_t kFirstSettings =
    offsetof(tactus_world_settings, max_threads) + sizeof(tactus_world_settings::max_threads);
constexpr std::size_t kFirstDefinition =
    offsetof(tactus_body_definition, reserved) + sizeof(tactus_body_definition::reserved);
static_assert(kFirstSettings == 128);

tactus_world_settings default_settings() {
  const WorldSettings usual;
  const ElasticContacts elastic;
  return {.struct_size = 0,
          .gravity = c::from_vec(usual.gravity),
          .time_step = usual.time_step,
          .load_overlap = usual.load_overlap,
          .contact_margin = usual.contact_margin,
          .contact_frequency = usual.contact_frequency,
          .contact_damping = usual.contact_damping,
          .max_push_speed = usual.max_push_speed,
          .restitution_threshold = usual.restitution_threshold,
          .sleep_time = usual.sleep_time,
          .sleep_speed = usual.sleep_speed,
          .linear_damping = usual.linear_damping,
          .angular_damping = usual.angular_damping,
          .substeps = usual.substeps,
          .max_threads = usual.max_threads,
          .plane = static_cast<tactus_plane>(usual.plane),
          .reserved = 0,
          .young = 0.0,
          .poisson = elastic.poisson,
          .rayleigh_part = elastic.rayleigh_part,
          .least_impact = usual.least_impact};
}

tactus_body_definition default_definition() {
  const Material material;
  const CollisionFilter filter;
  tactus_body_definition usual{};
  usual.pose = tactus_pose_identity();
  usual.friction = material.friction;
  usual.restitution = material.restitution;
  usual.rolling_friction = material.rolling_friction;
  usual.torsional_friction = material.torsional_friction;
  usual.adhesion = material.adhesion;
  usual.density = material.density;
  usual.category = filter.category;
  usual.mask = filter.mask;
  usual.type = TACTUS_BODY_DYNAMIC;
  usual.gravity_scale = 1.0;
  usual.linear_damping = usual.angular_damping = -1.0;
  return usual;
}

WorldSettings to_settings(const tactus_world_settings* settings) {
  WorldSettings read;
  if (settings == nullptr) return read;
  const tactus_world_settings given =
      c::read_struct(*settings, kFirstSettings, default_settings(), "tactus_world_settings");
  read.gravity = c::to_vec(given.gravity);
  read.time_step = given.time_step;
  read.load_overlap = given.load_overlap;
  read.contact_margin = given.contact_margin;
  read.contact_frequency = given.contact_frequency;
  read.contact_damping = given.contact_damping;
  read.max_push_speed = given.max_push_speed;
  read.restitution_threshold = given.restitution_threshold;
  read.least_impact = given.least_impact;
  read.sleep_time = given.sleep_time;
  read.sleep_speed = given.sleep_speed;
  read.linear_damping = given.linear_damping;
  read.angular_damping = given.angular_damping;
  read.substeps = given.substeps;
  read.max_threads = given.max_threads;
  if (given.plane < TACTUS_PLANE_NONE || given.plane > TACTUS_PLANE_XY)
    throw InvalidInput("plane", "no such plane");
  if (given.reserved != 0) throw InvalidInput("reserved", "must be 0");
  read.plane = static_cast<MotionPlane>(given.plane);
  if (given.young != 0.0)
    read.elastic = ElasticContacts{given.young, given.poisson, given.rayleigh_part};
  return read;
}

LockedAxes to_lock(std::uint32_t bits) {
  if (bits > 0x3fU) throw InvalidInput("lock", "names an axis that there is not");
  LockedAxes lock;
  for (unsigned i = 0; i < 3; ++i) {
    lock.linear[i] = (bits >> i & 1U) != 0;
    lock.angular[i] = (bits >> (3 + i) & 1U) != 0;
  }
  return lock;
}

BodyMass to_mass(const tactus_body_definition& given) {
  BodyMass mass;
  mass.mass = given.mass;
  mass.center = c::to_vec(given.mass_center);
  for (int i = 0; i < 9; ++i) mass.inertia(i / 3, i % 3) = given.inertia[i];
  return mass;
}

BodyDefinition to_definition(const tactus_body_definition& definition) {
  const tactus_body_definition given =
      c::read_struct(definition, kFirstDefinition, default_definition(), "tactus_body_definition");
  if (given.type < TACTUS_BODY_FIXED || given.type > TACTUS_BODY_DYNAMIC) {
    throw InvalidInput("type", "no such type of body");
  }
  // Later versions may give it a meaning.
  if (given.reserved != 0) throw InvalidInput("reserved", "must be 0");
  BodyDefinition read{.shape = c::require(given.shape, "shape").shape};
  read.pose = c::to_pose(given.pose, "pose");
  read.linear_velocity = c::to_vec(given.linear_velocity);
  read.angular_velocity = c::to_vec(given.angular_velocity);
  read.force = c::to_vec(given.force);
  read.torque = c::to_vec(given.torque);
  read.material.friction = given.friction;
  read.material.restitution = given.restitution;
  read.material.rolling_friction = given.rolling_friction;
  read.material.torsional_friction = given.torsional_friction;
  read.material.adhesion = given.adhesion;
  read.material.density = given.density;
  if (given.has_mass != 0) read.mass = to_mass(given);
  read.filter = {given.category, given.mask};
  read.id = given.id;
  read.type = static_cast<BodyType>(given.type);
  read.sensor = given.sensor != 0;
  read.gravity_scale = given.gravity_scale;
  if (!(given.linear_damping < 0.0)) read.linear_damping = given.linear_damping;
  if (!(given.angular_damping < 0.0)) read.angular_damping = given.angular_damping;
  read.lock = to_lock(given.lock);
  if (given.reserved_lock != 0) throw InvalidInput("reserved_lock", "must be 0");
  read.material.kind = given.kind;
  if (given.has_one_way != 0) read.one_way = c::to_vec(given.one_way);
  read.surface_velocity = {c::to_vec(given.surface_linear), c::to_vec(given.surface_angular)};
  return read;
}

}  // namespace

extern "C" {

tactus_error tactus_world_settings_default(tactus_world_settings* settings, size_t struct_size) {
  return c::call([&] {
    c::write_defaults(c::require(settings, "settings"), struct_size, kFirstSettings,
                      default_settings());
  });
}

tactus_error tactus_body_definition_default(tactus_body_definition* definition,
                                            size_t struct_size) {
  return c::call([&] {
    c::write_defaults(c::require(definition, "definition"), struct_size, kFirstDefinition,
                      default_definition());
  });
}

tactus_world* tactus_world_create(const tactus_world_settings* settings) {
  tactus_world* made = nullptr;
  c::call([&] { made = std::make_unique<tactus_world>(World(to_settings(settings))).release(); });
  return made;
}

void tactus_world_destroy(tactus_world* world) { delete world; }

tactus_error tactus_world_add_body(tactus_world* world, const tactus_body_definition* definition,
                                   tactus_body_id* id) {
  return c::call([&] {
    const BodyId added =
        c::world_of(world).add(to_definition(c::require(definition, "definition")));
    if (id != nullptr) *id = added;
  });
}

tactus_error tactus_world_remove_body(tactus_world* world, tactus_body_id id) {
  return c::call([&] { c::world_of(world).remove(id); });
}

tactus_error tactus_world_exclude_pair(tactus_world* world, tactus_body_id a, tactus_body_id b) {
  return c::call([&] { c::world_of(world).exclude(a, b); });
}

tactus_error tactus_world_step(tactus_world* world) {
  return c::call([&] {
    const StepFailure& failure = c::world_of(world).step().failure;
    if (failure.any()) throw c::StepFailed(to_text(failure));
  });
}

tactus_error tactus_world_set_pose(tactus_world* world, tactus_body_id id,
                                   const tactus_pose* pose) {
  return c::call([&] { c::world_of(world).set_pose(id, c::to_pose(pose, "pose")); });
}

tactus_error tactus_world_set_velocity(tactus_world* world, tactus_body_id id, tactus_vec3 linear,
                                       tactus_vec3 angular) {
  return c::call(
      [&] { c::world_of(world).set_velocity(id, c::to_vec(linear), c::to_vec(angular)); });
}

tactus_error tactus_world_set_constant_force(tactus_world* world, tactus_body_id id,
                                             tactus_vec3 force, tactus_vec3 torque) {
  return c::call(
      [&] { c::world_of(world).set_constant_force(id, c::to_vec(force), c::to_vec(torque)); });
}

tactus_error tactus_world_move_to(tactus_world* world, tactus_body_id id, const tactus_pose* pose,
                                  double duration) {
  return c::call([&] { c::world_of(world).move_to(id, c::to_pose(pose, "pose"), duration); });
}

tactus_error tactus_world_set_surface_velocity(tactus_world* world, tactus_body_id id,
                                               tactus_vec3 linear, tactus_vec3 angular) {
  return c::call([&] {
    c::world_of(world).set_surface_velocity(id, {c::to_vec(linear), c::to_vec(angular)});
  });
}

tactus_error tactus_world_apply_impulse(tactus_world* world, tactus_body_id id, tactus_vec3 impulse,
                                        tactus_vec3 point) {
  return c::call(
      [&] { c::world_of(world).apply_impulse(id, c::to_vec(impulse), c::to_vec(point)); });
}

tactus_error tactus_world_apply_force(tactus_world* world, tactus_body_id id, tactus_vec3 force) {
  return c::call([&] { c::world_of(world).apply_force(id, c::to_vec(force)); });
}

tactus_error tactus_world_apply_force_at(tactus_world* world, tactus_body_id id, tactus_vec3 force,
                                         tactus_vec3 point) {
  return c::call([&] { c::world_of(world).apply_force(id, c::to_vec(force), c::to_vec(point)); });
}

tactus_error tactus_world_apply_torque(tactus_world* world, tactus_body_id id, tactus_vec3 torque) {
  return c::call([&] { c::world_of(world).apply_torque(id, c::to_vec(torque)); });
}

tactus_error tactus_world_set_surface(tactus_world* world, tactus_body_id id, double friction,
                                      double restitution, double rolling_friction,
                                      double torsional_friction) {
  return c::call([&] {
    Material material = c::world_of(world).body(id).material();
    material.friction = friction;
    material.restitution = restitution;
    material.rolling_friction = rolling_friction;
    material.torsional_friction = torsional_friction;
    world->world.set_material(id, material);
  });
}

uint64_t tactus_world_get_state_hash(const tactus_world* world) {
  uint64_t hash = 0;
  c::call([&] { hash = c::world_of(world).state_hash(); });
  return hash;
}

tactus_state* tactus_world_save(const tactus_world* world) {
  tactus_state* saved = nullptr;
  c::call([&] { saved = std::make_unique<tactus_state>(c::world_of(world).save()).release(); });
  return saved;
}

tactus_error tactus_world_restore(tactus_world* world, const tactus_state* state) {
  return c::call([&] { c::world_of(world).restore(c::require(state, "state").state); });
}

void tactus_state_destroy(tactus_state* state) { delete state; }

}  // extern "C"
