#pragma once

#include "tactus/core/random.hpp"
#include "tactus/io/json/query_line.hpp"

namespace tactus::detail::fuzz {

/// Moves B along the normal of the answer so that the distance becomes `gap`; of an open mesh, the
/// one without a sign.
void approach(io::Query& query, double gap);

/// Makes the query a cast, or an impact where bodies turn: towards each other, in touch at the
/// start, in touch at the end, sliding along each other, grazing in passing, or by quarters of
/// `unit`. May move B. `unit`: the length of such motions.
void draw_motion(io::Query& query, double unit, bool turning, Random& random);

}  // namespace tactus::detail::fuzz
