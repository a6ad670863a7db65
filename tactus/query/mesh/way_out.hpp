#pragma once

#include <algorithm>
#include <limits>

#include "tactus/math.hpp"
#include "tactus/mesh/surface/triangle_meet.hpp"

namespace tactus::detail {

/// Ways out to try: unit vectors, none twice, as many as there is room for.
struct Directions {
  static constexpr int kCapacity = 64;
  // Directions whose cosine exceeds this are one.
  static constexpr double kSame = 1.0 - 1e-14;
  Vec3 n[kCapacity];
  int count = 0;

  void add(const Vec3& direction) {
    const Vec3 unit = normalized(direction, {});
    if (!(squared_norm(unit) > 0.0) || !is_finite(unit) || count == kCapacity) return;
    for (int i = 0; i < count; ++i) {
      if (dot(n[i], unit) > kSame) return;
    }
    n[count++] = unit;
  }
  void add_both(const Vec3& direction) {
    add(direction);
    add(-direction);
  }
  void add_normal(const Triangle& t) {
    add_both(cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]));
  }
};

/// Farthest coordinate of a triangle along n.
inline double high_of(const Triangle& t, const Vec3& n) {
  return std::max(dot(n, t.corner[0]), std::max(dot(n, t.corner[1]), dot(n, t.corner[2])));
}

/// A translation that separates: `length` along `n`. Infinite: none is known yet.
struct WayOut {
  double length = std::numeric_limits<double>::infinity();
  Vec3 n;
};

/// The shortest translation among those along the given directions, until one is as short as
/// `enough`. `whole(n)` separates whatever meets; `local(n)` those parts that meet now;
/// `meets_at(shift, n)` says how far what still meets after a shift reaches along n, zero or less
/// when it proved that nothing does, infinite when it could not tell. Lengths are made longer by
/// `clear`.
template <class Whole, class Local, class Meets>
WayOut find_way_out(const Directions& directions, const Whole& whole, const Local& local,
                    const Meets& meets_at, double clear, double enough) {
  // Directions along which the way out is followed through what meets, and how often.
  constexpr int kFollowed = 8, kSteps = 4;
  struct Way {
    double length;
    int index;
  };
  Way ways[Directions::kCapacity];
  for (int i = 0; i < directions.count; ++i) ways[i] = {local(directions.n[i]) + clear, i};
  std::sort(ways, ways + directions.count, [](const Way& x, const Way& y) {
    return x.length != y.length ? x.length < y.length : x.index < y.index;
  });
  WayOut out;
  for (int i = 0; i < std::min(directions.count, kFollowed); ++i) {
    const Vec3& n = directions.n[ways[i].index];
    double length = std::max(ways[i].length, clear);
    for (int step = 0; step < kSteps && length < out.length; ++step) {
      const double more = meets_at(n * length, n);
      if (!(more > 0.0)) {
        out = {length, n};
        break;
      }
      length += more + clear;
    }
    if (out.length <= enough) return out;
  }
  for (int i = 0; i < directions.count; ++i) {
    const double length = whole(directions.n[i]) + clear;
    if (length < out.length) out = {length, directions.n[i]};
  }
  return out;
}

}  // namespace tactus::detail
