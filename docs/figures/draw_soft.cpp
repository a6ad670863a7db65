// Draws the figures of docs/algorithms/deformable.md, computed by the library.
// Usage: draw_soft [NAME [FILE.svg]]
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "docs/figures/figure_program.hpp"
#include "docs/figures/svg.hpp"
#include "tactus/deform.hpp"

using namespace tactus;
using namespace svg;

namespace {

constexpr const char* kColors[] = {"#2b6cb0", "#c05621", "#2f855a"};

soft::DeformableWorld settled_beam(double load) {
  soft::DeformableSettings s;
  s.gravity = {0.0, 0.0, -9.81 * load};
  s.time_step = 1e3;
  s.sweeps = 4000;
  s.tolerance = 1e-8;
  s.contacts = false;
  soft::DeformableWorld world(s);
  const soft::TetrahedralMesh mesh = soft::tetrahedral_box({1.0, 0.2, 0.2}, {10, 2, 2});
  soft::DeformableDefinition d;
  d.vertices = mesh.vertices;
  d.tetrahedra = mesh.tetrahedra;
  d.material.young = 1e6;
  d.material.poisson = 0.3;
  for (std::uint32_t i = 0; i < d.vertices.size(); ++i) {
    if (d.vertices[i].x < -0.49) d.fixed.push_back(i);
  }
  world.add(d);
  for (int k = 0; k < 3; ++k) require_done(world.step());
  return world;
}

void draw_surface(std::FILE* out, const soft::DeformableWorld& world, soft::DeformableId body,
                  const char* color, double x, double y, double scale) {
  std::vector<Line> lines;
  const auto p = world.positions(body);
  for (const auto& t : world.surface(body)) {
    Line line;
    for (const std::size_t k : {0, 1, 2, 0}) {
      const Point f = flat(p[t[k]]);
      line.push_back({x + scale * f.x, y + scale * f.y});
    }
    lines.push_back(line);
  }
  draw_lines(out, lines, color, 0.6);
}

/// A beam under its own weight, a third of it, and three times it.
void draw_beam(std::FILE* out) {
  begin_figure(out, 330.0);
  int k = 0;
  for (const double load : {1.0 / 3.0, 1.0, 3.0}) {
    const soft::DeformableWorld world = settled_beam(load);
    double lowest = 0.0;
    for (const Vec3& v : world.positions(0)) lowest = std::fmin(lowest, v.z);
    draw_surface(out, world, 0, kColors[k], 130.0 + 230.0 * k, 90.0, 210.0);
    char text[64];
    std::snprintf(text, sizeof text, "load %.2f: end at %.3f", load, lowest);
    draw_text(out, {120.0 + 230.0 * k, 315.0}, text, kInk, "middle");
    ++k;
  }
}

/// A cloth that has fallen on a ball.
void draw_cloth(std::FILE* out) {
  begin_figure(out, 340.0);
  soft::DeformableWorld world;
  constexpr std::uint32_t kCells = 16;
  soft::DeformableDefinition cloth;
  for (std::uint32_t j = 0; j <= kCells; ++j) {
    for (std::uint32_t i = 0; i <= kCells; ++i)
      cloth.vertices.push_back({1.2 * i / kCells - 0.6, 1.2 * j / kCells - 0.6, 0.0});
  }
  for (std::uint32_t j = 0; j < kCells; ++j) {
    for (std::uint32_t i = 0; i < kCells; ++i) {
      const std::uint32_t a = j * (kCells + 1) + i, b = a + kCells + 1;
      cloth.triangles.push_back({a, a + 1, b});
      cloth.triangles.push_back({a + 1, b + 1, b});
    }
  }
  cloth.material.density = 300.0;
  cloth.pose = Pose::translation({0.01, 0.02, 0.4});
  world.add(cloth);
  world.add_obstacle({Sphere(0.35)});
  double x = 180.0;
  for (const int steps : {15, 45}) {
    for (int k = 0; k < steps; ++k) require_done(world.step());
    draw_surface(out, world, 0, kColors[0], x, 170.0, 230.0);
    char text[64];
    std::snprintf(text, sizeof text, "%.2f s", world.time());
    draw_text(out, {x, 330.0}, text, kInk, "middle");
    x += 360.0;
  }
}

constexpr Figure kFigures[] = {{"beam", draw_beam}, {"cloth", draw_cloth}};

}  // namespace

int main(int argc, char** argv) { return run_figures(kFigures, argc, argv); }
