// Draws the figures of docs/algorithms, all computed by the library. Usage:
// draw_figures [NAME [FILE.svg]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "docs/figures/figure_program.hpp"
#include "docs/figures/level_lines.hpp"
#include "docs/figures/svg.hpp"
#include "tactus/classic/v_clip.hpp"
#include "tactus/core/random.hpp"
#include "tactus/math/angle.hpp"
#include "tactus/math/sine.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/mesh_data.hpp"
#include "tactus/shape/prepared_hull.hpp"

using namespace tactus;
using namespace tactus::detail;
using namespace svg;

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr const char* kA = "#2b6cb0";       // body A
constexpr const char* kB = "#c05621";       // body B
constexpr const char* kAnswer = "#c53030";  // what the query answered
constexpr const char* kFaint = "#bbb";

// Bodies.

struct Body {
  Shape shape;
  Pose pose;
};

Quat turn(const Vec3& axis, double degrees) {
  const SineCosine half = sine_cosine(degrees * kPi / 360.0);
  const Vec3 v = normalized(axis) * half.sine;
  return {half.cosine, v.x, v.y, v.z};
}

/// A random unit vector.
Vec3 on_sphere(Random& random) {
  for (;;) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    if (const Vec3 p{x, y, z}; norm(p) > 0.3 && norm(p) < 1.0) return normalized(p);
  }
}

Vec3 farthest(const Body& body, const Vec3& n) {
  return body.pose.to_world(support(body.shape, body.pose.direction_to_local(n)));
}

/// The support function of A - B.
double difference_support(const Body& a, const Body& b, const Vec3& n) {
  return dot(n, farthest(a, n) - farthest(b, -n));
}

DistanceResult distance_of(const Body& a, const Body& b, const QueryOptions& options = {}) {
  return distance(a.shape, a.pose, b.shape, b.pose, options);
}

