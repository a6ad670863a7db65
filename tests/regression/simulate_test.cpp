// The program `tactus simulate` as its users run it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/folder.hpp"

namespace {

namespace fs = std::filesystem;

struct Outcome {
  int exit_code = -1;
  std::string output;  ///< standard output and standard error
};

class Simulate : public testing::Test {
 protected:
  fs::path folder(const std::string& name) const { return folder_ / name; }

  /// Runs `tactus simulate ARGUMENTS`.
  static Outcome run(const std::string& arguments) {
    const std::string command = std::string(TACTUS_PROGRAM) + " simulate " + arguments + " 2>&1";
    Outcome outcome;
    FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return outcome;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) {
      outcome.output.append(buffer, count);
    }
    const int status = ::pclose(pipe);
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
  }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  static std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }

  static std::string hash_in(const std::string& output) {
    static const std::string kLabel = "state hash: ";
    const std::size_t at = output.find(kLabel);
    return at == std::string::npos ? "none" : output.substr(at + kLabel.size(), 16);
  }

  static std::string scene(const std::string& name) {
    return std::string(TACTUS_SOURCE_DIR) + "/scenes/" + name;
  }

 private:
  tactus::detail::test::TemporaryFolder folder_;
};

TEST_F(Simulate, AStepThatCannotBeDoneIsNamedAndTheLastGoodOneIsSaved) {
  // The first step gives it a speed that the second one cannot follow.
  const fs::path scene =
      write("fast.json", R"({"bodies": [{"shape": {"type": "sphere", "radius": 1}}],
    "world": {"gravity": [0, 0, 1e300]}, "recording": {"duration": 1}})");
  const std::string wanted =
      scene.string() + ": step 2: motion: body 1: its linear velocity moves it";
  const Outcome without = run(scene.string() + " --no-files");
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_NE(without.output.find(wanted), std::string::npos) << without.output;
  const Outcome outcome = run(scene.string() + " --out " + folder("out").string());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.output.find(wanted), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("stopped after step 1 of 60"), std::string::npos) << outcome.output;
  // A run that goes on from there comes to the same state, and cannot go on either.
  const fs::path recording = folder("out") / "fast.tactus";
  const Outcome again = run(scene.string() + " --out " + folder("again").string() + " --continue " +
                            recording.string());
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.output.find(wanted), std::string::npos) << again.output;
  EXPECT_EQ(hash_in(again.output), hash_in(outcome.output));
  EXPECT_NE(hash_in(outcome.output), "none");
}

TEST_F(Simulate, AStepOfASoftWorldThatCannotBeDoneIsNamedToo) {
  const fs::path scene = write("soft.json", R"({"deformables": [{"structure": {"type": "sheet",
    "size": [1, 1], "cells": [1, 1]}, "pose": {"position": [0, 0, 2]}}], "bodies": [],
    "world": {"gravity": [0, 0, 1e12]}, "recording": {"duration": 1}})");
  const Outcome outcome = run(scene.string() + " --out " + folder("out").string());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.output.find(": motion: vertex 0 of deformable 0 would move"), std::string::npos)
      << outcome.output;
  EXPECT_TRUE(fs::exists(folder("out") / "soft.tactus"));
}

TEST_F(Simulate, AFullDiskIsNamed) {
  const fs::path scene =
      write("ball.json", R"({"bodies": [{"shape": {"type": "sphere", "radius": 1}}],
    "recording": {"duration": 1}})");
  fs::create_directory(folder("out"));
  fs::create_symlink("/dev/full", folder("out") / "ball.pictures");
  const Outcome outcome = run(scene.string() + " --out " + folder("out").string());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.output.find("ball.pictures: cannot be written: No space left on device"),
            std::string::npos)
      << outcome.output;
}

TEST_F(Simulate, StacksStandAndThePileRests) {
  TACTUS_LONG_TEST();
  const Outcome stack = run(scene("stack.json") + " --no-files");
  EXPECT_EQ(stack.exit_code, 0) << stack.output;
  const Outcome pile = run(scene("mixed.json") + " --no-files");
  EXPECT_EQ(pile.exit_code, 0) << pile.output;
}

TEST_F(Simulate, RunsRepeatToTheBit) {
  TACTUS_LONG_TEST();
  const std::string first = hash_in(run(scene("mixed.json") + " --no-files --steps 90").output);
  const std::string second = hash_in(run(scene("mixed.json") + " --no-files --steps 90").output);
  EXPECT_EQ(first.size(), 16u);
  EXPECT_EQ(first, second);
}

