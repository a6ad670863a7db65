// Draws what an algorithm does: a panel per step with the obstacle A - B, the origin, the simplex
// (face, portal) at hand, and the support point found. Usage: draw_search [METHOD [FILE.svg]]
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "docs/figures/svg.hpp"
#include "tactus/mesh.hpp"
#include "tactus/query.hpp"

using namespace tactus;
using namespace svg;

namespace {

constexpr double kPanel = 180.0;  // pixels
constexpr std::size_t kMostPanels = 6;

struct Step {
  SearchState state;
  std::vector<Vec3> points;
  Vec3 direction, support;
};

/// Keeps the simplices of a search: any query takes such an observer.
class Recorder final : public Observer {
 public:
  explicit Recorder(std::string only) : only_(std::move(only)) {}
  void simplex(const SimplexEvent& e) override {
    if (only_.empty() || only_ == e.state.stage)
      steps.push_back({e.state, {e.points.begin(), e.points.end()}, e.direction, e.support});
  }
  std::vector<Step> steps;

 private:
  std::string only_;
};

void draw_panel(std::FILE* out, const ConvexHull& obstacle, const Step& step, const View& place) {
  for (const ConvexHull::Edge& e : obstacle.edges)
    draw_line(out, place(obstacle.vertices[e.tail]), place(obstacle.vertices[e.head]), "#ccc", 0.6);
  std::string corners;
  for (std::size_t i = 0; i < step.points.size(); ++i) {
    const Point p = place(step.points[i]);
    corners += std::to_string(p.x) + "," + std::to_string(p.y) + " ";
    draw_dot(out, p, "#2b6cb0", 2.5);
    for (std::size_t j = 0; j < i; ++j) draw_line(out, p, place(step.points[j]), "#2b6cb0", 1.2);
  }
  if (step.points.size() == 3)
    std::fprintf(out, "<polygon points='%s' fill='#2b6cb0' fill-opacity='0.2'/>\n",
                 corners.c_str());
  const Point origin = place({});
  draw_line(out, origin, place(step.direction * (30.0 / place.scale())), "#c05621", 1.2);
  draw_dot(out, origin, "black", 2.5);
  draw_dot(out, place(step.support), "#c53030", 3.0);
  std::fprintf(out, "<text x='6' y='%.0f' font-size='11' font-family='sans-serif'>%s %d</text>\n",
               kPanel - 4, step.state.stage, step.state.iteration);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "gjk";
  QueryOptions options;
  for (const Method method : kMethods) {
    if (to_string(method) == name) options.method = method;
  }
  const std::vector<Vec3> points{{0.5, 0, 0},   {-0.5, 0.1, 0}, {0, 0.6, 0.1},   {0.1, -0.5, 0},
                                 {0, 0.1, 0.7}, {0.1, 0, -0.6}, {0.3, 0.3, 0.4}, {-0.3, -0.3, 0.4}};
  const Box a({1.0, 0.8, 0.6});
  const Convex b(points);
  // GJK is shown on bodies apart, the others in overlap.
  const Vec3 between = name.rfind("gjk", 0) == 0 ? Vec3{0.95, 0.6, 0.5} : Vec3{0.45, 0.25, 0.2};
  const Pose pose_b(between, normalized(Quat{1.0, 0.2, -0.3, 0.1}));
  // The polytope alone, without the search that starts it.
  Recorder recorder(name == "epa" ? name : "");
  options.observer = &recorder;
  const DistanceResult r = distance(a, Pose(), b, pose_b, options);
  if (recorder.steps.empty()) {
    std::fprintf(stderr, "draw_search: %s has no steps to draw\n", name.c_str());
    return 1;
  }

  std::vector<Vec3> differences;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p{(corner & 1) != 0 ? 0.5 : -0.5, (corner & 2) != 0 ? 0.4 : -0.4,
                 (corner & 4) != 0 ? 0.3 : -0.3};
    for (const Vec3& q : points) differences.push_back(p - pose_b.to_world(q));
  }
  const ConvexHull obstacle = convex_hull(differences);
  std::vector<Vec3> shown = obstacle.vertices;
  shown.emplace_back();  // the origin
  const View view(shown, kPanel, kPanel);
  const std::size_t panels = std::min(recorder.steps.size(), kMostPanels);
  std::FILE* out = argc > 2 ? std::fopen(argv[2], "w") : stdout;
  if (out == nullptr) {
    std::fprintf(stderr, "draw_search: cannot write %s\n", argv[2]);
    return 1;
  }
  std::fprintf(out, "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f'>\n",
               kPanel * static_cast<double>(panels), kPanel);
  for (std::size_t i = 0; i < panels; ++i) {
    std::fprintf(out, "<g transform='translate(%.0f 0)'>\n", kPanel * static_cast<double>(i));
    draw_panel(out, obstacle, recorder.steps[i], view);
    std::fprintf(out, "</g>\n");
  }
  std::fprintf(out, "</svg>\n");
  if (out != stdout) {
    std::printf("%s: signed distance %.6g, %zu steps, %zu drawn in %s\n", name.c_str(), r.distance,
                recorder.steps.size(), panels, argv[2]);
    return std::fclose(out) == 0 ? 0 : 1;
  }
  return 0;
}
