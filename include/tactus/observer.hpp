#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tactus/math.hpp"

namespace tactus {

/// Where a query stands when it tells of a step. Everything an event holds is in the frame of body
/// A.
struct SearchState {
  /// The algorithm: "newton" (steps on the direction sphere), "gjk", "epa", "sat" (axes of boxes),
  /// "ray_cast", "impact" (conservative advancement, in the frame of A at the time `lower`), those
  /// of the classic methods by their names, and "answer" for what the pair answers. A cast and an
  /// impact also tell of the distances that they ask, in the frame of A then.
  const char* stage = "";
  int iteration = 0;
  double lower = 0.0,
         upper = 0.0;  ///< bracket of the distance so far, to rounding; of a motion: of time
  /// Radii of both bodies that the step leaves out, points and bracket alike, since it looks at the
  /// cores: the bodies are nearer by so much. 0: whole bodies, as most classic methods see them.
  double radii = 0.0;
};

/// Points of A - B that a search rests on: the simplex of GJK, a face of the expanding polytope, of
/// a portal its inner point and then its corners. `points` holds for the call alone.
struct SimplexEvent {
  SearchState state;
  std::span<const Vec3> points;  ///< at most four; none in the first step of some searches
  Vec3 direction;                ///< unit, of the search
  Vec3 support;                  ///< the support point of A - B that was found there
  Vec3 support_a, support_b;     ///< the points of A and B whose difference it is
};

/// A pair of points, one of either body: witnesses, nearest points of two features.
struct SegmentEvent {
  SearchState state;
  Vec3 point_a, point_b;
  Vec3 normal;  ///< unit, from A to B, as far as it is known
  /// Corners of the two features of V-Clip: a vertex, an edge, a face. They hold for the call.
  std::span<const Vec3> feature_a, feature_b;
};

/// The expanding polytope inside A - B, before the support point of the step that follows joins it.
/// The spans hold for the call alone.
struct PolytopeEvent {
  SearchState state;
  std::span<const Vec3> points;
  /// Triangles over `points`, counter-clockwise seen from outside.
  std::span<const std::array<std::uint32_t, 3>> faces;
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
  virtual void polytope(const PolytopeEvent&) {}
};

}  // namespace tactus
