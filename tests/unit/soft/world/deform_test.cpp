#include "tactus/deform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/soft/contact/contacts.hpp"
#include "tactus/soft/contact/nearest.hpp"
#include "tactus/soft/model/elements.hpp"
#include "tactus/soft/model/structure.hpp"

namespace tactus::detail {
namespace {

using detail::Random;

Vec3 random_vector(Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return {x, y, z};
}

DeformableDefinition solid(const TetrahedralMesh& mesh) {
  DeformableDefinition d;
  d.vertices = mesh.vertices;
  d.tetrahedra = mesh.tetrahedra;
  return d;
}

TetrahedralMesh one_tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "taken";
}

TEST(Tetrahedra, BadOnesAreNamed) {
  TetrahedralMesh mesh = one_tetrahedron();
  EXPECT_NO_THROW(validate(mesh));
  std::swap(mesh.tetrahedra[0][0], mesh.tetrahedra[0][1]);
  EXPECT_EQ(refusal([&] { validate(mesh); }), "tetrahedra[0]");
  mesh = one_tetrahedron();
  mesh.vertices[3] = {0.3, 0.3, 0.0};
  EXPECT_EQ(refusal([&] { validate(mesh); }), "tetrahedra[0]");
  mesh.vertices[3].z = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&] { validate(mesh); }), "vertices[3]");
  mesh = one_tetrahedron();
  mesh.tetrahedra[0][2] = 9;
  EXPECT_EQ(refusal([&] { validate(mesh); }), "tetrahedra[0]");
  EXPECT_EQ(refusal([] { tetrahedral_box({1, 1, 1}, {1, 0, 1}); }), "cells");
  EXPECT_EQ(refusal([] { tetrahedral_sphere(1.0, 1e-9); }), "edge");
}

TEST(Tetrahedra, QualityOfKnownOnes) {
  const double s = std::sqrt(0.5);
  const TetrahedralMesh regular{{{1, 0, -s}, {-1, 0, -s}, {0, 1, s}, {0, -1, s}}, {{0, 2, 1, 3}}};
  ASSERT_NO_THROW(validate(regular));
  const TetrahedraQuality q = quality(regular);
  EXPECT_NEAR(q.least_ratio, 1.0, 1e-14);
  EXPECT_NEAR(q.least_angle, std::acos(1.0 / 3.0), 1e-14);
  EXPECT_NEAR(q.greatest_angle, q.least_angle, 1e-14);
  EXPECT_NEAR(q.volume, 8.0 / (6.0 * std::sqrt(2.0)), 1e-14);
  const TetrahedraQuality corner = quality(one_tetrahedron());
  EXPECT_NEAR(corner.greatest_angle, std::acos(0.0), 1e-14);
}

TEST(Tetrahedra, BoxAndItsSurface) {
  const TetrahedralMesh mesh = tetrahedral_box({2, 3, 4}, {2, 3, 4});
  ASSERT_NO_THROW(validate(mesh));
  EXPECT_EQ(mesh.tetrahedra.size(), 6u * 24u);
  EXPECT_NEAR(quality(mesh).volume, 24.0, 1e-12);
  const Mesh surface(TriangleMesh{mesh.vertices, surface_of(mesh)});
  EXPECT_EQ(surface.mesh().triangles.size(), 4u * (6 + 8 + 12));
  EXPECT_TRUE(surface.closed());
  EXPECT_FALSE(surface.inward());
}

