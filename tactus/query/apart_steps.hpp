#pragma once

#include <optional>

#include "tactus/query.hpp"
#include "tactus/shape/parts.hpp"

namespace tactus::detail {

/// Finds the steps of Certificate::Apart for one pair of parts: the pieces are to be at least
/// `least` apart at all times up to `time`, B moved by `shift`. Meshes are cut as their hierarchies
/// are, and `order` becomes that of their leaves; time is halved. Directions are those in which
/// volumes, triangles or bodies are apart, asked from `distance`. Empty when too many steps would
/// be needed.
std::optional<Certificate::Apart> find_apart_steps(const Pair& pair, Part& a, Part& b, double least,
                                                   const Vec3& shift, double time,
                                                   bool clear = false);

/// The pose of a body at a time of its motion; at time 0 that it starts from, bit for bit.
Pose exact_pose_at(const Pose& pose, const RigidMotion& motion, double time);

}  // namespace tactus::detail
