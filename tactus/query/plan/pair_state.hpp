#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/math/fields.hpp"
#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/kept_contacts.hpp"

namespace tactus::detail {

/// The triangles of a mesh around a body: all that were nearer than `within` to it where it was
/// then, but for crowds.
struct LocalTriangles {
  Mat3 rotation;
  Vec3 origin;
  double within = 0.0;
  std::uint64_t mesh = 0;  ///< its fingerprint
  double reach = 0.0, radius = 0.0;
  bool crowded = false;                  ///< there are more than it would be worth to list
  std::vector<std::uint32_t> triangles;  ///< ascending
  friend bool operator==(const LocalTriangles&, const LocalTriangles&) = default;

  /// Nothing else can be nearer than `needed` where the body is now.
  bool hold(std::uint64_t key, const CorePlace& place, double needed) const {
    return mesh == key && reach == place.reach && radius == place.radius &&
           needed + place.moved(rotation, origin) <= within;
  }
};

/// State of a mesh and a convex body: the triangle that was nearest; and of those that a step of a
/// simulation asks for, the contacts that it found and the triangles around.
struct NearestTriangle {
  std::uint32_t triangle = bvh::MeshPairCache::kNone;
  KeptContacts contacts;
  Shared<LocalTriangles> around;
  friend bool operator==(const NearestTriangle&, const NearestTriangle&) = default;
};

/// State of compounds: the pair of parts that was nearest, and the cache of each pair of parts that
/// the last query measured, ascending.
struct PartStates {
  struct Entry {
    std::int32_t part_a = -1, part_b = -1;
    QueryCache cache;
    bool used = false;  ///< by the query that goes on; false between queries
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::int32_t part_a = -1, part_b = -1;  ///< nearest; as in DistanceResult
  std::vector<Entry> entries;
  friend bool operator==(const PartStates&, const PartStates&) = default;
};

/// State that a query leaves for the next one of the same pair, by the kind of its search.
struct PairState {
  std::variant<WarmStart, NearestTriangle, bvh::MeshFront, PartStates> kept;
  friend bool operator==(const PairState&, const PairState&) = default;
};

struct CacheAccess {
  /// The content of a cache; allocated where it was empty.
  static PairState& state(QueryCache& cache);
};

/// The part of a cache that this kind of search reads and writes, empty if another kind has left
/// it; null without a cache. Allocates what a fresh cache has not.
template <class Kept>
Kept* recall(QueryCache* cache) {
  if (cache == nullptr) return nullptr;
  auto& kept = CacheAccess::state(*cache).kept;
  if (!std::holds_alternative<Kept>(kept)) kept.template emplace<Kept>();
  return std::get_if<Kept>(&kept);
}

/// Where the search of a convex pair starts.
inline WarmStart& warm_start(QueryCache& cache) { return *recall<WarmStart>(&cache); }

// The fields of a cache, for archives and hashes alike: see core/archive.hpp.
template <class Archive>
void transfer(Archive& archive, KeptSurface& surface) {
  archive(surface.vertex_count);
  archive(surface.face_count);
  archive(surface.nearest);
  if (surface.vertex_count > surface.vertices.size() || surface.face_count > surface.faces.size())
    throw InvalidInput("cache", "the kept surface is too large");
  for (std::size_t i = 0; i < surface.vertex_count; ++i) {
    KeptSurface::Vertex& v = surface.vertices[i];
    archive(v.piece_a);
    archive(v.piece_b);
    for (std::int16_t& coordinate : v.direction) archive(coordinate);
  }
  for (std::size_t i = 0; i < surface.face_count; ++i) {
    for (std::uint8_t& corner : surface.faces[i].vertex) archive(corner);
    for (std::uint8_t& neighbor : surface.faces[i].neighbor) archive(neighbor);
  }
}
template <class Archive>
void transfer(Archive& archive, WarmStart& warm) {
  archive(warm.direction);
  archive(warm.turn);
  archive(warm.overlapping);
  archive(warm.count);
  for (std::uint32_t& piece : warm.piece_a) archive(piece);
  for (std::uint32_t& piece : warm.piece_b) archive(piece);
  bool has_surface = warm.surface.kept() != nullptr;
  archive(has_surface);
  if (has_surface) archive(warm.surface.place());
}
template <class Archive>
void transfer(Archive& archive, LocalTriangles& around) {
  for (Vec3& row : around.rotation.row) archive(row);
  archive(around.origin);
  archive(around.within);
  archive(around.mesh);
  archive(around.reach);
  archive(around.radius);
  archive(around.crowded);
  archive(around.triangles);
}
template <class Archive>
void transfer(Archive& archive, NearestTriangle& nearest) {
  archive(nearest.triangle);
  archive(nearest.contacts);
  archive(nearest.around);
}
namespace bvh {
template <class Archive>
void transfer(Archive& archive, MeshFront::Apart& apart) {
  archive(apart.node_a);
  archive(apart.node_b);
  for (float& x : apart.axis.n) archive(x);
  archive(apart.axis.high);
}
template <class Archive>
void transfer(Archive& archive, MeshFront& front) {
  archive(front.nearest.triangle_a);
  archive(front.nearest.triangle_b);
  archive(front.distance);
  archive(front.fresh_size);
  archive(front.fingerprint_a);
  archive(front.fingerprint_b);
  archive(front.apart);
  if constexpr (Archive::kReads) front.trusted = false;
}
}  // namespace bvh
template <class Archive>
void transfer(Archive& archive, PartStates::Entry& entry);
template <class Archive>
void transfer(Archive& archive, PartStates& parts) {
  archive(parts.part_a);
  archive(parts.part_b);
  archive(parts.entries);
}
template <class Archive, class Kept>
void transfer_as(Archive& archive, PairState& state) {
  if (!std::holds_alternative<Kept>(state.kept)) state.kept.emplace<Kept>();
  archive(std::get<Kept>(state.kept));
}
template <class Archive>
void transfer(Archive& archive, PairState& state, bool has_parts = true) {
  auto kind = static_cast<std::uint8_t>(state.kept.index());
  archive(kind);
  if (kind == 0) {
    transfer_as<Archive, WarmStart>(archive, state);
  } else if (kind == 1) {
    transfer_as<Archive, NearestTriangle>(archive, state);
  } else if (kind == 2) {
    transfer_as<Archive, bvh::MeshFront>(archive, state);
  } else if (kind == 3 && has_parts) {
    transfer_as<Archive, PartStates>(archive, state);
  } else {
    throw InvalidInput("cache", "is of no known kind");
  }
}
template <class Archive>
void transfer(Archive& archive, QueryCache& cache, bool has_parts) {
  bool filled = !cache.empty();
  archive(filled);
  if (filled) transfer(archive, CacheAccess::state(cache), has_parts);
}
// Parts have no parts.
template <class Archive>
void transfer(Archive& archive, PartStates::Entry& entry) {
  archive(entry.part_a);
  archive(entry.part_b);
  transfer(archive, entry.cache, false);
}

}  // namespace tactus::detail
