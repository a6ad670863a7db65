#pragma once

#include "tactus/narrow/difference/simplex.hpp"
#include "tactus/observer.hpp"

namespace tactus::detail {

enum class GjkOutcome : std::uint8_t {
  separated,  ///< a direction with f(n) < 0 beyond rounding was found
  touching,   ///< the distance is zero within rounding, or no progress was possible before the sign
              ///< was proved
  overlapping,  ///< a tetrahedron of support points holds the origin
  stale  ///< the given simplex was farther than `first_gap` away and left more than that open
};

/// How a simplex is reduced to its point nearest to the origin.
enum class SubAlgorithm : std::uint8_t {
  voronoi,        ///< `reduce`
  signed_volumes  ///< `reduce_by_signed_volumes`
};

/// Where the next support point is sought.
enum class Acceleration : std::uint8_t {
  none,     ///< from the simplex towards the origin
  nesterov  ///< with Nesterov's momentum, until that gains nothing
};

struct GjkVariant {
  SubAlgorithm sub_algorithm = SubAlgorithm::voronoi;
  Acceleration acceleration = Acceleration::none;
};

struct GjkOptions {
  double gap = 0.0;  ///< stop when upper - lower is below this (absolute; never below rounding)
  bool stop_at_sign = false;  ///< the boolean form: stop once the distance is proved to be larger
                              ///< or smaller than `sign_at`
  double sign_at = 0.0;
  double max_distance = std::numeric_limits<double>::infinity();  ///< stop when proved farther
  /// Stop at the first support point when upper and upper - lower are above this.
  double first_gap = std::numeric_limits<double>::infinity();
  int max_iterations = 128;
  GjkVariant variant;
  Observer* observer = nullptr;
};

struct GjkResult {
  GjkOutcome outcome = GjkOutcome::touching;
  Vec3 direction;                                           ///< unit n of the best lower bound
  double lower = -std::numeric_limits<double>::infinity();  ///< best -f(n)
  double upper = std::numeric_limits<double>::infinity();   ///< |closest point of the simplex|
  int iterations = 0;                                       ///< support evaluations
  bool capped = false;                                      ///< the cap ended the search
};

/// Distance of two cores by Gilbert, Johnson and Keerthi's iteration: one loop for all variants,
/// whose bounds hold for any direction and any simplex. `simplex` is the start (empty: `start` is
/// the first direction) and holds the result. The best bounds seen are kept, since neither is
/// monotone. Touching is relative to the data: |v| below the rounding of the support points.
/// `Cso::seen_from` makes it the distance of A - B from any point in place of the origin.
/// Source: gilbert1988gjk; vandenbergen2003collision, section 4.3; montaut2022accelerated
/// (momentum); leemann2017 with the corrections named in docs/algorithms/gjk.md.
GjkResult gjk(const Cso& cso, Simplex& simplex, const Vec3& start, const GjkOptions& options);

}  // namespace tactus::detail
