#include "tactus/query.hpp"
#include "tactus/query/certify.hpp"
#include "tactus/query/plan/dispatch.hpp"

namespace tactus {
using namespace detail;

OverlapResult overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      const QueryOptions& options, QueryCache* cache) {
  if (options.certificate != nullptr) options.certificate->clear();
  // Made in place: the proof is most of the result.
  OverlapResult r{Overlap::undecided,
                  detail::answer_pair(a, pose_a, b, pose_b, options, state_of(cache),
                                      detail::Ask::sign, nullptr)};
  if (r.proof.lower > 0.0) {
    r.overlap = Overlap::no;
  } else if (r.proof.upper <= 0.0) {
    r.overlap = Overlap::yes;
  }
  if (options.certificate != nullptr) detail::certify(a, pose_a, b, pose_b, r.proof, options);
  return r;
}

}  // namespace tactus
