#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "tactus/io/json/query_judge.hpp"
#include "tactus/io/json/query_line.hpp"
#include "tests/support/moved_queries.hpp"
#include "tests/support/query_files.hpp"

// Pairs with right answers: of closed form, and those on which other libraries failed in the field,
// from acceptance data where it is at hand. tests/regression/field_cases_test.cpp asks pairs of the
// same kind that are part of this repository.
namespace tactus::io {
using namespace detail;
namespace {

constexpr double kTolerance = 1e-12;  // of size, for the signed distance
// In the repository's own file, and in that of the acceptance data.
constexpr int kOwnCases = 64, kAcceptanceCases = 80;

void expect_right_in_every_pose(const std::filesystem::path& file, int expected) {
  std::ifstream stream(file);
  ShapeReader reader(file.parent_path());
  std::string line;
  int cases = 0;
  while (std::getline(stream, line)) {
    const QueryLine parsed = parse_query_line(line, reader);
    ASSERT_TRUE(parsed.query) << parsed.error;
    const double size = pair_size(parsed.query->a, parsed.query->b);
    const auto truth = truth_of(*parsed.query, size);
    if (parsed.query->motion || !truth) continue;
    ++cases;
    for (const test::MovedQuery& way : test::all_ways(*parsed.query, 1)) {
      SCOPED_TRACE(parsed.id + " " + way.name);
      const Query& q = way.query;
      const Answer answer = answer_query(q, true);
      const DistanceResult& r = answer.distance;
      const CheckReport report = check(q.a, q.pose_a, q.b, q.pose_b, r, answer.certificate.get());
      const Truth right = test::widened(*truth, way.rounding);
      const Tally tally = judge(r, right, report, size);
      EXPECT_EQ(tally.answered, 1);
      EXPECT_EQ(tally.not_finite, 0);
      EXPECT_EQ(tally.bracket_violations, 0)
          << r.lower << " .. " << r.upper << ", right " << truth->distance;
      EXPECT_TRUE(report.ok) << report.failure;
      EXPECT_LE(std::fabs(r.distance - truth->distance), kTolerance * size + way.rounding);
      if (right.lower > 0.0 || right.upper < 0.0) {
        EXPECT_EQ(r.distance > 0.0, truth->distance > 0.0);
      }
    }
  }
  EXPECT_EQ(cases, expected) << file;
}

TEST(FieldFailures, AreRightInEveryPose) {
  bool own = true;
  for (const std::filesystem::path& file : test::query_files("field_failures.")) {
    expect_right_in_every_pose(file, own ? kOwnCases : kAcceptanceCases);
    own = false;
  }
}

}  // namespace
}  // namespace tactus::io
