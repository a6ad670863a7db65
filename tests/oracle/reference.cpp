#include "tests/oracle/reference.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "tests/oracle/convex_difference.hpp"

namespace tactus::detail::oracle {
namespace {

// The search of the nearest combination ends when a step gains less than the rounding bound; the
// cap is generous.
constexpr int kNearestSteps = 400;
// Newton's descent: steps, halvings of one step, and the step of the difference quotient (its error
// is the square).
constexpr int kNewtonSteps = 30, kHalvings = 12;
constexpr Real kQuotientStep = 1e-6L;

/// Two unit vectors perpendicular to a unit vector and to each other.
struct Tangent {
  Point u, v;

  explicit Tangent(const Point& n) {
    const Real x = std::fabs(n.x), y = std::fabs(n.y), z = std::fabs(n.z);
    const Point axis =
        x <= y && x <= z ? Point{1, 0, 0} : (y <= z ? Point{0, 1, 0} : Point{0, 0, 1});
    u = unit(cross(n, axis));
    v = cross(n, u);
  }
};

/// A matrix game: the row player chooses weights of the rows to make the least entry of the
/// combined row great.
struct Game {
  Real value[3][3];
};
struct Weights {
  Real of[3] = {1, 0, 0};
  Real value = -std::numeric_limits<Real>::infinity();  ///< the least entry
};

/// Solved by trying the equalisers of every size: one row, two rows on two columns, three on three.
Weights best_weights(const Game& game) {
  Weights best;
  const auto consider = [&](Real w0, Real w1, Real w2) {
    const Real sum = w0 + w1 + w2;
    if (!(w0 >= 0 && w1 >= 0 && w2 >= 0 && sum > 0)) return;
    const Real w[3] = {w0 / sum, w1 / sum, w2 / sum};
    Real least = std::numeric_limits<Real>::infinity();
    for (std::size_t j = 0; j < 3; ++j) {
      least = std::min(least,
                       w[0] * game.value[0][j] + w[1] * game.value[1][j] + w[2] * game.value[2][j]);
    }
    if (least > best.value) best = {{w[0], w[1], w[2]}, least};
  };
  consider(1, 0, 0);
  consider(0, 1, 0);
  consider(0, 0, 1);
  // A combination of the rows is equal on two columns where it is perpendicular to their
  // difference.
  Point difference[3];
  for (std::size_t j = 0; j < 3; ++j) {
    const std::size_t k = (j + 1) % 3;
    difference[j] = {game.value[0][j] - game.value[0][k], game.value[1][j] - game.value[1][k],
                     game.value[2][j] - game.value[2][k]};
    const Point& d = difference[j];
    consider(0, std::fabs(d.z), std::fabs(d.y));
    consider(std::fabs(d.z), 0, std::fabs(d.x));
    consider(std::fabs(d.y), std::fabs(d.x), 0);
  }
  Point all = cross(difference[0], difference[1]);
  if (all.x + all.y + all.z < 0) all = -all;
  consider(all.x, all.y, all.z);
  return best;
}

/// Least f over the sphere of directions: the bracket so far, and the direction of its upper end.
class Minimum {
 public:
  Minimum(const ConvexDifference& difference, const Effort& effort)
      : difference_(difference), effort_(effort), slack_(difference.rounding()) {}

  void run() {
    descend_by_nearest_points();
    // Bodies clearly apart need no search of the sphere: every direction proves one side, every
    // point the other.
    if (proved_apart_ && least_ - lower_ <= 4 * slack_) return;
    branch_and_bound();
  }

  Real lower() const { return lower_ - slack_; }
  Real upper() const { return least_ + slack_; }
  Real least() const { return least_; }
  const Point& direction() const { return direction_; }
  int evaluations() const { return evaluations_; }

 private:
  struct Corner {
    Point n, s;
    Real f = 0;
  };
  struct Triangle {
    Corner corner[3];
    Real lower = 0;
  };

  Corner evaluate(const Point& n) {
    ++evaluations_;
    Corner corner{n, difference_.support(n), 0};
    corner.f = dot(n, corner.s);
    if (corner.f < least_) {
      least_ = corner.f;
      direction_ = n;
    }
    return corner;
  }

