#include "tactus/bvh/volumes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tactus/core/constants.hpp"

namespace tactus::detail::bvh {
namespace {

// Single precision, per unit of the largest length that enters a bound: a chain of some ten
// roundings of 2^-24 each, with a margin of five.
constexpr double kSlack = 50.0 / 16777216.0;
// Above, squares of single precision overflow: no bound is better than 0 then.
constexpr double kLargest = 1e18;
// Below, squares of what is longer than the slack lose digits to underflow: no bound either.
constexpr double kSmallest = 1e-13;
// Squared length below which a direction has lost digits to underflow.
constexpr float kShortest = std::numeric_limits<float>::min();
// Half extents are widened by this part of the largest one: axes of single precision are not quite
// perpendicular.
constexpr double kWiden = 4.0 / 8388608.0;

// To the nearest float. Volatile, because g++ 12 from -O2 on, vectorising straight-line code, takes
// two numbers that go to single precision and back for unchanged.
float narrow(double x) {
  const volatile float f = static_cast<float>(x);
  return f;
}
// The next float above.
float above(double x) {
  const float f = narrow(x);
  return static_cast<double>(f) < x ? std::nextafterf(f, std::numeric_limits<float>::infinity())
                                    : f;
}
float below(double x) { return -above(-x); }

using namespace four_floats;

float squared_sum(Float4 x) { return sum_of_three(x * x)[0]; }

double bounded(float squared, float slack) {
  const float d = std::sqrt(squared) - slack;
  return d > 0.0f ? static_cast<double>(d) : 0.0;
}

struct Extents {
  Vec3 low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
           std::numeric_limits<double>::infinity()};
  Vec3 high{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
            -std::numeric_limits<double>::infinity()};
  void add(const Vec3& p) {
    low = component_min(low, p);
    high = component_max(high, p);
  }
};

constexpr double kDiagonal = 0.57735026918962576451;
constexpr double kDopAxes[7][3] = {{1, 0, 0},
                                   {0, 1, 0},
                                   {0, 0, 1},
                                   {kDiagonal, kDiagonal, kDiagonal},
                                   {kDiagonal, kDiagonal, -kDiagonal},
                                   {kDiagonal, -kDiagonal, kDiagonal},
                                   {-kDiagonal, kDiagonal, kDiagonal}};

// The largest gap between the slabs of `a` and the box of `b`, whose middle lies at `center` and
// whose half edges are the columns of `edges`, both in a's frame.
double slab_gap(const Dop14& a, const Vec3& center, const Mat3& edges) {
  double gap = 0.0;
  for (int i = 0; i < 7; ++i) {
    const Vec3 axis = Dop14::axis(i);
    const Vec3 along = component_abs(transpose_times(edges, axis));
    const double reach = (along.x + along.y) + along.z;
    const double middle = dot(axis, center);
    gap = std::max(gap, std::max(static_cast<double>(a.low[i]) - (middle + reach),
                                 (middle - reach) - static_cast<double>(a.high[i])));
  }
  return gap;
}

struct DopBox {
  Vec3 center, half;
  explicit DopBox(const Dop14& d) {
    for (int i = 0; i < 3; ++i) {
      center[i] = 0.5 * (static_cast<double>(d.low[i]) + static_cast<double>(d.high[i]));
      half[i] = 0.5 * (static_cast<double>(d.high[i]) - static_cast<double>(d.low[i]));
    }
  }
};

}  // namespace

Placement::Placement(const Mat3& rotation_of_b, const Vec3& between_middles, double reach_a,
                     double reach_b)
    : rotation(rotation_of_b), translation(between_middles) {
  const auto rounded = [](const Vec3& v) {
    return Float4{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0.0f};
  };
  for (int i = 0; i < 3; ++i) {
    column[i] = rounded(rotation.column(i));
    row[i] = rounded(rotation.row[i]);
  }
  shift = rounded(translation);
  const double size = norm(translation) + (reach_a + reach_b);
  slack = size > kSmallest && size < kLargest ? above(kSlack * size)
                                              : std::numeric_limits<float>::infinity();
}

