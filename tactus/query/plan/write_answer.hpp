#pragma once

#include "tactus/narrow/pair/convex_pair.hpp"
#include "tactus/narrow/pair/manifold.hpp"
#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// The answer of two cores, given in A's frame, in the world. Written where it is wanted: a copy
/// would wait for its parts. `r`: as it is made.
void write_result(const ConvexAnswer& answer, const Pose& pose_a, Method method, DistanceResult& r);

/// Hands a patch, given in the frame of a body, to the caller. `normal`: world.
void emit(ManifoldSink& sink, const Patch& patch, const Vec3& normal, const Pose& pose);

/// The witnesses of an answer in the world, as a patch of one point.
void put_witness(const DistanceResult& r, Manifold& out);

/// Hands the witnesses of an answer in the world to the caller, as a patch of one point.
void emit_witness(const PairContext& pair, const DistanceResult& r);

/// Fills in all that the caller asked for beyond the result of two cores: certificate and contact
/// patch. `epa` holds the surface that proves a depth by faces, else it may be null.
void fill_extras(const PairContext& pair, const Cso& cso, const ConvexAnswer& answer,
                 const Epa* epa);

/// Derivatives at the witnesses; `smooth` where these are the only ones.
void fill_derivatives(const DistanceResult& r, const Pose& pose_a, const Pose& pose_b,
                      Derivatives& out);

/// The last step of a trace: direction and witnesses of the answer in A's frame, its bracket as one
/// of the cores.
void report_answer(const PairContext& pair, const DistanceResult& r);

}  // namespace tactus::detail
