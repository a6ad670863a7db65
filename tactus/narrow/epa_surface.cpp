#include <algorithm>
#include <limits>

#include "tactus/narrow/epa.hpp"

namespace tactus {
namespace {

// Of a unit direction's coordinates as they are kept: a power of two, so that keeping them again
// changes nothing.
constexpr double kDirectionScale = 16384.0;

std::int16_t to_short(double coordinate) {
  return static_cast<std::int16_t>(coordinate * kDirectionScale);
}

}  // namespace

// The vertices of a kept surface on the present poses. False when a piece does not exist.
bool Epa::place_vertices(const Cso& cso, const KeptSurface& surface) {
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

// Is the triangle's plane at least this far (squared) on the right side of the origin? By its
// volume with the origin and its area; what these lose, the same for all three corners, is left out
// of it.
inline bool Epa::is_far(const KeptSurface::Face& face, double square) const {
  const Vec3& wa = points_.item[face.vertex[0]];
  const Vec3 across = cross(points_.item[face.vertex[1]] - wa, points_.item[face.vertex[2]] - wa);
  const double volume = dot(across, wa) - 2.0 * volume_error_;
  return volume > 0.0 && volume * volume >= square * squared_norm(across);
}

// The triangles of a kept surface; those that lie beyond `far` only by their corners. False when
// one is not turned outwards, or an edge does not meet that of its neighbour in the opposite sense,
// one to one.
bool Epa::place_faces(const KeptSurface& surface, double far) {
  constexpr std::uint8_t kNext[3] = {1, 2, 0};
  const auto faces = surface.used_faces();
  const double square = far * far;
  passed_over_ = far;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const KeptSurface::Face& kept = faces[i];
    Face& f = faces_.item[i];
    // Without branches: half of them would be guessed wrong.
    unsigned wrong = 0;
    for (std::size_t e = 0; e < 3; ++e) {
      const std::size_t named = kept.neighbor[e] / 4u, edge = kept.neighbor[e] % 4u;
      const std::size_t other = named < faces.size() ? named : 0;
      const std::size_t back = edge < 3 ? edge : 0;
      const KeptSurface::Face& g = faces[other];
      wrong |= static_cast<unsigned>(named != other) | static_cast<unsigned>(edge != back) |
               static_cast<unsigned>(kept.vertex[e] >= vertex_count_) |
               (g.neighbor[back] ^ static_cast<unsigned>(4 * i + e)) |
               static_cast<unsigned>(g.vertex[back] ^ kept.vertex[kNext[e]]) |
               static_cast<unsigned>(g.vertex[kNext[back]] ^ kept.vertex[e]);
      f.vertex[e] = kept.vertex[e];
      f.neighbor[e] = static_cast<std::uint16_t>(other);
    }
    if (wrong != 0) return false;
    if (is_far(kept, square)) {
      f.alive = true;
      f.final = f.capped = f.lifted = f.made = false;
      f.distance = far;
      key_.item[i] = kSettled;
    } else {
      const auto index = static_cast<std::uint16_t>(i);
      make_face(index, kept.vertex[0], kept.vertex[1], kept.vertex[2]);
      if (!(f.distance > 0.0)) return false;
      offer(index);
    }
  }
  face_count_ = static_cast<int>(faces.size());
  return true;
}

bool Epa::resume(const Cso& cso, const KeptSurface& surface, const Critical* known,
                 const EpaOptions& options, EpaResult& r) {
  prepare(cso);
  if (surface.nearest >= surface.used_faces().size() || !place_vertices(cso, surface)) return false;
  known = take_known(cso, known, r);
  Best best;
  best.value = r.best.value;
  const std::uint16_t first = surface.nearest;
  SupportPoint p;
  if (known == nullptr) {
    const KeptSurface::Face& kept = surface.faces[first];
    for (const std::uint8_t v : kept.vertex)
      if (v >= vertex_count_) return false;
    make_face(first, kept.vertex[0], kept.vertex[1], kept.vertex[2]);
    const Face& f = faces_.item[first];
    if (!(f.distance > 0.0)) return false;
    cso.support(f.normal, p);
    ++r.iterations;
    best.take(f, p, dot(f.normal, p.w));
    wanted_ = best.value - cso.rounding;
  }
  // Beyond this nothing is as near, and no rival.
  if (!place_faces(surface, best.value + 2.0 * cso.rounding)) return false;
  unchanged_ = true;
  if (known == nullptr && faces_.item[first].distance < wanted_ && !expand(first, p)) return false;
  search(cso, known != nullptr, options, best, r);
  // Stuck in a dent: another start may do better. The cap would end that one too.
  return r.outcome == EpaOutcome::converged || r.iterations >= options.max_iterations;
}

void Epa::keep(KeptSurface& surface) const {
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
    for (const std::uint8_t v : f.vertex) {
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
      const Face& g = faces_.item[f.neighbor[e]];
      const std::uint8_t head = f.vertex[e == 2 ? 0 : e + 1];
      const int back = g.vertex[0] == head ? 0 : (g.vertex[1] == head ? 1 : 2);
      kept.vertex[e] = vertex_number[f.vertex[e]];
      kept.neighbor[e] = static_cast<std::uint8_t>(4 * face_number[f.neighbor[e]] + back);
    }
  }
  surface.nearest = face_number[nearest];
  surface.vertex_count = static_cast<std::uint16_t>(vertices);
  surface.face_count = static_cast<std::uint16_t>(faces);
}

}  // namespace tactus
