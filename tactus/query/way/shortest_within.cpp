#include "tactus/query/way/shortest_within.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Planes that come in before the search is given up: each makes the point longer.
constexpr int kMostSteps = 64;
// Heights are compared up to this part of the point's length: the roundings of a dot product and of
// a solution of three planes that are not nearly parallel, with a margin.
constexpr double kSame = 32.0 * kUnit;
// Determinants of unit vectors below this are lost in their rounding.
constexpr double kFlatAngle = 1e-12;

/// Planes that hold the point, with their weights.
struct Active {
  int plane[3];
  double weight[3];
  int count = 0;
  Vec3 x;
};

class Search {
 public:
  Search(std::span<const Beyond> planes, double clear) : planes_(planes), clear_(clear) {}

  ShortestWithin run(double limit) {
    ShortestWithin out;
    for (int step = 0; step < kMostSteps; ++step) {
      const int next = most_violated();
      if (next < 0) return found(out);
      Active better;
      if (!take_in(next, better)) {
        found(out);
        out.outcome = excludes(next, limit) ? ShortestWithin::Outcome::none
                                            : ShortestWithin::Outcome::unsolved;
        return out;
      }
      active_ = better;
      if (bound() > limit) {
        found(out);
        out.outcome = ShortestWithin::Outcome::none;
        return out;
      }
    }
    found(out);
    out.outcome = ShortestWithin::Outcome::unsolved;
    return out;
  }

 private:
  double height(int plane) const {
    return planes_[static_cast<std::size_t>(plane)].offset + clear_;
  }
  const Vec3& normal(int plane) const { return planes_[static_cast<std::size_t>(plane)].n; }
  double lacks(int plane, const Vec3& x) const {
    return height(plane) - dot(normal(plane), x) - kSame * (norm(x) + std::fabs(height(plane)));
  }

  int most_violated() const {
    int most = -1;
    double by = 0.0;
    for (int i = 0; i < static_cast<int>(planes_.size()); ++i) {
      const double lack = lacks(i, active_.x);
      if (lack > by) {
        by = lack;
        most = i;
      }
    }
    return most;
  }

  // The sum of the weighted normals is the point; each weight times its offset, over its length.
  double bound() const {
    double sum = 0.0;
    for (int i = 0; i < active_.count; ++i)
      sum += active_.weight[i] * planes_[static_cast<std::size_t>(active_.plane[i])].offset;
    const double length = norm(active_.x);
    return length > 0.0 ? sum / length : 0.0;
  }
  ShortestWithin& found(ShortestWithin& out) const {
    out.x = active_.x;
    out.bound = std::max(bound(), 0.0);
    return out;
  }

  // The shortest point of the given planes, by weights that are not negative.
  bool solve(Active& a) const {
    const Vec3& n0 = normal(a.plane[0]);
    const double h0 = height(a.plane[0]);
    if (a.count == 1) {
      a.weight[0] = h0;
    } else if (a.count == 2) {
      const Vec3& n1 = normal(a.plane[1]);
      const double h1 = height(a.plane[1]), g = dot(n0, n1), d = squared_norm(cross(n0, n1));
      if (!(d > kFlatAngle * kFlatAngle)) return false;
      a.weight[0] = (h0 - g * h1) / d;
      a.weight[1] = (h1 - g * h0) / d;
    } else {
      const Vec3 &n1 = normal(a.plane[1]), &n2 = normal(a.plane[2]);
      const double h1 = height(a.plane[1]), h2 = height(a.plane[2]);
      const Vec3 c0 = cross(n1, n2), c1 = cross(n2, n0), c2 = cross(n0, n1);
      const double det = dot(n0, c0);
      if (!(std::fabs(det) > kFlatAngle)) return false;
      const Vec3 x = (c0 * h0 + c1 * h1 + c2 * h2) / det;
      a.weight[0] = dot(x, c0) / det;
      a.weight[1] = dot(x, c1) / det;
      a.weight[2] = dot(x, c2) / det;
    }
    a.x = {};
    for (int i = 0; i < a.count; ++i) {
      if (!(a.weight[i] >= 0.0) || !std::isfinite(a.weight[i])) return false;
      a.x += normal(a.plane[i]) * a.weight[i];
    }
    return true;
  }

  // The solution of the new plane and up to two of the active ones that keeps to all of these.
  bool take_in(int next, Active& better) const {
    const int n = active_.count;
    for (int set = 0; set < 1 << n; ++set) {
      Active a;
      a.plane[a.count++] = next;
      for (int i = 0; i < n; ++i) {
        if ((set & 1 << i) == 0) continue;
        if (a.count == 3) {
          a.count = 4;
          break;
        }
        a.plane[a.count++] = active_.plane[i];
      }
      if (a.count > 3 || !solve(a)) continue;
      bool kept = true;
      for (int i = 0; i < n && kept; ++i) kept = !(lacks(active_.plane[i], a.x) > 0.0);
      if (!kept) continue;
      better = a;
      return true;
    }
    return false;
  }

  // Do the new plane and the active ones leave nothing that is as short as the limit? With weights
  // for which the normals nearly cancel, the offsets must exceed what is left of them.
  bool excludes(int next, double limit) const {
    const Vec3 goal = -normal(next);
    const int n = active_.count;
    for (int set = 1; set < 1 << n; ++set) {
      Vec3 left = goal;
      double sum = planes_[static_cast<std::size_t>(next)].offset;
      Vec3 m[3];
      double h[3];
      int count = 0;
      for (int i = 0; i < n; ++i) {
        if ((set & 1 << i) == 0) continue;
        m[count] = normal(active_.plane[i]);
        h[count++] = planes_[static_cast<std::size_t>(active_.plane[i])].offset;
      }
      double w[3] = {};
      if (count == 1) {
        w[0] = dot(goal, m[0]);
      } else if (count == 2) {
        const double g = dot(m[0], m[1]), d = squared_norm(cross(m[0], m[1]));
        if (!(d > kFlatAngle)) continue;
        const double p = dot(goal, m[0]), q = dot(goal, m[1]);
        w[0] = (p - g * q) / d;
        w[1] = (q - g * p) / d;
      } else {
        const double det = dot(m[0], cross(m[1], m[2]));
        if (!(std::fabs(det) > kFlatAngle)) continue;
        w[0] = dot(goal, cross(m[1], m[2])) / det;
        w[1] = dot(goal, cross(m[2], m[0])) / det;
        w[2] = dot(goal, cross(m[0], m[1])) / det;
      }
      bool positive = true;
      double size = std::fabs(sum);
      for (int i = 0; i < count; ++i) {
        positive = positive && w[i] >= 0.0;
        left -= m[i] * w[i];
        sum += w[i] * h[i];
        size += std::fabs(w[i] * h[i]);
      }
      if (positive && sum > norm(left) * limit + kSame * (size + limit)) return true;
    }
    return false;
  }

  std::span<const Beyond> planes_;
  double clear_;
  Active active_;
};

}  // namespace

ShortestWithin shortest_within(std::span<const Beyond> planes, double clear, double limit) {
  return Search(planes, clear).run(std::min(limit, kInfinity));
}

}  // namespace tactus::detail
