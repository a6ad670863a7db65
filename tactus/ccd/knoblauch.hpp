#pragma once

#include "tactus/ccd.hpp"

namespace tactus::detail {

/// The methods of the source, for comparison. Unsafe: they miss contacts (each has its
/// counter-example in docs/algorithms/continuous-collision.md) and answer false alarms of rounding.
/// A vertex and a face: a root of the volume of both, then its barycentric coordinates there.
/// `bisection`: an end of the interval [0, t] that lowers t by 0.1 until the volume has changed its
/// sign, then halves. `cardano`: all roots by formula, with the trigonometric form for three of
/// them, which the source lacks. Source: knoblauch2005, sections 3.4.1 to 3.4.3.
CcdResult knoblauch(const MovingVertexFace& motion, const CcdOptions& options);

/// Two edges: Status::unsupported and no hit. The source tests vertices against faces alone.
CcdResult knoblauch(const MovingEdges& motion, const CcdOptions& options);

}  // namespace tactus::detail