TEST(Tetrahedra, FillABallAndAShapeWithAHole) {
  const TetrahedralMesh ball = tetrahedral_sphere(1.0, 0.25);
  ASSERT_NO_THROW(validate(ball));
  const TetrahedraQuality q = quality(ball);
  EXPECT_NEAR(q.volume, 4.18879, 0.1);
  EXPECT_GT(q.least_angle, 0.15);
  const Mesh surface(TriangleMesh{ball.vertices, surface_of(ball)});
  EXPECT_TRUE(surface.closed());
  const TetrahedralMesh filled = fill_with_tetrahedra(surface, 0.3);
  ASSERT_NO_THROW(validate(filled));
  EXPECT_NEAR(quality(filled).volume, q.volume, 0.05 * q.volume);
  EXPECT_TRUE(Mesh(TriangleMesh{filled.vertices, surface_of(filled)}).closed());
  const Mesh open(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  EXPECT_EQ(refusal([&] { fill_with_tetrahedra(open, 0.1); }), "surface");
}

/// The local model against differences of the energy.
TEST(Elements, LocalModelsAreDerivatives) {
  Random random(7);
  for (int round = 0; round < 50; ++round) {
    DeformableDefinition d = solid(one_tetrahedron());
    for (Vec3& v : d.vertices) v += random_vector(random) * 0.1;
    d.material.poisson = 0.3;
    const detail::Structure s = detail::make_structure(d);
    const detail::TetrahedronElement& e = s.tetrahedra.front();
    EXPECT_NEAR(e.energy(d.vertices), 0.0, 3e-10);
    std::vector<Vec3> x = d.vertices;
    for (Vec3& v : x) v += random_vector(random) * 0.5;
    for (int corner = 0; corner < 4; ++corner) {
      const auto c = static_cast<std::size_t>(corner);
      detail::LocalModel model;
      detail::corner_of(e, corner).add(x[c], x, model);
      const Vec3 move = random_vector(random) * 0.1;
      std::vector<Vec3> y = x;
      y[c] += move;
      // The energy is quadratic in the place of one vertex: the model is exact.
      const double change = dot(model.gradient, move) + 0.5 * dot(move, model.hessian * move);
      const double truth = e.energy(y) - e.energy(x);
      EXPECT_NEAR(change, truth, 1e-9 * (std::fabs(e.energy(x)) + 1e5));
    }
  }
}

TEST(Elements, ASpringOfTwoVertices) {
  detail::TieElement t;
  t.vertices = {0, 1, 0, 0};
  t.weights = {1, -1, 0, 0};
  t.count = 2;
  t.rest = 2.0;
  t.stiffness = 3.0;
  const std::vector<Vec3> x{{0, 0, 0}, {5, 0, 0}};
  EXPECT_DOUBLE_EQ(t.energy(x), 0.5 * 3.0 * 9.0);
  detail::LocalModel model;
  t.add(0, x, 0.0, 0.0, model);
  EXPECT_DOUBLE_EQ(model.gradient.x, -9.0);
  EXPECT_DOUBLE_EQ(model.hessian(0, 0), 3.0);
  EXPECT_DOUBLE_EQ(model.hessian(1, 1), 3.0 * (1.0 - 2.0 / 5.0));
}

TEST(Elements, ABentSheetHasThePlatesEnergy) {
  // A strip rolled to a cylinder of radius R: D / 2 / R^2 per area, D the plate's stiffness.
  DeformableDefinition d;
  constexpr int kCells = 40;
  constexpr double kLength = 1.0, kRadius = 2.0;
  for (int j = 0; j <= kCells; ++j) {
    for (int i = 0; i <= 4; ++i) d.vertices.push_back({kLength * j / kCells, 0.1 * i / 4.0, 0.0});
  }
  for (std::uint32_t j = 0; j < kCells; ++j) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t a = j * 5 + i;
      d.triangles.push_back({a, a + 5, a + 6});
      d.triangles.push_back({a, a + 6, a + 1});
    }
  }
  d.material.poisson = 0.0;
  d.material.thickness = 0.01;
  const detail::Structure s = detail::make_structure(d);
  std::vector<Vec3> x = d.vertices;
  for (Vec3& v : x) {
    const double angle = v.x / kRadius;
    v = {kRadius * std::sin(angle), v.y, kRadius * (1.0 - std::cos(angle))};
  }
  double energy = 0.0;
  for (const detail::TieElement& t : s.ties) energy += t.count == 4 ? t.energy(x) : 0.0;
  const double plate = 1e5 * 1e-6 / 12.0;
  EXPECT_NEAR(energy, 0.5 * plate / (kRadius * kRadius) * kLength * 0.1, 0.1 * energy);
}

