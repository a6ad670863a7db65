#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>

#include "fuzz/random_values.hpp"
#include "lab/experiment.hpp"
#include "lab/meshes.hpp"
#include "lab/verdicts.hpp"
#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/fit/box/box_ladder.hpp"
#include "tactus/io.hpp"

// The ladder of oriented boxes on many bodies. Source: huotari2011; gottschalk1996obbtree;
// orourke1985boxes.

namespace tactus::detail::lab {
namespace {

using Points = std::vector<Vec3>;

// Hulls of so many corners are searched exactly.
constexpr std::size_t kExactCorners = 2000;

struct Body {
  std::string name;
  Points points;
};

// In a rotation that no coordinate axis knows of.
Body turned(std::string name, Points points, Random& random) {
  const Pose pose({}, fuzz::rotation(random));
  for (Vec3& p : points) p = pose.to_world(p);
  return {std::move(name), std::move(points)};
}

Points stretched(Points points, const Vec3& by) {
  for (Vec3& p : points) p = component_product(p, by);
  return points;
}

Points on_sphere(std::size_t count, Random& random) {
  Points points;
  for (std::size_t i = 0; i < count; ++i) points.push_back(fuzz::direction(random));
  return points;
}

Points in_cube(std::size_t count, Random& random) {
  Points points;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = random.uniform(-1, 1);
    const double y = random.uniform(-1, 1);
    const double z = random.uniform(-1, 1);
    points.push_back({x, y, z});
  }
  return points;
}

Points cube() {
  Points points;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      for (const double z : {-1.0, 1.0}) points.push_back({x, y, z});
    }
  }
  return points;
}

// The largest have `count` points.
std::vector<Body> made_bodies(std::size_t count, Random& random) {
  std::vector<Body> bodies;
  const auto add = [&](const char* name, Points points) {
    bodies.push_back(turned(name, std::move(points), random));
  };
  add("tetrahedron", {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}});
  add("brick", stretched(cube(), {3, 2, 1}));
  add("plate 1000:700:1", stretched(cube(), {1, 0.7, 1e-3}));
  add("needle 1000:1:1", stretched(cube(), {1, 1e-3, 1e-3}));
  add("12 random points", in_cube(12, random));
  add("100 random points", in_cube(100, random));
  add("globe, 46 meridians", globe(46, 12).vertices);
  add("cigar", stretched(globe(46, 24).vertices, {1, 0.2, 0.2}));
  add("ring", ring(64, 24, 0.3).vertices);
  add("bumpy globe", bumpy_globe(46, 24, random).vertices);
  add("few on a sphere", on_sphere(count / 15, random));
  add("many on a sphere", on_sphere(count, random));
  add("many on an ellipsoid", stretched(on_sphere(count, random), {1, 0.8, 0.5}));
  return bodies;
}

std::vector<Body> read_bodies(const std::string& folder) {
  if (!std::filesystem::is_directory(folder))
    throw InvalidInput("--meshes", folder + " is no folder");
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".obj" || extension == ".stl" || extension == ".ply" || extension == ".off")
      files.push_back(entry.path());
  }
  if (files.empty()) throw InvalidInput("--meshes", folder + " holds no OBJ, STL, PLY or OFF file");
  std::sort(files.begin(), files.end());
  std::vector<Body> bodies;
  bodies.reserve(files.size());
  for (const auto& file : files)
    bodies.push_back({file.filename().string(), io::read_points(file)});
  return bodies;
}

std::string factor(double value) {
  std::string text = std::to_string(std::round(value * 1e4) / 1e4);
  return text.substr(0, text.find('.') + 5);
}

}  // namespace

Report run_boxes(const Settings& settings) {
  Random random(settings.seed, 0);
  std::vector<Body> bodies = made_bodies(settings.pairs, random);
  if (!settings.meshes.empty()) {
    for (Body& body : read_bodies(settings.meshes)) bodies.push_back(std::move(body));
  }
  Report report;
  report.name = "boxes";
  report.title = "The ladder of oriented boxes";
  report.text =
      "Volumes of boxes about bodies, relative to the best one: along the axes of the file (made "
      "bodies are turned at random), along the\nprincipal axes of the points, of the corners of "
      "the convex hull, of the hull's surface by integrals (huotari2011, after Gottschalk), and "
      "the least of all:\nup to 2,000 corners of the hull exactly, by pairs of edges that two "
      "adjacent faces lie on (orourke1985boxes); beyond by branch and bound over\nrotations. "
      "*Proved* is how much more volume the best box has than is proved to be necessary. Times "
      "are on the wall, in milliseconds; those of the\nboxes of the hull without the hull's. "
      "huotari2011 gives no figures; it has it that "
      "points inside spoil the axes (3.2) and that the surface's are the best of the three, in "
      "the mean, and calls the least box a hard problem.";
  Table volumes;
  volumes.title = "Volume relative to the best box";
  volumes.head = {"body",          "points",         "corners", "file's axes", "points' axes",
                  "corners' axes", "surface's axes", "best",    "proved"};
  Table times;
  times.title = "Milliseconds";
  times.head = {"body", "hull", "points' axes", "corners' axes", "surface's axes", "best"};
  BoxFigures figures;
  std::array<double, 4> sum{};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    const BoxLadder ladder = box_ladder(body.points, settings.ask_box);
    const double best = ladder.best().volume();
    const double proved = ladder.lower > 0.0 ? best / ladder.lower - 1.0 : kInfinity;
    double& excess =
        ladder.hull.vertices.size() <= kExactCorners ? figures.exact : figures.searched;
    excess = std::max(excess, proved);
    figures.seconds = std::max(figures.seconds, ladder.rungs.back().seconds);
    std::vector<Cell> row = {body.name, static_cast<double>(body.points.size()),
                             static_cast<double>(ladder.hull.vertices.size())};
    std::vector<Cell> time = {body.name, 1e3 * ladder.hull_seconds};
    for (std::size_t k = 0; k < ladder.rungs.size(); ++k) {
      const double ratio = ladder.rungs[k].box.volume() / best;
      row.emplace_back(factor(ratio));
      if (k > 0) time.emplace_back(1e3 * ladder.rungs[k].seconds);
      if (k < sum.size()) {
        sum[k] += ratio;
        figures.above_others = std::max(figures.above_others, 1.0 - ratio);
      }
    }
    row.emplace_back(proved);
    volumes.rows.push_back(std::move(row));
    times.rows.push_back(std::move(time));
    settings.progress((i + 1) * settings.pairs / bodies.size(), settings.pairs);
  }
  std::vector<Cell> mean = {std::string("mean"), std::string(), std::string()};
  // Made bodies have no axes of a file.
  mean.emplace_back(std::string("-"));
  for (std::size_t k = 1; k < sum.size(); ++k)
    mean.emplace_back(factor(sum[k] / static_cast<double>(bodies.size())));
  mean.emplace_back(std::string("1.0000"));
  mean.emplace_back(std::string());
  volumes.rows.push_back(std::move(mean));
  report.tables = {std::move(volumes), std::move(times)};
  const auto count = static_cast<double>(bodies.size());
  figures.points = sum[1] / count;
  figures.corners = sum[2] / count;
  figures.surface = sum[3] / count;
  report.bars = bars_of(figures);
  return report;
}

}  // namespace tactus::detail::lab
