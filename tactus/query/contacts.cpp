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

ContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        std::span<Manifold> out, const QueryOptions& options,
                        QueryCache* cache) noexcept {
  if (const Leaf leaf = leaf_of(a, b, options)) {
    const bool likely = pair_row(a.type(), b.type()).patch == LeafPatch::witness;
    bool decided = false;
    // One result, made in the caller's place.
    ContactsResult r = likely ? ContactsResult{leaf(a, pose_a, b, pose_b, options)}
                              : formula_contacts(a, pose_a, b, pose_b, options, out, decided);
    if (likely ? leaf_contacts(a, pose_a, b, pose_b, options.margin, out, r) : decided) return r;
  }
  ManifoldSink sink(out);
  return find_contacts(a, pose_a, b, pose_b, sink, options, cache);
}

}  // namespace tactus
