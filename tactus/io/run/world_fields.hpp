#pragma once

#include "tactus/core/archive.hpp"
#include "tactus/math/fields.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tactus/world.hpp"

namespace tactus {

// Fields of the saved state, for the archive; found by its namespace.
template <class Archive>
void transfer(Archive& archive, BodyMotion& body) {
  archive(body.id);
  archive(body.position);
  archive(body.orientation.w);
  archive(body.orientation.x);
  archive(body.orientation.y);
  archive(body.orientation.z);
  archive(body.linear_velocity);
  archive(body.angular_velocity);
  archive(body.linear_ahead);
  archive(body.angular_ahead);
  archive(body.rest_time);
  archive(body.asleep);
}
template <class Archive>
void transfer(Archive& archive, PairMemory& pair) {
  archive(pair.body_a);
  archive(pair.body_b);
  for (std::int32_t& periods : pair.image) archive(periods);
  transfer(archive, pair.cache, true);
  archive(pair.first);
  archive(pair.count);
}
template <class Archive>
void transfer(Archive& archive, ManifoldMemory& manifold) {
  archive(manifold.part_a);
  archive(manifold.part_b);
  archive(manifold.first);
  archive(manifold.count);
  archive(manifold.rolling_impulse);
}
template <class Archive>
void transfer(Archive& archive, ContactPointMemory& point) {
  archive(point.feature);
  archive(point.position);
  archive(point.normal_impulse);
  archive(point.friction_impulse);
}
template <class Archive>
void transfer(Archive& archive, JointMemory& joint) {
  archive(joint.id);
  for (double& impulse : joint.impulses) archive(impulse);
  for (std::int32_t& periods : joint.image) archive(periods);
}
template <class Archive>
void transfer(Archive& archive, WorldState& state) {
  archive(state.step);
  archive(state.next_id);
  archive(state.stiffening);
  archive(state.bodies);
  archive(state.pairs);
  archive(state.manifolds);
  archive(state.points);
  archive(state.next_joint);
  archive(state.joints);
}

}  // namespace tactus
