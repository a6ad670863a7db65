// Batches against single queries: the same bits, for any number of threads.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tactus/query.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same_bits(const Vec3& a, const Vec3& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}
bool same_bits(const DistanceResult& a, const DistanceResult& b) {
  return same_bits(a.distance, b.distance) && same_bits(a.lower, b.lower) &&
         same_bits(a.upper, b.upper) && same_bits(a.normal, b.normal) &&
         same_bits(a.point_a, b.point_a) && same_bits(a.point_b, b.point_b) &&
         a.status == b.status && a.method == b.method && a.unique == b.unique &&
         a.iterations == b.iterations && a.part_a == b.part_a && a.part_b == b.part_b;
}
bool same_bits(const OverlapResult& a, const OverlapResult& b) {
  return a.overlap == b.overlap && same_bits(a.proof, b.proof);
}
bool same_bits(const ContactsResult& a, const ContactsResult& b) {
  return a.manifolds == b.manifolds && a.truncated == b.truncated &&
         same_bits(a.distance, b.distance);
}
bool same_bits(const Manifold& a, const Manifold& b) {
  if (!same_bits(a.normal, b.normal) || a.count != b.count || a.part_a != b.part_a ||
      a.part_b != b.part_b)
    return false;
  for (int i = 0; i < a.count; ++i) {
    const ContactPoint& p = a.points[static_cast<std::size_t>(i)];
    const ContactPoint& q = b.points[static_cast<std::size_t>(i)];
    if (!same_bits(p.point_a, q.point_a) || !same_bits(p.point_b, q.point_b) ||
        !same_bits(p.depth, q.depth) || p.feature != q.feature)
      return false;
  }
  return true;
}
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same_bits(a[i], b[i])) return false;
  }
  return a.size() == b.size();
}

struct Bodies {
  std::vector<Shape> shapes;
  std::vector<PlacedShape> placed;
  std::vector<BroadPair> pairs;
};

// Every kind of shape at two poses, and spheres in degenerate places; all ordered pairs, bodies
// with themselves included.
Bodies every_pair() {
  Random random(1);
  Bodies bodies;
  bodies.shapes = every_convex_shape(random);
  bodies.shapes.emplace_back(HalfSpace({0.0, 0.6, 0.8}, 0.1));
  bodies.shapes.emplace_back(
      Compound({{Sphere(0.3), Pose()}, {Box({0.4, 0.5, 0.6}), Pose::translation({0.5, 0, 0})}}));
  bodies.shapes.emplace_back(Mesh(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{{0, 1, 2}}}}));
  bodies.shapes.emplace_back(Sphere(0.0));
  for (const Shape& shape : bodies.shapes) {
    bodies.placed.push_back({&shape, random_pose(random, 0.5)});
    bodies.placed.push_back({&shape, random_pose(random, 0.5)});
  }
  const Shape& sphere = bodies.shapes.front();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double x : {0.0, 1e-17, 0.8, 1e6, 1e200, 1.7e308, kNan})
    bodies.placed.push_back({&sphere, detail::unchecked_pose({x, 0.0, 0.0}, Mat3::identity())});
  for (std::size_t a = 0; a < bodies.placed.size(); ++a) {
    for (std::size_t b = 0; b < bodies.placed.size(); ++b) bodies.pairs.push_back({a, b});
  }
  return bodies;
}

// The answers of a query to all pairs, asked twice, so that caches hold something the second time.
template <class Result>
struct Answers {
  std::vector<Result> first, second;
  std::vector<Manifold> manifolds;
  std::vector<QueryCache> caches;
};

// `single(i, cache)` answers one pair, `batch(out, options)` all.
template <class Result, class Single, class Batch>
void expect_same_bits(std::size_t count, Single&& single, Batch&& batch) {
  for (const bool cached : {false, true}) {
    Answers<Result> right;
    right.caches.resize(cached ? count : 0);
    for (std::vector<Result>* out : {&right.first, &right.second}) {
      for (std::size_t i = 0; i < count; ++i)
        out->push_back(single(i, cached ? &right.caches[i] : nullptr, right.manifolds));
    }
    for (const int threads : {1, 2, 3, 8}) {
      Answers<Result> ours;
      ours.first.resize(count);
      ours.second.resize(count);
      ours.caches.resize(right.caches.size());
      BatchOptions options;
      options.query.margin = 0.1;
      options.caches = ours.caches;
      options.max_threads = threads;
      batch(ours.first, ours.manifolds, options);
      batch(ours.second, ours.manifolds, options);
      EXPECT_TRUE(same_bits(ours.first, right.first)) << threads << cached;
      EXPECT_TRUE(same_bits(ours.second, right.second)) << threads << cached;
      EXPECT_TRUE(same_bits(ours.manifolds, right.manifolds)) << threads << cached;
      EXPECT_EQ(ours.caches, right.caches) << threads;
    }
  }
}

