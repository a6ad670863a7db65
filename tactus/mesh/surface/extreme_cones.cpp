#include "tactus/mesh/surface/extreme_cones.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::detail {
namespace {

// Slopes that count as level.
constexpr double kLevel = 1e-6;
// By which cones are widened: slopes that count as level turn the normals of slivers by more.
constexpr double kWider = 1e-4;
// Directions of edges that are nearly parallel, by the sine between them, have no plane of their
// own.
constexpr double kSameLine = 1e-7;
constexpr std::size_t kMostEdges = 32;
// No edge is that short, relative to the longest of its corner.
constexpr double kShort = 1e-6;

class Cones {
 public:
  Cones(const TriangleMesh& mesh, const MeshTopology& topology, bool inward)
      : mesh_(mesh), topology_(topology), sign_(inward ? -1.0 : 1.0) {}

  std::vector<ExtremeCone> run() {
    const std::size_t count = mesh_.triangles.size();
    normals_.reserve(count);
    for (const auto& t : mesh_.triangles) {
      const Vec3& origin = at(t[0]);
      normals_.push_back(normalized(cross(at(t[1]) - origin, at(t[2]) - origin), {}) * sign_);
    }
    // Cosines; of what is level 1.
    least_.assign(count, 1.0);
    for (std::size_t t = 0; t < count; ++t) {
      if (normals_[t] == Vec3{}) least_[t] = -1.0;
    }
    for (const MeshTopology::Edge& edge : topology_.edges) add_edge(edge);
    const auto vertices = static_cast<std::uint32_t>(mesh_.vertices.size());
    for (std::uint32_t v = 0; v < vertices; ++v) add_corner(v);
    std::vector<ExtremeCone> cones(count);
    for (std::size_t t = 0; t < count; ++t) {
      cones[t] = widened(least_[t]);
      const Vec3& n = normals_[t];
      cones[t].axis = {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
    }
    return cones;
  }

 private:
  const Vec3& at(std::uint32_t vertex) const { return mesh_.vertices[vertex]; }

  static ExtremeCone widened(double cosine) {
    ExtremeCone cone;
    if (!(cosine > 0.0)) return cone;
    const double angle = std::acos(std::min(cosine, 1.0)) + kWider;
    cone.cosine = static_cast<float>(std::cos(angle) - kLevel);
    cone.sine = static_cast<float>(std::min(std::sin(angle) + kLevel, 1.0));
    cone.flat = cosine == 1.0;
    return cone;
  }

  // The direction belongs to the triangle's cone.
  void reach(std::uint32_t triangle, const Vec3& direction) {
    const Vec3& n = normals_[triangle];
    // The sine tells small angles.
    if (norm(cross(n, direction)) <= 2.0 * kLevel && dot(n, direction) > 0.0) return;
    least_[triangle] = std::min(least_[triangle], dot(n, direction));
  }
  void forget(std::uint32_t triangle) { least_[triangle] = -1.0; }

  void add_edge(const MeshTopology::Edge& edge) {
    const auto sides = topology_.sides_of(edge);
    if (sides.size() != 2) {
      for (const std::uint32_t side : sides) forget(side / 3);
      return;
    }
    const std::uint32_t s = sides[0] / 3, t = sides[1] / 3;
    const auto& corners = mesh_.triangles[t];
    const Vec3 beyond = at(corners[(sides[1] % 3 + 2) % 3]) - at(edge.tail);
    if (dot(normals_[s], beyond) > kLevel * norm(beyond)) return;  // bends inwards
    reach(s, normals_[t]);
    reach(t, normals_[s]);
  }

  void add_corner(std::uint32_t vertex) {
    const auto triangles = topology_.triangles_at(vertex);
    if (triangles.empty()) return;
    edges_.clear();
    double shortest = std::numeric_limits<double>::infinity(), longest = 0.0;
    for (const std::uint32_t t : triangles) {
      for (const std::uint32_t other : mesh_.triangles[t]) {
        if (other == vertex) continue;
        const Vec3 edge = at(other) - at(vertex);
        const double length = norm(edge);
        shortest = std::min(shortest, length);
        longest = std::max(longest, length);
        edges_.push_back(edge * (1.0 / length));
      }
    }
    // Two triangles tell each edge of a closed fan.
    const bool bounded = edges_.size() <= 2 * kMostEdges && shortest > kShort * longest;
    if (bounded) {
      std::sort(edges_.begin(), edges_.end(), [](const Vec3& x, const Vec3& y) {
        return x.x != y.x ? x.x < y.x : x.y != y.y ? x.y < y.y : x.z < y.z;
      });
      edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
      find_rays();
    }
    for (const std::uint32_t t : triangles) {
      if (!bounded) forget(t);
      if (bounded) reach_corner(t);
    }
  }

  void reach_corner(std::uint32_t triangle) {
    // Skips rays along the normal, as of a level corner: they come in both senses, and the inward
    // one is no extreme direction.
    for (const Vec3& ray : rays_) {
      if (norm(cross(normals_[triangle], ray)) <= 2.0 * kLevel) continue;
      reach(triangle, ray);
    }
  }

  // The extreme rays of the directions along which no edge of the corner rises.
  void find_rays() {
    rays_.clear();
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      for (std::size_t j = i + 1; j < edges_.size(); ++j) {
        const Vec3 across = cross(edges_[i], edges_[j]);
        const double length = norm(across);
        if (!(length > kSameLine)) continue;
        double lowest = 0.0, highest = 0.0;
        for (const Vec3& edge : edges_) {
          const double rise = dot(across, edge);
          lowest = std::min(lowest, rise);
          highest = std::max(highest, rise);
        }
        if (highest <= kLevel * length) rays_.push_back(across * (1.0 / length));
        if (lowest >= -kLevel * length) rays_.push_back(across * (-1.0 / length));
      }
    }
  }

  const TriangleMesh& mesh_;
  const MeshTopology& topology_;
  const double sign_;
  std::vector<Vec3> normals_, edges_, rays_;
  std::vector<double> least_;
};

}  // namespace

std::vector<ExtremeCone> extreme_cones(const TriangleMesh& mesh, const MeshTopology& topology,
                                       bool inward) {
  return Cones(mesh, topology, inward).run();
}

}  // namespace tactus::detail
