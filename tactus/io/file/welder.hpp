#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "tactus/io/file/byte_order.hpp"
#include "tactus/mesh.hpp"

namespace tactus::io {

/// Builds a mesh from positions, each of which becomes one vertex where it comes first: for formats
/// that repeat a position for every triangle or normal.
class Welder {
 public:
  std::uint32_t index(const Vec3& position) {
    const auto next = static_cast<std::uint32_t>(mesh_.vertices.size());
    const auto [entry, is_new] = known_.try_emplace(position, next);
    if (is_new) mesh_.vertices.push_back(position);
    return entry->second;
  }
  void add(const std::array<std::uint32_t, 3>& triangle) { mesh_.triangles.push_back(triangle); }
  void add(const std::array<Vec3, 3>& corners) {
    const std::uint32_t a = index(corners[0]), b = index(corners[1]), c = index(corners[2]);
    add(std::array<std::uint32_t, 3>{a, b, c});
  }
  TriangleMesh take() { return std::move(mesh_); }

 private:
  struct PositionHash {
    std::size_t operator()(const Vec3& v) const {
      std::uint64_t hash = 0;
      for (int i = 0; i < 3; ++i) {
        // Adding zero turns -0 into 0, which is equal to it.
        hash = (hash ^ same_bits<std::uint64_t>(v[i] + 0.0)) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32u;
      }
      return static_cast<std::size_t>(hash);
    }
  };

  TriangleMesh mesh_;
  std::unordered_map<Vec3, std::uint32_t, PositionHash> known_;
};

}  // namespace tactus::io
