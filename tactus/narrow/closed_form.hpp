#pragma once

#include "tactus/narrow/cso.hpp"

namespace tactus {

/// Signed distance of two cores without iteration; A's frame.
struct ClosedForm {
  double value = 0.0;  ///< signed distance of the cores
  Vec3 n;              ///< unit, from A to B
  Vec3 a, b;           ///< points of the cores, b - a = value * n
  bool unique = true;
};

/// True when there is a closed form for this pair of cores, in this order (point-point,
/// point-segment, segment-segment, point-box).
bool has_closed_form(CoreKind a, CoreKind b);

/// The closed form of a pair for which `has_closed_form`. Exact up to `cso.rounding` everywhere,
/// touching and coincidence included: where cores meet, n is the direction of their depth (for two
/// segments the common normal). Source: ericson2004rtcd, sections 5.1.3, 5.1.4 and 5.1.9;
/// docs/algorithms/closed-forms.md.
ClosedForm closed_form(const Cso& cso);

}  // namespace tactus
