#include "tactus/ccd/wide_primitives.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

Wide difference(double a, double b) {
  const TwoTerms d = two_difference(a, b);
  return {d.high, d.low};
}

WideVec3 difference(const Vec3& a, const Vec3& b) {
  return {difference(a.x, b.x), difference(a.y, b.y), difference(a.z, b.z)};
}

WideVectors vectors(const Vec3& vertex, const Vec3 (&face)[3]) {
  WideVectors w;
  for (std::size_t i = 0; i < 3; ++i) w.corner[i] = difference(face[i], vertex);
  w.u = difference(face[1], face[0]);
  w.v = difference(face[2], face[0]);
  return w;
}

WideVectors vectors(const Vec3 (&a)[2], const Vec3 (&b)[2]) {
  WideVectors w;
  for (std::size_t i = 0; i < 4; ++i) w.corner[i] = difference(b[i & 1u], a[i >> 1u]);
  w.u = difference(a[1], a[0]);
  w.v = difference(b[1], b[0]);
  return w;
}

}  // namespace

WidePrimitives::WidePrimitives(const MovingVertexFace& m)
    : t0(vectors(m.vertex_t0, m.face_t0)), t1(vectors(m.vertex_t1, m.face_t1)) {}

WidePrimitives::WidePrimitives(const MovingEdges& m)
    : t0(vectors(m.a_t0, m.b_t0)), t1(vectors(m.a_t1, m.b_t1)), corners(4) {}

WideVectors WidePrimitives::at(double t) const {
  const Wide end{t, 0.0}, start = difference(1.0, t);
  const auto between = [&](const WideVec3& x, const WideVec3& y) { return x * start + y * end; };
  WideVectors w;
  for (std::size_t i = 0; i < static_cast<std::size_t>(corners); ++i)
    w.corner[i] = between(t0.corner[i], t1.corner[i]);
  w.u = between(t0.u, t1.u);
  w.v = between(t0.v, t1.v);
  return w;
}

Volume volume_between(const WideVectors& s, const WideVectors& e) {
  const WideVec3 n0 = cross(s.u, s.v), n2 = cross(e.u, e.v);
  const WideVec3 twice_n1 = cross(s.u, e.v) + cross(e.u, s.v);
  const WideVec3 &p = s.corner[0], &q = e.corner[0];
  Volume c;
  c.b[0] = dot(p, n0).rounded();
  c.b[1] = (dot(q, n0) + dot(p, twice_n1)).rounded() / 3.0;
  c.b[2] = (dot(q, twice_n1) + dot(p, n2)).rounded() / 3.0;
  c.b[3] = dot(q, n2).rounded();
  c.widest = 0.0;
  return c;
}

}  // namespace tactus::detail
