#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "lab/experiment.hpp"
#include "lab/meshes.hpp"
#include "lab/verdicts.hpp"
#include "tactus/core.hpp"
#include "tactus/fit.hpp"
#include "tactus/fit/decomposition/box_merging.hpp"
#include "tactus/fit/decomposition/concavity.hpp"
#include "tactus/fit/decomposition/solid.hpp"
#include "tactus/io.hpp"

// Convex parts of bodies by three methods. Source: huotari2011 (two of them), wei2022coacd.

namespace tactus::detail::lab {
namespace {

constexpr double kConcavity = 0.05;
constexpr double kMeasure = 0.02;  // width of the measured bracket, of the bound

struct Body {
  std::string name;
  TriangleMesh mesh;
};

// In the order of the table.
constexpr const char* kFiles[][2] = {{"bunny", "bunny_npm.obj"},
                                     {"cow", "cow.obj"},
                                     {"dragon", "dragon_res4.obj"},
                                     {"teapot", "teapot_npm.obj"},
                                     {"knight", "igl_decimated-knight.obj"}};

std::vector<Body> bodies_of(const Settings& settings) {
  std::vector<Body> bodies;
  if (settings.meshes.empty()) {
    Random random(settings.seed, 0);
    bodies.push_back({"ring", ring(16, 8, 0.3)});
    bodies.push_back({"bumpy globe", bumpy_globe(16, 8, random)});
    return bodies;
  }
  for (const auto& [name, file] : kFiles) {
    const auto path = std::filesystem::path(settings.meshes) / file;
    if (std::filesystem::exists(path)) bodies.push_back({name, io::read_mesh(path)});
  }
  if (bodies.empty())
    throw InvalidInput("--meshes",
                       settings.meshes + " holds none of the meshes of this experiment");
  return bodies;
}

// Parts of the bottom-up method where voids inside the body do not count: how far down its groups
// go while what shows from outside is within the bound.
double groups_seen_from_outside(const TriangleMesh& mesh, int threads) {
  const fit::Solid solid(mesh);
  const fit::BoxMerging merging(solid.mesh(), [](std::size_t) { return true; });
  const double bound = kConcavity * solid.unit();
  std::size_t low = merging.fewest() - 1, high = solid.mesh().triangles.size();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    const Concavity c =
        measure_concavity(solid, merging.hulls(middle, threads), kMeasure * bound, threads);
    (std::max(c.bulge.upper, c.fill.upper) <= bound ? high : low) = middle;
  }
  return static_cast<double>(high);
}

}  // namespace

Report run_decomposition(const Settings& settings) {
  Report report;
  report.name = "decomposition";
  report.title = "Convex decomposition by three methods";
  report.text =
      "Convex parts needed until the surface of their union and that of the mesh are nowhere "
      "farther apart than 0.05 (Hausdorff distance, both\nways, of the model scaled to [-1, 1]), "
      "measured with a bracket by a function that knows nothing of the methods. *modern*: cuts "
      "found by search,\nthen joining (after wei2022coacd); *merge*: groups of triangles joined by "
      "the volumes of their boxes (huotari2011); *cavity*: cuts through the\ndeepest point below "
      "the hull (huotari2011). *bulge*: farthest outside the body; *hollow*: deepest void inside; "
      "*fill*: deepest that the\nsurface lies below that of the union. *from outside* counts the "
      "parts of *merge* where voids do not count. *excess* is the volume of the\nunion beside the "
      "mesh's, where that is closed. Seconds are on the wall. Without --meshes two bodies are made "
      "whose symmetry gives\n*cavity* the cuts that *modern* finds: there it is asked for no more "
      "parts.";
  Table table;
  table.head = {"mesh",  "triangles", "method", "parts",  "from outside", "concavity",
                "bulge", "hollow",    "fill",   "excess", "seconds",      "status"};
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  DecompositionFigures figures;
  figures.of_files = !settings.meshes.empty();
  const std::vector<Body> bodies = bodies_of(settings);
  std::uint64_t done = 0;
  for (const Body& body : bodies) {
    double parts[3] = {};
    double outside = kNone;
    for (const DecompositionMethod method :
         {DecompositionMethod::modern, DecompositionMethod::merge, DecompositionMethod::cavity}) {
      DecomposeOptions options;
      options.method = method;
      options.concavity = kConcavity;
      options.max_parts = static_cast<std::uint32_t>(body.mesh.triangles.size());
      options.max_threads = settings.threads;
      const auto start = std::chrono::steady_clock::now();
      const ConvexDecomposition d = settings.ask_decomposition(body.mesh, options);
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      parts[static_cast<std::size_t>(method)] = static_cast<double>(d.parts.size());
      const bool merge = method == DecompositionMethod::merge;
      if (merge) outside = groups_seen_from_outside(body.mesh, settings.threads);
      if (method == DecompositionMethod::modern) {
        figures.seconds = std::max(figures.seconds, seconds);
        figures.missed += d.concavity_upper() <= kConcavity ? 0.0 : 1.0;
      }
      table.rows.push_back({body.name, static_cast<double>(body.mesh.triangles.size()),
                            std::string(to_string(method)), static_cast<double>(d.parts.size()),
                            merge ? outside : kNone, d.concavity_upper(),
                            d.measured.bulge.lower / d.unit, d.measured.hollow.lower / d.unit,
                            d.measured.fill.lower / d.unit,
                            d.closed ? d.measured.volume / d.surface_volume - 1.0 : kNone, seconds,
                            std::string(to_string(d.status))});
      settings.progress(++done, 3 * bodies.size());
    }
    const auto by = [&](DecompositionMethod m) { return parts[static_cast<std::size_t>(m)]; };
    const double ours = by(DecompositionMethod::modern);
    // Fewer than one part is not possible.
    if (ours <= 1.0) continue;
    figures.by_merge = std::max(figures.by_merge, ours / by(DecompositionMethod::merge));
    figures.by_outside = std::max(figures.by_outside, ours / outside);
    figures.by_cavity = std::max(figures.by_cavity, ours / by(DecompositionMethod::cavity));
  }
  report.tables.push_back(std::move(table));
  report.bars = bars_of(figures);
  return report;
}

}  // namespace tactus::detail::lab
