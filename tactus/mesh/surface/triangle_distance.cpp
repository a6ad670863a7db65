#include "tactus/mesh/surface/triangle_distance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tactus/math/predicates.hpp"
#include "tactus/simd/two_doubles.hpp"

namespace tactus::detail {
namespace {

// All relative to the size of a pair (`Pair::size`), in which rounding errors of the formulas below
// are some 1e-16 each.
// A distance is taken as proved when a direction shows it up to this. The size is at most 2.3 times
// the largest distance of two corners, so that 1e-14 of this holds.
constexpr double kProved = 3e-15;
// Corners that are as near as the nearest one within this are nearest, too.
constexpr double kSame = 1e-14;
// Points farther than this from the edges and planes are surely on the side computed.
constexpr double kClear = 1e-14;
// Squared sine above which the common normal of two edges loses two digits at most.
constexpr double kClearAngle = 1e-4;
// Rounding of the gap along a direction, relative to the pair's size.
constexpr double kGap = 4e-15;

constexpr int next(int i) { return i == 2 ? 0 : i + 1; }

constexpr double unit_interval(double x) {
  const double above = x > 0.0 ? x : 0.0;
  return above < 1.0 ? above : 1.0;
}

// Inverse of a square; of zero, zero: parameters on edges without length become zero.
constexpr double inverse_or_zero(double square) { return square > 0.0 ? 1.0 / square : 0.0; }

// A has one, two or three corners, B three; all relative to a corner of A, so that coordinates far
// from the origin lose nothing.
template <int N>
struct Pair {
  static constexpr int kEdges = N == 3 ? 3 : 1;
  Vec3 a[N], b[3];
  Vec3 edge_a[kEdges], edge_b[3];  // from corner i to the next; of a point: zero
  double square_a[kEdges], square_b[3];

  Pair(const Vec3* corners_a, const Vec3* corners_b) {
    const Vec3& origin = corners_a[0];
    for (int i = 0; i < N; ++i) a[i] = corners_a[i] - origin;
    for (int i = 0; i < 3; ++i) b[i] = corners_b[i] - origin;
    for (int i = 0; i < kEdges; ++i) {
      edge_a[i] = a[(i + 1) % N] - a[i];
      square_a[i] = squared_norm(edge_a[i]);
    }
    for (int i = 0; i < 3; ++i) {
      edge_b[i] = b[next(i)] - b[i];
      square_b[i] = squared_norm(edge_b[i]);
    }
  }

  // At least the distance of any two corners over the root of 5; at most that of the farthest two
  // times the root of 5.
  double squared_size() const {
    double sum = (square_b[0] + square_b[1]) + (squared_norm(b[0]) + square_a[0]);
    if constexpr (N == 3) sum += square_a[1];
    return sum;
  }
};

// The nearest points found so far, relative to the pair's origin.
struct Candidate {
  double square = std::numeric_limits<double>::infinity();
  Vec3 a, b;
  Vec3 n;                 // from A to B, of any length: perpendicular to what the points lie on
  bool crossing = false;  // inner points of two edges

  Vec3 gap() const { return b - a; }
};

// Two numbers side by side: the same operations on both, and choices without branches, which random
// triangles would take at random.
using two_doubles::all;
using two_doubles::Lanes;
inline Lanes unit_interval(const Lanes& x) {
  const Lanes above = x > all(0.0) ? x : all(0.0);
  return above < all(1.0) ? above : all(1.0);
}

// The edges of B, two by two; the last one twice.
struct EdgeLanes {
  Lanes x[2], y[2], z[2], dx[2], dy[2], dz[2], square[2], inverse[2];

