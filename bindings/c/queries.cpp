// Queries of one pair, and batches.
#include <array>
#include <span>
#include <string>
#include <vector>

#include "bindings/c/call.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/values.hpp"

using namespace tactus;

namespace {

/// Two placed shapes and the options of a query, read from what a program passes.
struct Pair {
  Pair(const tactus_shape* given_a, const tactus_pose* given_pose_a, const tactus_shape* given_b,
       const tactus_pose* given_pose_b, const tactus_options* given_options)
      : a(c::require(given_a, "a").shape),
        b(c::require(given_b, "b").shape),
        pose_a(c::to_pose(given_pose_a, "pose_a")),
        pose_b(c::to_pose(given_pose_b, "pose_b")),
        options(c::to_options(given_options)) {}

  const Shape &a, &b;
  Pose pose_a, pose_b;
  QueryOptions options;
};

/// The answer that there is none, for programs that do not look at the code.
DistanceResult no_distance() {
  DistanceResult none;
  none.status = Status::invalid_input;
  return none;
}

/// Patches that fit without memory: all of convex pairs.
constexpr std::size_t kFewPatches = 4;

/// All contact patches of a pair: in `few`, or where those are too few, in `many`.
std::span<const Manifold> all_contacts(const Pair& pair, std::span<Manifold> few,
                                       std::vector<Manifold>& many, DistanceResult& distance) {
  std::span<Manifold> room = few;
  for (;;) {
    const ContactsResult found =
        contacts(pair.a, pair.pose_a, pair.b, pair.pose_b, room, pair.options);
    if (!found.truncated) {
      distance = found.distance;
      return room.first(static_cast<std::size_t>(found.manifolds));
    }
    many.resize(room.size() * 4);
    room = many;
  }
}

std::vector<PlacedShape> to_bodies(const tactus_placed_shape* bodies, std::size_t count) {
  c::require_array(bodies, count, "bodies");
  std::vector<PlacedShape> read(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "bodies[" + std::to_string(i) + "]";
    read[i].shape = &c::require(bodies[i].shape, (name + ".shape").c_str()).shape;
    read[i].pose = c::to_pose(bodies[i].pose, name + ".pose");
  }
  return read;
}

}  // namespace

extern "C" {

tactus_error tactus_query_distance(const tactus_shape* a, const tactus_pose* pose_a,
                                   const tactus_shape* b, const tactus_pose* pose_b,
                                   const tactus_options* options, tactus_result* result) {
  return c::call([&] {
    c::require(result, "result") = c::from_result(no_distance());
    const Pair pair(a, pose_a, b, pose_b, options);
    *result = c::from_result(distance(pair.a, pair.pose_a, pair.b, pair.pose_b, pair.options));
  });
}

tactus_error tactus_query_overlap(const tactus_shape* a, const tactus_pose* pose_a,
                                  const tactus_shape* b, const tactus_pose* pose_b,
                                  const tactus_options* options, tactus_answer* answer,
                                  tactus_result* proof) {
  return c::call([&] {
    c::require(answer, "answer") = TACTUS_UNDECIDED;
    if (proof != nullptr) *proof = c::from_result(no_distance());
    const Pair pair(a, pose_a, b, pose_b, options);
    const OverlapResult found = overlap(pair.a, pair.pose_a, pair.b, pair.pose_b, pair.options);
    *answer = static_cast<tactus_answer>(found.overlap);
    if (proof != nullptr) *proof = c::from_result(found.proof);
  });
}

tactus_error tactus_query_contacts(const tactus_shape* a, const tactus_pose* pose_a,
                                   const tactus_shape* b, const tactus_pose* pose_b,
                                   const tactus_options* options, tactus_manifold* manifolds,
                                   size_t capacity, size_t* needed, tactus_result* distance) {
  return c::call([&] {
    c::require(needed, "needed") = 0;
    if (distance != nullptr) *distance = c::from_result(no_distance());
    c::require_array(manifolds, capacity, "manifolds");
    const Pair pair(a, pose_a, b, pose_b, options);
    std::array<Manifold, kFewPatches> few;
    std::vector<Manifold> many;
    DistanceResult whole;
    const std::span<const Manifold> found = all_contacts(pair, few, many, whole);
    c::write_list(found, manifolds, capacity, needed, c::from_manifold);
    if (distance != nullptr) *distance = c::from_result(whole);
  });
}

tactus_error tactus_batch_distance(const tactus_placed_shape* bodies, size_t body_count,
                                   const tactus_pair* pairs, size_t pair_count,
                                   const tactus_options* options, int32_t max_threads,
                                   tactus_result* results) {
  return c::call([&] {
    c::require_array(pairs, pair_count, "pairs");
    c::require_array(results, pair_count, "results");
    if (max_threads < 0) throw InvalidInput("max_threads", "must not be negative");
    BatchOptions batch;
    batch.query = c::to_options(options);
    batch.max_threads = max_threads;
    const std::vector<PlacedShape> placed = to_bodies(bodies, body_count);
    std::vector<BroadPair> asked(pair_count);
    for (std::size_t i = 0; i < pair_count; ++i) asked[i] = {pairs[i].a, pairs[i].b};
    std::vector<DistanceResult> found(pair_count);
    distance(placed, asked, found, batch);
    for (std::size_t i = 0; i < pair_count; ++i) results[i] = c::from_result(found[i]);
  });
}

}  // extern "C"
