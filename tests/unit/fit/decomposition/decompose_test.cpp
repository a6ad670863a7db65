#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tactus/bvh/point_query.hpp"
#include "tactus/core.hpp"
#include "tactus/fit.hpp"
#include "tactus/fit/decomposition/box_merging.hpp"
#include "tactus/fit/decomposition/concavity.hpp"
#include "tactus/fit/decomposition/cut_decomposition.hpp"
#include "tactus/fit/decomposition/mesh_split.hpp"
#include "tactus/fit/decomposition/solid.hpp"
#include "tactus/fit/decomposition/union_boundary.hpp"
#include "tactus/mesh.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/mesh_data.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/solids.hpp"

namespace tactus::detail {
namespace {

using fit::measure_concavity;
using fit::Solid;

std::vector<Vec3> corners(const Vec3& low, const Vec3& high) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i)
    points.push_back({i % 2 == 0 ? low.x : high.x, i / 2 % 2 == 0 ? low.y : high.y,
                      i / 4 == 0 ? low.z : high.z});
  return points;
}

ConvexHull box(const Vec3& low, const Vec3& high) { return convex_hull(corners(low, high)); }

TriangleMesh surface_of(const ConvexHull& hull) {
  TriangleMesh mesh{hull.vertices, {}};
  for (const ConvexHull::Face& face : hull.faces) {
    const auto corner = hull.corners(face);
    for (std::size_t i = 2; i < corner.size(); ++i)
      mesh.triangles.push_back({corner[0], corner[i - 1], corner[i]});
  }
  return mesh;
}

// A prism over an L of three unit squares, from z = 0 to 1: closed, six sides and two lids.
TriangleMesh angle_mesh() {
  const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  TriangleMesh mesh;
  for (const double z : {0.0, 1.0}) {
    for (const auto& p : outline) mesh.vertices.push_back({p[0], p[1], z});
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t j = (i + 1) % 6;
    mesh.triangles.push_back({i, j, j + 6});
    mesh.triangles.push_back({i, j + 6, i + 6});
  }
  const std::uint32_t lid[4][3] = {{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}};
  for (const auto& t : lid) {
    mesh.triangles.push_back({t[0], t[2], t[1]});
    mesh.triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
  }
  return mesh;
}

double volume_of(const std::vector<ConvexHull>& parts) {
  double sum = 0.0;
  for (const ConvexHull& part : parts) sum += mass_properties(part).volume;
  return sum;
}

double depth_outside(const ConvexHull& hull, const Vec3& p) {
  double most = -std::numeric_limits<double>::infinity();
  for (const ConvexHull::Face& face : hull.faces)
    most = std::max(most, dot(face.normal, p) - face.offset);
  return most;
}

// Every corner of the mesh and random points of it lie in some part.
void expect_covered(const TriangleMesh& mesh, const std::vector<ConvexHull>& parts) {
  Random random(7);
  const auto inside_any = [&](const Vec3& p) {
    for (const ConvexHull& part : parts) {
      if (part.dimension == 3 && depth_outside(part, p) < 1e-9) return true;
      if (part.dimension == 2 &&
          bvh::nearest_point(detail::view_of(Mesh(surface_of(part))), p).distance < 1e-9)
        return true;
    }
    return false;
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    double u = random.uniform();
    double v = random.uniform();
    if (u + v > 1.0) {
      u = 1.0 - u;
      v = 1.0 - v;
    }
    const Vec3 &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
    EXPECT_TRUE(inside_any(p + ((q - p) * u + (r - p) * v)));
  }
}

// --- the measure

TEST(Concavity, OfABoxForItselfIsZero) {
  const ConvexHull cube = box({0, 0, 0}, {2, 2, 2});
  const Solid solid(surface_of(cube));
  EXPECT_DOUBLE_EQ(solid.unit(), 1.0);
  const auto c = measure_concavity(solid, std::vector<ConvexHull>{cube}, 1e-4);
  EXPECT_LE(c.upper(), 1e-4 + 1e-12);
  EXPECT_LE(c.lower(), 1e-12);
  EXPECT_NEAR(c.volume, 8.0, 1e-9);
}

