#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/rigid/body/periodic.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// The columns of a world, one beside the other across the two level axes, and the bodies' places
/// among them.
///
/// The lattice is fixed in space: where a column lies follows from the sizes of the moving bodies
/// and from gravity, never from where bodies are. Columns are as wide as a power of two, and nearly
/// all bodies that touch stand in the same one or in neighbours. Along a periodic axis the
/// columns are as many as a power of two, and a little wider. A lattice of columns twice as wide
/// joins them by pairs, and so on: a body in column i of one is in i / 2 of the next.
class Columns {
 public:
  struct Column {
    std::int64_t x = 0, y = 0;  ///< along the first and the second level axis
  };

  /// The width of columns for these bodies. Cost: linear.
  double choose_width(std::span<const Body> bodies);
  /// By the radii of those that are dynamic, which it puts into another order.
  static double choose_width(std::span<double> radii);
  /// Chooses the lattice, and finds the column of every body. Cost: linear.
  void place(std::span<const Body> bodies, const WorldSettings& settings) {
    place(bodies, settings, choose_width(bodies));
  }
  /// With the width that all bodies of the world have chosen, where `bodies` are some of them.
  void place(std::span<const Body> bodies, const WorldSettings& settings, double width);

  /// Column of a centre of mass; along a periodic axis any whole number of periods beside.
  Column of(std::uint32_t body) const { return columns_[body]; }
  /// Column of a body's image, from which on columns count on beyond the faces of a periodic space.
  Column of_image(std::uint32_t body, const Vec3& shift) const;
  /// One column for all images of a column, in the lattice of columns that are doubled so often.
  Column wrapped(const Column& column, int doublings) const {
    return {column.x & (across_[0].mask >> doublings), column.y & (across_[1].mask >> doublings)};
  }
  bool is_periodic_along_y() const { return across_[1].period > 0.0; }
  /// The lower of two columns, in the first lattice where they are the same or neighbours.
  struct Lower {
    Column column;
    int doublings = 0;
  };
  Lower lower(Column a, Column b) const;
  /// Column of any place, and how many columns there are in a period, 0 where nothing repeats.
  Column at(const Vec3& place) const { return {across_[0].at(place), across_[1].at(place)}; }
  Column period() const { return {across_[0].count, across_[1].count}; }

 private:
  /// How columns lie along a level axis.
  struct Across {
    int axis = 0;
    double lower = 0.0, period = 0.0;  ///< of a periodic space; else 0
    double per_length = 1.0;           ///< columns
    std::int64_t count = 0;            ///< of the columns of a period
    std::int64_t mask = -1;            ///< count - 1; all bits where nothing repeats
    std::int64_t at(const Vec3& center) const;
  };

  std::array<Across, 2> across_;
  std::vector<Column> columns_;  ///< by body
  std::vector<double> radii_;
};

}  // namespace tactus::detail
