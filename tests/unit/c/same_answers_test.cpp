// The C interface says what C++ says, bit for bit, and every field of an answer.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include "tactus/query.hpp"
#include "tactus/tactus.h"
#include "tactus/world.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail::test {
namespace {

tactus_vec3 to_c(const Vec3& v) { return {v.x, v.y, v.z}; }
tactus_pose to_c(const Vec3& position, const Quat& q) {
  return {to_c(position), {q.w, q.x, q.y, q.z}};
}
Vec3 from_c(const tactus_vec3& v) { return {v.x, v.y, v.z}; }

/// A shape made by both interfaces.
struct Both {
  Both(Shape given, tactus_shape* made) : cpp(std::move(given)), c(made) {}
  Both(Both&& other) noexcept : cpp(std::move(other.cpp)), c(other.c) { other.c = nullptr; }
  Both& operator=(Both&&) = delete;
  ~Both() { tactus_shape_release(c); }

  Shape cpp;
  tactus_shape* c;
};

/// Four faces about a point; the last is left out of an open one.
TriangleMesh tetrahedron(Random& random, bool closed) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {random.uniform(0.5, 1), 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}};
  if (closed) mesh.triangles.push_back({1, 2, 3});
  return mesh;
}

Both both_meshes(const TriangleMesh& mesh) {
  std::vector<tactus_vec3> vertices;
  vertices.reserve(mesh.vertices.size());
  for (const Vec3& v : mesh.vertices) vertices.push_back(to_c(v));
  return {Mesh(mesh),
          tactus_shape_create_mesh(vertices.data(), vertices.size(), mesh.triangles.front().data(),
                                   mesh.triangles.size())};
}

Both both_hulls(Random& random) {
  std::vector<Vec3> points;
  std::vector<tactus_vec3> given;
  for (int i = 0; i < 12; ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    points.push_back({x, y, z});
    given.push_back({x, y, z});
  }
  return {Convex(points), tactus_shape_create_convex(given.data(), given.size())};
}

Both both_compounds(Random& random) {
  tactus_shape* box = tactus_shape_create_box({0.5, 0.6, 0.7});
  tactus_shape* rounded = tactus_shape_create_rounded(box, 0.125);
  const std::array<const tactus_shape*, 2> shapes{box, rounded};
  std::array<tactus_pose, 2> given;
  std::vector<Compound::Part> parts;
  for (int i = 0; i < 2; ++i) {
    const Vec3 position{random.uniform(-0.5, 0.5), 0.5 * i, 0.0};
    const Quat rotation = random_rotation(random);
    given[i] = to_c(position, rotation);
    parts.push_back({Shape(Box({0.5, 0.6, 0.7}), i == 0 ? 0.0 : 0.125), {position, rotation}});
  }
  Both both(Compound(parts), tactus_shape_create_compound(shapes.data(), given.data(), 2));
  tactus_shape_release(box);
  tactus_shape_release(rounded);
  return both;
}

std::vector<Both> every_shape(Random& random) {
  const double r = random.uniform(0.1, 0.6), l = random.uniform(0.1, 1.2);
  std::vector<Both> all;
  all.emplace_back(Sphere(r), tactus_shape_create_sphere(r));
  all.emplace_back(Box({r, l, 0.5}), tactus_shape_create_box({r, l, 0.5}));
  all.emplace_back(Capsule(r, l), tactus_shape_create_capsule(r, l));
  all.emplace_back(Cylinder(r, l), tactus_shape_create_cylinder(r, l));
  all.emplace_back(Cone(r, l), tactus_shape_create_cone(r, l));
  all.emplace_back(Ellipsoid({r, l, 0.3}), tactus_shape_create_ellipsoid({r, l, 0.3}));
  all.emplace_back(HalfSpace({r, l, -0.5}, 0.1), tactus_shape_create_halfspace({r, l, -0.5}, 0.1));
  all.push_back(both_hulls(random));
  all.push_back(both_meshes(tetrahedron(random, true)));
  all.push_back(both_meshes(tetrahedron(random, false)));
  all.push_back(both_compounds(random));
  return all;
}

