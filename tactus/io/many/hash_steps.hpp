#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tactus/ccd.hpp"

namespace tactus::io {

/// Triangles of both surfaces of which steps are told, at most.
inline constexpr std::size_t kMostHashSteps = 200;

/// The contacts of two moving surfaces by the moving hash, and the steps that lead to them:
/// `impacts` as `surface_impacts` answers (those of edges, which a tree finds, among them), the
/// counts of the stages in `hash`, and `steps`, twice over, vertices of `a` against faces of `b`
/// and the reverse: `table` (`faces`: whose, each with the cells from `low` to `high` that its
/// swept box covers), then for each vertex `way` (its cells), `found` (a face in the place of a
/// cell and its `end`: `collision`, `repeated`, `apart`, `missed`, `kept`) and `answer`. Throws
/// InvalidInput as `surface_impacts` does, and (`a.triangles`) for more than `kMostHashSteps`.
nlohmann::ordered_json hash_steps(const ccd::MovingSurface& a, const ccd::MovingSurface& b);

}  // namespace tactus::io
