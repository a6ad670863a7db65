#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/fit.hpp"
#include "tactus/fit/box/local_frame.hpp"
#include "tactus/math/symmetric_eigen.hpp"
#include "tactus/mesh/hull/hull_lists.hpp"

namespace tactus::fit {
using namespace detail;
using namespace detail::fit;
namespace {

// A product of a point and an axis goes through a subtraction, a multiplication and two additions:
// four roundings of kEpsilon / 2, relative to the sum of the terms' sizes. Twice that.
constexpr double kDotError = 4.0 * kEpsilon;
// The axes are orthonormal up to some roundings, so that coordinates along them and products with
// them differ by this part of the box's size.
constexpr double kAxesError = 4.0 * kEpsilon;

void check(std::span<const Vec3> points) {
  if (points.empty()) throw InvalidInput("points", "must not be empty");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_finite(points[i]))
      throw InvalidInput("points[" + std::to_string(i) + "]", "must be finite");
  }
}

// The longest first, still right-handed.
void order_sides(OrientedBox& box) {
  const auto swap = [&](int i, int j) {
    if (box.half[i] >= box.half[j]) return;
    std::swap(box.axes.row[i], box.axes.row[j]);
    box.axes.row[3 - i - j] = -box.axes.row[3 - i - j];
    std::swap(box.half[i], box.half[j]);
  };
  swap(0, 1);
  swap(1, 2);
  swap(0, 1);
}

/// Sums of weighted points of which the principal axes follow.
class Moments {
 public:
  void add(const Vec3& p, double weight) {
    weight_ += weight;
    first_ += p * weight;
    second_ = second_ + outer(p, p) * weight;
  }
  // A segment or triangle of constant density: n corners weigh 1 each, and their sum as much as all
  // of them together, of n (n + 1) parts.
  void add_simplex(std::span<const Vec3> corners, double size) {
    Vec3 sum;
    const auto n = static_cast<double>(corners.size());
    const double part = size / (n * (n + 1.0));
    for (const Vec3& p : corners) {
      sum += p;
      second_ = second_ + outer(p, p) * part;
    }
    second_ = second_ + outer(sum, sum) * part;
    first_ += sum * (size / n);
    weight_ += size;
  }
  Mat3 axes() const {
    if (!(weight_ > 0.0)) return Mat3::identity();
    const Vec3 mean = first_ / weight_;
    const Mat3 covariance = second_ * (1.0 / weight_) - outer(mean, mean);
    return transpose(symmetric_eigen(covariance).vectors);
  }

 private:
  double weight_ = 0.0;
  Vec3 first_;
  Mat3 second_ = Mat3::zero();
};

OrientedBox labelled(OrientedBox box, BoxMethod method) {
  box.method = method;
  return box;
}

}  // namespace

std::string_view to_string(BoxMethod method) {
  constexpr std::string_view kNames[] = {"given axes",
                                         "principal axes of the points",
                                         "principal axes of the hull's vertices",
                                         "principal axes of the hull's surface",
                                         "search over rotations",
                                         "flush with two edges"};
  return detail::name_in(kNames, method);
}

OrientedBox box_along(std::span<const Vec3> points, const Mat3& axes) {
  check(points);
  const LocalFrame frame(points);
  OrientedBox box;
  box.axes = orthonormal(axes);
  Vec3 low = box.axes * frame.local(points[0]), high = low;
  for (const Vec3& p : points) {
    const Vec3 along = box.axes * frame.local(p);
    low = component_min(low, along);
    high = component_max(high, along);
  }
  const Vec3 shift = transpose_times(box.axes, (low + high) * 0.5);
  box.center = frame.middle + times_power(shift, frame.exponent);

  // About the centre as it has been rounded.
  Vec3 half;
  for (const Vec3& p : points) {
    const Vec3 away = times_power(p - box.center, -frame.exponent);
    const Vec3 size = component_abs(away);
    for (int i = 0; i < 3; ++i) {
      const Vec3& axis = box.axes.row[i];
      const double along = std::fabs(dot(axis, away)) + kDotError * dot(component_abs(axis), size);
      half[i] = std::fmax(half[i], along);
    }
  }
  const double margin = kAxesError * ((half.x + half.y) + half.z);
  // The last factor pays for the rounding of the additions.
  for (int i = 0; i < 3; ++i)
    box.half[i] = std::ldexp((half[i] + margin) * (1.0 + 4.0 * kEpsilon), frame.exponent);
  order_sides(box);
  return box;
}

OrientedBox box_of_points(std::span<const Vec3> points) {
  check(points);
  const LocalFrame frame(points);
  Moments moments;
  for (const Vec3& p : points) moments.add(frame.local(p), 1.0);
  return labelled(box_along(points, moments.axes()), BoxMethod::points);
}

OrientedBox box_of_hull_vertices(std::span<const Vec3> points, const ConvexHull& hull) {
  require_lists(hull);
  const LocalFrame frame(hull.vertices);
  Moments moments;
  for (const Vec3& p : hull.vertices) moments.add(frame.local(p), 1.0);
  return labelled(box_along(points, moments.axes()), BoxMethod::hull_vertices);
}

OrientedBox box_of_hull_surface(std::span<const Vec3> points, const ConvexHull& hull) {
  require_lists(hull);
  const LocalFrame frame(hull.vertices);
  const auto corner = [&](std::uint32_t i) { return frame.local(hull.vertices[i]); };
  Moments moments;
  if (hull.dimension == 1) {
    const std::array<Vec3, 2> ends = {corner(0), corner(1)};
    moments.add_simplex(ends, norm(ends[1] - ends[0]));
  }
  for (const ConvexHull::Face& face : hull.faces) {
    const auto corners = hull.corners(face);
    for (std::size_t i = 2; i < corners.size(); ++i) {
      const std::array<Vec3, 3> triangle = {corner(corners[0]), corner(corners[i - 1]),
                                            corner(corners[i])};
      moments.add_simplex(triangle,
                          norm(cross(triangle[1] - triangle[0], triangle[2] - triangle[0])));
    }
  }
  return labelled(box_along(points, moments.axes()), BoxMethod::hull_surface);
}

}  // namespace tactus::fit
