#pragma once

#include "tactus/narrow/difference/simplex.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {

/// Support point of the whole bodies: cores grown by their radii and, in `w` alone, by `margin`
/// each. `a` and `b` are points of the bodies without margin, in A's frame; `n` is unit.
SupportPoint grown_support(const Cso& cso, const Vec3& n, double margin);

struct GjkClassicOptions {
  double eps = 1e-7;          ///< relative: stop when |v|^2 - v.w <= eps |v|^2
  double margin = 0.0;        ///< each body is grown by a ball of this radius
  bool stop_at_sign = false;  ///< stop as soon as v.w > 0 proves the grown bodies apart
  int max_iterations = 128;
  Observer* observer = nullptr;
};

enum class GjkClassicOutcome : std::uint8_t {
  separated,    ///< a direction with f(n) < 0 was found
  overlapping,  ///< a tetrahedron of support points holds the origin
  stalled       ///< v stopped shrinking, or is zero within rounding, before the sign was decided
};

struct GjkClassicResult {
  GjkClassicOutcome outcome = GjkClassicOutcome::stalled;
  Vec3 direction;  ///< unit n of the least f(n) met, from A to B
  double value = std::numeric_limits<double>::infinity();     ///< that f(n), margin included
  double distance = std::numeric_limits<double>::infinity();  ///< |v|, of the grown bodies
  int iterations = 0;                                         ///< support evaluations
  bool capped = false;
};

/// Gilbert, Johnson and Keerthi's iteration as the textbooks state it: on the support function of
/// the whole bodies, along the nearest point v of the simplex, with the purely relative stop rule.
///
/// For teaching and comparison; `gjk` is the method in use. Differences: no core plus radius, no
/// plane normals for v, and a stop rule that never holds as |v| goes to zero (it stops where |v| is
/// rounding alone, and leaves the decision open). `simplex` receives the
/// last simplex. Cost: some 5..30 support evaluations, up to the cap for smooth bodies that nearly
/// touch. Source: gilbert1988gjk; leemann2017, section 2.2.
GjkClassicResult gjk_classic(const Cso& cso, Simplex& simplex, const GjkClassicOptions& options);

}  // namespace tactus::detail