  EdgeLanes(const Vec3* corner, const Vec3* edge, const double* squares) {
    for (int j = 0; j < 2; ++j) {
      const int k = 2 * j, l = j == 0 ? 1 : 2;
      x[j] = Lanes{corner[k].x, corner[l].x};
      y[j] = Lanes{corner[k].y, corner[l].y};
      z[j] = Lanes{corner[k].z, corner[l].z};
      dx[j] = Lanes{edge[k].x, edge[l].x};
      dy[j] = Lanes{edge[k].y, edge[l].y};
      dz[j] = Lanes{edge[k].z, edge[l].z};
      square[j] = Lanes{squares[k], squares[l]};
      inverse[j] = square[j] > all(0.0) ? all(1.0) / square[j] : all(0.0);
    }
  }
};

// An edge of A against those of B: parameters of the nearest points, and their squared distance.
struct EdgeRow {
  Lanes s[2], t[2], square[2];
};

// The nearest points of the lines, moved to the ends: on A, then B, then A again. Exact but for
// nearly parallel edges; where they are parallel, any start serves.
void measure_edges(const Vec3& corner, const Vec3& u, double uu, const EdgeLanes& b, EdgeRow& row) {
  const Lanes ux = all(u.x), uy = all(u.y), uz = all(u.z);
  const Lanes square = all(uu), inverse = all(inverse_or_zero(uu));
  for (int j = 0; j < 2; ++j) {
    const Lanes rx = b.x[j] - all(corner.x);
    const Lanes ry = b.y[j] - all(corner.y);
    const Lanes rz = b.z[j] - all(corner.z);
    const Lanes ur = (ux * rx + uy * ry) + uz * rz;
    const Lanes vr = (b.dx[j] * rx + b.dy[j] * ry) + b.dz[j] * rz;
    const Lanes uv = (ux * b.dx[j] + uy * b.dy[j]) + uz * b.dz[j];
    const Lanes determinant = square * b.square[j] - uv * uv;
    const Lanes divisor = determinant > all(0.0) ? determinant : all(1.0);
    const Lanes line = unit_interval((ur * b.square[j] - uv * vr) / divisor);
    const Lanes start = determinant > all(0.0) ? line : all(0.0);
    const Lanes t = unit_interval((start * uv - vr) * b.inverse[j]);
    const Lanes s = unit_interval((t * uv + ur) * inverse);
    const Lanes x = (rx + t * b.dx[j]) - s * ux;
    const Lanes y = (ry + t * b.dy[j]) - s * uy;
    const Lanes z = (rz + t * b.dz[j]) - s * uz;
    row.s[j] = s;
    row.t[j] = t;
    row.square[j] = (x * x + y * y) + z * z;
  }
}

// Takes out of d what points along an edge between whose ends the point lies.
Vec3 across(const Vec3& d, const Vec3& edge, double square, bool inside) {
  return d - edge * (inside ? dot(d, edge) / square : 0.0);
}

template <int N>
Candidate nearest_edges(const Pair<N>& pair) {
  const EdgeLanes lanes(pair.b, pair.edge_b, pair.square_b);
  EdgeRow row[Pair<N>::kEdges];
  for (int i = 0; i < Pair<N>::kEdges; ++i)
    measure_edges(pair.a[i], pair.edge_a[i], pair.square_a[i], lanes, row[i]);
  int i = 0, j = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < Pair<N>::kEdges; ++k) {
    for (int l = 0; l < 3; ++l) {
      const double square = row[k].square[l / 2][l % 2];
      const bool less = square < least;
      least = less ? square : least;
      i = less ? k : i;
      j = less ? l : j;
    }
  }
  const double s = row[i].s[j / 2][j % 2], t = row[i].t[j / 2][j % 2];
  const Vec3& u = pair.edge_a[i];
  const Vec3& v = pair.edge_b[j];
  Candidate r;
  r.a = pair.a[i] + u * s;
  r.b = pair.b[j] + v * t;
  const Vec3 gap = r.gap();
  r.square = squared_norm(gap);
  const bool inside_a = s > 0.0 && s < 1.0;
  const bool inside_b = t > 0.0 && t < 1.0;
  const Vec3 common = cross(u, v);
  // The common normal of nearly parallel edges is rounding.
  r.crossing = inside_a && inside_b &&
               squared_norm(common) > kClearAngle * (pair.square_a[i] * pair.square_b[j]);
  if (r.crossing) {
    r.n = dot(common, gap) < 0.0 ? -common : common;
  } else {
    r.n = across(across(gap, u, pair.square_a[i], inside_a), v, pair.square_b[j], inside_b);
  }
  return r;
}

// The gap between A and B in a direction, and which corners bound it.
struct Gap {
  double high_a, low_b;
  double along_a[3], along_b[3];
  double width() const { return low_b - high_a; }
};

template <int N>
Gap measure_gap(const Pair<N>& pair, const Vec3& n) {
  Gap g{};
  for (int i = 0; i < N; ++i) g.along_a[i] = dot(n, pair.a[i]);
  for (int i = 0; i < 3; ++i) g.along_b[i] = dot(n, pair.b[i]);
  g.high_a = g.along_a[0];
  for (int i = 1; i < N; ++i) g.high_a = g.along_a[i] > g.high_a ? g.along_a[i] : g.high_a;
  g.low_b = g.along_b[0];
  for (int i = 1; i < 3; ++i) g.low_b = g.along_b[i] < g.low_b ? g.along_b[i] : g.low_b;
  return g;
}

// Writes the answer when the triangles are as far apart along n as the points are.
template <int N>
bool prove(const Pair<N>& pair, const Candidate& c, const Vec3& n, double size, bool crossing,
           TriangleDistance& out) {
  const double length = norm(n);
  const double distance = std::sqrt(c.square);
  const Gap gap = measure_gap(pair, n);
  const double slack = kProved * size * length;
  if (!(distance * length - gap.width() <= slack && distance > kProved * size && length > 0.0))
    return false;
  const double same = kSame * size * length;
  int corners_a = 0, corners_b = 0;
  for (int i = 0; i < N; ++i) corners_a += gap.along_a[i] >= gap.high_a - same ? 1 : 0;
  for (int i = 0; i < 3; ++i) corners_b += gap.along_b[i] <= gap.low_b + same ? 1 : 0;
  out.distance = distance;
  out.a = c.a;
  out.b = c.b;
  out.n = n / length;
  out.unique = corners_a == 1 || corners_b == 1 || (crossing && corners_a + corners_b == 4);
  return true;
}

// True when the direction between the centres, or that of a face, shows the bound exceeded.
template <int N>
bool shown_beyond(const Pair<N>& pair, double size, double squared_bound, TriangleDistance& out) {
  const auto exceeds = [&](const Vec3& n) {
    const double square = squared_norm(n);
    const double width = measure_gap(pair, n).width();
    const double length = std::sqrt(square);
    const double sure = width - kGap * size * length;
    if (!(sure > 0.0) || !(sure * sure > squared_bound * square)) return false;
    out.distance = sure / length;
    return out.distance * out.distance > squared_bound;
  };
  Vec3 center_a = pair.a[0];
  for (int i = 1; i < N; ++i) center_a += pair.a[i];
  const Vec3 apart = (pair.b[0] + pair.b[1] + pair.b[2]) - center_a * (3.0 / N);
  out.beyond = exceeds(apart);
  return out.beyond;
}

// A face and the corners of the other side: how high above its plane, and how far inside each of
// its edges.
template <int M>
struct FaceView {
  Vec3 normal;          // of twice the area's length
  double square;        // its squared length
  double height[M];     // times the normal's length
  double inside[M][3];  // times the lengths of normal and edge
  double reach;         // no height is larger
  double clear_inside;  // what these must exceed
  double clear_height;