TEST(Concavity, OfTheHullOfAnAngleIsKnown) {
  // The slanted face leads from (2, 1) to (1, 2): its middle is farthest from the two inner walls,
  // 1/2 away; the middle of the inner edge is 1/2 below the hull's lids.
  const TriangleMesh mesh = angle_mesh();
  const Solid solid(mesh);
  const auto c =
      measure_concavity(solid, std::vector<ConvexHull>{convex_hull(mesh.vertices)}, 2e-3);
  EXPECT_NEAR(c.bulge.lower, 0.5, 2e-3);
  EXPECT_GE(c.bulge.upper, 0.5 - 1e-12);
  EXPECT_NEAR(c.fill.lower, 0.5, 2e-3);
  EXPECT_GE(c.fill.upper, 0.5 - 1e-12);
  EXPECT_NEAR(c.hollow.lower, 0.0, 1e-9);
  EXPECT_NEAR(c.volume, 3.5, 1e-9);
}

TEST(Concavity, SeesAVoid) {
  // Walls of a tenth around a cube of 2: the empty middle's walls are a tenth below the surface.
  const Solid solid(surface_of(box({0, 0, 0}, {2, 2, 2})));
  const std::vector<ConvexHull> walls = {box({0, 0, 0}, {2, 2, 0.1}), box({0, 0, 1.9}, {2, 2, 2}),
                                         box({0, 0, 0}, {2, 0.1, 2}), box({0, 1.9, 0}, {2, 2, 2}),
                                         box({0, 0, 0}, {0.1, 2, 2}), box({1.9, 0, 0}, {2, 2, 2})};
  const auto c = measure_concavity(solid, walls, 2e-3);
  EXPECT_NEAR(c.hollow.lower, 0.1, 2e-3);
  EXPECT_NEAR(c.bulge.lower, 0.0, 1e-6);
  EXPECT_NEAR(c.fill.lower, 0.0, 1e-6);
  EXPECT_NEAR(c.volume, 8.0 - 1.8 * 1.8 * 1.8, 1e-6);
}

TEST(Concavity, IsUnboundedWithoutFaces) {
  const Solid solid(angle_mesh());
  const std::vector<Vec3> one = {{0, 0, 0}};
  const auto c = measure_concavity(solid, std::vector<ConvexHull>{convex_hull(one)}, 1e-3);
  EXPECT_TRUE(std::isinf(c.upper()));
}

TEST(Concavity, BracketHoldsAgainstSampling) {
  Random random(11);
  for (int i = 0; i < test::effort(4); ++i) {
    const TriangleMesh mesh = test::bumpy_mesh(2, 0.3, random);
    const Solid solid(mesh);
    const ConvexHull hull = convex_hull(mesh.vertices);
    const auto c = measure_concavity(solid, std::vector<ConvexHull>{hull}, 1e-2);
    double sampled = 0.0;
    for (const ConvexHull::Face& face : hull.faces) {
      const auto corner = hull.corners(face);
      for (int k = 0; k < 20; ++k) {
        const double u = random.uniform();
        const double v = random.uniform() * (1.0 - u);
        const Vec3 p = hull.vertices[corner[0]] * (1.0 - u - v) +
                       (hull.vertices[corner[1]] * u + hull.vertices[corner[2]] * v);
        sampled = std::max(sampled, bvh::nearest_point(solid.view(), p).distance);
      }
    }
    EXPECT_LE(sampled, c.bulge.upper + 1e-9);
    EXPECT_LE(c.bulge.upper - c.bulge.lower, 1e-2 + 1e-9);
    EXPECT_NEAR(bvh::nearest_point(solid.view(), c.bulge.at).distance, c.bulge.lower, 1e-9);
    double deepest = 0.0;
    for (const Vec3& v : mesh.vertices) deepest = std::max(deepest, -depth_outside(hull, v));
    EXPECT_LE(deepest, c.fill.upper + 1e-9);
  }
}

