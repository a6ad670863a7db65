#include "tactus/query/plan/leaf_lanes.hpp"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tactus/narrow/difference/cso.hpp"
#include "tactus/narrow/formula/closed_form.hpp"
#include "tactus/query/plan/range.hpp"
#include "tactus/simd/wide.hpp"

namespace tactus::detail {
namespace {

// The numbers of a result lie in a row: they are written four at a time.
constexpr std::size_t kNumbers = 12;
static_assert(std::is_trivially_copyable_v<DistanceResult> &&
              offsetof(DistanceResult, lower) == 1 * sizeof(double) &&
              offsetof(DistanceResult, upper) == 2 * sizeof(double) &&
              offsetof(DistanceResult, normal) == 3 * sizeof(double) &&
              offsetof(DistanceResult, point_a) == 6 * sizeof(double) &&
              offsetof(DistanceResult, point_b) == 9 * sizeof(double) &&
              offsetof(DistanceResult, status) == kNumbers * sizeof(double));
static_assert(sizeof(Pose) == 12 * sizeof(double) && std::is_standard_layout_v<Pose>);
static_assert(offsetof(Core, half) == offsetof(Core, shrink) + sizeof(double));

// The fields of an answer by formula that follow its numbers: equal for all pairs.
constexpr DistanceResult kRest{0.0,  0.0,   0.0, {}, {}, {}, Status::converged, Method::closed_form,
                               true, false, 1};

#define TACTUS_LANE_CODE "tactus/query/plan/leaf_lanes.inc"
#include "tactus/simd/both_widths.inc"

constexpr LaneLeaves kTwo{
    2, {narrow::spheres, narrow::sphere_box, narrow::box_sphere, narrow::capsules}};
constexpr LaneLeaves kFour{4, {wide::spheres, wide::sphere_box, wide::box_sphere, wide::capsules}};

}  // namespace

const LaneLeaves& two_lanes() { return kTwo; }

const LaneLeaves& lane_leaves() { return kHasWide ? kFour : kTwo; }

}  // namespace tactus::detail
