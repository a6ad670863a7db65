#include "tactus/mesh/hull/quickhull.hpp"

#include <cmath>
#include <numeric>

#include "tactus/core/cancellation.hpp"
#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

// Coordinates are at most 1, so those of a difference at most 2; twice that pays for the rounding
// of the bound.
constexpr double kLargestDifference = 4.0;

}  // namespace

Quickhull::Quickhull(std::span<const Vec3> points, HullSurface surface, HullObserver* observer)
    : points_(points),
      surface_(std::move(surface)),
      waiting_(points.size(), kNoIndex),
      lists_(surface_.slots()),
      observer_(observer) {}

void Quickhull::deal(std::span<const std::uint32_t> waiting,
                     std::span<const std::uint32_t> triangles) {
  planes_.clear();
  for (const std::uint32_t t : triangles) planes_.push_back(plane(t));
  for (const std::uint32_t point : waiting) deal_to_planes(point, triangles);
}

void Quickhull::run() {
  // Last in, first out: neighbours are worked on one after the other, while they are in the cache.
  // Triangles on the stack may have been removed, or emptied, meanwhile.
  std::vector<std::uint32_t> stack;
  for (std::uint32_t t = 0; t < lists_.size(); ++t) {
    if (lists_[t].first != kNoIndex) stack.push_back(t);
  }
  while (!stack.empty()) {
    const std::uint32_t t = stack.back();
    stack.pop_back();
    if (lists_[t].first == kNoIndex || !grow_at(t)) continue;
    for (const std::uint32_t made : surface_.cone()) {
      if (lists_[made].first != kNoIndex) stack.push_back(made);
    }
  }
}

Quickhull::Plane Quickhull::plane(std::uint32_t t) const {
  const auto& [a, b, c] = surface_[t].corner;
  const Vec3 u = points_[b] - points_[a], v = points_[c] - points_[a];
  const Vec3 s = component_abs(u), r = component_abs(v);
  const double terms = (s.y * r.z + s.z * r.y) + (s.z * r.x + s.x * r.z) + (s.x * r.y + s.y * r.x);
  return {points_[a], cross(u, v), kOrient3dError * kLargestDifference * terms};
}

// Six times the volume between triangle and point, rounded, but positive exactly when the point
// sees the triangle. Where its sign is clear, it is the determinant that orient3d computes.
double Quickhull::height(std::uint32_t t, const Plane& plane, std::uint32_t point) const {
  const double determinant = dot(plane.normal, points_[point] - plane.origin);
  if (std::fabs(determinant) > plane.error) return determinant;
  if (!sees(points_, surface_[t], points_[point])) return 0.0;
  return std::fmax(determinant, std::numeric_limits<double>::min());
}

void Quickhull::deal_to_planes(std::uint32_t point, std::span<const std::uint32_t> triangles) {
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const double h = height(triangles[i], planes_[i], point);
    if (!(h > 0.0)) continue;
    List& list = lists_[triangles[i]];
    if (h > list.farthest_height) {
      list.farthest_height = h;
      list.farthest = point;
    }
    (list.first == kNoIndex ? list.first : waiting_[list.last]) = point;
    list.last = point;
    waiting_[point] = kNoIndex;
    return;
  }
}

bool Quickhull::grow_at(std::uint32_t start) {
  end_if_cancelled();
  const std::uint32_t apex = lists_[start].farthest;
  if (!surface_.find_visible(points_, start, points_[apex])) return false;
  if (observer_ != nullptr) observer_->found(*this, start, apex);
  surface_.grow(apex);
  lists_.resize(surface_.slots());
  planes_.clear();
  for (const std::uint32_t t : surface_.cone()) planes_.push_back(plane(t));
  for (const std::uint32_t t : surface_.visible()) {
    for (std::uint32_t p = lists_[t].first; p != kNoIndex;) {
      const std::uint32_t following = waiting_[p];
      if (p != apex) deal_to_planes(p, surface_.cone());
      p = following;
    }
    lists_[t] = List{};
  }
  if (observer_ != nullptr) observer_->grown(*this, apex);
  return true;
}

std::vector<HullTriangle> quickhull(std::span<const Vec3> points,
                                    const std::array<std::uint32_t, 4>& simplex,
                                    HullObserver* observer) {
  Quickhull hull(points, HullSurface(points.size(), simplex), observer);
  std::vector<std::uint32_t> all(points.size());
  std::iota(all.begin(), all.end(), 0u);
  constexpr std::array<std::uint32_t, 4> kFirst = {0, 1, 2, 3};
  hull.deal(all, kFirst);
  if (observer != nullptr) observer->begin(hull);
  hull.run();
  std::vector<std::uint32_t> renumbered;
  return hull.surface().compact(renumbered);
}

}  // namespace tactus::detail
