#include "lab/exact.hpp"

#include <algorithm>
#include <limits>

namespace tactus::detail::lab {
namespace {

// Steps of Newton's method; it converges in five or six.
constexpr int kNewtonSteps = 12;

/// A pose seen from A's position: the difference of positions is exact in extended precision.
struct Placed {
  ExtendedRotation rotation;
  Point position;

  Placed(const Pose& pose, const Vec3& origin) : position(Point(pose.position()) - Point(origin)) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const Real entry = pose.rotation()(i, j);
        (j == 0 ? rotation.row[i].x : (j == 1 ? rotation.row[i].y : rotation.row[i].z)) = entry;
      }
    }
  }
  Point column(int j) const { return {rotation.row[0][j], rotation.row[1][j], rotation.row[2][j]}; }
  Point to_world(const Point& p) const { return rotation.times(p) + position; }
  Point to_local(const Point& p) const { return rotation.transpose_times(p - position); }
};

/// The nearest points of two cores; the least over all pairs of features counts.
struct Nearest {
  Real distance = std::numeric_limits<Real>::infinity();
  Point a, b;

  void consider(const Point& p, const Point& q) {
    const Real d = norm(q - p);
    if (!(d < distance)) return;
    distance = d;
    a = p;
    b = q;
  }
  Exact exact(Real radii) const { return {distance - radii, unit(b - a)}; }
};

Real clamped(Real x, Real limit) { return std::clamp(x, -limit, limit); }

/// From point `p` outside to the box, or the nearest face from inside; the normal leads to the box.
Exact point_box(const Point& p, const Placed& box, const Point& half) {
  const Point q = box.to_local(p);
  const Point inside{clamped(q.x, half.x), clamped(q.y, half.y), clamped(q.z, half.z)};
  if (norm(q - inside) > 0) {
    return {norm(q - inside), unit(box.rotation.times(inside - q))};
  }
  Exact best{-std::numeric_limits<Real>::infinity(), {}};
  for (int i = 0; i < 3; ++i) {
    const Real depth = half[i] - std::fabs(q[i]);
    if (-depth > best.distance) best = {-depth, box.column(i) * (q[i] < 0 ? Real(1) : Real(-1))};
  }
  return best;
}

/// Segments p + s d and q + t e with |s|, |t| <= 1: inner pair, then each end with its nearest.
void segment_segment(const Point& p, const Point& d, const Point& q, const Point& e,
                     Nearest& nearest) {
  const Point r = q - p;
  const Real dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dr = dot(d, r), er = dot(e, r);
  const Point n = cross(d, e);
  const Real determinant = dot(n, n);
  if (determinant > 0) {
    const Real s = dot(cross(r, e), n) / determinant, t = dot(cross(r, d), n) / determinant;
    if (std::fabs(s) <= 1 && std::fabs(t) <= 1) nearest.consider(p + d * s, q + e * t);
  }
  for (const Real s : {Real(-1), Real(1)}) {
    const Real t = ee > 0 ? clamped((s * de - er) / ee, 1) : Real(0);
    nearest.consider(p + d * s, q + e * t);
  }
  for (const Real t : {Real(-1), Real(1)}) {
    const Real s = dd > 0 ? clamped((t * de + dr) / dd, 1) : Real(0);
    nearest.consider(p + d * s, q + e * t);
  }
}

Point corner(const Point& half, int i) {
  return {(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
          (i & 4) != 0 ? half.z : -half.z};
}

Point edge_middle(const Point& half, int axis, int i) {
  Real c[3];
  c[axis] = 0;
  c[(axis + 1) % 3] = (i & 1) != 0 ? half[(axis + 1) % 3] : -half[(axis + 1) % 3];
  c[(axis + 2) % 3] = (i & 2) != 0 ? half[(axis + 2) % 3] : -half[(axis + 2) % 3];
  return {c[0], c[1], c[2]};
}

/// Least overlap over the fifteen axes (negative when the boxes overlap).
Exact box_axes(const Placed& a, const Point& half_a, const Placed& b, const Point& half_b) {
  Exact best{-std::numeric_limits<Real>::infinity(), {}};
  const auto consider = [&](const Point& axis) {
    const Real length = norm(axis);
    if (!(length > 0)) return;
    const Point n = axis * (1 / length);
    Real reach = 0;
    for (int i = 0; i < 3; ++i) {
      reach +=
          std::fabs(dot(a.column(i), n)) * half_a[i] + std::fabs(dot(b.column(i), n)) * half_b[i];
    }
    const Real along = dot(b.position - a.position, n);
    const Real separation = std::fabs(along) - reach;
    if (separation > best.distance) best = {separation, along < 0 ? -n : n};
  };
  for (int i = 0; i < 3; ++i) consider(a.column(i));
  for (int j = 0; j < 3; ++j) consider(b.column(j));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) consider(cross(a.column(i), b.column(j)));
  }
  return best;
}

