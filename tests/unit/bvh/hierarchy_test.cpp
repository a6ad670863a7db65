#include "tactus/bvh/hierarchy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tactus/core.hpp"
#include "tactus/math.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail::bvh {
namespace {

template <class Volume>
class HierarchyTest : public testing::Test {};
using Volumes = testing::Types<OrientedBox, AlignedBox, Ball, Dop14, SweptRectangle>;
TYPED_TEST_SUITE(HierarchyTest, Volumes);

// How far a point lies outside of the volume, both about the middle of the mesh.
double outside(const OrientedBox& box, const Vec3& p) {
  double most = -1.0;
  const Vec3 center{static_cast<double>(box.center[0]), static_cast<double>(box.center[1]),
                    static_cast<double>(box.center[2])};
  for (const auto& axis : box.axis) {
    const Vec3 n{static_cast<double>(axis[0]), static_cast<double>(axis[1]),
                 static_cast<double>(axis[2])};
    most = std::max(most, std::fabs(dot(n, p - center)) - static_cast<double>(axis[3]));
  }
  return most;
}
double outside(const AlignedBox& box, const Vec3& p) {
  double most = -1.0;
  for (int i = 0; i < 3; ++i)
    most = std::max(most, std::fabs(p[i] - static_cast<double>(box.center[i])) -
                              static_cast<double>(box.half[i]));
  return most;
}
double outside(const Ball& ball, const Vec3& p) {
  const Vec3 center{static_cast<double>(ball.center[0]), static_cast<double>(ball.center[1]),
                    static_cast<double>(ball.center[2])};
  return norm(p - center) - static_cast<double>(ball.radius);
}
double outside(const Dop14& dop, const Vec3& p) {
  const double d = 1.0 / std::sqrt(3.0);
  const double at[7] = {p.x,
                        p.y,
                        p.z,
                        d * (p.x + p.y + p.z),
                        d * (p.x + p.y - p.z),
                        d * (p.x - p.y + p.z),
                        d * (-p.x + p.y + p.z)};
  double most = -1.0;
  for (int i = 0; i < 7; ++i)
    most = std::max(most, std::max(at[i] - static_cast<double>(dop.high[i]),
                                   static_cast<double>(dop.low[i]) - at[i]));
  return most;
}
double outside(const SweptRectangle& swept, const Vec3& p) {
  const auto row = [&](int i) {
    const float* axis = swept.axis[i];
    return Vec3{static_cast<double>(axis[0]), static_cast<double>(axis[1]),
                static_cast<double>(axis[2])};
  };
  const Vec3 from =
      p - Vec3{static_cast<double>(swept.center[0]), static_cast<double>(swept.center[1]),
               static_cast<double>(swept.center[2])};
  Vec3 nearest;
  for (int i = 0; i < 2; ++i) {
    const auto half = static_cast<double>(swept.axis[i][3]);
    nearest += row(i) * std::clamp(dot(row(i), from), -half, half);
  }
  return norm(from - nearest) - static_cast<double>(swept.axis[2][3]);
}

// Every triangle is in one leaf, and in all volumes above it.
template <class Volume>
void expect_whole(const TriangleMesh& mesh, const Hierarchy<Volume>& tree) {
  std::vector<int> seen(mesh.triangles.size(), 0);
  double worst = -1.0;
  const auto visit = [&](auto&& self, std::uint32_t node,
                         std::vector<std::uint32_t>& inside) -> void {
    const Volume& volume = tree.nodes()[node];
    std::vector<std::uint32_t> mine;
    if (Hierarchy<Volume>::is_leaf(volume)) {
      mine = {Hierarchy<Volume>::triangle(volume)};
      ++seen[mine[0]];
    } else {
      self(self, node + 1, mine);
      self(self, volume.link, mine);
    }
    for (const std::uint32_t t : mine) {
      for (const std::uint32_t index : mesh.triangles[t])
        worst = std::max(worst, outside(volume, mesh.vertices[index] - tree.middle()));
    }
    inside.insert(inside.end(), mine.begin(), mine.end());
  };
  std::vector<std::uint32_t> all;
  visit(visit, 0, all);
  EXPECT_EQ(tree.nodes().size(), 2 * mesh.triangles.size() - 1);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
  EXPECT_LE(worst, 1e-15);
}

TYPED_TEST(HierarchyTest, HoldsEveryTriangle) {
  Random random(1, 2);
  TriangleMesh far = test::bumpy_mesh(3, 0.1, random);
  for (Vec3& v : far.vertices) v += Vec3{1e4, -2e4, 3e4};
  TriangleMesh flat = test::torus_mesh(20, 8, 0.2);
  for (Vec3& v : flat.vertices) v.z = 0.0;
  TriangleMesh heap;  // all triangles in one place, and points among them
  heap.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (int i = 0; i < 100; ++i) heap.triangles.push_back({0, 1, 2});
  for (int i = 0; i < 10; ++i) heap.triangles.push_back({0, 0, 0});
  TriangleMesh one;
  one.vertices = heap.vertices;
  one.triangles = {{0, 1, 2}};
  for (const TriangleMesh& mesh :
       {test::bumpy_mesh(4, 0.3, random), test::torus_mesh(40, 12, 0.3), far, flat, heap, one}) {
    for (const SplitRule rule : {SplitRule::mean, SplitRule::median, SplitRule::middle})
      expect_whole(mesh, Hierarchy<TypeParam>(mesh, rule));
  }
}

TYPED_TEST(HierarchyTest, RefitsMovedVertices) {
  Random random(3, 4);
  TriangleMesh mesh = test::bumpy_mesh(3, 0.1, random);
  Hierarchy<TypeParam> tree(mesh);
  for (Vec3& v : mesh.vertices) v = {2.0 * v.x, v.y + 0.3 * v.x, v.z + 5.0};
  tree.refit(mesh);
  expect_whole(mesh, tree);
}

// Volumes in any position: no two of their points are nearer than the bound.
TYPED_TEST(HierarchyTest, BoundsFromBelow) {
  Random random(5, 6);
  const TriangleMesh mesh = test::bumpy_mesh(2, 0.3, random);
  const Hierarchy<TypeParam> tree(mesh);
  int apart = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 axis{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const Pose pose(
        axis * random.uniform(0.0, 3.0),
        normalized(Quat{random.uniform(0.5, 1.0), 0.0, random.uniform(-0.5, 0.5), 0.0}));
    const Vec3 between = (pose.position() - tree.middle()) + pose.rotation() * tree.middle();
    Placement placement(pose.rotation(), between, tree.reach(), tree.reach());
    const std::uint32_t a = random.below(static_cast<std::uint32_t>(tree.nodes().size()));
    const std::uint32_t b = random.below(static_cast<std::uint32_t>(tree.nodes().size()));
    const double bound = lower_bound(tree.nodes()[a], tree.nodes()[b], placement);
    // Bounds of two pairs at a time have the same bits as one by one.
    const TypeParam* const of_a[2] = {&tree.nodes()[a], &tree.nodes()[b]};
    const TypeParam* const of_b[2] = {&tree.nodes()[b], &tree.nodes()[a]};
    double both[2];
    lower_bounds(of_a, of_b, placement, both);
    EXPECT_EQ(both[0], bound);
    EXPECT_EQ(both[1], lower_bound(tree.nodes()[b], tree.nodes()[a], placement));
    const auto corners = [&](std::uint32_t node) {
      std::vector<Vec3> points;
      std::vector<std::uint32_t> open{node};
      while (!open.empty()) {
        const TypeParam& volume = tree.nodes()[open.back()];
        const std::uint32_t at = open.back();
        open.pop_back();
        if (Hierarchy<TypeParam>::is_leaf(volume)) {
          for (const std::uint32_t i : mesh.triangles[Hierarchy<TypeParam>::triangle(volume)])
            points.push_back(mesh.vertices[i]);
        } else {
          open.push_back(at + 1);
          open.push_back(volume.link);
        }
      }
      return points;
    };
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3& p : corners(a)) {
      for (const Vec3& q : corners(b)) least = std::min(least, norm(pose.to_world(q) - p));
    }
    EXPECT_LE(bound, least);
    // Good up to what was asked for.
    const double asked = 0.5 * bound;
    placement.ask_up_to(asked);
    const double rough = lower_bound(tree.nodes()[a], tree.nodes()[b], placement);
    EXPECT_GE(rough, asked);
    EXPECT_LE(rough, bound);
    apart += bound > 0.0 ? 1 : 0;
  }
  EXPECT_GT(apart, 50);
}