void Placement::ask_up_to(double bound) {
  // Two floats more: what is taken off must leave the bound itself.
  const float sum = static_cast<float>(bound) + slack;
  enough = sum + sum * (2.0f * std::numeric_limits<float>::epsilon());
}

OrientedBox OrientedBox::fit(const PointRange& range) {
  OrientedBox box;
  Vec3 axis[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      box.axis[i][j] = narrow(range.axes(i, j));
      axis[i][j] = static_cast<double>(box.axis[i][j]);
    }
  }
  Extents e;
  range.each_point(
      [&](const Vec3& p) { e.add({dot(axis[0], p), dot(axis[1], p), dot(axis[2], p)}); });
  const Vec3 middle = (e.low + e.high) * 0.5;
  Vec3 center;
  for (int i = 0; i < 3; ++i) center += axis[i] * middle[i];
  for (int i = 0; i < 3; ++i) {
    box.center[i] = narrow(center[i]);
    center[i] = static_cast<double>(box.center[i]);
  }
  Vec3 half;
  for (int i = 0; i < 3; ++i) {
    const double at = dot(axis[i], center);
    half[i] = std::max(e.high[i] - at, at - e.low[i]);
  }
  // Coordinates along axes that are not quite perpendicular.
  const double widen = kWiden * max_abs(half);
  for (int i = 0; i < 3; ++i) box.axis[i][3] = above(half[i] + widen);
  return box;
}

AlignedBox AlignedBox::fit(const PointRange& range) {
  Extents e;
  range.each_point([&](const Vec3& p) { e.add(p); });
  AlignedBox box;
  for (int i = 0; i < 3; ++i) {
    box.center[i] = narrow(0.5 * (e.low[i] + e.high[i]));
    const auto at = static_cast<double>(box.center[i]);
    box.half[i] = above(std::max(e.high[i] - at, at - e.low[i]));
  }
  return box;
}

double lower_bound(const AlignedBox& a, const AlignedBox& b, const Placement& p) {
  const Float4 half_a{a.half[0], a.half[1], a.half[2], 0.0f};
  const Float4 half_b{b.half[0], b.half[1], b.half[2], 0.0f};
  const Float4 t = (((p.column[0] * all(b.center[0]) + p.column[1] * all(b.center[1])) +
                     p.column[2] * all(b.center[2])) +
                    p.shift) -
                   Float4{a.center[0], a.center[1], a.center[2], 0.0f};
  Float4 c0 = p.column[0], c1 = p.column[1], c2 = p.column[2], none{};
  const Float4 reach_b = (absolute(c0) * all(half_b[0]) + absolute(c1) * all(half_b[1])) +
                         absolute(c2) * all(half_b[2]);
  const Float4 gap_a = positive((absolute(t) - half_a) - reach_b);
  transpose(c0, c1, c2, none);
  const Float4 t_b = (c0 * all(t[0]) + c1 * all(t[1])) + c2 * all(t[2]);
  const Float4 reach_a = (absolute(c0) * all(half_a[0]) + absolute(c1) * all(half_a[1])) +
                         absolute(c2) * all(half_a[2]);
  const Float4 gap_b = positive((absolute(t_b) - half_b) - reach_a);
  return bounded(std::max(squared_sum(gap_a), squared_sum(gap_b)), p.slack);
}

Ball Ball::fit(const PointRange& range) {
  Extents e;
  range.each_point([&](const Vec3& p) { e.add(p); });
  Ball ball;
  Vec3 center;
  for (int i = 0; i < 3; ++i) {
    ball.center[i] = narrow(0.5 * (e.low[i] + e.high[i]));
    center[i] = static_cast<double>(ball.center[i]);
  }
  double most = 0.0;
  range.each_point([&](const Vec3& p) { most = std::max(most, squared_norm(p - center)); });
  ball.radius = above(std::sqrt(most) * (1.0 + 4.0 * kEpsilon));
  return ball;
}

double lower_bound(const Ball& a, const Ball& b, const Placement& p) {
  const Float4 t = (((p.column[0] * all(b.center[0]) + p.column[1] * all(b.center[1])) +
                     p.column[2] * all(b.center[2])) +
                    p.shift) -
                   Float4{a.center[0], a.center[1], a.center[2], 0.0f};
  const float d = (std::sqrt(squared_sum(t)) - (a.radius + b.radius)) - p.slack;
  return d > 0.0f ? static_cast<double>(d) : 0.0;
}

