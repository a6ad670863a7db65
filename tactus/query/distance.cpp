#include "tactus/query.hpp"
#include "tactus/query/certify.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/query/plan/leaf.hpp"

namespace tactus {
using namespace detail;
namespace {

[[gnu::noinline]] DistanceResult certified(const PairContext& pair) {
  pair.options.certificate->clear();
  const DistanceResult r = answer_pair(pair);
  certify(pair.a.shape, pair.a.pose, pair.b.shape, pair.b.pose, r, pair.options);
  return r;
}

}  // namespace

DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const QueryOptions& options, QueryCache* cache) noexcept {
  if (const Leaf leaf = leaf_of(a, b, options)) return leaf(a, pose_a, b, pose_b, options);
  const Ask ask = options.signed_distance ? Ask::signed_distance : Ask::unsigned_distance;
  const PairContext pair{{a, pose_a}, {b, pose_b}, options, ask, cache};
  if (options.certificate != nullptr) return certified(pair);
  return answer_pair(pair);
}

}  // namespace tactus