Exact box_box(const Placed& a, const Point& half_a, const Placed& b, const Point& half_b) {
  const Exact axes = box_axes(a, half_a, b, half_b);
  if (axes.distance <= 0) return axes;
  Nearest nearest;
  const auto corners = [&](const Placed& from, const Point& half, const Placed& to,
                           const Point& half_to, bool swapped) {
    for (int i = 0; i < 8; ++i) {
      const Point p = from.to_world(corner(half, i));
      const Exact d = point_box(p, to, half_to);
      const Point q = p + d.normal * d.distance;
      swapped ? nearest.consider(q, p) : nearest.consider(p, q);
    }
  };
  corners(a, half_a, b, half_b, false);
  corners(b, half_b, a, half_a, true);
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) {
      segment_segment(
          a.to_world(edge_middle(half_a, i % 3, i / 3)), a.column(i % 3) * half_a[i % 3],
          b.to_world(edge_middle(half_b, j % 3, j / 3)), b.column(j % 3) * half_b[j % 3], nearest);
    }
  }
  return nearest.exact(0);
}

Exact capsules(const Placed& a, const Capsule& ca, const Placed& b, const Capsule& cb) {
  Nearest nearest;
  segment_segment(a.position, a.column(2) * (Real(ca.length()) / 2), b.position,
                  b.column(2) * (Real(cb.length()) / 2), nearest);
  return nearest.exact(Real(ca.radius()) + Real(cb.radius()));
}

/// Support value, support point and second derivative applied to a vector, of an ellipsoid about
/// its centre.
struct Smooth {
  const Placed& placed;
  Point squares;

  Point scaled(const Point& n) const {
    const Point l = placed.rotation.transpose_times(n);
    return placed.rotation.times({squares.x * l.x, squares.y * l.y, squares.z * l.z});
  }
  Real value(const Point& n) const { return std::sqrt(dot(n, scaled(n))); }
  Point gradient(const Point& n) const { return scaled(n) * (1 / value(n)); }
  Point curvature(const Point& n, const Point& v) const {
    const Point s = scaled(n);
    const Real h = value(n);
    return scaled(v) * (1 / h) - s * (dot(s, v) / (h * h * h));
  }
};

Smooth smooth(const Placed& placed, const Ellipsoid& e) {
  const Point r(e.radii());
  return {placed, {r.x * r.x, r.y * r.y, r.z * r.z}};
}

/// The least f(n) = h_A(n) + h_B(-n) - n.t over the unit sphere.
Exact ellipsoids(const Placed& pa, const Ellipsoid& ea, const Placed& pb, const Ellipsoid& eb) {
  const Smooth a = smooth(pa, ea), b = smooth(pb, eb);
  const Point t = pb.position - pa.position;
  Point n = unit(t);
  for (int step = 0; step < kNewtonSteps; ++step) {
    const Point g = a.gradient(n) + b.gradient(n) - t;
    const Point helper = std::fabs(n.x) < Real(0.5) ? Point{1, 0, 0} : Point{0, 1, 0};
    const Point u = unit(cross(n, helper)), v = cross(n, u);
    const Real f = dot(g, n);
    const Point hu = a.curvature(n, u) + b.curvature(n, u);
    const Point hv = a.curvature(n, v) + b.curvature(n, v);
    const Real uu = dot(u, hu) - f, uv = dot(u, hv), vv = dot(v, hv) - f;
    const Real determinant = uu * vv - uv * uv;
    const Real gu = dot(g, u), gv = dot(g, v);
    n = unit(n - u * ((vv * gu - uv * gv) / determinant) - v * ((uu * gv - uv * gu) / determinant));
  }
  return {dot(n, t) - a.value(n) - b.value(n), n};
}

}  // namespace

Exact exact_distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  const Placed pa(pose_a, pose_a.position()), pb(pose_b, pose_a.position());
  const auto both = [&](auto* kind) {
    using Kind = std::remove_pointer_t<decltype(kind)>;
    return std::pair{std::get_if<Kind>(&a.geometry()), std::get_if<Kind>(&b.geometry())};
  };
  const auto [sphere_a, sphere_b] = both(static_cast<Sphere*>(nullptr));
  const auto [box_a, box_b] = both(static_cast<Box*>(nullptr));
  const auto [capsule_a, capsule_b] = both(static_cast<Capsule*>(nullptr));
  const auto [ellipsoid_a, ellipsoid_b] = both(static_cast<Ellipsoid*>(nullptr));
  if (a.rounding_radius() == 0.0 && b.rounding_radius() == 0.0) {
    if (sphere_a != nullptr && sphere_b != nullptr) {
      const Point t = pb.position - pa.position;
      return {norm(t) - Real(sphere_a->radius()) - Real(sphere_b->radius()), unit(t)};
    }
    if (sphere_a != nullptr && box_b != nullptr) {
      const Exact e = point_box(pa.position, pb, Point(box_b->half()));
      return {e.distance - Real(sphere_a->radius()), e.normal};
    }
    if (box_a != nullptr && sphere_b != nullptr) {
      const Exact e = point_box(pb.position, pa, Point(box_a->half()));
      return {e.distance - Real(sphere_b->radius()), -e.normal};
    }
    if (box_a != nullptr && box_b != nullptr)
      return box_box(pa, Point(box_a->half()), pb, Point(box_b->half()));
    if (capsule_a != nullptr && capsule_b != nullptr)
      return capsules(pa, *capsule_a, pb, *capsule_b);
    if (ellipsoid_a != nullptr && ellipsoid_b != nullptr)
      return ellipsoids(pa, *ellipsoid_a, pb, *ellipsoid_b);
  }
  throw InvalidInput("", "no exact distance of " + std::string(to_string(a.type())) + " and " +
                             std::string(to_string(b.type())));
}

}  // namespace tactus::detail::lab
