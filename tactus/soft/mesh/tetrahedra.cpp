#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "tactus/deform.hpp"
#include "tactus/math/angle.hpp"
#include "tactus/math/predicates.hpp"

namespace tactus::soft {
using namespace detail;
namespace {

using Face = std::array<std::uint32_t, 3>;
using Tetrahedron = std::array<std::uint32_t, 4>;

/// The faces of a tetrahedron, counter-clockwise seen from outside.
std::array<Face, 4> faces_of(const Tetrahedron& t) {
  return {{{t[1], t[2], t[3]}, {t[0], t[3], t[2]}, {t[0], t[1], t[3]}, {t[0], t[2], t[1]}}};
}

/// Corners of a face in ascending order: the same for each first corner and either sense.
Face sorted(Face f) {
  std::sort(f.begin(), f.end());
  return f;
}

std::string element(const char* list, std::size_t i) {
  return std::string(list) + "[" + std::to_string(i) + "]";
}

// The middles of a box's edges become flat in an ellipsoid, and tetrahedra there with them.
constexpr double kMostRound = 0.9;

/// A place in a box of that half size, moved towards that in the ellipsoid which touches its faces,
/// by a part of the way.
Vec3 rounded(const Vec3& place, const Vec3& half, double part) {
  const Vec3 v{place.x / half.x, place.y / half.y, place.z / half.z};
  const double xx = v.x * v.x, yy = v.y * v.y, zz = v.z * v.z;
  const Vec3 round{v.x * std::sqrt(1.0 - yy / 2.0 - zz / 2.0 + yy * zz / 3.0),
                   v.y * std::sqrt(1.0 - zz / 2.0 - xx / 2.0 + zz * xx / 3.0),
                   v.z * std::sqrt(1.0 - xx / 2.0 - yy / 2.0 + xx * yy / 3.0)};
  return component_product(half, v * (1.0 - part) + round * part);
}

}  // namespace

void validate(const TetrahedralMesh& mesh) {
  if (mesh.vertices.empty()) throw InvalidInput("vertices", "there is none");
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (!is_finite(mesh.vertices[i])) throw InvalidInput(element("vertices", i), "must be finite");
  }
  if (mesh.tetrahedra.empty()) throw InvalidInput("tetrahedra", "there is none");
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
    const Tetrahedron& t = mesh.tetrahedra[i];
    for (const std::uint32_t corner : t) {
      if (corner >= mesh.vertices.size())
        throw InvalidInput(element("tetrahedra", i),
                           "there is no vertex " + std::to_string(corner));
    }
    const int side = orient3d(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]],
                              mesh.vertices[t[3]]);
    if (side == 0) throw InvalidInput(element("tetrahedra", i), "is flat");
    if (side < 0) throw InvalidInput(element("tetrahedra", i), "is inverted");
  }
}

std::vector<std::array<std::uint32_t, 3>> surface_of(const TetrahedralMesh& mesh) {
  struct Side {
    Face key, face;
    std::size_t place;
  };
  std::vector<Side> sides;
  sides.reserve(4 * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) {
    for (const Face& f : faces_of(t)) sides.push_back({sorted(f), f, sides.size()});
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.key != b.key ? a.key < b.key : a.place < b.place;
  });
  std::vector<Side> outer;
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t j = i + 1;
    while (j < sides.size() && sides[j].key == sides[i].key) ++j;
    if (j == i + 1) outer.push_back(sides[i]);
    i = j;
  }
  std::sort(outer.begin(), outer.end(),
            [](const Side& a, const Side& b) { return a.place < b.place; });
  std::vector<Face> surface;
  surface.reserve(outer.size());
  for (const Side& s : outer) surface.push_back(s.face);
  return surface;
}

