#include "tactus/io/json/query_line.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tactus/io/json/capture.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/query.hpp"

namespace tactus::io {
using namespace detail;
namespace {

using nlohmann::json;

/// Two unit balls, centres 3 apart along x, as a line with more fields.
std::string balls(const std::string& fields) {
  return R"({"id":"q","a":{"type":"sphere","radius":1},"b":{"type":"sphere","radius":1},)"
         R"("pose_b":[1,0,0,3, 0,1,0,0, 0,0,1,0],)" +
         fields + "}";
}

QueryLine parse(const std::string& line) {
  ShapeReader reader;
  return parse_query_line(line, reader);
}

json answer(const std::string& line, bool certificate = false) {
  const QueryLine parsed = parse(line);
  if (!parsed.query) return parse_json(error_to_line(parsed.id, parsed.error));
  return parse_json(answer_to_line(parsed.id, *parsed.query,
                                   answer_query(*parsed.query, certificate), certificate));
}

TEST(QueryLine, DistanceAnswersEveryFieldOfTheFormat) {
  const json a = answer(balls(R"("ask":"distance")"));
  EXPECT_EQ(a.at("id"), "q");
  EXPECT_EQ(a.at("status"), "converged");
  EXPECT_DOUBLE_EQ(a.at("distance").get<double>(), 1.0);
  EXPECT_LE(a.at("lower"), a.at("distance"));
  EXPECT_GE(a.at("upper"), a.at("distance"));
  EXPECT_EQ(a.at("normal"), json::array({1, 0, 0}));
  EXPECT_EQ(a.at("point_a"), json::array({1, 0, 0}));
  EXPECT_EQ(a.at("point_b"), json::array({2, 0, 0}));
  EXPECT_TRUE(a.at("method").is_string());
  EXPECT_TRUE(a.at("iterations").is_number_integer());
  EXPECT_FALSE(a.contains("certificate"));
}

TEST(QueryLine, DerivativesOnRequest) {
  const json a = answer(balls(R"("ask":"distance","derivatives":true)"));
  const json& d = a.at("derivatives");
  EXPECT_EQ(d.at("linear_a"), json::array({-1, 0, 0}));
  EXPECT_EQ(d.at("linear_b"), json::array({1, 0, 0}));
  EXPECT_EQ(d.at("angular_a").size(), 3u);
  EXPECT_EQ(d.at("angular_b").size(), 3u);
  EXPECT_EQ(d.at("smooth"), true);
  EXPECT_EQ(d.at("unique"), true);
  EXPECT_FALSE(answer(balls(R"("ask":"distance")")).contains("derivatives"));
  EXPECT_TRUE(answer(balls(R"("ask":"contacts","derivatives":true)")).contains("derivatives"));
  const json facing = answer(
      R"({"a":{"type":"cylinder","radius":0.5,"length":1},"b":{"type":"box","size":[2,2,2]},"pose_b":{"position":[0,0,3]},"ask":"distance","derivatives":true})");
  EXPECT_EQ(facing.at("derivatives").at("smooth"), false);
  EXPECT_EQ(facing.at("derivatives").at("unique"), false);
  // None of a query without an answer.
  const json none = answer(
      R"({"a":{"type":"sphere","radius":1e60},"b":{"type":"sphere","radius":1},"ask":"distance","derivatives":true})");
  EXPECT_FALSE(none.contains("derivatives"));
  EXPECT_TRUE(none.at("distance").is_null() && none.at("lower").is_null());
}

// Balls that are 1 apart, and come together at a speed of 2: at 0.5.
TEST(QueryLine, DerivativesOfTheTimeOnRequest) {
  for (
      const char* ask :
      {R"("ask":"cast","motion":{"a":[0,0,0],"b":[-2,0,0]},"derivatives":true)",
       R"("ask":"impact","motion":{"a":{"linear":[0,0,0],"angular":[0,0,0]},"b":{"linear":[-2,0,0],"angular":[0,0,0]}},"derivatives":true)"}) {
    const json a = answer(balls(ask));
    EXPECT_NEAR(a.at("time").get<double>(), 0.5, 1e-12);
    const json& d = a.at("derivatives");
    EXPECT_EQ(d.at("smooth"), true);
    EXPECT_EQ(d.at("unique"), true);
    EXPECT_NEAR(d.at("linear_a")[0].get<double>(), -0.5, 1e-7);
    EXPECT_NEAR(d.at("linear_b")[0].get<double>(), 0.5, 1e-7);
    EXPECT_NEAR(d.at("angular_b")[2].get<double>(), 0.0, 1e-7);
    EXPECT_NEAR(d.at("motion").at("linear_b")[0].get<double>(), 0.25, 1e-7);
    EXPECT_EQ(d.at("motion").at("smooth"), true);
  }
  EXPECT_FALSE(
      answer(balls(R"("ask":"cast","motion":{"a":[0,0,0],"b":[2,0,0]},"derivatives":true)"))
          .contains("derivatives"));
  EXPECT_FALSE(
      answer(balls(R"("ask":"cast","motion":{"a":[0,0,0],"b":[-2,0,0]})")).contains("derivatives"));
}

/// A unit tetrahedron, of all its faces or without the last, and a ball inside it or farther out.
std::string mesh_line(bool closed, const std::string& fields) {
  return std::string(R"({"id":"m","a":{"type":"mesh","vertices":[[0,0,0],[4,0,0],[0,4,0],[0,0,4]],)"
                     R"("triangles":[[0,2,1],[0,1,3],[0,3,2])") +
         (closed ? ",[1,2,3]" : "") +
         R"(]},"b":{"type":"sphere","radius":0.25},"pose_b":[1,0,0,1, 0,1,0,1, 0,0,1,-1],)" +
         fields + "}";
}

TEST(QueryLine, MeshesAreSaidToBeClosedOrOpen) {
  const std::string motion = R"(,"motion":{"a":[0,0,0],"b":[0,0,2]})";
  const std::string turning = R"(,"motion":{"a":{},"b":{"linear":[0,0,2]}})";
  for (const bool closed : {true, false}) {
    for (const std::string ask : {"overlap", "distance", "contacts", "cast", "impact"}) {
      const std::string moves = ask == "cast" ? motion : ask == "impact" ? turning : "";
      const json a = answer(mesh_line(closed, R"("ask":")" + ask + "\"" + moves));
      EXPECT_EQ(a.at("closed"), closed) << ask;
      const bool refused = !closed && ask == "distance";
      EXPECT_EQ(a.at("status"), refused ? "unsupported" : "converged") << ask;
    }
  }
  EXPECT_FALSE(answer(balls(R"("ask":"distance")")).contains("closed"));
}

TEST(QueryLine, SignedDistanceOfAnOpenMeshIsRefusedWithTheReason) {
  const json refused = answer(mesh_line(false, R"("ask":"distance")"));
  EXPECT_NE(refused.at("error").get<std::string>().find("open mesh"), std::string::npos);
  EXPECT_TRUE(refused.at("lower").is_null());
  EXPECT_TRUE(refused.at("upper").is_null());
  const json bare = answer(mesh_line(false, R"("ask":"distance","signed":false)"));
  EXPECT_EQ(bare.at("status"), "converged");
  EXPECT_FALSE(bare.contains("error"));
  EXPECT_DOUBLE_EQ(bare.at("distance").get<double>(), 0.75);
  // A closed mesh apart has the same distance with `signed` false; numbers are no value of it.
  const json closed = answer(mesh_line(true, R"("ask":"distance","signed":false)"));
  EXPECT_DOUBLE_EQ(closed.at("distance").get<double>(), 0.75);
  EXPECT_EQ(answer(mesh_line(true, R"("ask":"distance","signed":1)")).at("status"),
            "invalid_input");
  // `capture` writes the option, so that the line sets it again.
  QueryOptions options;
  options.signed_distance = false;
  const std::string line =
      capture(Sphere(1.0), Pose(), Sphere(1.0), Pose(), options, Ask::distance, "c");
  EXPECT_FALSE(parse(line).query->options.signed_distance);
}

TEST(QueryLine, OverlapAnswersTrueOrFalse) {
  EXPECT_EQ(answer(balls(R"("ask":"overlap")")).at("overlap"), false);
  const std::string near =
      balls(R"("ask":"overlap","pose_a":{"position":[2,0,0],"quaternion":[1,0,0,0]})");
  EXPECT_EQ(answer(near).at("overlap"), true);
}

TEST(QueryLine, ContactsAreListedWithinTheThreshold) {
  EXPECT_TRUE(answer(balls(R"("ask":"contacts")")).at("contacts").empty());
  const json a = answer(balls(R"("ask":"contacts","threshold":1.5)"));
  ASSERT_EQ(a.at("contacts").size(), 1u);
  const json& contact = a.at("contacts").at(0);
  EXPECT_NEAR(contact.at("depth").get<double>(), -1.0, 1e-12);
  EXPECT_EQ(contact.at("point_a").size(), 3u);
  EXPECT_EQ(contact.at("point_b").size(), 3u);
}

TEST(QueryLine, ManyPatchesAreAllListed) {
  // Sixteen balls in a row, each touching a long box.
  json parts = json::array();
  for (int i = 0; i < 16; ++i) {
    json pose = {{"position", {2.0 * i, 0.0, 0.0}}, {"quaternion", {1, 0, 0, 0}}};
    parts.push_back({{"shape", {{"type", "sphere"}, {"radius", 0.5}}}, {"pose", pose}});
  }
  const json line = {{"a", {{"type", "compound"}, {"parts", parts}}},
                     {"b", {{"type", "box"}, {"size", {100, 1, 1}}}},
                     {"pose_b", {{"position", {0, 0, -0.9}}, {"quaternion", {1, 0, 0, 0}}}},
                     {"ask", "contacts"}};
  const json a = answer(line.dump());
  EXPECT_EQ(a.at("id"), nullptr);
  EXPECT_EQ(a.at("contacts").size(), 16u);
}

TEST(QueryLine, CertificateOnRequest) {
  const json a = answer(balls(R"("ask":"distance")"), true);
  ASSERT_TRUE(a.contains("certificate"));
  EXPECT_EQ(a.at("certificate").at("direction").size(), 3u);
  EXPECT_TRUE(a.at("certificate").at("kind").is_string());
}

TEST(QueryLine, CastsAnswerTheirTimes) {
  const json hit = answer(balls(R"("ask":"cast","motion":{"a":[1,0,0],"b":[-3,0,0]})"));
  ASSERT_EQ(hit.at("status"), "converged");
  EXPECT_EQ(hit.at("hit"), true);
  EXPECT_LE(hit.at("time").get<double>(), 0.25);
  EXPECT_GE(hit.at("time_upper").get<double>(), 0.25);
  EXPECT_NEAR(hit.at("time").get<double>(), hit.at("time_upper").get<double>(), 1e-13);
  EXPECT_EQ(hit.at("normal"), json::array({1, 0, 0}));
  EXPECT_EQ(hit.at("point_a").size(), 3u);
  EXPECT_EQ(hit.at("point_b").size(), 3u);
  const json slide = answer(balls(
      R"("ask":"cast","pose_a":[1,0,0,1, 0,1,0,0, 0,0,1,0],"motion":{"a":[0,1,0],"b":[0,0,0]})"));
  EXPECT_EQ(slide.at("hit"), "undecided");
  EXPECT_EQ(slide.at("time"), 0.0);
  EXPECT_TRUE(slide.at("time_upper").is_null());
  const json miss = answer(balls(R"("ask":"cast","motion":{"a":[0,0,0],"b":[4,4,4]})"));
  EXPECT_EQ(miss.at("hit"), false);
  EXPECT_TRUE(miss.at("time").is_null());
  EXPECT_FALSE(miss.contains("normal"));
}

TEST(QueryLine, ImpactsAnswerTheirTimes) {
  const json hit =
      answer(balls(R"("ask":"impact","motion":{"a":{"linear":[2,0,0],"angular":[0,0,1]},"b":{}})"));
  ASSERT_EQ(hit.at("status"), "converged");
  EXPECT_EQ(hit.at("hit"), true);
  EXPECT_LE(hit.at("time").get<double>(), 0.5);
  EXPECT_GE(hit.at("time_upper").get<double>(), 0.5);
  EXPECT_NEAR(hit.at("time").get<double>(), hit.at("time_upper").get<double>(), 1e-12);
  EXPECT_EQ(hit.at("normal"), json::array({1, 0, 0}));
  const json miss = answer(balls(R"("ask":"impact","motion":{"a":{"angular":[9,9,9]},"b":{}})"));
  EXPECT_EQ(miss.at("hit"), false);
  EXPECT_TRUE(miss.at("time").is_null());
}

TEST(QueryLine, MotionsAreCaptured) {
  for (
      const char* asked :
      {R"("ask":"impact","motion":{"a":{"linear":[2,0,0],"angular":[0,0,1]},"b":{"linear":[0,1,0],"angular":[0,0,0]}})",
       R"("ask":"cast","motion":{"a":[2,0,0],"b":[0,1,0]})"}) {
    const Query q = *parse(balls(asked)).query;
    const Query again =
        *parse(capture(q.a, q.pose_a, q.b, q.pose_b, q.options, q.ask, "q", *q.motion)).query;
    EXPECT_EQ(again.ask, q.ask);
    EXPECT_EQ(again.motion->a.linear, q.motion->a.linear);
    EXPECT_EQ(again.motion->a.angular, q.motion->a.angular);
    EXPECT_EQ(again.motion->b.linear, q.motion->b.linear);
  }
}

TEST(QueryLine, OptionsAreRead) {
  const QueryLine q = parse(balls(
      R"("ask":"contacts","method":"gjk","tolerance":1e-6,"threshold":0.25,"max_distance":7,"max_iterations":9)"));
  ASSERT_TRUE(q.query) << q.error;
  EXPECT_EQ(q.query->options.method, Method::gjk);
  EXPECT_EQ(q.query->options.tolerance, 1e-6);
  EXPECT_EQ(q.query->options.margin, 0.25);
  EXPECT_EQ(q.query->options.max_distance, 7.0);
  EXPECT_EQ(q.query->options.max_iterations, 9);
}

TEST(QueryLine, UnknownTopLevelFieldsAreIgnored) {
  EXPECT_EQ(answer(balls(R"("ask":"distance","note":"x","right":{"time":null})")).at("status"),
            "converged");
  EXPECT_EQ(
      answer(balls(R"("ask":"distance","asked":1,"source":"x","c":1,"right":{"lower":1,"x":2})"))
          .at("status"),
      "converged");
}

TEST(QueryLine, MisspeltFieldsAreNamed) {
  const auto error = [](const std::string& fields) {
    return answer(balls(R"("ask":"distance",)" + fields)).at("error").get<std::string>();
  };
  EXPECT_EQ(error(R"("pose_B":[1,2])"), "pose_B: unknown field: did you mean pose_b?");
  EXPECT_EQ(error(R"("treshold":1)"), "treshold: unknown field: did you mean threshold?");
  EXPECT_EQ(error(R"("signedd":true)"), "signedd: unknown field: did you mean signed?");
  EXPECT_EQ(error(R"("metohd":"gjk")"), "metohd: unknown field: did you mean method?");
  EXPECT_EQ(error(R"("notion":{})"), "notion: unknown field: did you mean motion?");
}

TEST(QueryLine, AnythingMayBeAnId) {
  EXPECT_EQ(parse(R"({"id":7})").id, "7");
  EXPECT_EQ(parse(R"({"id":"a\"b"})").id, R"("a\"b")");
  EXPECT_EQ(parse(R"({})").id, "null");
}

TEST(QueryLine, ErrorsKeepTheIdAndNameTheField) {
  const auto error = [](const std::string& line) {
    const json a = answer(line);
    EXPECT_EQ(a.at("status"), "invalid_input");
    return a.at("error").get<std::string>();
  };
  EXPECT_EQ(answer(balls(R"("ask":"where")")).at("id"), "q");
  EXPECT_EQ(error(balls(R"("ask":"where")")),
            "ask: unknown question 'where'; known are overlap, distance, contacts, cast, impact");
  EXPECT_EQ(error(balls(R"("id2":1)")), "ask: is missing");
  EXPECT_EQ(error(R"({"ask":"distance","b":{}})"), "a: is missing");
  EXPECT_EQ(error(R"({"ask":"distance","a":{"type":"sphere","radius":-1},"b":{}})"),
            "a.radius: must be finite and not negative, is -1");
  EXPECT_EQ(error(balls(R"("ask":"distance","method":"magic")")),
            "method: unknown method 'magic'; known are auto, closed_form, gjk, gjk_nesterov, "
            "gjk_signed_volumes, epa, "
            "epa_classic, mpr, chung_wang, sat, separating_plane, v_clip");
  EXPECT_EQ(error(balls(R"("ask":"distance","tolerance":-1)")), "tolerance: must not be negative");
  EXPECT_EQ(error(balls(R"("ask":"distance","pose_a":[1,2])")), "pose_a: must have twelve numbers");
  EXPECT_EQ(error(balls(R"("ask":"cast")")), "motion: is missing");
  EXPECT_EQ(error(balls(R"("ask":"cast","motion":{"a":[0,0,0],"b":[0,0,0],"c":1})")),
            "motion.c: unknown field");
  EXPECT_NE(error("{"), "");
  EXPECT_NE(error("[]"), "");
  EXPECT_NE(error("\xff\xfe"), "");
}

TEST(Capture, ReplaysTheSameQuery) {
  const Shape a = Shape(Box({0.1, 0.2, 1.0 / 3.0}), 0.01);
  const Shape b = Convex(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  const Pose pose_a({0.1, 0.2, 1e4}, normalized(Quat{0.3, 0.1, -0.7, 0.2}));
  const Pose pose_b({0.4, 0.1, 1e4}, normalized(Quat{-0.3, 0.5, 0.7, 0.2}));
  QueryOptions options;
  options.tolerance = 1e-5;
  options.margin = 0.125;
  options.max_distance = 3.0;
  options.max_iterations = 40;
  options.method = Method::gjk;
  const std::string line = capture(a, pose_a, b, pose_b, options, Ask::contacts, "seen");
  EXPECT_EQ(line.find('\n'), std::string::npos);

  const QueryLine back = parse(line);
  ASSERT_TRUE(back.query) << back.error;
  EXPECT_EQ(back.id, "\"seen\"");
  EXPECT_EQ(back.query->ask, Ask::contacts);
  EXPECT_EQ(back.query->pose_a, pose_a);
  EXPECT_EQ(back.query->pose_b, pose_b);
  EXPECT_EQ(back.query->options.tolerance, options.tolerance);
  EXPECT_EQ(back.query->options.margin, options.margin);
  EXPECT_EQ(back.query->options.max_distance, options.max_distance);
  EXPECT_EQ(back.query->options.max_iterations, options.max_iterations);
  EXPECT_EQ(back.query->options.method, options.method);
  const DistanceResult first = distance(a, pose_a, b, pose_b);
  const DistanceResult again =
      distance(back.query->a, back.query->pose_a, back.query->b, back.query->pose_b);
  EXPECT_EQ(first.distance, again.distance);
  EXPECT_EQ(first.normal, again.normal);
  EXPECT_EQ(first.point_a, again.point_a);
}

TEST(Capture, RefusesCustomShapes) {
  struct Point : SupportFunction {
    Vec3 support(const Vec3&) const noexcept override { return {}; }
  };
  try {
    capture(Sphere(1.0), Pose(), CustomConvex(std::make_shared<Point>()), Pose());
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "b.type");
  }
}

DistanceResult claim(double distance, double lower, double upper) {
  DistanceResult result;
  result.distance = distance;
  result.lower = lower;
  result.upper = upper;
  result.status = Status::converged;
  return result;
}

CheckReport accepted() {
  CheckReport report;
  report.ok = true;
  return report;
}

TEST(Judge, CountsWhatContradictsTheTruth) {
  const Truth truth{1.0, 1.0, 1.0};
  EXPECT_FALSE(judge(claim(1.0, 1.0, 1.0), truth, accepted(), 1.0).contradicted());
  const double next = std::nextafter(1.0, 2.0), two_on = std::nextafter(next, 2.0);
  EXPECT_EQ(judge(claim(next, next, next), truth, accepted(), 1.0).bracket_violations, 0);
  EXPECT_EQ(judge(claim(two_on, two_on, two_on), truth, accepted(), 1.0).bracket_violations, 1);
  EXPECT_EQ(judge(claim(-1.0, -1.0, 1.0), truth, accepted(), 1.0).wrong_signs, 1);
  EXPECT_EQ(judge(claim(0.0, 0.0, 1.0), truth, accepted(), 1.0).wrong_signs, 1);
  EXPECT_EQ(judge(claim(NAN, 0.0, 2.0), truth, accepted(), 1.0).not_finite, 1);
  EXPECT_EQ(judge(claim(1.0, 1.0, 1.0), truth, CheckReport{}, 1.0).unproved, 1);
}

TEST(Judge, SignsAreNotJudgedWhereBodiesTouch) {
  const Truth touching{1e-16, 0.0, 2e-16};
  EXPECT_EQ(judge(claim(-1e-16, -1e-16, 1e-16), touching, accepted(), 1.0).wrong_signs, 0);
  const Truth apart{1e-16, 0.5e-16, 2e-16};
  EXPECT_EQ(judge(claim(-1e-16, -1e-16, 1e-16), apart, accepted(), 1.0).wrong_signs, 1);
}

TEST(Judge, ErrorsAreRelativeToTheSize) {
  CheckReport report = accepted();
  report.membership_a = 0.5;
  report.witness_residual = 0.25;
  report.direction_residual = 0.125;
  const Tally t = judge(claim(3.0, 1.0, 5.0), {2.0, 0.0, 6.0}, report, 4.0);
  EXPECT_EQ(t.worst_error, 0.25);
  EXPECT_EQ(t.worst_width, 1.0);
  EXPECT_EQ(t.worst_witness, 0.125);
  EXPECT_EQ(t.worst_support, 0.03125);
}

TEST(Judge, UnsupportedAnswersAreCountedApart) {
  const Tally t = judge(DistanceResult{}, {1.0, 1.0, 1.0}, CheckReport{}, 1.0);
  EXPECT_EQ(t.count, 1);
  EXPECT_EQ(t.answered, 0);
  EXPECT_EQ(t.unsupported, 1);
  EXPECT_FALSE(t.contradicted());
}

TEST(Judge, SizeLeavesOutWhatIsUnbounded) {
  EXPECT_EQ(pair_size(Sphere(1.0), Box({1, 5, 1})), 5.0);
  EXPECT_EQ(pair_size(HalfSpace({0, 0, 1}, 0.0), Sphere(1.0)), 2.0);
  EXPECT_EQ(pair_size(HalfSpace({0, 0, 1}, 0.0), HalfSpace({0, 0, 1}, 0.0)), 1.0);
}

TEST(Judge, TheTableHasARowForEachClass) {
  JudgeTable table;
  table.add("a-b", "sep", judge(claim(1, 1, 1), {1, 1, 1}, accepted(), 1.0));
  table.add("a-b", "sep", judge(claim(2, 2, 2), {1, 1, 1}, accepted(), 1.0));
  table.add("a-b", "far", judge(claim(1, 1, 1), {1, 1, 1}, accepted(), 1.0));
  const json out = table.to_json();
  ASSERT_EQ(out.at("rows").size(), 2u);
  EXPECT_EQ(out.at("rows").at(1).at("class"), "sep");
  EXPECT_EQ(out.at("rows").at(1).at("bracket_violations"), 1);
  EXPECT_EQ(out.at("all").at("count"), 3);
  EXPECT_NE(table.to_text().find("a-b"), std::string::npos);
}

}  // namespace
}  // namespace tactus::io
