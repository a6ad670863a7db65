#include <new>

#include "tactus/query/certify.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/query/plan/pair_table.hpp"

namespace tactus {
using namespace detail;

ContactsResult detail::find_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                     const Pose& pose_b, ManifoldSink& sink,
                                     const QueryOptions& options, QueryCache* cache) {
  ContactsResult r;
  QueryOptions near = options;
  // Farther than the threshold nothing is reported: the search may stop there.
  if (near.margin < near.max_distance) near.max_distance = near.margin;
  if (options.certificate != nullptr) options.certificate->clear();
  answer_pair({{a, pose_a}, {b, pose_b}, near, Ask::distance, cache, &sink}, r.distance);
  if (options.certificate != nullptr) certify(a, pose_a, b, pose_b, r.distance, options);
  r.manifolds = sink.count;
  r.truncated = sink.truncated;
  return r;
}

namespace {

// Set apart, so that the leaf keeps nothing for it.
[[gnu::noinline]] void by_stages(const Shape& a, const Pose& pose_a, const Shape& b,
                                 const Pose& pose_b, std::span<Manifold> out,
                                 const QueryOptions& options, QueryCache* cache,
                                 ContactsResult& r) {
  ManifoldSink sink(out);
  ::new (static_cast<void*>(&r))
      ContactsResult(find_contacts(a, pose_a, b, pose_b, sink, options, cache));
}

}  // namespace

ContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        std::span<Manifold> out, const QueryOptions& options,
                        QueryCache* cache) noexcept {
  // The one result of every way out: it is made in the caller's place.
  ContactsResult r;
  const bool answered = leaf_of(a, b, options) != nullptr &&
                        pair_row(a.type(), b.type()).touch(a, pose_a, b, pose_b, options, out, r);
  if (!answered) by_stages(a, pose_a, b, pose_b, out, options, cache, r);
  return r;
}

}  // namespace tactus
