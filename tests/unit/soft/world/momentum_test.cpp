#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tactus/deform.hpp"
#include "tests/support/effort.hpp"
#include "tests/unit/soft/sheet.hpp"

namespace tactus::detail {
namespace {

using detail::test::effort;
using detail::test::sheet;

/// Linear and angular momentum; the latter about the origin.
struct Momenta {
  Vec3 linear, angular;
  double mass = 0.0;
  Vec3 moment;  ///< mass times centre
  void add(double part, const Vec3& place, const Vec3& velocity) {
    mass += part;
    moment += place * part;
    linear += velocity * part;
    angular += cross(place, velocity * part);
  }
};

/// Masses of the vertices, from the formulas: a third of each triangle at each corner, a quarter of
/// each tetrahedron.
std::vector<double> vertex_masses(const DeformableDefinition& d) {
  std::vector<double> masses(d.vertices.size(), 0.0);
  const auto& v = d.vertices;
  for (const auto& t : d.triangles) {
    const double area = 0.5 * norm(cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]]));
    for (const std::uint32_t i : t)
      masses[i] += area * d.material.density * d.material.thickness / 3.0;
  }
  for (const auto& t : d.tetrahedra) {
    const double volume = dot(v[t[1]] - v[t[0]], cross(v[t[2]] - v[t[0]], v[t[3]] - v[t[0]])) / 6.0;
    for (const std::uint32_t i : t) masses[i] += volume * d.material.density / 4.0;
  }
  return masses;
}

/// Rigid bodies and deformables, of which nothing is held.
struct FreeFlight {
  World rigid;
  DeformableWorld soft;
  std::vector<std::vector<double>> masses;
  int crossings = 0, stops = 0;
  double gained = 0.0;  ///< most energy that a step has added
  double energy = std::numeric_limits<double>::infinity(), most_energy = 0.0;

  explicit FreeFlight(double rate, const Vec3& gravity = {})
      : rigid(rigid_settings(rate, gravity)), soft(soft_settings(rate, gravity)) {}
  static WorldSettings rigid_settings(double rate, const Vec3& gravity) {
    WorldSettings s;
    s.time_step = 1.0 / rate;
    s.gravity = gravity;
    return s;
  }
  static DeformableSettings soft_settings(double rate, const Vec3& gravity) {
    DeformableSettings s;
    s.time_step = 1.0 / rate;
    s.gravity = gravity;
    return s;
  }

  DeformableId add(const DeformableDefinition& d) {
    masses.push_back(vertex_masses(d));
    return soft.add(d);
  }
  BodyId add(const Shape& shape, double density, const Vec3& place, const Vec3& velocity,
             const Vec3& spin = {}) {
    BodyDefinition d{shape};
    d.material.density = density;
    d.pose = Pose::translation(place);
    d.linear_velocity = velocity;
    d.angular_velocity = spin;
    const BodyId id = rigid.add(d);
    soft.add_obstacle(rigid, id);
    return id;
  }
  Momenta momenta() const {
    Momenta sum;
    for (const Body& b : rigid.bodies()) {
      sum.add(b.mass().mass, b.center_of_mass(), b.linear_velocity());
      sum.angular += b.spin();
    }
    for (std::size_t d = 0; d < masses.size(); ++d) {
      const auto id = static_cast<DeformableId>(d);
      for (std::size_t i = 0; i < masses[d].size(); ++i)
        sum.add(masses[d][i], soft.positions(id)[i], soft.velocities(id)[i]);
    }
    return sum;
  }
  void step() {
    const DeformableStatistics& s = soft.step(rigid);
    gained = std::fmax(gained, s.energy() - energy);
    energy = s.energy();
    most_energy = std::fmax(most_energy, std::fabs(energy));
    stops += s.was_stopped ? 1 : 0;
    crossings += static_cast<int>(soft.crossings().size());
  }
};

/// The largest changes of the momenta in a run, relative to the sizes of what moves, and how far
/// the common centre of mass was off its way, relative to that.
struct Drift {
  double linear = 0.0, angular = 0.0, center = 0.0;
};

Drift drift_of(FreeFlight& f, int steps) {
  const Momenta before = f.momenta();
  const double linear = norm(before.linear);
  const double angular = std::fmax(norm(before.angular), 0.1 * linear);
  Drift worst;
  for (int k = 0; k < steps; ++k) {
    f.step();
    const Momenta now = f.momenta();
    const Vec3 way = before.linear * ((k + 1) * f.rigid.settings().time_step);
    worst.center = std::fmax(worst.center, norm(now.moment - before.moment - way) / norm(way));
    worst.linear = std::fmax(worst.linear, norm(now.linear - before.linear) / linear);
    worst.angular = std::fmax(worst.angular, norm(now.angular - before.angular) / angular);
  }
  return worst;
}