TEST_F(Simulate, ContinuedRunEqualsTheStraightOne) {
  const std::string half = folder("half").string(), rest = folder("rest").string();
  const std::string straight = folder("straight").string();
  const Outcome all = run(scene("mixed.json") + " --steps 150 --out " + straight);
  // Not at the end of a second, nor of a picture.
  EXPECT_EQ(run(scene("mixed.json") + " --steps 77 --out " + half).exit_code, 0);
  const Outcome continued = run(scene("mixed.json") + " --steps 150 --out " + rest +
                                " --continue " + half + "/mixed.tactus");
  EXPECT_EQ(continued.exit_code, 0) << continued.output;
  EXPECT_EQ(hash_in(continued.output), hash_in(all.output));
  const auto without_timing = [](const std::string& csv) {
    std::string text;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);)
      text += line.substr(0, line.rfind(',')) + "\n";
    return text;
  };
  const std::string rows = without_timing(content(straight + "/mixed.csv"));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 4) << rows;
  EXPECT_EQ(rows, without_timing(content(rest + "/mixed.csv")));
}

TEST_F(Simulate, PouredBodiesContinueToo) {
  const fs::path file = write("pour.json", R"({
    "bodies": [{"shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}, "type": "fixed"}],
    "generators": [{"type": "pour", "count": 30, "rate": 20, "velocity": [0, 0, -3],
      "region": {"lower": [0, 0, 2], "upper": [1, 1, 2.25]}, "shapes": [{"shape": {"type": "sphere", "radius": 0.1}}]}],
    "recording": {"duration": 2}})");
  const std::string straight = hash_in(run(file.string() + " --no-files").output);
  const std::string half = folder("half").string();
  run(file.string() + " --steps 40 --out " + half);
  const Outcome continued = run(file.string() + " --no-files --continue " + half + "/pour.tactus");
  EXPECT_EQ(hash_in(continued.output), straight) << continued.output;
}

/// The table of an export, to standard output.
std::string exported(const std::string& recording, const std::string& what) {
  std::string text;
  FILE* pipe = ::popen(
      (std::string(TACTUS_PROGRAM) + " export " + recording + " " + what + " -").c_str(), "r");
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) {
    text.append(buffer, count);
  }
  ::pclose(pipe);
  return text;
}

// kill -9 at any moment: the next run goes on from the last checkpoint, and the end is that of a
// straight run, every picture of the recording included. tools/kill_runs.py does it a hundred
// times.
TEST_F(Simulate, KilledRunsContinueToTheSameEnd) {
  const std::string file = scene("mixed.json"), steps = "240", program = TACTUS_PROGRAM;
  const std::string straight = folder("straight").string(), out = folder("killed").string();
  const Outcome all = run(file + " --steps " + steps + " --out " + straight);
  const std::string recording = out + "/mixed.tactus";
  tactus::detail::Random random(20261124);
  int kills = 0;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      if (std::freopen("/dev/null", "w", stdout) == nullptr) ::_exit(127);
      std::vector<const char*> words{program.c_str(), "simulate",     file.c_str(),
                                     "--steps",       steps.c_str(),  "--out",
                                     out.c_str(),     "--checkpoint", "0"};
      if (fs::exists(recording)) {
        words.push_back("--continue");
        words.push_back(recording.c_str());
      }
      words.push_back(nullptr);
      ::execv(program.c_str(), const_cast<char**>(words.data()));
      ::_exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random.below(400)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    kills += WIFSIGNALED(status) ? 1 : 0;
  }
  EXPECT_GT(kills, 0);
  const Outcome last = run(file + " --steps " + steps + " --out " + out +
                           (fs::exists(recording) ? " --continue " + recording : ""));
  EXPECT_EQ(hash_in(last.output), hash_in(all.output)) << last.output;
  EXPECT_FALSE(fs::exists(out + "/mixed.pictures"));
  for (const char* what : {"--csv", "--contacts"}) {
    const std::string table = exported(straight + "/mixed.tactus", what);
    EXPECT_GT(table.size(), 1000u);
    EXPECT_TRUE(exported(recording, what) == table) << what;
  }
}

