#include <algorithm>
#include <cmath>

#include "tactus/narrow/epa.hpp"

namespace tactus {
namespace {

// Of a unit direction's coordinates as they are kept.
constexpr double kDirectionScale = 32767.0;

std::int16_t to_short(double coordinate) {
  return static_cast<std::int16_t>(coordinate * kDirectionScale);
}

// Does every edge of the triangles meet that of its neighbour in the opposite sense, one to one?
bool is_closed(std::span<const KeptSurface::Face> faces, int vertices) {
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (std::size_t e = 0; e < 3; ++e) {
      const std::size_t next = e == 2 ? 0 : e + 1;
      const std::uint8_t mate = faces[f].neighbor[e];
      const std::size_t other = mate / 4, back = mate % 4;
      if (other >= faces.size() || back > 2) return false;
      const KeptSurface::Face& g = faces[other];
      if (g.neighbor[back] != 4 * f + e || g.vertex[back] != faces[f].vertex[next] ||
          g.vertex[back == 2 ? 0 : back + 1] != faces[f].vertex[e] ||
          faces[f].vertex[e] >= vertices) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

bool Epa::restore(const Cso& cso, const KeptSurface& kept) {
  const auto vertices = kept.used_vertices();
  const auto faces = kept.used_faces();
  if (faces.empty() || !is_closed(faces, static_cast<int>(vertices.size()))) return false;
  prepare(cso);
  for (const KeptSurface::Vertex& v : vertices) {
    const Vec3 direction{static_cast<double>(v.direction[0]), static_cast<double>(v.direction[1]),
                         static_cast<double>(v.direction[2])};
    SupportPoint& p = vertices_.item[vertex_count_];
    if (!cso.piece_support(v.piece_a, v.piece_b, normalized(direction), p)) return false;
    points_.item[vertex_count_++] = p.w;
  }
  for (const KeptSurface::Face& kept_face : faces) {
    const auto index = static_cast<std::uint16_t>(face_count_++);
    make_face(index, kept_face.vertex[0], kept_face.vertex[1], kept_face.vertex[2]);
    Face& f = faces_.item[index];
    if (!(f.distance > 0.0)) return false;
    for (int e = 0; e < 3; ++e)
      f.neighbor[e] = kept_face.neighbor[static_cast<std::size_t>(e)] / 4u;
  }
  return true;
}

void Epa::keep(KeptSurface& out) const {
  constexpr std::uint8_t kNone = 255;
  out.vertex_count = out.face_count = 0;
  std::uint8_t face_number[kMaxFaces];
  std::uint8_t vertex_number[kMaxVertices];
  std::fill_n(vertex_number, vertex_count_, kNone);
  int faces = 0, vertices = 0;
  for (int i = 0; i < face_count_; ++i) {
    const Face& f = faces_.item[i];
    if (!f.alive) continue;
    if (faces == KeptSurface::kMaxFaces) return;
    face_number[i] = static_cast<std::uint8_t>(faces++);
    for (const std::uint8_t v : f.vertex) {
      if (vertex_number[v] != kNone) continue;
      const SupportPoint& p = vertices_.item[v];
      if (vertices == KeptSurface::kMaxVertices || p.piece_a > 0xffffu || p.piece_b > 0xffffu)
        return;
      out.vertices[static_cast<std::size_t>(vertices)] = {
          static_cast<std::uint16_t>(p.piece_a),
          static_cast<std::uint16_t>(p.piece_b),
          {to_short(p.direction.x), to_short(p.direction.y), to_short(p.direction.z)}};
      vertex_number[v] = static_cast<std::uint8_t>(vertices++);
    }
  }
  for (int i = 0; i < face_count_; ++i) {
    const Face& f = faces_.item[i];
    if (!f.alive) continue;
    KeptSurface::Face& kept = out.faces[face_number[i]];
    for (std::size_t e = 0; e < 3; ++e) {
      const Face& g = faces_.item[f.neighbor[e]];
      const std::uint8_t head = f.vertex[e == 2 ? 0 : e + 1];
      const int back = g.vertex[0] == head ? 0 : (g.vertex[1] == head ? 1 : 2);
      kept.vertex[e] = vertex_number[f.vertex[e]];
      kept.neighbor[e] = static_cast<std::uint8_t>(4 * face_number[f.neighbor[e]] + back);
    }
  }
  out.vertex_count = static_cast<std::uint16_t>(vertices);
  out.face_count = static_cast<std::uint16_t>(faces);
}

}  // namespace tactus
