// Memory that runs out at every place of a call: a code, no exception, no leak, nothing changed.
#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "tactus/tactus.h"
#include "tests/support/failing_memory.hpp"

namespace tactus::detail::test {
namespace {

/// Calls `action` with 0, 1, 2, ... allocations until it succeeds; it gives whether it did. Every
/// failure before must be told as memory that ran out. Gives the allocations that it takes.
long allocations_of(const std::function<bool()>& action) {
  for (long allowed = 0; allowed < 10000; ++allowed) {
    FailingMemory memory(allowed);
    const bool done = action();
    memory.end();
    if (done) return allowed;
    EXPECT_EQ(tactus_last_error_code(), TACTUS_OUT_OF_MEMORY);
    EXPECT_STREQ(tactus_last_error(), "out of memory");
  }
  ADD_FAILURE() << "never succeeds";
  return -1;
}

long allocations_of_shape(const std::function<tactus_shape*()>& make) {
  return allocations_of([&] {
    tactus_shape* shape = make();
    tactus_shape_release(shape);
    return shape != nullptr;
  });
}

constexpr std::array<tactus_vec3, 4> kCorners{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr std::array<std::uint32_t, 12> kFaces{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

TEST(OutOfMemory, OfShapes) {
  EXPECT_EQ(allocations_of_shape([] { return tactus_shape_create_sphere(1.0); }), 1);
  EXPECT_GT(allocations_of_shape([] { return tactus_shape_create_convex(kCorners.data(), 4); }), 2);
  EXPECT_GT(allocations_of_shape(
                [] { return tactus_shape_create_mesh(kCorners.data(), 4, kFaces.data(), 4); }),
            2);
  tactus_shape* ball = tactus_shape_create_sphere(1.0);
  const std::array<const tactus_shape*, 3> parts{ball, ball, ball};
  EXPECT_GT(allocations_of_shape(
                [&] { return tactus_shape_create_compound(parts.data(), nullptr, parts.size()); }),
            2);
  tactus_shape_release(ball);
}

TEST(OutOfMemory, OfBatches) {
  tactus_shape* ball = tactus_shape_create_sphere(1.0);
  const std::array<tactus_placed_shape, 1> bodies{{{ball, tactus_pose_identity()}}};
  const std::array<tactus_pair, 2> pairs{};
  std::array<tactus_result, 2> results{};
  EXPECT_GT(allocations_of([&] {
              results[0].distance = 7.0;
              const tactus_error error = tactus_batch_distance(bodies.data(), 1, pairs.data(), 2,
                                                               nullptr, 1, results.data());
              EXPECT_EQ(results[0].distance, error == TACTUS_OK ? -2.0 : 7.0);
              return error == TACTUS_OK;
            }),
            2);
  tactus_shape_release(ball);
}

TEST(OutOfMemory, OfWorlds) {
  tactus_shape* ball = tactus_shape_create_sphere(1.0);
  tactus_body_definition body;
  ASSERT_EQ(tactus_body_definition_default(&body, sizeof body), TACTUS_OK);
  body.shape = ball;
  tactus_world* world = nullptr;
  allocations_of([&] { return (world = tactus_world_create(nullptr)) != nullptr; });
  allocations_of([&] {
    const bool added = tactus_world_add_body(world, &body, nullptr) == TACTUS_OK;
    EXPECT_EQ(tactus_world_get_body_count(world), added ? 1u : 0u);
    return added;
  });
  tactus_state* state = nullptr;
  allocations_of([&] { return (state = tactus_world_save(world)) != nullptr; });
  tactus_state_destroy(state);
  tactus_world_destroy(world);
  tactus_shape_release(ball);
}

}  // namespace
}  // namespace tactus::detail::test
