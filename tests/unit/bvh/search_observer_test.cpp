#include "tactus/bvh/search_observer.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "tactus/bvh/mesh_distance.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

// The steps that an observer of a mesh distance is told of: boxes that hold their triangles, bounds
// that hold, a bracket that only narrows and ends at the answer.
namespace tactus::detail::bvh {
namespace {

constexpr double kSingle = 2e-6;  // boxes are of single precision, relative to meshes of size 2

struct Truth : SearchObserver {
  Truth(const TriangleMesh& a, const TriangleMesh& b, const Pose& b_in_a)
      : mesh_a(a), mesh_b(b), pose(b_in_a) {}

  void trees(const std::vector<NodeBox>& a, const std::vector<NodeBox>& b) override {
    EXPECT_EQ(steps, 0);
    expect_boxes(mesh_a, {}, a);
    expect_boxes(mesh_b, pose, b);
    nodes_a = a;
    nodes_b = b;
  }

  // Each box holds the corners of the triangles below it.
  static void expect_boxes(const TriangleMesh& mesh, const Pose& place,
                           const std::vector<NodeBox>& nodes) {
    ASSERT_EQ(nodes.size(), 2 * mesh.triangles.size() - 1);
    std::vector<std::vector<std::int64_t>> below(nodes.size());
    for (std::size_t i = nodes.size(); i-- > 0;) {
      const NodeBox& box = nodes[i];
      EXPECT_EQ(box.right == 0, box.triangle >= 0);
      if (box.right == 0) {
        below[i] = {box.triangle};
      } else {
        below[i] = below[i + 1];
        below[i].insert(below[i].end(), below[box.right].begin(), below[box.right].end());
      }
      for (const std::int64_t t : below[i]) {
        for (const std::uint32_t v : mesh.triangles[static_cast<std::size_t>(t)]) {
          const Vec3 p = place.to_world(mesh.vertices[v]) - box.center;
          for (int axis = 0; axis < 3; ++axis)
            EXPECT_LE(std::fabs(dot(p, box.axes.row[axis])), box.half[axis] + kSingle);
        }
      }
    }
    EXPECT_EQ(below[0].size(), mesh.triangles.size());
  }

  void step(const SearchStep& e) override {
    ++steps;
    EXPECT_GE(e.lower, lower);
    EXPECT_LE(e.upper, upper);
    EXPECT_LE(e.lower, e.upper);
    lower = e.lower;
    upper = e.upper;
    const std::pair pair{e.pair.a, e.pair.b};
    if (e.act == SearchAct::begun) open.emplace(pair, e.pair.bound);
    if (e.act == SearchAct::begun || e.act == SearchAct::approached) return;
    const auto found = open.find(pair);
    ASSERT_TRUE(found != open.end());
    const double bound = found->second;
    open.erase(found);
    if (e.act == SearchAct::split) {
      for (const NodePair& child : e.children) {
        EXPECT_GE(child.bound, bound);
        EXPECT_TRUE(open.emplace(std::pair{child.a, child.b}, child.bound).second);
      }
    }
    if (e.act == SearchAct::measured) ++measured;
    if (e.act == SearchAct::measured || e.act == SearchAct::spared) {
      EXPECT_EQ(nodes_a[e.pair.a].triangle, e.triangle_a);
      EXPECT_EQ(nodes_b[e.pair.b].triangle, e.triangle_b);
    }
    if (e.act == SearchAct::left_out) left.push_back(e.pair.bound);
    EXPECT_EQ(e.open, open.size());
  }

  const TriangleMesh& mesh_a;
  const TriangleMesh& mesh_b;
  Pose pose;
  std::vector<NodeBox> nodes_a, nodes_b;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> open;
  std::vector<double> left;
  double lower = 0.0, upper = std::numeric_limits<double>::infinity();
  int steps = 0, measured = 0;
};

TEST(SearchObserver, TheBracketNarrowsToTheAnswer) {
  Random random(5, 6);
  const TriangleMesh a = test::bumpy_mesh(1, 0.4, random), b = test::torus_mesh(8, 4, 0.3);
  const Hierarchy<OrientedBox> tree_a(a), tree_b(b);
  int apart = 0, near = 0, meeting = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const double spread = trial % 4 == 3 ? 9.0 : trial % 4 + 1.0;
    const Pose pose_a = random_pose(random, 1.0), pose_b = random_pose(random, spread);
    Truth truth(a, b, relative(pose_a, pose_b));
    const MeshDistanceOptions options;
    const MeshDistance plain = mesh_distance({a, tree_a}, pose_a, {b, tree_b}, pose_b, options);
    const MeshDistance told =
        observed_mesh_distance({a, tree_a}, pose_a, {b, tree_b}, pose_b, options, truth);
    EXPECT_EQ(told.distance, plain.distance);
    EXPECT_EQ(told.lower, plain.lower);
    EXPECT_EQ(told.upper, plain.upper);
    EXPECT_EQ(told.point_a, plain.point_a);
    EXPECT_EQ(told.volume_tests, plain.volume_tests);
    EXPECT_EQ(told.triangle_tests, plain.triangle_tests);
    EXPECT_EQ(truth.upper, told.distance);
    EXPECT_NEAR(truth.lower, told.distance, 1e-12);
    if (truth.measured == 0) {
      ++apart;
      continue;
    }
    // Nothing is left open, and what was left out is as far as the answer, to rounding.
    EXPECT_TRUE(truth.open.empty());
    for (const double bound : truth.left) EXPECT_GE(bound, told.distance - 1e-12);
    ++(told.meets ? meeting : near);
  }
  EXPECT_GT(near, 5);
  EXPECT_GT(meeting, 2);
  EXPECT_GT(apart, 0);
}

}  // namespace
}  // namespace tactus::detail::bvh
