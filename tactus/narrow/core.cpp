#include "tactus/narrow/core.hpp"

#include <algorithm>
#include <cmath>

namespace tactus {
namespace {

// The ball given away stays this much (relative) below the least radius of curvature, so that the
// core keeps a positive one and rounding cannot turn it inside out.
constexpr double kShrinkMargin = 1e-6;
// Hulls with more vertices are climbed along edges, smaller ones scanned: a scan of 48 vertices
// costs about as much as the five to eight steps of a climb.
constexpr std::size_t kScanVertices = 48;

double absolute_sum(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

std::uint32_t scan(const std::vector<Vec3>& vertices, const Vec3& n) {
  std::uint32_t best = 0;
  double best_value = dot(vertices[0], n);
  for (std::uint32_t i = 1; i < vertices.size(); ++i) {
    const double value = dot(vertices[i], n);
    if (value > best_value) {
      best_value = value;
      best = i;
    }
  }
  return best;
}

// Steepest ascent over hull edges. Every step gains, so it ends.
std::uint32_t climb(const ConvexHull& hull, const Vec3& n, std::uint32_t start) {
  std::uint32_t best = start < hull.vertices.size() ? start : 0;
  double best_value = dot(hull.vertices[best], n);
  for (bool moved = true; moved;) {
    moved = false;
    for (const std::uint32_t next : hull.neighbors_of(best)) {
      const double value = dot(hull.vertices[next], n);
      if (value > best_value) {
        best_value = value;
        best = next;
        moved = true;
      }
    }
  }
  return best;
}

Vec3 box_corner(const Vec3& half, Core::Piece piece) {
  return {(piece & 1u) ? -half.x : half.x, (piece & 2u) ? -half.y : half.y,
          (piece & 4u) ? -half.z : half.z};
}

// Farthest point of the circle of radius r at height z; its centre's neighbour on +x when n is the
// axis.
Vec3 rim_point(double r, double z, const Vec3& n) {
  const double across = std::sqrt(n.x * n.x + n.y * n.y);
  if (!(across > 0.0)) return {r, 0.0, z};
  return {r * (n.x / across), r * (n.y / across), z};
}

Vec3 ellipsoid_point(const Core& core, const Vec3& n) {
  const Vec3 scaled = component_product(core.half, n);
  const double length = norm(scaled);
  return component_product(core.half, scaled) / length - n * core.shrink;
}

// True when the apex of a cone is farther along n than its rim.
bool apex_wins(const Vec3& half, const Vec3& n) {
  return 2.0 * half.z * n.z > half.x * std::sqrt(n.x * n.x + n.y * n.y);
}

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
    c.hull = &s.hull();
    const Vec3& low = s.lower();
    const Vec3& high = s.upper();
    c.center = low * 0.5 + high * 0.5;
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
      high[i] = c.custom->support(axis)[i];
      low[i] = c.custom->support(-axis)[i];
    }
    c.center = low * 0.5 + high * 0.5;
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

Core make_core(const Shape& shape) {
  Core core = std::visit(CoreMaker{}, shape.geometry());
  core.radius += shape.rounding();
  core.extent += 2.0 * (core.radius - core.shrink);
  return core;
}

bool has_disc(const Core& core, int side) {
  return core.kind == CoreKind::cylinder || (core.kind == CoreKind::cone && side < 0);
}

CorePoint support(const Core& core, const Vec3& n, Core::Piece hint) {
  switch (core.kind) {
    case CoreKind::point:
      return {};
    case CoreKind::segment:
      return n.z >= 0.0 ? CorePoint{{0.0, 0.0, core.half.z}, 0}
                        : CorePoint{{0.0, 0.0, -core.half.z}, 1};
    case CoreKind::box: {
      const Core::Piece piece =
          (n.x >= 0.0 ? 0u : 1u) | (n.y >= 0.0 ? 0u : 2u) | (n.z >= 0.0 ? 0u : 4u);
      return {box_corner(core.half, piece), piece};
    }
    case CoreKind::polytope: {
      const ConvexHull& hull = *core.hull;
      const bool small = hull.vertices.size() <= kScanVertices;
      const std::uint32_t vertex = small ? scan(hull.vertices, n) : climb(hull, n, hint);
      return {hull.vertices[vertex], vertex};
    }
    case CoreKind::cylinder: {
      const Core::Piece piece = n.z >= 0.0 ? 0u : 1u;
      return {rim_point(core.half.x, piece == 0 ? core.half.z : -core.half.z, n), piece};
    }
    case CoreKind::cone:
      if (apex_wins(core.half, n)) return {{0.0, 0.0, core.half.z}, 0};
      return {rim_point(core.half.x, -core.half.z, n), 1};
    case CoreKind::ellipsoid:
      return {ellipsoid_point(core, n), 0};
    case CoreKind::custom:
      return {core.custom->support(n), 0};
  }
  return {};
}

double support_value(const Core& core, const Vec3& n) {
  if (core.kind == CoreKind::polytope)
    return dot(core.hull->vertices[scan(core.hull->vertices, n)], n);
  return dot(support(core, n).point, n);
}

PiecePoint piece_support(const Core& core, Core::Piece piece, const Vec3& n) {
  PiecePoint result{{}, Mat3::zero()};
  const auto rim = [&](double z) {
    const double r = core.half.x;
    result.point = rim_point(r, z, n);
    const double across = std::sqrt(n.x * n.x + n.y * n.y);
    if (across > 0.0) {
      const Vec3 tangent{-n.y / across, n.x / across, 0.0};
      result.derivative = outer(tangent, tangent) * (r / across);
    }
  };
  switch (core.kind) {
    case CoreKind::point:
      break;
    case CoreKind::segment:
      result.point = {0.0, 0.0, piece == 0 ? core.half.z : -core.half.z};
      break;
    case CoreKind::box:
      result.point = box_corner(core.half, piece);
      break;
    case CoreKind::polytope:
      result.point = core.hull->vertices[piece];
      break;
    case CoreKind::cylinder:
      rim(piece == 0 ? core.half.z : -core.half.z);
      break;
    case CoreKind::cone:
      if (piece == 0) {
        result.point = {0.0, 0.0, core.half.z};
      } else {
        rim(-core.half.z);
      }
      break;
    case CoreKind::ellipsoid: {
      // s(n) = D n / |r n| with D = diag(r^2): ds/dn = D / |r n| - (D n)(D n)^T / |r n|^3, and the
      // given-away ball takes off shrink * (I - n n^T).
      const Vec3 scaled = component_product(core.half, n);
      const double length = norm(scaled);
      const Vec3 grown = component_product(core.half, scaled) / length;
      result.point = grown - n * core.shrink;
      result.derivative = Mat3::diagonal(component_product(core.half, core.half) / length) -
                          outer(grown, grown) * (1.0 / length) -
                          (Mat3::identity() - outer(n, n)) * core.shrink;
      break;
    }
    case CoreKind::custom:
      result.point = core.custom->support(n);
      break;
  }
  return result;
}

}  // namespace tactus
