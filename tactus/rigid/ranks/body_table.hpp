#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tactus/body.hpp"

namespace tactus::detail {

/// Bodies of a world without their motions, most of which this rank never meets: for each its id,
/// and which of the bodies that differ in more than place and velocity it is made of. Bodies of one
/// shape and material take 12 bytes each.
class BodyTable {
 public:
  /// Bodies by id.
  void assign(std::span<const Body> bodies);
  /// One more, whose id is above all others.
  void add(const Body& body);

  std::size_t size() const { return ids_.size(); }
  /// How many differ.
  std::size_t kinds() const { return kinds_.size(); }
  BodyId id(std::size_t place) const { return ids_[place]; }
  bool contains(BodyId id) const { return find(id) < ids_.size(); }
  bool has_sensors() const;
  /// A body of the table as any of its kind: its motion and id say nothing.
  const Body& kind(BodyId id) const { return kinds_[kind_of_[find(id)]]; }
  /// The body at the origin, at rest, with no force of the step on it.
  Body make(BodyId id) const;

 private:
  std::size_t find(BodyId id) const;

  std::vector<BodyId> ids_;
  std::vector<std::uint32_t> kind_of_;
  std::vector<Body> kinds_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> known_;  ///< kinds, by their bits
  std::string last_;                                             ///< bits of the last body
};

}  // namespace tactus::detail
