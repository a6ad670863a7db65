#include "tests/oracle/convex_difference.hpp"

#include <algorithm>
#include <limits>

namespace tactus::detail::oracle {
namespace {

// Roundings of one evaluation: rotation to the body and back, support, the differences; each at
// most one unit.
constexpr Real kRoundings = 32;
// Vertices within this part of the reach of the farthest, found in double, are compared again in
// extended precision.
constexpr double kDoubleSlack = 1e-14;
constexpr std::size_t kSmallHull = 24;

Real sign(Real x) { return x < 0 ? Real(-1) : Real(1); }

}  // namespace

PlacedCore::PlacedCore(const Body& body, const ExtendedRotation& rotation)
    : type_(body.type), rotation_(rotation), radius_(body.rounding) {
  const Real half_length = Real(body.length) / 2;
  switch (type_) {
    case ShapeType::sphere:
      radius_ += body.radius;
      break;
    case ShapeType::capsule:
      radius_ += body.radius;
      size_ = {0, 0, half_length};
      break;
    case ShapeType::cylinder:
    case ShapeType::cone:
      size_ = {body.radius, body.radius, half_length};
      break;
    case ShapeType::box:
      size_ = Point(body.size) * Real(0.5);
      break;
    case ShapeType::ellipsoid:
      size_ = Point(body.size);
      break;
    default:
      for (const Vec3& p : body.points) {
        points_.emplace_back(Real(p.x) * body.scale.x, Real(p.y) * body.scale.y,
                             Real(p.z) * body.scale.z);
        x_.push_back(static_cast<double>(points_.back().x));
        y_.push_back(static_cast<double>(points_.back().y));
        z_.push_back(static_cast<double>(points_.back().z));
        reach_ = std::max(reach_, norm(points_.back()));
      }
      return;
  }
  reach_ = norm(size_);
}

Point PlacedCore::support(const Point& direction) const {
  return rotation_.times(local_support(rotation_.transpose_times(direction)));
}

Point PlacedCore::local_support(const Point& d) const {
  switch (type_) {
    case ShapeType::sphere:
      return {};
    case ShapeType::capsule:
      return {0, 0, sign(d.z) * size_.z};
    case ShapeType::box:
      return {sign(d.x) * size_.x, sign(d.y) * size_.y, sign(d.z) * size_.z};
    case ShapeType::ellipsoid: {
      const Point p{d.x * size_.x, d.y * size_.y, d.z * size_.z};
      const Real length = norm(p);
      return {p.x * size_.x / length, p.y * size_.y / length, p.z * size_.z / length};
    }
    case ShapeType::cylinder:
    case ShapeType::cone: {
      const Real across = std::sqrt(d.x * d.x + d.y * d.y);
      const Point rim = across > 0 ? Point{d.x / across * size_.x, d.y / across * size_.y, 0}
                                   : Point{size_.x, 0, 0};
      if (type_ == ShapeType::cylinder) return {rim.x, rim.y, sign(d.z) * size_.z};
      const bool apex = d.z * size_.z >= size_.x * across - d.z * size_.z;
      return apex ? Point{0, 0, size_.z} : Point{rim.x, rim.y, -size_.z};
    }
    default:
      return farthest_vertex(d);
  }
}

Point PlacedCore::farthest_vertex(const Point& d) const {
  const auto farthest_of = [&](const auto& is_candidate) {
    std::size_t best = 0;
    Real best_value = -std::numeric_limits<Real>::infinity();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (!is_candidate(i)) continue;
      const Real value = dot(points_[i], d);
      if (value > best_value) {
        best_value = value;
        best = i;
      }
    }
    return points_[best];
  };
  if (points_.size() <= kSmallHull) return farthest_of([](std::size_t) { return true; });

  const auto dx = static_cast<double>(d.x), dy = static_cast<double>(d.y),
             dz = static_cast<double>(d.z);
  const auto rounded = [&](std::size_t i) { return x_[i] * dx + y_[i] * dy + z_[i] * dz; };
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < x_.size(); ++i) best = std::max(best, rounded(i));
  const double least = best - kDoubleSlack * static_cast<double>(reach_);
  return farthest_of([&](std::size_t i) { return rounded(i) >= least; });
}

Real ConvexDifference::rounding() const {
  return kRoundings * std::numeric_limits<Real>::epsilon() * reach();
}

}  // namespace tactus::detail::oracle