TEST(UnionBoundary, OfTouchingAndOverlappingBoxesHasTheVolumeOfTheUnion) {
  const auto volume = [](const std::vector<ConvexHull>& parts) {
    return mass_properties(fit::union_boundary(parts, 1e-8)).volume;
  };
  // Side by side; a smaller one within the common plane; overlapping with common planes; equal.
  EXPECT_NEAR(volume({box({0, 0, 0}, {1, 1, 1}), box({1, 0, 0}, {2, 1, 1})}), 2.0, 1e-6);
  EXPECT_NEAR(volume({box({0, 0, 0}, {1, 1, 1}), box({1, 0.2, 0.2}, {2, 0.8, 0.8})}), 1.36, 1e-6);
  EXPECT_NEAR(volume({box({0, 0, 0}, {2, 1, 1}), box({1, 0, 0}, {3, 1, 1})}), 3.0, 1e-6);
  EXPECT_NEAR(volume({box({0, 0, 0}, {1, 1, 1}), box({0, 0, 0}, {1, 1, 1})}), 1.0, 1e-6);
  EXPECT_NEAR(volume({box({0, 0, 0}, {3, 3, 3}), box({1, 1, 1}, {2, 2, 2})}), 27.0, 1e-6);
}

// --- the steps

TEST(MeshSplit, HalvesHaveTheAreaAndTheCutInCommon) {
  Random random(3);
  const auto area = [](const TriangleMesh& mesh) {
    double sum = 0.0;
    for (const auto& [a, b, c] : mesh.triangles)
      sum += 0.5 *
             norm(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]));
    return sum;
  };
  for (int i = 0; i < test::effort(20); ++i) {
    const TriangleMesh mesh = test::bumpy_mesh(2, 0.3, random);
    const double x = random.uniform(-1, 1);
    const double y = random.uniform(-1, 1);
    const Vec3 normal = normalized(Vec3{x, y, 0.5});
    const double offset = random.uniform(-0.5, 0.5);
    const fit::SplitMesh halves = fit::split_mesh(mesh, {normal, offset}, 1e-12);
    EXPECT_NEAR(area(halves.below) + area(halves.above), area(mesh), 1e-12 * 100.0);
    for (const Vec3& v : halves.below.vertices) EXPECT_LE(dot(normal, v) - offset, 1e-12);
    for (const Vec3& v : halves.above.vertices) EXPECT_GE(dot(normal, v) - offset, -1e-12);
  }
}

TEST(Part, HalvesOfASolidFillItWithoutASurfaceInThem) {
  // Three planes through the middle of a ball: each eighth has the middle as a corner, though no
  // surface is there.
  const Solid solid(test::sphere_mesh(3));
  const fit::PartJudge judge(solid, 0);
  std::vector<fit::Part> parts{judge.whole()};
  for (const Vec3& normal : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    std::vector<fit::Part> halves;
    for (const fit::Part& part : parts) {
      auto [below, above] = judge.split(part, {normal, 0.05});
      halves.push_back(std::move(below));
      halves.push_back(std::move(above));
    }
    parts = std::move(halves);
  }
  double sum = 0.0;
  for (const fit::Part& part : parts) sum += part.error.volume;
  EXPECT_NEAR(sum, std::fabs(mass_properties(solid.mesh()).volume), 1e-9);
}

TEST(Part, SurfacesOfAThinSliceStayTogetherWhereThereIsBodyBetween) {
  // A slice of a ring's arm: its inner and its outer wall do not touch, and both are slanted.
  const Solid solid(test::torus_mesh(48, 24, 0.3));
  const fit::PartJudge judge(solid, 0);
  fit::Part part = judge.whole();
  for (const fit::Plane& plane : {fit::Plane{{0, 0, 1}, 0.203}, fit::Plane{{0, 0, -1}, -0.2},
                                  fit::Plane{{0, 1, 0}, 0.2}, fit::Plane{{0, -1, 0}, 0.2}})
    part = judge.split(part, plane).first;
  part = judge.split(part, {{-1, 0, 0}, -0.1}).first;
  EXPECT_EQ(fit::connected_parts(part.surface).size(), 2u);
  EXPECT_TRUE(judge.islands(part).empty());
}

TEST(Part, APointInThePlaneOfACutIsOfTheSideWhereItsSurfaceIs) {
  // The cut touches the top of a ball, so that nothing of the surface is above.
  const Solid solid(test::sphere_mesh(3));
  const fit::PartJudge judge(solid, 0);
  double top = 0.0;
  for (const Vec3& v : solid.mesh().vertices) top = std::max(top, v.z);
  const auto [below, above] = judge.split(judge.whole(), {{0, 0, 1}, top});
  EXPECT_TRUE(above.samples.empty());
  EXPECT_EQ(below.samples.size(), judge.whole().samples.size());
}

