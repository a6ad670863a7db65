// Worlds of rigid bodies that calls in numbers build, change and ask: as io::Simulation, without
// texts.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings/wasm/body_numbers.hpp"
#include "bindings/wasm/numbers/number_reader.hpp"
#include "bindings/wasm/numbers/shapes.hpp"
#include "tactus/rigid/body/given_mass.hpp"
#include "tactus/world.hpp"

namespace tactus::wasm {
namespace {

/// All of a world that changes with time or by calls.
struct Snapshot {
  WorldState state;
  std::map<BodyId, BodyDefinition> bodies;
  std::vector<JointDefinition> joints;
};

struct Built {
  explicit Built(const WorldSettings& settings) : world(settings) {}

  World world;
  std::map<BodyId, BodyDefinition> bodies;  ///< as they were added
  std::map<int, Snapshot> snapshots;
  int last_snapshot = 0;
  std::vector<BodyNumbers> poses;
  std::vector<double> ids;
  std::vector<ContactNumbers> contacts;
};

Registry<std::unique_ptr<Built>>& worlds() {
  static Registry<std::unique_ptr<Built>> all;
  return all;
}

World& world_at(int number) { return worlds().at(number)->world; }

BodyId id_of(double number) { return static_cast<BodyId>(number); }

/// Quality, plane, gravity, time of a step, then the settings by their names' order in JavaScript,
/// then the bounds of a space that repeats along x, y and z, springs of contacts, and shear.
WorldSettings settings_from(NumberReader numbers) {
  WorldSettings settings = settings_of(numbers.flag() ? Quality::fast : Quality::usual);
  if (numbers.flag()) {
    settings.plane = MotionPlane::xy;
    settings.gravity = {0.0, -9.81, 0.0};
  }
  settings.gravity = numbers.given_vector().value_or(settings.gravity);
  numbers.take_given(settings.time_step);
  if (const auto substeps = numbers.given()) settings.substeps = static_cast<int>(*substeps);
  for (double* const value :
       {&settings.load_overlap, &settings.contact_margin, &settings.contact_frequency,
        &settings.contact_damping, &settings.max_push_speed, &settings.restitution_threshold,
        &settings.least_impact, &settings.sleep_time, &settings.sleep_speed,
        &settings.linear_damping, &settings.angular_damping})
    numbers.take_given(*value);
  for (auto& axis : settings.periodic) {
    const double lower = numbers.next(), upper = numbers.next();
    if (!std::isnan(lower)) axis = PeriodicAxis{lower, upper};
  }
  if (const auto young = numbers.given()) {
    settings.elastic = ElasticContacts{*young};
    numbers.take_given(settings.elastic->poisson);
    numbers.take_given(settings.elastic->rayleigh_part);
  } else {
    numbers.next();
    numbers.next();
  }
  const double flow = numbers.next(), gradient = numbers.next(), rate = numbers.next();
  if (!std::isnan(flow))
    settings.shear = PeriodicShear{static_cast<int>(flow), static_cast<int>(gradient), rate};
  return settings;
}

Material material_from(NumberReader& numbers) {
  Material material;
  for (double* const value : {&material.friction, &material.restitution, &material.rolling_friction,
                              &material.torsional_friction, &material.adhesion, &material.density})
    numbers.take_given(*value);
  return material;
}

LockedAxes lock_from(int bits) {
  LockedAxes lock;
  for (std::size_t i = 0; i < 3; ++i) {
    lock.linear[i] = (bits >> i & 1) != 0;
    lock.angular[i] = (bits >> (i + 3) & 1) != 0;
  }
  return lock;
}

std::uint64_t mask_from(std::optional<double> given) {
  return given ? static_cast<std::uint64_t>(*given) : ~std::uint64_t{0};
}

detail::GivenMass mass_from(NumberReader& numbers) {
  detail::GivenMass given;
  given.mass = numbers.given();
  given.center = numbers.given_vector();
  Mat3 inertia = Mat3::zero();
  for (int i = 0; i < 9; ++i) inertia(i / 3, i % 3) = numbers.next();
  if (!std::isnan(inertia(0, 0))) given.inertia = inertia;
  return given;
}

BodyDefinition body_from(const Shape& shape, NumberReader numbers) {
  BodyDefinition body{shape};
  body.type = static_cast<BodyType>(numbers.whole());
  body.pose = numbers.pose();
  for (Vec3* const v : {&body.linear_velocity, &body.angular_velocity, &body.force, &body.torque,
                        &body.surface_velocity.linear, &body.surface_velocity.angular})
    *v = numbers.vector();
  body.one_way = numbers.given_vector();
  numbers.take_given(body.gravity_scale);
  body.linear_damping = numbers.given();
  body.angular_damping = numbers.given();
  body.lock = lock_from(numbers.whole());
  body.sensor = numbers.flag();
  body.filter.category = static_cast<std::uint64_t>(numbers.next());
  body.filter.mask = mask_from(numbers.given());
  body.material = material_from(numbers);
  const detail::GivenMass mass = mass_from(numbers);
  if (!mass.any()) return body;
  if (body.type != BodyType::dynamic_body) throw InvalidInput("mass", "is for moving bodies");
  body.mass = mass.completed(shape, body.material.density);
  return body;
}

std::optional<JointLimits> limits_from(NumberReader& numbers) {
  const std::optional<double> lower = numbers.given();
  const double upper = numbers.next();
  return lower ? std::optional(JointLimits{*lower, upper}) : std::nullopt;
}

std::optional<JointMotor> motor_from(NumberReader& numbers) {
  const std::optional<double> speed = numbers.given();
  const double most = numbers.next();
  return speed ? std::optional(JointMotor{*speed, most}) : std::nullopt;
}

std::optional<JointDrive> drive_from(NumberReader& numbers) {
  const std::optional<double> target = numbers.given();
  const double stiffness = numbers.next(), damping = numbers.next(), most = numbers.next();
  return target ? std::optional(JointDrive{*target, stiffness, damping, most}) : std::nullopt;
}

/// A joint between bodies as they lie now.
JointDefinition joint_from(const World& world, NumberReader numbers) {
  JointDefinition joint;
  joint.type = static_cast<JointType>(numbers.whole());
  joint.body_a = id_of(numbers.next());
  joint.body_b = id_of(numbers.next());
  const Pose pose_a = world.body(joint.body_a).pose(), pose_b = world.body(joint.body_b).pose();
  const Vec3 anchor_a = numbers.vector(), anchor_b = numbers.vector(), axis = numbers.vector();
  if (joint.type == JointType::distance) {
    joint.frame_a = Pose::translation(pose_a.to_local(anchor_a));
    joint.frame_b = Pose::translation(pose_b.to_local(anchor_b));
  } else {
    const Pose frame = joint_frame(anchor_a, axis);
    joint.frame_a = relative(pose_a, frame);
    joint.frame_b = relative(pose_b, frame);
  }
  joint.limits = limits_from(numbers);
  joint.swing = numbers.given();
  joint.twist = limits_from(numbers);
  joint.motor = motor_from(numbers);
  joint.drive = drive_from(numbers);
  joint.break_force = numbers.given();
  joint.break_torque = numbers.given();
  const std::optional<double> frequency = numbers.given();
  const double damping = numbers.next();
  if (frequency) joint.spring = JointSpring{*frequency, damping};
  joint.length = numbers.given();
  joint.touch = numbers.flag();
  validate(joint);
  return joint;
}

/// Mask, the body to ignore (0: none), and whether sensors count.
BodySelection selection_from(NumberReader& numbers) {
  BodySelection selection;
  selection.mask = mask_from(numbers.given());
  selection.ignored = id_of(numbers.next());
  selection.sensors = numbers.flag();
  return selection;
}

double reach_from(NumberReader& numbers) {
  return numbers.given().value_or(std::numeric_limits<double>::infinity());
}

void add(std::vector<double>& out, const Vec3& v) { out.insert(out.end(), {v.x, v.y, v.z}); }

void add(std::vector<double>& out, std::span<const TouchingPair> pairs) {
  out.push_back(static_cast<double>(pairs.size()));
  for (const TouchingPair& pair : pairs) {
    out.push_back(static_cast<double>(pair.body_a));
    out.push_back(static_cast<double>(pair.body_b));
  }
}

void restore(Built& built, const Snapshot& snapshot) {
  World& world = built.world;
  for (const auto& [id, definition] : snapshot.bodies)
    if (!world.contains(id)) world.add(definition);
  for (const JointDefinition& joint : snapshot.joints) {
    const auto all = world.joints();
    const bool there = std::any_of(all.begin(), all.end(),
                                   [&](const Joint& x) { return x.definition.id == joint.id; });
    if (!there) {
      world.add_joint(joint);
      continue;
    }
    // Motors and drives are no part of a world's state.
    world.set_motor(joint.id, joint.motor);
    world.set_drive(joint.id, joint.drive);
  }
  world.restore(snapshot.state);
  built.bodies = snapshot.bodies;
}

/// Calls f with the world and room for numbers; how many there are then, or -1 after an error.
template <class F>
int found(int world, const F& f) {
  return guarded(-1, [&] {
    last_numbers().clear();
    f(*worlds().at(world), last_numbers());
    return static_cast<int>(last_numbers().size());
  });
}

/// Calls f with the world; 1, or 0 after an error.
template <class F>
int done(int world, const F& f) {
  return guarded(0, [&] {
    f(*worlds().at(world));
    return 1;
  });
}

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

TACTUS_EXPORT int tactus_built_open(const double* numbers) {
  return guarded(0, [&] {
    const WorldSettings settings = settings_from(NumberReader(numbers));
    validate(settings);
    return worlds().add(std::make_unique<Built>(settings));
  });
}

TACTUS_EXPORT void tactus_built_close(int world) { worlds().remove(world); }

// The id of the new body or joint, or 0.
TACTUS_EXPORT double tactus_built_add_body(int world, int shape, const double* numbers) {
  return guarded(0.0, [&] {
    Built& built = *worlds().at(world);
    BodyDefinition body = body_from(shapes().at(shape), NumberReader(numbers));
    body.id = built.world.add(body);
    built.bodies.emplace(body.id, body);
    return static_cast<double>(body.id);
  });
}

TACTUS_EXPORT double tactus_built_add_joint(int world, const double* numbers) {
  return guarded(0.0, [&] {
    World& w = world_at(world);
    return static_cast<double>(w.add_joint(joint_from(w, NumberReader(numbers))));
  });
}

TACTUS_EXPORT int tactus_built_remove_bodies(int world, const double* ids, int count) {
  return done(world, [&](Built& built) {
    std::vector<BodyId> list;
    for (int i = 0; i < count; ++i) list.push_back(id_of(ids[i]));
    built.world.remove(list);
    for (const BodyId id : list) built.bodies.erase(id);
  });
}

TACTUS_EXPORT int tactus_built_remove_joint(int world, double joint) {
  return done(world, [&](Built& built) { built.world.remove_joint(id_of(joint)); });
}

TACTUS_EXPORT int tactus_built_set_motor(int world, double joint, const double* numbers) {
  return done(world, [&](Built& built) {
    NumberReader reader(numbers);
    built.world.set_motor(id_of(joint), motor_from(reader));
  });
}

TACTUS_EXPORT int tactus_built_set_drive(int world, double joint, const double* numbers) {
  return done(world, [&](Built& built) {
    NumberReader reader(numbers);
    built.world.set_drive(id_of(joint), drive_from(reader));
  });
}

TACTUS_EXPORT int tactus_built_set_pose(int world, double body, const double* numbers) {
  return done(world, [&](Built& built) {
    built.world.set_pose(id_of(body), NumberReader(numbers).pose());
  });
}

TACTUS_EXPORT int tactus_built_set_velocity(int world, double body, const double* numbers) {
  return done(world, [&](Built& built) {
    NumberReader reader(numbers);
    const Vec3 linear = reader.vector(), angular = reader.vector();
    built.world.set_velocity(id_of(body), linear, angular);
  });
}

// A pose and a duration.
TACTUS_EXPORT int tactus_built_move_to(int world, double body, const double* numbers) {
  return done(world, [&](Built& built) {
    NumberReader reader(numbers);
    const Pose pose = reader.pose();
    built.world.move_to(id_of(body), pose, reader.next());
  });
}

// An impulse, a force or a torque (0, 1, 2), and the place, NaN for the centre of mass.
TACTUS_EXPORT int tactus_built_push(int world, double body, int what, const double* numbers) {
  return done(world, [&](Built& built) {
    NumberReader reader(numbers);
    const BodyId id = id_of(body);
    const Vec3 by = reader.vector();
    const Vec3 at = reader.given_vector().value_or(built.world.body(id).center_of_mass());
    if (what == 0)
      built.world.apply_impulse(id, by, at);
    else if (what == 1)
      built.world.apply_force(id, by, at);
    else
      built.world.apply_torque(id, by);
  });
}

TACTUS_EXPORT int tactus_built_step(int world, int count) {
  return done(world, [&](Built& built) {
    for (int i = 0; i < count; ++i) {
      const StepStatistics& statistics = built.world.step();
      if (statistics.failure.any()) throw InvalidInput("step", to_text(statistics.failure));
    }
  });
}

// Finds ids and poses of all bodies, ascending by id: their number, or -1.
TACTUS_EXPORT int tactus_built_find_bodies(int world) {
  return guarded(-1, [&] {
    Built& built = *worlds().at(world);
    built.poses.clear();
    built.ids.clear();
    for (const Body& body : built.world.bodies()) {
      built.ids.push_back(static_cast<double>(body.id()));
      built.poses.push_back(body_numbers(body.pose().position(),
                                         to_quaternion(body.pose().rotation()),
                                         body.is_asleep() ? 0.0 : 1.0));
    }
    return static_cast<int>(built.ids.size());
  });
}

TACTUS_EXPORT const double* tactus_built_ids(int world) {
  return guarded<const double*>(nullptr, [&] { return worlds().at(world)->ids.data(); });
}

TACTUS_EXPORT const double* tactus_built_poses(int world) {
  return guarded<const double*>(nullptr, [&] { return numbers(worlds().at(world)->poses); });
}

TACTUS_EXPORT int tactus_built_find_contacts(int world) {
  return guarded(-1, [&] {
    Built& built = *worlds().at(world);
    built.contacts.clear();
    for (const Contact& c : built.world.contacts())
      built.contacts.push_back(
          contact_numbers(c.body_a, c.body_b, c.point, c.normal, c.depth, c.normal_impulse));
    return static_cast<int>(built.contacts.size());
  });
}

TACTUS_EXPORT const double* tactus_built_contacts(int world) {
  return guarded<const double*>(nullptr, [&] { return numbers(worlds().at(world)->contacts); });
}

// Type, mass, pose, centre of mass, velocities, and whether it sleeps.
TACTUS_EXPORT int tactus_built_body(int world, double id) {
  return found(world, [&](const Built& built, std::vector<double>& out) {
    const Body& body = built.world.body(id_of(id));
    out.push_back(static_cast<double>(body.type()));
    out.push_back(body.mass().mass);
    const Quat q = to_quaternion(body.pose().rotation());
    add(out, body.pose().position());
    out.insert(out.end(), {q.w, q.x, q.y, q.z});
    for (const Vec3& v : {body.center_of_mass(), body.linear_velocity(), body.angular_velocity()})
      add(out, v);
    out.push_back(body.is_asleep() ? 1.0 : 0.0);
  });
}

// Bodies, force, torque, position, swing.
TACTUS_EXPORT int tactus_built_joint(int world, double id) {
  return found(world, [&](const Built& built, std::vector<double>& out) {
    const Joint& joint = built.world.joint(id_of(id));
    out.push_back(static_cast<double>(joint.definition.body_a));
    out.push_back(static_cast<double>(joint.definition.body_b));
    add(out, joint.force);
    add(out, joint.torque);
    out.insert(out.end(), {joint.position, joint.swing});
  });
}

// Four lists, each after its length: pairs that touch, that began to, that ended, broken joints.
TACTUS_EXPORT int tactus_built_touches(int world) {
  return found(world, [&](const Built& built, std::vector<double>& out) {
    add(out, built.world.touching());
    add(out, built.world.touches_begun());
    add(out, built.world.touches_ended());
    const auto broken = built.world.broken_joints();
    out.push_back(static_cast<double>(broken.size()));
    for (const Joint& joint : broken) out.push_back(static_cast<double>(joint.definition.id));
  });
}

// Origin, direction, reach, mask; body, distance, point, normal, part, or nothing.
TACTUS_EXPORT int tactus_built_ray(int world, const double* numbers) {
  return found(world, [&](const Built& built, std::vector<double>& out) {
    NumberReader reader(numbers);
    const Vec3 origin = reader.vector(), direction = reader.vector();
    const double reach = reach_from(reader);
    const auto hit = built.world.ray_cast(origin, direction, reach, mask_from(reader.given()));
    if (!hit) return;
    out.insert(out.end(), {static_cast<double>(hit->body), hit->distance});
    add(out, hit->point);
    add(out, hit->normal);
    out.push_back(hit->part);
  });
}

// Pose, selection, motion; body, time, point, normal, or nothing.
TACTUS_EXPORT int tactus_built_cast(int world, int shape, const double* numbers) {
  return found(world, [&](const Built& built, std::vector<double>& out) {
    NumberReader reader(numbers);
    const Pose pose = reader.pose();
    const BodySelection selection = selection_from(reader);
    const auto hit = built.world.cast_shape(shapes().at(shape), pose, reader.vector(), selection);
    if (!hit) return;
    out.insert(out.end(), {static_cast<double>(hit->body), hit->time});
    add(out, hit->point);
    add(out, hit->normal);
  });
}

// Pose, selection; ids.
TACTUS_EXPORT int tactus_built_overlapping(int world, int shape, const double* numbers) {
  return found(world, [&](const Built& built, std::vector<double>& out) {
    NumberReader reader(numbers);
    const Pose pose = reader.pose();
    for (const BodyId id :
         built.world.overlapping(shapes().at(shape), pose, selection_from(reader)))
      out.push_back(static_cast<double>(id));
  });
}

// Pose, selection, reach; body, distance, lower, upper, normal, both points, or nothing.
TACTUS_EXPORT int tactus_built_nearest(int world, int shape, const double* numbers) {
  return found(world, [&](const Built& built, std::vector<double>& out) {
    NumberReader reader(numbers);
    const Pose pose = reader.pose();
    const BodySelection selection = selection_from(reader);
    const auto hit =
        built.world.nearest_body(shapes().at(shape), pose, reach_from(reader), selection);
    if (!hit) return;
    const DistanceResult& gap = hit->gap;
    out.insert(out.end(), {static_cast<double>(hit->body), gap.distance, gap.lower, gap.upper});
    for (const Vec3& v : {gap.normal, gap.point_a, gap.point_b}) add(out, v);
  });
}

// The number of a snapshot, or 0.
TACTUS_EXPORT int tactus_built_save(int world) {
  return guarded(0, [&] {
    Built& built = *worlds().at(world);
    Snapshot snapshot{built.world.save(), built.bodies, {}};
    for (const Joint& joint : built.world.joints()) snapshot.joints.push_back(joint.definition);
    built.snapshots.emplace(++built.last_snapshot, std::move(snapshot));
    return built.last_snapshot;
  });
}

TACTUS_EXPORT int tactus_built_restore(int world, int snapshot, int forget) {
  return done(world, [&](Built& built) {
    const auto kept = built.snapshots.find(snapshot);
    if (kept == built.snapshots.end())
      throw InvalidInput("snapshot", "was forgotten, or never taken");
    if (forget != 0)
      built.snapshots.erase(kept);
    else
      restore(built, kept->second);
  });
}

TACTUS_EXPORT const char* tactus_built_hash(int world) {
  return text_of([&] {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    const std::uint64_t hash = world_at(world).state_hash();
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[hash >> shift & 15];
    return text;
  });
}