// Options of the single queries: those of the batches.
QueryOptions near() {
  QueryOptions options;
  options.margin = 0.1;
  return options;
}

TEST(Batch, DistancesHaveTheBitsOfSingleQueries) {
  const Bodies bodies = every_pair();
  expect_same_bits<DistanceResult>(
      bodies.pairs.size(),
      [&](std::size_t i, QueryCache* cache, std::vector<Manifold>&) {
        const PlacedShape& a = bodies.placed[bodies.pairs[i].a];
        const PlacedShape& b = bodies.placed[bodies.pairs[i].b];
        return distance(*a.shape, a.pose, *b.shape, b.pose, near(), cache);
      },
      [&](std::vector<DistanceResult>& out, std::vector<Manifold>&, const BatchOptions& options) {
        distance(bodies.placed, bodies.pairs, out, options);
      });
}

TEST(Batch, OverlapsHaveTheBitsOfSingleQueries) {
  const Bodies bodies = every_pair();
  expect_same_bits<OverlapResult>(
      bodies.pairs.size(),
      [&](std::size_t i, QueryCache* cache, std::vector<Manifold>&) {
        const PlacedShape& a = bodies.placed[bodies.pairs[i].a];
        const PlacedShape& b = bodies.placed[bodies.pairs[i].b];
        return overlap(*a.shape, a.pose, *b.shape, b.pose, near(), cache);
      },
      [&](std::vector<OverlapResult>& out, std::vector<Manifold>&, const BatchOptions& options) {
        overlap(bodies.placed, bodies.pairs, out, options);
      });
}

TEST(Batch, ContactsHaveTheBitsOfSingleQueries) {
  const Bodies bodies = every_pair();
  for (const std::size_t each : {std::size_t{1}, std::size_t{3}}) {
    expect_same_bits<ContactsResult>(
        bodies.pairs.size(),
        [&](std::size_t i, QueryCache* cache, std::vector<Manifold>& manifolds) {
          const PlacedShape& a = bodies.placed[bodies.pairs[i].a];
          const PlacedShape& b = bodies.placed[bodies.pairs[i].b];
          manifolds.resize(bodies.pairs.size() * each);
          return contacts(*a.shape, a.pose, *b.shape, b.pose,
                          std::span(manifolds).subspan(i * each, each), near(), cache);
        },
        [&](std::vector<ContactsResult>& out, std::vector<Manifold>& manifolds,
            const BatchOptions& options) {
          manifolds.resize(bodies.pairs.size() * each);
          contacts(bodies.placed, bodies.pairs, manifolds, out, options);
        });
  }
}

TEST(Batch, AnySizeIsAnsweredAndNothingElseIsWritten) {
  const Bodies bodies = every_pair();
  for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 129U, 257U}) {
    std::vector<DistanceResult> out(count + 1);
    const auto pairs = std::span(bodies.pairs).first(count);
    distance(bodies.placed, pairs, std::span(out).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      const PlacedShape& a = bodies.placed[pairs[i].a];
      const PlacedShape& b = bodies.placed[pairs[i].b];
      EXPECT_TRUE(same_bits(out[i], distance(*a.shape, a.pose, *b.shape, b.pose)));
    }
    EXPECT_TRUE(same_bits(out[count], DistanceResult{}));
  }
}

TEST(Batch, CompoundsFillTheirPlacesAndSayWhatIsMissing) {
  const Shape two = Compound(
      {{Sphere(0.3), Pose::translation({-1, 0, 0})}, {Sphere(0.3), Pose::translation({1, 0, 0})}});
  const Shape floor = HalfSpace({0, 0, 1}, 0.0);
  const std::vector<PlacedShape> bodies{{&floor, Pose()}, {&two, Pose::translation({0, 0, 0.25})}};
  const std::vector<BroadPair> pairs{{0, 1}};
  std::vector<ContactsResult> out(1);
  std::vector<Manifold> manifolds(2);
  contacts(bodies, pairs, manifolds, out);
  EXPECT_EQ(out[0].manifolds, 2);
  EXPECT_FALSE(out[0].truncated);
  contacts(bodies, pairs, std::span(manifolds).first(1), out);
  EXPECT_EQ(out[0].manifolds, 1);
  EXPECT_TRUE(out[0].truncated);
  contacts(bodies, pairs, {}, out);
  EXPECT_EQ(out[0].manifolds, 0);
  EXPECT_TRUE(out[0].truncated);
}

