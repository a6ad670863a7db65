// The bound of two oriented boxes, for two pairs at a time where the processor has registers of
// eight lanes.

#include <cmath>
#include <cstddef>
#include <cstring>

#include "tactus/bvh/volumes.hpp"
#include "tactus/simd/wide.hpp"

namespace tactus::detail::bvh {
namespace {

// A box is read as sixteen floats.
static_assert(sizeof(OrientedBox) == 16 * sizeof(float));
constexpr int kCenter = offsetof(OrientedBox, center) / sizeof(float);
// Steps towards the nearest points of two boxes: one more saves 1 % of the bounds, no more.
constexpr int kTurns = 1;
// A box is large beside another one if the sum of its sides is so many times as long.
constexpr float kLarger = 4.0f;
// Squared length below which a direction has lost digits to underflow.
constexpr float kShortest = std::numeric_limits<float>::min();

namespace narrow {
#define TACTUS_GROUPS 1
#include "tactus/simd/floats.inc"
//
#include "tactus/bvh/box_bound.inc"
#undef TACTUS_GROUPS
}  // namespace narrow

#if defined(TACTUS_WIDE)
TACTUS_BEGIN_WIDE
namespace wide {
#define TACTUS_GROUPS 2
#include "tactus/simd/floats.inc"
//
#include "tactus/bvh/box_bound.inc"
#undef TACTUS_GROUPS

void apart_of_two(const float* const a[2], const float* const b[2], const Placement& p,
                  float width[2], float square[2]) {
  const Apart found = apart(a, b, p);
  width[0] = found.width[0];
  width[1] = found.width[4];
  square[0] = found.square[0];
  square[1] = found.square[4];
}
}  // namespace wide
TACTUS_END_WIDE

#endif

double bound_of(float width, float square, const Placement& p) {
  if (!(square >= kShortest)) return 0.0;
  const float d = width / std::sqrt(square) - p.slack;
  return d > 0.0f ? static_cast<double>(d) : 0.0;
}

}  // namespace

double lower_bound(const OrientedBox& a, const OrientedBox& b, const Placement& p) {
  const float *const of_a = a.axis[0], *const of_b = b.axis[0];
  const narrow::Apart found = narrow::apart(&of_a, &of_b, p);
  return bound_of(found.width[0], found.square[0], p);
}

void lower_bounds(const OrientedBox* const a[2], const OrientedBox* const b[2], const Placement& p,
                  double bound[2]) {
#if defined(TACTUS_WIDE)
  if (kHasWide) {
    const float* const of_a[2] = {a[0]->axis[0], a[1]->axis[0]};
    const float* const of_b[2] = {b[0]->axis[0], b[1]->axis[0]};
    float width[2], square[2];
    wide::apart_of_two(of_a, of_b, p, width, square);
    for (int i = 0; i < 2; ++i) bound[i] = bound_of(width[i], square[i], p);
    return;
  }
#endif
  for (int i = 0; i < 2; ++i) bound[i] = lower_bound(*a[i], *b[i], p);
}

double lower_bound(const OrientedBox& a, const OrientedBox& b, const Placement& p,
                   SeparatingAxis& axis) {
  axis = {};
  const float *const of_a = a.axis[0], *const of_b = b.axis[0];
  const narrow::Apart found = narrow::apart(&of_a, &of_b, p);
  if (!(found.square[0] >= kShortest)) return 0.0;
  const float length = std::sqrt(found.square[0]);
  float high = 0.0f;
  for (int i = 0; i < 3; ++i) {
    const float n = found.direction[i] / length;
    high += std::fabs(n) * a.axis[i][3];
    for (int k = 0; k < 3; ++k) axis.n[k] += n * a.axis[i][k];
  }
  for (int k = 0; k < 3; ++k) high += axis.n[k] * a.center[k];
  axis.high = high;
  return bound_of(found.width[0], found.square[0], p);
}

double lower_bound_along(const SeparatingAxis& axis, const OrientedBox& b, const Placement& p) {
  using narrow::combine;
  using narrow::Lanes;
  using narrow::load;
  const float* const of_b = b.axis[0];
  const Lanes n{axis.n[0], axis.n[1], axis.n[2], 0.0f};
  const Lanes local = combine(p.row[0], p.row[1], p.row[2], n);
  Lanes x = load(&of_b, 0), y = load(&of_b, 4), z = load(&of_b, 8), half{};
  narrow::transpose(x, y, z, half);
  const Lanes reach = half * narrow::absolute(combine(x, y, z, local));
  const Lanes terms = (local * narrow::load_center(&of_b) + n * p.shift) - reach;
  const float d = (narrow::sum_of_three(terms)[0] - axis.high) - p.slack;
  return d > 0.0f ? static_cast<double>(d) : 0.0;
}

double farthest(const OrientedBox& box, const Vec3& n) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis{static_cast<double>(box.axis[i][0]), static_cast<double>(box.axis[i][1]),
                    static_cast<double>(box.axis[i][2])};
    sum += n[i] * static_cast<double>(box.center[i]) +
           std::fabs(dot(n, axis)) * static_cast<double>(box.axis[i][3]);
  }
  return sum;
}

}  // namespace tactus::detail::bvh
