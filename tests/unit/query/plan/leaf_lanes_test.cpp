// Pairs answered several at a time: the bits of their single leaves, with any number of lanes.
#include "tactus/query/plan/leaf_lanes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <limits>
#include <vector>

#include "tactus/core/hash.hpp"
#include "tactus/query/plan/pair_table.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

std::uint64_t bits_of(const DistanceResult& r) {
  Fnv1a hash;
  for (const double number : {r.distance, r.lower, r.upper}) hash.add(number);
  for (const Vec3& v : {r.normal, r.point_a, r.point_b}) {
    hash.add(v.x);
    hash.add(v.y);
    hash.add(v.z);
  }
  for (const std::int64_t number :
       {std::int64_t{static_cast<int>(r.status)}, std::int64_t{static_cast<int>(r.method)},
        std::int64_t{r.unique ? 1 : 0}, std::int64_t{r.iterations}, std::int64_t{r.part_a},
        std::int64_t{r.part_b}, std::int64_t{r.triangle_a}, std::int64_t{r.triangle_b}}) {
    hash.add(static_cast<std::uint64_t>(number));
  }
  return hash.value();
}

struct Counts {
  int answered = 0, left = 0, wrong = 0;
};

// All groups of consecutive pairs.
Counts compare(const LaneLeaves& leaves, LaneKind kind, const std::vector<PlacedShape>& as,
               const std::vector<PlacedShape>& bs) {
  Counts counts;
  const QueryOptions options;
  for (std::size_t first = 0; first + leaves.lanes <= as.size(); first += leaves.lanes) {
    std::array<DistanceResult, kMostLanes> out;
    std::array<LeafPair, kMostLanes> pairs{};
    for (std::size_t i = 0; i < leaves.lanes; ++i)
      pairs[i] = {&as[first + i], &bs[first + i], &out[i]};
    const unsigned left = leaves.of[static_cast<unsigned>(kind)](pairs.data());
    EXPECT_EQ(left >> leaves.lanes, 0u);
    for (std::size_t i = 0; i < leaves.lanes; ++i) {
      if ((left >> i & 1u) != 0) {
        ++counts.left;
        continue;
      }
      ++counts.answered;
      const PlacedShape &a = *pairs[i].a, &b = *pairs[i].b;
      const PairRow& row = pair_row(*a.shape, *b.shape);
      EXPECT_EQ(row.lanes, kind);
      const Leaf single = leaf_of(*a.shape, *b.shape, options);
      const DistanceResult right = single(*a.shape, a.pose, *b.shape, b.pose, options);
      if (bits_of(right) != bits_of(out[i])) ++counts.wrong;
    }
  }
  return counts;
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Bodies of these shapes anyhow about the origin, at equal places, turned the same way, along the
// axes, at scales from 1e-60 to 1e60, at places and with rotations that are no numbers.
std::vector<PlacedShape> bodies_of(const std::vector<Shape>& shapes, std::uint64_t seed,
                                   double reach, int count) {
  Random random(seed);
  std::vector<PlacedShape> bodies;
  for (int i = 0; i < count; ++i) {
    const Shape& shape = shapes[random.below(static_cast<std::uint32_t>(shapes.size()))];
    Pose pose = random_pose(random, reach);
    const std::uint32_t special = random.below(20);
    if (special == 0) pose = Pose::translation(pose.position());
    if (special == 1) pose = Pose(Vec3{0.1, 0.2, 0.3}, normalized(Quat{1.0, 0.5, 0.1, 0.2}));
    if (special == 2) pose = Pose(Vec3{0.1, 0.2, 1.3}, normalized(Quat{1.0, 0.5, 0.1, 0.2}));
    if (special == 3)
      pose = unchecked_pose(pose.position() * std::exp2(random.uniform(-200.0, 200.0)),
                            pose.rotation());
    if (special == 4) pose = unchecked_pose({kNan, 0.0, 1.0}, pose.rotation());
    if (special == 5) pose = unchecked_pose({0.0, -kInfinite, 1.0}, pose.rotation());
    if (special == 6) {
      Mat3 rotation = pose.rotation();
      rotation(static_cast<int>(random.below(3)), static_cast<int>(random.below(3))) = kNan;
      pose = unchecked_pose(pose.position(), rotation);
    }
    bodies.push_back({&shape, pose});
  }
  return bodies;
}

TEST(LeafLanes, HaveTheBitsOfSingleLeaves) {
  const std::vector<Shape> spheres{Sphere(0.4), Sphere(0.0), Shape(Sphere(0.2), 0.3)};
  const std::vector<Shape> boxes{Box({0.5, 0.9, 0.3}), Shape(Box({0.7, 0.2, 0.4}), 0.1),
                                 Box({0.0, 0.6, 0.4})};
  const std::vector<Shape> capsules{Capsule(0.2, 0.8), Capsule(0.3, 0.0), Capsule(0.0, 0.5),
                                    Capsule(0.1, 3.0)};
  const std::vector<Shape>* const of[kLaneKinds][2] = {
      {&spheres, &spheres}, {&spheres, &boxes}, {&boxes, &spheres}, {&capsules, &capsules}};
  for (const LaneLeaves* leaves : {&two_lanes(), &lane_leaves()}) {
    for (int kind = 0; kind < kLaneKinds; ++kind) {
      Counts all;
      for (const double reach : {0.05, 0.4, 1.0, 30.0}) {
        const Counts counts =
            compare(*leaves, static_cast<LaneKind>(kind), bodies_of(*of[kind][0], 1, reach, 4000),
                    bodies_of(*of[kind][1], 2, reach, 4000));
        all.answered += counts.answered;
        all.left += counts.left;
        all.wrong += counts.wrong;
      }
      EXPECT_EQ(all.wrong, 0) << leaves->lanes << " lanes, kind " << kind;
      // Some pairs have a case of their own and are left to the other code; most are answered.
      EXPECT_GT(all.left, 100) << leaves->lanes << " lanes, kind " << kind;
      EXPECT_GT(all.answered, 10000) << leaves->lanes << " lanes, kind " << kind;
    }
  }
}

}  // namespace
}  // namespace tactus::detail
