#include "tactus/fit/plain/plain_body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tactus::detail::fit {
namespace {

// Distance up to which a point is in a plane, of the unit: files state coordinates with six digits.
constexpr double kFlat = 4e-6;
// How far from an edge one looks what is around it, and the shortest edges, in tolerances.
constexpr double kBeside = 50.0, kShort = 10.0;
// Larger bodies are not plain.
constexpr std::size_t kMostPlanes = 400, kMostCells = 3000, kMostPolygons = 20000;
// Planes that are compared for a cut, and what a polygon in two costs beside one more in the plane.
constexpr std::size_t kTried = 16;
constexpr double kSplit = 8.0;
// Classes of size of triangles: the first holds those of this share of the largest.
constexpr double kFirstSize = 0.7531;
constexpr int kMostRanks = 60;

struct Polygon {
  std::size_t plane;
  std::vector<Vec3> corners;
};

struct Node {
  Cell cell;
  std::vector<Polygon> polygons;
};

struct Sides {
  double low = 0.0, high = 0.0;
};

Sides sides_of(const std::vector<Vec3>& polygon, std::size_t plane, const PlaneTable& planes) {
  Sides s;
  for (const Vec3& p : polygon) {
    const double h = planes.height(plane, p);
    s.low = std::min(s.low, h);
    s.high = std::max(s.high, h);
  }
  return s;
}

// The triangles with the numbers of their planes; none when there are too many planes. The largest
// triangle of a plane says best where it lies.
std::optional<std::vector<Polygon>> polygons_of(const TriangleMesh& mesh, PlaneTable& planes) {
  std::vector<double> area;
  std::vector<Polygon> polygons;
  double largest = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
    area.push_back(norm(cross(q - p, r - p)));
    largest = std::max(largest, area.back());
    polygons.push_back({0, {p, q, r}});
  }
  // Sizes within a factor of two keep their order, so that a turned copy has the same numbers.
  std::vector<int> rank(polygons.size());
  for (std::size_t t = 0; t < rank.size(); ++t) {
    for (double size = area[t]; size < kFirstSize * largest && rank[t] < kMostRanks; size *= 2.0)
      ++rank[t];
  }
  std::vector<std::size_t> order(polygons.size());
  for (std::size_t t = 0; t < order.size(); ++t) order[t] = t;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
  for (const std::size_t t : order) {
    Polygon& polygon = polygons[t];
    const std::vector<Vec3>& v = polygon.corners;
    const Vec3 normal = normalized(cross(v[1] - v[0], v[2] - v[0]), {0.0, 0.0, 0.0});
    if (normal == Vec3{}) continue;
    polygon.plane = planes.plane_through(v, normal);
    if (planes.size() > kMostPlanes) return std::nullopt;
  }
  return polygons;
}

// The plane of a polygon that cuts the fewest others in two.
std::size_t choose_plane(const Node& node, const PlaneTable& planes) {
  std::vector<std::size_t> tried;
  for (const Polygon& polygon : node.polygons) {
    if (std::find(tried.begin(), tried.end(), polygon.plane) != tried.end()) continue;
    tried.push_back(polygon.plane);
    if (tried.size() == kTried) break;
  }
  std::size_t best = tried[0];
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t plane : tried) {
    double cost = 0.0;
    for (const Polygon& polygon : node.polygons) {
      const Sides s = sides_of(polygon.corners, plane, planes);
      if (s.low < 0.0 && s.high > 0.0) cost += kSplit;
      if (s.low == 0.0 && s.high == 0.0) cost -= 1.0;
    }
    if (cost < least) {
      least = cost;
      best = plane;
    }
  }
  return best;
}

std::pair<Node, Node> halves(const Node& node, std::size_t plane, const PlaneTable& planes) {
  std::pair<Node, Node> both;
  split_cell(node.cell, plane, planes, both.first.cell, both.second.cell);
  for (const Polygon& polygon : node.polygons) {
    const Sides s = sides_of(polygon.corners, plane, planes);
    if (s.low == 0.0 && s.high == 0.0) continue;
    if (s.high == 0.0 || s.low == 0.0) {
      (s.high == 0.0 ? both.first : both.second).polygons.push_back(polygon);
      continue;
    }
    for (const int side : {-1, 1}) {
      std::vector<Vec3> corners = clip_polygon(polygon.corners, plane, planes, side);
      if (has_area(corners, planes.tolerance()))
        (side < 0 ? both.first : both.second)
            .polygons.push_back({polygon.plane, std::move(corners)});
    }
  }
  return both;
}

