#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/membership.hpp"
#include "tests/support/perturbation.hpp"

namespace tactus::detail {
namespace {

TEST(ContactCases, PointsOverANarrowFaceAreOnIt) {
  // The plane of a face of width 1e-6 is known to 1e-10 at its ends; a clipped point was lifted
  // along it and lay 2e-10 beside the face.
  const Shape sliver =
      Convex(std::array{Vec3{-0.95011453821596437, 0.70525007712734356, -0.95010855136283512},
                        Vec3{-0.42066484563873296, 0.52116429880909365, 0.71724122389904754},
                        Vec3{-0.6853895730482521, 0.61320693399226411, -0.11643268777577651}});
  const Shape box = Box({1, 1, 0.7});
  const Pose pose(
      Vec3{-0.14546906260052092, -0.11915350233826273, 0.13856375011114413},
      Quat{0.41320401543247753, 0.24512084206868362, -0.30267747790811467, 0.8231430973902405});
  QueryOptions options;
  options.margin = 5.0;
  std::array<Manifold, 1> out;
  ASSERT_EQ(contacts(sliver, Pose(), box, pose, out, options).manifolds, 1);
  // Two of its corners are nearer to each other than 1e-7 of the size.
  EXPECT_EQ(out[0].count, 2);
  for (const ContactPoint& p : out[0].span()) {
    EXPECT_LE(distance_outside(sliver, p.point_a), 1e-15);
    EXPECT_LE(distance_outside(box, pose.to_local(p.point_b)), 1e-15);
    EXPECT_NEAR(dot(p.point_a - p.point_b, out[0].normal), p.depth, 1e-12);
  }
}

// An angle of steel: two plates of thickness 0.1 that meet at a right angle.
Mesh angle() {
  const double profile[6][2] = {{-0.4, -0.4}, {0.5, -0.4}, {0.5, -0.1},
                                {-0.1, -0.1}, {-0.1, 0.5}, {-0.4, 0.5}};
  TriangleMesh mesh;
  for (const double y : {-0.1, 0.1}) {
    for (const auto& p : profile) mesh.vertices.push_back(Vec3{p[0], 3.0 * y, p[1]} / 3.0);
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t j = (i + 1) % 6;
    mesh.triangles.push_back({i, i + 6, j});
    mesh.triangles.push_back({j, i + 6, j + 6});
  }
  for (std::uint32_t i = 2; i < 6; ++i) {
    mesh.triangles.push_back({0, i - 1, i});
    mesh.triangles.push_back({6, i + 6, i + 5});
  }
  return Mesh(mesh);
}

TEST(ContactCases, AnEdgeAcrossAnotherIsNotPushedOutThroughTheBody) {
  // One angle rests with an edge on a plate of the other, 3e-3 deep. Triangles of both cross the
  // plane of a side face, far from it: that was a contact of depth 0.15.
  const Mesh mesh = angle();
  const Pose pose_a = Pose::from_matrix(
      {-0.14544143832497, 0.18110851730789887, 0.48778698464501558},
      Mat3::from_columns({-0.34704279897842263, 0.34845895186216902, 0.87071100506202115},
                         {-0.92016018695149571, 0.052955012018655601, -0.3879445798712654},
                         {-0.18129127342038565, -0.93582697416200966, 0.30226039868363885}));
  const Pose pose_b = Pose::from_matrix(
      {-0.028734373181329022, 0.085672621628591739, 0.50148369613538246},
      Mat3::from_columns({0.33187098068382825, -0.40089261197111553, -0.85390091102359811},
                         {-0.19050328410293466, -0.91503522567735196, 0.35555454506389617},
                         {-0.92388860309344156, 0.044672692291535615, -0.38004499685889193}));
  std::array<Manifold, 16> out;
  const int count = contacts(mesh, pose_a, mesh, pose_b, out).manifolds;
  EXPECT_GT(count, 0);
  double deepest = -1.0;
  for (int i = 0; i < count; ++i) {
    for (const ContactPoint& p : out[static_cast<std::size_t>(i)].span())
      deepest = std::max(deepest, p.depth);
  }
  EXPECT_GT(deepest, 1e-3);
  EXPECT_LT(deepest, 1e-2);
}

TEST(ContactCases, CubesOnOneAnotherKeepTheirCorners) {
  // Turned by 1e-9, the edges of equal cubes cross in the middle of the face: these crossings were
  // kept instead of corners, and points jumped by half an edge.
  Random random(31);
  const Shape cube = Box({0.7, 0.7, 0.7});
  const Mat3 world = to_matrix(normalized(Quat{0.3, -0.2, 0.8, 0.4}));
  const Pose lower = detail::unchecked_pose({0.4, -1.2, 0.3}, world);
  const Pose upper =
      detail::unchecked_pose(lower.position() + world * Vec3{0, 0, 0.7 - 4e-4}, world);
  const Manifold still = test::only_patch(cube, lower, cube, upper);
  ASSERT_EQ(still.count, 4);
  for (const ContactPoint& p : still.span()) {
    const Vec3 corner = lower.to_local(p.point_a);
    EXPECT_NEAR(std::fabs(corner.x), 0.35, 1e-12);
    EXPECT_NEAR(std::fabs(corner.y), 0.35, 1e-12);
  }
  for (int i = 0; i < 200; ++i) {
    const Manifold moved =
        test::only_patch(cube, lower, cube, test::perturbed(upper, 1e-9, random));
    EXPECT_LE(test::farthest_move(still, moved), 1e-7);
  }
}

TEST(ContactCases, PointsOfRoundedBodiesAreOnTheirSurfaces) {
  // Corners of the core were moved out along the normal, also where the surface looks elsewhere:
  // points lay up to a tenth of the size inside.
  const Shape rounded(Box({0.8, 1.1, 0.9}), 0.25);
  const Quat tilts[] = {normalized(Quat{1, 0.02, -0.016, 0.3}), normalized(Quat{1, 0.2, 0.05, 0}),
                        normalized(Quat{1, 0.0, 0.01, 0})};
  const Shape below[] = {Box({3, 3, 1}), HalfSpace({0, 0, 1}, 0.5), Shape(Box({2, 2, 0.4}), 0.3)};
  for (const Shape& lower : below) {
    for (const Quat& tilt : tilts) {
      const Pose pose(Vec3{0.2, -0.1, 1.19}, tilt);
      const Manifold patch = test::only_patch(lower, Pose(), rounded, pose, 0.5);
      ASSERT_GE(patch.count, 1);
      double deepest = -1.0;
      for (const ContactPoint& p : patch.span()) {
        const auto off = [&](const Shape& shape, const Pose& placed, const Vec3& point) {
          const Pose ball = Pose::translation(point);
          return std::fabs(distance(shape, placed, Sphere(0.0), ball).distance);
        };
        EXPECT_LE(off(lower, Pose(), p.point_a), 1e-14);
        EXPECT_LE(off(rounded, pose, p.point_b), 1e-14);
        EXPECT_NEAR(dot(p.point_a - p.point_b, patch.normal), p.depth, 1e-14);
        deepest = std::max(deepest, p.depth);
      }
      EXPECT_NEAR(deepest, -distance(lower, Pose(), rounded, pose).distance, 1e-7);
    }
  }
}

TEST(ContactCases, FacesOfMeshesThatPassedThroughEachOtherShareTheirCorners) {
  // Where two meshes overlap a little, no triangles of the common face meet: only corners of the
  // side faces were found, and a corner of the common face was missing.
  TriangleMesh prism;
  const double outline[4][2] = {{0.9, 0.1}, {-0.2, 0.8}, {-0.7, -0.1}, {0.1, -0.6}};
  for (const double z : {-0.3, 0.3}) {
    for (const auto& p : outline) prism.vertices.push_back({p[0], p[1], z});
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t j = (i + 1) % 4;
    prism.triangles.push_back({i, j, j + 4});
    prism.triangles.push_back({i, j + 4, i + 4});
  }
  for (std::uint32_t i = 2; i < 4; ++i) {
    prism.triangles.push_back({0, i, i - 1});
    prism.triangles.push_back({4, i + 3, i + 4});
  }
  const Mesh mesh(prism);
  const Pose above = Pose(Vec3{0.3, 0.1, 0.6 - 4e-4}, normalized(Quat{1, 0, 0, 0.4}));
  const Manifold patch = test::only_patch(mesh, Pose(), mesh, above);
  const Manifold hulls =
      test::only_patch(Shape(Convex(prism.vertices)), Pose(), Shape(Convex(prism.vertices)), above);
  ASSERT_EQ(patch.count, 4);
  EXPECT_LE(test::farthest_move(patch, hulls), 1e-6);
}

TEST(ContactCases, AWitnessByTheEndOfACapsuleStaysThere) {
  // The classic search ends with points within its tolerance. One of a segment, a rounding from its
  // end, was moved onto the surface across the segment, half a radius away; its point inside of the
  // capsule was told instead.
  const Shape thick = Capsule(0.9685460461331555, 0.5041489917203317);
  const Shape thin = Capsule(0.37616640878352203, 1.624540162045953);
  const Pose pose(Vec3{-0.5037313777734003, 0.14233380492224978, -0.4593999881832834},
                  normalized(Quat{0.16453895799704035, -0.11233131807361012, 0.870719106738913,
                                  -0.4496185532658657}));
  QueryOptions options;
  options.method = Method::epa_classic;
  std::array<Manifold, 1> out;
  ASSERT_EQ(contacts(thick, Pose(), thin, pose, out, options).manifolds, 1);
  const ContactPoint& p = out[0].points[0];
  EXPECT_LE(std::fabs(distance(thick, Pose(), Sphere(0.0), Pose(p.point_a, Quat())).distance),
            1e-15);
  EXPECT_LE(std::fabs(distance(thin, pose, Sphere(0.0), Pose(p.point_b, Quat())).distance), 1e-15);
}

}  // namespace
}  // namespace tactus::detail
