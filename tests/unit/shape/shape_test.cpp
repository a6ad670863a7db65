#include "tactus/shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/triangle_cases.hpp"

namespace tactus::detail {
namespace {

const double kNan = std::nan("");

// Name of the field that is refused, empty when nothing is.
std::string refused(const std::function<void()>& build) {
  try {
    build();
  } catch (const InvalidInput& error) {
    EXPECT_FALSE(error.reason().empty());
    return error.field();
  }
  return "";
}

TEST(Shape, RefusesLengthsByName) {
  for (const double bad : {-1.0, -1e-300, kNan, kInfinity, -kInfinity}) {
    EXPECT_EQ(refused([&] { Sphere{bad}; }), "radius");
    EXPECT_EQ(refused([&] { Capsule(bad, 1.0); }), "radius");
    EXPECT_EQ(refused([&] { Capsule(1.0, bad); }), "length");
    EXPECT_EQ(refused([&] { Cylinder(bad, 1.0); }), "radius");
    EXPECT_EQ(refused([&] { Cylinder(1.0, bad); }), "length");
    EXPECT_EQ(refused([&] { Cone(bad, 1.0); }), "radius");
    EXPECT_EQ(refused([&] { Cone(1.0, bad); }), "length");
    for (int i = 0; i < 3; ++i) {
      Vec3 v{1.0, 1.0, 1.0};
      v[i] = bad;
      EXPECT_EQ(refused([&] { Box{v}; }), "size");
      EXPECT_EQ(refused([&] { Ellipsoid{v}; }), "radii");
    }
    EXPECT_EQ(refused([&] { Shape(Sphere(1.0), bad); }), "rounding");
  }
  EXPECT_EQ(refused([] { Ellipsoid{{1.0, 0.0, 1.0}}; }), "radii");
}

TEST(Shape, AllowsBodiesWithoutVolume) {
  EXPECT_EQ(refused([] {
              Sphere{0.0};
              Box{{0.0, 1.0, 0.0}};
              Capsule(0.0, 0.0);
              Cylinder(0.0, 1.0);
              Cylinder(1.0, 0.0);
              Cone(0.0, 1.0);
              Cone(1.0, 0.0);
            }),
            "");
}

TEST(Shape, NamesTheRefusedValue) {
  try {
    Sphere{-0.25};
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "radius: must be finite and not negative, is -0.25");
  }
}

TEST(Shape, RefusesBrokenPointSetsAndMeshes) {
  EXPECT_EQ(refused([] { Convex{std::vector<Vec3>{}}; }), "vertices");
  EXPECT_EQ(refused([] { Convex{ConvexHull{}}; }), "vertices");
  EXPECT_EQ(refused([] { Convex{std::vector<Vec3>{{0, 0, 0}, {0, kInfinity, 0}}}; }),
            "vertices[1]");
  EXPECT_EQ(refused([] { Mesh{TriangleMesh{}}; }), "vertices");
  EXPECT_EQ(refused([] { Mesh{TriangleMesh{{{0, 0, 0}}, {{0, 0, 1}}}}; }), "triangles[0]");
  EXPECT_EQ(refused([] { CustomConvex{nullptr}; }), "function");
}

TEST(HalfSpace, IsNormalisedWithItsOffset) {
  const HalfSpace plane({0.0, 3.0, 4.0}, 10.0);
  EXPECT_EQ(plane.normal(), (Vec3{0.0, 0.6, 0.8}));
  EXPECT_EQ(plane.offset(), 2.0);
  const HalfSpace small({0.0, 0.0, 1e-300}, 1e-300);
  EXPECT_EQ(small.normal(), (Vec3{0.0, 0.0, 1.0}));
  EXPECT_EQ(small.offset(), 1.0);
  EXPECT_EQ(HalfSpace({0.0, 0.0, -1e300}, 1e300).offset(), 1.0);
  EXPECT_EQ(refused([] { HalfSpace({0.0, 0.0, 0.0}, 1.0); }), "normal");
  EXPECT_EQ(refused([] { HalfSpace({0.0, kNan, 0.0}, 1.0); }), "normal");
  EXPECT_EQ(refused([] { HalfSpace({0.0, 1.0, 0.0}, kInfinity); }), "offset");
  EXPECT_EQ(refused([] { HalfSpace({0.0, 1e-300, 0.0}, 1e300); }), "offset");
}

TEST(Compound, ChecksItsParts) {
  EXPECT_EQ(refused([] { Compound{{}}; }), "parts");
  EXPECT_EQ(refused([] {
              Compound{{{Sphere(1.0), Pose()},
                        {Sphere(1.0), detail::unchecked_pose({0.0, kNan, 0.0}, Mat3::identity())}}};
            }),
            "parts[1].pose");
  const Compound pair{{{Sphere(1.0), Pose()}, {Box({1, 1, 1}), Pose::translation({1, 0, 0})}}};
  EXPECT_EQ(pair.parts().size(), 2u);
}

TEST(Shape, HullsWhoseFacesLackCornersAreRefused) {
  const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const ConvexHull whole = convex_hull(corners);
  EXPECT_NO_THROW(Convex{whole});
  const auto field_of = [](const ConvexHull& hull) {
    return refused([&] { const Convex convex(hull); });
  };
  ConvexHull hull = whole;
  hull.face_vertices[4] = 4;
  EXPECT_EQ(field_of(hull), "faces[1]");
  hull = whole;
  hull.faces[2].count = 100;
  EXPECT_EQ(field_of(hull), "faces[2]");
  hull = whole;
  hull.faces[3].first = ~0u;
  EXPECT_EQ(field_of(hull), "faces[3]");
  hull = whole;
  hull.edges[5].right = 4;
  EXPECT_EQ(field_of(hull), "edges[5]");
  hull = whole;
  hull.edges[2].head = 4;
  EXPECT_EQ(field_of(hull), "edges[2]");
  hull = whole;
  hull.neighbors[7] = 4;
  EXPECT_EQ(field_of(hull), "neighbors[7]");
  hull = whole;
  hull.neighbor_first[2] = 11;
  EXPECT_EQ(field_of(hull), "neighbor_first[2]");
  hull = whole;
  hull.neighbor_first.pop_back();
  EXPECT_EQ(field_of(hull), "neighbor_first");
  hull = whole;
  hull.vertices[1].y = std::nan("");
  EXPECT_EQ(field_of(hull), "vertices[1]");
}

// Every number in the lists of a hull, overwritten: refused, or a body that can be asked.
TEST(Shape, NoHullWithWrongNumbersIsReadBeyondItsLists) {
  Random random(7);
  std::vector<Vec3> points(12);
  for (Vec3& p : points) p = random_corner(random);
  const ConvexHull whole = convex_hull(points);
  int refusals = 0, taken = 0;
  for (int i = 0; i < test::effort(2000); ++i) {
    ConvexHull hull = whole;
    const auto other = [&]() -> std::uint32_t {
      return i % 7 == 0 ? ~0u : static_cast<std::uint32_t>(random.uniform(0.0, 40.0));
    };
    const auto one_of = [&](auto& list) -> auto& {
      const double at = random.uniform(0.0, 0.999) * static_cast<double>(list.size());
      return list[static_cast<std::size_t>(at)];
    };
    switch (i % 8) {
      case 0:
        hull.dimension = static_cast<int>(other() % 6);
        break;
      case 1:
        one_of(hull.faces).first = other();
        break;
      case 2:
        one_of(hull.faces).count = other();
        break;
      case 3:
        one_of(hull.face_vertices) = other();
        break;
      case 4:
        one_of(hull.edges).tail = other();
        break;
      case 5:
        one_of(hull.edges).left = other();
        break;
      case 6:
        one_of(hull.neighbor_first) = other();
        break;
      default:
        one_of(hull.neighbors) = other();
        break;
    }
    try {
      const Shape body{Convex(hull)};
      support(body, random_corner(random));
      distance(body, Pose(), Box({1, 1, 1}), Pose::translation({1.1, 0.3, 0.2}));
      EXPECT_TRUE(std::isfinite(mass_properties(hull).volume));
      ++taken;
    } catch (const InvalidInput&) {
      EXPECT_THROW(mass_properties(hull), InvalidInput);
      ++refusals;
    }
  }
  EXPECT_GT(refusals, taken / 4);
  EXPECT_GT(taken, refusals / 4);
}

TEST(Shape, OnlyConvexBodiesAreRounded) {
  const TriangleMesh triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  EXPECT_EQ(refused([&] { Shape(Mesh(triangle), 0.1); }), "rounding");
  EXPECT_EQ(refused([] { Shape(HalfSpace({0, 0, 1}, 0), 0.1); }), "rounding");
  EXPECT_EQ(refused([] { Shape(Compound{{{Sphere(1.0), Pose()}}}, 0.1); }), "rounding");
  EXPECT_EQ(Shape(Box({1, 1, 1}), 0.1).rounding_radius(), 0.1);
  EXPECT_TRUE(Shape(Box({1, 1, 1})).is_convex_body());
  EXPECT_FALSE(Shape(Mesh(triangle)).is_convex_body());
  EXPECT_FALSE(Shape(HalfSpace({0, 0, 1}, 0)).is_convex_body());
  EXPECT_FALSE(Shape(Compound{{{Sphere(1.0), Pose()}}}).is_convex_body());
}

TEST(Shape, TypesHaveTheirNamesInFiles) {
  EXPECT_EQ(to_string(Shape(Sphere(1.0)).type()), "sphere");
  EXPECT_EQ(to_string(Shape(Cone(1.0, 1.0)).type()), "cone");
  EXPECT_EQ(to_string(Shape(HalfSpace({0, 0, 1}, 0)).type()), "halfspace");
  EXPECT_EQ(to_string(Shape(Convex(std::vector<Vec3>{{0, 0, 0}})).type()), "convex");
  EXPECT_EQ(to_string(ShapeType::custom), "custom");
}

// A deformed surface on the old tree answers as one that is built anew.
TEST(Mesh, MovedVerticesKeepTheTree) {
  Random random(17);
  const Mesh rest(test::bumpy_mesh(3, 0.2, random));
  const Shape ball = Sphere(0.3);
  for (const double bend : {0.0, 0.2, 0.8}) {
    std::vector<Vec3> vertices = rest.mesh().vertices;
    for (Vec3& v : vertices) v = {v.x, v.y + bend * v.x * v.x, v.z * (1.0 + bend)};
    const Mesh moved = rest.moved(vertices);
    const Mesh anew(TriangleMesh{vertices, rest.mesh().triangles});
    EXPECT_EQ(moved.mesh().vertices, vertices);
    EXPECT_EQ(moved.closed(), anew.closed());
    EXPECT_EQ(moved.inward(), anew.inward());
    for (int i = 0; i < 20; ++i) {
      const Pose pose =
          Pose::translation({random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)});
      const DistanceResult x = distance(moved, {}, ball, pose), y = distance(anew, {}, ball, pose);
      // A depth inside of a bumpy body is bracketed, by whatever the tree shows first.
      if (y.distance > 0.0) {
        EXPECT_NEAR(x.distance, y.distance, 1e-13);
      }
      EXPECT_LE(x.lower, y.upper);
      EXPECT_GE(x.upper, y.lower);
    }
  }
  try {
    rest.moved({});
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "vertices");
  }
  std::vector<Vec3> spoiled = rest.mesh().vertices;
  spoiled[3].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(rest.moved(spoiled), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail
