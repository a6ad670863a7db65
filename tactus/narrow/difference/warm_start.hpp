#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "tactus/math.hpp"

namespace tactus::detail {

/// The closed surface of triangles around the origin that proved a depth (`Epa`), without lengths:
/// the pieces of both cores (`Core::Piece`) that each vertex is made of, the direction in which
/// they were asked, and how the triangles hang together. On any pose such pieces have points of the
/// cores, so that the surface made of them is a proof again wherever it is turned outwards.
struct KeptSurface {
  static constexpr int kMaxVertices = 32;
  static constexpr int kMaxFaces = 2 * kMaxVertices - 4;
  struct Vertex {
    std::uint16_t piece_a, piece_b;
    std::array<std::int16_t, 3> direction;  ///< A's frame, of any length
    friend bool operator==(const Vertex&, const Vertex&) = default;
  };
  struct Face {
    std::array<std::uint8_t, 3> vertex;  ///< counter-clockwise from outside
    std::array<std::uint8_t, 3>
        neighbor;  ///< 4 face + edge, across the edge from vertex i to i + 1
    friend bool operator==(const Face&, const Face&) = default;
  };

  std::uint16_t vertex_count = 0, face_count = 0;  ///< none: nothing is kept
  std::uint16_t nearest = 0;                       ///< face that was nearest to the origin
  std::array<Vertex, kMaxVertices> vertices;
  std::array<Face, kMaxFaces> faces;

  // Only what is used has a value and is copied.
  KeptSurface() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
  KeptSurface(const KeptSurface& other) { *this = other; }
  KeptSurface& operator=(const KeptSurface& other) {
    if (this == &other) return *this;
    vertex_count = other.vertex_count;
    face_count = other.face_count;
    nearest = other.nearest;
    const auto from_vertices = other.used_vertices();
    const auto from_faces = other.used_faces();
    std::copy(from_vertices.begin(), from_vertices.end(), vertices.begin());
    std::copy(from_faces.begin(), from_faces.end(), faces.begin());
    return *this;
  }

  void forget() { vertex_count = face_count = nearest = 0; }
  std::span<const Vertex> used_vertices() const {
    return {vertices.data(), std::min<std::size_t>(vertex_count, kMaxVertices)};
  }
  std::span<const Face> used_faces() const {
    return {faces.data(), std::min<std::size_t>(face_count, kMaxFaces)};
  }
  friend bool operator==(const KeptSurface& x, const KeptSurface& y) {
    const auto same = [](const auto& s, const auto& t) {
      return std::equal(s.begin(), s.end(), t.begin(), t.end());
    };
    return x.nearest == y.nearest && same(x.used_vertices(), y.used_vertices()) &&
           same(x.used_faces(), y.used_faces());
  }
};

/// Place for a surface that most pairs never need: allocated with the first one, copied by value.
class SurfacePlace {
 public:
  SurfacePlace() noexcept = default;
  SurfacePlace(const SurfacePlace& other) { *this = other; }
  SurfacePlace(SurfacePlace&& other) noexcept = default;
  SurfacePlace& operator=(SurfacePlace&& other) noexcept = default;
  ~SurfacePlace() = default;
  SurfacePlace& operator=(const SurfacePlace& other) {
    if (this == &other) return *this;
    if (other.kept() == nullptr) {
      forget();
    } else {
      place() = *other.surface_;
    }
    return *this;
  }

  /// The surface that is kept, or null.
  const KeptSurface* kept() const {
    return surface_ && surface_->face_count > 0 ? surface_.get() : nullptr;
  }
  KeptSurface& place() {
    if (!surface_) surface_ = std::make_unique<KeptSurface>();
    return *surface_;
  }
  void forget() {
    if (surface_) surface_->forget();
  }
  friend bool operator==(const SurfacePlace& x, const SurfacePlace& y) {
    const KeptSurface *const s = x.kept(), *const t = y.kept();
    return s == nullptr || t == nullptr ? s == t : *s == *t;
  }

 private:
  std::unique_ptr<KeptSurface> surface_;
};

/// Where an earlier search for the same pair of bodies ended: the direction and the pieces of both
/// cores (vertices, rims, smooth surfaces; `Core::Piece`) whose support points carry the answer,
/// and of a depth the surface that proved it. On a nearby pose the same pieces are the start, and
/// as a rule the end. Any content is safe: pieces that do not exist are left out, and a start that
/// no longer fits costs steps, never truth.
struct WarmStart {
  Vec3 direction;            ///< last n in A's frame, zero when empty
  Vec3 turn;                 ///< its change since the query before: a motion goes on as a rule
  bool overlapping = false;  ///< the cores overlapped
  std::int32_t count = 0;
  std::array<std::uint32_t, 3> piece_a{}, piece_b{};
  SurfacePlace surface;
  friend bool operator==(const WarmStart&, const WarmStart&) = default;

  /// Empty again; what has no meaning is not cleared.
  void forget() {
    direction = turn = {};
    overlapping = false;
    count = 0;
    piece_a = piece_b = {};
    surface.forget();
  }
};

}  // namespace tactus::detail
