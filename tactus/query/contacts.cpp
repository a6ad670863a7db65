#include "tactus/query.hpp"
#include "tactus/query/certify.hpp"
#include "tactus/query/plan/dispatch.hpp"

namespace tactus {
using namespace detail;

ContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        std::span<Manifold> out, const QueryOptions& options, QueryCache* cache) {
  ContactsResult r;
  detail::ManifoldSink sink{out, 0, false};
  QueryOptions near = options;
  // Farther than the threshold nothing is reported: the search may stop there.
  if (near.threshold < near.max_distance) near.max_distance = near.threshold;
  if (options.certificate != nullptr) options.certificate->clear();
  r.distance = detail::answer_pair(a, pose_a, b, pose_b, near, cache, detail::Ask::distance, &sink);
  if (options.certificate != nullptr) detail::certify(a, pose_a, b, pose_b, r.distance, options);
  r.manifolds = sink.count;
  r.truncated = sink.truncated;
  return r;
}

}  // namespace tactus
