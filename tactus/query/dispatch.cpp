#include "tactus/query/dispatch.hpp"

#include <cmath>
#include <limits>

#include "tactus/query/compound.hpp"
#include "tactus/query/in_order.hpp"
#include "tactus/query/plan/convex.hpp"
#include "tactus/query/plan/lone_minimum.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/compound_data.hpp"

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

// Has the shape a surface without an inside?
bool is_open(const Shape& shape) {
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) return !mesh->closed();
  const auto* compound = std::get_if<Compound>(&shape.geometry());
  return compound != nullptr && ShapeAccess::data(*compound).open;
}

// May the answer be none of the whole distance?
bool stops_early(const PairContext& pair) {
  return pair.ask == Ask::sign || pair.sink != nullptr ||
         pair.options.max_distance < std::numeric_limits<double>::infinity();
}

// The answer, and the derivatives from that to the whole question.
[[gnu::noinline]] void answer_twice(const PairContext& pair, DistanceResult& r) {
  QueryOptions options = pair.options;
  options.derivatives = nullptr;
  answer_pair({pair.a, pair.b, options, pair.ask, pair.cache, pair.sink}, r);
  options = narrowed(options);
  options.derivatives = pair.options.derivatives;
  const bool open = is_open(pair.a.shape) || is_open(pair.b.shape);
  const Ask sign = open ? Ask::unsigned_distance : Ask::distance;
  DistanceResult whole;
  answer_pair({pair.a, pair.b, options, pair.ask == Ask::sign ? sign : pair.ask}, whole);
  r.unique = whole.unique;
}

}  // namespace

void answer_pair(const PairContext& pair, DistanceResult& r) {
  if (pair.options.derivatives != nullptr) {
    *pair.options.derivatives = {};
    if (stops_early(pair)) {
      answer_twice(pair, r);
      return;
    }
  }
  if (!are_finite(pair.a.pose, pair.b.pose)) {
    r.status = Status::invalid_input;
    return;
  }
  switch (pair.row.kind) {
    case PairKind::convex:
      answer_convex(pair, r);
      return;
    case PairKind::compound:
      r = answer_compound(pair);
      return;
    case PairKind::halfspace:
    case PairKind::mesh:
      answer_in_order(pair, r);
      return;
    case PairKind::unsupported:
      return;
  }
}

}  // namespace tactus::detail
