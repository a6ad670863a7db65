#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "tactus/bvh/point_query.hpp"
#include "tactus/deform.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::soft {
using namespace detail;
namespace {

using Corner = std::uint32_t;
using Edge = std::array<Corner, 2>;
using Tet = std::array<Corner, 4>;

// Corners are moved to the surface when it is nearer than this part of the edge.
constexpr double kSnap = 0.25;
constexpr int kHalvings = 40;
constexpr double kMostCells = 2e7;

/// A body-centred cubic lattice over a box, and the tetrahedra of its inside.
template <class Signed>
class Stuffing {
 public:
  /// `outside(p)`: the distance from the surface, negative inside.
  Stuffing(const Aabb& box, double edge, const Signed& outside)
      : cell_(edge), outside_(outside), origin_(box.lower - Vec3{edge, edge, edge} * 1.37) {
    // 1.37: the lattice shall not lie in the planes of the box.
    const Vec3 size = box.upper - box.lower;
    for (int k = 0; k < 3; ++k)
      count_[static_cast<std::size_t>(k)] = static_cast<int>(std::ceil(size[k] / edge + 2.8));
  }

  TetrahedralMesh run() {
    make_vertices();
    make_tetrahedra();
    snap();
    for (const Tet& t : tetrahedra_) cut(t);
    return compact();
  }

 private:
  std::uint32_t grid(int x, int y, int z) const {
    return static_cast<std::uint32_t>((z * (count_[1] + 1) + y) * (count_[0] + 1) + x);
  }
  std::uint32_t center(int x, int y, int z) const {
    return centers_ + static_cast<std::uint32_t>((z * count_[1] + y) * count_[0] + x);
  }

