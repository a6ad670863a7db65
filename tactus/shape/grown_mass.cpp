#include "tactus/shape/grown_mass.hpp"

#include <array>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/math/angle.hpp"

namespace tactus::detail {
namespace {

// Gauss-Legendre rule with 8 points on [-1, 1]: exact for polynomials up to degree 15.
struct Node {
  double x, weight;
};
constexpr std::array<Node, 8> kGauss = {{{-0.96028985649753623168, 0.10122853629037625915},
                                         {-0.79666647741362673959, 0.22238103445337447054},
                                         {-0.52553240991632898582, 0.31370664587788728734},
                                         {-0.18343464249564980494, 0.36268378337836198297},
                                         {0.18343464249564980494, 0.36268378337836198297},
                                         {0.52553240991632898582, 0.31370664587788728734},
                                         {0.79666647741362673959, 0.22238103445337447054},
                                         {0.96028985649753623168, 0.10122853629037625915}}};

// Integrals of 1, x and x x^T over a body.
struct Moments {
  double volume = 0.0;
  Vec3 first;
  Mat3 second = Mat3::zero();

  MassProperties about_center(const Vec3& origin) const {
    if (!(volume > 0.0)) return {0.0, origin, Mat3::zero()};
    const Vec3 shift = first / volume;
    const Mat3 central = second - outer(shift, shift) * volume;
    return {volume, origin + shift, Mat3::identity() * trace(central) - central};
  }
};

// A point or direction in a half-plane through the z axis.
struct Radial {
  double rho, z;
};
Radial operator+(const Radial& a, const Radial& b) { return {a.rho + b.rho, a.z + b.z}; }
Radial operator*(const Radial& a, double s) { return {a.rho * s, a.z * s}; }
Radial middle(const Radial& a, const Radial& b) {
  const Radial sum = a + b;
  return sum * (1.0 / std::sqrt(sum.rho * sum.rho + sum.z * sum.z));
}

// Sums the integrals over a solid of revolution about z, from the outer boundary of its section,
// walked upwards. Parts at constant height add nothing and are left out.
class Revolution {
 public:
  void line(const Radial& from, const Radial& to) {
    for (const Node& node : kGauss) {
      const double t = 0.5 * (1.0 + node.x);
      add(from * (1.0 - t) + to * t, 0.5 * node.weight * (to.z - from.z));
    }
  }

  // Arc of radius r between two unit directions at most a quarter turn apart.
  void arc(const Radial& center, double r, const Radial& from, const Radial& to) {
    const Radial half = middle(from, to);
    const std::array<Radial, 5> ends = {from, middle(from, half), half, middle(half, to), to};
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) short_arc(center, r, ends[i], ends[i + 1]);
  }

  MassProperties result(double center_without_volume) const {
    if (!(volume_ > 0.0)) return {0.0, {0.0, 0.0, center_without_volume}, Mat3::zero()};
    const double center = first_z_ / volume_;
    const double across = second_x_ + (second_z_ - first_z_ * center);
    return {volume_, {0.0, 0.0, center}, Mat3::diagonal({across, across, 2.0 * second_x_})};
  }

 private:
  // At most an eighth of a right angle to either side of its middle m: the quadrature's error is
  // below rounding. With u = tan(angle / 2) from m, the directions are rational in u.
  void short_arc(const Radial& center, double r, const Radial& from, const Radial& to) {
    const Radial m = middle(from, to);
    const double sine = m.rho * to.z - m.z * to.rho;
    const double cosine = m.rho * to.rho + m.z * to.z;
    const double end = sine / (1.0 + cosine);
    for (const Node& node : kGauss) {
      const double u = end * node.x;
      const double scale = 1.0 / (1.0 + u * u);
      const Radial direction =
          m * ((1.0 - u * u) * scale) + Radial{-m.z, m.rho} * (2.0 * u * scale);
      const double d_angle = 2.0 * scale * end * node.weight;
      add(center + direction * r, r * direction.rho * d_angle);
    }
  }

