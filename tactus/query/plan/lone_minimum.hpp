#pragma once

#include <cmath>

#include "tactus/narrow/pair/free_directions.hpp"
#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// The lengths with which a minimum is compared with what lies beside it.
struct MinimumScale {
  double noise = 0.0;   ///< bound of the rounding of a length
  double circle = 0.0;  ///< witnesses this near each other count as one
  double step = 0.0;    ///< of a body that is moved to see whether the minimum stays
  double size = 0.0;    ///< of the larger body, of which the step is a part

  /// From the sizes of both bodies, infinite or zero for one that has none.
  MinimumScale(double extent_a, double extent_b, double rounding);
};

/// Part of a step that may be left open between what it should do and what it does.
inline constexpr double kOpenPart = 1e-2;
/// Lengths of the ways against the normal after which a depth is looked at, in steps. The longer
/// one is, the smaller the angle at which another normal is told from the first one.
inline constexpr double kInwardWays[] = {1.0, 30.0, 1000.0};

/// A bracket of so many bounds of the rounding is as narrow as it need be for derivatives.
inline constexpr double kNarrowBracket = 4.0;
/// Options that ask for the narrowest bracket there is, and for nothing beside the answer.
QueryOptions narrowed(const QueryOptions& options);
/// The answer whose derivatives count: the one given, or that of the narrowed question where its
/// bracket is wider than `width`. Normals are as uncertain as the root of that. `pair.ask`:
/// `whole`.
template <class Answer>
DistanceResult narrowest(const PairContext& pair, const DistanceResult& r, double width,
                         const Answer& answer) {
  if (!std::isfinite(r.distance) || r.upper - r.lower <= width) return r;
  const QueryOptions options = narrowed(pair.options);
  DistanceResult narrow;
  answer(PairContext{pair.a, pair.b, options, pair.ask}, narrow);
  return narrow;
}

/// Bound of the rounding of the pair's lengths where its points were given in the world.
double rounding_in_world(const Placed& a, const Placed& b, double rounding);

/// Are the witnesses of an answer the only points of two convex bodies that are so near each other
/// (so deep) along its normal? `r`: in the world.
bool has_one_place(const Placed& a, const Placed& b, const DistanceResult& r,
                   const MinimumScale& scale);

/// How the minimum of one pair of pieces stands to the least one.
enum class Rivalry : std::uint8_t {
  same,     ///< one normal and one pair of witnesses
  farther,  ///< another one, and a short step does not make it the least
  rival     ///< another one, as near as a short step could make it
};
/// `excess`: by how much it is farther. The distances of two minima change by at most their
/// difference (in normals, times the size, and in witnesses) times the step, relative to the size.
Rivalry compare_minima(const DistanceResult& best, const DistanceResult& other, double excess,
                       const MinimumScale& scale);

/// `deeper` is the answer after B has moved by `way` against the normal of `r`. If its distance has
/// fallen by all of that, no other point of the boundary of A - B is as near to the origin as the
/// first one: the ball about the moved origin touches the boundary nowhere else, and holds the ball
/// about the origin. If not, it shows another minimum: false when that is a rival.
bool stays_deepest(const DistanceResult& r, const DistanceResult& deeper, double way,
                   const MinimumScale& scale);

}  // namespace tactus::detail
