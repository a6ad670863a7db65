#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/rigid/solver/columns.hpp"

namespace tactus::detail {

/// Which rank owns which columns: the plane of columns, cut in two again and again. A cut lies
/// between two pairs of columns, so that a rank owns whole squares of two by two, which spares
/// messages; where some rank would own nothing, cuts lie between any two columns. Any partition
/// gives the same bits.
class Partition {
 public:
  /// All columns belong to rank 0.
  Partition() = default;
  /// How many bodies stand in a column.
  struct Load {
    Columns::Column column;
    std::uint64_t bodies = 1;
  };
  /// Each column once.
  static std::vector<Load> loads_of(std::vector<Columns::Column> bodies);
  /// Shares out bodies, by the columns that they stand in, in equal parts as far as cuts allow: by
  /// recursive bisection across the longer side. Ranks beyond the number of columns own nothing.
  static Partition bisect(std::span<const Load> loads, int ranks);

  /// Owner of a column of the lattice that has been doubled so often.
  int owner(const Columns::Column& column, int doublings) const;
  /// Marks the owners of the columns from `low` to `high`, both included.
  void mark_owners(const Columns::Column& low, const Columns::Column& high,
                   std::span<char> marks) const;

 private:
  /// Squares (or columns) below `cut` along an axis belong to `below`, the others to `above`;
  /// without an axis all belong to a rank.
  struct Node {
    int axis = -1;
    std::int64_t cut = 0;
    std::uint32_t below = 0, above = 0;
    int rank = 0;
  };
  Partition(std::span<const Load> loads, int ranks, int halvings);
  std::uint32_t cut(std::span<Load> squares, int first, int last);
  Columns::Column square(const Columns::Column& column) const {
    return {column.x >> halvings_, column.y >> halvings_};
  }

  std::vector<Node> nodes_{Node{}};
  std::uint32_t root_ = 0;
  int halvings_ = 1;   ///< of the coordinates of columns, to those of squares
  bool idle_ = false;  ///< does a rank own nothing?
};

}  // namespace tactus::detail