TEST(Part, AFlatHullHoldsNothing) {
  const ConvexHull flat = convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_FALSE(fit::holds(flat, {5.0, 5.0, -1.0}, 0.1));
  EXPECT_FALSE(fit::holds(flat, {0.2, 0.2, 0.0}, 0.1));
}

TEST(Part, APlaceKnownToBeOutsideCountsInEveryHullThatHoldsIt) {
  // On the hull between the two arms of an angle, 0.5 from either; the estimate sees less.
  const Solid solid(angle_mesh());
  fit::PartJudge judge(solid, 0);
  const fit::Part whole = judge.whole();
  const Vec3 middle{1.5, 1.5, 0.5};
  judge.remember_outside(middle);
  const fit::PartError known = judge.judge(whole.hull, whole.samples, whole.cuts);
  EXPECT_GE(known.bulge, 0.5 - 1e-9);
  EXPECT_LT(whole.error.bulge, 0.5 - 1e-6);
  // Not in a hull beside it.
  const ConvexHull arm = box({0, 0, 0}, {2, 1, 1});
  EXPECT_LT(judge.judge(arm, {}, {}).bulge, 0.1);
}

TEST(Solid, KnowsInsideOfOpenAndInsideOutSurfaces) {
  TriangleMesh mesh = test::sphere_mesh(3);
  for (auto& [a, b, c] : mesh.triangles) std::swap(b, c);
  mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 20);
  const Solid solid(mesh);
  EXPECT_FALSE(solid.closed());
  Random random(5);
  for (int i = 0; i < test::effort(200); ++i) {
    const double x = random.uniform(-1, 1);
    const double y = random.uniform(-1, 1);
    const double z = random.uniform(-1, 1);
    const Vec3 p = normalized(Vec3{x, y, z});
    // Not next to the hole, at the corner (1, 1, 1).
    if (dot(p, normalized(Vec3{1, 1, 1})) > 0.7) continue;
    EXPECT_TRUE(solid.inside(p * 0.6));
    EXPECT_FALSE(solid.inside(p * 1.3));
  }
}

TEST(BoxMerging, JoinsWhatLeavesNoGap) {
  // Two boxes far apart: their own triangles are joined first.
  TriangleMesh mesh = surface_of(box({0, 0, 0}, {1, 1, 1}));
  const TriangleMesh other = surface_of(box({5, 5, 5}, {6, 7, 8}));
  for (const auto& [a, b, c] : other.triangles) mesh.triangles.push_back({a + 8, b + 8, c + 8});
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  const fit::BoxMerging merging(mesh, [](std::size_t) { return true; });
  EXPECT_EQ(merging.fewest(), 1u);
  const auto two = merging.hulls(2, 0);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_NEAR(volume_of(two), 1.0 + 6.0, 1e-12);
  EXPECT_EQ(merging.hulls(24, 0).size(), 24u);
}

// --- the whole

class EveryMethod : public testing::TestWithParam<DecompositionMethod> {
 protected:
  static DecomposeOptions options() {
    DecomposeOptions options;
    options.method = GetParam();
    options.concavity = 0.2;
    return options;
  }
};

TEST_P(EveryMethod, ReachesTheBoundAndCoversTheSurface) {
  const TriangleMesh mesh = test::torus_mesh(8, 4, 0.4);
  const ConvexDecomposition d = decompose(mesh, options());
  EXPECT_EQ(d.status, DecompositionStatus::reached);
  EXPECT_LE(d.concavity_upper(), 0.2);
  expect_covered(mesh, d.parts);
  // Measured again, by itself.
  const Solid solid(mesh);
  EXPECT_LE(measure_concavity(solid, d.parts, 1e-3 * solid.unit()).lower(),
            d.measured.upper() + 1e-12);
}

TEST_P(EveryMethod, ABallIsOnePartWhereItMayBe) {
  const ConvexDecomposition d = decompose(test::sphere_mesh(2), options());
  EXPECT_EQ(d.status, DecompositionStatus::reached);
  EXPECT_EQ(d.parts.size(), 1u);
}