  void add(const Radial& p, double dz) {
    const double disc = kPi * p.rho * p.rho;
    volume_ += disc * dz;
    first_z_ += disc * p.z * dz;
    second_z_ += disc * p.z * p.z * dz;
    second_x_ += 0.25 * disc * p.rho * p.rho * dz;
  }

  double volume_ = 0.0, first_z_ = 0.0, second_z_ = 0.0, second_x_ = 0.0;
};

constexpr Radial kDown = {0.0, -1.0}, kOut = {1.0, 0.0}, kUp = {0.0, 1.0};

// Part of the shell of thickness r about an ellipsoid with the given radii above the directions u ~
// (1, s, t), 0 <= s, t <= 1, of the unit sphere that is mapped onto it. Returns volume and
// integrals of the squared coordinates.
struct ShellSum {
  double volume = 0.0;
  Vec3 second;
};

// Integration intervals halve towards 0 until this many of them are shorter than the ratio of two
// radii: the integrands vary over s of that size. Radii below the least ratio count as that.
constexpr int kPanelsBelowRatio = 4;
constexpr double kLeastRatio = 0x1p-44;

void add_shell_point(const Vec3& radii, double r, const Vec3& direction, double weight,
                     ShellSum& sum) {
  const double length = norm(direction);
  const Vec3 u = direction / length;
  const Vec3 x = component_product(radii, u);
  const Vec3 gradient = {u.x / radii.x, u.y / radii.y, u.z / radii.z};
  const double steepness = norm(gradient);
  const Vec3 n = gradient / steepness;
  const double det = radii.x * radii.y * radii.z;
  const double area = weight / (length * length * length) * det * steepness;
  // Sum and product of the principal curvatures at x.
  const double h = 1.0 / steepness;
  const double product = (h * h / det) * (h * h / det);
  const double trace_part = squared_norm(radii) - squared_norm(x);
  const double curvature = h * h * h / (det * det) * trace_part;
  for (const Node& node : kGauss) {
    const double t = 0.5 * r * (1.0 + node.x);
    const double dv = 0.5 * r * node.weight * area * (1.0 + (curvature * t + product * t * t));
    const Vec3 p = x + n * t;
    sum.volume += dv;
    sum.second += component_product(p, p) * dv;
  }
}

// The largest radius must be 1, the others at least kLeastRatio.
ShellSum ellipsoid_shell_octant(const Vec3& radii, double r) {
  const double least = std::fmin(std::fmin(radii.x, radii.y), radii.z);
  int ratio_exponent = 0;
  std::frexp(1.0 / least, &ratio_exponent);
  const int panels = kPanelsBelowRatio + ratio_exponent;
  ShellSum sum;
  for (int i = 0; i < panels; ++i) {
    const double s1 = std::ldexp(1.0, -i), s0 = i + 1 < panels ? 0.5 * s1 : 0.0;
    for (int j = 0; j < panels; ++j) {
      const double t1 = std::ldexp(1.0, -j), t0 = j + 1 < panels ? 0.5 * t1 : 0.0;
      for (const Node& a : kGauss) {
        for (const Node& b : kGauss) {
          const double s = 0.5 * ((s0 + s1) + a.x * (s1 - s0));
          const double t = 0.5 * ((t0 + t1) + b.x * (t1 - t0));
          const double weight = 0.25 * a.weight * b.weight * (s1 - s0) * (t1 - t0);
          // The three thirds of the octant: each coordinate in turn is the largest.
          add_shell_point(radii, r, {1.0, s, t}, weight, sum);
          add_shell_point(radii, r, {t, 1.0, s}, weight, sum);
          add_shell_point(radii, r, {s, t, 1.0}, weight, sum);
        }
      }
    }
  }
  return sum;
}

Mat3 symmetric(const Vec3& a, const Vec3& b) { return outer(a, b) + outer(b, a); }

// Integrals of 1, u and u u^T over a set of unit vectors u: outward directions at a face, an edge,
// a vertex.
struct Directions {
  double measure = 0.0;
  Vec3 first;
  Mat3 second = Mat3::zero();
};

// Adds the points p + t u: p over a feature of dimension k with integrals `base`, u over
// `directions`, t from 0 to r.
void grow(const Moments& base, const Directions& directions, double r, int k, Moments& sum) {
  // Integrals of t^(2 - k), t^(3 - k), t^(4 - k).
  const double power = k == 2 ? r : (k == 1 ? r * r : r * r * r);
  const double t0 = power / (3 - k), t1 = power * r / (4 - k), t2 = power * r * r / (5 - k);
  sum.volume += t0 * base.volume * directions.measure;
  sum.first += base.first * (t0 * directions.measure) + directions.first * (t1 * base.volume);
  sum.second = sum.second + base.second * (t0 * directions.measure) +
               symmetric(base.first, directions.first) * t1 +
               directions.second * (t2 * base.volume);
}

Moments triangle_moments(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double area = 0.5 * norm(cross(b - a, c - a));
  const Vec3 s = (a + b) + c;
  return {area, s * (area / 3.0),
          (((outer(a, a) + outer(b, b)) + outer(c, c)) + outer(s, s)) * (area / 12.0)};
}

Moments segment_moments(const Vec3& a, const Vec3& b) {
  const double length = norm(b - a);
  const Vec3 s = a + b;
  return {length, s * (0.5 * length), ((outer(a, a) + outer(b, b)) + outer(s, s)) * (length / 6.0)};
}

// Directions at an edge along the unit vector d: the arc between the normals of its two faces; in a
// flat hull the half circle away from it, at a lone segment the full circle.
Directions edge_directions(const ConvexHull& hull, const ConvexHull::Edge& edge, const Vec3& d) {
  if (hull.dimension == 1) return {2.0 * kPi, {}, (Mat3::identity() - outer(d, d)) * kPi};
  const Vec3& left = hull.faces[edge.left].normal;
  const Vec3& right = hull.faces[edge.right].normal;
  const bool flat = hull.dimension == 2;
  const double angle = flat ? kPi : angle_between(left, right);
  // Cosine and sine of half the angle: well-conditioned from flat edges to knife edges.
  const double cosine = flat ? 0.0 : 0.5 * norm(left + right);
  const double sine = flat ? 1.0 : 0.5 * norm(left - right);
  // The arc starts at `left` and turns about d; m is its middle.
  const Vec3 m = left * cosine + cross(d, left) * sine;
  const Vec3 across = cross(d, m);
  return {angle, m * (2.0 * sine),
          outer(m, m) * (0.5 * angle + sine * cosine) +
              outer(across, across) * (0.5 * angle - sine * cosine)};
}

}  // namespace