  void make_vertices() {
    for (int half = 0; half < 2; ++half) {
      const int extra = 1 - half;
      if (half == 1) centers_ = static_cast<std::uint32_t>(place_.size());
      for (int z = 0; z < count_[2] + extra; ++z) {
        for (int y = 0; y < count_[1] + extra; ++y) {
          for (int x = 0; x < count_[0] + extra; ++x)
            place_.push_back(origin_ +
                             Vec3{x + 0.5 * half, y + 0.5 * half, z + 0.5 * half} * cell_);
        }
      }
    }
    value_.resize(place_.size());
    parallel_for(place_.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) value_[i] = outside_(place_[i]);
    });
  }

  void add(Tet t) {
    if (value_[t[0]] >= 0.0 && value_[t[1]] >= 0.0 && value_[t[2]] >= 0.0 && value_[t[3]] >= 0.0)
      return;
    if (orient3d(place_[t[0]], place_[t[1]], place_[t[2]], place_[t[3]]) < 0) std::swap(t[2], t[3]);
    tetrahedra_.push_back(t);
  }

  /// Two centres of neighbouring cells with each edge of their common face.
  void make_tetrahedra() {
    for (int axis = 0; axis < 3; ++axis) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      std::array<int, 3> c{};
      for (c[2] = axis == 2 ? 1 : 0; c[2] < count_[2]; ++c[2]) {
        for (c[1] = axis == 1 ? 1 : 0; c[1] < count_[1]; ++c[1]) {
          for (c[0] = axis == 0 ? 1 : 0; c[0] < count_[0]; ++c[0]) {
            std::array<int, 3> b = c;
            --b[static_cast<std::size_t>(axis)];
            const Corner upper = center(c[0], c[1], c[2]), lower = center(b[0], b[1], b[2]);
            Corner face[4];
            for (int k = 0; k < 4; ++k) {
              std::array<int, 3> g = c;
              if (k == 1 || k == 2) ++g[static_cast<std::size_t>(u)];
              if (k >= 2) ++g[static_cast<std::size_t>(v)];
              face[k] = grid(g[0], g[1], g[2]);
            }
            for (int k = 0; k < 4; ++k) add({lower, upper, face[k], face[(k + 1) % 4]});
          }
        }
      }
    }
  }

  /// Where the surface passes between an inner and an outer place.
  Vec3 between(Vec3 inner, Vec3 outer) const {
    for (int k = 0; k < kHalvings; ++k) {
      const Vec3 middle = (inner + outer) * 0.5;
      (outside_(middle) < 0.0 ? inner : outer) = middle;
    }
    return (inner + outer) * 0.5;
  }

  /// Moves each corner that an edge's cut is close to into the nearest of these cuts.
  void snap() {
    std::vector<Edge> edges;
    for (const Tet& t : tetrahedra_) {
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if ((value_[t[i]] < 0.0) != (value_[t[j]] < 0.0))
            edges.push_back({std::min(t[i], t[j]), std::max(t[i], t[j])});
        }
      }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    std::vector<Vec3> cuts(edges.size());
    parallel_for(edges.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto [a, b] = edges[i];
        cuts[i] = value_[a] < 0.0 ? between(place_[a], place_[b]) : between(place_[b], place_[a]);
      }
    });
    std::vector<double> nearest(place_.size(), kSnap);
    std::vector<Vec3> target = place_;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const double length = norm(place_[edges[i][0]] - place_[edges[i][1]]);
      for (const Corner c : edges[i]) {
        const double share = norm(cuts[i] - place_[c]) / length;
        if (share >= nearest[c]) continue;
        nearest[c] = share;
        target[c] = cuts[i];
      }
    }
    for (std::size_t i = 0; i < place_.size(); ++i) {
      if (nearest[i] < kSnap) value_[i] = 0.0;
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const auto [a, b] = edges[i];
      if (value_[a] * value_[b] < 0.0) cut_.emplace(edges[i], cuts[i]);
    }
    place_ = std::move(target);
  }

  Corner cut_at(Corner a, Corner b) {
    const Edge e{std::min(a, b), std::max(a, b)};
    const auto [known, fresh] = number_.try_emplace(e, static_cast<Corner>(place_.size()));
    if (fresh) {
      const auto found = cut_.find(e);
      place_.push_back(found != cut_.end() ? found->second : (place_[a] + place_[b]) * 0.5);
      value_.push_back(0.0);
    }
    return known->second;
  }

  /// Keeps the part of a tetrahedron that is inside; its faces are divided by the numbers of their
  /// corners, so that neighbours agree.
  void cut(const Tet& t) {
    std::vector<Corner> in, on, out;
    for (const Corner c : t) (value_[c] < 0.0 ? in : (value_[c] > 0.0 ? out : on)).push_back(c);
    if (in.empty()) return;
    if (out.empty()) {
      keep(t);
      return;
    }
    if (in.size() == 1) {
      Tet part{in[0], 0, 0, 0};
      std::size_t k = 1;
      for (const Corner c : on) part[k++] = c;
      for (const Corner c : out) part[k++] = cut_at(in[0], c);
      keep(part);
    } else if (in.size() == 2 && on.size() == 1) {
      pyramid(on[0], {in[0], in[1], cut_at(in[1], out[0]), cut_at(in[0], out[0])});
    } else if (in.size() == 2) {
      prism({in[0], cut_at(in[0], out[0]), cut_at(in[0], out[1])},
            {in[1], cut_at(in[1], out[0]), cut_at(in[1], out[1])});
    } else {
      prism({in[0], in[1], in[2]},
            {cut_at(in[0], out[0]), cut_at(in[1], out[0]), cut_at(in[2], out[0])});
    }
  }

  void keep(Tet t) {
    const int side = orient3d(place_[t[0]], place_[t[1]], place_[t[2]], place_[t[3]]);
    if (side == 0) return;
    if (side < 0) std::swap(t[2], t[3]);
    kept_.push_back(t);
  }

  void pyramid(Corner apex, const std::array<Corner, 4>& base) {
    const auto least =
        static_cast<std::size_t>(std::min_element(base.begin(), base.end()) - base.begin());
    const Corner a = base[least], c = base[(least + 2) % 4];
    keep({apex, a, base[(least + 1) % 4], c});
    keep({apex, a, c, base[(least + 3) % 4]});
  }

  /// Three tetrahedra, each square divided from its least corner.
  void prism(std::array<Corner, 3> a, std::array<Corner, 3> b) {
    const Corner least_a = *std::min_element(a.begin(), a.end());
    const Corner least_b = *std::min_element(b.begin(), b.end());
    if (least_b < least_a) std::swap(a, b);
    const auto k = static_cast<std::size_t>(std::min_element(a.begin(), a.end()) - a.begin());
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    keep({a[k], b[0], b[1], b[2]});
    pyramid(a[k], {a[i], a[j], b[j], b[i]});
  }

  TetrahedralMesh compact() {
    constexpr Corner kNone = 0xffffffffu;
    std::vector<Corner> name(place_.size(), kNone);
    TetrahedralMesh mesh;
    for (Tet t : kept_) {
      for (Corner& c : t) {
        if (name[c] == kNone) {
          name[c] = static_cast<Corner>(mesh.vertices.size());
          mesh.vertices.push_back(place_[c]);
        }
        c = name[c];
      }
      mesh.tetrahedra.push_back(t);
    }
    return mesh;
  }

  double cell_;
  const Signed& outside_;
  Vec3 origin_;
  std::array<int, 3> count_{};
  std::uint32_t centers_ = 0;
  std::vector<Vec3> place_;
  std::vector<double> value_;
  std::vector<Tet> tetrahedra_, kept_;
  std::map<Edge, Vec3> cut_;
  std::map<Edge, Corner> number_;
};

template <class Signed>
TetrahedralMesh stuff(const Aabb& box, double edge, const char* field, const Signed& outside) {
  if (!(edge > 0.0) || !std::isfinite(edge))
    throw InvalidInput("edge", "must be finite and positive");
  const Vec3 n = (box.upper - box.lower) / edge + Vec3{4.0, 4.0, 4.0};
  if (!(n.x * n.y * n.z <= kMostCells))
    throw InvalidInput("edge", "takes more than 2e7 cells in the surface's box");
  TetrahedralMesh mesh = Stuffing<Signed>(box, edge, outside).run();
  if (mesh.tetrahedra.empty())
    throw InvalidInput(field, "no tetrahedron fits in; take a shorter edge");
  return mesh;
}

}  // namespace

TetrahedralMesh tetrahedral_sphere(double radius, double edge) {
  if (!(radius > 0.0) || !std::isfinite(radius))
    throw InvalidInput("radius", "must be finite and positive");
  const Vec3 r{radius, radius, radius};
  return stuff({-r, r}, edge, "radius", [radius](const Vec3& p) { return norm(p) - radius; });
}

TetrahedralMesh fill_with_tetrahedra(const Mesh& surface, double edge) {
  if (!surface.closed()) throw InvalidInput("surface", "is open: it has no inside");
  const bvh::MeshView view = view_of(surface);
  const Aabb box = bounding_box(surface, Pose());
  return stuff(box, edge, "surface", [&](const Vec3& p) {
    const double d = bvh::nearest_point(view, p).distance;
    return surface.holds(p) ? -d : d;
  });
}

}  // namespace tactus::soft
