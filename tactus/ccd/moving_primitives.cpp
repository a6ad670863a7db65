#include "tactus/ccd/moving_primitives.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

double reach_of(const Vec3* x, int count) {
  double most = 0.0;
  for (int i = 0; i < count; ++i) most = std::max(most, max_abs(x[i]));
  return most;
}

Vec3 between(const Vec3& x, const Vec3& y, double s, double t) { return x * s + y * t; }

double clamped(double x) { return x < 0.0 ? 0.0 : (x > 1.0 ? 1.0 : x); }

double ratio(double x, double y) { return y > 0.0 ? clamped(x / y) : 0.0; }

// Nearest point of a triangle by the regions of its corners and edges (ericson2004rtcd, 5.1.5).
Vec3 nearest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0.0 && d2 <= 0.0) return {1.0, 0.0, 0.0};
  const double d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0.0 && d4 <= d3) return {0.0, 1.0, 0.0};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    const double t = ratio(d1, d1 - d3);
    return {1.0 - t, t, 0.0};
  }
  const double d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0.0 && d5 <= d6) return {0.0, 0.0, 1.0};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    const double t = ratio(d2, d2 - d6);
    return {1.0 - t, 0.0, t};
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    const double t = ratio(d4 - d3, (d4 - d3) + (d5 - d6));
    return {0.0, 1.0 - t, t};
  }
  const double sum = (va + vb) + vc;
  if (!(sum > 0.0)) return {1.0, 0.0, 0.0};
  return {va / sum, vb / sum, vc / sum};
}

// Nearest points of two segments (ericson2004rtcd, 5.1.9): parameters of a and b.
Vec3 nearest_on_edges(const PairVectors& p) {
  const Vec3 r = -p.corner[0];  // a0 - b0
  const double a = squared_norm(p.u), e = squared_norm(p.v), f = dot(p.v, r);
  if (!(a > 0.0)) return {0.0, ratio(f, e), 0.0};
  const double c = dot(p.u, r);
  if (!(e > 0.0)) return {ratio(-c, a), 0.0, 0.0};
  const double b = dot(p.u, p.v);
  const double denominator = a * e - b * b;
  double s = denominator > 0.0 ? clamped((b * f - c * e) / denominator) : 0.0;
  double t = (b * s + f) / e;
  if (t < 0.0) {
    t = 0.0;
    s = clamped(-c / a);
  } else if (t > 1.0) {
    t = 1.0;
    s = clamped((b - c) / a);
  }
  return {s, t, 0.0};
}

}  // namespace

void MovingPrimitives::place(const MovingVertexFace& m) {
  corners = 3;
  for (int i = 0; i < 3; ++i) {
    t0.corner[i] = m.face_t0[i] - m.vertex_t0;
    t1.corner[i] = m.face_t1[i] - m.vertex_t1;
  }
}

void MovingPrimitives::place(const MovingEdges& m) {
  corners = 4;
  for (int i = 0; i < 4; ++i) {
    t0.corner[i] = m.b_t0[i & 1] - m.a_t0[i >> 1];
    t1.corner[i] = m.b_t1[i & 1] - m.a_t1[i >> 1];
  }
}

void MovingPrimitives::complete(const MovingVertexFace& m) {
  span({m.face_t0[1] - m.face_t0[0], m.face_t0[2] - m.face_t0[0]},
       {m.face_t1[1] - m.face_t1[0], m.face_t1[2] - m.face_t1[0]});
}

void MovingPrimitives::complete(const MovingEdges& m) {
  span({m.a_t0[1] - m.a_t0[0], m.b_t0[1] - m.b_t0[0]},
       {m.a_t1[1] - m.a_t1[0], m.b_t1[1] - m.b_t1[0]});
}

void MovingPrimitives::span(const std::array<Vec3, 2>& at_0, const std::array<Vec3, 2>& at_1) {
  t0.u = at_0[0];
  t0.v = at_0[1];
  t1.u = at_1[0];
  t1.v = at_1[1];
  // These maxima may drop coordinates that are NaN: `is_finite` finds them.
  reach = std::max(reach_of(t0.corner, corners), reach_of(t1.corner, corners));
  reach_u = std::max(max_abs(t0.u), max_abs(t1.u));
  reach_v = std::max(max_abs(t0.v), max_abs(t1.v));
}

MovingPrimitives MovingPrimitives::of(const MovingVertexFace& m) {
  MovingPrimitives p;
  p.place(m);
  p.complete(m);
  return p;
}

MovingPrimitives MovingPrimitives::of(const MovingEdges& m) {
  MovingPrimitives p;
  p.place(m);
  p.complete(m);
  return p;
}

bool MovingPrimitives::has_finite_corners() const {
  Vec3 sum;
  for (int i = 0; i < corners; ++i) sum += t0.corner[i] + t1.corner[i];
  return std::isfinite((sum.x + sum.y) + sum.z);
}

bool MovingPrimitives::is_finite() const {
  const Vec3 sum = (t0.u + t0.v) + (t1.u + t1.v);
  return std::isfinite((sum.x + sum.y) + sum.z) && has_finite_corners();
}

PairVectors MovingPrimitives::at(double t) const {
  if (t <= 0.0) return t0;
  if (t >= 1.0) return t1;
  const double s = 1.0 - t;
  PairVectors p;
  for (int i = 0; i < corners; ++i) p.corner[i] = between(t0.corner[i], t1.corner[i], s, t);
  p.u = between(t0.u, t1.u, s, t);
  p.v = between(t0.v, t1.v, s, t);
  return p;
}

Volume volume_between(const PairVectors& s, const PairVectors& e) {
  const Vec3 n0 = cross(s.u, s.v), n2 = cross(e.u, e.v);
  const Vec3 n1 = (cross(s.u, e.v) + cross(e.u, s.v)) * 0.5;
  const Vec3 &p = s.corner[0], &q = e.corner[0];
  Volume c;
  c.b[0] = dot(p, n0);
  c.b[1] = (dot(q, n0) + 2.0 * dot(p, n1)) / 3.0;
  c.b[2] = (2.0 * dot(q, n1) + dot(p, n2)) / 3.0;
  c.b[3] = dot(q, n2);
  const double most = std::fmax(squared_norm(n0), std::fmax(squared_norm(n1), squared_norm(n2)));
  c.widest = std::sqrt(most) * (1.0 + 1e-12);
  return c;
}

Vec3 nearest_weights(const PairVectors& p, int corners) {
  return corners == 3 ? nearest_on_triangle(p.corner[0], p.corner[1], p.corner[2])
                      : nearest_on_edges(p);
}

Vec3 point_of(const PairVectors& p, int corners, const Vec3& w) {
  if (corners == 3) return p.corner[0] * w.x + (p.corner[1] * w.y + p.corner[2] * w.z);
  return (p.corner[0] - p.u * w.x) + p.v * w.y;
}

}  // namespace tactus::detail