// Name of the field that a call refuses.
template <class Call>
std::string refused(Call&& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return {};
}

TEST(Batch, DerivativesAreThoseOfSingleQueries) {
  const Shape ball = Sphere(0.5), block = Box({1.0, 0.8, 0.6});
  const std::vector<PlacedShape> bodies{
      {&ball, Pose()},
      {&block, Pose(Vec3{1.2, 0.3, 0.1}, normalized(Quat{1, 0.2, 0.3, 0.1}))},
      {&block, Pose::translation({0.2, 0.9, -0.7})},
      {&ball, Pose::translation({std::numeric_limits<double>::infinity(), 0, 0})}};
  const std::vector<BroadPair> pairs{{0, 1}, {2, 1}, {3, 0}, {2, 0}};
  std::vector<DistanceResult> out(pairs.size());
  std::vector<Derivatives> found(pairs.size());
  found[2].smooth = true;
  BatchOptions options;
  options.derivatives = found;
  distance(bodies, pairs, out, options);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Derivatives alone;
    QueryOptions single;
    single.derivatives = &alone;
    const PlacedShape &a = bodies[pairs[i].a], &b = bodies[pairs[i].b];
    EXPECT_TRUE(same_bits(out[i], distance(*a.shape, a.pose, *b.shape, b.pose, single)));
    EXPECT_EQ(found[i].linear_a, alone.linear_a);
    EXPECT_EQ(found[i].angular_a, alone.angular_a);
    EXPECT_EQ(found[i].linear_b, alone.linear_b);
    EXPECT_EQ(found[i].angular_b, alone.angular_b);
    EXPECT_EQ(found[i].smooth, alone.smooth);
  }
  EXPECT_EQ(found[0].linear_b, out[0].normal);
  // Without an answer there is none.
  EXPECT_FALSE(found[2].smooth);
  EXPECT_EQ(found[2].linear_a, Vec3{});
}

TEST(Batch, WrongArgumentsAreRefusedByNameBeforeAnythingIsWritten) {
  const Shape ball = Sphere(1.0);
  const std::vector<PlacedShape> bodies{{&ball, Pose()}, {&ball, Pose()}, {nullptr, Pose()}};
  const std::vector<BroadPair> good{{0, 1}, {1, 0}, {0, 0}};
  std::vector<DistanceResult> out(3);
  std::vector<ContactsResult> found(3);
  std::vector<Manifold> manifolds(4);
  std::vector<QueryCache> caches(2);
  Certificate certificate;
  Derivatives derivatives;
  const auto ask = [&](const std::vector<BroadPair>& pairs, const BatchOptions& options = {}) {
    return refused([&] { distance(bodies, pairs, out, options); });
  };
  BatchOptions options;
  EXPECT_EQ(ask({{0, 1}}), "out");
  EXPECT_EQ(ask({{0, 1}, {1, 0}, {0, 3}}), "pairs[2]");
  EXPECT_EQ(ask({{0, 1}, {2, 0}, {0, 3}}), "pairs[1]");
  options.caches = caches;
  EXPECT_EQ(ask(good, options), "options.caches");
  options = {};
  std::vector<Derivatives> places(2);
  options.derivatives = places;
  EXPECT_EQ(ask(good, options), "options.derivatives");
  options = {};
  options.query.certificate = &certificate;
  EXPECT_EQ(ask(good, options), "options.query.certificate");
  options = {};
  options.query.derivatives = &derivatives;
  EXPECT_EQ(ask(good, options), "options.query.derivatives");
  options = {};
  options.query.motion_derivatives = &derivatives;
  EXPECT_EQ(ask(good, options), "options.query.motion_derivatives");
  options = {};
  Observer observer;
  options.query.observer = &observer;
  EXPECT_EQ(ask(good, options), "options.query.observer");
  EXPECT_EQ(refused([&] { contacts(bodies, good, manifolds, found); }), "manifolds");
  EXPECT_EQ(refused([&] { overlap(bodies, good, {}); }), "out");
  for (const DistanceResult& r : out) EXPECT_TRUE(same_bits(r, DistanceResult{}));
  EXPECT_EQ(ask(good), "");
  EXPECT_EQ(refused([&] { contacts(bodies, {}, {}, {}); }), "");
}

}  // namespace
}  // namespace tactus::detail
