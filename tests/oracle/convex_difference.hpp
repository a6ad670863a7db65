#pragma once

#include <vector>

#include "tests/oracle/body.hpp"

namespace tactus::detail::oracle {

/// One convex body, placed, split into a core and a radius around it.
class PlacedCore {
 public:
  PlacedCore(const Body& body, const ExtendedRotation& rotation);

  /// Farthest point of the core in a world direction, relative to the body's origin, world axes.
  Point support(const Point& direction) const;
  Real radius() const { return radius_; }
  Real reach() const { return reach_; }  ///< no point of the core is farther from the body's origin

 private:
  Point local_support(const Point& d) const;
  Point farthest_vertex(const Point& d) const;

  ShapeType type_;
  ExtendedRotation rotation_;
  Real radius_ = 0, reach_ = 0;
  Point size_;  // half edges, radii, or (radius, -, half length)
  std::vector<Point> points_;
  std::vector<double> x_, y_, z_;  // the same, rounded: finds the candidates fast
};

/// The core difference A - B of two convex bodies: f(n) and its support points.
class ConvexDifference {
 public:
  ConvexDifference(const PlacedCore& a, const PlacedCore& b, const Point& offset)
      : a_(a), b_(b), offset_(offset) {}

  Point support(const Point& n) const { return a_.support(n) - b_.support(-n) - offset_; }
  Real radius() const { return a_.radius() + b_.radius(); }
  /// Bound of the rounding errors of n.support(n) and of any combination of support points.
  Real rounding() const;
  Real reach() const { return a_.reach() + b_.reach() + norm(offset_); }

 private:
  const PlacedCore& a_;
  const PlacedCore& b_;
  Point offset_;  // t_b - t_a
};

}  // namespace tactus::detail::oracle
