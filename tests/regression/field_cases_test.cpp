#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "tactus/io/json/query_judge.hpp"
#include "tactus/io/json/query_line.hpp"
#include "tests/support/moved_queries.hpp"

// Pairs of the kind on which libraries are known to fail, each with its right answer.
namespace tactus::io {
using namespace detail;
namespace {

constexpr double kTolerance = 1e-12;  // of size, for the signed distance
constexpr double kWitness = 1e-8;     // of size
// Bodies at most this far apart, relative to the size, must show a contact when asked with that
// threshold.
constexpr double kTouching = 1e-6;

struct FieldCase {
  std::string id;
  Query query;
};

std::vector<FieldCase> read_cases() {
  std::ifstream file(TACTUS_SOURCE_DIR "/tests/regression/data/field_cases.jsonl");
  ShapeReader reader;
  std::vector<FieldCase> cases;
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("//", 0) == 0) continue;
    QueryLine parsed = parse_query_line(line, reader);
    EXPECT_TRUE(parsed.query) << parsed.error;
    if (parsed.query) cases.push_back({parsed.id, std::move(*parsed.query)});
  }
  return cases;
}

TEST(FieldCases, AreAllThere) { EXPECT_EQ(read_cases().size(), 35u); }

TEST(FieldCases, DistancesAreRightAndProved) {
  for (const FieldCase& c : read_cases()) {
    SCOPED_TRACE(c.id);
    const double size = pair_size(c.query.a, c.query.b);
    const Answer answer = answer_query(c.query, true);
    const CheckReport report = check(c.query.a, c.query.pose_a, c.query.b, c.query.pose_b,
                                     answer.distance, answer.certificate.get());
    const Tally tally = judge(answer.distance, truth_of(c.query, size).value(), report, size);
    EXPECT_EQ(tally.answered, 1);
    EXPECT_EQ(tally.not_finite, 0);
    EXPECT_EQ(tally.bracket_violations, 0);
    EXPECT_EQ(tally.wrong_signs, 0);
    EXPECT_TRUE(report.ok) << report.failure;
    EXPECT_LE(tally.worst_error, kTolerance);
    EXPECT_LE(tally.worst_support, kTolerance);
    EXPECT_LE(tally.worst_witness, kWitness);
  }
}

TEST(FieldCases, DistancesStayRightInEveryPose) {
  for (const FieldCase& c : read_cases()) {
    const double size = pair_size(c.query.a, c.query.b);
    const Truth truth = truth_of(c.query, size).value();
    for (const test::MovedQuery& way : test::all_ways(c.query, 1)) {
      SCOPED_TRACE(c.id + " " + way.name);
      const Query& q = way.query;
      const Answer answer = answer_query(q, true);
      const CheckReport report =
          check(q.a, q.pose_a, q.b, q.pose_b, answer.distance, answer.certificate.get());
      const Truth right = test::widened(truth, way.rounding);
      const Tally tally = judge(answer.distance, right, report, size);
      EXPECT_EQ(tally.bracket_violations, 0);
      EXPECT_TRUE(report.ok) << report.failure;
      EXPECT_LE(std::fabs(answer.distance.distance - truth.distance),
                kTolerance * size + way.rounding);
    }
  }
}

TEST(FieldCases, OverlapNeverContradictsTheTruth) {
  for (FieldCase& c : read_cases()) {
    SCOPED_TRACE(c.id);
    const double right = c.query.right->signed_distance.value();
    c.query.ask = Ask::overlap;
    const Overlap overlap = answer_query(c.query).overlap;
    if (std::fabs(right) > kTolerance * pair_size(c.query.a, c.query.b)) {
      EXPECT_EQ(overlap, right < 0.0 ? Overlap::yes : Overlap::no);
    } else {
      // Kissing: `undecided` is honest, the other side would not be.
      EXPECT_NE(overlap, right < 0.0 ? Overlap::no : Overlap::yes);
    }
  }
}

TEST(FieldCases, TouchingBodiesShowTheirContact) {
  int touching = 0;
  for (FieldCase& c : read_cases()) {
    SCOPED_TRACE(c.id);
    const double size = pair_size(c.query.a, c.query.b);
    const double right = c.query.right->signed_distance.value();
    c.query.ask = Ask::contacts;
    c.query.options.margin = 2.0 * kTouching * size;
    const Answer answer = answer_query(c.query);
    if (right > 4.0 * kTouching * size) {
      EXPECT_TRUE(answer.manifolds.empty());
      continue;
    }
    if (right > kTouching * size) continue;
    ++touching;
    ASSERT_EQ(answer.manifolds.size(), 1u);
    const Manifold& manifold = answer.manifolds.front();
    ASSERT_GE(manifold.count, 1);
    double deepest = -size;
    for (const ContactPoint& point : manifold.span()) deepest = std::max(deepest, point.depth);
    // The deepest point carries the depth of the pair, within what the patch is allowed to tilt.
    EXPECT_LE(deepest, -right + kTouching * size);
    EXPECT_GE(deepest, -right - kTouching * size);
  }
  EXPECT_GT(touching, 20);
}

}  // namespace
}  // namespace tactus::io
