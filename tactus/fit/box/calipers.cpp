#include "tactus/fit/box/calipers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/fit/box/local_frame.hpp"

namespace tactus::detail::fit {
namespace {

// How much smaller a volume must be to count, relative to it: more than a bound is off by as a
// rule, which is some roundings of the body's length for each width.
constexpr double kGain = 1e-12;
constexpr double kNoise = 2e-15;
// Worst relative rounding of a volume, for each 1 of slimness (longest side by shortest): fifty
// roundings of 2^-53 of the length for each of three widths.
constexpr double kRounding = 150.0 * 0x1p-53;
// Cosines below this are zero: normals are off by some ulps.
constexpr double kNoCosine = 4e-15;
// Normals along an edge turn by less than 45 degrees in one arc.
constexpr double kWideArc = 0.70710678;
// An interval whose ends are as near as rounding is not cut any more.
constexpr double kNarrow = 1e-15;
constexpr std::size_t kGrain = 8;

/// Outward normals of the planes that touch the body along an edge, or a part of them: from `first`
/// to `last`, with one of the edge's ends.
struct Arc {
  Vec3 first, last, corner;
};

void append_arcs(const Vec3& first, const Vec3& last, const Vec3& corner, std::vector<Arc>& arcs) {
  if (dot(first, last) > kWideArc) {
    arcs.push_back({first, last, corner});
    return;
  }
  const Vec3 middle = normalized(first + last);
  append_arcs(first, middle, corner, arcs);
  append_arcs(middle, last, corner, arcs);
}

std::vector<Arc> arcs_of(const ConvexHull& hull, const HullWidths& widths) {
  std::vector<Arc> arcs;
  arcs.reserve(hull.edges.size());
  for (const ConvexHull::Edge& edge : hull.edges) {
    const Vec3& left = hull.faces[edge.left].normal;
    const Vec3& right = hull.faces[edge.right].normal;
    const Vec3& corner = widths.vertices()[edge.tail];
    if (dot(left, right) >= 0.0) {
      append_arcs(left, right, corner, arcs);
      continue;
    }
    // A quarter turn from the left face, away from it: the normals may be opposite up to rounding.
    const Vec3 along = widths.vertices()[edge.head] - corner;
    const Vec3 quarter = normalized(cross(along, left));
    append_arcs(left, quarter, corner, arcs);
    append_arcs(quarter, right, corner, arcs);
  }
  return arcs;
}

/// Boxes whose first two normals are along (1 - t) first[i] + t last[i], 0 <= t <= 1, perpendicular
/// for every t.
struct Family {
  std::array<Vec3, 2> first, last;

  Family half(bool second) const {
    Family part = *this;
    for (std::size_t i = 0; i < 2; ++i)
      (second ? part.first : part.last)[i] = (first[i] + last[i]) * 0.5;
    return part;
  }
  bool narrow() const {
    for (std::size_t i = 0; i < 2; ++i) {
      const double size = std::fmax(max_abs(first[i]), max_abs(last[i]));
      if (max_abs(last[i] - first[i]) > kNarrow * size) return false;
    }
    return true;
  }
};

// The boxes with one face on the edge of arc a and the next on that of arc b. With c the cosines
// between the arcs' ends, normals at t along a and s along b are perpendicular where
// (1 - s) f(t) + s g(t) = 0, f and g linear: s is there where f and g differ in sign.
class PairOfArcs {
 public:
  PairOfArcs(const Arc& a, const Arc& b) : a_(a), b_(b) {
    f_[0] = cosine(a.first, b.first);
    f_[1] = cosine(a.last, b.first);
    g_[0] = cosine(a.first, b.last);
    g_[1] = cosine(a.last, b.last);
  }

  bool empty() const {
    const double low = std::min(std::min(f_[0], f_[1]), std::min(g_[0], g_[1]));
    const double high = std::max(std::max(f_[0], f_[1]), std::max(g_[0], g_[1]));
    return low > 0.0 || high < 0.0;
  }

