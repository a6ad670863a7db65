#include "apps/tactus/tetrahedra_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/tactus/mesh_files.hpp"
#include "apps/tactus/output.hpp"
#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/deform.hpp"
#include "tactus/io.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::app {
namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr double kEdgesInASide = 12.0;

double longest_side(const Vec3& size) { return std::max({size.x, size.y, size.z}); }

soft::TetrahedralMesh make(const TetrahedraCommand& command) {
  const int sources = (command.file.empty() ? 0 : 1) + (command.box.empty() ? 0 : 1) +
                      (command.sphere != 0.0 ? 1 : 0);
  if (sources != 1) throw InvalidInput("FILE", "name one of a file, --box and --sphere");
  const auto edge = [&](double longest) {
    return command.edge > 0.0 ? command.edge : longest / kEdgesInASide;
  };
  const bool surface_file = !command.file.empty() && !io::is_tetrahedra_file(command.file);
  if (!command.up.empty() && !surface_file)
    throw InvalidInput("--up", "turns surfaces from files only");
  if (!command.box.empty()) {
    const Vec3 size{command.box[0], command.box[1], command.box[2]};
    const double e = edge(longest_side(size));
    std::array<int, 3> cells{};
    for (int k = 0; k < 3; ++k)
      cells[static_cast<std::size_t>(k)] =
          static_cast<int>(std::clamp(std::round(size[k] / e), 1.0, 1e6));
    return soft::tetrahedral_box(size, cells);
  }
  if (command.sphere != 0.0)
    return soft::tetrahedral_sphere(command.sphere, edge(2.0 * command.sphere));
  if (io::is_tetrahedra_file(command.file)) return io::read_tetrahedra(command.file);
  const Mesh surface(read_mesh_file(command.file, command.up));
  try {
    return soft::fill_with_tetrahedra(surface, edge(extent(surface)));
  } catch (const InvalidInput& error) {
    throw InvalidInput(command.file, error.what());
  }
}

int answer(const TetrahedraCommand& command) {
  require_mesh_output(command.surface, "--surface");
  const Clock::time_point start = Clock::now();
  const soft::TetrahedralMesh mesh = make(command);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const TriangleMesh surface{mesh.vertices, surface_of(mesh)};
  const soft::TetrahedraQuality q = quality(mesh);
  if (!command.out.empty()) {
    io::write_tetrahedra(command.out, mesh);
    wrote(command.out);
  }
  if (!command.surface.empty()) {
    const io::NamedMesh object{"surface", surface};
    write_mesh_file(command.surface, {&object, 1}, JsonShape::mesh);
  }
  ordered_json report;
  report["vertices"] = mesh.vertices.size();
  report["tetrahedra"] = mesh.tetrahedra.size();
  report["surface_triangles"] = surface.triangles.size();
  report["volume"] = q.volume;
  report["least_volume"] = q.least_volume;
  report["least_radius_ratio"] = q.least_ratio;
  report["mean_radius_ratio"] = q.mean_ratio;
  report["least_angle_degrees"] = q.least_angle * detail::kDegrees;
  report["greatest_angle_degrees"] = q.greatest_angle * detail::kDegrees;
  report["seconds"] = seconds;
  const Report to({command.out, command.surface});
  if (command.json) {
    to.print(io::json_dump(report, 2) + "\n");
  } else {
    for (const auto& [name, value] : report.items()) {
      to.print(value.is_number_float() ? fmt::format("{:<24} {:.6g}\n", name, value.get<double>())
                                       : fmt::format("{:<24} {}\n", name, io::json_dump(value)));
    }
  }
  return 0;
}

}  // namespace

int run_tetrahedra(const TetrahedraCommand& command) {
  try {
    return answer(command);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus tetrahedra: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
