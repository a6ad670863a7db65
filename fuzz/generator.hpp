#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "fuzz/shape_maker.hpp"
#include "tactus/io/json/query_line.hpp"

namespace tactus::detail::fuzz {

/// Seeded source of degenerate queries: the named classes come in turn, and query `index` depends
/// on nothing but the seed and the index, so that any of them can be made again alone.
///
/// - random: any pair of shapes, any distance
/// - touching: gap or depth 1e-16..1e-5 of size, by moving B along the normal that was found
/// - parallel: axes along axes, B straight ahead along one of them
/// - concentric: origins equal or within 1e-18..1e-6
/// - aligned: quarter turns and coordinates that are quarters, so that features coincide exactly
/// - sliver: aspects to 1e-8
/// - zero_size: points, segments, discs, flat hulls
/// - size_ratio: one body 1e6..1e9 times the other
/// - far: 1e6 from the origin
/// - tiny_huge: all lengths times 1e-150..1e150
/// - denormal: lengths and coordinates that are denormal numbers, beside others that are not
/// - near_rotation: an exactly degenerate pose turned by 1e-16..1e-6
/// - hulls: cospherical, lattice, prism, duplicated and nearly coplanar points; many vertices
/// - roundings: grown by 1e-12..1e2 of the core, cores of size zero among them
/// - compound, nested (compounds of compounds), halfspace: as one of the two bodies; compounds may
///   have meshes as parts
/// - deep: one body inside the other
/// - custom: bodies known by their support function alone
/// - options: random method, tolerance, caps, threshold
/// - mesh: closed and open surfaces, against themselves, other meshes and everything else
/// - contacts: touching bodies, meshes among them, with a threshold
/// - casts, impacts: bodies that move, and turn, meshes among them: touching at the start or at the
///   end, sliding, grazing
///
/// Open meshes are asked without a sign, and one time in four with it, which is refused.
class Generator {
 public:
  explicit Generator(std::uint64_t seed);

  static std::span<const std::string_view> classes();
  static std::string_view class_of(std::uint64_t index);

  io::Query make(std::uint64_t index) const;

 private:
  std::uint64_t seed_;
  ShapeMaker shapes_;
};

}  // namespace tactus::detail::fuzz