TEST_P(EveryMethod, SameBitsOnAnyNumberOfThreads) {
  TACTUS_LONG_TEST();
  Random random(2);
  const TriangleMesh mesh = test::bumpy_mesh(1, 0.25, random);
  DecomposeOptions one = options(), many = options();
  one.max_threads = 1;
  many.max_threads = 3;
  const ConvexDecomposition a = decompose(mesh, one), b = decompose(mesh, many);
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    EXPECT_TRUE(a.parts[i].vertices == b.parts[i].vertices);
  EXPECT_EQ(a.measured.lower(), b.measured.lower());
  EXPECT_EQ(a.measured.volume, b.measured.volume);
}

TEST_P(EveryMethod, KeepsTheNumberOfParts) {
  const TriangleMesh mesh = test::torus_mesh(8, 4, 0.4);
  for (const std::uint32_t most : {1u, 2u}) {
    DecomposeOptions few = options();
    few.max_parts = most;
    const ConvexDecomposition d = decompose(mesh, few);
    EXPECT_LE(d.parts.size(), most);
    EXPECT_EQ(d.status, DecompositionStatus::part_limit);
    expect_covered(mesh, d.parts);
  }
}

TEST_P(EveryMethod, StopsOnRequestWithTheSurfaceCovered) {
  const TriangleMesh mesh = test::torus_mesh(8, 4, 0.4);
  std::atomic<bool> cancel{false};
  DecomposeOptions stopped = options();
  stopped.cancel = &cancel;
  int told = 0;
  stopped.progress = [&](std::uint32_t, double done) {
    EXPECT_GE(done, 0.0);
    EXPECT_LE(done, 1.0);
    if (++told == 3) cancel = true;
  };
  const ConvexDecomposition d = decompose(mesh, stopped);
  EXPECT_EQ(d.status, DecompositionStatus::cancelled);
  expect_covered(mesh, d.parts);
}

INSTANTIATE_TEST_SUITE_P(Decompose, EveryMethod,
                         testing::Values(DecompositionMethod::modern, DecompositionMethod::cavity),
                         [](const auto& method) { return std::string(to_string(method.param)); });

// Groups of triangles have no inside: many are needed, so that this one is asked for few.
TEST(Decompose, MergingKeepsTheNumberOfParts) {
  const TriangleMesh mesh = test::torus_mesh(8, 4, 0.4);
  DecomposeOptions few;
  few.method = DecompositionMethod::merge;
  few.max_parts = 6;
  const ConvexDecomposition d = decompose(mesh, few);
  EXPECT_LE(d.parts.size(), 6u);
  EXPECT_EQ(d.status, DecompositionStatus::part_limit);
  expect_covered(mesh, d.parts);
}

TEST(Decompose, AnAngleIsTwoBoxes) {
  const ConvexDecomposition d = decompose(angle_mesh());
  EXPECT_EQ(d.parts.size(), 2u);
  EXPECT_NEAR(d.parts_volume, 3.0, 1e-9);
  EXPECT_NEAR(d.surface_volume, 3.0, 1e-12);
  EXPECT_LE(d.concavity_upper(), 1e-3 + 1e-9);
}

// A cube of edge 2 with walls of 0.04 around nothing.
TriangleMesh thin_shell() {
  TriangleMesh mesh = surface_of(box({0, 0, 0}, {2, 2, 2}));
  const TriangleMesh inner = surface_of(box({0.04, 0.04, 0.04}, {1.96, 1.96, 1.96}));
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  for (const auto& [a, b, c] : inner.triangles)
    mesh.triangles.push_back({first + a, first + c, first + b});
  return mesh;
}

TEST(Concavity, SeesAFilledHollowBehindThinWalls) {
  // From surface to surface all is within a wall's thickness; the middle of the hollow is not.
  const Solid solid(thin_shell());
  const std::vector<ConvexHull> whole{box({0, 0, 0}, {2, 2, 2})};
  const auto c = measure_concavity(solid, whole, 1e-2);
  EXPECT_NEAR(c.bulge.lower, 0.96, 1e-2);
  EXPECT_GE(c.bulge.upper, 0.96 - 1e-12);
  EXPECT_LE(c.bulge.upper, 0.98);
}

TEST(Decompose, AThinShellStaysHollow) {
  TACTUS_LONG_TEST();
  DecomposeOptions options;
  options.concavity = 0.05;
  const ConvexDecomposition d = decompose(thin_shell(), options);
  EXPECT_EQ(d.status, DecompositionStatus::reached);
  EXPECT_EQ(d.parts.size(), 6u);
  EXPECT_NEAR(d.parts_volume, 8.0 - 1.92 * 1.92 * 1.92, 1e-9);
}