/// Corners of boxes and hulls, points on the rims of cylinders; world.
std::vector<Vec3> corners(const Body& body) {
  std::vector<Vec3> points;
  if (const auto* hull = std::get_if<Convex>(&body.shape.geometry()))
    points = hull->hull().vertices;
  if (std::holds_alternative<Box>(body.shape.geometry())) {
    for (int k = 0; k < 8; ++k)
      points.push_back(support(body.shape, {(k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0,
                                            (k & 4) != 0 ? 1.0 : -1.0}));
  }
  if (std::holds_alternative<Cylinder>(body.shape.geometry())) {
    constexpr int kCorners = 48;
    for (int k = 0; k < 2 * kCorners; ++k) {
      const SineCosine s = sine_cosine(2.0 * kPi * k / kCorners);
      points.push_back(support(body.shape, {s.cosine, s.sine, k < kCorners ? 1e-9 : -1e-9}));
    }
  }
  for (Vec3& p : points) p = body.pose.to_world(p);
  return points;
}

/// A polytope as seen by the view: its outline filled, its edges; those behind it fainter. Of
/// cylinders only rims and outline.
void draw_body(std::FILE* out, const Body& body, const View& view, const char* color) {
  const Vec3 to_viewer{-0.34, -0.765, 0.415};  // square to the projection's rows
  const ConvexHull hull = convex_hull(corners(body));
  const bool round = std::holds_alternative<Cylinder>(body.shape.geometry());
  const double level = round ? 0.9 : 1.0 - 1e-9;  // no edge between faces that go on so straight
  std::vector<Line> before, behind;
  for (const ConvexHull::Edge& e : hull.edges) {
    const Vec3 &left = hull.faces[e.left].normal, &right = hull.faces[e.right].normal;
    const bool left_seen = dot(left, to_viewer) > 0.0, right_seen = dot(right, to_viewer) > 0.0;
    if (left_seen == right_seen && dot(left, right) > level) continue;
    (left_seen || right_seen ? before : behind)
        .push_back({view(hull.vertices[e.tail]), view(hull.vertices[e.head])});
  }
  std::vector<Vec3> seen;
  seen.reserve(hull.vertices.size());
  for (const Vec3& v : hull.vertices) seen.push_back({view(v).x, view(v).y, 0.0});
  const ConvexHull outline = convex_hull(seen);
  Line border;
  for (const std::uint32_t k : outline.corners(outline.faces[0]))
    border.push_back({outline.vertices[k].x, outline.vertices[k].y});
  draw_area(out, border, color, 0.1);
  draw_lines(out, behind, color, 0.5, "fill='none' stroke-opacity='0.4'");
  draw_lines(out, before, color, 1.2);
}

View view_of(const std::vector<Body>& bodies, double width, double height) {
  std::vector<Vec3> points;
  for (const Body& b : bodies) {
    const std::vector<Vec3> more = corners(b);
    points.insert(points.end(), more.begin(), more.end());
  }
  return {points, width, height};
}

// Figures.

/// Two boxes from above and the shadows they cast along the axes of their faces.
void draw_shadows(std::FILE* out, const Body& a, const Body& b) {
  constexpr double kPanel = kWidth / 4, kScale = 44.0;
  const DistanceResult r = distance_of(a, b);
  const char* names[] = {"A, face x", "A, face y", "B, face x", "B, face y"};
  for (int k = 0; k < 4; ++k) {
    Vec3 n = (k < 2 ? a : b).pose.rotation().column(k % 2);
    if (dot(n, b.pose.position() - a.pose.position()) < 0.0) n = -n;
    const double gap = -difference_support(a, b, n);
    // The ruler lies below the boxes.
    const Vec3 down = n.x > 0.0 ? Vec3{n.y, -n.x, 0.0} : Vec3{-n.y, n.x, 0.0};
    const double low = std::max(dot(down, farthest(a, down)), dot(down, farthest(b, down))) + 0.3;
    const double high = -std::max(dot(-down, farthest(a, -down)), dot(-down, farthest(b, -down)));
    const double left = -dot(-n, farthest(a, -n)), right = dot(n, farthest(b, n));
    const Vec3 middle = n * (0.5 * (left + right)) + down * (0.5 * (low + high));
    const auto place = [&](const Vec3& v) {
      return Point{0.5 * kPanel + kScale * (v.x - middle.x), 90.0 - kScale * (v.y - middle.y)};
    };
    const auto on_ruler = [&](double along, double off) {
      return place(n * along + down * (low + off));
    };
    begin_group(out, kPanel * k, 0.0);
    draw_line(out, on_ruler(left - 0.2, 0.0), on_ruler(right + 0.2, 0.0), kFaint, 1.0);
    for (const Body* body : {&a, &b}) {
      const char* color = body == &a ? kA : kB;
      Line outline;
      for (const std::size_t c : {4u, 5u, 7u, 6u, 4u}) outline.push_back(place(corners(*body)[c]));
      draw_area(out, outline, color, 0.12);
      draw_lines(out, {outline}, color, 1.2);
      const double off = body == &a ? -0.05 : 0.05;
      for (const Vec3& end : {farthest(*body, -n), farthest(*body, n)})
        draw_lines(out, {{place(end), on_ruler(dot(n, end), off)}}, "#999", 0.7,
                   "stroke-dasharray='2 2'");
      draw_line(out, on_ruler(-dot(-n, farthest(*body, -n)), off),
                on_ruler(dot(n, farthest(*body, n)), off), color, 3.5);
    }
    const double end_of_a = dot(n, farthest(a, n));
    draw_line(out, on_ruler(end_of_a, 0.0), on_ruler(end_of_a + gap, 0.0),
              gap > 0.0 ? kAnswer : "#2f855a", 4.0);
    const bool answer = dot(n, r.normal) > 1.0 - 1e-9;
    if (answer) draw_line(out, place(r.point_a), place(r.point_b), kAnswer, 2.0);
    draw_text(
        out, {0.5 * kPanel, 196.0},
        std::string(names[k]) + (gap > 0.0 ? ": gap " : ": overlap ") + decimal(std::fabs(gap), 2),
        answer ? kAnswer : kInk, "middle");
    end_group(out);
  }
}

void draw_axes(std::FILE* out) {
  begin_figure(out, 410.0);
  const Body a{Box({1.5, 1.0, 1.0}), Pose({}, turn({0, 0, 1}, 10.0))};
  for (const bool apart : {true, false}) {
    begin_group(out, 0.0, apart ? 0.0 : 205.0);
    draw_shadows(
        out, a,
        {Box({1.0, 0.8, 1.0}), Pose({apart ? 1.5 : 1.0, 0.35, 0.1}, turn({0, 0, 1}, 50.0))});
    end_group(out);
  }
}

/// Two boxes with crossing edges: what each of the twelve faces shows, and the nearest points.
void draw_plane(std::FILE* out) {
  const Body a{Box({1.6, 1.0, 1.0}), Pose({}, turn({1, 0, 0}, 45.0))};
  const Body b{Box({1.0, 1.6, 1.0}),
               Pose({0.1, 0.1, std::sqrt(2.0) + 0.25}, turn({0, 1, 0}, 45.0))};
  const DistanceResult r = distance_of(a, b);
  begin_figure(out, 330.0);
  const View view = view_of({a, b}, 370.0, 330.0);
  draw_body(out, b, view, kB);
  draw_body(out, a, view, kA);
  draw_line(out, view(r.point_a), view(r.point_b), kAnswer, 2.5);
  draw_dot(out, view(r.point_a), kAnswer, 3.0);
  draw_dot(out, view(r.point_b), kAnswer, 3.0);
  constexpr double kZero = 640.0, kUnit = 60.0;
  const auto row = [&](double y, const std::string& name, double gap, const char* color) {
    draw_text(out, {390.0, y + 4.0}, name);
    draw_line(out, {kZero, y}, {kZero + kUnit * gap, y}, color, 9.0);
    draw_text(out, {kZero + (gap > 0.0 ? kUnit * gap + 4.0 : 4.0), y + 4.0}, decimal(gap, 2));
  };
  draw_text(out, {390.0, 20.0}, "gap in front of each face");
  for (int k = 0; k < 12; ++k) {
    const bool of_a = k < 6;
    Vec3 n = (of_a ? a : b).pose.rotation().column(k % 6 / 2);
    if (k % 2 != 0) n = -n;
    row(40.0 + 20.0 * k,
        std::string(of_a ? "A, " : "B, ") + (k % 2 != 0 ? "\u2212" : "+") + "xyz"[k % 6 / 2],
        -difference_support(a, b, of_a ? n : -n), of_a ? kA : kB);
  }
  row(295.0, "nearest points", -difference_support(a, b, r.normal), kAnswer);
  draw_line(out, {kZero, 28.0}, {kZero, 307.0}, kInk, 1.0);
}

/// A vertex, edge or face of a hull; world.
std::vector<Vec3> points_of(const Body& body, const ConvexHull& hull, const VClipFeature& feature) {
  std::vector<Vec3> points;
  if (feature.kind == VClipFeature::Kind::vertex) points = {hull.vertices[feature.index]};
  if (feature.kind == VClipFeature::Kind::edge) {
    const ConvexHull::Edge& e = hull.edges[feature.index];
    points = {hull.vertices[e.tail], hull.vertices[e.head]};
  }
  if (feature.kind == VClipFeature::Kind::face) {
    for (const std::uint32_t k : hull.corners(hull.faces[feature.index]))
      points.push_back(hull.vertices[k]);
  }
  for (Vec3& p : points) p = body.pose.to_world(p);
  return points;
}

/// The walk of V-Clip: the features at hand after each step, and their nearest points.
void draw_v_clip(std::FILE* out) {
  Random random(6);
  const auto hull = [&] {
    std::vector<Vec3> points;
    while (points.size() < 9)
      points.push_back(component_product(on_sphere(random), {1.3, 0.7, 0.7}));
    return Convex(points);
  };
  const Convex first = hull(), second = hull();
  const Body a{first, Pose({}, turn({0, 1, 0}, -20.0))};
  const Body b{second, Pose({0.5, -0.3, 2.0}, turn({0, 1, 0}, 25.0))};
  const Cso cso(core_of(a.shape), a.pose, core_of(b.shape), b.pose);
  const char* kinds[] = {"vertex", "edge", "face"};
  constexpr int kColumns = 4;
  constexpr double kPanel = kWidth / kColumns, kHigh = 200.0;
  const View view = view_of({a, b}, kPanel, kHigh - 14.0);
  struct Step {
    VClipFeature of_a, of_b;
  };
  std::vector<Step> steps{{}};  // from the first vertices
  for (Step now; v_clip(cso, now.of_a, now.of_b, 1).outcome == VClipOutcome::cycling;)
    steps.push_back(now);
  const int count = static_cast<int>(steps.size());
  const int rows = (count + kColumns - 1) / kColumns;
  begin_figure(out, kHigh * rows);
  for (int k = 0; k < count; ++k) {
    const auto& [of_a, of_b] = steps[static_cast<std::size_t>(k)];
    const std::vector<Vec3> corners_a = points_of(a, first.hull(), of_a);
    const std::vector<Vec3> corners_b = points_of(b, second.hull(), of_b);
    const DistanceResult r = distance(Convex(corners_a), Pose(), Convex(corners_b), Pose());
    const int row = k / kColumns;
    begin_group(out, kPanel * (k % kColumns), kHigh * row);
    draw_body(out, b, view, kB);
    draw_body(out, a, view, kA);
    for (const std::vector<Vec3>& corners : {corners_a, corners_b}) {
      Line outline;
      for (const Vec3& p : corners) outline.push_back(view(p));
      outline.push_back(outline[0]);
      draw_area(out, outline, kAnswer, 0.3);
      draw_lines(out, {outline}, kAnswer, 2.0);
    }
    draw_line(out, view(r.point_a), view(r.point_b), kInk, 1.2);
    draw_dot(out, view(r.point_a), kAnswer, 3.0);
    draw_dot(out, view(r.point_b), kAnswer, 3.0);
    draw_text(out, {8.0, kHigh - 6.0},
              std::string(kinds[static_cast<int>(of_a.kind)]) + " and " +
                  kinds[static_cast<int>(of_b.kind)] + ", " + decimal(r.distance, 3));
    end_group(out);
  }
}

/// A cast: the bodies, and the signed distance over time with Newton's tangents.
void draw_cast(std::FILE* out) {
  const Body a{Box({3.0, 1.8, 0.7}), Pose({}, turn({0, 0, 1}, 20.0))};
  const Body start{Cylinder(0.35, 1.0), Pose({-2.7, -0.4, 1.55}, turn({1, 2, 0}, 60.0))};
  const Vec3 motion{4.0, 0.5, -0.9};
  const auto at = [&](double t) {
    return Body{start.shape, Pose::translation(motion * t) * start.pose};
  };
  const CastResult c = cast(a.shape, a.pose, {}, start.shape, start.pose, motion);
  begin_figure(out, 330.0);
  // Newton's steps.
  std::vector<double> times{0.0};
  std::vector<DistanceResult> found;
  while (found.size() < 6) {
    found.push_back(distance_of(a, at(times.back())));
    const double step = found.back().distance / dot(found.back().normal, -motion);
    if (step < 0.004) break;
    times.push_back(times.back() + step);
  }
  const View view = view_of({a, start, at(c.time)}, 370.0, 300.0);
  draw_body(out, a, view, kA);
  for (const double t : times) {
    if (c.time - t > 0.004) draw_body(out, at(t), view, "#888");
  }
  draw_body(out, at(c.time), view, kB);
  draw_dot(out, view(c.point_b), kAnswer, 3.5);

  double low = 0.0, high = 0.0;
  std::vector<double> values;
  for (int k = 0; k <= 100; ++k) {
    values.push_back(distance_of(a, at(0.01 * k)).distance);
    low = std::min(low, values.back());
    high = std::max(high, values.back());
  }
  const auto place = [&](double t, double d) {
    return Point{410.0 + 290.0 * t, 20.0 + 280.0 * (high - d) / (high - low)};
  };
  draw_line(out, place(0.0, 0.0), place(1.0, 0.0), kInk, 1.0);
  draw_line(out, place(0.0, low), place(0.0, high), kInk, 1.0);
  draw_text(out, {418.0, 16.0}, "signed distance");
  draw_text(out, {place(1.0, 0.0).x, place(1.0, 0.0).y - 6.0}, "time", kInk, "end");
  Line curve;
  for (int k = 0; k <= 100; ++k)
    curve.push_back(place(0.01 * k, values[static_cast<std::size_t>(k)]));
  draw_lines(out, {curve}, kA, 2.0);
  for (std::size_t k = 0; k < times.size(); ++k) {
    const Point from = place(times[k], found[k].distance);
    if (k + 1 < times.size()) {
      draw_line(out, from, place(times[k + 1], 0.0), kB, 1.2);
      draw_line(out, place(times[k + 1], 0.0), place(times[k + 1], found[k + 1].distance), kFaint,
                1.0);
    }
    draw_dot(out, from, kB, 2.5);
  }
  const Point contact = place(c.time, 0.0);
  draw_dot(out, contact, kAnswer, 3.5);
  draw_text(out, {contact.x - 4.0, contact.y + 18.0}, "contact at " + decimal(c.time, 4), kAnswer,
            "end");
}

/// f over the sphere of directions, as a map of longitude and latitude.
void draw_sphere(std::FILE* out) {
  const Pose both({}, turn({0, 0, 1}, 60.0));
  const Body a{Cylinder(0.5, 1.6), both * Pose({}, turn({1, 2, 0}, 50.0))};
  const Body b{Cylinder(0.4, 1.8), both * Pose({0.25, 0.2, 0.3}, turn({3, -1, 1}, 100.0))};
  const DistanceResult r = distance_of(a, b);
  constexpr int kCell = 5, kColumns = 144, kRows = 72;
  const auto direction = [&](double column, double row) {
    const SineCosine lon = sine_cosine((column / kColumns * 2.0 - 1.0) * kPi);
    const SineCosine lat = sine_cosine((0.5 - row / kRows) * kPi);
    return Vec3{lat.cosine * lon.cosine, lat.cosine * lon.sine, lat.sine};
  };
  const auto place = [&](const Vec3& n) {
    const double lat = angle_between(n, {0, 0, 1});
    const double lon = angle_between({n.x, n.y, 0.0}, {1, 0, 0}) * (n.y < 0.0 ? -1.0 : 1.0);
    return Point{kWidth * (0.5 + 0.5 * lon / kPi), 0.5 * kWidth * lat / kPi};
  };
  const auto f = [&](const Vec3& n) { return difference_support(a, b, n); };
  const Raster nodes =
      sample(kColumns + 1, kRows + 1, [&](int i, int j) { return f(direction(i, j)); });
  const double most = *std::max_element(nodes.values.begin(), nodes.values.end());
  constexpr int kShades = 12;
  const double low = -r.distance, step = (most - low) / kShades;
  std::vector<std::string> colors;
  colors.reserve(kShades);
  for (int k = 0; k < kShades; ++k)
    colors.push_back("hsl(210,60%," + std::to_string(62 + 35 * k / (kShades - 1)) + "%)");
  begin_figure(out, 0.5 * kWidth + 24.0);
  draw_cells(out, kColumns, kRows, kCell, colors, [&](int i, int j) {
    const double value = f(direction(i + 0.5, j + 0.5));
    return std::clamp(static_cast<int>((value - low) / step), 0, kShades - 1);
  });
  for (int k = 1; k < kShades; ++k)
    draw_lines(out, level_lines(nodes, low + step * k, kCell), "#2a4365", 0.6);
  // Local minima: nodes below their neighbours, walked down by ever smaller steps.
  std::vector<Vec3> minima;
  for (int j = 1; j < kRows; ++j) {
    for (int i = 0; i < kColumns; ++i) {
      const int west = i == 0 ? kColumns - 1 : i - 1;
      bool below = true;
      for (const int row : {j - 1, j, j + 1}) {
        for (const int column : {west, i, i + 1})
          below = below && (nodes.at(column, row) >= nodes.at(i, j));
      }
      if (!below) continue;
      Vec3 n = direction(i, j);
      for (double reach = 0.2; reach > 1e-6;) {
        Vec3 best = n;
        for (int k = 0; k < 360; ++k) {
          const SineCosine s = sine_cosine(kPi * k / 180);
          const Vec3 u = any_perpendicular(n);
          const Vec3 m = normalized(n + (u * s.cosine + cross(n, u) * s.sine) * reach);
          if (f(m) < f(best)) best = m;
        }
        if (best == n) reach *= 0.5;
        n = best;
      }
      const auto near = [&](const Vec3& m) { return norm(m - n) < 0.1; };
      if (std::none_of(minima.begin(), minima.end(), near)) minima.push_back(n);
    }
  }
  for (const Vec3& n : minima) {
    const Point p = place(n);
    const bool answer = norm(n - r.normal) < 0.01;
    const char* color = answer ? kAnswer : kInk;
    if (answer) draw_dot(out, place(r.normal), kAnswer, 4.0);
    draw_ring(out, p, color, 6.0);
    draw_text(out, {p.x, p.y - 10.0}, decimal(f(n), 3), color, "middle");
  }
  draw_text(out, {4.0, 0.5 * kWidth + 16.0},
            "f from " + decimal(low, 2) + " (dark) to " + decimal(most, 2) +
                " (bright); longitude \u2212180\u00b0 to 180\u00b0, latitude 90\u00b0 (top) to "
                "\u221290\u00b0");
}

/// Signed distance of a point from bodies, in a plane through them.
void draw_field(std::FILE* out) {
  struct Panel {
    const char* name;
    Body body;
  };
  const Quat lying = turn({1, 0, 0}, 90.0);  // the axis in the plane
  const Pose tilted({}, turn({0, 0, 1}, 20.0) * lying);
  const Panel panels[] = {
      {"cone", {Cone(0.6, 1.2), tilted}},
      {"cylinder", {Cylinder(0.4, 1.2), tilted}},
      {"ellipsoid", {Ellipsoid({0.8, 0.3, 0.5}), Pose({}, turn({0, 0, 1}, 20))}},
      {"box", {Box({1.3, 0.8, 1}), Pose({}, turn({0, 0, 1}, 20.0))}}};
  constexpr double kPanel = kWidth / 4, kScale = 78.0, kNode = 2.0;
  constexpr int kNodes = 85;
  begin_figure(out, kPanel + 22.0);
  double x = 0.0;
  for (const Panel& p : panels) {
    const Raster field = sample(kNodes, kNodes, [&](int i, int j) {
      const Vec3 point{kNode * (i - 0.5 * (kNodes - 1)) / kScale,
                       kNode * (0.5 * (kNodes - 1) - j) / kScale, 0.0};
      return distance_of({Sphere(0.0), Pose::translation(point)}, p.body).distance;
    });
    begin_group(out, x + 6.0, 6.0);
    for (int k = -5; k <= 6; ++k) {
      const char* color = k < 0 ? kB : (k > 0 ? kA : kInk);
      draw_lines(out, level_lines(field, 0.1 * k, kNode), color, k == 0 ? 2.2 : 0.8);
    }
    end_group(out);
    draw_text(out, {x + 0.5 * kPanel, kPanel + 14.0}, p.name, kInk, "middle");
    x += kPanel;
  }
}

/// Contact patches; the marks grow with the depth.
void draw_patch(std::FILE* out) {
  constexpr double kPanel = kWidth / 2;
  const Body below{Box({2.2, 1.8, 0.6}), Pose({0, 0, -0.3}, turn({0, 0, 1}, 25.0))};
  const Body above[] = {{Box({1.2, 0.9, 0.8}),
                         Pose({0.5, -0.35, 0.39}, turn({0, 0, 1}, -15.0) * turn({1, 1, 0}, 1.2))},
                        {Cylinder(0.5, 1.0), Pose({0.3, 0.0, 0.485}, turn({1, 3, 0}, 1.0))}};
  begin_figure(out, 330.0);
  double x = 0.0;
  for (const Body& b : above) {
    Manifold manifold;
    contacts(b.shape, b.pose, below.shape, below.pose, {&manifold, 1});
    begin_group(out, x, 0.0);
    const View view = view_of({below, b}, kPanel, 330.0);
    draw_body(out, below, view, kA);
    draw_body(out, b, view, kB);
    Point middle{0.0, 0.0};
    for (const ContactPoint& p : manifold.span()) {
      middle.x += view(p.point_a).x / manifold.count;
      middle.y += view(p.point_a).y / manifold.count;
    }

    for (const ContactPoint& p : manifold.span()) {
      const Point at = view(p.point_a);
      draw_dot(out, at, kAnswer, 2.0 + 200.0 * p.depth);
      const double away = 24.0 / std::hypot(at.x - middle.x, at.y - middle.y);
      draw_text(out, {at.x + away * (at.x - middle.x), at.y + 4.0 + away * (at.y - middle.y)},
                decimal(p.depth, 3), kAnswer, "middle");
    }
    end_group(out);
    x += kPanel;
  }
}

/// Which vertex of a hull is the farthest, over the sphere of directions unfolded to two squares.
void draw_vertex_cells(std::FILE* out) {
  Random random(5);
  std::vector<Vec3> points;
  while (points.size() < 40)
    points.push_back(component_product(on_sphere(random), {1.0, 0.8, 0.6}));
  const Convex hull(points);
  const std::vector<Vec3>& vertices = hull.hull().vertices;
  const Vec3 half = (hull.upper() - hull.lower()) * 0.5;
  constexpr int kCell = 2, kSide = 168;
  constexpr double kSquare = kCell * kSide, kLeft = 12.0;
  begin_figure(out, kSquare + 40.0);
  std::vector<std::string> colors;
  colors.reserve(vertices.size());
  for (std::size_t k = 0; k < vertices.size(); ++k)
    colors.push_back("hsl(" + std::to_string(137 * k % 360) + ",60%," +
                     std::to_string(68 + 7 * (k % 4)) + "%)");
  for (const double side : {1.0, -1.0}) {
    begin_group(out, side > 0.0 ? kLeft : kWidth - kLeft - kSquare, 12.0);
    // The corners of a square are the directions along x and y, its middle the one along z.
    const auto direction = [&](double u, double v) {
      const Vec3 d{0.5 * (u + v), 0.5 * (u - v), 0.0};
      return Vec3{d.x / half.x, d.y / half.y,
                  side * (1.0 - std::fabs(d.x) - std::fabs(d.y)) / half.z};
    };
    draw_cells(out, kSide, kSide, kCell, colors, [&](int i, int j) {
      const Vec3 best =
          support(hull, direction((2.0 * i + 1.0) / kSide - 1.0, 1.0 - (2.0 * j + 1.0) / kSide));
      return static_cast<int>(std::find(vertices.begin(), vertices.end(), best) - vertices.begin());
    });
    // The chambers of the direction map, and how many vertices each one lists.
    const auto place = [&](const Vec3& d) {
      const double sum = std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z);
      return Point{0.5 * kSquare * (1.0 + (d.x + d.y) / sum),
                   0.5 * kSquare * (1.0 - (d.x - d.y) / sum)};
    };
    std::vector<Line> walls;
    for (int k = 0; k < 4; ++k) {
      const Vec3 octant{(k & 1) != 0 ? -1.0 : 1.0, (k & 2) != 0 ? -1.0 : 1.0, side};
      for (int i = 0; i < 3; ++i) {
        Vec3 corner, opposite = octant, next;
        corner[i] = next[(i + 1) % 3] = 1.0;
        opposite[i] = 0.0;
        walls.push_back({place(component_product(octant, corner)), place(opposite)});
        walls.push_back(
            {place(component_product(octant, corner)), place(component_product(octant, next))});
        for (const int j : {(i + 1) % 3, (i + 2) % 3}) {
          Vec3 d;
          d[i] = 11.0;
          d[j] = 5.0;
          d[3 - i - j] = 2.0;
          d = component_product(octant, d);
          const Vec3 n{d.x / half.x, d.y / half.y, d.z / half.z};
          const Point p = place(d);
          draw_text(out, {p.x, p.y + 4.0},
                    std::to_string(ShapeAccess::prepared(hull).directions.candidates(n)), kInk,
                    "middle");
        }
      }
    }
    draw_lines(out, walls, kInk, 0.7);
    draw_text(out, {0.5 * kSquare, kSquare + 18.0},
              std::string("directions with z ") + (side > 0.0 ? "&gt; 0" : "&lt; 0"), kInk,
              "middle");
    end_group(out);
  }
}

constexpr Figure kFigures[] = {{"axes", draw_axes},     {"plane", draw_plane},
                               {"v_clip", draw_v_clip}, {"cast", draw_cast},
                               {"sphere", draw_sphere}, {"field", draw_field},
                               {"patch", draw_patch},   {"cells", draw_vertex_cells}};

}  // namespace

int main(int argc, char** argv) { return run_figures(kFigures, argc, argv); }