TEST_F(Simulate, ExportsAnUnfinishedRun) {
  const std::string out = folder("out").string();
  run(scene("stack.json") + " --steps 20 --out " + out);
  const std::string table = exported(out + "/stack.tactus", "--csv");
  // The head, and eleven pictures of all bodies but the floor.
  const auto lines = static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n'));
  EXPECT_EQ((lines - 1) % 11, 0u);
  EXPECT_TRUE(table.starts_with("step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n0,0,2,"))
      << table.substr(0, 80);
}

TEST_F(Simulate, OverlappingStartsAreSeparatedGentlyOnRequest) {
  const fs::path file = write("two.json", R"({"world": {"gravity": [0, 0, 0]}, "bodies": [
      {"shape": {"type": "box", "size": [1, 1, 1]}},
      {"shape": {"type": "box", "size": [1, 1, 1]}, "pose": [1, 0, 0, 0.75, 0, 1, 0, 0.1, 0, 0, 1, 0.05]}],
      "recording": {"duration": 2}, "goal": {"rms_speed": 1e-3, "mean_penetration": 1e-3}})");
  EXPECT_EQ(run(file.string() + " --no-files").exit_code, 2);
  // They touch or are apart, and have not been shot away.
  const Outcome outcome = run(file.string() + " --no-files --allow-overlap");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
}

TEST_F(Simulate, RecordsThePairsOfTheLastStep) {
  const std::string pairs = folder("pairs.jsonl").string();
  EXPECT_EQ(run(scene("stack.json") + " --no-files --steps 5 --record-pairs " + pairs).exit_code,
            0);
  const std::string lines = content(pairs);
  EXPECT_GT(std::count(lines.begin(), lines.end(), '\n'), 50);
  const nlohmann::json first = nlohmann::json::parse(lines.substr(0, lines.find('\n')));
  EXPECT_EQ(first["id"].get<std::string>().substr(0, 2), "1-");
  EXPECT_EQ(first["a"]["type"], "halfspace");
}

TEST_F(Simulate, WritesWholeFilesOnly) {
  const Outcome outcome = run(scene("stack.json") + " --steps 30 --out " + folder("out").string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder("out"))) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  const bool player = outcome.output.find("TACTUS_PLAYER=OFF") == std::string::npos;
  const std::vector<std::string> expected =
      player ? std::vector<std::string>{"stack.csv", "stack.html", "stack.tactus"}
             : std::vector<std::string>{"stack.csv", "stack.tactus"};
  EXPECT_EQ(names, expected);
  if (!player) return;
  const std::string page = content(folder("out") / "stack.html");
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_NE(page.find("id=\"recording-header\""), std::string::npos);
  // Self-contained: no element names a source.
  EXPECT_EQ(page.find("src=\"http"), std::string::npos);
}

TEST_F(Simulate, PrintsJson) {
  const Outcome outcome = run(scene("stack.json") + " --json --no-files");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  const nlohmann::json report = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(report["summary"].size(), 4u);
  EXPECT_EQ(report["steps"], 240);
  EXPECT_EQ(report["finished"], true);
  EXPECT_EQ(report["verdict"].size(), 3u);
  EXPECT_EQ(report["state_hash"].get<std::string>().size(), 16u);
}

TEST_F(Simulate, MissedGoalIsExitCodeOne) {
  const fs::path file = write("falling.json", R"({
    "bodies": [{"shape": {"type": "sphere", "radius": 1}}], "recording": {"duration": 1},
    "goal": {"rms_speed": 0.01, "inside": {"lower": [-1, -1, -1], "upper": [1, 1, 1]}}})");
  const Outcome outcome = run(file.string() + " --no-files");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("MISSED"), std::string::npos) << outcome.output;
}

