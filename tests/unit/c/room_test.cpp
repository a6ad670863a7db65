// Lists longer than the room for them, and structs of other versions of the header.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "bindings/c/values.hpp"
#include "tactus/tactus.h"

namespace tactus::detail::test {
namespace {

// A row of balls in the ground, each with one patch: all are counted, and as many written as there
// is room for.
TEST(Room, EveryPatchIsCounted) {
  tactus_shape* ground = tactus_shape_create_halfspace({0, 0, 1}, 0);
  tactus_shape* ball = tactus_shape_create_sphere(1);
  for (const std::size_t balls : {1u, 3u, 4u, 5u, 16u, 17u, 90u}) {
    const std::vector<const tactus_shape*> parts(balls, ball);
    std::vector<tactus_pose> poses(balls, tactus_pose_identity());
    for (std::size_t i = 0; i < balls; ++i) poses[i].position.x = 3.0 * static_cast<double>(i);
    tactus_shape* row = tactus_shape_create_compound(parts.data(), poses.data(), balls);
    for (const std::size_t capacity : {std::size_t{0}, balls - 1, balls, balls + 2}) {
      std::vector<tactus_manifold> manifolds(capacity + 1);
      std::memset(manifolds.data(), 0x55, manifolds.size() * sizeof(tactus_manifold));
      const std::int32_t unwritten = manifolds.back().count;
      std::size_t needed = 0;
      ASSERT_EQ(tactus_query_contacts(ground, nullptr, row, nullptr, nullptr, manifolds.data(),
                                      capacity, &needed, nullptr),
                TACTUS_OK);
      EXPECT_EQ(needed, balls);
      for (std::size_t i = 0; i < manifolds.size(); ++i) {
        const bool written = i < std::min(capacity, balls);
        EXPECT_EQ(manifolds[i].count, written ? 1 : unwritten) << i << " of " << balls;
        if (written) {
          EXPECT_EQ(manifolds[i].part_b, static_cast<std::int32_t>(i));
        }
      }
    }
    tactus_shape_release(row);
  }
  tactus_shape_release(ground);
  tactus_shape_release(ball);
}

/// Options as a later header could have them.
struct Longer {
  tactus_options known;
  std::array<std::uint64_t, 3> later;
};

// A library that does not know a field takes it for what its default asks, and refuses the rest.
TEST(Room, FieldsOfLaterHeaders) {
  tactus_shape* ball = tactus_shape_create_sphere(1);
  tactus_result result;
  Longer options;
  std::memset(&options, 0x55, sizeof options);
  ASSERT_EQ(tactus_options_default(&options.known, sizeof options), TACTUS_OK);
  EXPECT_EQ(options.known.struct_size, sizeof options);
  EXPECT_EQ(options.later, (std::array<std::uint64_t, 3>{}));
  const auto ask = [&] {
    return tactus_query_distance(ball, nullptr, ball, nullptr, &options.known, &result);
  };
  EXPECT_EQ(ask(), TACTUS_OK);
  for (std::size_t i = 0; i < options.later.size(); ++i) {
    options.later[i] = std::uint64_t{1} << 63u;
    EXPECT_EQ(ask(), TACTUS_INVALID_INPUT);
    EXPECT_STREQ(tactus_last_error_field(), "tactus_options");
    options.known.struct_size = sizeof(tactus_options) + 8 * i;
    EXPECT_EQ(ask(), TACTUS_OK) << "beyond the size that the program knows";
    options.known.struct_size = sizeof options;
    options.later[i] = 0;
  }
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{8}, sizeof(tactus_options) - 1,
                                   std::uint64_t{1} << 40u, ~std::uint64_t{0}}) {
    options.known.struct_size = size;
    EXPECT_EQ(ask(), TACTUS_INVALID_INPUT);
    EXPECT_STREQ(tactus_last_error_field(), "tactus_options.struct_size");
  }
  EXPECT_EQ(tactus_options_default(&options.known, sizeof(tactus_options) - 1),
            TACTUS_INVALID_INPUT);
  EXPECT_EQ(tactus_options_default(&options.known, std::size_t{1} << 40u), TACTUS_INVALID_INPUT);
  tactus_shape_release(ball);
}

/// A struct of which the first version ended with `first`.
struct Grown {
  std::uint64_t struct_size;
  double first;
  double second;
};

// A program that was compiled before a field came gives a shorter struct: it gets the defaults of
// the fields that it knows, no byte more, and the library takes its own default for the others.
TEST(Room, StructsOfEarlierHeaders) {
  const Grown usual{0, 1.5, 2.5};
  for (const std::size_t size : {std::size_t{16}, std::size_t{24}, std::size_t{40}}) {
    struct {
      Grown given{0, -7.0, -7.0};
      std::array<double, 3> beyond{-7.0, -7.0, -7.0};
    } memory;
    Grown& given = memory.given;
    c::write_defaults(given, size, 16, usual);
    EXPECT_EQ(given.struct_size, size);
    EXPECT_EQ(given.first, 1.5);
    EXPECT_EQ(given.second, size >= 24 ? 2.5 : -7.0);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(memory.beyond[i], 24 + 8 * i < size ? 0.0 : -7.0);
    }
    given.first = 4.5;
    const Grown read = c::read_struct(given, 16, usual, "grown");
    EXPECT_EQ(read.first, 4.5);
    EXPECT_EQ(read.second, 2.5);
    if (size < 24) continue;
    given.second = 5.5;
    EXPECT_EQ(c::read_struct(given, 16, usual, "grown").second, 5.5);
  }
  Grown given = usual;
  EXPECT_THROW(c::write_defaults(given, 15, 16, usual), InvalidInput);
  given.struct_size = 15;
  EXPECT_THROW(c::read_struct(given, 16, usual, "grown"), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail::test