MassProperties grown_mass(const Cylinder& cylinder, double r) {
  const double rho = cylinder.radius(), top = 0.5 * cylinder.length();
  Revolution sum;
  sum.arc({rho, -top}, r, kDown, kOut);
  sum.line({rho + r, -top}, {rho + r, top});
  sum.arc({rho, top}, r, kOut, kUp);
  MassProperties mass = sum.result(0.0);
  mass.center = {};  // by symmetry; the sum is off by its rounding
  return mass;
}

MassProperties grown_mass(const Cone& cone, double r) {
  const double rho = cone.radius(), top = 0.5 * cone.length();
  const double slant = std::sqrt(rho * rho + cone.length() * cone.length());
  const Radial side = slant > 0.0 ? Radial{cone.length(), rho} * (1.0 / slant) : kOut;
  Revolution sum;
  sum.arc({rho, -top}, r, kDown, kOut);
  sum.arc({rho, -top}, r, kOut, side);
  sum.line(Radial{rho, -top} + side * r, Radial{0.0, top} + side * r);
  sum.arc({0.0, top}, r, side, kUp);
  return sum.result(-0.5 * top);
}

MassProperties grown_mass(const Ellipsoid& ellipsoid, double r) {
  const Vec3& radii = ellipsoid.radii();
  double volume = 4.0 / 3.0 * kPi * radii.x * radii.y * radii.z;
  Vec3 second = component_product(radii, radii) * (0.2 * volume);
  if (r > 0.0) {
    const double scale = max_abs(radii);
    const Vec3 ratios = component_max(radii / scale, Vec3{kLeastRatio, kLeastRatio, kLeastRatio});
    const ShellSum shell = ellipsoid_shell_octant(ratios, r / scale);
    const double octants = 8.0 * scale * scale * scale;
    volume += octants * shell.volume;
    second += shell.second * (octants * scale * scale);
  }
  return {
      volume, {}, Mat3::diagonal({second.y + second.z, second.z + second.x, second.x + second.y})};
}

