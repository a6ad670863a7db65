#pragma once

#include <string>
#include <string_view>

namespace tactus::io {

/// Answers a line of `tactus steps`: what an algorithm over many things did, step by step as it
/// ran, and its answer, as a line of JSON that begins with the line's `id` and `ask`.
///
/// `"ask":"hull"` with `points` ([x, y, z], or [x, y] in the plane): see `hull_steps`.
/// `"ask":"distance"` with the meshes `a` and `b`, as query lines have them, and `pose_a`,
/// `pose_b`: see `search_steps`. `"ask":"sweep"` with `boxes` (two corners each) and perhaps those
/// `before`: see `sweep_steps`.
/// `"ask":"hash"` with the surfaces `a` and `b`, each of `vertices_t0`, `vertices_t1` and
/// `triangles`: see `hash_steps`. Throws InvalidInput naming the field. Cost: the text.
std::string many_steps(std::string_view line);

}  // namespace tactus::io
