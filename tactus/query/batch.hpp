#pragma once

#include <span>

#include "tactus/broad/broad_phase.hpp"
#include "tactus/query/contacts.hpp"
#include "tactus/query/overlap.hpp"
#include "tactus/query/result.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus {

/// A body of a batch: a shape, which stays with the caller and may serve many bodies, at a pose.
struct PlacedShape {
  const Shape* shape = nullptr;
  Pose pose;
};

/// Options of a whole batch; the defaults serve.
struct BatchOptions {
  /// For every pair. `certificate`, `derivatives` and `trace` have room for one pair only and must
  /// be null: ask single queries for them, or `derivatives` below.
  QueryOptions query;
  std::span<Derivatives> derivatives;  ///< filled, one per pair, in the order of the pairs, or none
  std::span<QueryCache> caches;        ///< one per pair, in the order of the pairs, or none
  int max_threads = 0;                 ///< the caller's included; 0 takes all processors
};

/// Signed distance of many pairs: out[i] is that of bodies[pairs[i].a] and bodies[pairs[i].b], A
/// and B in this order.
///
/// The pairs are those of a broad phase whose ids are places in `bodies`; any others do, in any
/// order, also repeated. Guarantee: every answer, and every cache afterwards, has the bits of the
/// single query for its pair, whatever `max_threads` and whatever the other pairs are; a pair that
/// has no answer says so in its status and disturbs no other.
/// Errors, found before anything is written: InvalidInput with the field's name when `out`,
/// `caches` or `derivatives` has not one place per pair, a pair refers beyond `bodies`, a body of a
/// pair has no shape, or an option has no meaning here. Cost: the single queries, divided by the
/// threads, and the start of `parallel_for`, which is also all that may allocate; with
/// `max_threads` 1 nothing does. Source: design, batch entry points; docs/guide/batch.md.
void distance(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
              std::span<DistanceResult> out, const BatchOptions& options = {});

/// Do they share a point? As the single query, for many pairs; all else as for `distance`.
void overlap(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
             std::span<OverlapResult> out, const BatchOptions& options = {});

/// Contact patches of many pairs.
///
/// `manifolds` is shared out evenly: with m = manifolds.size() / pairs.size(), pair i fills
/// out[i].manifolds places from manifolds[i * m] on and leaves its others as they are. m = 1 serves
/// all pairs but those of compounds, which need one place for each touching pair of parts; where
/// they don't fit, out[i].truncated is set, and a single query with more room gives the rest.
/// Errors: InvalidInput also when `manifolds` can't be shared out evenly. All else as for
/// `distance`.
void contacts(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
              std::span<Manifold> manifolds, std::span<ContactsResult> out,
              const BatchOptions& options = {});

}  // namespace tactus
