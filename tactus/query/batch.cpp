#include <new>
#include <string>

#include "tactus/core.hpp"
#include "tactus/query.hpp"

namespace tactus {
using namespace detail;
namespace {

// Pairs that one thread takes at a time: some 1 us of the cheapest closed forms, some 50 us of
// searches, so that a thousand pairs still spread over many threads.
constexpr std::size_t kPairsPerChunk = 64;

void require(bool condition, const char* field, const char* reason) {
  if (!condition) throw InvalidInput(field, reason);
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
  require(options.query.observer == nullptr, "options.query.observer", single);
  const auto usable = [&](std::uint64_t id) {
    return id < bodies.size() && bodies[id].shape != nullptr;
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!usable(pairs[i].a) || !usable(pairs[i].b))
      throw InvalidInput("pairs[" + std::to_string(i) + "]", "refers to no body with a shape");
  }
}

// out[i] = query(i, a, b, options, cache) for every pair i.
template <class Result, class Query>
void answer_all(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
                std::span<Result> out, const BatchOptions& options, const Query& query) {
  check(bodies, pairs, out.size(), options);
  const auto answer_chunk = [&](std::size_t begin, std::size_t end) {
    QueryOptions asked = options.query;
    for (std::size_t i = begin; i < end; ++i) {
      if (!options.derivatives.empty()) asked.derivatives = &options.derivatives[i];
      QueryCache* const cache = options.caches.empty() ? nullptr : &options.caches[i];
      // Made in its place: a copy would cost a good part of a closed form.
      ::new (static_cast<void*>(&out[i]))
          Result(query(i, bodies[pairs[i].a], bodies[pairs[i].b], asked, cache));
    }
  };
  parallel_for(pairs.size(), kPairsPerChunk, answer_chunk, options.max_threads);
}

}  // namespace

void distance(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
              std::span<DistanceResult> out, const BatchOptions& options) {
  answer_all(bodies, pairs, out, options,
             [&](std::size_t, const PlacedShape& a, const PlacedShape& b, const QueryOptions& asked,
                 QueryCache* cache) {
               return distance(*a.shape, a.pose, *b.shape, b.pose, asked, cache);
             });
}

void overlap(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
             std::span<OverlapResult> out, const BatchOptions& options) {
  answer_all(
      bodies, pairs, out, options,
      [&](std::size_t, const PlacedShape& a, const PlacedShape& b, const QueryOptions& asked,
          QueryCache* cache) { return overlap(*a.shape, a.pose, *b.shape, b.pose, asked, cache); });
}

void contacts(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
              std::span<Manifold> manifolds, std::span<ContactsResult> out,
              const BatchOptions& options) {
  const std::size_t each = pairs.empty() ? 0 : manifolds.size() / pairs.size();
  require(manifolds.size() == each * pairs.size(), "manifolds",
          "needs equally many places for each pair");
  answer_all(bodies, pairs, out, options,
             [&](std::size_t i, const PlacedShape& a, const PlacedShape& b,
                 const QueryOptions& asked, QueryCache* cache) {
               return contacts(*a.shape, a.pose, *b.shape, b.pose,
                               manifolds.subspan(i * each, each), asked, cache);
             });
}

}  // namespace tactus
