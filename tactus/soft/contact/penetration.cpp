#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tactus/ccd/box_tree.hpp"
#include "tactus/ccd/moving_hash.hpp"
#include "tactus/deform.hpp"
#include "tactus/soft/contact/nearest.hpp"

namespace tactus::soft {
using namespace detail;
namespace {

using Face = std::array<std::uint32_t, 3>;
constexpr std::uint32_t kNone = 0xffffffffu;

void require_valid(std::span<const TetrahedralBody> bodies) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const std::string name = "bodies[" + std::to_string(b) + "].";
    const TetrahedralBody& body = bodies[b];
    for (std::size_t i = 0; i < body.vertices.size(); ++i) {
      if (!is_finite(body.vertices[i]))
        throw InvalidInput(name + "vertices[" + std::to_string(i) + "]", "must be finite");
    }
    const auto check = [&](const auto& list, const char* field) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        for (const std::uint32_t c : list[i]) {
          if (c >= body.vertices.size())
            throw InvalidInput(name + field + "[" + std::to_string(i) + "]",
                               "there is no vertex " + std::to_string(c));
        }
      }
    };
    check(body.tetrahedra, "tetrahedra");
    check(body.surface, "surface");
  }
}

template <class Corners>
SweptBox box_of(std::span<const Vec3> x, const Corners& corners) {
  SweptBox b{x[corners[0]], x[corners[0]]};
  for (const std::uint32_t c : corners) b.add(x[c]);
  return b;
}

/// The sides of a box that each vertex is beyond, a bit each.
std::vector<std::uint8_t> sides_beyond(std::span<const Vec3> x, const SweptBox& box) {
  std::vector<std::uint8_t> sides(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3& p = x[i];
    sides[i] = static_cast<std::uint8_t>((p.x < box.lower.x) | (p.x > box.upper.x) << 1 |
                                         (p.y < box.lower.y) << 2 | (p.y > box.upper.y) << 3 |
                                         (p.z < box.lower.z) << 4 | (p.z > box.upper.z) << 5);
  }
  return sides;
}

/// The box around the corners misses that box: they are beyond one and the same side.
template <class Corners>
bool misses(std::span<const std::uint8_t> sides, const Corners& corners) {
  std::uint8_t common = 0xff;
  for (const std::uint32_t c : corners) common &= sides[c];
  return common != 0;
}

/// Is p in the tetrahedron, border included?
bool holds(std::span<const Vec3> x, const std::array<std::uint32_t, 4>& t, const Vec3& p) {
  const Vec3 a = x[t[0]] - p, b = x[t[1]] - p, c = x[t[2]] - p, d = x[t[3]] - p;
  const double s0 = dot(cross(b, d), c), s1 = dot(cross(a, c), d), s2 = dot(cross(a, d), b),
               s3 = dot(cross(a, b), c);
  return (s0 >= 0.0 && s1 >= 0.0 && s2 >= 0.0 && s3 >= 0.0) ||
         (s0 <= 0.0 && s1 <= 0.0 && s2 <= 0.0 && s3 <= 0.0);
}

/// The faces of a body that meet a box.
class NearFaces {
 public:
  NearFaces(const TetrahedralBody& body, const SweptBox& around)
      : boxes_(boxes_of(body, around, faces_)), tree_(boxes_) {}

  /// Calls `take(face)` for each of them that meets the box.
  template <class Take>
  void find(const SweptBox& box, const Take& take) const {
    tree_.find(box, [&](std::uint32_t k) { take(faces_[k]); });
  }

 private:
  static std::vector<SweptBox> boxes_of(const TetrahedralBody& body, const SweptBox& around,
                                        std::vector<std::uint32_t>& faces) {
    std::vector<SweptBox> boxes;
    const std::vector<std::uint8_t> sides = sides_beyond(body.vertices, around);
    for (std::uint32_t k = 0; k < body.surface.size(); ++k) {
      if (misses(sides, body.surface[k])) continue;
      faces.push_back(k);
      boxes.push_back(box_of(body.vertices, body.surface[k]));
    }
    return boxes;
  }

  std::vector<std::uint32_t> faces_;
  std::vector<SweptBox> boxes_;
  BoxTree tree_;
};

class Penetrations {
 public:
  explicit Penetrations(std::span<const TetrahedralBody> bodies) : bodies_(bodies) {
    for (const TetrahedralBody& b : bodies) {
      SweptBox box{{1, 1, 1}, {-1, -1, -1}};
      if (!b.vertices.empty()) box = {b.vertices[0], b.vertices[0]};
      for (const Vec3& v : b.vertices) box.add(v);
      boxes_.push_back(box);
    }
  }