TEST(Decompose, ALargerBoundNeverLeavesMoreParts) {
  TACTUS_LONG_TEST();
  Random random(8);
  const std::vector<TriangleMesh> meshes{test::gear_mesh(4, 1.0), test::bumpy_mesh(2, 0.3, random)};
  for (const TriangleMesh& mesh : meshes) {
    std::size_t most = 1000;
    for (const double concavity : {0.2, 0.3}) {
      DecomposeOptions options;
      options.concavity = concavity;
      const ConvexDecomposition d = decompose(mesh, options);
      EXPECT_EQ(d.status, DecompositionStatus::reached) << concavity;
      EXPECT_LE(d.parts.size(), most) << concavity;
      most = d.parts.size();
    }
  }
}

TEST(Decompose, PartsKeepTheNumberOfVertices) {
  TACTUS_LONG_TEST();
  const TriangleMesh mesh = test::torus_mesh(16, 8, 0.4);
  for (const std::uint32_t most : {4u, 12u}) {
    DecomposeOptions options;
    options.concavity = 0.4;
    options.max_vertices = most;
    const ConvexDecomposition d = decompose(mesh, options);
    for (const ConvexHull& part : d.parts) EXPECT_LE(part.vertices.size(), most);
    expect_covered(mesh, d.parts);
  }
  // Boxes need no more than they have.
  DecomposeOptions options;
  options.max_vertices = 8;
  EXPECT_NEAR(decompose(angle_mesh(), options).parts_volume, 3.0, 1e-9);
}

TEST(Decompose, PartsOfAClosedSurfaceHaveAVolume) {
  for (const DecompositionMethod method :
       {DecompositionMethod::modern, DecompositionMethod::merge, DecompositionMethod::cavity}) {
    DecomposeOptions options;
    options.method = method;
    options.concavity = 0.1;
    const TriangleMesh mesh = angle_mesh();
    const ConvexDecomposition d = decompose(mesh, options);
    for (const ConvexHull& part : d.parts) EXPECT_GT(mass_properties(part).volume, 1e-9);
    expect_covered(mesh, d.parts);
  }
}

TEST(Decompose, AnOpenSurfaceIsServed) {
  TriangleMesh mesh = angle_mesh();
  mesh.triangles.pop_back();
  DecomposeOptions options;
  options.max_parts = 3;
  options.concavity = 0.3;
  const ConvexDecomposition d = decompose(mesh, options);
  EXPECT_FALSE(d.closed);
  EXPECT_EQ(d.surface_volume, 0.0);
  expect_covered(mesh, d.parts);
}

TEST(Decompose, PartsAreABodyForQueries) {
  const ConvexDecomposition d = decompose(angle_mesh());
  const Shape body(d.compound());
  // A ball in the notch of the L touches neither leg; its hull would be hit.
  const DistanceResult r =
      distance(body, Pose(), Shape(Sphere(0.2)), Pose({1.4, 1.5, 0.5}, Quat()));
  EXPECT_NEAR(r.distance, 0.2, 1e-6);
}

TEST(Decompose, RefusesWhatItCannotUse) {
  const auto field_of = [](const TriangleMesh& mesh, const DecomposeOptions& options) {
    try {
      decompose(mesh, options);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return std::string("none");
  };
  DecomposeOptions bad;
  bad.concavity = 0.0;
  EXPECT_EQ(field_of(angle_mesh(), bad), "concavity");
  bad.concavity = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(field_of(angle_mesh(), bad), "concavity");
  bad = {};
  bad.max_vertices = 3;
  EXPECT_EQ(field_of(angle_mesh(), bad), "max_vertices");
  bad = {};
  bad.max_parts = 0;
  EXPECT_EQ(field_of(angle_mesh(), bad), "max_parts");
  TriangleMesh flat;
  flat.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  flat.triangles = {{0, 1, 2}};
  EXPECT_EQ(field_of(flat, {}), "triangles");
  flat.triangles = {{0, 1, 3}};
  EXPECT_EQ(field_of(flat, {}), "triangles[0]");
}

}  // namespace
}  // namespace tactus::detail