/// Against a fine grid of points.
TEST(Nearest, PrimitivesAgainstSampling) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    Vec3 p[4];
    for (Vec3& v : p) v = random_vector(random);
    const auto length = [&](const detail::NearestWeights& w) {
      return norm(((p[0] * w.w[0] + p[1] * w.w[1]) + p[2] * w.w[2]) + p[3] * w.w[3]);
    };
    const double face = length(detail::nearest_vertex_face(p[0], p[1], p[2], p[3]));
    const double edges = length(detail::nearest_edges(p[0], p[1], p[2], p[3]));
    double least_face = 1e9, least_edges = 1e9;
    for (int i = 0; i <= 40; ++i) {
      for (int j = 0; j <= 40; ++j) {
        const double s = i / 40.0, t = j / 40.0;
        least_edges =
            std::fmin(least_edges, norm((p[0] + (p[1] - p[0]) * s) - (p[2] + (p[3] - p[2]) * t)));
        if (i + j > 40) continue;
        least_face =
            std::fmin(least_face, norm(p[0] - ((p[1] + (p[2] - p[1]) * s) + (p[3] - p[1]) * t)));
      }
    }
    EXPECT_LE(face, least_face + 1e-12);
    EXPECT_GE(face, least_face - 0.08);
    EXPECT_LE(edges, least_edges + 1e-12);
    EXPECT_GE(edges, least_edges - 0.08);
  }
}

TEST(Barrier, IsSmoothAndNeverCloses) {
  const detail::Barrier b{0.1};
  for (const double d : {0.09, 0.051, 0.049, 0.01, 1e-6, 1e-200}) {
    const double h = 1e-5 * d;
    EXPECT_NEAR((b.energy(2.0, d + h) - b.energy(2.0, d - h)) / (2.0 * h), b.slope(2.0, d),
                1e-6 * std::fabs(b.slope(2.0, d)) + 1e-9);
    EXPECT_LT(b.slope(2.0, d), 0.0);
    EXPECT_GT(b.curvature(2.0, d), 0.0);
  }
  EXPECT_EQ(b.energy(2.0, 0.1), 0.0);
  EXPECT_NEAR(b.energy(1.0, 1e-3), 0.01 * (0.125 - 0.25 * std::log(0.02)), 1e-15);
}

TEST(DeformableWorld, BadInputIsNamed) {
  DeformableWorld world;
  DeformableDefinition d = solid(one_tetrahedron());
  d.fixed = {9};
  EXPECT_EQ(refusal([&] { world.add(d); }), "fixed[0]");
  d = solid(one_tetrahedron());
  d.material.young = -1.0;
  EXPECT_EQ(refusal([&] { world.add(d); }), "material.young");
  d = solid(one_tetrahedron());
  d.triangles = {{0, 1, 2}};
  EXPECT_EQ(refusal([&] { world.add(d); }), "tetrahedra");
  d.tetrahedra.clear();
  EXPECT_EQ(refusal([&] { world.add(d); }), "vertices[3]");
  d.vertices[1] = d.vertices[0];
  EXPECT_EQ(refusal([&] { world.add(d); }), "triangles[0]");
  EXPECT_EQ(refusal([&] { world.positions(0); }), "id");
  DeformableSettings settings;
  settings.sweeps = 0;
  EXPECT_EQ(refusal([&] { DeformableWorld w(settings); }), "sweeps");
  EXPECT_EQ(refusal([&] { world.add_obstacle({Sphere(1.0), Pose(), {}, -1.0}); }), "friction");
  EXPECT_EQ(
      refusal([&] { world.add_obstacle({HalfSpace({0, 0, 1}, 0), Pose(), {{1, 0, 0}, {}}}); }),
      "motion");
}

TEST(DeformableWorld, StartsThatCrossAreRefused) {
  DeformableWorld world;
  const TetrahedralMesh box = tetrahedral_box({1, 1, 1}, {2, 2, 2});
  world.add(solid(box));
  DeformableDefinition other = solid(box);
  other.pose = Pose::translation({0.9, 0.1, 0.2});
  world.add(other);
  EXPECT_FALSE(world.crossings().empty());
  EXPECT_EQ(refusal([&] { world.step(); }).substr(0, 7), "bodies[");
  DeformableWorld floor;
  floor.add(solid(box));
  floor.add_obstacle({HalfSpace({0, 0, 1}, 0.0)});
  // Nine below, and nine in the plane, one of them within the box.
  EXPECT_EQ(floor.crossings().size(), 18u);
  EXPECT_EQ(refusal([&] { floor.step(); }), "bodies[0]");
}