  std::vector<PointPenetration> run() {
    find_points();
    std::sort(found_.begin(), found_.end(),
              [](const PointPenetration& a, const PointPenetration& b) {
                if (a.body != b.body) return a.body < b.body;
                return a.other != b.other ? a.other < b.other : a.vertex < b.vertex;
              });
    for (std::size_t first = 0; first < found_.size();) {
      std::size_t last = first;
      while (last < found_.size() && found_[last].body == found_[first].body &&
             found_[last].other == found_[first].other)
        ++last;
      measure(std::span(found_).subspan(first, last - first));
      first = last;
    }
    std::sort(found_.begin(), found_.end(),
              [](const PointPenetration& a, const PointPenetration& b) {
                if (a.body != b.body) return a.body < b.body;
                return a.vertex != b.vertex ? a.vertex < b.vertex : a.other < b.other;
              });
    return std::move(found_);
  }

 private:
  struct Cell {
    std::uint32_t body, tetrahedron;
  };
  /// A vertex that may lie in another body.
  struct Candidate {
    std::uint32_t body, vertex;
  };

  /// Adds the tetrahedra and surface vertices of a body that are in the box of another one.
  void add_near(std::uint32_t b, std::vector<Cell>& cells,
                std::vector<Candidate>& candidates) const {
    const TetrahedralBody& body = bodies_[b];
    std::vector<std::uint8_t> near_cells(body.tetrahedra.size(), 0);
    std::vector<std::uint8_t> near_vertices(body.vertices.size(), 0);
    bool any = false;
    for (std::size_t other = 0; other < boxes_.size(); ++other) {
      if (other == b || !meet(boxes_[other], boxes_[b])) continue;
      any = true;
      const std::vector<std::uint8_t> sides = sides_beyond(body.vertices, boxes_[other]);
      for (std::size_t t = 0; t < near_cells.size(); ++t) {
        if (!misses(sides, body.tetrahedra[t])) near_cells[t] = 1;
      }
      for (const Face& f : body.surface) {
        for (const std::uint32_t v : f) {
          if (sides[v] == 0) near_vertices[v] = 1;
        }
      }
    }
    if (!any) return;
    for (std::uint32_t t = 0; t < near_cells.size(); ++t) {
      if (near_cells[t] != 0) cells.push_back({b, t});
    }
    for (std::uint32_t v = 0; v < near_vertices.size(); ++v) {
      if (near_vertices[v] != 0) candidates.push_back({b, v});
    }
  }

  void find_points() {
    std::vector<Cell> cells;
    std::vector<Candidate> candidates;
    for (std::uint32_t b = 0; b < bodies_.size(); ++b) add_near(b, cells, candidates);
    if (cells.empty()) return;
    std::vector<SweptBox> cell_boxes;
    cell_boxes.reserve(cells.size());
    for (const Cell& c : cells) {
      const TetrahedralBody& body = bodies_[c.body];
      cell_boxes.push_back(box_of(body.vertices, body.tetrahedra[c.tetrahedron]));
    }
    const MovingHash hash(cell_boxes);
    HashStages stages;
    for (const Candidate& at : candidates) {
      const Vec3 p = bodies_[at.body].vertices[at.vertex];
      const std::size_t first = found_.size();
      hash.find(p, p, {p, p}, stages, [&](std::uint32_t k) {
        const Cell& c = cells[k];
        if (c.body == at.body) return;
        if (!holds(bodies_[c.body].vertices, bodies_[c.body].tetrahedra[c.tetrahedron], p)) return;
        for (std::size_t i = first; i < found_.size(); ++i) {
          if (found_[i].other != c.body) continue;
          // On a common face of two: the one with the lower number.
          found_[i].tetrahedron = std::min(found_[i].tetrahedron, c.tetrahedron);
          return;
        }
        found_.push_back({at.body, at.vertex, c.body, c.tetrahedron, 0.0, {}});
      });
    }
  }

