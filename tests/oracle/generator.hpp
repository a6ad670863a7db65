#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/oracle/body.hpp"

namespace tactus::detail::oracle {

/// A pair to be asked about, and the names under which its errors are counted.
struct Case {
  Pair pair;
  std::string group;     ///< kinds of shape, e.g. `cone-box`
  std::string category;  ///< how they lie, e.g. `touch_pen`
};

/// Seeded source of narrow-phase queries: every combination of a group and a category comes in
/// turn. Query `index` depends on nothing but the seed and the index, so that any of them can be
/// made again alone.
///
/// Groups: sphere-sphere, sphere-box, capsule-capsule, capsule-box, box-box, cylinder-cylinder,
/// cone-box, ellipsoid-ellipsoid, hulls of 16, 64, 256 and 1024 points, `mixed` (any two convex
/// kinds, some rounded), `halfspace` (any convex kind against it), `compound` (of two or three
/// convex parts against any convex kind). Categories: sep, pen (to a third of the size), touch_sep,
/// touch_pen (gaps and depths 1e-8..1e-5), deep (centres near each other), parallel (aligned axes),
/// sliver (aspects to 1e-3), scale (sizes 1e-3..1e3, also against each other), far (1e4 from the
/// origin).
class Generator {
 public:
  explicit Generator(std::uint64_t seed);

  Case make(std::uint64_t index) const;
  /// Number of queries that covers every group and category once.
  static int combinations();

 private:
  Body make_body(ShapeType type, Random& random) const;
  Body make_hull(int size_class, Random& random) const;
  Body make_convex(Random& random) const;
  Body make_compound(Random& random) const;

  std::uint64_t seed_;
  std::vector<std::vector<std::vector<Vec3>>> hulls_;  // by size class, then number
};

}  // namespace tactus::detail::oracle