TEST(DeformableWorld, FallsFreelyAsABody) {
  for (const DeformableModel model : {DeformableModel::neo_hookean, DeformableModel::mass_spring}) {
    DeformableSettings settings;
    settings.time_step = 0.01;
    DeformableWorld world(settings);
    DeformableDefinition d = solid(tetrahedral_box({1, 1, 1}, {2, 2, 2}));
    d.material.model = model;
    d.material.damping = 0.01;
    d.linear_velocity = {1.0, 0.0, 2.0};
    world.add(d);
    for (int k = 0; k < 50; ++k) world.step();
    // Implicit Euler: z = v t - g h^2 n (n + 1) / 2.
    const double z = 2.0 * 0.5 - 9.81 * 1e-4 * 50 * 51 / 2;
    for (std::size_t i = 0; i < d.vertices.size(); ++i) {
      const Vec3 moved = world.positions(0)[i] - d.vertices[i];
      EXPECT_NEAR(moved.x, 0.5, 2e-13);
      EXPECT_NEAR(moved.z, z, 4e-14);
    }
  }
}

/// A block on a slope: it stays when the friction is enough, and slides as Coulomb says when not.
TEST(DeformableWorld, FrictionIsCoulombs) {
  for (const double friction : {0.1, 0.7}) {
    DeformableSettings settings;
    settings.time_step = 0.01;
    const double angle = 0.4, g = 9.81;
    settings.gravity = {g * std::sin(angle), 0.0, -g * std::cos(angle)};
    settings.sweeps = 200;
    DeformableWorld world(settings);
    DeformableDefinition d = solid(tetrahedral_box({0.4, 0.4, 0.2}, {2, 2, 1}));
    d.material.friction = friction;
    d.material.young = 1e6;
    d.material.damping = 0.01;
    d.pose = Pose::translation({0.0, 0.0, 0.115});
    world.add(d);
    world.add_obstacle({HalfSpace({0, 0, 1}, 0.0), Pose(), {}, friction});
    for (int k = 0; k < 100; ++k) world.step();
    double speed = 0.0;
    for (const Vec3& v : world.velocities(0)) speed += v.x / static_cast<double>(d.vertices.size());
    if (friction > 0.5) {
      EXPECT_LT(std::fabs(speed), 2e-3);
    } else {
      const double expected = g * (std::sin(angle) - friction * std::cos(angle)) * 1.0;
      EXPECT_NEAR(speed, expected, 0.05 * expected);
    }
  }
}

TEST(DeformableWorld, SameBitsForAnyThreadsAndAfterARestore) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2}) {
    DeformableSettings settings;
    settings.max_threads = threads;
    const auto build = [&] {
      DeformableWorld world(settings);
      const TetrahedralMesh ball = tetrahedral_sphere(0.2, 0.12);
      for (int k = 0; k < 3; ++k) {
        DeformableDefinition d = solid(ball);
        d.material.young = 3e4;
        d.pose = Pose::translation({0.02 * k, 0.0, 0.22 + 0.42 * k});
        world.add(d);
      }
      world.add_obstacle({HalfSpace({0, 0, 1}, 0.0)});
      world.add_obstacle(
          {Sphere(0.1), Pose::translation({0.35, 0.0, 0.2}), {{-0.2, 0, 0}, {0, 0, 1}}});
      return world;
    };
    DeformableWorld world = build();
    for (int k = 0; k < 6; ++k) world.step();
    const DeformableState middle = world.save();
    for (int k = 0; k < 4; ++k) world.step();
    hashes.push_back(world.state_hash());
    DeformableWorld again = build();
    again.restore(middle);
    for (int k = 0; k < 4; ++k) again.step();
    EXPECT_EQ(again.state_hash(), hashes.back());
    EXPECT_TRUE(world.crossings().empty());
  }
  EXPECT_EQ(hashes[1], hashes[0]);
}

TEST(DeformableWorld, AnObstacleThatPressesWaits) {
  DeformableSettings settings;
  settings.gravity = {};
  DeformableWorld world(settings);
  DeformableDefinition d = solid(tetrahedral_box({0.4, 0.4, 0.4}, {2, 2, 2}));
  world.add(d);
  world.add_obstacle({HalfSpace({0, 0, 1}, -0.25)});
  // A plate comes down farther than there is room.
  world.add_obstacle({Box({1.0, 1.0, 0.1}), Pose::translation({0, 0, 0.3}), {{0, 0, -1.0}, {}}});
  bool waited = false;
  for (int k = 0; k < 40; ++k) {
    waited = world.step().held_back || waited;
    EXPECT_TRUE(world.crossings().empty());
  }
  EXPECT_TRUE(waited);
}

