#include "tactus/query.hpp"
#include "tactus/query/certify.hpp"
#include "tactus/query/plan/dispatch.hpp"

namespace tactus {
using namespace detail;
namespace {

[[gnu::noinline]] DistanceResult certified(const Shape& a, const Pose& pose_a, const Shape& b,
                                           const Pose& pose_b, const QueryOptions& options,
                                           QueryCache* cache, detail::Ask ask) {
  options.certificate->clear();
  const DistanceResult r =
      detail::answer_pair(a, pose_a, b, pose_b, options, state_of(cache), ask, nullptr);
  detail::certify(a, pose_a, b, pose_b, r, options);
  return r;
}

}  // namespace

DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const QueryOptions& options, QueryCache* cache) {
  const auto ask =
      options.signed_distance ? detail::Ask::signed_distance : detail::Ask::unsigned_distance;
  if (options.certificate != nullptr) return certified(a, pose_a, b, pose_b, options, cache, ask);
  return detail::answer_pair(a, pose_a, b, pose_b, options, state_of(cache), ask, nullptr);
}

}  // namespace tactus
