#include "tactus/io/format/surface_facts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace tactus::io {
namespace {

// A corner of the unit cube, cut off: closed, right side out.
TriangleMesh corner() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
}

TEST(SurfaceFacts, TellCountsAndMeasuresOfAClosedSurface) {
  const nlohmann::ordered_json facts = surface_facts(corner());
  EXPECT_EQ(facts.at("vertices"), 4);
  EXPECT_EQ(facts.at("triangles"), 4);
  EXPECT_EQ(facts.at("components"), 1);
  EXPECT_TRUE(facts.at("closed").get<bool>());
  EXPECT_FALSE(facts.at("inside_out").get<bool>());
  EXPECT_EQ(facts.at("self_crossings"), 0);
  EXPECT_NEAR(facts.at("volume").get<double>(), 1.0 / 6.0, 1e-15);
  // Three halves of unit squares, and a triangle of side sqrt(2).
  EXPECT_NEAR(facts.at("area").get<double>(), 1.5 + std::sqrt(3.0) / 2.0, 1e-14);
  EXPECT_EQ(facts.at("box").dump(), "[[0.0,0.0,0.0],[1.0,1.0,1.0]]");
}

TEST(SurfaceFacts, NameWhatIsInsideOut) {
  TriangleMesh mesh = corner();
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  EXPECT_TRUE(surface_facts(mesh).at("inside_out").get<bool>());
}

TEST(SurfaceFacts, AnOpenSurfaceHasNoVolume) {
  TriangleMesh mesh = corner();
  mesh.triangles.pop_back();
  const nlohmann::ordered_json facts = surface_facts(mesh);
  EXPECT_FALSE(facts.at("closed").get<bool>());
  EXPECT_EQ(facts.at("boundary_edges"), 3);
  EXPECT_TRUE(facts.at("volume").is_null());
  EXPECT_FALSE(facts.contains("inside_out"));
}

}  // namespace
}  // namespace tactus::io
