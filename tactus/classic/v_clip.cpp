#include "tactus/classic/v_clip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tactus/classic/proved_answer.hpp"

namespace tactus::detail {
namespace {

using Kind = VClipFeature::Kind;
using Index = std::uint32_t;

VClipFeature vertex_feature(Index i) { return {Kind::vertex, i}; }
VClipFeature edge_feature(Index i) { return {Kind::edge, i}; }
VClipFeature face_feature(Index i) { return {Kind::face, i}; }

struct Line {
  Vec3 tail, head;
  Vec3 along() const { return head - tail; }
  Vec3 at(double t) const { return tail + along() * t; }
};

// A polytope in A's frame.
class Body {
 public:
  Body(const Core& core, const Mat3& rotation, const Vec3& translation)
      : polytope(core), rotation_(rotation), translation_(translation) {}

  const Polytope polytope;

  Vec3 vertex(Index i) const { return rotation_ * polytope.vertex(i) + translation_; }
  Vec3 normal(Index face) const { return rotation_ * polytope.normal(face); }
  Line line(Index edge) const {
    return {vertex(polytope.edge(edge).tail), vertex(polytope.edge(edge).head)};
  }
  bool has_faces() const { return polytope.dimension() >= 2; }
  bool is_flat() const { return polytope.dimension() == 2; }
  // The edge between two neighbouring vertices: edges are sorted by their lower, then higher one.
  Index edge_between(Index u, Index v) const {
    const Index low = std::min(u, v), high = std::max(u, v);
    Index first = 0, count = polytope.edge_count();
    while (count > 1) {
      const Index half = count / 2;
      const ConvexHull::Edge& e = polytope.edge(first + half);
      const Index a = std::min(e.tail, e.head), b = std::max(e.tail, e.head);
      if (a < low || (a == low && b <= high)) {
        first += half;
        count -= half;
      } else {
        count = half;
      }
    }
    return first;
  }
  Index first_vertex(const VClipFeature& f) const {
    if (f.kind == Kind::vertex) return f.index;
    return f.kind == Kind::edge ? polytope.edge(f.index).tail : polytope.corners(f.index)[0];
  }
  // Height of p over a face; its size over a flat body, which has two sides.
  double height(Index face, const Vec3& p) const {
    const double h = dot(normal(face), p - vertex(polytope.corners(face)[0]));
    return is_flat() ? std::fabs(h) : h;
  }
  // The face with the largest height of p, which is that of a point outside.
  Index highest_face(const Vec3& p) const {
    Index best = 0;
    for (Index f = 1; f < polytope.face_count(); ++f) {
      if (height(f, p) > height(best, p)) best = f;
    }
    return best;
  }

