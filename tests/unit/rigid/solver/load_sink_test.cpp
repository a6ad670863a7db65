#include "tactus/rigid/solver/load_sink.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tactus/world.hpp"

namespace tactus::detail {
namespace {

/// Bodies at the heights given; the first one does not move.
std::vector<Body> bodies_at(const std::vector<double>& heights) {
  std::vector<Body> bodies;
  for (const double z : heights) {
    BodyDefinition definition{Sphere(0.5), Pose::translation({0.0, 0.0, z})};
    definition.id = bodies.size() + 1;
    if (bodies.empty()) definition.type = BodyType::fixed;
    bodies.emplace_back(definition);
  }
  return bodies;
}
/// `normal`: from A to B.
ContactPatch patch(std::uint32_t a, std::uint32_t b, const Vec3& normal) {
  ContactPatch result;
  result.body_a = a;
  result.body_b = b;
  result.manifold.normal = normal;
  return result;
}
const Vec3 kUp{0.0, 0.0, 1.0}, kWeight{0.0, 0.0, -9.81};

TEST(LoadSink, ATowerSinksByAllOverlaps) {
  const std::vector<Body> bodies = bodies_at({0.0, 1.0, 2.0, 3.0});
  // Whichever body comes first, and in any order.
  const std::vector<ContactPatch> patches{patch(3, 2, -kUp), patch(0, 1, kUp), patch(1, 2, kUp)};
  const std::vector<double> loads{1.0, 3.0, 2.0}, overlaps{0.01, 0.03, 0.02};
  const Softness soft = LoadSink().find(patches, loads, overlaps, bodies, kWeight);
  EXPECT_DOUBLE_EQ(soft.overlap, 0.03);
  EXPECT_DOUBLE_EQ(soft.sink, 0.06);
}

TEST(LoadSink, OnTwoBodiesItIsTheMeanByLoads) {
  const std::vector<Body> bodies = bodies_at({0.0, 1.0, 1.0, 2.0});
  const Vec3 aside{0.6, 0.0, 0.8};
  const std::vector<ContactPatch> patches{patch(0, 1, kUp), patch(0, 2, kUp), patch(1, 3, aside),
                                          patch(2, 3, aside)};
  const std::vector<double> loads{1.0, 3.0, 1.0, 3.0}, overlaps{0.01, 0.03, 0.02, 0.04};
  const Softness soft = LoadSink().find(patches, loads, overlaps, bodies, kWeight);
  EXPECT_DOUBLE_EQ(soft.overlap, 0.04);
  EXPECT_DOUBLE_EQ(soft.sink, 0.25 * 0.03 + 0.75 * 0.07);
}

TEST(LoadSink, WhatCarriesNothingDoesNotCount) {
  const std::vector<Body> bodies = bodies_at({0.0, 1.0, 2.0});
  const std::vector<ContactPatch> patches{patch(0, 1, kUp), patch(1, 2, kUp)};
  const std::vector<double> loads{1.0, 0.0}, overlaps{0.01, 0.0};
  EXPECT_DOUBLE_EQ(LoadSink().find(patches, loads, overlaps, bodies, kWeight).sink, 0.01);
  // Without weight nothing sinks.
  EXPECT_EQ(LoadSink().find(patches, loads, overlaps, bodies, {}).sink, 0.0);
  EXPECT_EQ(LoadSink().find(patches, loads, overlaps, bodies, {}).overlap, 0.01);
}

}  // namespace
}  // namespace tactus::detail
