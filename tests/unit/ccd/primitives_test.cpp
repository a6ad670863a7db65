#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tactus/ccd.hpp"
#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/triangle_cases.hpp"

namespace tactus::detail {
namespace {

constexpr Vec3 kFace[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

MovingVertexFace falling(const Vec3& from, const Vec3& to) {
  return {from, {kFace[0], kFace[1], kFace[2]}, to, {kFace[0], kFace[1], kFace[2]}};
}

void expect_time(const CcdResult& r, double time) {
  EXPECT_TRUE(r.hit);
  EXPECT_LE(r.time, time);
  EXPECT_NEAR(r.time, time, 1e-13);
  if (r.proved) {
    EXPECT_GE(r.time_upper, time);
    EXPECT_NEAR(r.time_upper, time, 1e-12);
  }
}

TEST(VertexFace, FallsThrough) {
  const CcdResult r = vertex_face(falling({0.25, 0.25, 1}, {0.25, 0.25, -1}));
  expect_time(r, 0.5);
  EXPECT_TRUE(r.proved);
  EXPECT_NEAR(norm(r.normal - Vec3{0, 0, 1}), 0.0, 1e-14);
  EXPECT_NEAR(norm(r.weights - Vec3{0.5, 0.25, 0.25}), 0.0, 1e-12);
}

TEST(VertexFace, NumbersOfAnySizeGiveAUnitNormal) {
  for (const double size : {1e-300, 1e-160, 1e150, 1e160, 1e200, 1e300, 1.5e308}) {
    MovingVertexFace pair = falling(Vec3{0.25, 0.25, 1} * size, Vec3{0.25, 0.25, -1} * size);
    for (int i = 0; i < 3; ++i) pair.face_t0[i] = pair.face_t1[i] = kFace[i] * size;
    const CcdResult r = vertex_face(pair);
    EXPECT_TRUE(r.hit) << size;
    EXPECT_NEAR(norm(r.normal), 1.0, 1e-14) << size;
    EXPECT_TRUE(is_finite(r.weights)) << size;
    EXPECT_LE(r.time, 0.5) << size;
  }
}

TEST(VertexFace, MissesBesideTheFace) {
  for (const double gap : {1e-3, 1e-9, 1e-14}) {
    EXPECT_FALSE(vertex_face(falling({-gap, 0.5, 1}, {-gap, 0.5, -1})).hit) << gap;
    EXPECT_TRUE(vertex_face(falling({gap, 0.5, 1}, {gap, 0.5, -1})).hit) << gap;
  }
}

TEST(VertexFace, TouchesACornerAnEdgeAndTheEnds) {
  expect_time(vertex_face(falling({0, 0, 1}, {0, 0, -1})), 0.5);
  expect_time(vertex_face(falling({0.5, 0.5, 1}, {0.5, 0.5, -3})), 0.25);
  expect_time(vertex_face(falling({0.2, 0.2, 1}, {0.2, 0.2, 0})), 1.0);
  expect_time(vertex_face(falling({0.2, 0.2, 0}, {0.2, 0.2, 1})), 0.0);
  EXPECT_FALSE(vertex_face(falling({0.2, 0.2, 1}, {0.2, 0.2, 1e-12})).hit);
}

TEST(VertexFace, SlidesInThePlane) {
  expect_time(vertex_face(falling({-1, 0.5, 0}, {1, 0.5, 0})), 0.5);
  EXPECT_FALSE(vertex_face(falling({-1, 1.5, 0}, {1, 1.5, 0})).hit);
  EXPECT_FALSE(vertex_face(falling({-1, 0.5, 0}, {-1e-12, 0.5, 0})).hit);
}

TEST(VertexFace, WithoutMotionOrArea) {
  EXPECT_TRUE(vertex_face(falling({0.3, 0.3, 0}, {0.3, 0.3, 0})).hit);
  EXPECT_FALSE(vertex_face(falling({0.3, 0.3, 1e-12}, {0.3, 0.3, 1e-12})).hit);
  // A face that is a segment, and one that is a point.
  const Vec3 a{0, 0, 0}, b{1, 0, 0};
  expect_time(vertex_face({{0.5, 0, 1}, {a, b, b}, {0.5, 0, -1}, {a, b, b}}), 0.5);
  EXPECT_FALSE(vertex_face({{0.5, 1e-9, 1}, {a, b, b}, {0.5, 1e-9, -1}, {a, b, b}}).hit);
  expect_time(vertex_face({{0, 0, 1}, {a, a, a}, {0, 0, -1}, {a, a, a}}), 0.5);
  // A face that is turned inside out on the way.
  EXPECT_TRUE(
      vertex_face({{0.1, 0.1, 0}, {a, b, {0, 1, 0}}, {0.1, 0.1, 0}, {a, b, {0, -1, 0}}}).hit);
}

TEST(VertexFace, FirstOfThreeRoots) {
  // The face swings through the resting vertex and back.
  const MovingVertexFace m{{0.2, 0.2, 0},
                           {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
                           {0.2, 0.2, 0},
                           {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}}};
  expect_time(vertex_face(m), 0.5);
}

TEST(VertexFace, WithASeparation) {
  CcdOptions options;
  options.min_separation = 0.125;
  const CcdResult r = vertex_face(falling({0.25, 0.25, 1}, {0.25, 0.25, -1}), options);
  EXPECT_TRUE(r.hit);
  EXPECT_LE(r.time, 0.4375);
  EXPECT_NEAR(r.time, 0.4375, 1e-12);
  EXPECT_TRUE(vertex_face(falling({0.25, 0.25, 1}, {0.25, 0.25, 0.125}), options).hit);
  EXPECT_FALSE(vertex_face(falling({0.25, 0.25, 1}, {0.25, 0.25, 0.126}), options).hit);
}

TEST(VertexFace, Until) {
  CcdOptions options;
  options.until = 0.4;
  EXPECT_FALSE(vertex_face(falling({0.25, 0.25, 1}, {0.25, 0.25, -1}), options).hit);
  options.until = 0.5;
  EXPECT_TRUE(vertex_face(falling({0.25, 0.25, 1}, {0.25, 0.25, -1}), options).hit);
}

// Options of all kinds, over pairs of all kinds: each call ends, and no time leads to a contact
// before it.
TEST(VertexFace, EveryOptionEnds) {
  Random random(31);
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  const double odd[] = {0.0, 1.0, -0.75, 0.5, 1e-300, nan, infinite, -infinite, 2.0};
  for (int i = 0; i < test::effort(4000); ++i) {
    const double size = i % 3 == 0 ? 0.0 : 1.0;
    const auto place = [&] { return random_corner(random, size); };
    const MovingVertexFace motion{
        place(), {place(), place(), place()}, place(), {place(), place(), place()}};
    CcdOptions options;
    options.until = odd[i % 9];
    options.min_separation = odd[i / 9 % 9];
    options.max_intervals = i % 11 == 0 ? -1 : i % 13 == 0 ? 0 : 2000;
    const CcdResult r = vertex_face(motion, options);
    const bool sound = options.min_separation >= 0.0 && options.min_separation < infinite &&
                       !std::isnan(options.until);
    if (sound) {
      EXPECT_LE(r.time, 1.0);
      EXPECT_NE(r.status, Status::invalid_input);
    } else {
      EXPECT_TRUE(r.hit && r.time == 0.0 && r.status == Status::invalid_input) << i;
    }
  }
}

TEST(VertexFace, WhatIsNotFiniteIsAHit) {
  const double bad = std::numeric_limits<double>::quiet_NaN();
  const CcdResult r = vertex_face(falling({bad, 0, 1}, {0, 0, 2}));
  EXPECT_TRUE(r.hit);
  EXPECT_EQ(r.time, 0.0);
  EXPECT_EQ(r.status, Status::invalid_input);
}

TEST(VertexFace, ACapIsAHitAndSaysSo) {
  CcdOptions options;
  options.max_intervals = 1;
  const CcdResult r = vertex_face(falling({-1, 0.5, 0}, {1, 0.5, 0}), options);
  EXPECT_TRUE(r.hit);
  EXPECT_LE(r.time, 0.5);
  EXPECT_EQ(r.status, Status::iteration_limit);
}

TEST(EdgeEdge, CrossesMissesAndTouches) {
  const auto moved = [](double x, double z0, double z1) {
    return MovingEdges{{{-1, 0, 0}, {1, 0, 0}},
                       {{x, -1, z0}, {x, 1, z0}},
                       {{-1, 0, 0}, {1, 0, 0}},
                       {{x, -1, z1}, {x, 1, z1}}};
  };
  const CcdResult r = edge_edge(moved(0.5, 1, -3));
  expect_time(r, 0.25);
  EXPECT_TRUE(r.proved);
  EXPECT_NEAR(norm(r.normal - Vec3{0, 0, 1}), 0.0, 1e-14);
  EXPECT_NEAR(norm(r.weights - Vec3{0.75, 0.5, 0}), 0.0, 1e-12);
  expect_time(edge_edge(moved(1.0, 1, -1)), 0.5);
  EXPECT_FALSE(edge_edge(moved(1.0 + 1e-12, 1, -1)).hit);
}

TEST(EdgeEdge, ParallelAndWithoutLength) {
  const auto beside = [](double y0, double y1, double x) {
    return MovingEdges{{{0, 0, 0}, {1, 0, 0}},
                       {{x, y0, 0}, {x + 1, y0, 0}},
                       {{0, 0, 0}, {1, 0, 0}},
                       {{x, y1, 0}, {x + 1, y1, 0}}};
  };
  expect_time(edge_edge(beside(1, -1, 0.5)), 0.5);
  expect_time(edge_edge(beside(1, -1, 1.0)), 0.5);
  EXPECT_FALSE(edge_edge(beside(1, -1, 1.0 + 1e-12)).hit);
  EXPECT_FALSE(edge_edge(beside(1, 1e-12, 0.5)).hit);
  const Vec3 a{0, 0, 1}, b{0, 0, -1}, c{-1, 0, 0}, d{1, 0, 0};
  expect_time(edge_edge({{a, a}, {c, d}, {b, b}, {c, d}}), 0.5);
}

// Scales by powers of two and exact translations change no bit; other numbering changes no verdict.
TEST(EdgeEdge, MostPairsThatPassCostNothing) {
  // No plane across an axis is between them, one across the way from one to the other is.
  const Vec3 a0{0.0, 0.0, 0.0}, a1{1.0, 1.0, 0.3}, off{0.4, -0.4, 0.1}, way{0.1, 0.05, -0.1};
  const MovingEdges pair = {
      {a0, a1}, {a0 + off, a1 + off}, {a0, a1}, {a0 + off + way, a1 + off + way}};
  const CcdResult r = edge_edge(pair);
  EXPECT_FALSE(r.hit);
  EXPECT_EQ(r.intervals, 0);
  // With a separation that reaches farther than they are apart it says nothing.
  CcdOptions options;
  options.min_separation = 1.0;
  EXPECT_TRUE(edge_edge(pair, options).hit);
  // Numbers that are none are a hit.
  MovingEdges bad = pair;
  bad.b_t1[1].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(edge_edge(bad).hit);
  EXPECT_EQ(edge_edge(bad).status, Status::invalid_input);
}

TEST(EdgeEdge, FlatPairsTakeFewIntervals) {
  // Edges that cross at rest in a slanted plane, one of which is turned in it: in contact at once.
  const auto place = [](double u, double v) {
    return Vec3{0.25 * u + 0.125 * v, 0.5 * v - 0.25 * u, 0.125 * u + 0.25 * v};
  };
  const MovingEdges resting = {{place(-1.0, 0.25), place(1.5, 0.125)},
                               {place(0.125, -1.0), place(0.0, 1.75)},
                               {place(-1.0, 0.25), place(1.5, 0.5)},
                               {place(0.125, -1.0), place(0.0, 1.75)}};
  CcdResult r = edge_edge(resting);
  EXPECT_TRUE(r.hit);
  EXPECT_LE(r.time, 1e-10);
  EXPECT_LE(r.intervals, 12);
  // Edges that cross in parallel planes, 2^-60 apart all the time: no contact.
  const double gap = 0x1p-60;
  const MovingEdges beside = {{{-1.0, 0.2, gap}, {1.3, 0.1, gap}},
                              {{0.1, -1.0, 0.0}, {0.0, 1.7, 0.0}},
                              {{-1.0, 0.3, gap}, {1.3, 0.4, gap}},
                              {{0.1, -1.0, 0.0}, {0.0, 1.7, 0.0}}};
  r = edge_edge(beside);
  EXPECT_FALSE(r.hit);
  EXPECT_LE(r.intervals, 3);
}

TEST(VertexFace, NearMissesInOnePlaneTakeFewIntervals) {
  // It comes down beside a side by half an unit of rounding.
  const double x = -0x1p-55;
  CcdResult r = vertex_face(falling({x, 0.3, 1.0}, {x, 0.4, -1.0}));
  EXPECT_FALSE(r.hit);
  EXPECT_LE(r.intervals, 30);
  // Along the plane, beside the face.
  r = vertex_face(falling({-0.3, 1.3, 0.0}, {1.3, 0.3, 0.0}));
  EXPECT_FALSE(r.hit);
  EXPECT_LE(r.intervals, 20);
}

TEST(Ccd, ScaleShiftAndOrder) {
  Random random(3);
  const auto whole = [&] {
    return Vec3{double(int(random.below(9)) - 4), double(int(random.below(9)) - 4),
                double(int(random.below(9)) - 4)};
  };
  int hits = 0;
  for (int i = 0; i < 4000; ++i) {
    Vec3 p[8];
    for (Vec3& x : p) x = whole();
    const auto ask = [&](double scale, const Vec3& shift) {
      Vec3 q[8];
      for (int k = 0; k < 8; ++k) q[k] = p[k] * scale + shift;
      return vertex_face({q[0], {q[1], q[2], q[3]}, q[4], {q[5], q[6], q[7]}});
    };
    const CcdResult r = ask(1.0, {});
    hits += r.hit ? 1 : 0;
    for (const CcdResult& other : {ask(0x1p-40, {}), ask(0x1p40, {}), ask(1.0, {1024, -512, 64})}) {
      EXPECT_EQ(other.hit, r.hit);
      EXPECT_EQ(other.time, r.time);
      EXPECT_EQ(other.proved, r.proved);
    }
    const CcdResult turned = vertex_face({p[0], {p[2], p[3], p[1]}, p[4], {p[6], p[7], p[5]}});
    EXPECT_EQ(turned.hit, r.hit);
    const CcdResult forth = edge_edge({{p[0], p[1]}, {p[2], p[3]}, {p[4], p[5]}, {p[6], p[7]}});
    const CcdResult back = edge_edge({{p[3], p[2]}, {p[0], p[1]}, {p[7], p[6]}, {p[4], p[5]}});
    EXPECT_EQ(forth.hit, back.hit);
  }
  EXPECT_GT(hits, 300);
}

TEST(Ccd, BatchesHaveTheBitsOfSingleCalls) {
  Random random(5);
  std::vector<MovingVertexFace> motions(1000);
  for (MovingVertexFace& m : motions) {
    for (Vec3* p : {&m.vertex_t0, &m.vertex_t1, m.face_t0, m.face_t0 + 1, m.face_t0 + 2, m.face_t1,
                    m.face_t1 + 1, m.face_t1 + 2}) {
      *p = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    }
  }
  std::vector<CcdResult> one, two;
  vertex_face(motions, one, {}, 1);
  vertex_face(motions, two, {}, 2);
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const CcdResult single = vertex_face(motions[i]);
    EXPECT_EQ(one[i].time, single.time);
    EXPECT_EQ(two[i].time, single.time);
    EXPECT_EQ(two[i].hit, single.hit);
  }
}

// Each of the source's methods misses what the default finds.
TEST(Knoblauch, CounterExamples) {
  CcdOptions bisection, cardano;
  bisection.method = CcdMethod::bisection;
  cardano.method = CcdMethod::cardano;
  const auto plain = falling({0.25, 0.25, 1}, {0.25, 0.25, -1});
  EXPECT_NEAR(vertex_face(plain, bisection).time, 0.5, 1e-9);
  EXPECT_NEAR(vertex_face(plain, cardano).time, 0.5, 1e-12);
  // In the plane all the time there is no change of sign, and no root.
  const auto sliding = falling({-1, 0.5, 0}, {1, 0.5, 0});
  EXPECT_TRUE(vertex_face(sliding).hit);
  EXPECT_FALSE(vertex_face(sliding, cardano).hit);
  // Through the plane and back between two samples: an even number of changes of sign.
  const MovingVertexFace there_and_back{{1, -1, 2},
                                        {{1, 1, 1}, {0, -1, -1}, {-2, -1, -2}},
                                        {0, 0, -2},
                                        {{1, 2, 2}, {-2, -1, -1}, {2, 0, 0}}};
  EXPECT_TRUE(vertex_face(there_and_back).hit);
  EXPECT_FALSE(vertex_face(there_and_back, bisection).hit);
  // It knows no edges.
  const CcdResult edges = edge_edge({{{-1, 0, 0}, {1, 0, 0}},
                                     {{0, -1, 1}, {0, 1, 1}},
                                     {{-1, 0, 0}, {1, 0, 0}},
                                     {{0, -1, -1}, {0, 1, -1}}},
                                    bisection);
  EXPECT_EQ(edges.status, Status::unsupported);
  EXPECT_FALSE(edges.hit);
}

}  // namespace
}  // namespace tactus::detail