void expect_same(const tactus_result& c, const DistanceResult& cpp) {
  EXPECT_EQ(c.distance, cpp.distance);
  EXPECT_EQ(c.lower, cpp.lower);
  EXPECT_EQ(c.upper, cpp.upper);
  EXPECT_EQ(from_c(c.normal), cpp.normal);
  EXPECT_EQ(from_c(c.point_a), cpp.point_a);
  EXPECT_EQ(from_c(c.point_b), cpp.point_b);
  EXPECT_EQ(c.status, static_cast<int>(cpp.status));
  EXPECT_EQ(c.method, static_cast<int>(cpp.method));
  EXPECT_EQ(c.iterations, cpp.iterations);
  EXPECT_EQ(c.unique, cpp.unique);
  EXPECT_EQ((std::array{c.part_a, c.part_b, c.triangle_a, c.triangle_b}),
            (std::array{cpp.part_a, cpp.part_b, cpp.triangle_a, cpp.triangle_b}));
}

void expect_same(const tactus_cast_result& c, const CastResult& cpp) {
  EXPECT_EQ(c.hit, static_cast<int>(cpp.hit));
  EXPECT_EQ(c.time, cpp.time);
  EXPECT_EQ(c.time_upper, cpp.time_upper);
  EXPECT_EQ(c.distance, cpp.distance);
  EXPECT_EQ(from_c(c.normal), cpp.normal);
  EXPECT_EQ(from_c(c.point_a), cpp.point_a);
  EXPECT_EQ(from_c(c.point_b), cpp.point_b);
  EXPECT_EQ(c.status, static_cast<int>(cpp.status));
  EXPECT_EQ(c.method, static_cast<int>(cpp.method));
  EXPECT_EQ(c.iterations, cpp.iterations);
  EXPECT_EQ(c.unique, cpp.unique);
  EXPECT_EQ((std::array{c.part_a, c.part_b}), (std::array{cpp.part_a, cpp.part_b}));
}

void expect_same(const tactus_manifold& c, const Manifold& cpp) {
  EXPECT_EQ(from_c(c.normal), cpp.normal);
  EXPECT_EQ((std::array{c.count, c.part_a, c.part_b}),
            (std::array{cpp.count, cpp.part_a, cpp.part_b}));
  for (int i = 0; i < cpp.count; ++i) {
    const ContactPoint& point = cpp.points[i];
    EXPECT_EQ(from_c(c.points[i].point_a), point.point_a);
    EXPECT_EQ(from_c(c.points[i].point_b), point.point_b);
    EXPECT_EQ(c.points[i].depth, point.depth);
    EXPECT_EQ(c.points[i].feature, point.feature);
  }
}

