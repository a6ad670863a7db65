// Contacts of a world that a program judges: pairs of surfaces, and rules.
#include <algorithm>
#include <optional>

#include "bindings/c/call.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/values.hpp"

using namespace tactus;

namespace {

SurfacePair to_surface(const tactus_surface_pair& surface) {
  return {surface.friction, surface.restitution, surface.rolling_friction,
          surface.torsional_friction, surface.adhesion};
}

tactus_surface_pair from_surface(const SurfacePair& surface) {
  return {.friction = surface.friction,
          .restitution = surface.restitution,
          .rolling_friction = surface.rolling_friction,
          .torsional_friction = surface.torsional_friction,
          .adhesion = surface.adhesion};
}

tactus_found_contact from_found(const FoundContact& found) {
  const auto points = found.manifold.span();
  const ContactPoint deepest = *std::max_element(
      points.begin(), points.end(),
      [](const ContactPoint& a, const ContactPoint& b) { return a.depth < b.depth; });
  return {.body_a = found.body_a.id(),
          .body_b = found.body_b.id(),
          .pose_a = c::from_pose(found.pose_a),
          .pose_b = c::from_pose(found.pose_b),
          .velocity_a = c::from_vec(found.body_a.linear_velocity()),
          .velocity_b = c::from_vec(found.body_b.linear_velocity()),
          .normal = c::from_vec(found.manifold.normal),
          .point = c::from_vec((deepest.point_a + deepest.point_b) * 0.5),
          .depth = deepest.depth,
          .part_a = found.manifold.part_a,
          .part_b = found.manifold.part_b};
}

}  // namespace

extern "C" {

tactus_error tactus_world_set_surface_pair(tactus_world* world, uint32_t kind_a, uint32_t kind_b,
                                           const tactus_surface_pair* surface) {
  return c::call([&] {
    c::world_of(world).set_surface_pair(
        kind_a, kind_b,
        surface == nullptr ? std::nullopt : std::optional<SurfacePair>(to_surface(*surface)));
  });
}

tactus_error tactus_world_set_contact_rule(tactus_world* world, tactus_contact_rule rule,
                                           void* data) {
  return c::call([&] {
    World& of = c::world_of(world);
    if (rule == nullptr) {
      of.set_contact_rule({});
      return;
    }
    of.set_contact_rule([rule, data](const FoundContact& found, ContactTerms& terms) {
      const tactus_found_contact contact = from_found(found);
      tactus_surface_pair surface = from_surface(terms.surface);
      terms.ignored = rule(data, &contact, &surface) == 0;
      terms.surface = to_surface(surface);
    });
  });
}

}  // extern "C"
