#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/query/certify.hpp"
#include "tactus/query/plan/dispatch.hpp"

namespace tactus {

ContactsResult detail::find_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                     const Pose& pose_b, std::span<Manifold> out,
                                     const QueryOptions& options, WarmStart* cache) {
  ContactsResult r;
  ManifoldSink sink{out, 0, false};
  QueryOptions near = options;
  // Farther than the threshold nothing is reported: the search may stop there.
  if (near.threshold < near.max_distance) near.max_distance = near.threshold;
  if (options.certificate != nullptr) options.certificate->clear();
  r.distance = answer_pair(a, pose_a, b, pose_b, near, cache, Ask::distance, &sink);
  if (options.certificate != nullptr) certify(a, pose_a, b, pose_b, r.distance, options);
  r.manifolds = sink.count;
  r.truncated = sink.truncated;
  return r;
}

ContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        std::span<Manifold> out, const QueryOptions& options, QueryCache* cache) {
  return detail::find_contacts(a, pose_a, b, pose_b, out, options, detail::state_of(cache));
}

}  // namespace tactus