/// Two placed shapes in both interfaces, and options away from the defaults.
struct Asked {
  explicit Asked(Random& random) {
    for (int i = 0; i < 2; ++i) {
      const Vec3 place{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
      const Quat rotation = random_rotation(random);
      poses[i] = Pose(place, rotation);
      given[i] = to_c(place, rotation);
      const Vec3 way{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
      motions[i] = {way, {random.uniform(-1, 1), 0.0, random.uniform(-1, 1)}};
      given_motions[i] = {to_c(way), to_c(motions[i].angular)};
    }
    tactus_options_default(&given_options, sizeof given_options);
    given_options.tolerance = options.tolerance = 1e-5;
    given_options.margin = options.margin = random.uniform(0, 0.5);
    given_options.max_iterations = options.max_iterations = 200;
    options.union_depth = random.below(2) == 0;
    given_options.union_depth = options.union_depth ? 1 : 0;
    options.signed_distance = random.below(2) == 0;
    given_options.signed_distance = options.signed_distance ? 1 : 0;
    if (random.below(3) == 0) given_options.max_distance = options.max_distance = 0.25;
    options.method = random.below(4) == 0 ? Method::gjk : Method::automatic;
    given_options.method = static_cast<tactus_method>(options.method);
  }

  std::array<Pose, 2> poses;
  std::array<tactus_pose, 2> given;
  std::array<RigidMotion, 2> motions;
  std::array<tactus_motion, 2> given_motions;
  QueryOptions options;
  tactus_options given_options{};
};

void compare_distances(const Both& a, const Both& b, const Asked& q) {
  tactus_result result, proof;
  tactus_answer answer;
  ASSERT_EQ(tactus_query_distance(a.c, q.given.data(), b.c, &q.given[1], &q.given_options, &result),
            TACTUS_OK);
  expect_same(result, distance(a.cpp, q.poses[0], b.cpp, q.poses[1], q.options));
  ASSERT_EQ(tactus_query_overlap(a.c, q.given.data(), b.c, &q.given[1], &q.given_options, &answer,
                                 &proof),
            TACTUS_OK);
  const OverlapResult met = overlap(a.cpp, q.poses[0], b.cpp, q.poses[1], q.options);
  EXPECT_EQ(answer, static_cast<int>(met.overlap));
  expect_same(proof, met.proof);
}

void compare_contacts(const Both& a, const Both& b, const Asked& q) {
  std::array<Manifold, 64> patches;
  std::array<tactus_manifold, 64> manifolds;
  std::size_t needed = 0;
  tactus_result result;
  ASSERT_EQ(tactus_query_contacts(a.c, q.given.data(), b.c, &q.given[1], &q.given_options,
                                  manifolds.data(), manifolds.size(), &needed, &result),
            TACTUS_OK);
  const ContactsResult found = contacts(a.cpp, q.poses[0], b.cpp, q.poses[1], patches, q.options);
  ASSERT_FALSE(found.truncated);
  expect_same(result, found.distance);
  ASSERT_EQ(needed, static_cast<std::size_t>(found.manifolds));
  for (std::size_t i = 0; i < needed; ++i) expect_same(manifolds[i], patches[i]);
}

void compare_motions(const Both& a, const Both& b, const Asked& q) {
  tactus_cast_result result;
  ASSERT_EQ(tactus_query_cast(a.c, q.given.data(), q.given_motions[0].linear, b.c, &q.given[1],
                              q.given_motions[1].linear, &q.given_options, &result),
            TACTUS_OK);
  expect_same(result, cast(a.cpp, q.poses[0], q.motions[0].linear, b.cpp, q.poses[1],
                           q.motions[1].linear, q.options));
  ASSERT_EQ(tactus_query_impact(a.c, q.given.data(), q.given_motions.data(), b.c, &q.given[1],
                                &q.given_motions[1], &q.given_options, &result),
            TACTUS_OK);
  expect_same(result,
              impact(a.cpp, q.poses[0], q.motions[0], b.cpp, q.poses[1], q.motions[1], q.options));
  ASSERT_EQ(tactus_query_ray(a.c, q.given.data(), q.given[1].position, q.given_motions[1].linear,
                             1.5, &q.given_options, &result),
            TACTUS_OK);
  expect_same(result, ray_cast(a.cpp, q.poses[0], q.poses[1].position(), q.motions[1].linear, 1.5,
                               q.options));
}

TEST(SameAnswers, QueriesOfEveryPairOfKinds) {
  Random random(71);
  for (int round = 0; round < effort(10); ++round) {
    const std::vector<Both> all = every_shape(random);
    for (const Both& a : all) {
      ASSERT_NE(a.c, nullptr) << tactus_last_error();
      EXPECT_EQ(tactus_shape_get_type(a.c), static_cast<int>(a.cpp.type()));
      for (const Both& b : all) {
        const Asked asked(random);
        compare_distances(a, b, asked);
        compare_contacts(a, b, asked);
        compare_motions(a, b, asked);
        if (HasFatalFailure() || HasFailure()) return;
      }
    }
  }
}

TEST(SameAnswers, BoxesAndMasses) {
  Random random(72);
  for (const Both& shape : every_shape(random)) {
    const Asked asked(random);
    tactus_vec3 lower, upper, center;
    ASSERT_EQ(tactus_shape_get_box(shape.c, asked.given.data(), &lower, &upper), TACTUS_OK);
    const Aabb box = bounding_box(shape.cpp, asked.poses[0]);
    EXPECT_EQ(from_c(lower), box.lower);
    EXPECT_EQ(from_c(upper), box.upper);
    double volume = 0.0;
    std::array<double, 9> inertia;
    const tactus_error error = tactus_shape_get_mass(shape.c, &volume, &center, inertia.data());
    if (shape.cpp.type() == ShapeType::halfspace) {
      EXPECT_EQ(error, TACTUS_INVALID_INPUT);
      continue;
    }
    const MassProperties mass = mass_properties(shape.cpp);
    EXPECT_EQ(volume, mass.volume);
    EXPECT_EQ(from_c(center), mass.center);
    for (int i = 0; i < 9; ++i) EXPECT_EQ(inertia[i], mass.inertia(i / 3, i % 3));
  }
}

/// Settings and definitions away from the defaults in every field.
TEST(SameAnswers, WorldsAndAllTheirSettings) {
  WorldSettings settings;
  tactus_world_settings given;
  ASSERT_EQ(tactus_world_settings_default(&given, sizeof given), TACTUS_OK);
  settings.gravity = {0.5, -0.25, -8.0};
  given.gravity = to_c(settings.gravity);
  given.time_step = settings.time_step = 0.02;
  given.load_overlap = settings.load_overlap = 1e-3;
  given.contact_margin = settings.contact_margin = 0.02;
  given.contact_frequency = settings.contact_frequency = 0.2;
  given.contact_damping = settings.contact_damping = 8.0;
  given.max_push_speed = settings.max_push_speed = 2.0;
  given.restitution_threshold = settings.restitution_threshold = 0.2;
  given.least_impact = settings.least_impact = 0.004;
  given.sleep_time = settings.sleep_time = 0.75;
  given.sleep_speed = settings.sleep_speed = 0.02;
  given.linear_damping = settings.linear_damping = 0.03;
  given.angular_damping = settings.angular_damping = 0.04;
  given.substeps = settings.substeps = 7;
  given.max_threads = settings.max_threads = 2;
  tactus_world* c = tactus_world_create(&given);
  ASSERT_NE(c, nullptr) << tactus_last_error();
  World cpp(settings);

  tactus_shape* ground = tactus_shape_create_halfspace({0, 0, 1}, 0);
  tactus_shape* box = tactus_shape_create_box({1, 0.8, 0.6});
  Random random(73);
  for (int i = 0; i < 6; ++i) {
    BodyDefinition body{.shape = i == 0 ? Shape(HalfSpace({0, 0, 1}, 0)) : Box({1, 0.8, 0.6})};
    tactus_body_definition same;
    ASSERT_EQ(tactus_body_definition_default(&same, sizeof same), TACTUS_OK);
    same.shape = i == 0 ? ground : box;
    body.type = i == 0 ? BodyType::fixed : i == 5 ? BodyType::kinematic : BodyType::dynamic_body;
    same.type = static_cast<tactus_body_type>(body.type);
    if (i > 0) {
      const Vec3 place{0.1 * i, 0.0, 1.2 * i};
      const Quat rotation = random_rotation(random);
      body.pose = Pose(place, rotation);
      same.pose = to_c(place, rotation);
      body.linear_velocity = {0.1, 0.2, -0.3 * i};
      same.linear_velocity = to_c(body.linear_velocity);
      body.angular_velocity = {0.5, 0.1 * i, 0.2};
      same.angular_velocity = to_c(body.angular_velocity);
    }
    if (body.type == BodyType::dynamic_body) {
      body.force = {0.1 * i, 2.0, 3.0};
      same.force = to_c(body.force);
      body.torque = {0.3, 0.2 * i, 0.1};
      same.torque = to_c(body.torque);
    }
    same.friction = body.material.friction = 0.1 * i;
    same.restitution = body.material.restitution = 0.15 * i;
    same.rolling_friction = body.material.rolling_friction = 0.01 * i;
    same.torsional_friction = body.material.torsional_friction = 0.02 * i;
    same.adhesion = body.material.adhesion = 5.0 * i;
    same.density = body.material.density = 500.0 + i;
    same.sensor = i == 4 ? 1 : 0;
    body.sensor = i == 4;
    if (i == 1) {
      body.lock = {{true, false, false}, {false, true, true}};
      same.lock = TACTUS_LOCK_X | TACTUS_LOCK_RY | TACTUS_LOCK_RZ;
    }
    if (i == 3) {
      body.mass = BodyMass{5.0, {0.1, 0.0, 0.05}, Mat3::diagonal({1.0, 2.0, 1.5})};
      same.has_mass = 1;
      same.mass = 5.0;
      same.mass_center = {0.1, 0.0, 0.05};
      same.inertia[0] = 1.0;
      same.inertia[4] = 2.0;
      same.inertia[8] = 1.5;
    }
    if (i == 2) {
      same.category = body.filter.category = 6;
      same.mask = body.filter.mask = 9;
    }
    body.id = same.id = i == 1 ? 100 : 0;
    tactus_body_id id = 0;
    ASSERT_EQ(tactus_world_add_body(c, &same, &id), TACTUS_OK) << tactus_last_error();
    EXPECT_EQ(id, cpp.add(body));
  }
  tactus_shape_release(ground);
  tactus_shape_release(box);
  for (int i = 0; i < 90; ++i) {
    ASSERT_EQ(tactus_world_step(c), TACTUS_OK);
    cpp.step();
    ASSERT_EQ(tactus_world_get_state_hash(c), cpp.state_hash()) << "step " << i;
  }
  std::array<tactus_body_state, 6> states;
  std::size_t count = 0;
  ASSERT_EQ(tactus_world_get_bodies(c, states.data(), states.size(), &count), TACTUS_OK);
  ASSERT_EQ(count, cpp.bodies().size());
  for (std::size_t i = 0; i < count; ++i) {
    const Body& body = cpp.bodies()[i];
    EXPECT_EQ(states[i].id, body.id());
    EXPECT_EQ(from_c(states[i].pose.position), body.pose().position());
    EXPECT_EQ(from_c(states[i].center_of_mass), body.center_of_mass());
    EXPECT_EQ(from_c(states[i].linear_velocity), body.linear_velocity());
    EXPECT_EQ(from_c(states[i].angular_velocity), body.angular_velocity());
    EXPECT_EQ(states[i].asleep, body.is_asleep());
    const tactus_quat& q = states[i].pose.quaternion;
    EXPECT_EQ((Quat{q.w, q.x, q.y, q.z}), body.motion().orientation);
  }
  std::array<tactus_contact, 64> points;
  ASSERT_EQ(tactus_world_get_contacts(c, points.data(), points.size(), &count), TACTUS_OK);
  ASSERT_EQ(count, cpp.contacts().size());
  ASSERT_GT(count, 0u);
  for (std::size_t i = 0; i < count; ++i) {
    const Contact& contact = cpp.contacts()[i];
    EXPECT_EQ(points[i].body_a, contact.body_a);
    EXPECT_EQ(points[i].body_b, contact.body_b);
    EXPECT_EQ(from_c(points[i].point), contact.point);
    EXPECT_EQ(from_c(points[i].normal), contact.normal);
    EXPECT_EQ(points[i].depth, contact.depth);
    EXPECT_EQ(points[i].normal_impulse, contact.normal_impulse);
    EXPECT_EQ(from_c(points[i].friction_impulse), contact.friction_impulse);
  }
  tactus_world_destroy(c);
}

// Defaults of the interface are those of the library.
TEST(SameAnswers, DefaultsAreThoseOfTheLibrary) {
  const auto hash_of_a_pile = [](const tactus_world_settings* given) {
    tactus_world* world = tactus_world_create(given);
    tactus_shape* ball = tactus_shape_create_sphere(0.5);
    tactus_body_definition body;
    tactus_body_definition_default(&body, sizeof body);
    body.shape = ball;
    for (int i = 0; i < 3; ++i) {
      body.pose.position = {0.01 * i, 0.0, 0.9 * i};
      tactus_world_add_body(world, &body, nullptr);
    }
    for (int i = 0; i < 20; ++i) tactus_world_step(world);
    const std::uint64_t hash = tactus_world_get_state_hash(world);
    tactus_world_destroy(world);
    tactus_shape_release(ball);
    return hash;
  };
  const auto expected = [](const WorldSettings& wanted) {
    World world(wanted);
    for (int i = 0; i < 3; ++i) {
      world.add({.shape = Sphere(0.5), .pose = Pose::translation({0.01 * i, 0.0, 0.9 * i})});
    }
    for (int i = 0; i < 20; ++i) world.step();
    return world.state_hash();
  };
  tactus_world_settings settings;
  ASSERT_EQ(tactus_world_settings_default(&settings, sizeof settings), TACTUS_OK);
  EXPECT_EQ(hash_of_a_pile(nullptr), expected({}));
  EXPECT_EQ(hash_of_a_pile(&settings), expected({}));
  settings.young = 1e6;
  settings.poisson = 0.4;
  WorldSettings elastic;
  elastic.elastic = ElasticContacts{1e6, 0.4};
  EXPECT_EQ(hash_of_a_pile(&settings), expected(elastic));
}

TEST(SameAnswers, LastErrorBelongsToTheThread) {
  ASSERT_EQ(tactus_shape_create_sphere(-1.0), nullptr);
  std::string at_first, later;
  std::thread([&] {
    at_first = tactus_last_error();
    tactus_shape_release(tactus_shape_create_cone(1.0, -1.0));
    later = tactus_last_error_field();
  }).join();
  EXPECT_EQ(at_first, "");
  EXPECT_EQ(later, "length");
  EXPECT_STREQ(tactus_last_error_field(), "radius");
}

// A shape that many threads share is freed once, by the last of them: the sanitizers look at it.
TEST(SameAnswers, OwnersOnManyThreads) {
  tactus_shape* ball = tactus_shape_create_sphere(0.5);
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([own = tactus_shape_retain(ball)] {
      for (int i = 0; i < 1000; ++i) tactus_shape_release(tactus_shape_retain(own));
      tactus_result result;
      EXPECT_EQ(tactus_query_distance(own, nullptr, own, nullptr, nullptr, &result), TACTUS_OK);
      EXPECT_EQ(result.distance, -1.0);
      tactus_shape_release(own);
    });
  }
  tactus_shape_release(ball);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tactus::detail::test