  template <class Visit>
  void each_family(Visit&& visit) const {
    // Where one normal is perpendicular to a whole arc, up to rounding, that arc is a family.
    if (f_[0] == 0.0 && g_[0] == 0.0) visit(Family{{a_.first, b_.first}, {a_.first, b_.last}});
    if (f_[1] == 0.0 && g_[1] == 0.0) visit(Family{{a_.last, b_.first}, {a_.last, b_.last}});
    if (f_[0] == 0.0 && f_[1] == 0.0) visit(Family{{a_.first, b_.first}, {a_.last, b_.first}});
    if (g_[0] == 0.0 && g_[1] == 0.0) visit(Family{{a_.first, b_.last}, {a_.last, b_.last}});
    // Ends that are perpendicular, which no interval may hold.
    if (f_[0] == 0.0) visit(Family{{a_.first, b_.first}, {a_.first, b_.first}});
    if (f_[1] == 0.0) visit(Family{{a_.last, b_.first}, {a_.last, b_.first}});
    if (g_[0] == 0.0) visit(Family{{a_.first, b_.last}, {a_.first, b_.last}});
    if (g_[1] == 0.0) visit(Family{{a_.last, b_.last}, {a_.last, b_.last}});

    std::array<double, 4> t = {0.0, root(f_), root(g_), 1.0};
    if (t[1] > t[2]) std::swap(t[1], t[2]);
    for (std::size_t i = 0; i < 3; ++i) {
      const double middle = 0.5 * (t[i] + t[i + 1]);
      if (t[i] < t[i + 1] && at(f_, middle) * at(g_, middle) < 0.0) visit(between(t[i], t[i + 1]));
    }
  }

 private:
  static double cosine(const Vec3& u, const Vec3& v) {
    const double c = dot(u, v);
    return std::fabs(c) > kNoCosine ? c : 0.0;
  }
  static double at(const std::array<double, 2>& f, double t) { return (1.0 - t) * f[0] + t * f[1]; }
  // Where f changes its sign, or an end.
  static double root(const std::array<double, 2>& f) {
    if ((f[0] < 0.0) == (f[1] < 0.0)) return 0.0;
    return f[0] / (f[0] - f[1]);
  }

  Family between(double t0, double t1) const {
    const auto a = [&](double t) { return a_.first * (1.0 - t) + a_.last * t; };
    // Between roots, both weights keep their signs, so that they are linear in t.
    const auto b = [&](double t) {
      return b_.first * std::fabs(at(g_, t)) + b_.last * std::fabs(at(f_, t));
    };
    Family family{{a(t0), b(t0)}, {a(t1), b(t1)}};
    // With both weights zero at one end, the normal does not turn at all.
    const double size_first = max_abs(family.first[1]), size_last = max_abs(family.last[1]);
    if (size_first < kNarrow * size_last) family.first[1] = family.last[1];
    if (size_last < kNarrow * size_first) family.last[1] = family.first[1];
    return family;
  }

  const Arc &a_, &b_;
  std::array<double, 2> f_{}, g_{};
};

// Polynomials over an interval by their Bernstein coefficients: between the least and the largest.
using Linear = std::array<double, 2>;
using Quadratic = std::array<double, 3>;
using Quartic = std::array<double, 5>;

Quadratic product(const Linear& p, const Linear& q) {
  return {p[0] * q[0], 0.5 * (p[0] * q[1] + p[1] * q[0]), p[1] * q[1]};
}
Quartic product(const Quadratic& p, const Quadratic& q) {
  return {p[0] * q[0], 0.5 * (p[0] * q[1] + p[1] * q[0]),
          ((p[0] * q[2] + p[2] * q[0]) + 4.0 * (p[1] * q[1])) / 6.0,
          0.5 * (p[1] * q[2] + p[2] * q[1]), p[2] * q[2]};
}

/// Searches families for less volume than it has.
class Search {
 public:
  Search(const HullWidths& widths, const Turn& start, double gain)
      : widths_(widths), best_(start), kept_(1.0 - gain) {}

  const Turn& best() const { return best_; }

  void look_at(const Family& family, const Vec3& corner_a, const Vec3& corner_b) {
    if (!may_gain(family, corner_a, corner_b)) return;
    try_turn(family.first);
    try_turn(family.last);
    // Each half of what may still gain; depth first, so that the list stays short.
    open_.assign(1, family);
    while (!open_.empty()) {
      const Family next = open_.back();
      open_.pop_back();
      if (next.narrow()) continue;
      for (const bool second : {true, false}) {
        const Family part = next.half(second);
        if (may_gain(part, corner_a, corner_b)) open_.push_back(part);
      }
    }
  }

 private:
  void try_turn(const std::array<Vec3, 2>& normals) {
    const Turn turn = widths_.turn({{normals[0], normals[1], {}}});
    if (turn.volume < best_.volume) best_ = turn;
  }

