#include "tactus/bvh/self_crossings.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/mesh/surface/triangle_meet.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail::bvh {
namespace {

Vec3 random_unit(Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return normalized(Vec3{x, y, z});
}

// A disc of n corners round one, and with `lid` another one over it, joined at the rim.
TriangleMesh disc(std::uint32_t n, bool lid) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, -0.1}, {0, 0, 0.1}};
  for (std::uint32_t i = 0; i < n; ++i) {
    const double angle = 6.283185307179586 * i / n;
    mesh.vertices.push_back({std::cos(angle), std::sin(angle), 0.0});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t a = 2 + i, b = 2 + (i + 1) % n;
    mesh.triangles.push_back({0, b, a});
    if (lid) mesh.triangles.push_back({1, a, b});
  }
  return mesh;
}

TEST(SelfCrossings, AsEveryPairSays) {
  Random random(6);
  for (int n = 0; n < 20; ++n) {
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i < 40; ++i) {
      const Vec3 at = random_unit(random);
      for (int k = 0; k < 3; ++k) mesh.vertices.push_back(at + random_unit(random) * 0.4);
      // Some share a corner with the one before, by place or by number.
      if (i % 3 == 1) mesh.vertices[3 * i] = mesh.vertices[3 * i - 1];
      mesh.triangles.push_back({i % 3 == 2 ? 3 * i - 1 : 3 * i, 3 * i + 1, 3 * i + 2});
    }
    std::vector<TrianglePair> right;
    const auto corner = [&](std::uint32_t t, std::size_t k) {
      return mesh.vertices[mesh.triangles[t][k]];
    };
    for (std::uint32_t i = 0; i < 40; ++i) {
      for (std::uint32_t j = i + 1; j < 40; ++j) {
        bool shared = false;
        for (std::size_t k = 0; k < 9; ++k) shared = shared || corner(i, k / 3) == corner(j, k % 3);
        const Triangle a{{corner(i, 0), corner(i, 1), corner(i, 2)}};
        const Triangle b{{corner(j, 0), corner(j, 1), corner(j, 2)}};
        if (!shared && triangles_meet(a, b)) right.push_back({i, j});
      }
    }
    EXPECT_EQ(self_crossings(mesh), right);
    EXPECT_FALSE(right.empty());
  }
}

// All triangles round a corner are near each other: their pairs were all looked at.
TEST(SelfCrossings, AreLinearRoundOneCorner) {
  for (const bool lid : {false, true}) {
    std::int64_t few = 0, many = 0;
    EXPECT_TRUE(self_crossings(disc(500, lid), &few).empty());
    EXPECT_TRUE(self_crossings(disc(8000, lid), &many).empty());
    EXPECT_LT(many, 48 * few) << lid;
    EXPECT_LT(many, 800000) << lid;
  }
}

}  // namespace
}  // namespace tactus::detail::bvh