  FaceView(const Vec3* face, const Vec3* edge, const Vec3* points, double size) {
    normal = cross(edge[0], edge[1]);
    square = squared_norm(normal);
    Vec3 inward[3];
    for (int k = 0; k < 3; ++k) inward[k] = cross(normal, edge[k]);
    for (int i = 0; i < M; ++i) {
      height[i] = dot(normal, points[i] - face[0]);
      for (int k = 0; k < 3; ++k) inside[i][k] = dot(inward[k], points[i] - face[k]);
    }
    // The edges, not the area: what rounding turns a sliver's normal by counts as well.
    reach = size * (squared_norm(edge[0]) + squared_norm(edge[1]));
    clear_height = kClear * reach;
    clear_inside = clear_height * size;
  }

  bool over_face(int i) const {
    return std::min({inside[i][0], inside[i][1], inside[i][2]}) > clear_inside;
  }

  // Whether the normal is right: rounding tilts that of a sliver.
  bool is_level(const Vec3* edge, double size) const {
    const double tilt = std::max(std::fabs(dot(normal, edge[0])), std::fabs(dot(normal, edge[1])));
    return tilt <= kProved * size * std::sqrt(square);
  }

  double square_height(int i) const { return height[i] * (height[i] / square); }

  // From a corner to its foot on the plane.
  Vec3 drop(int i) const { return normal * (-height[i] / square); }

