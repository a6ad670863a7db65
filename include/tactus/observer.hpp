#pragma once

#include <span>

#include "tactus/math.hpp"

namespace tactus {

/// Where a query stands when it tells of a step. Everything an event holds is in the frame of body
/// A and of the cores: the bodies without the radii that they are grown by.
struct SearchState {
  /// The algorithm: "newton" (steps on the direction sphere), "gjk", "epa", "ray_cast", "impact",
  /// those of the classic methods by their names, and "answer" for what the pair answers.
  const char* stage = "";
  int iteration = 0;
  double lower = 0.0,
         upper = 0.0;  ///< bracket of the distance so far, to rounding; of a cast: of time
};

/// Points of A - B that a search rests on: the simplex of GJK, a face of the expanding polytope,
/// a portal. `points` holds for the call alone.
struct SimplexEvent {
  SearchState state;
  std::span<const Vec3> points;  ///< at most four; none in the first step of some searches
  Vec3 direction;                ///< unit, of the search
  Vec3 support;                  ///< the support point of A - B that was found there
};

/// A pair of points, one of either body: witnesses, nearest points of two features.
struct SegmentEvent {
  SearchState state;
  Vec3 point_a, point_b;
  Vec3 normal;  ///< unit, from A to B, as far as it is known
};

/// A direction that was evaluated: A - B lies in n.x <= offset. It separates when `offset` < 0.
struct PlaneEvent {
  SearchState state;
  Vec3 normal;  ///< unit
  double offset = 0.0;
};

/// A patch of the direction sphere that is proved: f(m) >= depth for every unit m with
/// m.axis >= cosine.
struct CapEvent {
  SearchState state;
  Vec3 axis;
  double cosine = 1.0;
  double depth = 0.0;
};

/// A ray, in the space of A - B: the origin as it moves against A - B, at `point` after `time`.
struct RayEvent {
  SearchState state;
  Vec3 point, motion;
  double time = 0.0;  ///< the bodies are apart before
};

/// Receives the steps of a query; the same observer serves debugging and drawing. Override what is
/// of interest. Observing changes neither the algorithm nor a bit of the answer.
/// @code{.cpp}
/// struct Counter : Observer {
///   int count = 0;
///   void simplex(const SimplexEvent&) override { ++count; }
/// } simplices;
/// QueryOptions options;
/// options.method = Method::gjk;
/// options.observer = &simplices;
/// distance(Cylinder(0.5, 2.0), {}, Cone(0.7, 1.5), Pose::translation({3, 0, 1}), options);
/// assert(simplices.count > 0);
/// @endcode
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void simplex(const SimplexEvent&) {}
  virtual void segment(const SegmentEvent&) {}
  virtual void plane(const PlaneEvent&) {}
  virtual void cap(const CapEvent&) {}
  virtual void ray(const RayEvent&) {}
};

}  // namespace tactus