void expect_kept(FreeFlight& f, int steps, const std::string& name) {
  const Drift drift = drift_of(f, steps);
  EXPECT_LT(drift.linear, 2e-12) << name;
  EXPECT_LT(drift.angular, 1e-11) << name;
  EXPECT_EQ(f.crossings, 0) << name;
  EXPECT_LT(drift.center, 5e-12) << name;
  // To the rounding of their sums.
  EXPECT_LE(f.gained, 1e-14 * f.most_energy) << name;
}

DeformableDefinition free_cloth() {
  DeformableDefinition cloth = sheet(1.0, 10, {});
  cloth.material.young = 1e6;
  return cloth;
}

TEST(DeformableMomentum, FastHeavyBodiesKeepItOnCloth) {
  TACTUS_LONG_TEST();
  // Many contact distances in a step: the rounds do not suffice.
  for (const double speed : {2.0, 100.0}) {
    for (const double density : {75.0, 750.0}) {
      FreeFlight f(60.0);
      f.add(free_cloth());
      const BodyId ball = f.add(Sphere(0.1), density, {0.213, 0.117, 0.15}, {0.1, 0.0, -speed});
      // The slow ball touches in the second step.
      expect_kept(f, std::max(effort(15), 4), "speed " + std::to_string(speed));
      EXPECT_GT(f.rigid.body(ball).linear_velocity().z, -speed);
    }
  }
}

TEST(DeformableMomentum, BodiesThatTurnKeepItOnSolids) {
  FreeFlight f(60.0);
  DeformableDefinition ball;
  const TetrahedralMesh mesh = tetrahedral_sphere(0.2, 0.1);
  ball.vertices = mesh.vertices;
  ball.tetrahedra = mesh.tetrahedra;
  ball.material.young = 1e5;
  ball.material.density = 500.0;
  f.add(ball);
  f.add(Box({0.2, 0.3, 0.1}), 2000.0, {0.05, 0.1, 0.4}, {0.0, 0.5, -4.0}, {7.0, 3.0, -5.0});
  expect_kept(f, effort(60), "box");
}

TEST(DeformableMomentum, ThreeBodiesBetweenTwoCloths) {
  FreeFlight f(60.0);
  f.add(free_cloth());
  DeformableDefinition second = free_cloth();
  second.pose = Pose::translation({0.1, 0.0, 0.5});
  f.add(second);
  f.add(Sphere(0.1), 750.0, {0.013, 0.017, 0.3}, {0.1, 0.0, -5.0});
  f.add(Box({0.2, 0.2, 0.2}), 300.0, {0.2, 0.1, -0.3}, {0.0, 0.0, 5.0}, {1.0, 2.0, 3.0});
  f.add(Sphere(0.08), 3000.0, {-0.2, 0.1, 0.8}, {0.0, 1.0, -6.0});
  expect_kept(f, effort(30), "three");
}

TEST(DeformableMomentum, SoftBodiesAloneKeepIt) {
  FreeFlight f(60.0);
  f.add(free_cloth());
  const TetrahedralMesh mesh = tetrahedral_sphere(0.2, 0.1);
  DeformableDefinition ball;
  ball.vertices = mesh.vertices;
  ball.tetrahedra = mesh.tetrahedra;
  ball.material.young = 1e5;
  ball.material.density = 500.0;
  ball.pose = Pose::translation({0.2, 0.1, 0.3});
  ball.linear_velocity = {0.0, 0.3, -5.0};
  f.add(ball);
  expect_kept(f, effort(60), "soft");
}

TEST(DeformableMomentum, FreeFlightBesideSomethingHeldGoesOn) {
  // All of the motion is that of a body as a whole: a rounding of the energies must not stop it.
  for (const double speed : {0.25, 1.0, 30.0}) {
    FreeFlight f(120.0);
    DeformableDefinition membrane = sheet(1.0, 8, {});
    for (std::uint32_t i = 0; i < membrane.vertices.size(); ++i) {
      const Vec3 v = membrane.vertices[i];
      if (std::fabs(v.x) > 0.49 || std::fabs(v.y) > 0.49) membrane.fixed.push_back(i);
    }
    f.add(membrane);
    DeformableDefinition flying;
    flying.vertices = {{0.0, 0.0, 0.0}, {0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}, {0.0, 0.0, 0.1}};
    flying.tetrahedra = {{0, 1, 2, 3}};
    flying.material.young = 1e5;
    flying.pose = Pose::translation({0.013, 0.017, 0.3});
    flying.linear_velocity = {0.1 * speed, 0.0, speed};
    const DeformableId id = f.add(flying);
    const int steps = effort(100);
    for (int k = 0; k < steps; ++k) f.step();
    EXPECT_EQ(f.stops, 0) << speed;
    const double way = speed * steps / 120.0;
    EXPECT_NEAR(f.soft.positions(id)[0].z, 0.3 + way, 8e-11 * way) << speed;
  }
}

}  // namespace
}  // namespace tactus::detail