  // Where the edge from point i to j surely goes through the face, as a fraction of it; -1 where it
  // does not.
  double pierced(int i, int j) const {
    const double low = std::min(height[i], height[j]), high = std::max(height[i], height[j]);
    if (!(low < -clear_height && high > clear_height)) return -1.0;
    const double drop = height[i] - height[j];
    const double t = height[i] / drop;
    // The fraction's error is that of the heights, over the drop.
    const double clear = clear_inside * (1.0 + reach / std::fabs(drop));
    for (int k = 0; k < 3; ++k) {
      if (!(inside[i][k] + t * (inside[j][k] - inside[i][k]) > clear)) return -1.0;
    }
    return t;
  }
};

// A corner above the inside of a face that is nearer than what was found.
template <int M>
void consider_corners(const FaceView<M>& face, const Vec3* edge, double size, const Vec3* corners,
                      bool corners_are_a, Candidate& best) {
  for (int i = 0; i < M; ++i) {
    const double square = face.square_height(i);
    if (!(square < best.square) || !face.over_face(i) || !face.is_level(edge, size)) continue;
    const Vec3 foot = corners[i] + face.drop(i);
    best.square = square;
    best.a = corners_are_a ? corners[i] : foot;
    best.b = corners_are_a ? foot : corners[i];
    best.n = (face.height[i] < 0.0) == corners_are_a ? face.normal : -face.normal;
    best.crossing = false;
  }
}

// A common point where an edge goes clearly through a face.
template <int M>
bool find_pierced(const FaceView<M>& face, const Vec3* corners, const Vec3* edge, Vec3& point) {
  constexpr int kEdges = M == 3 ? 3 : M - 1;
  for (int i = 0; i < kEdges; ++i) {
    const double t = face.pierced(i, (i + 1) % M);
    if (t < 0.0) continue;
    point = corners[i] + edge[i] * t;
    return true;
  }
  return false;
}

// The careful path: every pair of features with formulas that no angle spoils.

void consider(const Vec3& a, const Vec3& b, const Vec3& n, bool crossing, Candidate& best) {
  const double square = squared_norm(b - a);
  if (!(square < best.square)) return;
  best = {square, a, b, n, crossing};
}

// Parameter of the point of an edge that is nearest to a point r from its start.
double foot(const Vec3& r, const Vec3& edge) {
  const double square = squared_norm(edge);
  return square > 0.0 ? unit_interval(dot(r, edge) / square) : 0.0;
}

void consider_edges(const Vec3& a, const Vec3& u, const Vec3& b, const Vec3& v, Candidate& best) {
  const Vec3 r = b - a;
  const auto add = [&](double s, double t) {
    const Vec3 on_a = a + u * s, on_b = b + v * t;
    const Vec3 gap = on_b - on_a;
    const bool inside_a = s > 0.0 && s < 1.0;
    const bool inside_b = t > 0.0 && t < 1.0;
    const Vec3 n = across(across(gap, u, squared_norm(u), inside_a), v, squared_norm(v), inside_b);
    consider(on_a, on_b, n, false, best);
  };
  const auto on_b = [&](double s) { return foot(u * s - r, v); };
  const auto on_a = [&](double t) { return foot(r + v * t, u); };
  for (const double end : {0.0, 1.0}) {
    add(end, on_b(end));
    add(on_a(end), end);
  }
  // s from r x v, which errs by rounding over the sine of the angle; along the edge, so that the
  // distance errs by rounding alone. A common normal that is itself rounding costs h e^2 / sine^2
  // of a distance h, the ends cost (length sine)^2 / h at most: never are both more than rounding.
  const Vec3 common = cross(u, v);
  const double square = squared_norm(common);
  if (!(square > 0.0)) return;
  const double t = on_b(unit_interval(dot(cross(r, v), common) / square));
  const double s = on_a(t);
  if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)) return add(s, t);
  const Vec3 p = a + u * s, q = b + v * t;
  consider(p, q, dot(common, q - p) < 0.0 ? -common : common, true, best);
}

