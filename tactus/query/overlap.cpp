#include "tactus/query.hpp"
#include "tactus/query/certify.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/query/plan/pair_table.hpp"

namespace tactus {
using namespace detail;

OverlapResult overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      const QueryOptions& options, QueryCache* cache) noexcept {
  if (options.certificate != nullptr) options.certificate->clear();
  const Leaf leaf = leaf_of(a, b, options);
  // Made in place: the proof is most of the result.
  OverlapResult r{Overlap::undecided,
                  leaf != nullptr
                      ? leaf(a, pose_a, b, pose_b, options)
                      : answer_pair({{a, pose_a}, {b, pose_b}, options, Ask::sign, cache})};
  r.overlap = sign_of(r.proof);
  if (options.certificate != nullptr) certify(a, pose_a, b, pose_b, r.proof, options);
  return r;
}

}  // namespace tactus
