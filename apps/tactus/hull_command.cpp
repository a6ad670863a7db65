#include "apps/tactus/hull_command.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/tactus/measurable.hpp"
#include "apps/tactus/mesh_files.hpp"
#include "apps/tactus/output.hpp"
#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/mesh.hpp"
#include "tactus/mesh/hull/triangulated.hpp"

namespace tactus::app {
namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

HullMethod method_of(const std::string& name) {
  if (const std::optional<HullMethod> method = from_string<HullMethod>(name)) return *method;
  throw InvalidInput("--method", "no method '" + name + "'");
}

double area_of(const ConvexHull& hull) {
  double area = 0.0;
  for (const ConvexHull::Face& face : hull.faces) {
    const auto corners = hull.corners(face);
    const Vec3& a = hull.vertices[corners[0]];
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
      const Vec3 &b = hull.vertices[corners[i]], &c = hull.vertices[corners[i + 1]];
      area += 0.5 * norm(cross(b - a, c - a));
    }
  }
  return area;
}

std::size_t bytes_of(const ConvexHull& hull) {
  const auto bytes = [](const auto& list) { return list.size() * sizeof(list[0]); };
  return bytes(hull.vertices) + bytes(hull.source) + bytes(hull.faces) + bytes(hull.face_vertices) +
         bytes(hull.edges) + bytes(hull.neighbor_first) + bytes(hull.neighbors);
}

TriangleMesh triangles_of(const ConvexHull& hull, const std::string& out) {
  if (hull.dimension < 2 && !is_json_output(out))
    throw InvalidInput("--out", "the hull has no faces to be written");
  return detail::triangulated(hull);
}

LimitedHull hull_of_few(const std::vector<Vec3>& points, std::uint32_t vertices) {
  try {
    return limited_hull(points, vertices);
  } catch (const InvalidInput& error) {
    throw InvalidInput("--vertices", error.reason());
  }
}

int answer(const HullCommand& command) {
  require_mesh_output(command.out, "--out");
  const HullOptions options{method_of(command.method), command.threads};
  const std::vector<Vec3> points = read_points_file(command.file, command.up);
  require_measurable(command.file, points);
  const Clock::time_point start = Clock::now();
  LimitedHull found;
  if (command.vertices) {
    found = hull_of_few(points, *command.vertices);
  } else {
    found.hull = convex_hull(points, options);
  }
  const double seconds = seconds_since(start);
  const ConvexHull& hull = found.hull;
  // A limited hull is the hull of its own vertices, and of no more.
  const Clock::time_point check_start = Clock::now();
  HullCheck check;
  if (command.vertices) {
    ConvexHull own = hull;
    for (std::uint32_t i = 0; i < own.source.size(); ++i) own.source[i] = i;
    check = check_hull(own.vertices, own, command.threads);
  } else {
    check = check_hull(points, hull, command.threads);
  }
  const double check_seconds = seconds_since(check_start);
  if (!command.out.empty()) {
    const io::NamedMesh object{"hull", triangles_of(hull, command.out)};
    write_mesh_file(command.out, {&object, 1}, JsonShape::convex);
  }

  ordered_json report;
  report["file"] = command.file;
  report["points"] = points.size();
  report["dimension"] = hull.dimension;
  report["vertices"] = hull.vertices.size();
  report["faces"] = hull.faces.size();
  report["edges"] = hull.edges.size();
  report["volume"] = mass_properties(hull).volume;
  report["area"] = area_of(hull);
  if (command.vertices) {
    report["left_out_at_most"] = found.error;
  } else {
    report["points_inside"] = check.inside;
    report["points_on_boundary"] = check.boundary;
    report["method"] = command.method;
  }
  report["bytes"] = bytes_of(hull);
  report["seconds"] = seconds;
  report["proof_seconds"] = check_seconds;
  report["proof"] = check.ok() ? "holds" : check.problem;
  const Report to({command.out});
  if (command.json) {
    to.print(io::json_dump(report, 2) + "\n");
  } else {
    for (const auto& [name, value] : report.items())
      to.print(fmt::format("{:<22} {}\n", name,
                           value.is_string() ? value.get<std::string>() : io::json_dump(value)));
  }
  return check.ok() ? 0 : 1;
}

}  // namespace

int run_hull(const HullCommand& command) {
  try {
    return answer(command);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus hull: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
