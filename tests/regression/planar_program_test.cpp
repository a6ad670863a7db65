#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"

namespace {

using nlohmann::json;

class PlanarQueryProgram : public tactus::detail::test::ProgramTest {
 protected:
  PlanarQueryProgram() : ProgramTest("planar query") {}

  std::vector<json> answers() const {
    std::vector<json> out;
    std::istringstream lines(read("out.txt"));
    for (std::string line; std::getline(lines, line);) out.push_back(json::parse(line));
    return out;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
};

constexpr const char* kSquare = R"({"type":"region","outer":[[0,0],[1,0],[1,1],[0,1]]})";

TEST_F(PlanarQueryProgram, AnswersEveryLineInOrder) {
  const std::string square = kSquare;
  write(
      "q.jsonl",
      "// a comment\n"
      R"({"id":"touch","a":{"type":"circle","radius":1},"pose_a":[1,0.75,0],"b":{"type":"contour","points":[[0,0],[4,0]],"closed":false},"ask":"touches"})"
      "\n{\"id\":2,\"a\":" +
          square + ",\"b\":" + square +
          ",\"pose_b\":[0.75,0.25,0],\"right\":{\"distance\":-0.25}}\n"
          "{\"id\":3,\"a\":" +
          square + ",\"b\":" + square + ",\"pose_b\":[1,0,0],\"ask\":\"overlap\"}\n");
  ASSERT_EQ(run("q.jsonl"), 0) << read("err.txt");
  const auto out = answers();
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(out[0]["touches"][0]["kind"], "segment");
  EXPECT_EQ(out[0]["touches"][0]["depth"], 0.25);
  EXPECT_EQ(out[1]["status"], "converged");
  EXPECT_NEAR(out[1]["distance"].get<double>(), -0.25, 1e-12);
  EXPECT_EQ(out[2]["overlap"], false);
  EXPECT_EQ(run("--check q.jsonl"), 0);
  EXPECT_NE(read("out.txt").find("1 with a right answer"), std::string::npos);
}

// The rules of the source beside the exact answer: both touches of a concave corner, the rays that
// meet a square, and a refusal by name where there is no rule.
TEST_F(PlanarQueryProgram, TellsTheLiteralRules) {
  const std::string square = kSquare;
  write(
      "q.jsonl",
      R"({"id":1,"a":{"type":"circle","radius":1},"pose_a":[0.75,0.5,0],"b":{"type":"contour","points":[[0,4],[0,0],[4,0]],"closed":false},"ask":"touches","method":"literal"})"
      "\n{\"id\":2,\"a\":" +
          square + ",\"b\":" + square +
          ",\"pose_b\":[0.75,0.25,0],\"ask\":\"overlap\",\"method\":\"literal\"}\n" +
          "{\"id\":3,\"a\":" + square + ",\"b\":" + square + ",\"method\":\"literal\"}\n" +
          "{\"id\":4,\"a\":" + square + ",\"b\":" + square + ",\"method\":\"exact\"}\n");
  EXPECT_EQ(run("q.jsonl"), 1);
  const auto out = answers();
  ASSERT_EQ(out.size(), 4U);
  ASSERT_EQ(out[0]["literal"]["touches"].size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(out[0]["literal"]["touches"][i]["point"], out[0]["touches"][i]["point"]);
    EXPECT_EQ(out[0]["literal"]["touches"][i]["depth"], out[0]["touches"][i]["depth"]);
  }
  EXPECT_EQ(out[1]["literal"]["collision"], true);
  EXPECT_EQ(out[1]["literal"]["tests_all"], 32);
  EXPECT_EQ(out[1]["overlap"], true);
  EXPECT_EQ(out[2]["status"], "invalid_input");
  EXPECT_NE(out[3]["error"].get<std::string>().find("exact"), std::string::npos);
}

TEST_F(PlanarQueryProgram, NamesWhatIsWrongWithALine) {
  write(
      "q.jsonl",
      R"({"id":1,"a":{"type":"region","outer":[[0,0],[2,2],[2,0],[0,2]]},"b":{"type":"circle","radius":1}})"
      "\n"
      R"({"id":2,"a":{"type":"circle","radius":-1},"b":{"type":"circle","radius":1}})"
      "\n"
      R"({"id":3,"a":{"type":"circle","radius":1},"b":{"type":"circle","radius":1},"pose_b":[3,0,0]})"
      "\n"
      R"({"id":4,"a":{"type":"circle","radius":1},"b":{"type":"circle","radius":1},"pose_B":[3,0,0]})"
      "\n");
  EXPECT_EQ(run("q.jsonl"), 1);
  const auto out = answers();
  ASSERT_EQ(out.size(), 4U);
  EXPECT_EQ(out[3]["error"], "pose_B: unknown field: did you mean pose_b?");
  EXPECT_EQ(out[0]["error"], "a.outer: segments 0 and 2 cross or touch");
  EXPECT_EQ(out[1]["error"], "a.radius: must be finite and not negative");
  EXPECT_EQ(out[2]["distance"], 1.0);
  EXPECT_NE(read("err.txt").find("q.jsonl:1: a.outer"), std::string::npos);
  EXPECT_EQ(run("missing.jsonl"), 2);
}

TEST_F(PlanarQueryProgram, CheckFindsAWrongRightAnswer) {
  write(
      "q.jsonl",
      R"({"id":3,"a":{"type":"circle","radius":1},"b":{"type":"circle","radius":1},"pose_b":[3,0,0],"right":{"distance":1.5}})"
      "\n");
  EXPECT_EQ(run("--check q.jsonl"), 1);
  EXPECT_EQ(run("q.jsonl"), 0);
}

TEST_F(PlanarQueryProgram, ReadsContourFiles) {
  write("square.json", R"({"regions":[{"outer":[[0,0],[1,0],[1,1],[0,1]],"holes":[]}]})");
  write(
      "q.jsonl",
      R"({"a":{"type":"region","file":"square.json"},"b":{"type":"region","file":"square.json"},"pose_b":[4,5,0]})"
      "\n"
      R"({"a":{"type":"region","file":"none.json"},"b":{"type":"circle","radius":1}})"
      "\n");
  EXPECT_EQ(run("q.jsonl"), 1);
  const auto out = answers();
  ASSERT_EQ(out.size(), 2U);
  EXPECT_NEAR(out[0]["distance"].get<double>(), 5.0, 1e-13);
  EXPECT_EQ(out[1]["error"], "a.file: none.json: does not exist");
}

// Every pair of types answers every question, or says why not.
TEST_F(PlanarQueryProgram, AnswersEveryPair) {
  const std::string shapes[] = {
      R"({"type":"circle","radius":0.5})",
      R"({"type":"contour","points":[[0,0],[1,0],[1,1],[0,1]]})",
      kSquare,
  };
  std::string text;
  for (const std::string& a : shapes) {
    for (const std::string& b : shapes) {
      for (const char* ask : {"overlap", "distance", "touches", "contacts", "cast"}) {
        text += "{\"a\":" + a + ",\"b\":" + b + R"(,"pose_b":[3,0,0],"ask":")" + ask +
                R"(","motion":{"a":[4,0],"b":{"linear":[0,0.25],"angular":0.5}},"threshold":4})" +
                "\n";
      }
    }
  }
  write("q.jsonl", text);
  ASSERT_EQ(run("q.jsonl"), 0) << read("err.txt");
  const auto out = answers();
  ASSERT_EQ(out.size(), 45U);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t pair = i / 5, ask = i % 5;
    const bool circle_first = pair / 3 == 0, circle_second = pair % 3 == 0;
    const bool curve = pair / 3 == 1 || pair % 3 == 1;
    const bool touches = ask != 2 || circle_first != circle_second;
    const bool contacts = ask != 3 || circle_first || circle_second || !curve;
    EXPECT_EQ(out[i]["status"] == "unsupported" || out[i].contains("error"), !touches || !contacts)
        << i << out[i].dump();
    if (ask == 4) {
      EXPECT_EQ(out[i]["hit"], true) << i;
    } else if (ask == 0) {
      EXPECT_EQ(out[i]["overlap"], false) << i;
    } else if (ask == 3 && contacts) {
      EXPECT_FALSE(out[i]["contacts"].empty()) << i;
    }
  }
}

}  // namespace
