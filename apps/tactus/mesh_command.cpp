#include "apps/tactus/mesh_command.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "apps/tactus/measurable.hpp"
#include "apps/tactus/mesh_files.hpp"
#include "apps/tactus/output.hpp"
#include "tactus/bvh/mesh_overlap.hpp"
#include "tactus/bvh/point_query.hpp"
#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/format/surface_facts.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/mesh.hpp"
#include "tactus/mesh/surface/clean_mesh.hpp"

namespace tactus::app {
namespace {

using nlohmann::ordered_json;
using Tree = detail::bvh::Hierarchy<detail::bvh::OrientedBox>;

constexpr std::array<std::pair<const char*, double>, 5> kMetres = {
    {{"mm", 1e-3}, {"cm", 1e-2}, {"m", 1.0}, {"in", 0.0254}, {"ft", 0.3048}}};

double scale_of(const MeshCommand& command) {
  for (const auto& [name, metres] : kMetres) {
    if (command.units == name) return command.scale * metres;
  }
  return command.scale;
}

TriangleMesh read_scaled(const std::string& file, const MeshCommand& command) {
  const double scale = scale_of(command);
  TriangleMesh mesh = read_mesh_file(file, command.up);
  for (Vec3& v : mesh.vertices) v *= scale;
  validate(mesh);
  return mesh;
}

// Objects to write: those of an OBJ or glTF file where the output keeps them apart and nothing was
// merged across them, else the mesh.
std::vector<io::NamedMesh> objects_of(const MeshCommand& command, const TriangleMesh& mesh) {
  std::vector<io::NamedMesh> objects;
  if (keeps_objects(command.out) && !command.clean) {
    objects = read_objects_file(command.file, command.up);
    const double scale = scale_of(command);
    for (io::NamedMesh& object : objects) {
      for (Vec3& v : object.mesh.vertices) v *= scale;
    }
  }
  if (objects.size() < 2) objects = {{std::filesystem::path(command.file).stem().string(), mesh}};
  return objects;
}

ordered_json list(const Vec3& v) { return {v.x, v.y, v.z}; }

ordered_json pairs_json(const std::vector<detail::bvh::TrianglePair>& pairs) {
  ordered_json out = ordered_json::array();
  for (const detail::bvh::TrianglePair& p : pairs) out.push_back({p.a, p.b});
  return out;
}

ordered_json clean(TriangleMesh& mesh) {
  const detail::CleanReport merged = detail::clean_mesh(mesh);
  if (mesh.triangles.empty()) throw InvalidInput("--clean", "leaves no triangle with an area");
  const detail::CleanReport turned = detail::orient_mesh(mesh);
  return {{"merged_vertices", merged.merged_vertices},
          {"unused_vertices", merged.unreferenced_vertices},
          {"degenerate_triangles", merged.degenerate_triangles},
          {"repeated_triangles", merged.duplicate_triangles},
          {"turned_triangles", turned.turned_triangles},
          {"turned_components", turned.turned_components}};
}

std::vector<Vec3> points_of(const std::string& file) {
  std::vector<Vec3> points = read_points_file(file, "");
  for (const Vec3& p : points) {
    if (max_abs(p) > kMostMeasured)
      throw FileError(fmt::format("{}: coordinates may be up to {:g}", file, kMostMeasured));
  }
  return points;
}

ordered_json nearest_json(const MeshCommand& command, const detail::bvh::MeshView& view) {
  ordered_json out = ordered_json::array();
  for (const Vec3& p : points_of(command.nearest)) {
    const detail::bvh::SurfacePoint found = detail::bvh::nearest_point(view, p);
    out.push_back({{"point", list(p)},
                   {"distance", found.distance},
                   {"nearest", list(found.point)},
                   {"triangle", found.triangle}});
  }
  return out;
}

ordered_json winding_json(const MeshCommand& command, const detail::bvh::MeshView& view,
                          bool has_inside) {
  if (!has_inside) throw InvalidInput("--winding", "the surface is open: it winds around no point");
  ordered_json out = ordered_json::array();
  for (const Vec3& p : points_of(command.winding)) {
    const detail::bvh::Winding found = detail::bvh::winding_at(view, p);
    out.push_back(
        {{"point", list(p)},
         {"winding", found.on_surface ? ordered_json(nullptr) : ordered_json(found.number)},
         {"on_surface", found.on_surface}});
  }
  return out;
}

ordered_json crossing_json(const MeshCommand& command, const detail::bvh::MeshView& view) {
  const TriangleMesh other = read_scaled(command.other, command);
  const Tree tree(other);
  Pose pose;
  try {
    if (!command.pose_b.empty()) pose = io::pose_from_json(io::parse_json(command.pose_b));
  } catch (const InvalidInput& error) {
    throw error.within("--pose-b");
  }
  const auto pairs = detail::bvh::meeting_triangles(view, Pose(), {other, tree}, pose).pairs;
  return {{"file", command.other}, {"count", pairs.size()}, {"pairs", pairs_json(pairs)}};
}

void print_table(const Report& to, const ordered_json& report) {
  for (const auto& [name, value] : report.items()) {
    if (name == "nearest" || name == "winding") {
      for (const ordered_json& line : value)
        to.print(fmt::format("{:<22} {}\n", name, io::json_dump(line)));
    } else if (name == "cleaned" || name == "crossing") {
      for (const auto& [inner, of_inner] : value.items())
        to.print(fmt::format(
            "{:<22} {}\n", fmt::format("{} {}", name, inner),
            of_inner.is_string() ? of_inner.get<std::string>() : io::json_dump(of_inner)));
    } else {
      to.print(fmt::format("{:<22} {}\n", name,
                           value.is_string() ? value.get<std::string>() : io::json_dump(value)));
    }
  }
}

void answer(const MeshCommand& command) {
  require_mesh_output(command.out, "--out");
  TriangleMesh mesh = read_scaled(command.file, command);
  require_measurable(command.file, mesh.vertices);
  ordered_json report;
  report["file"] = command.file;
  if (command.clean) report["cleaned"] = clean(mesh);
  const Tree tree(mesh);
  const detail::bvh::MeshView view{mesh, tree};
  report.update(io::surface_facts(mesh));
  if (!command.nearest.empty()) report["nearest"] = nearest_json(command, view);
  if (!command.winding.empty())
    report["winding"] = winding_json(command, view, report.at("has_inside").get<bool>());
  if (!command.other.empty()) report["crossing"] = crossing_json(command, view);
  if (!command.out.empty()) {
    write_mesh_file(command.out, objects_of(command, mesh), JsonShape::mesh);
  }
  const Report to({command.out});
  if (command.json) {
    to.print(io::json_dump(report, 2) + "\n");
  } else {
    print_table(to, report);
  }
}

}  // namespace

int run_mesh(const MeshCommand& command) {
  try {
    answer(command);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus mesh: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
