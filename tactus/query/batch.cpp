#include <algorithm>
#include <bit>
#include <new>
#include <string>

#include "tactus/core.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/leaf_lanes.hpp"
#include "tactus/query/plan/pair_table.hpp"

namespace tactus {
using namespace detail;
namespace {

// Pairs that one thread takes at a time: some 1 us of the cheapest closed forms, some 50 us of
// searches, so that a thousand pairs still spread over many threads.
constexpr std::size_t kPairsPerChunk = 64;
static_assert(kPairsPerChunk <= 64, "answer_all marks the pairs of a chunk in one word");

void require(bool condition, const char* field, const char* reason) {
  if (!condition) throw InvalidInput(field, reason);
}

bool all_have_shapes(std::span<const PlacedShape> bodies) {
  bool all = true;
  for (const PlacedShape& body : bodies) all &= body.shape != nullptr;
  return all;
}

// Throws if there is one.
void find_unusable(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs) {
  const auto usable = [&](std::uint64_t id) {
    return id < bodies.size() && bodies[id].shape != nullptr;
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!usable(pairs[i].a) || !usable(pairs[i].b))
      throw InvalidInput("pairs[" + std::to_string(i) + "]", "refers to no body with a shape");
  }
}

void check(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
           std::size_t results, const BatchOptions& options) {
  require(results == pairs.size(), "out", "needs one place per pair");
  require(options.caches.empty() || options.caches.size() == pairs.size(), "options.caches",
          "needs one place per pair, or none");
  require(options.derivatives.empty() || options.derivatives.size() == pairs.size(),
          "options.derivatives", "needs one place per pair, or none");
  const char* const single = "has room for one pair; ask a single query";
  require(options.query.certificate == nullptr, "options.query.certificate", single);
  require(options.query.derivatives == nullptr, "options.query.derivatives", single);
  require(options.query.motion_derivatives == nullptr, "options.query.motion_derivatives", single);
  require(options.query.observer == nullptr, "options.query.observer", single);
  // Without a branch for each pair, and looking at each body once: to look at all pairs would cost
  // a third of a closed form.
  bool usable = bodies.size() <= pairs.size() && all_have_shapes(bodies);
  // The top bit tells of an id that is no place.
  std::uint64_t beyond = 0;
  for (const BroadPair& pair : pairs)
    beyond |= (pair.a | (bodies.size() - 1 - pair.a)) | (pair.b | (bodies.size() - 1 - pair.b));
  usable &= beyond >> 63u == 0;
  if (!usable) find_unusable(bodies, pairs);
}

// Are pairs of simple cores answered by their leaves?
bool asks_leaves(const BatchOptions& options) {
  return options.query.method <= Method::closed_form && options.derivatives.empty();
}

// Pairs of a chunk that have a leaf, answered as soon as there are enough of one kind for the
// lanes.
class LaneQueue {
 public:
  explicit LaneQueue(const QueryOptions& options) : options_(options), leaves_(lane_leaves()) {}

  // Answers full lanes: the pairs get the answers that they would get one by one.
  void add_all(LaneKind kind, const LeafPair* pairs) {
    const unsigned left = leaves_.of[static_cast<unsigned>(kind)](pairs);
    if (left != 0) answer_left(pairs, left);
  }
  void add(LaneKind kind, const LeafPair& pair) {
    Waiting& waiting = waiting_[static_cast<unsigned>(kind)];
    waiting.pairs[waiting.count] = pair;
    if (++waiting.count < leaves_.lanes) return;
    waiting.count = 0;
    add_all(kind, waiting.pairs);
  }
  // Answers the pairs that wait, which are too few to fill lanes.
  void finish() {
    for (const Waiting& waiting : waiting_) answer_left(waiting.pairs, (1u << waiting.count) - 1);
  }
  unsigned lanes() const { return leaves_.lanes; }

 private:
  struct Waiting {
    LeafPair pairs[kMostLanes];
    unsigned count = 0;
  };

  [[gnu::noinline]] void answer_left(const LeafPair* pairs, unsigned bits) const {
    for (unsigned i = 0; bits >> i != 0; ++i) {
      if ((bits >> i & 1u) == 0) continue;
      const PlacedShape &a = *pairs[i].a, &b = *pairs[i].b;
      ::new (static_cast<void*>(pairs[i].out)) DistanceResult(
          pair_row(*a.shape, *b.shape).leaf(*a.shape, a.pose, *b.shape, b.pose, options_));
    }
  }

