#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/shape.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/prepared_hull.hpp"

namespace tactus {
using namespace detail;
namespace {

// The ball given away stays this much (relative) below the least radius of curvature, so that the
// core keeps a positive one and rounding cannot turn it inside out.
constexpr double kShrinkMargin = 1e-6;

double absolute_sum(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

struct CoreMaker {
  Core operator()(const Sphere& s) const {
    Core c;
    c.radius = s.radius();
    return c;
  }
  Core operator()(const Box& b) const {
    Core c;
    c.kind = CoreKind::box;
    c.half = b.half();
    c.reach = absolute_sum(c.half);
    c.extent = 2.0 * max_abs(c.half);
    return c;
  }
  Core operator()(const Capsule& s) const {
    Core c;
    c.kind = CoreKind::segment;
    c.radius = s.radius();
    c.half = {0.0, 0.0, 0.5 * s.length()};
    c.reach = c.half.z;
    c.extent = s.length();
    return c;
  }
  Core operator()(const Cylinder& s) const {
    Core c;
    c.kind = CoreKind::cylinder;
    c.half = {s.radius(), s.radius(), 0.5 * s.length()};
    c.reach = s.radius() + c.half.z;
    c.extent = 2.0 * max_abs(c.half);
    return c;
  }
  Core operator()(const Cone& s) const {
    Core c;
    c.kind = CoreKind::cone;
    c.half = {s.radius(), s.radius(), 0.5 * s.length()};
    c.center = {0.0, 0.0, -0.25 * s.length()};
    c.reach = s.radius() + c.half.z;
    c.extent = 2.0 * max_abs(c.half);
    return c;
  }
  Core operator()(const Ellipsoid& e) const {
    Core c;
    const Vec3 r = e.radii();
    if (r.x == r.y && r.y == r.z) {
      c.radius = r.x;
      return c;
    }
    c.kind = CoreKind::ellipsoid;
    c.half = r;
    const double least = std::min({r.x, r.y, r.z});
    const double most = std::max({r.x, r.y, r.z});
    c.shrink = (1.0 - kShrinkMargin) * (least * (least / most));
    c.radius = c.shrink;
    c.reach = absolute_sum(r);
    c.extent = 2.0 * most;
    return c;
  }
  Core operator()(const Convex& s) const {
    Core c;
    c.kind = CoreKind::polytope;
    c.hull = &ShapeAccess::prepared(s);
    const Vec3& low = s.lower();
    const Vec3& high = s.upper();
    // The middle of the bounding box may lie outside.
    const std::vector<Vec3>& vertices = c.hull->vertices;
    for (const Vec3& v : vertices) c.center += v / static_cast<double>(vertices.size());
    c.reach = absolute_sum(component_max(component_abs(low), component_abs(high)));
    c.extent = max_abs(high - low);
    return c;
  }
  Core operator()(const CustomConvex& s) const {
    Core c;
    c.kind = CoreKind::custom;
    c.custom = &s.function();
    Vec3 low, high;
    for (int i = 0; i < 3; ++i) {
      Vec3 axis;
      axis[i] = 1.0;
      const Vec3 most = c.custom->support(axis), least = c.custom->support(-axis);
      high[i] = most[i];
      low[i] = least[i];
      c.center += (most + least) / 6.0;
    }
    c.reach = absolute_sum(component_max(component_abs(low), component_abs(high)));
    c.extent = max_abs(high - low);
    return c;
  }
  // Not convex bodies: the query layer takes them apart before.
  Core operator()(const Mesh&) const { return {}; }
  Core operator()(const HalfSpace&) const { return {}; }
  Core operator()(const Compound&) const { return {}; }
};

}  // namespace

void Shape::finish() {
  check_rounding();
  core_ = std::visit(CoreMaker{}, geometry_);
  core_.radius += rounding_;
  core_.extent += 2.0 * (core_.radius - core_.shrink);
}

}  // namespace tactus
