#pragma once

#include <cstdint>
#include <optional>

#include "tactus/math/expansion.hpp"
#include "tactus/planar/region/boundary.hpp"

namespace tactus::detail {

/// A segment of the convolution: translations at which a corner of one boundary lies on an edge of
/// the other.
struct Slide {
  Vec2 from, to;          ///< to some roundings
  double distance = 0.0;  ///< of its nearest point from no translation at all
  std::uint32_t edge = 0, corner = 0;
  bool edge_of_a = true;

  bool shares_end(const Slide& other) const {
    return from == other.from || from == other.to || to == other.from || to == other.to;
  }
};

/// A translation of B that double coordinates do not hold: (x, y) / w.
struct ExactPlace {
  Expansion<384> x, y;
  Expansion<32> w;  ///< positive
  Vec2 rounded;     ///< each coordinate off by less than 8 roundings of itself
};

/// Two regions, B moved by `shift`, for questions about translations that are no doubles. Exact
/// within `in_range`.
class ExactPair {
 public:
  ExactPair(const Boundary& a, const Boundary& b, const Vec2& shift)
      : a_(a), b_(b), shift_(shift) {}

  /// Are all products that the answers take within the range of doubles?
  bool in_range() const;
  /// Where the slide is nearest to no translation.
  ExactPlace nearest(const Slide& s) const;
  /// Where two slides that are not parallel cross, if they do.
  std::optional<ExactPlace> crossing(const Slide& s, const Slide& r) const;
  /// Are there translations as near to the place as one likes after which the regions, boundaries
  /// included, have no point in common? Each place where the boundaries touch leaves an open sector
  /// of directions, or none; there are where a direction is left by all. `slack`: that coordinates
  /// of places may be off by. Cost: O(n log n) for n edges, and for those that meet O(k^2).
  bool has_room(const ExactPlace& place, double slack) const;

 private:
  struct Contacts;
  void meet(std::size_t edge_a, std::size_t edge_b, const ExactPlace& place, Contacts& found) const;

  const Boundary& a_;
  const Boundary& b_;
  Vec2 shift_;
};

/// The directions in which a corner of B leaves one of A that it touches: open, and counter-
/// clockwise. Both as sectors of their interior; none where they have a direction in common.
std::optional<Sector> way_out(const Sector& a, const Sector& b);

}  // namespace tactus::detail