  static Game game_of(const Triangle& t) {
    Game game;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) game.value[i][j] = dot(t.corner[j].n, t.corner[i].s);
    }
    return game;
  }

  /// The proof of the header, with the best convex combination of the three support points as s.
  /// Any weights give a true bound, so that rounding in them costs nothing but tightness.
  static Real lower_bound(const Triangle& t) {
    Real longest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Point edge = t.corner[i].n - t.corner[(i + 1) % 3].n;
      longest = std::max(longest, dot(edge, edge));
    }
    const Real least = best_weights(game_of(t)).value;
    return least >= 0 ? least : least / std::sqrt(1 - longest / 3);
  }

  /// Where the greatest of the three support planes is least inside the triangle: across a kink of
  /// f this is nearer to the minimum than any corner.
  void try_model_minimum(const Triangle& t) {
    const Game game = game_of(t);
    Game other;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) other.value[j][i] = -game.value[i][j];
    }
    const Weights w = best_weights(other);
    evaluate(unit(t.corner[0].n * w.of[0] + t.corner[1].n * w.of[1] + t.corner[2].n * w.of[2]));
  }

  void branch_and_bound() {
    std::vector<Triangle> active = octahedron();
    Real open = -std::numeric_limits<Real>::infinity();
    for (int level = 0; level < effort_.levels; ++level) {
      if (level == 4 || level % 12 == 8) descend_by_newton(direction_);
      open = std::numeric_limits<Real>::infinity();
      for (const Triangle& t : active) try_model_minimum(t);
      std::vector<Triangle> next;
      for (const Triangle& t : active) {
        if (t.lower >= least_ - slack_) continue;
        open = std::min(open, t.lower);
        next.push_back(t);
      }
      active.swap(next);
      const bool exhausted =
          evaluations_ + 3 * static_cast<int>(active.size()) > effort_.evaluations;
      if (active.empty() || exhausted) break;
      active = subdivide(active);
    }
    descend_by_newton(direction_);
    // Triangles left aside had a lower bound of at least the least f, less the slack.
    const Real proved = std::min(open, least_ - slack_);
    lower_ = std::max(lower_, proved);
  }

  std::vector<Triangle> octahedron() {
    std::vector<Triangle> triangles;
    for (int octant = 0; octant < 8; ++octant) {
      const Real x = (octant & 1) != 0 ? 1 : -1, y = (octant & 2) != 0 ? 1 : -1,
                 z = (octant & 4) != 0 ? 1 : -1;
      Triangle t;
      t.corner[0] = evaluate({x, 0, 0});
      t.corner[1] = evaluate({0, y, 0});
      t.corner[2] = evaluate({0, 0, z});
      t.lower = lower_bound(t);
      triangles.push_back(t);
    }
    return triangles;
  }

  std::vector<Triangle> subdivide(const std::vector<Triangle>& triangles) {
    std::vector<Triangle> out;
    out.reserve(4 * triangles.size());
    for (const Triangle& t : triangles) {
      const Corner ab = evaluate(unit(t.corner[0].n + t.corner[1].n));
      const Corner bc = evaluate(unit(t.corner[1].n + t.corner[2].n));
      const Corner ca = evaluate(unit(t.corner[2].n + t.corner[0].n));
      const Corner* corners[4][3] = {{&t.corner[0], &ab, &ca},
                                     {&ab, &t.corner[1], &bc},
                                     {&ca, &bc, &t.corner[2]},
                                     {&ab, &bc, &ca}};
      for (const auto& c : corners) {
        Triangle child{{*c[0], *c[1], *c[2]}, 0};
        child.lower = std::max(t.lower, lower_bound(child));
        out.push_back(child);
      }
    }
    return out;
  }

  /// Second-order descent of f; the derivative of the support point is taken by difference
  /// quotients. Where f has a kink it gains nothing and ends.
  void descend_by_newton(Point n) {
    Corner at = evaluate(n);
    for (int step = 0; step < kNewtonSteps; ++step) {
      const Tangent t(at.n);
      const Real gu = dot(at.s, t.u), gv = dot(at.s, t.v);
      const Point du = quotient(at.n, t.u), dv = quotient(at.n, t.v);
      const Real huu = dot(du, t.u) - at.f, hvv = dot(dv, t.v) - at.f;
      const Real huv = (dot(du, t.v) + dot(dv, t.u)) / 2;
      const Real determinant = huu * hvv - huv * huv;
      if (!(huu + hvv > 0) || !(determinant > 0)) return;
      Real su = -(hvv * gu - huv * gv) / determinant, sv = -(huu * gv - huv * gu) / determinant;
      bool better = false;
      for (int half = 0; half < kHalvings && !better; ++half, su /= 2, sv /= 2) {
        const Corner tried = evaluate(unit(at.n + t.u * su + t.v * sv));
        better = tried.f < at.f;
        if (better) at = tried;
      }
      if (!better) return;
    }
  }

  Point quotient(const Point& n, const Point& along) const {
    const Point ahead = difference_.support(unit(n + along * kQuotientStep));
    const Point behind = difference_.support(unit(n - along * kQuotientStep));
    return (ahead - behind) * (1 / (2 * kQuotientStep));
  }

  /// The least combination of at most three points, by trying every subset.
  struct Nearest {
    std::vector<Point> points;
    Point v;
    Real length = std::numeric_limits<Real>::infinity();
  };

  static void consider(Nearest& best, std::vector<Point> points, const Point& v) {
    const Real length = norm(v);
    if (length < best.length) best = {std::move(points), v, length};
  }

  static void consider_edge(Nearest& best, const Point& p, const Point& q) {
    const Point d = q - p;
    const Real dd = dot(d, d);
    if (!(dd > 0)) return;
    const Real t = -dot(p, d) / dd;
    if (t > 0 && t < 1) consider(best, {p, q}, p + d * t);
  }

  static void consider_face(Nearest& best, const Point& p, const Point& q, const Point& r) {
    const Point m = cross(q - p, r - p);
    const Real mm = dot(m, m);
    if (!(mm > 0)) return;
    // Barycentric coordinates of the foot of the origin.
    const Real a = dot(cross(q, r), m), b = dot(cross(r, p), m), c = dot(cross(p, q), m);
    if (!(a > 0 && b > 0 && c > 0)) return;
    const Real sum = a + b + c;
    consider(best, {p, q, r}, p * (a / sum) + q * (b / sum) + r * (c / sum));
  }

  static Nearest nearest_combination(const std::vector<Point>& s) {
    Nearest best;
    for (std::size_t i = 0; i < s.size(); ++i) {
      consider(best, {s[i]}, s[i]);
      for (std::size_t j = 0; j < i; ++j) {
        consider_edge(best, s[i], s[j]);
        for (std::size_t k = 0; k < j; ++k) consider_face(best, s[i], s[j], s[k]);
      }
    }
    return best;
  }

  /// The direction from which the nearest feature is seen: its own normal, which does not suffer
  /// when the nearest point almost vanishes.
  static Point direction_of(const Nearest& nearest) {
    const std::vector<Point>& p = nearest.points;
    Point n = -nearest.v;
    if (p.size() == 3) {
      const Point m = cross(p[1] - p[0], p[2] - p[0]);
      n = dot(m, nearest.v) > 0 ? -m : m;
    } else if (p.size() == 2) {
      const Point d = p[1] - p[0];
      n = n - d * (dot(n, d) / dot(d, d));
    }
    return unit(n);
  }

  /// Convex combinations of support points that come ever nearer to the origin; each is a point of
  /// A - B, so that its length bounds the distance of bodies apart from above.
  void descend_by_nearest_points() {
    Nearest nearest = nearest_combination({evaluate({1, 0, 0}).s});
    for (int step = 0; step < kNearestSteps; ++step) {
      if (!(nearest.length > slack_)) return;
      const Corner by_point = evaluate(unit(-nearest.v));
      const Corner by_feature = evaluate(direction_of(nearest));
      if (least_ < 0) {
        proved_apart_ = true;
        lower_ = std::max(lower_, -nearest.length);
        if (-nearest.length >= least_ - slack_) break;
      }
      std::vector<Point> points = nearest.points;
      points.push_back(by_point.s);
      points.push_back(by_feature.s);
      Nearest next = nearest_combination(points);
      if (!(next.length < nearest.length)) break;
      nearest = std::move(next);
    }
    if (proved_apart_) {
      descend_by_newton(direction_);
      lower_ = std::max(lower_, -norm(difference_.support(direction_)));
    }
  }

  const ConvexDifference& difference_;
  const Effort& effort_;
  Real slack_;
  Real lower_ = -std::numeric_limits<Real>::infinity();
  Real least_ = std::numeric_limits<Real>::infinity();
  Point direction_{0, 0, 1};
  bool proved_apart_ = false;
  int evaluations_ = 0;
};