  // Can the family hold a box smaller than the best one? The farthest corners in its middle bound
  // the widths from below everywhere: w_i >= d_i . m_i / |m_i|, with m linear (the third, their
  // cross product, quadratic) in t. Also tries the box in the middle.
  bool may_gain(const Family& family, const Vec3& corner_a, const Vec3& corner_b) {
    const Vec3 middle_a = family.first[0] + family.last[0];
    const Vec3 middle_b = family.first[1] + family.last[1];
    const Vec3 middle_c = cross(middle_a, middle_b);
    const Vec3 across_a = corner_a - widths_.farthest(-middle_a);
    const Vec3 across_b = corner_b - widths_.farthest(-middle_b);
    const Vec3 across_c = widths_.across(middle_c);
    const double squares = squared_norm(middle_a) * squared_norm(middle_b);
    const double volume =
        (dot(across_a, middle_a) * dot(across_b, middle_b)) * dot(across_c, middle_c);
    if (volume < best_.volume * squares) try_turn({middle_a, middle_b});

    const Vec3 &a0 = family.first[0], &a1 = family.last[0];
    const Vec3 &b0 = family.first[1], &b1 = family.last[1];
    const Linear width_a = {dot(across_a, a0), dot(across_a, a1)};
    const Linear width_b = {dot(across_b, b0), dot(across_b, b1)};
    const Quadratic width_c = {dot(across_c, cross(a0, b0)),
                               0.5 * (dot(across_c, cross(a0, b1)) + dot(across_c, cross(a1, b0))),
                               dot(across_c, cross(a1, b1))};
    if (!(width_a[0] > 0.0 && width_a[1] > 0.0 && width_b[0] > 0.0 && width_b[1] > 0.0 &&
          width_c[0] > 0.0 && width_c[1] > 0.0 && width_c[2] > 0.0))
      return true;
    const Quartic widths = product(product(width_a, width_b), width_c);
    const Quartic lengths = product(Quadratic{squared_norm(a0), dot(a0, a1), squared_norm(a1)},
                                    Quadratic{squared_norm(b0), dot(b0, b1), squared_norm(b1)});
    const double enough = best_.volume * kept_;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] < enough * lengths[i]) return true;
    }
    return false;
  }

  const HullWidths& widths_;
  Turn best_;
  double kept_;
  std::vector<Family> open_;
};

}  // namespace

FlushSearch search_flush(const ConvexHull& hull, const HullWidths& widths, const Turn& start) {
  const Vec3 sides = {dot(widths.across(start.axes.row[0]), start.axes.row[0]),
                      dot(widths.across(start.axes.row[1]), start.axes.row[1]),
                      dot(widths.across(start.axes.row[2]), start.axes.row[2])};
  const double slimness = max_abs(sides) / std::min(std::min(sides.x, sides.y), sides.z);
  const double gain = kGain + kNoise * slimness;
  const std::vector<Arc> arcs = arcs_of(hull, widths);
  // Each chunk searches on its own, so that what it leaves out does not depend on the others.
  std::vector<Turn> found((arcs.size() + kGrain - 1) / kGrain);
  parallel_for(arcs.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    Search search(widths, start, gain);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const PairOfArcs pair(arcs[i], arcs[j]);
        if (pair.empty()) continue;
        pair.each_family(
            [&](const Family& family) { search.look_at(family, arcs[i].corner, arcs[j].corner); });
      }
    }
    found[begin / kGrain] = search.best();
  });
  const Turn best = *std::min_element(
      found.begin(), found.end(), [](const Turn& x, const Turn& y) { return x.volume < y.volume; });
  return {best, best.volume * (1.0 - gain - kRounding * slimness)};
}

Mat3 flush_rectangle(const ConvexHull& hull, const HullWidths& widths, const Vec3& normal) {
  Mat3 best = orthonormal({{normal, any_perpendicular(normal), {}}});
  double least = std::numeric_limits<double>::infinity();
  for (const ConvexHull::Edge& edge : hull.edges) {
    const Vec3 along = widths.vertices()[edge.head] - widths.vertices()[edge.tail];
    const Vec3 in_plane = along - normal * dot(normal, along);
    // An edge across the plane has no direction in it.
    if (squared_norm(in_plane) <= 0.25 * squared_norm(along)) continue;
    const Mat3 axes = orthonormal({{normal, in_plane, {}}});
    const double area =
        dot(widths.across(axes.row[1]), axes.row[1]) * dot(widths.across(axes.row[2]), axes.row[2]);
    if (area < least) {
      least = area;
      best = axes;
    }
  }
  return best;
}

}  // namespace tactus::detail::fit
