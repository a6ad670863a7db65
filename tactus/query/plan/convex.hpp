#pragma once

#include "tactus/narrow/formula/closed_form.hpp"
#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// Two convex bodies: by formula where one exists, else by the method asked for. Fills the caller's
/// result, which is large beside the cost of a formula. Ends a trace with the answer; leaves
/// derivatives to the caller.
void answer_convex(const PairContext& pair, DistanceResult& r);

/// Fills in all that the caller asked for beyond the result of a closed form: contacts,
/// certificate. `form` is in world axes, seen from A's origin, and `r` its answer.
void fill_formula_extras(const PairContext& pair, const ClosedForm& form, const DistanceResult& r);

}  // namespace tactus::detail
