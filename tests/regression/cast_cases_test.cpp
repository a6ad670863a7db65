#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tactus/check.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/io/json/query_line.hpp"
#include "tests/support/query_files.hpp"

// Casts of the kind on which libraries are known to fail: missed, endless, late, or too early by
// much.
namespace tactus::io {
using namespace detail;
namespace {

CastResult ask(const std::string& line) {
  ShapeReader reader;
  const QueryLine parsed = parse_query_line(line, reader);
  EXPECT_TRUE(parsed.query) << parsed.error;
  return parsed.query ? answer_query(*parsed.query).cast.value_or(CastResult{}) : CastResult{};
}

void expect_hit(const CastResult& r, double time, double slack) {
  EXPECT_EQ(r.hit, Overlap::yes);
  EXPECT_LE(r.time, time * (1.0 + 1e-15));
  EXPECT_GE(r.time_upper, time * (1.0 - 1e-15));
  EXPECT_NEAR(r.time, time, slack);
  EXPECT_LE(r.time_upper - r.time, 2.0 * slack);
}

TEST(CastCases, BallOnAHugeSlab) {
  // The time must not suffer from the size of the target.
  for (const double size : {1.0, 1e2, 1e4, 1e6}) {
    const std::string s = std::to_string(size);
    const CastResult r =
        ask(R"({"ask":"cast","a":{"type":"sphere","radius":0.25},)"
            R"("pose_a":[1,0,0,)" +
            std::to_string(0.4 * size) + R"(,0,1,0,2,0,0,1,0],"b":{"type":"box","size":[)" + s +
            ",1," + s + R"(]},"motion":{"a":[0,-5,0],"b":[0,0,0]}})");
    expect_hit(r, 0.25, 1e-14 * size + 1e-14);
  }
}

TEST(CastCases, FastPyramidsFromAfar) {
  const std::string pyramid =
      R"({"type":"convex","vertices":[[0,2,0],[-2,-1,0],[0,-1,-2],[2,-1,0]]})";
  expect_hit(ask(R"({"ask":"cast","a":)" + pyramid + R"(,"b":)" + pyramid +
                 R"(,"pose_b":[1,0,0,504,0,1,0,0,0,0,1,0],)"
                 R"("motion":{"a":[20000,0,0],"b":[0,0,0]}})"),
             0.025, 1e-14);
}

TEST(CastCases, StillTinyAndImmenseMotions) {
  const auto boxes = [](const std::string& y) {
    return ask(R"({"ask":"cast","a":{"type":"box","size":[2,2,2]},)"
               R"("pose_a":[1,0,0,0,0,1,0,2.5,0,0,1,0],"b":{"type":"box","size":[2,2,2]},)"
               R"("motion":{"a":[0,)" +
               y + R"(,0],"b":[0,0,0]}})");
  };
  EXPECT_EQ(boxes("0").hit, Overlap::no);
  EXPECT_EQ(boxes("-1e-30").hit, Overlap::no);
  EXPECT_EQ(boxes("1e30").hit, Overlap::no);
  expect_hit(boxes("-1e30"), 5e-31, 1e-43);
}

// Any direction would do within rounding; the one that is told is as far as the distance says.
TEST(CastCases, BallsThatStartNearlyConcentric) {
  for (const double apart : {0.0, 1e-17, 1e-16, 1e-15, 7e-15, 1e-13, 1e-9}) {
    const Shape a = Sphere(0.790695410725986), b = Sphere(0.4191278483340364);
    const Pose pose_b = Pose::translation({-0.35 * apart, -0.08 * apart, -0.93 * apart});
    const Vec3 motion_a{-0.15, 0.09, 0.003}, motion_b{-0.02, -0.003, 0.02};
    Certificate certificate;
    QueryOptions options;
    options.certificate = &certificate;
    const CastResult r = cast(a, Pose(), motion_a, b, pose_b, motion_b, options);
    EXPECT_EQ(r.hit, Overlap::yes);
    const CheckReport report = check(a, Pose(), motion_a, b, pose_b, motion_b, r, &certificate);
    EXPECT_FALSE(report.refuted()) << apart << ' ' << report.failure;
  }
}

TEST(CastCases, NeedleTriangleBesideTheWay) {
  const CastResult r =
      ask(R"({"ask":"cast","a":{"type":"sphere","radius":0.3},"pose_a":[1,0,0,0,0,1,0,0,0,0,1,-4],)"
          R"("b":{"type":"convex","vertices":[[-0.3,2.4,0],[-0.3,2.3996,-3],[-0.3,2.3996,-5]]},)"
          R"("motion":{"a":[-0.1,0.0000001,0.001],"b":[0,0,0]}})");
  EXPECT_EQ(r.hit, Overlap::no);
  EXPECT_LT(r.iterations, 20);
}

// Casts whose right time is known: exact cases, and the acceptance data where it is at hand.
TEST(CastCases, KnownTimes) {
  for (const std::filesystem::path& file : test::query_files("field_failures.")) {
    std::ifstream stream(file);
    ShapeReader reader(file.parent_path());
    std::string line;
    int casts = 0;
    while (std::getline(stream, line)) {
      const QueryLine parsed = parse_query_line(line, reader);
      if (!parsed.query || !has_right_time(*parsed.query)) continue;
      SCOPED_TRACE(parsed.id);
      ++casts;
      const Query& q = *parsed.query;
      const Answer answer = answer_query(q, true);
      const CheckReport report = check_answer(q, answer);
      const Tally tally = judge(answer.cast.value_or(CastResult{}), q, report, pair_size(q.a, q.b));
      EXPECT_EQ(tally.answered, 1);
      EXPECT_EQ(tally.not_converged, 0);
      EXPECT_FALSE(tally.contradicted()) << report.failure;
    }
    EXPECT_GE(casts, 11) << file;
  }
}

}  // namespace
}  // namespace tactus::io
