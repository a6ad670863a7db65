// Draws the figures of docs/algorithms on hulls, boxes, parts and meshes, all computed by the
// library. Usage: draw_surfaces [NAME [FILE.svg]]
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "docs/figures/figure_program.hpp"
#include "docs/figures/level_lines.hpp"
#include "docs/figures/surfaces.hpp"
#include "docs/figures/svg.hpp"
#include "tactus/bvh/hierarchy.hpp"
#include "tactus/bvh/volumes.hpp"
#include "tactus/core/random.hpp"
#include "tactus/fit.hpp"
#include "tactus/mesh.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"

using namespace tactus;
using namespace svg;

namespace {

constexpr const char* kA = "#2b6cb0";
constexpr const char* kB = "#c05621";
constexpr const char* kAnswer = "#c53030";

/// Points of a bent cloud, longer than wide.
std::vector<Vec3> cloud(std::size_t count) {
  detail::Random random(11);
  std::vector<Vec3> points;
  while (points.size() < count) {
    const Vec3 p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (norm(p) < 1.0)
      points.push_back({1.5 * p.x + 0.5 * p.z, 0.5 * p.y + 0.5 * p.x, 0.6 * p.z + 0.4 * p.x * p.x});
  }
  return points;
}

bool is_outside(const ConvexHull& hull, const Vec3& p) {
  for (const ConvexHull::Face& face : hull.faces) {
    if (dot(face.normal, p) > face.offset + 1e-9) return true;
  }
  return false;
}

/// The hull of a cloud, and hulls of at most so many of its points.
void draw_hull(std::FILE* out) {
  constexpr double kPanel = kWidth / 3, kHigh = 210.0;
  const std::vector<Vec3> points = cloud(400);
  const View view(points, kPanel, kHigh);
  begin_figure(out, kHigh + 44.0);
  double x = 0.0;
  for (const std::uint32_t most : {400u, 20u, 8u}) {
    const LimitedHull limited = limited_hull(points, most);
    const ConvexHull hull = most < 400 ? limited.hull : convex_hull(points);
    begin_group(out, x, 0.0);
    draw_facets(out, facets_of(hull, "#9fc3e8"), view);
    for (const Vec3& p : points) {
      const bool outside = is_outside(hull, p);
      if (most == 400 || outside) draw_dot(out, view(p), outside ? kAnswer : "#567", 1.2);
    }
    draw_text(out, {0.5 * kPanel, kHigh + 14.0},
              std::to_string(hull.vertices.size()) + " vertices, " +
                  std::to_string(hull.faces.size()) + " faces",
              kInk, "middle");
    draw_text(out, {0.5 * kPanel, kHigh + 32.0},
              most < 400 ? "no point is farther outside than " + decimal(limited.error, 3)
                         : "the hull of all " + std::to_string(points.size()) + " points",
              most < 400 ? kAnswer : kInk, "middle");
    end_group(out);
    x += kPanel;
  }
}

/// The ladder of boxes about the same points.
void draw_boxes(std::FILE* out) {
  constexpr double kPanel = kWidth / 4, kHigh = 190.0;
  const std::vector<Vec3> points = cloud(400);
  const ConvexHull hull = convex_hull(points);
  const fit::MinimumBox least = fit::minimum_box(points, hull);
  struct Panel {
    const char* name;
    fit::OrientedBox box;
  };
  const Panel panels[] = {{"axes of the frame", fit::box_along(points, Mat3::identity())},
                          {"axes of the points", fit::box_of_points(points)},
                          {"axes of the hull", fit::box_of_hull_surface(points, hull)},
                          {"least volume", least.box}};
  std::vector<Vec3> extent = points;
  for (int k = 0; k < 8; ++k) {
    const Vec3& h = panels[0].box.half;
    extent.push_back(panels[0].box.pose().to_world(
        {(k & 1) != 0 ? h.x : -h.x, (k & 2) != 0 ? h.y : -h.y, (k & 4) != 0 ? h.z : -h.z}));
  }
  const View view(extent, kPanel, kHigh);
  begin_figure(out, kHigh + 44.0);
  double x = 0.0;
  for (const Panel& p : panels) {
    begin_group(out, x, 0.0);
    draw_facets(out, facets_of(hull, "#9fc3e8"), view);
    draw_lines(out, box_edges(p.box.center, p.box.axes, p.box.half, view), kB, 1.2);
    draw_text(out, {0.5 * kPanel, kHigh + 14.0}, p.name, kInk, "middle");
    draw_text(out, {0.5 * kPanel, kHigh + 32.0}, "volume " + decimal(p.box.volume(), 3),
              p.box.method == fit::BoxMethod::calipers ? kAnswer : kInk, "middle");
    end_group(out);
    x += kPanel;
  }
}

/// A torus in parts, for ever smaller bounds of the concavity.
void draw_parts(std::FILE* out) {
  constexpr double kPanel = kWidth / 3, kHigh = 200.0;
  const std::string colors[] = {"#5b9bd5", "#f0a24b", "#5fbf91", "#e0706c",
                                "#a58bd8", "#4fb7c5", "#e792b5", "#b3c04f"};
  const TriangleMesh mesh = torus(1.0, 0.38, 28, 14);
  const View view(mesh.vertices, kPanel, kHigh);
  begin_figure(out, kHigh + 44.0);
  double x = 0.0;
  for (const double bound : {0.5, 0.15, 0.05}) {
    fit::DecomposeOptions options;
    options.concavity = bound;
    const fit::ConvexDecomposition d = fit::decompose(mesh, options);
    std::vector<Facet> facets;
    for (std::size_t k = 0; k < d.parts.size(); ++k) {
      for (Facet& f : facets_of(d.parts[k], colors[k % 8])) facets.push_back(std::move(f));
    }
    begin_group(out, x, 0.0);
    draw_facets(out, facets, view);
    draw_text(out, {0.5 * kPanel, kHigh + 14.0},
              "asked for " + decimal(bound, 2) + ": " + std::to_string(d.parts.size()) +
                  (d.parts.size() == 1 ? " part" : " parts"),
              kInk, "middle");
    draw_text(out, {0.5 * kPanel, kHigh + 32.0},
              "measured within [" + decimal(d.concavity_lower(), 3) + ", " +
                  decimal(d.concavity_upper(), 3) + "]",
              kAnswer, "middle");
    end_group(out);
    x += kPanel;
  }
}

using Tree = detail::bvh::Hierarchy<detail::bvh::OrientedBox>;

/// The nodes of a tree at a depth, and the leaves above it.
void gather(const Tree& tree, std::uint32_t node, int depth, std::vector<std::uint32_t>& found) {
  const detail::bvh::OrientedBox& box = tree.nodes()[node];
  if (depth == 0 || Tree::is_leaf(box)) {
    found.push_back(node);
    return;
  }
  gather(tree, node + 1, depth - 1, found);
  gather(tree, box.link, depth - 1, found);
}

void draw_volume(std::FILE* out, const Tree& tree, std::uint32_t node, const Pose& pose,
                 const View& view, const char* color, double width) {
  const detail::bvh::OrientedBox& box = tree.nodes()[node];
  const auto vec = [](const float* v) { return Vec3{v[0], v[1], v[2]}; };
  const Mat3 turned = transpose(pose.rotation());
  const Mat3 axes = Mat3{{vec(box.axis[0]), vec(box.axis[1]), vec(box.axis[2])}} * turned;
  const Vec3 half{box.axis[0][3], box.axis[1][3], box.axis[2][3]};
  draw_lines(out, box_edges(pose.to_world(tree.middle() + vec(box.center)), axes, half, view),
             color, width);
}

/// Two tori: at three depths of their trees, the volumes of pairs that are no farther apart than
/// the surfaces are.
void draw_tree_pairs(std::FILE* out) {
  constexpr double kPanel = kWidth / 3, kHigh = 230.0;
  const TriangleMesh mesh = torus(1.0, 0.3, 22, 10);
  const Pose pose_b(Vec3{1.5, 0.3, 1.5}, Quat{0.8, 0.6, 0.0, 0.0});
  const Tree tree(mesh);
  const DistanceResult r = distance(Mesh(mesh), Pose(), Mesh(mesh), pose_b);
  const detail::bvh::Placement placement(pose_b.rotation(),
                                         pose_b.to_world(tree.middle()) - tree.middle(),
                                         tree.reach(), tree.reach());
  std::vector<Vec3> extent = mesh.vertices;
  for (const Vec3& v : mesh.vertices) extent.push_back(pose_b.to_world(v));
  const View view(extent, kPanel, kHigh);
  begin_figure(out, kHigh + 44.0);
  double x = 0.0;
  for (const int depth : {2, 4, 7}) {
    std::vector<std::uint32_t> nodes;
    gather(tree, 0, depth, nodes);
    std::vector<bool> needed_a(nodes.size()), needed_b(nodes.size());
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (lower_bound(tree.nodes()[nodes[i]], tree.nodes()[nodes[k]], placement) > r.distance)
          continue;
        needed_a[i] = needed_b[k] = true;
        ++pairs;
      }
    }
    begin_group(out, x, 0.0);
    std::vector<Facet> facets = facets_of(mesh, Pose(), "#cfe0f2");
    for (Facet& f : facets_of(mesh, pose_b, "#f5dcc8")) facets.push_back(std::move(f));
    draw_facets(out, facets, view);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (needed_a[i]) draw_volume(out, tree, nodes[i], Pose(), view, kA, 1.0);
      if (needed_b[i]) draw_volume(out, tree, nodes[i], pose_b, view, kB, 1.0);
    }
    draw_line(out, view(r.point_a), view(r.point_b), kAnswer, 2.0);
    draw_dot(out, view(r.point_a), kAnswer, 2.5);
    draw_dot(out, view(r.point_b), kAnswer, 2.5);
    draw_text(out, {0.5 * kPanel, kHigh + 14.0}, "depth " + std::to_string(depth), kInk, "middle");
    draw_text(out, {0.5 * kPanel, kHigh + 32.0},
              std::to_string(pairs) + " of " + std::to_string(nodes.size() * nodes.size()) +
                  " pairs remain",
              kAnswer, "middle");
    end_group(out);
    x += kPanel;
  }
}

