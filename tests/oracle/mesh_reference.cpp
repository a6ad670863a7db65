#include "tests/oracle/mesh_reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace tactus::detail::oracle {
namespace {

using lab::Point;
using lab::Real;

using Corners = std::array<Point, 3>;

constexpr Real kEpsilon = std::numeric_limits<Real>::epsilon();
// Squared distances of points are off by some roundings of the lengths' square, so that distances
// are by some roundings of the lengths where they are as long, and by no more than the square root
// of that at all.
constexpr Real kRoundings = 256;

Point placed(const Pose& pose, const Vec3& v) {
  const Mat3& r = pose.rotation();
  const Point x(r.column(0)), y(r.column(1)), z(r.column(2));
  return x * Real(v.x) + y * Real(v.y) + z * Real(v.z) + Point(pose.position());
}

std::vector<Corners> triangles_of(const TriangleMesh& mesh, const Pose& pose) {
  std::vector<Corners> all;
  for (const auto& t : mesh.triangles) {
    all.push_back({placed(pose, mesh.vertices[t[0]]), placed(pose, mesh.vertices[t[1]]),
                   placed(pose, mesh.vertices[t[2]])});
  }
  return all;
}

Real clamped(Real x) { return std::clamp(x, Real(0), Real(1)); }

Real point_to_edge(const Point& p, const Point& a, const Point& b) {
  const Point ab = b - a;
  const Real length = dot(ab, ab);
  const Real t = length > 0 ? clamped(dot(p - a, ab) / length) : 0;
  return norm(p - (a + ab * t));
}

/// Nearest points inside both edges, or at an end of one.
Real edge_to_edge(const Point& a, const Point& b, const Point& c, const Point& d) {
  Real least = std::min({point_to_edge(a, c, d), point_to_edge(b, c, d), point_to_edge(c, a, b),
                         point_to_edge(d, a, b)});
  const Point u = b - a, v = d - c, w = a - c;
  const Real uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
  const Real determinant = uu * vv - uv * uv;
  if (!(determinant > 0)) return least;
  // Any two points of the edges bound the distance from above: rounding costs nothing but
  // tightness.
  const Real s = clamped((uv * dot(v, w) - vv * dot(u, w)) / determinant);
  const Real t = clamped((uu * dot(v, w) - uv * dot(u, w)) / determinant);
  return std::min(least, norm((a + u * s) - (c + v * t)));
}

/// Infinite where the foot of the point is outside of the triangle.
Real point_to_face(const Point& p, const Corners& t) {
  const Point n = cross(t[1] - t[0], t[2] - t[0]);
  const Real area = norm(n);
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(dot(cross(t[(i + 1) % 3] - t[i], p - t[i]), n) >= 0) || !(area > 0))
      return std::numeric_limits<Real>::infinity();
  }
  return std::fabs(dot(p - t[0], n)) / area;
}

Real volume(const Point& a, const Point& b, const Point& c, const Point& d) {
  return dot(cross(b - a, c - a), d - a);
}

// Does the edge pass through the triangle, by more than rounding may feign?
bool passes(const Point& p, const Point& q, const Corners& t, Real rounding) {
  const Real above = volume(t[0], t[1], t[2], p), below = volume(t[0], t[1], t[2], q);
  if (!(std::min(above, below) < -rounding && std::max(above, below) > rounding)) return false;
  const Real x = volume(p, q, t[0], t[1]), y = volume(p, q, t[1], t[2]),
             z = volume(p, q, t[2], t[0]);
  return std::min({x, y, z}) > rounding || std::max({x, y, z}) < -rounding;
}

Real triangles_apart(const Corners& a, const Corners& b) {
  Real least = std::numeric_limits<Real>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    least = std::min({least, point_to_face(a[i], b), point_to_face(b[i], a)});
    for (std::size_t j = 0; j < 3; ++j)
      least = std::min(least, edge_to_edge(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
  }
  return least;
}

/// Sum of the solid angles over 4 pi, rounded.
int winding(const std::vector<Corners>& surface, const Point& p) {
  Real turns = 0;
  for (const Corners& t : surface) {
    const Point a = t[0] - p, b = t[1] - p, c = t[2] - p;
    const Real x = norm(a), y = norm(b), z = norm(c);
    turns +=
        std::atan2(dot(cross(a, b), c), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
  }
  constexpr Real kTurn = 6.283185307179586476925286766559L;
  return static_cast<int>(std::lround(turns / kTurn));
}

}  // namespace

MeshReference mesh_reference(const TriangleMesh& a, const Pose& pose_a, const TriangleMesh& b,
                             const Pose& pose_b) {
  // About A's position: translations are subtracted first.
  const Pose from = detail::unchecked_pose({}, pose_a.rotation());
  std::vector<Corners> of_a = triangles_of(a, from);
  std::vector<Corners> of_b = triangles_of(b, detail::unchecked_pose({}, pose_b.rotation()));
  const Point offset = Point(pose_b.position()) - Point(pose_a.position());
  Real lengths = norm(offset);
  for (Corners& t : of_b) {
    for (Point& p : t) p = p + offset;
  }
  for (const std::vector<Corners>* all : {&of_a, &of_b}) {
    for (const Corners& t : *all) {
      for (const Point& p : t) lengths = std::max(lengths, norm(p));
    }
  }
  MeshReference r;
  r.error = kRoundings * kEpsilon * lengths;
  const Real rounding = r.error * lengths * lengths;
  r.distance = std::numeric_limits<Real>::infinity();
  for (const Corners& t : of_a) {
    for (const Corners& u : of_b) {
      r.distance = std::min(r.distance, triangles_apart(t, u));
      for (std::size_t i = 0; i < 3 && !r.meet; ++i) {
        r.meet =
            passes(t[i], t[(i + 1) % 3], u, rounding) || passes(u[i], u[(i + 1) % 3], t, rounding);
      }
    }
  }
  if (r.meet) r.distance = 0;
  r.a_in_b = winding(of_b, of_a.front()[0]);
  r.b_in_a = winding(of_a, of_b.front()[0]);
  return r;
}

}  // namespace tactus::detail::oracle
