#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "tactus/math.hpp"

namespace tactus::io {

/// Points of which steps are told, at most: each step lists all faces.
inline constexpr std::size_t kMostHullSteps = 400;

/// The convex hull of points and the steps that lead to it: `dimension`, `vertices` and `faces` (by
/// the points' numbers) as `convex_hull` answers, and `steps`.
///
/// In space: `start` (the simplex), then in turn `point` (the farthest point of a list, the faces
/// that it sees, their rim) and `cone` (the faces that took their place). `faces` are triangles,
/// counter-clockwise seen from outside; `waiting` lists for each of them the points that wait
/// there. In a plane: `order` of the points, then for each `chain`. Throws InvalidInput (`points`)
/// as `convex_hull` does and for more than `kMostHullSteps`. Cost: the text.
nlohmann::ordered_json hull_steps(std::span<const Vec3> points);

}  // namespace tactus::io