 private:
  Mat3 rotation_;
  Vec3 translation_;
};

// One side of a Voronoi region, with the feature on its other side.
struct Plane {
  Vec3 point, inward;
  VClipFeature beyond;
  double height(const Vec3& p) const { return dot(inward, p - point); }
};

// The sides of the region of `f`, each handed to `use`.
template <class Use>
void for_each_plane(const Body& body, const VClipFeature& f, Use&& use) {
  const Polytope& polytope = body.polytope;
  if (f.kind == Kind::vertex) {
    const Vec3 v = body.vertex(f.index);
    for (const Index u : polytope.neighbors(f.index))
      use(Plane{v, v - body.vertex(u), edge_feature(body.edge_between(f.index, u))});
  } else if (f.kind == Kind::edge) {
    const Line e = body.line(f.index);
    use(Plane{e.tail, e.along(), vertex_feature(polytope.edge(f.index).tail)});
    use(Plane{e.head, -e.along(), vertex_feature(polytope.edge(f.index).head)});
    if (!body.has_faces()) return;
    // The edge runs counter-clockwise about its left face: outward of it is along x normal.
    const Index left = polytope.left(f.index);
    use(Plane{e.tail, cross(e.along(), body.normal(left)), face_feature(left)});
    if (body.is_flat()) return;
    const Index right = polytope.right(f.index);
    use(Plane{e.tail, cross(body.normal(right), e.along()), face_feature(right)});
  } else {
    const auto corners = polytope.corners(f.index);
    const Vec3 n = body.normal(f.index);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Index u = corners[i];
      const Index v = corners[i + 1 == corners.size() ? 0 : i + 1];
      const Vec3 tail = body.vertex(u);
      use(Plane{tail, cross(n, body.vertex(v) - tail), edge_feature(body.edge_between(u, v))});
    }
  }
}

// The part of an edge inside a region, and the features beyond its ends; from low to high it is
// empty when planes exclude the edge together.
struct Clipped {
  double low = 0.0, high = 1.0;
  VClipFeature below, above;
  bool cut_low = false, cut_high = false;
  bool excluded = false;  ///< by one plane
  VClipFeature excluder;
  bool empty() const { return excluded || low > high; }
};

Clipped clip(const Body& body, const VClipFeature& f, const Line& e) {
  Clipped r;
  for_each_plane(body, f, [&](const Plane& plane) {
    const double tail = plane.height(e.tail);
    const double head = plane.height(e.head);
    if (tail < 0.0 && head < 0.0) {
      if (!r.excluded) r.excluder = plane.beyond;
      r.excluded = true;
    } else if (tail < 0.0) {
      const double t = tail / (tail - head);
      if (t <= r.low) return;
      r.low = t;
      r.below = plane.beyond;
      r.cut_low = true;
    } else if (head < 0.0) {
      const double t = tail / (tail - head);
      if (t >= r.high) return;
      r.high = t;
      r.above = plane.beyond;
      r.cut_high = true;
    }
  });
  return r;
}

// Does the distance from the feature grow along the edge at t?
double slope(const Body& body, const VClipFeature& f, const Line& e, double t) {
  if (f.kind == Kind::vertex) return dot(e.along(), e.at(t) - body.vertex(f.index));
  if (f.kind == Kind::face) {
    const Vec3 n = body.normal(f.index);
    const double side = dot(n, e.at(t) - body.vertex(body.polytope.corners(f.index)[0]));
    return side < 0.0 ? -dot(n, e.along()) : dot(n, e.along());
  }
  const Line other = body.line(f.index);
  const Vec3 u = other.along();
  const Vec3 gap = e.at(t) - other.tail;
  return dot(e.along(), gap - u * (dot(gap, u) / squared_norm(u)));
}

// An edge against the region of a vertex or edge: true when `f` moves.
bool clip_step(const Body& body, VClipFeature& f, const Line& e) {
  const Clipped c = clip(body, f, e);
  if (c.excluded) {
    f = c.excluder;
  } else if (c.cut_low && slope(body, c.below, e, c.low) > 0.0) {
    f = c.below;
  } else if (c.cut_high && (c.empty() || slope(body, c.above, e, c.high) < 0.0)) {
    f = c.above;
  } else {
    return false;
  }
  return true;
}

// A point against a region: true when `f` moves across the side that it violates most.
bool point_step(const Body& body, VClipFeature& f, const Vec3& p) {
  double worst = 0.0;
  VClipFeature next = f;
  for_each_plane(body, f, [&](const Plane& plane) {
    const double h = plane.height(p) / norm(plane.inward);
    if (h < worst) {
      worst = h;
      next = plane.beyond;
    }
  });
  if (next == f) return false;
  f = next;
  return true;
}

// Parameters of the nearest points of two segments. Source: ericson2004rtcd, section 5.1.9.
void nearest(const Line& e, const Line& g, double& s, double& t) {
  const Vec3 u = e.along(), v = g.along(), w = e.tail - g.tail;
  const double uu = squared_norm(u), vv = squared_norm(v), uv = dot(u, v);
  const double uw = dot(u, w), vw = dot(v, w);
  const double area = uu * vv - uv * uv;
  s = 0.0;
  if (area > 0.0) {
    s = std::clamp((uv * vw - uw * vv) / area, 0.0, 1.0);
  } else if (uu > 0.0) {
    s = std::clamp(-uw / uu, 0.0, 1.0);  // against the other's tail
  }
  t = vv > 0.0 ? (uv * s + vw) / vv : 0.0;
  if (t < 0.0 || t > 1.0) {
    t = std::clamp(t, 0.0, 1.0);
    s = uu > 0.0 ? std::clamp((uv * t - uw) / uu, 0.0, 1.0) : 0.0;
  }
}

enum class Step : std::uint8_t { moved, closest, penetrating };

// A vertex of X over a face of Y.
Step vertex_face(const Body& x, VClipFeature& fx, const Body& y, VClipFeature& fy, Vec3& common) {
  const Vec3 p = x.vertex(fx.index);
  if (point_step(y, fy, p)) return Step::moved;
  const double h = y.height(fy.index, p);
  if (h < 0.0) {
    // Below this face, but perhaps outside of another.
    const Index highest = y.highest_face(p);
    common = p;
    const bool inside = y.height(highest, p) <= 0.0 || highest == fy.index;
    fy = face_feature(highest);
    return inside ? Step::penetrating : Step::moved;
  }
  // Heights on the vertex' own side: an edge through a flat face leads nearer, too.
  const Vec3 corner = y.vertex(y.polytope.corners(fy.index)[0]);
  const Vec3 n =
      dot(y.normal(fy.index), p - corner) < 0.0 ? -y.normal(fy.index) : y.normal(fy.index);
  for (const Index u : x.polytope.neighbors(fx.index)) {
    if (dot(n, x.vertex(u) - corner) < h) {
      fx = edge_feature(x.edge_between(fx.index, u));
      return Step::moved;
    }
  }
  return Step::closest;
}

// An edge of X and a face of Y: they meet, or one of them gives way.
Step edge_face(const Body& x, VClipFeature& fx, const Body& y, VClipFeature& fy, Vec3& common) {
  const Line e = x.line(fx.index);
  const Clipped c = clip(y, fy, e);
  if (c.empty()) {
    // The nearest edge of the face, or its end.
    const Index face = fy.index;
    double least = std::numeric_limits<double>::infinity();
    for_each_plane(y, face_feature(face), [&](const Plane& plane) {
      const Index edge = plane.beyond.index;
      const Line side = y.line(edge);
      double s = 0.0, t = 0.0;
      nearest(e, side, s, t);
      const double d = squared_norm(e.at(s) - side.at(t));
      if (!(d < least)) return;
      least = d;
      fy = t <= 0.0   ? vertex_feature(y.polytope.edge(edge).tail)
           : t >= 1.0 ? vertex_feature(y.polytope.edge(edge).head)
                      : plane.beyond;
    });
    return Step::moved;
  }
  const Vec3 n = y.normal(fy.index);
  const Vec3 corner = y.vertex(y.polytope.corners(fy.index)[0]);
  const double low = dot(n, e.at(c.low) - corner);
  const double high = dot(n, e.at(c.high) - corner);
  if ((low <= 0.0 && high >= 0.0) || (low >= 0.0 && high <= 0.0)) {
    const double t = low == high ? 0.0 : low / (low - high);
    common = e.at(c.low + (c.high - c.low) * t);
    return Step::penetrating;
  }
  const bool nearer_low = std::fabs(low) <= std::fabs(high);
  if (nearer_low ? c.cut_low : c.cut_high) {
    fy = nearer_low ? c.below : c.above;
  } else {
    const ConvexHull::Edge& edge = x.polytope.edge(fx.index);
    fx = vertex_feature(nearer_low ? edge.tail : edge.head);
  }
  return Step::moved;
}

// One step; fx is of the lower or the same kind as fy.
Step step(const Body& x, VClipFeature& fx, const Body& y, VClipFeature& fy, Vec3& common) {
  if (fy.kind == Kind::vertex) {
    const Vec3 p = x.vertex(fx.index), q = y.vertex(fy.index);
    return point_step(x, fx, q) || point_step(y, fy, p) ? Step::moved : Step::closest;
  }
  if (fx.kind == Kind::vertex) {
    if (fy.kind == Kind::face) return vertex_face(x, fx, y, fy, common);
    const Line e = y.line(fy.index);
    const Vec3 p = x.vertex(fx.index);
    return point_step(y, fy, p) || clip_step(x, fx, e) ? Step::moved : Step::closest;
  }
  if (fy.kind == Kind::face) return edge_face(x, fx, y, fy, common);
  const Line ex = x.line(fx.index), ey = y.line(fy.index);
  return clip_step(x, fx, ey) || clip_step(y, fy, ex) ? Step::moved : Step::closest;
}

// Nearest points of two features whose regions hold each other.
void nearest_points(const Body& x, const VClipFeature& fx, const Body& y, const VClipFeature& fy,
                    Vec3& p, Vec3& q) {
  const auto line = [](const Body& body, const VClipFeature& f) {
    if (f.kind == Kind::edge) return body.line(f.index);
    const Vec3 v = body.vertex(f.index);
    return Line{v, v};
  };
  if (fy.kind == Kind::face && fx.kind == Kind::vertex) {
    p = x.vertex(fx.index);
    const Vec3 n = y.normal(fy.index);
    q = p - n * dot(n, p - y.vertex(y.polytope.corners(fy.index)[0]));
  } else if (fx.kind == Kind::face && fy.kind == Kind::vertex) {
    nearest_points(y, fy, x, fx, q, p);
  } else {
    const Line e = line(x, fx), g = line(y, fy);
    double s = 0.0, t = 0.0;
    nearest(e, g, s, t);
    p = e.at(s);
    q = g.at(t);
  }
}

// Unit normal of the features themselves, turned along `gap`; `gap` where they have none.
Vec3 feature_normal(const Body& x, const VClipFeature& fx, const Body& y, const VClipFeature& fy,
                    const Vec3& gap) {
  Vec3 n;
  if (fy.kind == Kind::face) {
    n = -y.normal(fy.index);
  } else if (fx.kind == Kind::face) {
    n = x.normal(fx.index);
  } else if (fx.kind == Kind::edge && fy.kind == Kind::edge) {
    n = cross(normalized(x.line(fx.index).along()), normalized(y.line(fy.index).along()));
  }
  if (!(max_abs(n) > 0.0)) n = gap;
  n = normalized(n);
  return dot(n, gap) < 0.0 ? -n : n;
}

std::vector<Vec3> corners_of(const Body& body, const VClipFeature& f) {
  std::vector<Vec3> corners;
  if (f.kind == Kind::vertex) {
    corners.push_back(body.vertex(f.index));
  } else if (f.kind == Kind::edge) {
    const Line line = body.line(f.index);
    corners = {line.tail, line.head};
  } else {
    for (const Index i : body.polytope.corners(f.index)) corners.push_back(body.vertex(i));
  }
  return corners;
}

// The features of a step, and a point of each.
void tell(Observer& observer, int step, double radii, const Body& x, const VClipFeature& a,
          const Body& y, const VClipFeature& b) {
  const std::vector<Vec3> of_a = corners_of(x, a), of_b = corners_of(y, b);
  const double endless = std::numeric_limits<double>::infinity();
  const Vec3 gap = of_b[0] - of_a[0];
  const SearchState state{"v_clip", step, -endless, norm(gap), radii};
  observer.segment({state, of_a[0], of_b[0], feature_normal(x, a, y, b, gap), of_a, of_b});
}

}  // namespace