// The bound of flat volumes about a rectangle is its distance, however they face one another.
template <class Volume>
class FlatVolume : public testing::Test {};
using FlatVolumes = testing::Types<OrientedBox, SweptRectangle>;
TYPED_TEST_SUITE(FlatVolume, FlatVolumes);

TYPED_TEST(FlatVolume, IsAsFarAwayAsItsRectangle) {
  TriangleMesh plate;  // 4 by 2
  plate.vertices = {{-2, -1, 0}, {2, -1, 0}, {2, 1, 0}, {-2, 1, 0}};
  plate.triangles = {{0, 1, 2}, {0, 2, 3}};
  const Hierarchy<TypeParam> tree(plate);
  const auto bound = [&](const Pose& pose) {
    const Placement placement(pose.rotation(), pose.position(), tree.reach(), tree.reach());
    return lower_bound(tree.nodes()[0], tree.nodes()[0], placement);
  };
  const double half = std::sqrt(0.5);
  const Quat about_y{half, 0.0, half, 0.0};  // the long side upright
  const struct {
    Pose pose;
    double distance;
  } cases[] = {
      {Pose({0, 0, 3}, Quat{}), 3.0},             // face to face
      {Pose({0.5, 0.25, -2}, Quat{}), 2.0},       // the same, moved aside
      {Pose({7, 0, 0}, Quat{}), 3.0},             // side to side
      {Pose({7, 6, 0}, Quat{}), 5.0},             // corner to corner
      {Pose({7, 6, 12}, Quat{}), 13.0},           // the same in space
      {Pose({0, 0, 5}, about_y), 3.0},            // an edge over a face
      {Pose({5, 0, 6}, about_y), 5.0},            // edge to edge
      {Pose({0, 0, 1}, about_y), 0.0},            // one through the other
      {Pose({0, 0, 3}, {half, 0, 0, half}), 3.0}  // crossed
  };
  for (const auto& [pose, distance] : cases) {
    EXPECT_LE(bound(pose), distance);
    EXPECT_GE(bound(pose), distance - 1e-4) << pose.position().x << " " << pose.position().z;
  }
}