struct Placed {
  const Body* body;
  ExtendedRotation rotation;
  Point position;
};

ExtendedRotation product(const ExtendedRotation& a, const ExtendedRotation& b) {
  const auto column = [&b](int c) {
    const auto at = [c](const Point& p) { return c == 0 ? p.x : (c == 1 ? p.y : p.z); };
    return Point{at(b.row[0]), at(b.row[1]), at(b.row[2])};
  };
  const Point c0 = a.times(column(0)), c1 = a.times(column(1)), c2 = a.times(column(2));
  return {{{c0.x, c1.x, c2.x}, {c0.y, c1.y, c2.y}, {c0.z, c1.z, c2.z}}};
}

/// The convex parts of a body. Positions are relative to `origin`, which is subtracted first.
std::vector<Placed> convex_parts(const Body& body, const ExtendedRotation& rotation,
                                 const Point& position) {
  if (body.type != ShapeType::compound) return {{&body, rotation, position}};
  std::vector<Placed> all;
  for (const Body::Part& part : body.parts) {
    const ExtendedRotation inner = product(rotation, part.placement.rotation());
    const Point at = position + rotation.times(Point(part.placement.position));
    for (const Placed& p : convex_parts(part.body, inner, at)) all.push_back(p);
  }
  return all;
}