  /// Depths of one body's points in another one.
  void measure(std::span<PointPenetration> points) {
    const std::uint32_t body = points[0].body, other = points[0].other;
    const std::span<const Vec3> x = bodies_[body].vertices;
    std::vector<std::uint32_t> place(x.size(), kNone);
    for (std::uint32_t i = 0; i < points.size(); ++i) place[points[i].vertex] = i;
    // Neighbours of the points along surface edges, and the edges that lead out.
    std::vector<std::array<std::uint32_t, 2>> inner;
    struct Way {
      std::uint32_t point, to;  ///< by its place among the points; a vertex
    };
    std::vector<Way> ways;
    SweptBox around{x[points[0].vertex], x[points[0].vertex]};
    for (const Face& f : bodies_[body].surface) {
      if ((place[f[0]] & place[f[1]] & place[f[2]]) == kNone) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = f[k], b = f[(k + 1) % 3];
        // Each edge once: its other side leads the other way.
        const std::uint32_t from = place[a], to = place[b];
        if (from != kNone && to != kNone && a < b) inner.push_back({from, to});
        if ((from == kNone) == (to == kNone)) continue;
        ways.push_back(from != kNone ? Way{from, b} : Way{to, a});
        around.add(x[a]);
        around.add(x[b]);
      }
    }
    const NearFaces near(bodies_[other], around);
    std::vector<double> weight(points.size(), 0.0), depth(points.size(), 0.0);
    std::vector<Vec3> way(points.size());
    for (const Way& w : ways) {
      leave(other, near, x[points[w.point].vertex], x[w.to], weight[w.point], depth[w.point],
            way[w.point]);
    }
    std::vector<std::uint8_t> known(points.size(), 0);
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      if (!(weight[i] > 0.0)) continue;
      known[i] = 1;
      points[i].depth = std::fmax(0.0, depth[i] / weight[i]);
      points[i].direction = normalized(way[i], {0.0, 0.0, 1.0});
    }
    hand_on(x, points, inner, known);
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      if (known[i] == 0) nearest_way(other, x[points[i].vertex], points[i]);
    }
  }

  /// Adds the places where the edge from p to q leaves the other body, weighted by 1 / distance^2.
  void leave(std::uint32_t other, const NearFaces& near, const Vec3& p, const Vec3& q,
             double& weight, double& depth, Vec3& way) const {
    const std::span<const Vec3> y = bodies_[other].vertices;
    SweptBox box{p, p};
    box.add(q);
    near.find(box, [&](std::uint32_t k) {
      const Face& f = bodies_[other].surface[k];
      const Vec3 a = y[f[0]], b = y[f[1]], c = y[f[2]];
      const Vec3 n = cross(b - a, c - a);
      const double at_p = dot(n, p - a), at_q = dot(n, q - a);
      if (!(at_p <= 0.0 && at_q > 0.0)) return;
      const Vec3 hit = p + (q - p) * (at_p / (at_p - at_q));
      if (dot(cross(b - a, hit - a), n) < 0.0 || dot(cross(c - b, hit - b), n) < 0.0 ||
          dot(cross(a - c, hit - c), n) < 0.0)
        return;
      const Vec3 normal = normalized(n);
      const double w = 1.0 / std::fmax(squared_norm(hit - p), 1e-300);
      weight += w;
      depth += w * dot(hit - p, normal);
      way += normal * w;
    });
  }

  /// Points whose depth is known hand it on to their neighbours, layer by layer.
  static void hand_on(std::span<const Vec3> x, std::span<PointPenetration> points,
                      const std::vector<std::array<std::uint32_t, 2>>& edges,
                      std::vector<std::uint8_t>& known) {
    for (std::size_t layer = 0; layer < points.size(); ++layer) {
      std::vector<double> weight(points.size(), 0.0), depth(points.size(), 0.0);
      std::vector<Vec3> way(points.size());
      const auto give = [&](std::uint32_t from, std::uint32_t to) {
        if (known[from] == 0 || known[to] != 0) return;
        const Vec3 between = x[points[from].vertex] - x[points[to].vertex];
        const double w = 1.0 / std::fmax(squared_norm(between), 1e-300);
        weight[to] += w;
        depth[to] += w * (dot(between, points[from].direction) + points[from].depth);
        way[to] += points[from].direction * w;
      };
      for (const auto& [a, b] : edges) {
        give(a, b);
        give(b, a);
      }
      bool any = false;
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (!(weight[i] > 0.0)) continue;
        any = true;
        known[i] = 1;
        points[i].depth = std::fmax(0.0, depth[i] / weight[i]);
        points[i].direction = normalized(way[i], {0.0, 0.0, 1.0});
      }
      if (!any) return;
    }
  }

  void nearest_way(std::uint32_t other, const Vec3& p, PointPenetration& point) const {
    const std::span<const Vec3> y = bodies_[other].vertices;
    double least = std::numeric_limits<double>::infinity();
    for (const Face& f : bodies_[other].surface) {
      const Vec3 a = y[f[0]], b = y[f[1]], c = y[f[2]];
      const NearestWeights w = nearest_vertex_face(p, a, b, c);
      const Vec3 way = -(((a - p) * w.w[1] + (b - p) * w.w[2]) + (c - p) * w.w[3]);
      const double distance = norm(way);
      if (distance >= least) continue;
      least = distance;
      point.depth = distance;
      point.direction = normalized(way, normalized(cross(b - a, c - a), {0.0, 0.0, 1.0}));
    }
  }

  std::span<const TetrahedralBody> bodies_;
  std::vector<SweptBox> boxes_;
  std::vector<PointPenetration> found_;
};

}  // namespace

std::vector<PointPenetration> points_in_tetrahedra(std::span<const TetrahedralBody> bodies) {
  require_valid(bodies);
  return Penetrations(bodies).run();
}

}  // namespace tactus::soft