// Corners of `other` above the face, and its edges through it. `swapped`: the face is B's.
void consider_face(const Triangle& face, const Triangle& other, bool swapped, Candidate& best) {
  const Vec3 normal =
      normalized(accurate_cross(face.corner[0], face.corner[1], face.corner[2]), {});
  if (normal == Vec3{}) return;
  int longest = 0;
  Vec3 edge[3];
  for (int k = 0; k < 3; ++k) {
    edge[k] = face.corner[next(k)] - face.corner[k];
    if (squared_norm(edge[k]) > squared_norm(edge[longest])) longest = k;
  }
  // A point beyond a sharp tip is outside of the tip's edges by less than rounding: hence the test
  // along the longest edge.
  const auto add = [&](const Vec3& p, const Vec3& base) {
    for (int k = 0; k < 3; ++k) {
      if (dot(cross(edge[k], base - face.corner[k]), normal) < 0.0) return;
    }
    const double along = dot(edge[longest], base - face.corner[longest]);
    if (along < 0.0 || along > squared_norm(edge[longest])) return;
    const Vec3& a = swapped ? p : base;
    const Vec3& b = swapped ? base : p;
    consider(a, b, dot(normal, b - a) < 0.0 ? -normal : normal, false, best);
  };
  double height[3];
  for (int i = 0; i < 3; ++i) {
    height[i] = dot(normal, other.corner[i] - face.corner[0]);
    add(other.corner[i], other.corner[i] - normal * height[i]);
  }
  for (int i = 0; i < 3; ++i) {
    const int j = next(i);
    if (!(std::min(height[i], height[j]) <= 0.0 && std::max(height[i], height[j]) >= 0.0)) continue;
    const double drop = height[i] - height[j];
    if (drop == 0.0) continue;
    const Vec3 p = other.corner[i] + (other.corner[j] - other.corner[i]) * (height[i] / drop);
    add(p, p - normal * dot(normal, p - face.corner[0]));
  }
}

Candidate nearest_carefully(const Triangle& a, const Triangle& b) {
  Candidate best;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      consider_edges(a.corner[i], a.corner[next(i)] - a.corner[i], b.corner[j],
                     b.corner[next(j)] - b.corner[j], best);
    }
  }
  consider_face(a, b, false, best);
  consider_face(b, a, true, best);
  return best;
}

// Direction in which two triangles are farthest apart, among those that can separate triangles:
// that of the nearest points, unless their gap is rounding.
Vec3 separating_normal(const Pair<3>& pair, const Vec3& along_gap) {
  Vec3 best = normalized(along_gap, {0.0, 0.0, 1.0});
  double width = measure_gap(pair, best).width();
  const auto consider_both = [&](const Vec3& direction) {
    const Vec3 unit = normalized(direction, best);
    for (const Vec3& n : {unit, -unit}) {
      const double along = measure_gap(pair, n).width();
      if (!(along > width)) continue;
      width = along;
      best = n;
    }
  };
  const Vec3 normal_a = accurate_cross(pair.a[0], pair.a[1], pair.a[2]);
  const Vec3 normal_b = accurate_cross(pair.b[0], pair.b[1], pair.b[2]);
  consider_both(normal_a);
  consider_both(normal_b);
  for (int i = 0; i < 3; ++i) {
    consider_both(cross(normal_a, pair.edge_a[i]));
    consider_both(cross(normal_b, pair.edge_b[i]));
    // A corner may tie with the inside of its edge, from which the true direction comes.
    consider_both(across(along_gap, pair.edge_a[i], pair.square_a[i], pair.square_a[i] > 0.0));
    consider_both(across(along_gap, pair.edge_b[i], pair.square_b[i], pair.square_b[i] > 0.0));
    for (int j = 0; j < 3; ++j) consider_both(cross(pair.edge_a[i], pair.edge_b[j]));
  }
  return best;
}