TEST(Tessellation, HoldsTheShape) {
  Random random(5);
  const Shape shapes[] = {Sphere(0.7),    Capsule(0.2, 1.0),          Cylinder(0.4, 0.8),
                          Cone(0.5, 1.0), Ellipsoid({0.3, 0.5, 0.9}), Shape(Box({1, 2, 0.5}), 0.1)};
  for (const Shape& shape : shapes) {
    const Tessellation t = tessellate(shape, 0.02);
    EXPECT_LE(t.beyond, 0.02 * extent(shape));
    for (const auto& f : t.mesh.triangles) {
      const Vec3 a = t.mesh.vertices[f[0]], b = t.mesh.vertices[f[1]], c = t.mesh.vertices[f[2]];
      const Vec3 n = cross(b - a, c - a);
      if (norm(n) < 1e-12) continue;
      EXPECT_GE(dot(normalized(n), a), support_value(shape, normalized(n)) - 1e-12);
    }
    for (const Vec3& v : t.mesh.vertices) {
      const Vec3 n = normalized(v);
      EXPECT_LE(dot(v, n), support_value(shape, n) + t.beyond + 1e-12);
    }
  }
  EXPECT_EQ(refusal([] { tessellate(HalfSpace({0, 0, 1}, 0)); }), "shape");
  EXPECT_EQ(refusal([] { tessellate(Sphere(1.0), 1.0); }), "tolerance");
}

TEST(PointsInTetrahedra, BallsThatOverlap) {
  const TetrahedralMesh ball = tetrahedral_sphere(1.0, 0.2);
  TetrahedralMesh other = ball;
  for (Vec3& v : other.vertices) v += Vec3{0.03, 0.04, 1.8};
  const auto surface = surface_of(ball);
  const TetrahedralBody bodies[] = {{ball.vertices, ball.tetrahedra, surface},
                                    {other.vertices, other.tetrahedra, surface}};
  const std::vector<PointPenetration> found = points_in_tetrahedra(bodies);
  // Against winding numbers: all surface vertices of one that are inside of the other.
  std::vector<bool> on_surface(ball.vertices.size(), false);
  for (const auto& f : surface) on_surface[f[0]] = on_surface[f[1]] = on_surface[f[2]] = true;
  std::size_t expected = 0;
  for (std::size_t b = 0; b < 2; ++b) {
    const TetrahedralMesh& outer = b == 0 ? other : ball;
    const Mesh shell(TriangleMesh{outer.vertices, surface});
    for (std::size_t i = 0; i < ball.vertices.size(); ++i)
      expected += on_surface[i] && shell.holds(bodies[b].vertices[i]) ? 1 : 0;
  }
  EXPECT_EQ(found.size(), expected);
  ASSERT_GT(expected, 10u);
  double deepest = 0.0;
  for (const PointPenetration& p : found) {
    EXPECT_GT(p.direction.z * (p.body == 0 ? -1.0 : 1.0), 0.7);
    EXPECT_NEAR(norm(p.direction), 1.0, 2e-14);
    deepest = std::fmax(deepest, p.depth);
  }
  // Handed on along the directions of neighbours, which spread.
  EXPECT_NEAR(deepest, 0.2, 0.1);
  const TetrahedralBody alone[] = {{ball.vertices, ball.tetrahedra, surface}};
  EXPECT_TRUE(points_in_tetrahedra(alone).empty());
}

// No edge leads out of the box: each vertex is as deep as the nearest side is far.
TEST(PointsInTetrahedra, ABodyInsideAnother) {
  const TetrahedralMesh box = tetrahedral_box({4.0, 4.0, 4.0}, {4, 4, 4});
  const TetrahedralMesh inner{{{0.2, 0.1, 0.2}, {0.4, 0.1, 0.2}, {0.3, 0.3, 0.2}, {0.31, 0.2, 0.0}},
                              {{1, 0, 2, 3}}};
  const auto box_surface = surface_of(box), inner_surface = surface_of(inner);
  const TetrahedralBody bodies[] = {{box.vertices, box.tetrahedra, box_surface},
                                    {inner.vertices, inner.tetrahedra, inner_surface}};
  const std::vector<PointPenetration> found = points_in_tetrahedra(bodies);
  ASSERT_EQ(found.size(), 4u);
  for (const PointPenetration& p : found) {
    EXPECT_EQ(p.body, 1u);
    EXPECT_EQ(p.other, 0u);
    EXPECT_NEAR(p.depth, 2.0 - max_abs(inner.vertices[p.vertex]), 1e-14);
  }
}

}  // namespace
}  // namespace tactus::detail
