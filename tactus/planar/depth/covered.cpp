#include "tactus/planar/depth/covered.hpp"

#include <algorithm>

#include "tactus/core/constants.hpp"
#include "tactus/planar/region/edges.hpp"

namespace tactus::detail {
namespace {

// Points that are asked before the edges: all corners of small regions.
constexpr std::size_t kAskedFirst = 128;
// So many edges are asked sooner one by one than by their tree.
constexpr std::size_t kFewEdges = 32;

Box2 moved(const Box2& box, const Vec2& way) { return {box.low + way, box.high + way}; }

Box2 grown(const Box2& box, double by) { return {box.low - Vec2{by, by}, box.high + Vec2{by, by}}; }

}  // namespace

Covered::Covered(const Boundary& a, const Boundary& b, double scale)
    : a_(a), b_(b), inside_a_(a), inside_b_(b), scale_(scale) {
  // Where there are many corners, some from all around are asked first.
  const std::size_t step = 1 + (a.size() + b.size() - 1) / kAskedFirst;
  is_small_ = step == 1;
  for (const Boundary* side : {&b, &a}) {
    for (std::size_t i = 0; i < side->size(); i += step)
      asked_first_.push_back({side->points[i], side == &a});
  }
}

bool Covered::operator()(const Vec2& total, double error) {
  const double margin = 2.0 * error + 16.0 * kUnit * scale_;
  if (first_cover(0, total, margin)) return true;
  if (is_small_ && !has_middles_) {
    const std::size_t corners = asked_first_.size();
    add_all_middles(asked_first_);
    if (first_cover(corners, total, margin)) return true;
  }
  if (edges_cross(total, margin) || (!is_small_ && corners_cover(total, margin)) ||
      common_probe(total, margin)) {
    return true;
  }
  return !is_small_ && middles_cover(total, margin);
}

bool Covered::covers(const Inner& p, const Vec2& total, double margin) {
  ++work_;
  return p.of_a ? inside_b_.holds(p.point - total, margin)
                : inside_a_.holds(p.point + total, margin);
}

bool Covered::first_cover(std::size_t first, const Vec2& total, double margin) {
  for (std::size_t k = first; k < asked_first_.size(); ++k) {
    if (!covers(asked_first_[k], total, margin)) continue;
    const auto at = asked_first_.begin() + static_cast<std::ptrdiff_t>(k);
    std::rotate(asked_first_.begin(), at, at + 1);
    return true;
  }
  return false;
}

bool Covered::middles_cover(const Vec2& total, double margin) {
  if (!has_middles_) add_all_middles(middles_);
  for (const Inner& p : middles_) {
    if (!covers(p, total, margin)) continue;
    remember(p);
    return true;
  }
  return false;
}

// In the place of the one that has been of no use for longest.
void Covered::remember(const Inner& p) {
  asked_first_.pop_back();
  asked_first_.insert(asked_first_.begin(), p);
}

bool Covered::corners_cover(const Vec2& total, double margin) {
  const auto any = [&](const Boundary& corners, const Boundary& other, const Vec2& way, bool of_a) {
    return corners.tree.visit(
        [&](const Box2& node) { return moved(node, way).meets(other.tree.box()); },
        [&](std::size_t i) {
          const Inner p{corners.points[i], of_a};
          if (!covers(p, total, margin)) return false;
          remember(p);
          return true;
        });
  };
  return any(b_, a_, total, false) || any(a_, b_, -total, true);
}

void Covered::add_all_middles(std::vector<Inner>& to) {
  has_middles_ = true;
  add_middles(b_, inside_b_, false, to);
  add_middles(a_, inside_a_, true, to);
}

// Half way from the middle of each edge to what lies opposite. Where edges of both bodies lie on
// one another, corners lie on edges and prove nothing.
void Covered::add_middles(const Boundary& boundary, const DeepInside& inside, bool of_a,
                          std::vector<Inner>& to) const {
  for (std::size_t i = 0; i < boundary.size(); ++i) {
    const Vec2 u = boundary.end(i) - boundary.start(i), inwards{-u.y, u.x};
    const Vec2 middle = (boundary.start(i) + boundary.end(i)) * 0.5;
    const double way = way_through(boundary, i, middle, inwards);
    const Vec2 point = middle + inwards * (0.5 * way / dot(u, u));
    if (inside.holds(point, 16.0 * kUnit * scale_)) to.push_back({point, of_a});
  }
}

// The way along `inwards`, in units of its length, to the first edge that it meets.
double Covered::way_through(const Boundary& boundary, std::size_t edge, const Vec2& middle,
                            const Vec2& inwards) const {
  double way = kInfinity;
  // Rounding of products of `inwards` and differences of coordinates, with a margin.
  const double slack = 64.0 * kUnit * scale_ * (std::fabs(inwards.x) + std::fabs(inwards.y));
  const auto bound = [&](const Box2& box) {
    const Vec2 half = (box.high - box.low) * 0.5, to = (box.low + box.high) * 0.5 - middle;
    const double aside = std::fabs(inwards.x) * half.y + std::fabs(inwards.y) * half.x;
    const double along = std::fabs(inwards.x) * half.x + std::fabs(inwards.y) * half.y;
    const double ahead = dot(inwards, to);
    if (std::fabs(cross(inwards, to)) > aside + slack || ahead + along < -slack) return kInfinity;
    return ahead - along - slack;
  };
  const auto meet = [&](std::size_t k) {
    const Vec2 p = boundary.start(k) - middle, q = boundary.end(k) - middle;
    const double left = cross(inwards, p), right = cross(inwards, q);
    if (k == edge || (left > 0.0) == (right > 0.0)) return;
    const double part = left / (left - right);
    const double ahead = dot(inwards, p + (q - p) * part);
    if (ahead > 0.0) way = std::fmin(way, ahead);
  };
  if (boundary.size() <= kFewEdges) {
    for (std::size_t k = 0; k < boundary.size(); ++k) meet(k);
  } else {
    boundary.tree.search(bound, [&] { return way; }, meet);
  }
  return way;
}

bool Covered::edges_cross(const Vec2& total, double margin) const {
  const auto cross_by_far = [&](std::size_t i, std::size_t j) {
    const Vec2 q0 = b_.start(j) + total, q1 = b_.end(j) + total, v = q1 - q0;
    const Vec2 p0 = a_.start(i), p1 = a_.end(i), u = p1 - p0;
    const double v_margin = margin * norm(v), u_margin = margin * norm(u);
    const double a0 = cross(v, p0 - q0), a1 = cross(v, p1 - q0);
    if (!(std::fabs(a0) > v_margin && std::fabs(a1) > v_margin && (a0 > 0.0) != (a1 > 0.0)))
      return false;
    const double b0 = cross(u, q0 - p0), b1 = cross(u, q1 - p0);
    return std::fabs(b0) > u_margin && std::fabs(b1) > u_margin && (b0 > 0.0) != (b1 > 0.0);
  };
  return a_.tree.visit_pairs(
      b_.tree, [&](const Box2& box) { return moved(box, total); },
      [&](std::size_t first_a, std::size_t end_a, std::size_t first_b, std::size_t end_b) {
        for (std::size_t j = first_b; j < end_b; ++j) {
          for (std::size_t i = first_a; i < end_a; ++i) {
            if (cross_by_far(i, j)) return true;
          }
        }
        return false;
      });
}

// For boundaries that run along each other with the interiors on the same side.
bool Covered::common_probe(const Vec2& total, double margin) const {
  const double inset = 4.0 * margin;
  const auto any = [&](const Boundary& boundary, const Boundary& other, const Vec2& shift,
                       const Vec2& way) {
    return boundary.tree.visit(
        [&](const Box2& node) {
          return grown(moved(node, way), 2.0 * inset).meets(other.tree.box());
        },
        [&](std::size_t i) {
          const Vec2 u = boundary.end(i) - boundary.start(i);
          const Vec2 inwards = Vec2{-u.y, u.x} * (inset / norm(u));
          const Vec2 p = (boundary.start(i) + shift) + u * 0.5 + inwards;
          return inside_a_.holds(p, margin) && inside_b_.holds(p - total, margin);
        });
  };
  return any(a_, b_, {}, -total) || any(b_, a_, total, total);
}

}  // namespace tactus::detail
