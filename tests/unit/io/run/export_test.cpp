#include "tactus/io/run/export.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tactus/io/json/json_text.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// A ball that falls, one that enters later, and one that lies on the floor.
class Export : public testing::Test {
 protected:
  Export() {
    scene_ = scene_from_json(parse_json(R"({"world": {"gravity": [0, 0, -10]},
        "shapes": {"ball": {"type": "sphere", "radius": 0.5}}, "bodies": [
        {"shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}, "type": "fixed"},
        {"shape": "ball", "pose": {"position": [0, 0, 0.5]}},
        {"shape": "ball", "pose": {"position": [3, 0, 30]}, "linear_velocity": [1, 0, 0], "angular_velocity": [0, 0, 2]},
        {"shape": "ball", "pose": {"position": [6, 0, 30]}}],
        "recording": {"fps": 10, "contacts_per_second": 5}})"),
                             ".");
    Scene& late = scene_;
    late.bodies[3].first_step = 7;
    const std::unique_ptr<RigidWorld> owned = build_world(late);
    RigidWorld& world = *owned;
    Recording recording = start_recording(late);
    record(late, world, recording);
    while (world.step_count() < 12) {
      begin_step(late, world.step_count(), world);
      world.step();
      record(late, world, recording);
    }
    write_recording(recording, folder_ / "run.tactus");
    weight_ = world.body(2).mass().mass * 10.0;
  }

  /// Lines of a table, cells by commas.
  static std::vector<std::vector<std::string>> table(const fs::path& file) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(content(file));
    for (std::string line; std::getline(lines, line);) {
      rows.emplace_back();
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
  }

  Scene scene_;
  detail::test::TemporaryFolder folder_;
  double weight_ = 0.0;
};

TEST_F(Export, CsvHoldsPlacesAndVelocities) {
  PictureReader reader(folder_ / "run.tactus");
  export_csv(reader, folder_ / "a.csv");
  const auto rows = table(folder_ / "a.csv");
  // Two bodies at steps 0 and 6, three at 12.
  ASSERT_EQ(rows.size(), 1u + 2u + 2u + 3u);
  for (const auto& row : rows) EXPECT_EQ(row.size(), 16u);
  const auto& falling = rows[6];
  EXPECT_EQ(falling[0], "12");
  EXPECT_NEAR(std::stod(falling[1]), 0.2, 1e-9);
  EXPECT_EQ(falling[2], "3");
  EXPECT_NEAR(std::stod(falling[3]), 3.2, 1e-6);
  // Steps of gravity, then of motion: the fall is known but for the length of a substep.
  EXPECT_NEAR(std::stod(falling[5]), 30.0 - 0.5 * 10.0 * 0.04, 0.002);
  EXPECT_NEAR(std::stod(falling[10]), 1.0, 1e-6);
  EXPECT_NEAR(std::stod(falling[12]), -2.0, 1e-5);
  EXPECT_NEAR(std::stod(falling[15]), 2.0, 1e-6);
  // Turned by 0.4 radians about z.
  EXPECT_NEAR(std::stod(falling[6]), 0.98006658, 1e-6);
  EXPECT_NEAR(std::stod(falling[9]), 0.19866933, 1e-6);
}

TEST_F(Export, ContactsCarryTheWeight) {
  PictureReader reader(folder_ / "run.tactus");
  export_contacts_csv(reader, folder_ / "c.csv");
  const auto rows = table(folder_ / "c.csv");
  // At step 0 nothing was detected yet; contacts are kept with every second picture.
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1][0], "12");
  EXPECT_EQ(rows[1][2], "1");
  EXPECT_EQ(rows[1][3], "2");
  EXPECT_NEAR(std::stod(rows[1][9]), 1.0, 1e-6);
  EXPECT_NEAR(std::stod(rows[1][11]), weight_, 0.02 * weight_);
}

TEST_F(Export, VtkFilesHoldWhatTheirHeadSays) {
  PictureReader reader(folder_ / "run.tactus");
  const auto lists = export_vtk(reader, folder_ / "vtk", "run");
  ASSERT_EQ(lists.size(), 2u);
  const std::string list = content(lists[0]);
  EXPECT_NE(list.find("timestep=\"0.2\" file=\"run_bodies_000002.vtu\""), std::string::npos)
      << list;
  const std::string file = content(folder_ / "vtk" / "run_bodies_000002.vtu");
  EXPECT_NE(file.find("NumberOfPoints=\"3\""), std::string::npos);
  // The places, at the offset that the head names, behind their number of bytes.
  const std::size_t points = file.find("Name=\"Points\"");
  const std::size_t offset = std::stoul(file.substr(file.find("offset=\"", points) + 8));
  const std::size_t start = file.find("\n_") + 2 + offset;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, file.data() + start, sizeof bytes);
  ASSERT_EQ(bytes, 9 * sizeof(double));
  double place[9];
  std::memcpy(place, file.data() + start + sizeof bytes, bytes);
  EXPECT_NEAR(place[3], 3.2, 1e-6);
  EXPECT_NEAR(place[6], 6.0, 1e-6);
  // Three arrays of places and values follow each other without gaps, to the end.
  EXPECT_TRUE(file.ends_with("\n</AppendedData>\n</VTKFile>\n"));
  const std::string contacts = content(folder_ / "vtk" / "run_contacts_000001.vtu");
  EXPECT_NE(contacts.find("NumberOfPoints=\"1\""), std::string::npos);
  EXPECT_EQ(file.find("Name=\"mass\""), std::string::npos);
  // With the scene: columns of what the recording does not hold.
  export_vtk(reader, folder_ / "whole", "run", &scene_);
  const std::string whole = content(folder_ / "whole" / "run_bodies_000002.vtu");
  const std::size_t masses = whole.find("Name=\"mass\"");
  ASSERT_NE(masses, std::string::npos);
  const std::size_t at = whole.find("\n_") + 2 +
                         std::stoul(whole.substr(whole.find("offset=\"", masses) + 8)) +
                         sizeof bytes;
  double mass[3];
  std::memcpy(mass, whole.data() + at, sizeof mass);
  for (const double m : mass) EXPECT_NEAR(m, weight_ / 10.0, 1e-9 * m);
}

TEST_F(Export, BodiesHaveShapesAndMasses) {
  scene_.bodies[1].name = "a \"ball\", the first";
  export_bodies_csv(scene_, folder_ / "bodies.csv");
  const auto rows = table(folder_ / "bodies.csv");
  ASSERT_EQ(rows.size(), 5u);
  ASSERT_EQ(rows[0].size(), 18u);
  EXPECT_EQ(rows[1][2], "fixed");
  EXPECT_EQ(rows[1][3], "halfspace");
  for (std::size_t i = 6; i < rows[1].size(); ++i) EXPECT_EQ(rows[1][i], "");
  EXPECT_NE(content(folder_ / "bodies.csv").find("\n2,\"a \"\"ball\"\", the first\",moving"),
            std::string::npos);
  const auto& ball = rows[3];
  EXPECT_EQ(ball[3], "sphere");
  EXPECT_NEAR(std::stod(ball[6]), 0.5, 1e-15);
  EXPECT_NEAR(std::stod(ball[7]), 0.523598775598299, 1e-14);
  EXPECT_NEAR(std::stod(ball[8]), weight_ / 10.0, 1e-9);
  EXPECT_NEAR(std::stod(ball[12]), 0.4 * 0.25 * weight_ / 10.0, 1e-9);
}

}  // namespace
}  // namespace tactus::io
