// Draws the figures of docs/algorithms/broad-phase.md, computed by the library.
// Usage: draw_broad [NAME [FILE.svg]]
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "docs/figures/figure_program.hpp"
#include "docs/figures/svg.hpp"
#include "tactus/broad.hpp"
#include "tactus/broad/grid_levels.hpp"
#include "tactus/core/random.hpp"

using namespace tactus;
using namespace svg;

namespace {

constexpr double kPanel = kWidth / 3, kHigh = 270.0, kScale = 210.0;
constexpr const char* kSmall = "#2b6cb0";
constexpr const char* kLarge = "#c05621";
constexpr const char* kFound = "#c53030";
constexpr const char* kCells = "#ddd";

/// Flat boxes: many small ones, a few large ones.
std::vector<BroadEntry> flat_world() {
  detail::Random random(4);
  std::vector<BroadEntry> entries;
  for (std::uint64_t id = 0; id < 320; ++id) {
    const double side = id < 10 ? random.uniform(0.12, 0.2) : random.uniform(0.012, 0.02);
    const double x = random.uniform(0.0, 1.0 - side);
    const double y = random.uniform(0.0, 1.0 - side);
    entries.push_back({id, {{x, y, 0.0}, {x + side, y + side, side}}});
  }
  return entries;
}

Point at(double x, double y) { return {0.5 * (kPanel - kScale) + kScale * x, 30.0 + kScale * y}; }

void draw_box(std::FILE* out, const Aabb& box, const char* color, double opacity) {
  draw_area(out,
            {at(box.lower.x, box.lower.y), at(box.upper.x, box.lower.y),
             at(box.upper.x, box.upper.y), at(box.lower.x, box.upper.y)},
            color, opacity);
}

/// The cells of one grid, and its boxes.
void draw_level(std::FILE* out, const detail::GridLevel& level,
                const std::vector<BroadEntry>& entries, const detail::BoxSurvey& survey,
                const char* color) {
  std::vector<Line> lines;
  for (std::int64_t i = 0; i <= level.cells[0]; ++i) {
    const double x = std::fmin(level.origin.x + level.side * static_cast<double>(i), 1.0);
    lines.push_back({at(x, 0.0), at(x, 1.0)});
  }
  for (std::int64_t i = 0; i <= level.cells[1]; ++i) {
    const double y = std::fmin(level.origin.y + level.side * static_cast<double>(i), 1.0);
    lines.push_back({at(0.0, y), at(1.0, y)});
  }
  draw_lines(out, lines, kCells, 0.7);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint32_t exponent = survey.exponent[i];
    if (exponent < level.first_exponent || exponent > level.last_exponent) continue;
    draw_box(out, entries[i].box, color, 0.5);
    const Vec3& corner = entries[i].box.lower;
    draw_dot(out, at(corner.x, corner.y), color, 1.2);
  }
  draw_text(out, {0.5 * kPanel, 18.0},
            std::to_string(level.count) + " boxes in " + std::to_string(level.places) + " cells",
            kInk, "middle");
}

/// The grids that the sizes ask for, and the pairs.
void draw_grid(std::FILE* out) {
  const std::vector<BroadEntry> entries = flat_world();
  detail::BoxSurvey survey;
  survey.take(entries);
  const std::vector<detail::GridLevel> levels = detail::choose_levels(survey);
  std::vector<BroadPair> pairs;
  HashGrid grid;
  grid.find_pairs(entries, pairs);

  begin_figure(out, kHigh);
  for (std::size_t k = 0; k < levels.size() && k < 2; ++k) {
    begin_group(out, kPanel * static_cast<double>(k), 0.0);
    draw_level(out, levels[k], entries, survey, k == 0 ? kSmall : kLarge);
    end_group(out);
  }
  begin_group(out, 2.0 * kPanel, 0.0);
  for (const BroadEntry& entry : entries) draw_box(out, entry.box, "#888", 0.25);
  for (const BroadPair& pair : pairs) {
    for (const std::uint64_t id : {pair.a, pair.b}) {
      if (id >= 10) draw_box(out, entries[id].box, kFound, 0.6);
    }
  }
  draw_text(out, {0.5 * kPanel, 18.0},
            std::to_string(pairs.size()) + " pairs, " + std::to_string(grid.tests()) +
                " comparisons of " + std::to_string(entries.size() * (entries.size() - 1) / 2),
            kInk, "middle");
  end_group(out);
}

constexpr Figure kFigures[] = {{"grid", draw_grid}};

}  // namespace

int main(int argc, char** argv) { return run_figures(kFigures, argc, argv); }
