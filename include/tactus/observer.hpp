#pragma once

#include "tactus/math.hpp"

namespace tactus {

/// What an iterative query did in one step, in the frame of body A.
struct TraceStep {
  const char* algorithm = "";  ///< "gjk", "epa", ...; "answer" for what the pair answers
  int iteration = 0;
  Vec3 direction;  ///< unit search direction
  Vec3 support;    ///< support point of A - B found there
  Vec3 simplex[4];
  int simplex_size = 0;
  double lower = 0.0, upper = 0.0;  ///< bracket of the signed distance of the cores so far
};

/// Receives the steps of a query; the same sink serves debugging and drawing.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void step(const TraceStep& step) = 0;
};

}  // namespace tactus