TEST_F(Simulate, BadInputIsExitCodeTwoWithTheReason) {
  const fs::path unknown = write(
      "unknown.json", R"({"bodies": [{"shape": {"type": "sphere", "radius": 1}, "mas": 2}]})");
  const fs::path negative =
      write("negative.json", R"({"bodies": [{"shape": {"type": "sphere", "radius": -1}}]})");
  const fs::path turned =
      write("turned.json", R"({"bodies": [{"shape": {"type": "sphere", "radius": 1},
      "pose": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0.1, 1, 0]}]})");
  const fs::path empty =
      write("empty.json", R"({"bodies": [{"shape": {"type": "convex", "vertices": []}}]})");
  const fs::path missing =
      write("missing.json", R"({"bodies": [{"shape": {"type": "convex", "file": "none.obj"}}]})");
  const fs::path broken = write("broken.json", "{\"bodies\": [\n  {\"shape\": }\n]}");
  const fs::path flat = write(
      "flat.json",
      R"({"bodies": [{"shape": {"type": "convex", "vertices": [[0,0,0],[1,0,0],[0,1,0]]}}]})");
  const fs::path overlap =
      write("overlap.json", R"({"shapes": {"cube": {"type": "box", "size": [1, 1, 1]}}, "bodies": [
      {"name": "lower cube", "shape": "cube"},
      {"name": "upper cube", "shape": "cube", "pose": {"position": [0, 0, 0.75], "quaternion": [1, 0, 0, 0]}}]})");
  const fs::path material =
      write("material.json",
            R"({"bodies": [{"shape": {"type": "sphere", "radius": 1}, "material": "glue"}]})");
  const fs::path rate = write(
      "rate.json",
      R"({"world": {"step_rate": 0}, "bodies": [{"shape": {"type": "sphere", "radius": 1}}]})");
  const struct {
    fs::path file;
    std::vector<std::string> parts;
  } cases[] = {
      {unknown, {"unknown.json", "bodies[0].mas", "unknown field"}},
      {negative, {"negative.json", "bodies[0].shape.radius"}},
      {turned, {"turned.json", "bodies[0].pose"}},
      {empty, {"empty.json", "bodies[0].shape.vertices"}},
      {missing, {"missing.json", "bodies[0].shape.file", "none.obj"}},
      {broken, {"broken.json", "line 2"}},
      {flat, {"bodies[0]"}},
      {material, {"material.json", "bodies[0].material", "no material named 'glue'"}},
      {rate, {"rate.json", "world.step_rate"}},
      {overlap, {"overlap.json", "lower cube", "upper cube", "depth 0.25"}},
      {folder("no-such-scene.json"), {"no-such-scene.json"}},
  };
  for (const auto& [file, parts] : cases) {
    const Outcome outcome = run(file.string() + " --out " + folder("never").string());
    EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
    for (const std::string& part : parts) {
      EXPECT_NE(outcome.output.find(part), std::string::npos) << part << " in " << outcome.output;
    }
    EXPECT_FALSE(fs::exists(folder("never"))) << "left something behind: " << file;
  }
}

TEST_F(Simulate, FoldersThatCannotBeWrittenAreNamed) {
  // A file in the folder's place stops even the super-user.
  const fs::path file = write("occupied", "");
  const Outcome outcome =
      run(scene("stack.json") + " --steps 1 --out " + (file / "deeper").string());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.output.find("occupied"), std::string::npos) << outcome.output;
  EXPECT_EQ(content(file), "");
}

TEST_F(Simulate, RecordingsOfOtherScenesAreRefused) {
  run(scene("stack.json") + " --steps 10 --out " + folder("out").string());
  const Outcome other = run(scene("mixed.json") + " --no-files --continue " +
                            folder("out").string() + "/stack.tactus");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.output.find("another scene"), std::string::npos) << other.output;
  const Outcome none = run(scene("stack.json") + " --no-files --continue " + scene("stack.json"));
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.output.find("is not a recording"), std::string::npos) << none.output;
}

TEST_F(Simulate, InterruptSavesAStateThatContinues) {
  const std::string out = folder("out").string(), log = folder("log").string();
  const std::string program = TACTUS_PROGRAM, file = scene("stack.json");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (std::freopen(log.c_str(), "w", stdout) == nullptr) ::_exit(127);
    ::execl(program.c_str(), program.c_str(), "simulate", file.c_str(), "--steps", "1000000000",
            "--out", out.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  // The row of the first second says that the run is under way.
  for (int i = 0; i < 6000 && content(log).find(" 1.00 ") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(child, SIGINT);
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const Outcome continued = run(file + " --json --no-files --continue " + out + "/stack.tactus");
  ASSERT_EQ(continued.exit_code, 0) << continued.output;
  const auto report = nlohmann::json::parse(continued.output);
  const std::string steps = report["steps"].dump();
  EXPECT_GT(report["steps"], 0);
  EXPECT_EQ(hash_in(run(file + " --no-files --steps " + steps).output),
            report["state_hash"].get<std::string>());
}

}  // namespace
