// Surfaces in the parallel projection of svg.hpp, for the drawing examples.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "docs/figures/svg.hpp"
#include "tactus/math.hpp"
#include "tactus/mesh.hpp"

namespace svg {

/// A flat polygon, counter-clockwise seen from outside.
struct Facet {
  std::vector<tactus::Vec3> corners;
  tactus::Vec3 normal;
  std::string color;
};

inline const tactus::Vec3 kToViewer =
    tactus::normalized(tactus::Vec3{-0.34, -0.765, 0.415});  // square to the projection's rows

inline std::vector<Facet> facets_of(const tactus::ConvexHull& hull, const std::string& color) {
  std::vector<Facet> facets;
  for (const tactus::ConvexHull::Face& face : hull.faces) {
    Facet facet{{}, face.normal, color};
    for (const std::uint32_t k : hull.corners(face)) facet.corners.push_back(hull.vertices[k]);
    facets.push_back(std::move(facet));
  }
  return facets;
}

inline std::vector<Facet> facets_of(const tactus::TriangleMesh& mesh, const tactus::Pose& pose,
                                    const std::string& color) {
  std::vector<Facet> facets;
  for (const auto& triangle : mesh.triangles) {
    std::vector<tactus::Vec3> corners;
    for (const std::uint32_t k : triangle) corners.push_back(pose.to_world(mesh.vertices[k]));
    const tactus::Vec3 n = cross(corners[1] - corners[0], corners[2] - corners[0]);
    if (norm(n) > 0.0) facets.push_back({std::move(corners), normalized(n), color});
  }
  return facets;
}

/// "#rrggbb", darker by the factor `light` in [0, 1].
inline std::string shaded(const std::string& color, double light) {
  char text[8] = "#";
  for (std::size_t k = 0; k < 3; ++k) {
    const double channel = std::stoi(color.substr(1 + 2 * k, 2), nullptr, 16);
    std::snprintf(text + 1 + 2 * k, 3, "%02x", static_cast<unsigned>(channel * light) & 0xffu);
  }
  return text;
}

/// The facets that face the viewer, the farthest first.
inline void draw_facets(std::FILE* out, std::vector<Facet> facets, const View& view) {
  const auto depth = [](const Facet& f) {
    double sum = 0.0;
    for (const tactus::Vec3& v : f.corners) sum += dot(v, kToViewer);
    return sum / static_cast<double>(f.corners.size());
  };
  std::erase_if(facets, [](const Facet& f) { return dot(f.normal, kToViewer) <= 0.0; });
  std::vector<std::pair<double, std::size_t>> order;  // equal depths in the order given
  order.reserve(facets.size());
  for (std::size_t k = 0; k < facets.size(); ++k) order.emplace_back(depth(facets[k]), k);
  std::sort(order.begin(), order.end());
  const tactus::Vec3 sun = normalized(tactus::Vec3{-0.7, -0.4, 0.9});
  for (const auto& [far, k] : order) {
    const Facet& f = facets[k];
    std::fprintf(out, "<polygon fill='%s' stroke='#fff' stroke-width='0.3' points='",
                 shaded(f.color, 0.72 + 0.28 * std::max(0.0, dot(f.normal, sun))).c_str());
    for (const tactus::Vec3& v : f.corners) std::fprintf(out, "%.1f,%.1f ", view(v).x, view(v).y);
    std::fprintf(out, "'/>\n");
  }
}

/// The twelve edges of a box: its centre, its unit axes as rows, half its sides.
inline std::vector<Line> box_edges(const tactus::Vec3& center, const tactus::Mat3& axes,
                                   const tactus::Vec3& half, const View& view) {
  const auto corner = [&](int k) {
    tactus::Vec3 p = center;
    for (int i = 0; i < 3; ++i) p = p + axes.row[i] * ((k >> i & 1) != 0 ? half[i] : -half[i]);
    return view(p);
  };
  std::vector<Line> edges;
  for (int k = 0; k < 8; ++k) {
    for (int bit = 1; bit < 8; bit *= 2) {
      if ((k & bit) == 0) edges.push_back({corner(k), corner(k | bit)});
    }
  }
  return edges;
}

/// A torus about the z axis.
inline tactus::TriangleMesh torus(double radius, double tube, std::uint32_t around,
                                  std::uint32_t across) {
  tactus::TriangleMesh mesh;
  constexpr double kTurn = 6.283185307179586;
  for (std::uint32_t i = 0; i < around; ++i) {
    for (std::uint32_t j = 0; j < across; ++j) {
      const double u = kTurn * i / around, v = kTurn * j / across;
      const double r = radius + tube * std::cos(v);
      mesh.vertices.push_back({r * std::cos(u), r * std::sin(u), tube * std::sin(v)});
      const std::uint32_t next = (i + 1) % around, up = (j + 1) % across;
      const std::uint32_t a = i * across + j, b = next * across + j, c = next * across + up,
                          d = i * across + up;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  }
  return mesh;
}

}  // namespace svg