MassProperties grown_mass(const ConvexHull& hull, double r) {
  const MassProperties core = mass_properties(hull);
  if (!(r > 0.0)) return core;
  const Vec3 origin = core.center;
  Moments sum{core.volume, {}, Mat3::identity() * (0.5 * trace(core.inertia)) - core.inertia};

  // Positions only: differences are taken from the unrounded vertices, since edges may be as short
  // as their rounding.
  std::vector<Vec3> vertices = hull.vertices;
  for (Vec3& v : vertices) v -= origin;
  // The solid angle at a vertex is a full turn less the angles of the faces there; alone, it is the
  // full sphere.
  const double full_turn = hull.dimension == 0 ? 4.0 * kPi : 2.0 * kPi;
  std::vector<Directions> at_vertex(vertices.size(), Directions{full_turn, {}, Mat3::zero()});
  const double sides = hull.dimension == 2 ? 2.0 : 1.0;

  for (const ConvexHull::Face& face : hull.faces) {
    const auto corners = hull.corners(face);
    const Vec3& n = face.normal;
    // Both sides of a flat hull: the odd terms cancel.
    const Directions outward{sides, sides == 1.0 ? n : Vec3{}, outer(n, n) * sides};
    for (std::size_t i = 2; i < corners.size(); ++i) {
      grow(triangle_moments(vertices[corners[0]], vertices[corners[i - 1]], vertices[corners[i]]),
           outward, r, 2, sum);
    }
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Vec3& v = hull.vertices[corners[i]];
      const Vec3& before = hull.vertices[corners[i == 0 ? corners.size() - 1 : i - 1]];
      const Vec3& after = hull.vertices[corners[i + 1 == corners.size() ? 0 : i + 1]];
      at_vertex[corners[i]].measure -= sides * angle_between(before - v, after - v);
    }
  }
  for (const ConvexHull::Edge& edge : hull.edges) {
    const Vec3 d = normalized(hull.vertices[edge.head] - hull.vertices[edge.tail]);
    const Directions arc = edge_directions(hull, edge, d);
    grow(segment_moments(vertices[edge.tail], vertices[edge.head]), arc, r, 1, sum);
    // The arc bounds the directions of both ends; its normal there, away from them, is d and -d. By
    // the divergence theorem on the sphere, the integral of u is -1/2 that of the boundary's
    // normal, and three times that of u u^T the solid angle times the identity less the integral of
    // the normal times u.
    at_vertex[edge.tail].first -= d * (0.5 * arc.measure);
    at_vertex[edge.head].first += d * (0.5 * arc.measure);
    at_vertex[edge.tail].second = at_vertex[edge.tail].second - outer(d, arc.first) * (1.0 / 3.0);
    at_vertex[edge.head].second = at_vertex[edge.head].second + outer(d, arc.first) * (1.0 / 3.0);
  }
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3& v = vertices[i];
    Directions& directions = at_vertex[i];
    directions.second = directions.second + Mat3::identity() * (directions.measure / 3.0);
    grow({1.0, v, outer(v, v)}, directions, r, 0, sum);
  }
  MassProperties mass = sum.about_center(origin);
  mass.inertia = (mass.inertia + transpose(mass.inertia)) * 0.5;
  return mass;
}

}  // namespace tactus::detail
