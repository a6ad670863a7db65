#pragma once

#include "tactus/motion/impact_arrival.hpp"

namespace tactus::detail {

/// One of the two bodies. A starts at the origin.
struct MovingBody {
  const Shape& shape;
  Pose pose;
  RigidMotion motion;
};

/// First contact of bodies made of parts: compounds, meshes. All pairs of parts are moved forward
/// by conservative advancement, always the one that is known for the shortest time; so the first
/// pair that arrives is the first contact, and what would touch later is not looked at any more. A
/// mesh starts as the box of its whole surface; a box that comes near is replaced by the two inside
/// it, at last by a triangle. The bodies must be apart at time 0. Points are relative to A's origin
/// at time 0. Allocates the queue. Source: tang2009advancement (motion bounds in a hierarchy); the
/// queue ordered by time is ours.
CastResult search_impact(const MovingBody& a, const MovingBody& b, const ImpactQuestion& question);

}  // namespace tactus::detail