TetrahedraQuality quality(const TetrahedralMesh& mesh) {
  TetrahedraQuality q;
  if (mesh.tetrahedra.empty()) return q;
  q.least_volume = q.least_ratio = q.least_angle = std::numeric_limits<double>::infinity();
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const Vec3 a = mesh.vertices[t[0]];
    const Vec3 b = mesh.vertices[t[1]] - a, c = mesh.vertices[t[2]] - a,
               d = mesh.vertices[t[3]] - a;
    const double six_volume = dot(cross(b, c), d);
    Vec3 normals[4];
    double area = 0.0;
    for (int k = 0; k < 4; ++k) {
      const Face f = faces_of(t)[static_cast<std::size_t>(k)];
      normals[k] = cross(mesh.vertices[f[1]] - mesh.vertices[f[0]],
                         mesh.vertices[f[2]] - mesh.vertices[f[0]]);
      area += 0.5 * norm(normals[k]);
    }
    // Inradius 3 V / area; circumradius |d^2 (b x c) + c^2 (d x b) + b^2 (c x d)| / 12 V.
    const Vec3 center = (squared_norm(d) * cross(b, c) + squared_norm(c) * cross(d, b)) +
                        squared_norm(b) * cross(c, d);
    const double inner = 0.5 * six_volume / area;
    const double outer = 0.5 * norm(center) / six_volume;
    const double ratio = 3.0 * inner / outer;
    q.volume += six_volume / 6.0;
    q.least_volume = std::fmin(q.least_volume, six_volume / 6.0);
    q.least_ratio = std::fmin(q.least_ratio, ratio);
    q.mean_ratio += ratio;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < i; ++j) {
        const double angle = angle_between(-normals[i], normals[j]);
        q.least_angle = std::fmin(q.least_angle, angle);
        q.greatest_angle = std::fmax(q.greatest_angle, angle);
      }
    }
  }
  q.mean_ratio /= static_cast<double>(mesh.tetrahedra.size());
  return q;
}

TetrahedralMesh tetrahedral_box(const Vec3& size, const std::array<int, 3>& cells,
                                double roundness) {
  if (!(roundness >= 0.0 && roundness <= kMostRound))
    throw InvalidInput("roundness", "must lie in [0, 0.9]");
  for (int k = 0; k < 3; ++k) {
    if (!(size[k] > 0.0) || !std::isfinite(size[k]))
      throw InvalidInput("size", "must be finite and positive");
  }
  double count = 1.0;
  for (const int n : cells) {
    if (n < 1) throw InvalidInput("cells", "must be at least 1 each");
    count *= n;
  }
  if (count > 2e7) throw InvalidInput("cells", "must be at most 2e7 in all");
  const auto nx = cells[0], ny = cells[1], nz = cells[2];
  TetrahedralMesh mesh;
  for (int z = 0; z <= nz; ++z) {
    for (int y = 0; y <= ny; ++y) {
      for (int x = 0; x <= nx; ++x) {
        mesh.vertices.push_back({size.x * (x / static_cast<double>(nx) - 0.5),
                                 size.y * (y / static_cast<double>(ny) - 0.5),
                                 size.z * (z / static_cast<double>(nz) - 0.5)});
      }
    }
  }
  if (roundness > 0.0) {
    for (Vec3& v : mesh.vertices) v = rounded(v, size * 0.5, roundness);
  }
  const auto at = [&](int x, int y, int z) {
    return static_cast<std::uint32_t>((z * (ny + 1) + y) * (nx + 1) + x);
  };
  // Six ways from a cell's lowest corner to its highest one, an axis at a time.
  constexpr int kWays[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}};
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        for (int w = 0; w < 6; ++w) {
          int p[3] = {x, y, z};
          Tetrahedron t{};
          t[0] = at(p[0], p[1], p[2]);
          for (int k = 0; k < 3; ++k) {
            ++p[kWays[w][k]];
            t[static_cast<std::size_t>(k) + 1] = at(p[0], p[1], p[2]);
          }
          if (w >= 3) std::swap(t[1], t[2]);
          mesh.tetrahedra.push_back(t);
        }
      }
    }
  }
  return mesh;
}

}  // namespace tactus::soft
