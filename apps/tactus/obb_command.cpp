#include "apps/tactus/obb_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/tactus/box_lines.hpp"
#include "apps/tactus/measurable.hpp"
#include "apps/tactus/mesh_files.hpp"
#include "apps/tactus/output.hpp"
#include "tactus/fit/box/box_ladder.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/html/html_picture.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::app {
namespace {

using detail::BoxLadder;
using nlohmann::ordered_json;

// One for each rung, from grey to the best one's red.
constexpr std::array<const char*, 5> kColors = {"#7a8794", "#8a5cc2", "#2f6fde", "#1f9d73",
                                                "#d6402b"};

std::array<Vec3, 8> corners_of(const fit::OrientedBox& box) {
  return box_corners(box.center, box.axes, box.half);
}

TriangleMesh mesh_of(const fit::OrientedBox& box) {
  const auto corners = corners_of(box);
  return {{corners.begin(), corners.end()},
          {{0, 2, 1},
           {1, 2, 3},
           {4, 5, 6},
           {5, 7, 6},
           {0, 1, 4},
           {1, 5, 4},
           {2, 6, 3},
           {3, 6, 7},
           {0, 4, 2},
           {2, 4, 6},
           {1, 3, 5},
           {3, 7, 5}}};
}

// Zero volumes are as good as each other.
double ratio(double volume, double best) { return best > 0.0 ? volume / best : 1.0; }

ordered_json json_of(const Vec3& v) { return {v.x, v.y, v.z}; }

ordered_json json_of(const BoxLadder& ladder, const ObbCommand& command, std::size_t points) {
  ordered_json rungs = ordered_json::array();
  for (const BoxLadder::Rung& rung : ladder.rungs) {
    const fit::OrientedBox& box = rung.box;
    rungs.push_back(
        {{"method", to_string(box.method)},
         {"volume", box.volume()},
         {"ratio", ratio(box.volume(), ladder.best().volume())},
         {"seconds", rung.seconds},
         {"center", json_of(box.center)},
         {"axes", {json_of(box.axes.row[0]), json_of(box.axes.row[1]), json_of(box.axes.row[2])}},
         {"half", json_of(box.half)}});
  }
  return {{"file", command.file},
          {"points", points},
          {"dimension", ladder.hull.dimension},
          {"hull_vertices", ladder.hull.vertices.size()},
          {"hull_seconds", ladder.hull_seconds},
          {"boxes", std::move(rungs)},
          {"lower", ladder.lower}};
}

std::string text_of(const Vec3& v) { return fmt::format("({}, {}, {})", v.x, v.y, v.z); }

// How near the best box is to the least one, in words.
std::string proof_of(const BoxLadder& ladder) {
  if (ladder.hull.dimension < 3) return "the points lie in a plane: no volume";
  if (!(ladder.lower > 0.0)) return "none: as thin as rounding";
  return fmt::format("no box has less than {:.8g}: at most {:.2g} too large", ladder.lower,
                     ladder.best().volume() / ladder.lower - 1.0);
}

// Volumes of boxes about flat points are mere rounding, and so are their ratios.
std::string ratio_text(double of_best) {
  constexpr double kMostShown = 1e6;
  return of_best < kMostShown ? fmt::format("{:.6f}", of_best) : fmt::format("{:.1e}", of_best);
}

std::string text_of(const BoxLadder& ladder, const ObbCommand& command, std::size_t points) {
  std::string text = fmt::format(
      "{}: {} points, {} corners of the hull ({:.1f} ms)\n\n{:<38} {:>14} {:>10} {:>10}\n",
      command.file, points, ladder.hull.vertices.size(), 1e3 * ladder.hull_seconds, "box along",
      "volume", "to best", "ms");
  for (const BoxLadder::Rung& rung : ladder.rungs) {
    text += fmt::format(
        "{:<38} {:>14.8g} {:>10} {:>10.3f}\n", to_string(rung.box.method), rung.box.volume(),
        ratio_text(ratio(rung.box.volume(), ladder.best().volume())), 1e3 * rung.seconds);
  }
  const fit::OrientedBox& best = ladder.best();
  text += fmt::format("\nproof     {}\ncenter    {}\n", proof_of(ladder), text_of(best.center));
  for (int i = 0; i < 3; ++i)
    text += fmt::format("side      {} along {}\n", 2.0 * best.half[i], text_of(best.axes.row[i]));
  return text;
}

void draw(const BoxLadder& ladder, const ObbCommand& command) {
  // The warnings of the file have been told.
  io::MeshReadOptions reading;
  reading.up = from_string<io::UpAxis>(command.up).value_or(io::UpAxis::as_it_is);
  const TriangleMesh mesh = io::read_mesh(command.file, reading);
  io::MeshPicture picture;
  picture.title = command.file;
  picture.mesh = &mesh;
  for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
    const fit::OrientedBox& box = ladder.rungs[i].box;
    const double volume = box.volume();
    io::PictureLayer layer{fmt::format("{}: {:.6g} ({:.4f})", to_string(box.method), volume,
                                       ratio(volume, ladder.best().volume())),
                           kColors[i],
                           {}};
    append_edges(corners_of(box), layer.lines);
    picture.layers.push_back(std::move(layer));
  }
  picture.facts.emplace_back("of the best", proof_of(ladder));
  io::write_atomically(command.html, io::picture_page(picture));
  wrote(command.html);
}

void answer(const ObbCommand& command) {
  require_mesh_output(command.out, "--out");
  const std::vector<Vec3> points = read_points_file(command.file, command.up);
  require_measurable(command.file, points);
  const BoxLadder ladder = detail::box_ladder(points);
  if (!command.out.empty()) {
    std::vector<io::NamedMesh> objects;
    objects.reserve(ladder.rungs.size());
    for (const BoxLadder::Rung& rung : ladder.rungs)
      objects.push_back({std::string(to_string(rung.box.method)), mesh_of(rung.box)});
    write_mesh_file(command.out, objects, JsonShape::convex);
  }
  if (!command.html.empty()) draw(ladder, command);
  Report({command.out, command.html})
      .print(command.json ? io::json_dump(json_of(ladder, command, points.size()), 2) + "\n"
                          : text_of(ladder, command, points.size()));
}

}  // namespace

int run_obb(const ObbCommand& command) {
  try {
    answer(command);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus obb: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