VClipResult v_clip(const Cso& cso, VClipFeature& a, VClipFeature& b, int max_steps,
                   Observer* observer) {
  const Body x(cso.a, Mat3::identity(), {});
  const Body y(cso.b, cso.rotation, cso.translation);
  VClipResult r;
  Vec3 common;
  // Two faces are never closest without their edges or vertices being so.
  if (a.kind == Kind::face && b.kind == Kind::face) a = vertex_feature(x.first_vertex(a));
  // A step depends on the two features alone: a pair met again, like the one kept at the last power
  // of two, comes back for ever (Brent's way to find a cycle).
  VClipFeature kept_a = a, kept_b = b;
  int next_kept = 1;
  for (Step s = Step::moved; s == Step::moved && r.steps < max_steps;) {
    ++r.steps;
    if (observer != nullptr) tell(*observer, r.steps, cso.a.radius + cso.b.radius, x, a, y, b);
    s = a.kind <= b.kind ? step(x, a, y, b, common) : step(y, b, x, a, common);
    if (s == Step::moved && a == kept_a && b == kept_b) break;
    if (r.steps == next_kept) {
      kept_a = a;
      kept_b = b;
      next_kept = r.steps <= std::numeric_limits<int>::max() / 2 ? 2 * r.steps : 0;
    }
    if (s == Step::closest) r.outcome = VClipOutcome::closest;
    if (s == Step::penetrating) r.outcome = VClipOutcome::penetrating;
  }
  switch (r.outcome) {
    case VClipOutcome::closest:
      nearest_points(x, a, y, b, r.point_a, r.point_b);
      break;
    case VClipOutcome::penetrating:
      r.point_a = common;
      r.point_b = common;
      break;
    case VClipOutcome::cycling:
      r.point_a = x.vertex(x.first_vertex(a));
      r.point_b = y.vertex(y.first_vertex(b));
      break;
  }
  r.normal = feature_normal(x, a, y, b, r.point_b - r.point_a);
  return r;
}

bool is_polytope_pair(const Core& a, const Core& b) { return a.is_polytope() && b.is_polytope(); }

ConvexAnswer answer_by_v_clip(const Cso& cso, const ConvexOptions& options) {
  const Vec3 between = cso.rotation * cso.b.center + cso.translation - cso.a.center;
  const SupportPoint start =
      cso.support(normalized(options.start == Vec3{} ? between : options.start, {0.0, 0.0, 1.0}));
  VClipFeature a = vertex_feature(start.piece_a);
  VClipFeature b = vertex_feature(start.piece_b);
  const VClipResult walk = v_clip(cso, a, b, options.max_iterations, options.observer);
  // Verified: what a direction says over all vertices.
  Vec3 n = walk.normal;
  double value = cso.value(n);
  const Vec3 along = normalized(walk.point_b - walk.point_a, n);
  if (const double other = cso.value(along); other < value) {
    n = along;
    value = other;
  }
  ConvexAnswer r =
      proved_answer(cso, n, -value, walk.point_a, walk.point_b, absolute_tolerance(cso, options));
  r.iterations = walk.steps;
  r.unique = walk.outcome == VClipOutcome::closest;
  return r;
}

}  // namespace tactus::detail
