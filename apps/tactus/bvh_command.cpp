#include "apps/tactus/bvh_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "apps/tactus/box_lines.hpp"
#include "apps/tactus/mesh_files.hpp"
#include "apps/tactus/output.hpp"
#include "apps/tactus/volumes.hpp"
#include "tactus/bvh/hierarchy.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/format/tree_file.hpp"
#include "tactus/io/html/html_picture.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::app {
namespace {

using nlohmann::ordered_json;
using Lines = std::vector<std::pair<Vec3, Vec3>>;

// A level with more volumes is not drawn, nor those below it.
constexpr std::size_t kMostDrawn = 4096;
// Great circles of a sphere, as polygons.
constexpr int kCorners = 24;
constexpr const char* kColor = "#2f6fde";

void append(const detail::bvh::OrientedBox& box, Lines& lines) {
  Mat3 axes;
  Vec3 half;
  for (int i = 0; i < 3; ++i) {
    const float* axis = box.axis[i];
    axes.row[i] = {axis[0], axis[1], axis[2]};
    half[i] = static_cast<double>(axis[3]);
  }
  append_edges(box_corners({box.center[0], box.center[1], box.center[2]}, axes, half), lines);
}

void append(const detail::bvh::AlignedBox& box, Lines& lines) {
  append_edges(box_corners({box.center[0], box.center[1], box.center[2]}, Mat3::identity(),
                           {box.half[0], box.half[1], box.half[2]}),
               lines);
}

void append(const detail::bvh::Ball& ball, Lines& lines) {
  const Vec3 center{ball.center[0], ball.center[1], ball.center[2]};
  const auto radius = static_cast<double>(ball.radius);
  for (int axis = 0; axis < 3; ++axis) {
    const auto at = [&](int i) {
      Vec3 p;
      p[(axis + 1) % 3] = radius * std::cos(detail::kTwoPi * i / kCorners);
      p[(axis + 2) % 3] = radius * std::sin(detail::kTwoPi * i / kCorners);
      return center + p;
    };
    for (int i = 0; i < kCorners; ++i) lines.emplace_back(at(i), at(i + 1));
  }
}

// The rectangle, and the box about all.
void append(const detail::bvh::SweptRectangle& swept, Lines& lines) {
  Mat3 axes;
  for (int i = 0; i < 3; ++i) axes.row[i] = {swept.axis[i][0], swept.axis[i][1], swept.axis[i][2]};
  const Vec3 center{swept.center[0], swept.center[1], swept.center[2]};
  const Vec3 half{swept.axis[0][3], swept.axis[1][3], 0.0};
  const double radius{swept.axis[2][3]};
  append_edges(box_corners(center, axes, half), lines);
  append_edges(box_corners(center, axes, half + Vec3{radius, radius, radius}), lines);
}

// An edge is what the other slabs leave of the line in which two planes meet.
void append(const detail::bvh::Dop14& dop, Lines& lines) {
  struct Plane {
    Vec3 normal;
    double offset;  // inside: normal . x <= offset
  };
  std::array<Plane, 14> planes;
  std::size_t count = 0;
  for (int i = 0; i < 7; ++i) {
    const Vec3 axis = detail::bvh::Dop14::axis(i);
    planes[count++] = {axis, static_cast<double>(dop.high[i])};
    planes[count++] = {-axis, -static_cast<double>(dop.low[i])};
  }
  for (std::size_t i = 0; i < planes.size(); ++i) {
    for (std::size_t j = i / 2 * 2 + 2; j < planes.size(); ++j) {
      const Plane &a = planes[i], &b = planes[j];
      const Vec3 along = cross(a.normal, b.normal);
      const Vec3 start =
          cross(b.normal * a.offset - a.normal * b.offset, along) * -1.0 / squared_norm(along);
      double from = -std::numeric_limits<double>::infinity(), to = -from;
      for (std::size_t k = 0; k < planes.size(); ++k) {
        if (k == i || k == j) continue;
        const double speed = dot(planes[k].normal, along);
        const double room = planes[k].offset - dot(planes[k].normal, start);
        if (speed > 0.0) {
          to = std::min(to, room / speed);
        } else if (speed < 0.0) {
          from = std::max(from, room / speed);
        } else if (room < 0.0) {
          to = from;
        }
      }
      if (from < to) lines.emplace_back(start + along * from, start + along * to);
    }
  }
}

/// Nodes by their distance from the root; a leaf stays in all levels below its own, so that each
/// level bounds the whole mesh.
template <class Volume>
std::vector<std::vector<std::uint32_t>> levels_of(const detail::bvh::Hierarchy<Volume>& tree) {
  std::vector<std::vector<std::uint32_t>> levels = {{0}};
  while (true) {
    std::vector<std::uint32_t> next;
    bool split = false;
    for (const std::uint32_t node : levels.back()) {
      const Volume& volume = tree.nodes()[node];
      if (detail::bvh::Hierarchy<Volume>::is_leaf(volume)) {
        next.push_back(node);
      } else {
        next.push_back(node + 1);
        next.push_back(volume.link);
        split = true;
      }
    }
    if (!split || next.size() > kMostDrawn) return levels;
    levels.push_back(std::move(next));
  }
}

template <class Volume>
std::size_t depth_of(const detail::bvh::Hierarchy<Volume>& tree) {
  struct Open {
    std::uint32_t node;
    std::size_t depth;
  };
  std::vector<Open> open = {{0, 0}};
  std::size_t depth = 0;
  while (!open.empty()) {
    const Open next = open.back();
    open.pop_back();
    depth = std::max(depth, next.depth);
    const Volume& volume = tree.nodes()[next.node];
    if (detail::bvh::Hierarchy<Volume>::is_leaf(volume)) continue;
    open.push_back({next.node + 1, next.depth + 1});
    open.push_back({volume.link, next.depth + 1});
  }
  return depth;
}

std::string text_of(const ordered_json& value) {
  if (value.is_number_float()) return fmt::format("{:.5g}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : io::json_dump(value);
}

/// `describe_bvh` lets no other names through.
detail::bvh::SplitRule rule_of(const BvhCommand& command) {
  using detail::bvh::SplitRule;
  return from_string<SplitRule>(command.split).value_or(SplitRule::mean);
}

template <class Volume>
int answer(const BvhCommand& command) {
  const TriangleMesh mesh = read_mesh_file(command.file, command.up);
  const auto start = std::chrono::steady_clock::now();
  const auto tree = command.tree.empty() ? detail::bvh::Hierarchy<Volume>(mesh, rule_of(command))
                                         : io::read_tree<Volume>(command.tree, mesh);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto triangles = static_cast<double>(mesh.triangles.size());
  const ordered_json figures = {
      {"file", command.file},
      {"volume", command.volume},
      {"split", command.tree.empty() ? command.split : "as it was built"},
      {"triangles", mesh.triangles.size()},
      {"nodes", tree.nodes().size()},
      {"depth", depth_of(tree)},
      {"bytes_per_triangle", static_cast<double>(tree.bytes()) / triangles},
      {command.tree.empty() ? "build_seconds" : "read_seconds", seconds},
      {command.tree.empty() ? "build_ns_per_triangle" : "read_ns_per_triangle",
       1e9 * seconds / triangles}};
  if (!command.out.empty()) {
    io::write_tree(tree, command.out);
    wrote(command.out);
  }

  if (!command.html.empty()) {
    io::MeshPicture picture;
    picture.title = command.file;
    picture.mesh = &mesh;
    picture.one_at_a_time = true;
    for (const auto& [name, value] : figures.items()) {
      if (name != "file") picture.facts.emplace_back(name, text_of(value));
    }
    const auto levels = levels_of(tree);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      io::PictureLayer layer{fmt::format("level {}: {} volumes", i, levels[i].size()), kColor, {}};
      for (const std::uint32_t node : levels[i]) append(tree.nodes()[node], layer.lines);
      // Volumes are about the middle of the mesh.
      for (auto& [from, to] : layer.lines) {
        from += tree.middle();
        to += tree.middle();
      }
      picture.layers.push_back(std::move(layer));
    }
    io::write_atomically(command.html, io::picture_page(picture));
    wrote(command.html);
  }
  const Report to({command.out, command.html});
  if (command.json) {
    to.print(io::json_dump(figures, 2) + "\n");
    return 0;
  }
  for (const auto& [name, value] : figures.items())
    to.print(fmt::format("{:<22} {}\n", name, text_of(value)));
  return 0;
}

}  // namespace

int run_bvh(const BvhCommand& command) {
  try {
    return AllVolumes::with<int>(command.volume, [&](auto volume) {
      return answer<typename decltype(volume)::type>(command);
    });
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus bvh: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
