#include "apps/tactus/decompose_command.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/tactus/measurable.hpp"
#include "apps/tactus/mesh_files.hpp"
#include "apps/tactus/output.hpp"
#include "apps/tactus/progress.hpp"
#include "tactus/core.hpp"
#include "tactus/fit.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/html/html_picture.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/mesh.hpp"
#include "tactus/mesh/hull/triangulated.hpp"

namespace tactus::app {
namespace {

using nlohmann::ordered_json;

// Neighbours in the list, which are often neighbours in space, differ clearly.
constexpr std::array<const char*, 12> kColors = {"#2f6fde", "#e0862a", "#1f9d73", "#d6402b",
                                                 "#8a5cc2", "#b8a11d", "#c2568f", "#3aa6c9",
                                                 "#7a8794", "#6d8f2e", "#a3623a", "#4a4fb0"};
constexpr std::uint64_t kThousandths = 1000;

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_decompose_interrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

ordered_json json_of(const fit::Deviation& d, double unit) {
  return {{"lower", d.lower / unit},
          {"upper", d.upper / unit},
          {"length", d.lower},
          {"at", {d.at.x, d.at.y, d.at.z}}};
}

ordered_json json_of(const fit::ConvexDecomposition& d, const DecomposeCommand& command,
                     std::size_t triangles, double seconds) {
  ordered_json parts = ordered_json::array();
  for (const ConvexHull& part : d.parts) {
    parts.push_back({{"vertices", part.vertices.size()},
                     {"faces", part.faces.size()},
                     {"volume", mass_properties(part).volume}});
  }
  return {{"file", command.file},
          {"triangles", triangles},
          {"closed", d.closed},
          {"method", command.method},
          {"status", to_string(d.status)},
          {"parts", d.parts.size()},
          {"concavity", {{"lower", d.concavity_lower()}, {"upper", d.concavity_upper()}}},
          {"bulge", json_of(d.measured.bulge, d.unit)},
          {"hollow", json_of(d.measured.hollow, d.unit)},
          {"fill", json_of(d.measured.fill, d.unit)},
          {"unit", d.unit},
          {"volume_of_surface", d.closed ? ordered_json(d.surface_volume) : ordered_json(nullptr)},
          {"volume_of_union", d.measured.volume},
          {"volume_of_parts", d.parts_volume},
          {"seconds", seconds},
          {"hulls", std::move(parts)}};
}

std::string text_of(const fit::ConvexDecomposition& d, const DecomposeCommand& command,
                    std::size_t triangles, double seconds) {
  const auto line = [&](const char* name, const fit::Deviation& deviation) {
    return fmt::format("  {:<9} {:.4f}   {:.6g} at ({:.6g}, {:.6g}, {:.6g})\n", name,
                       deviation.lower / d.unit, deviation.lower, deviation.at.x, deviation.at.y,
                       deviation.at.z);
  };
  std::string text = fmt::format("{}: {} triangles, {}\nparts       {} ({}, {})\n", command.file,
                                 triangles, d.closed ? "closed" : "not closed", d.parts.size(),
                                 command.method, to_string(d.status));
  text += fmt::format("concavity   [{:.4f}, {:.4f}] of the model scaled to [-1, 1]; asked {:.4g}\n",
                      d.concavity_lower(), d.concavity_upper(), command.concavity);
  text += fmt::format("            [{:.6g}, {:.6g}] in the file's unit\n", d.measured.lower(),
                      d.measured.upper());
  text += line("bulge", d.measured.bulge) + line("hollow", d.measured.hollow) +
          line("fill", d.measured.fill);
  if (d.closed) text += fmt::format("volume      {:.6g} of the surface\n", d.surface_volume);
  text += fmt::format("volume      {:.6g} of the union, {:.6g} of the parts together\n",
                      d.measured.volume, d.parts_volume);
  return text + fmt::format("time        {:.2f} s\n", seconds);
}

void draw(const fit::ConvexDecomposition& d, const TriangleMesh& mesh,
          const DecomposeCommand& command) {
  io::MeshPicture picture;
  picture.title = command.file;
  picture.mesh = &mesh;
  picture.show_mesh = false;
  picture.facts = {{"parts", std::to_string(d.parts.size())},
                   {"method", command.method},
                   {"concavity", fmt::format("{:.4f}", d.concavity_upper())},
                   {"status", std::string(to_string(d.status))}};
  for (std::size_t i = 0; i < d.parts.size(); ++i) {
    picture.layers.push_back({fmt::format("part {}", i + 1),
                              kColors[i % kColors.size()],
                              {},
                              detail::triangulated(d.parts[i])});
  }
  io::write_atomically(command.html, io::picture_page(picture));
  wrote(command.html);
}

bool is_json(const std::string& file) { return is_json_output(file) || file == "-"; }

// One part a line, so that it can be read and compared.
std::string parts_json(const fit::ConvexDecomposition& d) {
  std::string text = "{\"parts\": [";
  const Compound compound = d.compound();
  for (const Compound::Part& part : compound.parts()) {
    const nlohmann::json line = {{"shape", io::shape_to_json(part.shape)},
                                 {"pose", io::pose_to_json(part.pose)}};
    text += (text.back() == '[' ? "\n  " : ",\n  ") + io::json_dump(line);
  }
  return text + "\n]}\n";
}

void write_parts(const fit::ConvexDecomposition& d, const DecomposeCommand& command) {
  if (is_json(command.out)) {
    io::write_atomically(command.out, parts_json(d));
    wrote(command.out);
    return;
  }
  std::vector<io::NamedMesh> objects;
  for (std::size_t i = 0; i < d.parts.size(); ++i) {
    if (d.parts[i].dimension >= 2)
      objects.push_back({fmt::format("part_{}", i + 1), detail::triangulated(d.parts[i])});
  }
  write_mesh_file(command.out, objects, JsonShape::convex);
}

int answer(const DecomposeCommand& command) {
  const auto method = from_string<fit::DecompositionMethod>(command.method);
  if (!method) throw InvalidInput("--method", "no method '" + command.method + "'");
  require_mesh_output(command.out, "--out");
  const TriangleMesh mesh = read_mesh_file(command.file, command.up);
  require_measurable(command.file, mesh.vertices);
  fit::DecomposeOptions options;
  options.method = *method;
  options.concavity = command.concavity;
  options.max_parts = command.max_parts;
  options.max_vertices = command.max_vertices;
  options.max_threads = command.threads;
  options.cancel = &interrupted;
  interrupted = false;
  std::signal(SIGINT, on_decompose_interrupt);
  std::signal(SIGTERM, on_decompose_interrupt);
  const auto start = std::chrono::steady_clock::now();
  fit::ConvexDecomposition found;
  {
    Progress progress(0, kThousandths, "thousandths");
    options.progress = [&](std::uint32_t, double done) {
      progress.update(static_cast<std::uint64_t>(done * static_cast<double>(kThousandths)));
    };
    found = fit::decompose(mesh, options);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!command.out.empty()) write_parts(found, command);
  if (!command.html.empty()) draw(found, mesh, command);
  if (found.status == fit::DecompositionStatus::cancelled) {
    fmt::print(stderr,
               "interrupted: {} parts of concavity {:.4f} so far, which hold the whole surface{}\n",
               found.parts.size(), found.concavity_upper(),
               command.out.empty() ? "; -o FILE keeps them" : "");
  }
  Report({command.out, command.html})
      .print(command.json
                 ? io::json_dump(json_of(found, command, mesh.triangles.size(), seconds), 2) + "\n"
                 : text_of(found, command, mesh.triangles.size(), seconds));
  return found.status == fit::DecompositionStatus::reached ? 0 : 1;
}

}  // namespace

int run_decompose(const DecomposeCommand& command) {
  try {
    return answer(command);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus decompose: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
