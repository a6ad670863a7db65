#include <algorithm>
#include <limits>

#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/narrow/search/polytope_surface.hpp"

namespace tactus::detail {
namespace {

// Scale of a unit direction's coordinates as they are kept: a power of two, so that keeping them
// again changes nothing.
constexpr double kDirectionScale = 16384.0;

std::int16_t to_short(double coordinate) {
  return static_cast<std::int16_t>(coordinate * kDirectionScale);
}

}  // namespace

bool PolytopeSurface::place_vertices(const Cso& cso, const KeptSurface& surface) {
  // The points of an ellipsoid have its ball taken off along the direction.
  const auto needs_unit = [](const Core& core) {
    return core.kind == CoreKind::ellipsoid || core.kind == CoreKind::custom;
  };
  const bool unit = needs_unit(cso.a) || needs_unit(cso.b);
  const auto vertices = surface.used_vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const KeptSurface::Vertex& v = vertices[i];
    Vec3 direction{static_cast<double>(v.direction[0]), static_cast<double>(v.direction[1]),
                   static_cast<double>(v.direction[2])};
    direction *= 1.0 / kDirectionScale;
    if (unit) direction = normalized(direction);
    if (!cso.piece_support(v.piece_a, v.piece_b, direction, vertices_.item[i])) return false;
    points_.item[i] = vertices_.item[i].w;
  }
  vertex_count_ = static_cast<int>(vertices.size());
  return true;
}

bool PolytopeSurface::place_faces(const KeptSurface& surface) {
  constexpr std::uint8_t kNext[3] = {1, 2, 0};
  const auto faces = surface.used_faces();
  const auto links = static_cast<unsigned>(4 * faces.size());
  const auto corners = static_cast<unsigned>(vertex_count_);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const KeptSurface::Face& kept = faces[i];
    Face& f = faces_.item[i];
    // The edge across must name this one as the edge across and begin where this one ends; that it
    // ends where this one begins is asked at its own turn. Without branches: half of them would be
    // guessed wrong.
    unsigned wrong = 0;
    for (std::size_t e = 0; e < 3; ++e) {
      const unsigned across = kept.neighbor[e];
      const bool exists = across < links && across % 4u != 3u;
      const unsigned other = exists ? across : 0u;
      const KeptSurface::Face& g = faces[other / 4u];
      wrong |= static_cast<unsigned>(!exists) | static_cast<unsigned>(kept.vertex[e] >= corners) |
               (g.neighbor[other % 4u] ^ static_cast<unsigned>(4 * i + e)) |
               static_cast<unsigned>(g.vertex[other % 4u] ^ kept.vertex[kNext[e]]);
      f.neighbor[e] = kept.neighbor[e];
    }
    if (wrong != 0) return false;
    const auto index = static_cast<std::uint16_t>(i);
    const auto [a, b, c] = kept.vertex;
    name_face(index, a, b, c);
    const Vec3& wa = points_.item[a];
    const Vec3 across = cross(points_.item[b] - wa, points_.item[c] - wa);
    const double square = squared_norm(across);
    if (is_far(dot(across, wa), square)) {
      f.made = false;
      settle(index, far_);
    } else {
      f.made = true;
      f.across = across;
      place_near_face(index, square);
      if (!(f.distance > 0.0)) return false;
    }
  }
  face_count_ = static_cast<int>(faces.size());
  unchanged_ = true;
  return true;
}

const PolytopeSurface::Face& PolytopeSurface::place_alone(
    std::uint16_t index, const std::array<std::uint8_t, 3>& corners) {
  make_face(index, corners[0], corners[1], corners[2]);
  return faces_.item[index];
}

void PolytopeSurface::keep(KeptSurface& surface) const {
  int nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < face_count_; ++i) {
    const Face& f = faces_.item[i];
    if (!f.alive || !(f.distance < least)) continue;
    least = f.distance;
    nearest = i;
  }
  if (unchanged_) {
    surface.nearest = static_cast<std::uint16_t>(nearest);
    return;
  }
  constexpr std::uint8_t kNone = 255;
  surface.vertex_count = surface.face_count = 0;
  std::uint8_t face_number[kMaxFaces];
  std::uint8_t vertex_number[kMaxVertices];
  std::fill_n(vertex_number, vertex_count_, kNone);
  int faces = 0, vertices = 0;
  for (int i = 0; i < face_count_; ++i) {
    const Face& f = faces_.item[i];
    if (!f.alive) continue;
    if (faces == KeptSurface::kMaxFaces) return;
    face_number[i] = static_cast<std::uint8_t>(faces++);
    for (const std::uint16_t v : f.vertex) {
      if (vertex_number[v] != kNone) continue;
      const SupportPoint& p = vertices_.item[v];
      if (vertices == KeptSurface::kMaxVertices || p.piece_a > 0xffffu || p.piece_b > 0xffffu)
        return;
      surface.vertices[static_cast<std::size_t>(vertices)] = {
          static_cast<std::uint16_t>(p.piece_a),
          static_cast<std::uint16_t>(p.piece_b),
          {to_short(p.direction.x), to_short(p.direction.y), to_short(p.direction.z)}};
      vertex_number[v] = static_cast<std::uint8_t>(vertices++);
    }
  }
  for (int i = 0; i < face_count_; ++i) {
    const Face& f = faces_.item[i];
    if (!f.alive) continue;
    KeptSurface::Face& kept = surface.faces[face_number[i]];
    for (std::size_t e = 0; e < 3; ++e) {
      const unsigned across = f.neighbor[e];
      kept.vertex[e] = vertex_number[f.vertex[e]];
      kept.neighbor[e] = static_cast<std::uint8_t>(4 * face_number[across / 4u] + across % 4u);
    }
  }
  surface.nearest = face_number[nearest];
  surface.vertex_count = static_cast<std::uint16_t>(vertices);
  surface.face_count = static_cast<std::uint16_t>(faces);
}

void PolytopeSurface::list_faces(std::vector<std::array<std::uint32_t, 3>>& out) const {
  out.clear();
  for (int i = 0; i < face_count_; ++i) {
    const Face& f = faces_.item[i];
    if (f.alive) out.push_back({f.vertex[0], f.vertex[1], f.vertex[2]});
  }
}

}  // namespace tactus::detail