Vec3 Dop14::axis(int i) { return {kDopAxes[i][0], kDopAxes[i][1], kDopAxes[i][2]}; }

Dop14 Dop14::fit(const PointRange& range) {
  double low[7], high[7];
  for (int i = 0; i < 7; ++i) {
    low[i] = std::numeric_limits<double>::infinity();
    high[i] = -low[i];
  }
  range.each_point([&](const Vec3& p) {
    for (int i = 0; i < 7; ++i) {
      const double at = dot(axis(i), p);
      low[i] = std::min(low[i], at);
      high[i] = std::max(high[i], at);
    }
  });
  Dop14 dop;
  for (int i = 0; i < 7; ++i) {
    dop.low[i] = below(low[i]);
    dop.high[i] = above(high[i]);
  }
  return dop;
}

double lower_bound(const Dop14& a, const Dop14& b, const Placement& p) {
  const DopBox box_a(a), box_b(b);
  const Vec3 from_a = p.rotation * box_b.center + p.translation;
  const Vec3 from_b = transpose_times(p.rotation, box_a.center - p.translation);
  const Mat3 edges_b = p.rotation * Mat3::diagonal(box_b.half);
  const Mat3 edges_a = transpose(p.rotation) * Mat3::diagonal(box_a.half);
  const double gap = std::max(slab_gap(a, from_a, edges_b), slab_gap(b, from_b, edges_a)) -
                     static_cast<double>(p.slack);
  return gap > 0.0 ? gap : 0.0;
}

SweptRectangle SweptRectangle::fit(const PointRange& range) {
  SweptRectangle swept;
  Vec3 axis[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      swept.axis[i][j] = narrow(range.axes(i, j));
      axis[i][j] = static_cast<double>(swept.axis[i][j]);
    }
  }
  const auto along = [&](const Vec3& p) {
    return Vec3{dot(axis[0], p), dot(axis[1], p), dot(axis[2], p)};
  };
  Extents e;
  range.each_point([&](const Vec3& p) { e.add(along(p)); });
  // As thick as the points are along the normal; a point near the middle of that thickness may lie
  // beyond the edge by the radius.
  const double radius = 0.5 * (e.high.z - e.low.z), middle = 0.5 * (e.low.z + e.high.z);
  const auto room_at = [&](double z) {
    return std::sqrt(std::max(radius * radius - (z - middle) * (z - middle), 0.0));
  };
  Extents r;
  range.each_point([&](const Vec3& p) {
    const Vec3 q = along(p);
    if (q.x >= r.low.x && q.x <= r.high.x && q.y >= r.low.y && q.y <= r.high.y) return;
    const double room = room_at(q.z);
    r.low.x = std::min(r.low.x, q.x + room);
    r.high.x = std::max(r.high.x, q.x - room);
    r.low.y = std::min(r.low.y, q.y + room);
    r.high.y = std::max(r.high.y, q.y - room);
  });
  // All within the radius of a line.
  for (int i = 0; i < 2; ++i) {
    if (r.low[i] > r.high[i]) r.low[i] = r.high[i] = 0.5 * (r.low[i] + r.high[i]);
  }
  // Points beyond both edges of a corner: it is moved out along the diagonal.
  range.each_point([&](const Vec3& p) {
    const Vec3 q = along(p);
    const double x = std::max(q.x - r.high.x, r.low.x - q.x);
    const double y = std::max(q.y - r.high.y, r.low.y - q.y);
    if (!(x > 0.0 && y > 0.0)) return;
    const double room = room_at(q.z);
    if (x * x + y * y <= room * room) return;
    const double across = x - y;
    const double out =
        0.5 * ((x + y) - std::sqrt(std::max(2.0 * room * room - across * across, 0.0)));
    (q.x > r.high.x ? r.high.x : r.low.x) += q.x > r.high.x ? out : -out;
    (q.y > r.high.y ? r.high.y : r.low.y) += q.y > r.high.y ? out : -out;
  });
  const double at[3] = {0.5 * (r.low.x + r.high.x), 0.5 * (r.low.y + r.high.y), middle};
  Vec3 center;
  for (int i = 0; i < 3; ++i) center += axis[i] * at[i];
  for (int i = 0; i < 3; ++i) {
    swept.center[i] = narrow(center[i]);
    center[i] = static_cast<double>(swept.center[i]);
  }
  Vec3 half{0.5 * (r.high.x - r.low.x), 0.5 * (r.high.y - r.low.y), 0.0};
  for (int i = 0; i < 2; ++i) {
    swept.axis[i][3] = above(half[i]);
    half[i] = static_cast<double>(swept.axis[i][3]);
  }
  // Whatever the steps above rounded: how far the farthest point is from a point of the rectangle.
  double most = 0.0;
  range.each_point([&](const Vec3& p) {
    const Vec3 from = p - center;
    const double x = std::clamp(dot(axis[0], from), -half.x, half.x);
    const double y = std::clamp(dot(axis[1], from), -half.y, half.y);
    most = std::max(most, squared_norm(from - axis[0] * x - axis[1] * y));
  });
  // Rounding of a point's distance from the rectangle, relative to its size and distance from 0.
  const double rounding = 8.0 * kEpsilon;
  swept.axis[2][3] =
      above((std::sqrt(most) + rounding * (max_abs(half) + max_abs(center))) * (1.0 + rounding));
  return swept;
}

