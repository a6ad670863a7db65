#include "tactus/narrow/difference/curvature.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::detail {
namespace {

// Below this the squares of an ellipsoid's radii underflow: it counts as a point.
constexpr double kLeastLength = 1e-140;

}  // namespace

PieceCurvature piece_curvature(const Core& core, Core::Piece piece, const TangentFrame& frame) {
  PieceCurvature r;
  const Vec3& n = frame.n;
  if (core.kind == CoreKind::ellipsoid) {
    // D = diag(r^2): the second derivative is D / |r n| - (D n)(D n)^T / |r n|^3.
    const Vec3 square = component_product(core.half, core.half);
    const Vec3 grown = component_product(square, n);
    r.length = norm(component_product(core.half, n));
    if (!(r.length > kLeastLength)) {
      r.point = piece_support(core, piece, n);
      return r;
    }
    const double scale = 1.0 / r.length;
    r.gradient = grown * scale;
    r.point = r.gradient - n * core.shrink;
    r.stretch = max_abs(core.half);
    const double gx = dot(r.gradient, frame.x);
    const double gy = dot(r.gradient, frame.y);
    const Vec3 dx = component_product(square, frame.x);
    r.form = {(dot(dx, frame.x) - gx * gx) * scale, (dot(dx, frame.y) - gx * gy) * scale,
              (dot(component_product(square, frame.y), frame.y) - gy * gy) * scale};
    return r;
  }
  // The support point runs along the rim, r / |across| per radian.
  const double radius = core.half.x;
  const double across = std::sqrt(n.x * n.x + n.y * n.y);
  const bool top = core.kind == CoreKind::cylinder && piece == 0;
  const double z = top ? core.half.z : -core.half.z;
  r.length = radius * across;
  r.stretch = radius;
  if (!(across > 0.0)) {
    r.point = {radius, 0.0, z};
    r.form.xx = r.form.yy = std::numeric_limits<double>::infinity();
    return r;
  }
  const double ux = n.x / across, uy = n.y / across;
  r.point = {radius * ux, radius * uy, z};
  r.gradient = {r.point.x, r.point.y, 0.0};
  const double along_x = ux * frame.x.y - uy * frame.x.x;
  const double along_y = ux * frame.y.y - uy * frame.y.x;
  const double speed = radius / across;
  r.form = {speed * (along_x * along_x), speed * (along_x * along_y), speed * (along_y * along_y)};
  return r;
}

}  // namespace tactus::detail