/// A convex body against the half-space `plane`: one support point.
Reference against_halfspace(const Placed& body, const Placed& plane, bool plane_is_a) {
  const Point normal(plane.body->size);
  const Real length = norm(normal);
  const Point n = plane.rotation.times(normal * (1 / length));
  const PlacedCore core(*body.body, body.rotation);
  const Point offset = body.position - plane.position;
  // The body's lowest point over the plane.
  const Real height =
      dot(core.support(-n) + offset, n) - core.radius() - Real(plane.body->offset) / length;
  const Real slack =
      32 * std::numeric_limits<Real>::epsilon() *
      (core.reach() + core.radius() + norm(offset) + std::fabs(Real(plane.body->offset) / length));
  return {height, height - slack, height + slack, plane_is_a ? n : -n, 1};
}

Reference convex_reference(const Placed& a, const Placed& b, const Effort& effort) {
  if (a.body->type == ShapeType::halfspace) return against_halfspace(b, a, true);
  if (b.body->type == ShapeType::halfspace) return against_halfspace(a, b, false);
  const PlacedCore core_a(*a.body, a.rotation), core_b(*b.body, b.rotation);
  const ConvexDifference difference(core_a, core_b, b.position - a.position);
  Minimum minimum(difference, effort);
  minimum.run();
  const Real radius = difference.radius();
  const Real slack = std::numeric_limits<Real>::epsilon() * radius;
  return {-minimum.least() - radius, -minimum.upper() - radius - slack,
          -minimum.lower() - radius + slack, minimum.direction(), minimum.evaluations()};
}

}  // namespace

Reference reference(const Pair& pair, const Effort& effort) {
  // Translations are subtracted first: in extended precision that is exact for all but wildly
  // different scales.
  const Point offset = Point(pair.place_b.position) - Point(pair.place_a.position);
  const auto parts_a = convex_parts(pair.a, pair.place_a.rotation(), {});
  const auto parts_b = convex_parts(pair.b, pair.place_b.rotation(), offset);
  std::optional<Reference> least;
  for (const Placed& a : parts_a) {
    for (const Placed& b : parts_b) {
      const Reference r = convex_reference(a, b, effort);
      if (!least) {
        least = r;
        continue;
      }
      const Real lower = std::min(least->lower, r.lower), upper = std::min(least->upper, r.upper);
      if (r.distance < least->distance) least = r;
      least->lower = lower;
      least->upper = upper;
    }
  }
  return *least;
}

}  // namespace tactus::detail::oracle