// A line on which edges of cells lie, and where on it they end.
struct Line {
  Vec3 at, along;
  std::vector<double> ends;
  std::vector<std::pair<double, double>> edges;
  double place(const Vec3& p) const { return dot(along, p - at); }
  double beside(const Vec3& p) const { return norm((p - at) - along * place(p)); }
};

std::vector<Line> lines_of(const PlainBody& plain) {
  const double tolerance = plain.planes.tolerance();
  std::vector<Line> lines;
  for (const Cell& cell : plain.body.cells) {
    for (const Cell::Face& face : cell.faces) {
      for (std::size_t i = 0; i < face.polygon.size(); ++i) {
        const Vec3 &p = face.polygon[i], &q = face.polygon[(i + 1) % face.polygon.size()];
        if (norm(q - p) < kShort * tolerance) continue;
        auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& l) {
          return l.beside(p) <= 2.0 * tolerance && l.beside(q) <= 2.0 * tolerance;
        });
        if (line == lines.end()) {
          lines.push_back(Line{p, normalized(q - p), {}, {}});
          line = lines.end() - 1;
        }
        const double at_p = line->place(p), at_q = line->place(q);
        const double low = std::min(at_p, at_q), high = std::max(at_p, at_q);
        line->edges.emplace_back(low, high);
        line->ends.insert(line->ends.end(), {low, high});
      }
    }
  }
  return lines;
}

// The half planes that leave a line, in order around it.
struct Around {
  struct Ray {
    double x, y;
    Vec3 direction;
    std::size_t plane;
    bool lower() const { return y < 0.0 || (y == 0.0 && x < 0.0); }
  };
  std::vector<Ray> rays;

  Around(const Line& line, const PlaneTable& planes) {
    const Vec3 first = any_perpendicular(line.along), second = cross(line.along, first);
    const double farther_end =
        std::fabs(line.ends.front()) > line.ends.back() ? line.ends.front() : line.ends.back();
    const Vec3 other = line.at + line.along * farther_end;
    for (std::size_t i = 0; i < planes.size(); ++i) {
      if (planes.height(i, line.at) != 0.0 || planes.height(i, other) != 0.0) continue;
      const Vec3 direction = normalized(cross(line.along, planes[i].normal));
      for (const Vec3& ray : {direction, -direction})
        rays.push_back({dot(first, ray), dot(second, ray), ray, i});
    }
    std::stable_sort(rays.begin(), rays.end(), [](const Ray& a, const Ray& b) {
      if (a.lower() != b.lower()) return b.lower();
      return a.x * b.y - a.y * b.x > 0.0;
    });
  }

  // Does the body fill more than half a turn without a gap about this point? `walls`: the planes at
  // the ends of what it fills.
  bool notched(const Vec3& p, double step, const IsInside& inside,
               std::vector<std::size_t>& walls) const {
    const std::size_t n = rays.size();
    if (n < 4) return false;
    std::vector<bool> filled(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 between = rays[i].direction + rays[(i + 1) % n].direction;
      filled[i] = inside(p + normalized(between, rays[i].direction) * step);
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (!filled[i] || filled[(i + n - 1) % n]) continue;
      std::size_t end = i;
      while (filled[end % n]) ++end;
      const Ray &a = rays[i], &b = rays[end % n];
      if (a.x * b.y - a.y * b.x < -1e-9) {
        walls = {a.plane, b.plane};
        return true;
      }
    }
    return false;
  }
};

// The triangles of one plane as prisms above it, with all their sides.
struct PlateMesh {
  TriangleMesh mesh;
  Plane plane;
  Vec3 up;
  double thickness;

  PlateMesh(const std::vector<Polygon>& polygons, std::size_t number, const Plane& at, double thick)
      : plane(at), up(at.normal * thick), thickness(thick) {
    for (const Polygon& polygon : polygons) {
      if (polygon.plane != number) continue;
      std::vector<Vec3> v;
      v.reserve(std::size(polygon.corners));
      for (const Vec3& p : polygon.corners) v.push_back(p - at.normal * height(p));
      if (dot(cross(v[1] - v[0], v[2] - v[0]), up) < 0.0) std::swap(v[1], v[2]);
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      mesh.vertices.insert(mesh.vertices.end(),
                           {v[0], v[1], v[2], v[0] + up, v[1] + up, v[2] + up});
      mesh.triangles.push_back({first, first + 2, first + 1});
      mesh.triangles.push_back({first + 3, first + 4, first + 5});
      for (std::uint32_t k = 0; k < 3; ++k) {
        const std::uint32_t a = first + k, b = first + (k + 1) % 3;
        mesh.triangles.push_back({a, b, b + 3});
        mesh.triangles.push_back({a, b + 3, a + 3});
      }
    }
  }

