#pragma once

#include "tactus/narrow/difference/cso.hpp"

namespace tactus::detail {

/// The point of core A that is nearest to core B, and that one; where the cores meet, one point of
/// both up to rounding. A's frame.
struct CommonPoint {
  Vec3 a, b;
};

/// By GJK: the point of the simplex that holds the origin of the cores' difference. No allocation.
CommonPoint common_point(const Cso& cso);

}  // namespace tactus::detail