/// Adds a box to a mesh, inside out when asked for.
void add_box(TriangleMesh& mesh, const Vec3& low, const Vec3& high, bool inward = false) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back({(k & 1) != 0 ? high.x : low.x, (k & 2) != 0 ? high.y : low.y,
                             (k & 4) != 0 ? high.z : low.z});
  constexpr std::uint32_t kSides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                          {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& s : kSides) {
    for (const int k : {1, 2}) {
      const std::uint32_t b = first + s[k], c = first + s[k + 1];
      mesh.triangles.push_back({first + s[0], inward ? c : b, inward ? b : c});
    }
  }
}

/// The signed distance of a point from closed meshes, in a plane through them: the end of the
/// bracket that no translation undercuts, and where the other end is farther away.
void draw_mesh_field(std::FILE* out) {
  constexpr double kPanel = kWidth / 3, kScale = 84.0, kWide = 0.02;
  constexpr int kNodes = 116, kNode = 2;
  TriangleMesh cavity, overlapping;
  add_box(cavity, {-1.0, -1.0, -0.8}, {1.0, 1.0, 0.8});
  add_box(cavity, {-0.5, -0.5, -0.4}, {0.7, 0.7, 0.5}, true);
  add_box(overlapping, {-1.0, -1.0, -0.8}, {0.3, 0.2, 0.3});
  add_box(overlapping, {-0.4, -0.4, -0.3}, {1.0, 1.0, 0.9});
  struct Panel {
    const char* name;
    TriangleMesh mesh;
  };
  const Panel panels[] = {{"a ring, cut across", torus(0.8, 0.3, 48, 24)},
                          {"a box with a cavity", cavity},
                          {"two boxes, one surface in the other", overlapping}};
  begin_figure(out, kPanel + 22.0);
  double x = 0.0;
  for (const Panel& p : panels) {
    const Shape mesh = Mesh(p.mesh);
    const auto ask = [&](int i, int j) {
      const Vec3 point{kNode * (i - 0.5 * (kNodes - 1)) / kScale, 0.02,
                       kNode * (0.5 * (kNodes - 1) - j) / kScale};
      return distance(Sphere(0.0), Pose::translation(point), mesh, Pose());
    };
    const Raster field = sample(kNodes, kNodes, [&](int i, int j) { return ask(i, j).upper; });
    begin_group(out, x + 5.0, 2.0);
    draw_cells(out, kNodes, kNodes, kNode, {"none", "#e4e4e4"}, [&](int i, int j) {
      const DistanceResult r = ask(i, j);
      return r.upper - r.lower > kWide ? 1 : 0;
    });
    for (int k = -5; k <= 8; ++k) {
      const char* color = k < 0 ? kB : (k > 0 ? kA : kInk);
      draw_lines(out, level_lines(field, 0.1 * k, kNode), color, k == 0 ? 2.2 : 0.8);
    }
    end_group(out);
    draw_text(out, {x + 0.5 * kPanel, kPanel + 14.0}, p.name, kInk, "middle");
    x += kPanel;
  }
}

constexpr Figure kFigures[] = {{"hull", draw_hull},
                               {"boxes", draw_boxes},
                               {"parts", draw_parts},
                               {"tree_pairs", draw_tree_pairs},
                               {"mesh_field", draw_mesh_field}};

}  // namespace

int main(int argc, char** argv) { return run_figures(kFigures, argc, argv); }