  double height(const Vec3& p) const { return dot(plane.normal, p) - plane.offset; }
  bool inside(const Vec3& p) const {
    if (height(p) < 0.0 || height(p) > thickness) return false;
    for (std::size_t t = 0; t < mesh.vertices.size(); t += 6) {
      bool in = true;
      for (std::size_t k = 0; k < 3 && in; ++k) {
        const Vec3 &a = mesh.vertices[t + k], &b = mesh.vertices[t + (k + 1) % 3];
        in = dot(cross(b - a, p - a), up) >= 0.0;
      }
      if (in) return true;
    }
    return false;
  }
};

}  // namespace

void find_notches(PlainBody& plain, double unit, const IsInside& inside) {
  const double tolerance = plain.planes.tolerance();
  const double step = kBeside * kFlat * unit;
  plain.notches.clear();
  for (Line& line : lines_of(plain)) {
    std::sort(line.ends.begin(), line.ends.end());
    const Around around(line, plain.planes);
    std::optional<Notch> open;
    double from = line.ends[0];
    for (const double to : line.ends) {
      if (to - from < kShort * tolerance) continue;
      const double middle = 0.5 * (from + to);
      const bool edge = std::any_of(line.edges.begin(), line.edges.end(), [&](const auto& e) {
        return e.first <= middle && middle <= e.second;
      });
      std::vector<std::size_t> walls;
      if (edge && around.notched(line.at + line.along * middle, step, inside, walls)) {
        if (!open) open = Notch{line.at + line.along * from, {}, {}};
        open->head = line.at + line.along * to;
        for (const std::size_t wall : walls) {
          if (std::find(open->planes.begin(), open->planes.end(), wall) == open->planes.end())
            open->planes.push_back(wall);
        }
      } else if (open) {
        plain.notches.push_back(*open);
        open.reset();
      }
      from = to;
    }
    if (open) plain.notches.push_back(*open);
  }
}

std::optional<PlainBody> plain_solid(const TriangleMesh& mesh, double unit, const IsInside& inside,
                                     const std::function<bool()>& go_on) {
  if (mesh.triangles.size() > kMostPolygons) return std::nullopt;
  PlainBody plain;
  plain.planes = PlaneTable(kFlat * unit);
  std::optional<std::vector<Polygon>> polygons = polygons_of(mesh, plain.planes);
  if (!polygons) return std::nullopt;
  Vec3 low = mesh.vertices[mesh.triangles[0][0]], high = low;
  for (const Polygon& polygon : *polygons) {
    for (const Vec3& p : polygon.corners) {
      low = component_min(low, p);
      high = component_max(high, p);
    }
  }
  const Vec3 margin{unit, unit, unit};
  std::vector<Node> open;
  open.push_back({box_cell(low - margin, high + margin), std::move(*polygons)});
  std::size_t made = 1;
  while (!open.empty()) {
    if (++made > 2 * kMostCells || !go_on()) return std::nullopt;
    const Node node = std::move(open.back());
    open.pop_back();
    if (node.polygons.empty()) {
      if (!node.cell.faces.empty() && inside(node.cell.middle))
        plain.body.cells.push_back(node.cell);
      continue;
    }
    auto [below, above] = halves(node, choose_plane(node, plain.planes), plain.planes);
    open.push_back(std::move(above));
    open.push_back(std::move(below));
  }
  find_contacts(plain.body, plain.planes);
  find_notches(plain, unit, inside);
  return plain;
}

std::optional<std::vector<Plate>> plain_sheets(const TriangleMesh& mesh, double unit,
                                               double thickness,
                                               const std::function<bool()>& go_on) {
  PlaneTable table(kFlat * unit);
  const std::optional<std::vector<Polygon>> polygons = polygons_of(mesh, table);
  if (!polygons) return std::nullopt;
  std::vector<Plate> plates;
  for (std::size_t plane = 0; plane < table.size(); ++plane) {
    if (!go_on()) return std::nullopt;
    const PlateMesh plate(*polygons, plane, table[plane], thickness);
    if (plate.mesh.triangles.empty()) continue;
    std::optional<PlainBody> plain =
        plain_solid(plate.mesh, unit, [&](const Vec3& p) { return plate.inside(p); }, go_on);
    if (!plain) return std::nullopt;
    plates.push_back({table[plane], std::move(*plain)});
  }
  return plates;
}

}  // namespace tactus::detail::fit