// A tree made of its nodes is the same one; what is no tree over the mesh is refused by name.
TYPED_TEST(HierarchyTest, ComesBackFromItsNodes) {
  Random random(9, 10);
  const TriangleMesh mesh = test::bumpy_mesh(2, 0.2, random);
  const Hierarchy<TypeParam> tree(mesh);
  Hierarchy<TypeParam> again(mesh, tree.nodes());
  EXPECT_EQ(again.fingerprint(), tree.fingerprint());
  EXPECT_EQ(again.middle(), tree.middle());
  EXPECT_EQ(again.reach(), tree.reach());
  Hierarchy<TypeParam> same = tree;
  same.refit(mesh);
  again.refit(mesh);
  EXPECT_EQ(std::memcmp(again.nodes().data(), same.nodes().data(), tree.bytes()), 0);

  const auto error = [&](auto&& spoil) -> std::string {
    std::vector<TypeParam> nodes = tree.nodes();
    spoil(nodes);
    try {
      const Hierarchy<TypeParam> made(mesh, nodes);
    } catch (const InvalidInput& refused) {
      return refused.what();
    }
    return "";
  };
  using Nodes = std::vector<TypeParam>;
  EXPECT_EQ(error([](Nodes&) {}), "");
  EXPECT_EQ(error([](Nodes& n) { n.pop_back(); }), "nodes: must be 255 over 128 triangles");
  EXPECT_EQ(error([](Nodes& n) { n[0].link |= 0x80000000u; }),
            "nodes[0]: has no right child among its nodes");
  for (const std::uint32_t link : {0u, 1u, 254u, 255u, 0x7fffffffu})
    EXPECT_NE(error([&](Nodes& n) { n[0].link = link; }), "") << link;
  EXPECT_EQ(error([](Nodes& n) { n[0].link = 4; }), "nodes[0]: has a child that is too small");
  EXPECT_EQ(error([](Nodes& n) { n[254].link = 0x80000000u + 128; }),
            "nodes[254]: must be a leaf with a triangle of the mesh");
  EXPECT_EQ(error([](Nodes& n) { n[254].link = 7; }),
            "nodes[254]: must be a leaf with a triangle of the mesh");
  EXPECT_EQ(error([](Nodes& n) {
              std::size_t first = 0;
              while (!Hierarchy<TypeParam>::is_leaf(n[first])) ++first;
              n[254].link = n[first].link;
            }),
            "nodes[254]: has a triangle that another leaf has");
}

// Bits do not depend on threads: a mesh above the grain is built in pieces.
TEST(Hierarchy, IsTheSameTwice) {
  Random random(7, 8);
  const TriangleMesh mesh = test::bumpy_mesh(5, 0.1, random);
  const Hierarchy<OrientedBox> first(mesh), second(mesh);
  ASSERT_EQ(first.nodes().size(), second.nodes().size());
  EXPECT_EQ(std::memcmp(first.nodes().data(), second.nodes().data(), first.bytes()), 0);
  EXPECT_LE(static_cast<double>(first.bytes()) / static_cast<double>(mesh.triangles.size()), 150.0);
}

}  // namespace
}  // namespace tactus::detail::bvh
