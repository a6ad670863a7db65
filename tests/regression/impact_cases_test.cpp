#include <gtest/gtest.h>

#include <string>

#include "tactus/io/json/query_judge.hpp"
#include "tactus/io/json/query_line.hpp"

// Motions of the kind on which libraries are known to fail: contacts that are none, endless loops,
// whole turns that are not seen.
namespace tactus::io {
using namespace detail;
namespace {

CastResult ask(const std::string& line) {
  ShapeReader reader;
  const QueryLine parsed = parse_query_line(line, reader);
  EXPECT_TRUE(parsed.query) << parsed.error;
  if (!parsed.query) return {};
  const Answer answer = answer_query(*parsed.query, true);
  const CheckReport report = check_answer(*parsed.query, answer);
  EXPECT_TRUE(report.ok) << report.failure;
  return answer.cast.value_or(CastResult{});
}

TEST(ImpactCases, ABoxThatTurnsPastAnotherOne) {
  // Two long boxes, the smaller one drifting and turning by a quarter of a radian 6.8 away:
  // reported as touching, or never answered when the angles were many turns.
  const std::string boxes =
      R"({"ask":"impact","a":{"type":"box","size":[50,10,20000]},)"
      R"("pose_a":[-0.9817022029984541,-0.19042264736102704,0,24,0.19042264736102704,)"
      R"(-0.9817022029984541,0,-60,0,0,1,0],"b":{"type":"box","size":[5,5,20000]},)"
      R"("pose_b":[-0.2798509592402714,0.9600434576686099,0,53.474274,-0.9600434576686099,)"
      R"(-0.2798509592402714,0,-50.252514,0,0,1,0],"motion":{"a":{},)"
      R"("b":{"linear":[1.121204,-0.830959,0],"angular":[0,0,)";
  for (const char* turn : {"0.26106", "513.62781", "-628.3"}) {
    const CastResult r = ask(boxes + turn + "]}}}");
    EXPECT_EQ(r.hit, Overlap::no) << turn;
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_LE(r.iterations, 20);
  }
}

TEST(ImpactCases, ABoxThatSlidesOverAWallOfTriangles) {
  // Its lower face comes down to 2.1e-5 above the wall's top.
  const CastResult r = ask(
      R"({"ask":"impact","a":{"type":"box","size":[0.9,1.42552,1]},"pose_a":[1,0,0,6.559144,)"
      R"(0,1,0,3.712804,0,0,1,0],"b":{"type":"mesh","vertices":[[7,2,-0.5],[7,3,-0.5],[7,3,0.5],)"
      R"([7,2,0.5],[3,3,-0.5],[3,3,0.5]],"triangles":[[0,1,2],[0,2,3],[4,5,2],[4,2,1]]},)"
      R"("motion":{"a":{"linear":[0.4085364,-2.289e-05,0]},"b":{}}})");
  EXPECT_EQ(r.hit, Overlap::no);
}

TEST(ImpactCases, TheFirstAndTheLastPoseAreTheSame) {
  const CastResult r = ask(
      R"({"ask":"impact","a":{"type":"box","size":[4,0.1,0.1]},"b":{"type":"sphere","radius":0.1},)"
      R"("pose_b":[1,0,0,0,0,1,0,1.5,0,0,1,0],)"
      R"("motion":{"a":{"angular":[0,0,6.283185307179586]},"b":{}}})");
  EXPECT_EQ(r.hit, Overlap::yes);
  EXPECT_LT(r.time, 0.25);
}

}  // namespace
}  // namespace tactus::io
