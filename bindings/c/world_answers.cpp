// Answers of a world: bodies, contacts, touches, figures, rays.
#include <optional>
#include <span>
#include <vector>

#include "bindings/c/call.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/values.hpp"

using namespace tactus;

namespace {

tactus_body_state from_body(const Body& body) {
  return {.id = body.id(),
          .pose = {.position = c::from_vec(body.pose().position()),
                   .quaternion = c::from_quat(body.motion().orientation)},
          .center_of_mass = c::from_vec(body.center_of_mass()),
          .linear_velocity = c::from_vec(body.linear_velocity()),
          .angular_velocity = c::from_vec(body.angular_velocity()),
          .asleep = body.is_asleep() ? 1 : 0,
          .reserved = 0};
}

tactus_contact from_contact(const Contact& contact) {
  return {.body_a = contact.body_a,
          .body_b = contact.body_b,
          .point = c::from_vec(contact.point),
          .normal = c::from_vec(contact.normal),
          .depth = contact.depth,
          .normal_impulse = contact.normal_impulse,
          .friction_impulse = c::from_vec(contact.friction_impulse)};
}

std::span<const TouchingPair> touches(const World& world, tactus_touches which) {
  switch (which) {
    case TACTUS_TOUCHES_ALL:
      return world.touching();
    case TACTUS_TOUCHES_BEGUN:
      return world.touches_begun();
    case TACTUS_TOUCHES_ENDED:
      return world.touches_ended();
    default:
      throw InvalidInput("which", "no such list of touches");
  }
}

}  // namespace

extern "C" {

size_t tactus_world_get_body_count(const tactus_world* world) {
  return world == nullptr ? 0 : world->world.bodies().size();
}

tactus_error tactus_world_get_body(const tactus_world* world, tactus_body_id id,
                                   tactus_body_state* state) {
  return c::call([&] { c::require(state, "state") = from_body(c::world_of(world).body(id)); });
}

tactus_error tactus_world_get_bodies(const tactus_world* world, tactus_body_state* states,
                                     size_t capacity, size_t* count) {
  return c::call([&] {
    c::require_array(states, capacity, "states");
    c::write_list(c::world_of(world).bodies(), states, capacity, count, from_body);
  });
}

tactus_error tactus_world_get_contacts(const tactus_world* world, tactus_contact* contacts,
                                       size_t capacity, size_t* count) {
  return c::call([&] {
    c::require_array(contacts, capacity, "contacts");
    c::write_list(c::world_of(world).contacts(), contacts, capacity, count, from_contact);
  });
}

double tactus_world_get_contact_time(const tactus_world* world) {
  return world == nullptr ? 0.0 : world->world.contact_time();
}

tactus_error tactus_world_get_touches(const tactus_world* world, tactus_touches which,
                                      tactus_body_pair* pairs, size_t capacity, size_t* count) {
  return c::call([&] {
    c::require_array(pairs, capacity, "pairs");
    c::write_list(touches(c::world_of(world), which), pairs, capacity, count,
                  [](const TouchingPair& pair) {
                    return tactus_body_pair{.body_a = pair.body_a, .body_b = pair.body_b};
                  });
  });
}

tactus_error tactus_world_get_statistics(const tactus_world* world,
                                         tactus_step_statistics* statistics) {
  return c::call([&] {
    const StepStatistics& last = c::world_of(world).statistics();
    c::require(statistics, "statistics") = {.step = last.step,
                                            .time = last.time,
                                            .deepest_penetration = last.deepest_penetration,
                                            .kinetic_energy = last.kinetic_energy,
                                            .potential_energy = last.potential_energy,
                                            .max_speed = last.max_speed,
                                            .bodies = last.bodies,
                                            .dynamic_bodies = last.moving,
                                            .asleep = last.asleep,
                                            .contacts = last.contacts,
                                            .contact_points = last.contact_points,
                                            .substeps = last.substeps};
  });
}

tactus_error tactus_world_cast_ray(const tactus_world* world, tactus_vec3 origin,
                                   tactus_vec3 direction, double max_distance, uint64_t mask,
                                   tactus_ray_hit* hit) {
  return c::call([&] {
    const std::optional<RayHit> met =
        c::world_of(world).ray_cast(c::to_vec(origin), c::to_vec(direction), max_distance, mask);
    const RayHit found = met.value_or(RayHit{});
    c::require(hit, "hit") = {.body = found.body,
                              .distance = found.distance,
                              .point = c::from_vec(found.point),
                              .normal = c::from_vec(found.normal),
                              .part = found.part,
                              .reserved = 0};
  });
}

tactus_error tactus_world_cast_shape(const tactus_world* world, const tactus_shape* shape,
                                     const tactus_pose* pose, tactus_vec3 motion, uint64_t mask,
                                     tactus_body_id ignored, tactus_ray_hit* hit) {
  return c::call([&] {
    const std::optional<ShapeHit> met = c::world_of(world).cast_shape(
        c::require(shape, "shape").shape, c::to_pose(c::require(pose, "pose"), "pose"),
        c::to_vec(motion), {mask, ignored});
    const ShapeHit found = met.value_or(ShapeHit{});
    c::require(hit, "hit") = {.body = found.body,
                              .distance = found.time,
                              .point = c::from_vec(found.point),
                              .normal = c::from_vec(found.normal),
                              .part = found.part_body,
                              .reserved = 0};
  });
}

tactus_error tactus_world_get_overlapping(const tactus_world* world, const tactus_shape* shape,
                                          const tactus_pose* pose, uint64_t mask,
                                          tactus_body_id ignored, tactus_body_id* ids,
                                          size_t capacity, size_t* count) {
  return c::call([&] {
    c::require_array(ids, capacity, "ids");
    const std::vector<BodyId> found = c::world_of(world).overlapping(
        c::require(shape, "shape").shape, c::to_pose(c::require(pose, "pose"), "pose"),
        {mask, ignored});
    c::write_list(std::span<const BodyId>(found), ids, capacity, count,
                  [](BodyId id) { return tactus_body_id{id}; });
  });
}

tactus_error tactus_world_get_nearest(const tactus_world* world, const tactus_shape* shape,
                                      const tactus_pose* pose, double max_distance, uint64_t mask,
                                      tactus_body_id ignored, tactus_body_id* id,
                                      tactus_result* gap) {
  return c::call([&] {
    const std::optional<NearestBody> found = c::world_of(world).nearest_body(
        c::require(shape, "shape").shape, c::to_pose(c::require(pose, "pose"), "pose"),
        max_distance, {mask, ignored});
    c::require(id, "id") = found ? found->body : kNoBody;
    if (gap != nullptr) *gap = c::from_result(found ? found->gap : DistanceResult{});
  });
}

}  // extern "C"