template <int N>
Triangle as_triangle(const Vec3* corner) {
  return {{corner[0], corner[N > 1 ? 1 : 0], corner[N - 1]}};
}

// `found`: the nearest points so far, good enough where they coincide and the triangles meet.
void answer_carefully(const Triangle& a, const Triangle& b, const Candidate& found, double size,
                      TriangleDistance& out) {
  const Pair<3> pair(a.corner, b.corner);
  out.meets = triangles_meet(a, b);
  const double same = kProved * size;
  const bool enough = out.meets && found.square <= same * same;
  const Candidate best =
      enough ? found : nearest_carefully(as_triangle<3>(pair.a), as_triangle<3>(pair.b));
  out.a = best.a;
  out.b = best.b;
  if (out.meets) return;
  out.distance = std::sqrt(best.square);
  out.n = separating_normal(pair, best.n);
}

// Points relative to A's first corner.
template <int N>
void answer(const Vec3* a, const Triangle& b, double squared_bound, TriangleDistance& out) {
  const Pair<N> pair(a, b.corner);
  const double size = std::sqrt(pair.squared_size());
  if (squared_bound < std::numeric_limits<double>::infinity() &&
      shown_beyond(pair, size, squared_bound, out))
    return;
  Candidate best = nearest_edges(pair);
  if (prove(pair, best, best.n, size, best.crossing, out)) return;
  const FaceView<N> over_b(pair.b, pair.edge_b, pair.a, size);
  if (find_pierced(over_b, pair.a, pair.edge_a, out.a)) {
    out.b = out.a;
    out.meets = true;
    return;
  }
  const double edges = best.square;
  consider_corners(over_b, pair.edge_b, size, pair.a, true, best);
  if constexpr (N == 3) {
    const FaceView<3> over_a(pair.a, pair.edge_a, pair.b, size);
    if (find_pierced(over_a, pair.b, pair.edge_b, out.a)) {
      out.b = out.a;
      out.meets = true;
      return;
    }
    consider_corners(over_a, pair.edge_a, size, pair.b, false, best);
  }
  if (best.square < edges && prove(pair, best, best.n, size, false, out)) return;
  answer_carefully(as_triangle<N>(a), b, best, size, out);
  out.unique = N == 1 && !out.meets;
}

template <int N>
TriangleDistance answer_in_place(const Vec3* a, const Triangle& b, double squared_bound) {
  TriangleDistance out;
  answer<N>(a, b, squared_bound, out);
  out.a += a[0];
  out.b += a[0];
  return out;
}

// An order of triangles, so that both orders of a pair compute the same.
bool before(const Triangle& a, const Triangle& b) {
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (a.corner[i][k] != b.corner[i][k]) return a.corner[i][k] < b.corner[i][k];
    }
  }
  return false;
}

}  // namespace

TriangleDistance triangle_to_triangle(const Triangle& a, const Triangle& b, double squared_bound) {
  const bool swapped = before(b, a);
  const Triangle& first = swapped ? b : a;
  const Triangle& second = swapped ? a : b;
  TriangleDistance out = answer_in_place<3>(first.corner, second, squared_bound);
  if (swapped) {
    std::swap(out.a, out.b);
    out.n = -out.n;
  }
  return out;
}

TriangleDistance segment_to_triangle(const Vec3& p, const Vec3& q, const Triangle& b,
                                     double squared_bound) {
  const Vec3 ends[2] = {p, q};
  return answer_in_place<2>(ends, b, squared_bound);
}

TriangleDistance point_to_triangle(const Vec3& p, const Triangle& b, double squared_bound) {
  return answer_in_place<1>(&p, b, squared_bound);
}

}  // namespace tactus::detail
