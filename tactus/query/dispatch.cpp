#include "tactus/query/dispatch.hpp"

#include <cmath>

#include "tactus/query/compound.hpp"
#include "tactus/query/simple_pair.hpp"

namespace tactus::detail {
namespace {

// Set apart, so that the sum below keeps nothing for it.
[[gnu::noinline]] bool each_is_finite(const Pose& a, const Pose& b) {
  return is_finite(a) && is_finite(b);
}

bool are_finite(const Pose& a, const Pose& b) {
  const Vec3 sum = sum_of_entries(a) + sum_of_entries(b);
  return std::isfinite((sum.x + sum.y) + sum.z) || each_is_finite(a, b);
}

}  // namespace

void answer_pair(const PairContext& pair, DistanceResult& r) {
  if (pair.options.derivatives != nullptr) *pair.options.derivatives = {};
  if (!are_finite(pair.a.pose, pair.b.pose)) {
    r.status = Status::invalid_input;
    return;
  }
  if (pair.a.shape.type() == ShapeType::compound || pair.b.shape.type() == ShapeType::compound) {
    r = answer_compound(pair);
  } else {
    answer_simple_pair(pair, r);
  }
}

}  // namespace tactus::detail