double lower_bound(const SweptRectangle& a, const SweptRectangle& b, const Placement& p) {
  const Float4 row0 = load(b.axis[0]), row1 = load(b.axis[1]);
  const auto turned = [&](Float4 v) {
    return (p.column[0] * all(v[0]) + p.column[1] * all(v[1])) + p.column[2] * all(v[2]);
  };
  Float4 ax = load(a.axis[0]), ay = load(a.axis[1]), az = load(a.axis[2]), sides{};
  transpose(ax, ay, az, sides);
  const auto along_a = [&](Float4 v) { return (ax * all(v[0]) + ay * all(v[1])) + az * all(v[2]); };
  // From here on all is in the frame of A's axes about A's middle: B's sides, and its middle.
  const Float4 b0 = along_a(turned(row0)), b1 = along_a(turned(row1));
  const Float4 t = along_a((turned(load_three(b.center)) + p.shift) - load_three(a.center));
  const Float4 half_a{sides[0], sides[1], 0.0f, 0.0f}, half_b{row0[3], row1[3], 0.0f, 0.0f};
  const float radii = sides[2] + b.axis[2][3];
  const Float4 reach_b = absolute(b0) * all(half_b[0]) + absolute(b1) * all(half_b[1]);
  const auto bound = [&](float gap) {
    const float d = (gap - radii) - p.slack;
    return d > 0.0f ? static_cast<double>(d) : 0.0;
  };
  const float to_box = std::sqrt(squared_sum(positive((absolute(t) - half_a) - reach_b)));
  if (to_box - radii >= p.enough) return bound(to_box);
  // Nearest points by turns, which soon point nearly from one rectangle to the other where they are
  // nearest; how far they are apart along that direction is a bound whatever it is.
  Float4 bx = b0, by = b1, bz{}, none{};
  transpose(bx, by, bz, none);
  const auto along_b = [&](Float4 v) { return (bx * all(v[0]) + by * all(v[1])) + bz * all(v[2]); };
  const auto of_b = [&](Float4 from_middle) {
    const Float4 at = within(along_b(from_middle), half_b);
    return (t + b0 * all(at[0])) + b1 * all(at[1]);
  };
  const Float4 at_b = of_b(within(of_b(-t), half_a) - t);
  const Float4 apart = at_b - within(at_b, half_a);
  const float square = squared_sum(apart);
  if (square < kShortest) return bound(to_box);
  const Float4 terms = (apart * t - half_a * absolute(apart)) - half_b * absolute(along_b(apart));
  return bound(std::max(to_box, ((terms[0] + terms[1]) + terms[2]) / std::sqrt(square)));
}

}  // namespace tactus::detail::bvh
