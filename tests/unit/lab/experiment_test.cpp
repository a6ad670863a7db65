#include "lab/experiment.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <variant>

#include "tactus/io/json/query_line.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/folder.hpp"

// Every experiment on a reduced number of pairs, with the library and with something wrong.
namespace tactus::detail::lab {
namespace {

Settings reduced(std::uint64_t pairs) {
  Settings settings;
  settings.pairs = pairs;
  return settings;
}

// Turns the normal by a millionth of a degree times `by`.
Settings with_turned_normals(std::uint64_t pairs, double by, Method only) {
  Settings settings = reduced(pairs);
  settings.ask = [by, only](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const QueryOptions& options) {
    DistanceResult r = distance(a, pose_a, b, pose_b, options);
    if (options.method == only) {
      const Vec3 across = any_perpendicular(r.normal);
      r.normal = normalized(r.normal + across * (1e-6 * by * 3.14159265358979 / 180.0));
    }
    return r;
  };
  return settings;
}

// Sees a gap wherever bodies overlap by less than `blind`.
Settings with_blind_library(std::uint64_t pairs, double blind) {
  Settings settings = reduced(pairs);
  settings.ask = [blind](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                         const QueryOptions& options) {
    DistanceResult r = distance(a, pose_a, b, pose_b, options);
    if (options.method == Method::closed_form || options.method == Method::sat) return r;
    if (r.distance < 0.0 && r.distance > -blind) {
      r.distance = r.lower = 1e-9;
      r.upper = 2e-9;
    }
    return r;
  };
  settings.ask_overlap = [blind](const Shape& a, const Pose& pose_a, const Shape& b,
                                 const Pose& pose_b) {
    OverlapResult r = overlap(a, pose_a, b, pose_b);
    if (distance(a, pose_a, b, pose_b).distance > -blind) r.overlap = Overlap::no;
    return r;
  };
  return settings;
}

bool bar_fails(const Report& report, std::size_t index) { return !report.bars.at(index).ok(); }

TEST(Lab, NamesAreFoundAndDiffer) {
  std::set<std::string_view> names;
  for (const Experiment& experiment : experiments()) {
    EXPECT_TRUE(names.insert(experiment.name).second);
    EXPECT_EQ(find_experiment(experiment.name), &experiment);
  }
  EXPECT_EQ(find_experiment("no such"), nullptr);
}

TEST(Lab, BlackboxPassesAndCanFail) {
  const Report good = run_blackbox({});
  EXPECT_TRUE(good.ok()) << to_text(good);
  EXPECT_EQ(good.tables.at(0).rows.size(), 9u);
  const Report turned = run_blackbox(with_turned_normals(0, 2.0, Method::automatic));
  EXPECT_TRUE(bar_fails(turned, 0));
  const Report blind = run_blackbox(with_blind_library(0, 2e-5));
  EXPECT_TRUE(bar_fails(blind, 1));
  EXPECT_FALSE(blind.incidents.empty());
  // A contact point beside the contact, with the right distance and normal.
  Settings beside;
  beside.ask = [](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const QueryOptions& options) {
    DistanceResult r = distance(a, pose_a, b, pose_b, options);
    const Vec3 shift = any_perpendicular(r.normal) * 1e-3;
    r.point_a = r.point_a + shift;
    r.point_b = r.point_b + shift;
    return r;
  };
  const Report off = run_blackbox(beside);
  EXPECT_TRUE(bar_fails(off, 2)) << to_text(off);
  EXPECT_TRUE(bar_fails(off, 3)) << to_text(off);
}

TEST(Lab, DetectionCanFail) {
  TACTUS_LONG_TEST();
  const Report good = run_detection_distance({});
  EXPECT_TRUE(good.bars.at(1).ok()) << to_text(good);
  const Report blind = run_detection_distance(with_blind_library(0, 1e-6));
  EXPECT_TRUE(bar_fails(blind, 0)) << to_text(blind);
  EXPECT_EQ(blind.tables.at(0).rows.size(), 28u);
  EXPECT_FALSE(blind.incidents.empty());
}

TEST(Lab, StoppingPassesAndCanFail) {
  const Report good = run_stopping(reduced(300));
  EXPECT_TRUE(good.ok()) << to_text(good);
  EXPECT_EQ(good.tables.at(0).rows.size(), 13u);
  ASSERT_EQ(good.plots.size(), 2u);
  EXPECT_EQ(good.plots[0].series.at(0).points.size(), 13u);
  const Report blind = run_stopping(with_blind_library(300, 0.02));
  EXPECT_TRUE(bar_fails(blind, 1));
  Settings weary = reduced(30);
  weary.ask = [](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                 const QueryOptions& options) {
    DistanceResult r = distance(a, pose_a, b, pose_b, options);
    r.status = Status::precision_limit;
    return r;
  };
  EXPECT_TRUE(bar_fails(run_stopping(weary), 0));
}

TEST(Lab, Table10ComparesTheAnswers) {
  TACTUS_LONG_TEST();
  const Report good = run_table10(reduced(20));
  EXPECT_TRUE(good.bars.at(0).ok()) << to_text(good);
  Settings wrong = reduced(20);
  wrong.ask = [](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                 const QueryOptions& options) {
    DistanceResult r = distance(a, pose_a, b, pose_b, options);
    if (options.method == Method::epa) r.distance += 1e-6;
    return r;
  };
  EXPECT_TRUE(bar_fails(run_table10(wrong), 0));
}

TEST(Lab, SpeedsOfRecordedPairs) {
  const detail::test::TemporaryFolder folder;
  const std::string file = (folder / "pairs.jsonl").string();
  std::ofstream(file)
      << R"({"ask":"distance","a":{"type":"sphere","radius":0.2},"b":{"type":"sphere","radius":0.2},"pose_b":{"position":[0.3,0,0]}})"
      << "\n"
      << R"({"ask":"distance","a":{"type":"box","size":[1,1,1]},"b":{"type":"sphere","radius":0.2},"pose_b":{"position":[0.6,0,0]}})"
      << "\n"
      << R"({"ask":"distance","a":{"type":"halfspace","normal":[0,0,1],"offset":0},"b":{"type":"sphere","radius":0.2}})"
      << "\n";
  Settings settings = reduced(20);
  settings.pairs_from = file;
  const Report report = run_table10(settings);
  // A row each for two spheres and for a sphere and a cube, in whichever order; none for cubes.
  ASSERT_EQ(report.tables[0].rows.size(), 2u);
  for (const auto& row : report.tables[0].rows) EXPECT_EQ(std::get<double>(row[1]), 1.0);
  std::ofstream(file) << "{}\n";
  EXPECT_THROW(run_table10(settings), FileError);
  settings.pairs_from = (folder / "none").string();
  EXPECT_THROW(run_table10(settings), FileError);
}

TEST(Lab, BruteForcePassesAndCanFail) {
  const Report good = run_bruteforce(reduced(6000));
  EXPECT_TRUE(good.ok()) << to_text(good);
  const Report turned = run_bruteforce(with_turned_normals(600, 20.0, Method::epa));
  EXPECT_TRUE(bar_fails(turned, 1));
  Settings beside = reduced(600);
  beside.ask = [](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const QueryOptions& options) {
    DistanceResult r = distance(a, pose_a, b, pose_b, options);
    if (options.method == Method::epa) r.point_a = r.point_a + Vec3{1e-6, 0.0, 0.0};
    return r;
  };
  EXPECT_TRUE(bar_fails(run_bruteforce(beside), 3));
  const Report blind = run_bruteforce(with_blind_library(6000, 0.5));
  EXPECT_TRUE(bar_fails(blind, 0));
  ASSERT_FALSE(blind.incidents.empty());
  for (std::size_t i = 1; i < blind.incidents.size(); ++i)
    EXPECT_GE(blind.incidents[i - 1].relevance, blind.incidents[i].relevance);
}

TEST(Lab, IncidentsAreQueryLines) {
  const Report blind = run_bruteforce(with_blind_library(3000, 0.5));
  ASSERT_FALSE(blind.incidents.empty());
  io::ShapeReader reader(".");
  const std::string lines = to_lines(blind.incidents);
  const io::QueryLine line = io::parse_query_line(lines.substr(0, lines.find('\n')), reader);
  ASSERT_TRUE(line.query.has_value()) << line.error;
  EXPECT_EQ(line.query->options.method, Method::epa);
  const io::Answer answer = io::answer_query(*line.query);
  EXPECT_LT(answer.distance.distance, 0.0);
}

TEST(Lab, ThreadsDoNotChangeTheReport) {
  Settings one = reduced(6000), four = reduced(6000);
  one.threads = 1;
  four.threads = 4;
  EXPECT_EQ(to_text(run_bruteforce(one)), to_text(run_bruteforce(four)));
}

TEST(Lab, MethodsAreJudged) {
  const Report good = run_methods(reduced(6));
  EXPECT_TRUE(good.ok()) << to_text(good);
  Settings wrong = reduced(6);
  wrong.ask = [](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                 const QueryOptions& options) {
    DistanceResult r = distance(a, pose_a, b, pose_b, options);
    if (options.method == Method::mpr && r.status != Status::unsupported) r.lower = r.upper = 9.0;
    return r;
  };
  EXPECT_TRUE(bar_fails(run_methods(wrong), 0));
  // A true bracket that tells nothing.
  Settings idle = reduced(6);
  idle.ask = [](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                const QueryOptions& options) {
    DistanceResult r = distance(a, pose_a, b, pose_b, options);
    if (options.method == Method::epa || options.method == Method::automatic) {
      r.lower -= 2.0;
      r.upper += 2.0;
    }
    return r;
  };
  const Report bad = run_methods(idle);
  EXPECT_FALSE(bar_fails(bad, 0));
  EXPECT_TRUE(bar_fails(bad, 1));
  EXPECT_TRUE(bar_fails(bad, 2));
}

TEST(Lab, LennerzPassesAndCanFail) {
  TACTUS_LONG_TEST();
  const Report good = run_lennerz(reduced(2));
  EXPECT_TRUE(good.ok()) << to_text(good);
  ASSERT_EQ(good.tables.size(), 4u);
  // Every pair of the two spheres' 1012 triangles.
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(good.tables[i].rows.size(), 21u);
    for (const std::size_t column : {3u, 4u})
      EXPECT_EQ(std::get<double>(good.tables[i].rows.at(0).at(column)), 1012.0 * 1012.0);
  }
  // The source's own forms: two volumes for two spheres and nine pairs.
  EXPECT_EQ(good.tables[2].rows.size(), 22u);
  Settings wrong = reduced(1);
  wrong.ask_meshes = [](const bvh::MeshView& a, const Pose& pose_a, const bvh::MeshView& b,
                        const Pose& pose_b, const bvh::MeshDistanceOptions& options) {
    bvh::MeshDistance d = bvh::mesh_distance(a, pose_a, b, pose_b, options);
    if (options.strategy == bvh::Strategy::greedy) d.lower = d.distance * 1.001;
    return d;
  };
  EXPECT_TRUE(bar_fails(run_lennerz(wrong), 0));
  Settings blind = reduced(1);
  blind.ask_meshes = [](const bvh::MeshView& a, const Pose& pose_a, const bvh::MeshView& b,
                        const Pose& pose_b, const bvh::MeshDistanceOptions& options) {
    bvh::MeshDistance d = bvh::mesh_distance(a, pose_a, b, pose_b, options);
    d.triangle_tests += 24;
    return d;
  };
  EXPECT_TRUE(bar_fails(run_lennerz(blind), 2));
}

TEST(Lab, MeshBruteforcePassesAndCanFail) {
  const Report good = run_mesh_bruteforce(reduced(10));
  EXPECT_TRUE(good.ok()) << to_text(good);
  ASSERT_EQ(good.tables.at(0).rows.size(), 10u);
  Settings wrong = reduced(10);
  wrong.ask_meshes = [](const bvh::MeshView& a, const Pose& pose_a, const bvh::MeshView& b,
                        const Pose& pose_b, const bvh::MeshDistanceOptions& options) {
    bvh::MeshDistance d = bvh::mesh_distance(a, pose_a, b, pose_b, options);
    if (options.relative_error == 1e-3) d.lower = d.upper * 1.01;
    return d;
  };
  EXPECT_TRUE(bar_fails(run_mesh_bruteforce(wrong), 3));
}

TEST(Lab, BoxesPassAndCanFail) {
  const Report good = run_boxes(reduced(3000));
  EXPECT_TRUE(good.ok()) << to_text(good);
  ASSERT_EQ(good.tables.size(), 2u);
  EXPECT_GT(good.tables[0].rows.size(), 10u);
  Settings loose = reduced(3000);
  loose.ask_box = [](std::span<const Vec3> points, const ConvexHull& hull) {
    MinimumBox found = minimum_box(points, hull);
    found.box = box_of_hull_surface(points, hull);
    return found;
  };
  const Report bad = run_boxes(loose);
  EXPECT_TRUE(bar_fails(bad, 0));
  EXPECT_TRUE(bar_fails(bad, 1));
}

TEST(Report, TextJsonAndPageShowTheVerdict) {
  Report report;
  report.name = "test";
  report.title = "A test";
  report.text = "Some words.";
  report.tables = {
      {"", {"name", "value"}, {{std::string("x"), 0.125}, {std::string("longer"), 3.0}}}};
  report.bars = {{"error", 1.0, 2.0}};
  EXPECT_NE(to_text(report).find("verdict: pass"), std::string::npos);
  EXPECT_NE(to_text(report).find("longer      3\n"), std::string::npos);
  EXPECT_TRUE(to_json(report).at("ok").get<bool>());
  report.bars.push_back({"worse", std::numeric_limits<double>::quiet_NaN(), 2.0});
  EXPECT_FALSE(report.ok());
  EXPECT_NE(to_text(report).find("verdict: FAIL"), std::string::npos);
  EXPECT_FALSE(to_json(report).at("ok").get<bool>());
  const std::string page = to_page(report, "tactus lab test");
  EXPECT_EQ(page.rfind("# A test\n\nWritten by `tactus lab test`\n", 0), 0u);
}

TEST(Lab, PlanarPassesAndCanFail) {
  const Report report = run_planar(reduced(50));
  EXPECT_TRUE(report.ok()) << to_text(report);
  ASSERT_EQ(report.tables.size(), 3U);
  EXPECT_EQ(report.tables[1].rows.size(), 4U);
  // One of several touches is left out: the checker and the source's rule both see it.
  Settings forgetful = reduced(50);
  forgetful.ask_touches = [](const Circle& circle, const Pose2& pose_circle, const Contour& contour,
                             const Pose2& pose_contour, std::vector<Touch>& out) {
    touches(circle, pose_circle, contour, pose_contour, out);
    if (out.size() > 1) out.pop_back();
  };
  const Report bad = run_planar(forgetful);
  EXPECT_TRUE(bar_fails(bad, 1));
  EXPECT_TRUE(bar_fails(bad, 3));
}

}  // namespace

}  // namespace tactus::detail::lab