  const QueryOptions& options_;
  const LaneLeaves& leaves_;
  Waiting waiting_[kLaneKinds];
};

DistanceResult& answer_of(DistanceResult& r) { return r; }
DistanceResult& answer_of(OverlapResult& r) { return r.proof; }
DistanceResult& answer_of(ContactsResult& r) { return r.distance; }

// Gives the queue as many pairs from `begin` on as have leaves of the same kind, at most one for
// each lane; their number.
template <class Result>
[[gnu::always_inline]] inline unsigned take_alike(std::span<const PlacedShape> bodies,
                                                  std::span<const BroadPair> pairs,
                                                  std::span<Result> out, std::size_t begin,
                                                  std::size_t end, LaneQueue& queue) {
  LeafPair alike[kMostLanes];
  const Shape &a = *bodies[pairs[begin].a].shape, &b = *bodies[pairs[begin].b].shape;
  const LaneKind kind = pair_row(a.type(), b.type()).lanes;
  if (kind == LaneKind::none) return 0;
  const std::size_t most = std::min<std::size_t>(end - begin, queue.lanes());
  unsigned count = 0;
  do {
    const BroadPair& pair = pairs[begin + count];
    const LeafPair next{&bodies[pair.a], &bodies[pair.b], &answer_of(out[begin + count])};
    if (next.a->shape->type() != a.type() || next.b->shape->type() != b.type()) break;
    alike[count++] = next;
  } while (count < most);
  if (count == queue.lanes()) {
    queue.add_all(kind, alike);
  } else {
    for (unsigned i = 0; i < count; ++i) queue.add(kind, alike[i]);
  }
  return count;
}

// out[i] = query(i, a, b, options, cache) for every pair i that has no leaf for lanes; of the
// others complete(i) makes it from their answer.
template <class Result, class Query, class Complete>
void answer_all(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
                std::span<Result> out, const BatchOptions& options, const Query& query,
                const Complete& complete) {
  check(bodies, pairs, out.size(), options);
  const bool leaves = asks_leaves(options);
  const auto answer_chunk = [&](std::size_t begin, std::size_t end) {
    QueryOptions asked = options.query;
    LaneQueue queue(asked);
    std::uint64_t queued = 0;
    for (std::size_t i = begin; i < end;) {
      if (leaves) {
        const unsigned taken = take_alike(bodies, pairs, out, i, end, queue);
        queued |= ((std::uint64_t{1} << taken) - 1) << (i - begin);
        i += taken;
        if (taken != 0) continue;
      }
      const PlacedShape &a = bodies[pairs[i].a], &b = bodies[pairs[i].b];
      if (!options.derivatives.empty()) asked.derivatives = &options.derivatives[i];
      QueryCache* const cache = options.caches.empty() ? nullptr : &options.caches[i];
      // Made in its place: a copy would cost a good part of a closed form.
      ::new (static_cast<void*>(&out[i])) Result(query(i, a, b, asked, cache));
      ++i;
    }
    queue.finish();
    for (; queued != 0; queued &= queued - 1)
      complete(begin + static_cast<std::size_t>(std::countr_zero(queued)));
  };
  parallel_for(pairs.size(), kPairsPerChunk, answer_chunk, options.max_threads);
}

}  // namespace

void distance(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
              std::span<DistanceResult> out, const BatchOptions& options) {
  answer_all(
      bodies, pairs, out, options,
      [&](std::size_t, const PlacedShape& a, const PlacedShape& b, const QueryOptions& asked,
          QueryCache* cache) { return distance(*a.shape, a.pose, *b.shape, b.pose, asked, cache); },
      [](std::size_t) {});
}

void overlap(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
             std::span<OverlapResult> out, const BatchOptions& options) {
  answer_all(
      bodies, pairs, out, options,
      [&](std::size_t, const PlacedShape& a, const PlacedShape& b, const QueryOptions& asked,
          QueryCache* cache) { return overlap(*a.shape, a.pose, *b.shape, b.pose, asked, cache); },
      [&](std::size_t i) { out[i].overlap = sign_of(out[i].proof); });
}

void contacts(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
              std::span<Manifold> manifolds, std::span<ContactsResult> out,
              const BatchOptions& options) {
  const std::size_t each = pairs.empty() ? 0 : manifolds.size() / pairs.size();
  require(manifolds.size() == each * pairs.size(), "manifolds",
          "needs equally many places for each pair");
  const auto query = [&](std::size_t i, const PlacedShape& a, const PlacedShape& b,
                         const QueryOptions& asked, QueryCache* cache) {
    return contacts(*a.shape, a.pose, *b.shape, b.pose, manifolds.subspan(i * each, each), asked,
                    cache);
  };
  answer_all(bodies, pairs, out, options, query, [&](std::size_t i) {
    ContactsResult& r = out[i];
    r.manifolds = 0;
    r.truncated = false;
    const PlacedShape &a = bodies[pairs[i].a], &b = bodies[pairs[i].b];
    if (leaf_contacts(*a.shape, a.pose, *b.shape, b.pose, options.query.margin,
                      manifolds.subspan(i * each, each), r)) {
      return;
    }
    r = query(i, a, b, options.query, options.caches.empty() ? nullptr : &options.caches[i]);
  });
}

}  // namespace tactus
