#include <new>

#include "tactus/query.hpp"
#include "tactus/query/certify.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/query/plan/pair_table.hpp"

namespace tactus {
using namespace detail;
namespace {

// Set apart, so that the leaf keeps nothing for it.
[[gnu::noinline]] void by_stages(const Shape& a, const Pose& pose_a, const Shape& b,
                                 const Pose& pose_b, const QueryOptions& options, QueryCache* cache,
                                 OverlapResult& r) {
  if (options.certificate != nullptr) options.certificate->clear();
  answer_pair({{a, pose_a}, {b, pose_b}, options, Ask::sign, cache}, r.proof);
  if (options.certificate != nullptr) certify(a, pose_a, b, pose_b, r.proof, options);
}

}  // namespace

OverlapResult overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      const QueryOptions& options, QueryCache* cache) noexcept {
  OverlapResult r;
  if (const Leaf leaf = leaf_of(a, b, options)) {
    // Made in its place: the proof is most of the result.
    ::new (static_cast<void*>(&r.proof)) DistanceResult(leaf(a, pose_a, b, pose_b, options));
  } else {
    by_stages(a, pose_a, b, pose_b, options, cache, r);
  }
  r.overlap = sign_of(r.proof);
  return r;
}

}  // namespace tactus
