#include "tactus/soft/contact/nearest.hpp"

namespace tactus::detail {
namespace {

double clamp01(double t) { return t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t); }

/// Weight of q of the point of the segment (p, q) that is nearest to the origin.
double along(const Vec3& p, const Vec3& q) {
  const Vec3 e = q - p;
  const double length = squared_norm(e);
  return length > 0.0 ? clamp01(-dot(p, e) / length) : 0.0;
}

}  // namespace

NearestWeights nearest_vertex_face(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 p = b - a, q = c - a, r = d - a;
  const Vec3 u = q - p, v = r - p;
  const double d1 = -dot(u, p), d2 = -dot(v, p);
  if (d1 <= 0.0 && d2 <= 0.0) return {{1.0, -1.0, 0.0, 0.0}};
  const double d3 = -dot(u, q), d4 = -dot(v, q);
  if (d3 >= 0.0 && d4 <= d3) return {{1.0, 0.0, -1.0, 0.0}};
  const double d5 = -dot(u, r), d6 = -dot(v, r);
  if (d6 >= 0.0 && d5 <= d6) return {{1.0, 0.0, 0.0, -1.0}};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    const double t = along(p, q);
    return {{1.0, t - 1.0, -t, 0.0}};
  }
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    const double t = along(p, r);
    return {{1.0, t - 1.0, 0.0, -t}};
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    const double t = along(q, r);
    return {{1.0, 0.0, t - 1.0, -t}};
  }
  const double sum = (va + vb) + vc;
  const double s = vb / sum, t = vc / sum;
  return {{1.0, -(1.0 - s - t), -s, -t}};
}

NearestWeights nearest_edges(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = d - c, r = a - c;
  const double uu = squared_norm(u), vv = squared_norm(v), vr = dot(v, r);
  double s = 0.0, t = 0.0;
  if (!(uu > 0.0)) {
    t = vv > 0.0 ? clamp01(vr / vv) : 0.0;
  } else if (!(vv > 0.0)) {
    s = clamp01(-dot(u, r) / uu);
  } else {
    const double ur = dot(u, r), uv = dot(u, v);
    const double determinant = uu * vv - uv * uv;
    // Nearly parallel: any point will do to begin with.
    s = determinant > 1e-14 * uu * vv ? clamp01((uv * vr - ur * vv) / determinant) : 0.5;
    t = (uv * s + vr) / vv;
    if (t < 0.0) {
      t = 0.0;
      s = clamp01(-ur / uu);
    } else if (t > 1.0) {
      t = 1.0;
      s = clamp01((uv - ur) / uu);
    }
  }
  return {{1.0 - s, s, t - 1.0, -t}};
}

}  // namespace tactus::detail
