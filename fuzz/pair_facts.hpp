#pragma once

#include <string>

#include "tactus/check.hpp"
#include "tactus/io/json/query_line.hpp"

namespace tactus::detail::fuzz {

/// Has the distance an answer? Of an open mesh, that without a sign.
bool has_answer(const Shape& a, const Shape& b, bool with_sign);

/// Parts of a compound, or 1.
int parts_of(const Shape& shape);

/// Parts, of which the triangles of a mesh count one by one.
int pieces_of(const Shape& shape);

/// Radius of a ball about the local origin that holds the shape; of a half-space its offset, also
/// as a part of a compound.
double reach(const Shape& shape);

/// The largest extent of the bounded parts: what their tolerance refers to.
double extent_of_parts(const Shape& shape);

/// The lengths of a query that its roundings refer to.
struct PairLengths {
  double size = 0.0;     ///< the longest extent
  double lengths = 0.0;  ///< the radii, and how far the origins are apart
  double world = 0.0;    ///< the same and the coordinates of the origins
  bool normal = true;    ///< are squares and products of three lengths normal numbers?

  explicit PairLengths(const io::Query& query);
};

/// A cache that points the wrong way: what another pair could have left.
void turn_away(QueryCache& cache);

/// The first claim that is refuted, else the first that is not proved.
std::string fault_of(const CheckReport& report);

}  // namespace tactus::detail::fuzz
