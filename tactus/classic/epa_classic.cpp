#include "tactus/classic/epa_classic.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

// Replacements in the search for a start tetrahedron; a few suffice where one exists.
constexpr int kMaxSearch = 64;
// Cosine and sine of 120 degrees: three points around a segment.
constexpr double kCosine = -0.5, kSine = 0.86602540378443865;

// Least relative stop as a query method: some roundings.
constexpr double kLeastEps = 1e-14;
// A bracket of this many roundings is as narrow as it gets.
constexpr double kLeastWidth = 8.0;

// The corners of the tetrahedron's faces, counter-clockwise seen from outside, the corner opposite,
// and the faces across the edges.
constexpr int kCorner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
constexpr int kOpposite[4] = {3, 2, 0, 1};
constexpr std::uint16_t kNeighbor[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};

Vec3 plane_normal(const Vec3& a, const Vec3& b, const Vec3& c) { return cross(b - a, c - a); }

}  // namespace

/// State that the steps of one call share.
struct EpaClassic::Run {
  const Cso& cso;
  const EpaClassicOptions& options;
  EpaClassicResult result;
  double lower = 0.0;  ///< largest |v| of a face that was the nearest
  double upper = std::numeric_limits<double>::infinity();  ///< least w.v / |v|

  SupportPoint evaluate(const Vec3& n) {
    const SupportPoint p = grown_support(cso, n, options.margin);
    ++result.iterations;
    note(n, dot(n, p.w));
    return p;
  }
  void note(const Vec3& n, double grown_value) {
    const double value = grown_value - 2.0 * options.margin;
    if (value < result.best_value) {
      result.best_value = value;
      result.best_direction = n;
    }
  }
  SearchState state() const {
    return {"epa_classic", result.iterations, 2.0 * options.margin - upper,
            2.0 * options.margin - lower};
  }
};

bool EpaClassic::later(std::uint16_t x, std::uint16_t y) const {
  const double dx = faces_.item[x].distance, dy = faces_.item[y].distance;
  return dx != dy ? dx > dy : x > y;
}

bool EpaClassic::make_face(int a, int b, int c) {
  Face& f = faces_.item[face_count_];
  f.vertex[0] = static_cast<std::uint16_t>(a);
  f.vertex[1] = static_cast<std::uint16_t>(b);
  f.vertex[2] = static_cast<std::uint16_t>(c);
  f.alive = true;
  const Vec3 normal = plane_normal(corner(f, 0), corner(f, 1), corner(f, 2));
  if (!(max_abs(normal) > 0.0)) return false;
  f.normal = normalized(normal);
  f.distance = dot(f.normal, corner(f, 0));
  ++face_count_;
  return true;
}

// The foot of the origin on the plane lies inside the face by all three edges.
bool EpaClassic::is_foot_inside(const Face& f) const {
  const Vec3 &a = corner(f, 0), &b = corner(f, 1), &c = corner(f, 2);
  return dot(f.normal, cross(b, c)) >= 0.0 && dot(f.normal, cross(c, a)) >= 0.0 &&
         dot(f.normal, cross(a, b)) >= 0.0;
}

void EpaClassic::push(std::uint16_t face) {
  heap_.item[heap_count_++] = face;
  std::push_heap(heap_.item, heap_.item + heap_count_,
                 [this](std::uint16_t x, std::uint16_t y) { return later(x, y); });
}

// vertices_[0..3] become four faces, outward. False when they span no volume.
bool EpaClassic::build_tetrahedron() {
  Storage<SupportPoint, kMaxVertices>& p = vertices_;
  vertex_count_ = 4;
  face_count_ = 0;
  const double volume =
      dot(plane_normal(p.item[0].w, p.item[1].w, p.item[2].w), p.item[3].w - p.item[0].w);
  if (!(std::fabs(volume) > 0.0)) return false;
  if (volume > 0.0) std::swap(p.item[0], p.item[1]);
  for (int i = 0; i < 4; ++i) {
    if (!make_face(kCorner[i][0], kCorner[i][1], kCorner[i][2])) return false;
    std::copy(kNeighbor[i], kNeighbor[i] + 3, faces_.item[i].neighbor);
  }
  return true;
}

// Replaces the corner opposite a face that has the origin outside, until there is none. A face
// through the origin counts as one that has it inside: else the two sides of a triangle through the
// origin can take turns for ever.
bool EpaClassic::search_tetrahedron(Run& run) {
  for (int step = 0; step < kMaxSearch; ++step) {
    if (!build_tetrahedron()) return false;
    int outside = -1;
    for (int i = 0; i < 4 && outside < 0; ++i) {
      if (faces_.item[i].distance < -run.cso.error_bound) outside = i;
    }
    if (outside < 0) return true;
    const Vec3 n = faces_.item[outside].normal;
    const SupportPoint p = run.evaluate(n);
    if (dot(n, p.w) < 0.0) {
      run.result.outcome = EpaClassicOutcome::separated;
      return false;
    }
    vertices_.item[kOpposite[outside]] = p;
  }
  return false;
}

// From GJK's last simplex: a segment is surrounded by three points, a triangle gets a point on
// either side, and the half that holds the origin is taken, else one to start the search from.
bool EpaClassic::start_tetrahedron(Run& run, Simplex& s) {
  SupportPoint* const p = vertices_.item;
  if (s.size == 1) {
    s.point[1] = run.evaluate(-normalized(s.point[0].w));
    if (s.contains(s.point[1])) s.point[1] = run.evaluate(any_perpendicular(s.point[1].direction));
    s.size = 2;
  }
  SupportPoint top = s.point[0], bottom = s.point[1];
  if (s.size == 2) {
    const Vec3 along = normalized(bottom.w - top.w);
    const Vec3 u = any_perpendicular(along), v = cross(along, u);
    p[0] = run.evaluate(u);
    p[1] = run.evaluate(normalized(u * kCosine + v * kSine));
    p[2] = run.evaluate(normalized(u * kCosine - v * kSine));
  } else {
    for (int i = 0; i < 3; ++i) p[i] = s.point[i];
    if (s.size == 3) {
      const Vec3 n = normalized(plane_normal(p[0].w, p[1].w, p[2].w));
      top = run.evaluate(n);
      bottom = run.evaluate(-n);
    } else {
      top = bottom = s.point[3];
    }
  }
  const auto holds_origin = [&](const SupportPoint& apex) {
    p[3] = apex;
    if (!build_tetrahedron()) return false;
    return std::all_of(faces_.item, faces_.item + 4,
                       [&](const Face& f) { return f.distance >= -run.cso.error_bound; });
  };
  if (holds_origin(top) || holds_origin(bottom)) return true;
  // A flat half cannot start the search.
  p[3] = top;
  if (!build_tetrahedron()) p[3] = bottom;
  return search_tetrahedron(run);
}

// Removes the faces that `w` sees, connected to `face`; their border is the silhouette. False when
// the border is not one loop, which on a convex polytope it always is.
bool EpaClassic::find_silhouette(const Vec3& w, std::uint16_t face) {
  Storage<std::uint16_t, kMaxFaces> stack;
  int depth = 0;
  horizon_count_ = 0;
  faces_.item[face].alive = false;
  stack.item[depth++] = face;
  while (depth > 0) {
    const Face& f = faces_.item[stack.item[--depth]];
    for (int e = 0; e < 3; ++e) {
      Face& g = faces_.item[f.neighbor[e]];
      if (!g.alive) continue;
      if (dot(g.normal, w) > g.distance) {
        g.alive = false;
        stack.item[depth++] = f.neighbor[e];
      } else {
        if (horizon_count_ == kMaxVertices) return false;
        horizon_.item[horizon_count_++] = {f.vertex[e], f.vertex[(e + 1) % 3], f.neighbor[e]};
      }
    }
  }
  // Into the order of the loop.
  for (int i = 0; i + 1 < horizon_count_; ++i) {
    int next = i + 1;
    while (next < horizon_count_ && horizon_.item[next].tail != horizon_.item[i].head) ++next;
    if (next == horizon_count_) return false;
    std::swap(horizon_.item[i + 1], horizon_.item[next]);
  }
  return horizon_count_ >= 3 && horizon_.item[horizon_count_ - 1].head == horizon_.item[0].tail;
}

// Joins `p` to the silhouette. False when storage is full or the polytope is no longer convex (and
// then no polytope at all); the outcome says which.
bool EpaClassic::insert(Run& run, const SupportPoint& p, std::uint16_t face) {
  // A silhouette has no more edges than the polytope has vertices.
  if (vertex_count_ == kMaxVertices || face_count_ + vertex_count_ > kMaxFaces) {
    run.result.outcome = EpaClassicOutcome::iteration_limit;
    return false;
  }
  run.result.outcome = EpaClassicOutcome::not_convex;
  if (!find_silhouette(p.w, face)) return false;
  const int count = horizon_count_, first = face_count_;
  vertices_.item[vertex_count_] = p;
  for (int i = 0; i < count; ++i) {
    const HorizonEdge& edge = horizon_.item[i];
    if (!make_face(edge.tail, edge.head, vertex_count_)) return false;
    Face& f = faces_.item[first + i];
    f.neighbor[0] = edge.outside;
    f.neighbor[1] = static_cast<std::uint16_t>(first + (i + 1) % count);
    f.neighbor[2] = static_cast<std::uint16_t>(first + (i + count - 1) % count);
    Face& outside = faces_.item[edge.outside];
    for (int e = 0; e < 3; ++e) {
      if (outside.vertex[e] == edge.head && outside.vertex[(e + 1) % 3] == edge.tail) {
        outside.neighbor[e] = static_cast<std::uint16_t>(first + i);
        // The far corner of the face across must not lie above the new one.
        const double height = dot(f.normal, corner(outside, (e + 2) % 3)) - f.distance;
        if (height > run.cso.error_bound) return false;
      }
    }
  }
  run.result.outcome = EpaClassicOutcome::stagnated;
  ++vertex_count_;
  for (int i = first; i < face_count_; ++i) {
    const Face& f = faces_.item[i];
    if (is_foot_inside(f) && run.lower <= f.distance && f.distance <= run.upper)
      push(static_cast<std::uint16_t>(i));
  }
  return true;
}

void EpaClassic::take_face(Run& run, const Face& f) const {
  EpaClassicResult& r = run.result;
  r.depth = f.distance - 2.0 * run.options.margin;
  r.n = f.normal;
  r.value = std::numeric_limits<double>::infinity();
  double weight[3];
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    weight[i] = std::max(0.0, dot(f.normal, cross(corner(f, (i + 1) % 3), corner(f, (i + 2) % 3))));
    sum += weight[i];
  }
  r.a = r.b = Vec3{};
  for (int i = 0; i < 3; ++i) {
    const double share = sum > 0.0 ? weight[i] / sum : 1.0 / 3.0;
    r.a += vertices_.item[f.vertex[i]].a * share;
    r.b += vertices_.item[f.vertex[i]].b * share;
  }
}

// The polytope, then the face that was looked at.
void EpaClassic::report(const Run& run, const Face& f, const SupportPoint& p) const {
  std::vector<Vec3> points;
  points.reserve(static_cast<std::size_t>(vertex_count_));
  for (int i = 0; i < vertex_count_; ++i) points.push_back(vertices_.item[i].w);
  std::vector<std::array<std::uint32_t, 3>> faces;
  for (int i = 0; i < face_count_; ++i) {
    const Face& g = faces_.item[i];
    if (g.alive || &g == &f) faces.push_back({g.vertex[0], g.vertex[1], g.vertex[2]});
  }
  run.options.observer->polytope({run.state(), points, faces});
  const Vec3 corners[3] = {corner(f, 0), corner(f, 1), corner(f, 2)};
  run.options.observer->simplex({run.state(), {corners, 3}, f.normal, p.w, p.a, p.b});
}

// The sphere through the face's corners and the support point beyond it counts as the surface when
// its depth lies between the bounds and the support point towards its nearest point is that point.
bool EpaClassic::try_sphere(Run& run, const Face& f, const SupportPoint& p, double value) const {
  const Vec3 &a = corner(f, 0), &b = corner(f, 1), &c = corner(f, 2), &d = p.w;
  const Vec3 v1 = a - b, v2 = a - c, v3 = a - d;
  const double determinant = dot(v1, cross(v2, v3));
  if (!(std::fabs(determinant) > 0.0)) return false;
  // |x|^2 - |y|^2 = (x - y).(x + y) without cancellation.
  const Vec3 center = (cross(v2, v3) * dot(v1, a + b) + cross(v3, v1) * dot(v2, a + c) +
                       cross(v1, v2) * dot(v3, a + d)) *
                      (0.5 / determinant);
  const double offset = norm(center);
  const double depth = norm(a - center) - offset;
  if (!(offset > 0.0) || !(f.distance <= depth && depth <= value)) return false;
  const Vec3 n = -normalized(center);
  const SupportPoint q = run.evaluate(n);
  if (!(norm(q.w - n * depth) <= run.options.eps * depth)) return false;
  EpaClassicResult& r = run.result;
  r.outcome = EpaClassicOutcome::sphere;
  r.depth = depth - 2.0 * run.options.margin;
  r.n = n;
  r.value = dot(n, q.w) - 2.0 * run.options.margin;
  r.a = q.a;
  r.b = q.b;
  return true;
}

void EpaClassic::grow(Run& run) {
  EpaClassicResult& r = run.result;
  const double eps = run.options.eps;
  heap_count_ = 0;
  for (std::uint16_t i = 0; i < 4; ++i) {
    if (is_foot_inside(faces_.item[i])) push(i);
  }
  const int last_iteration = r.iterations + run.options.max_iterations;
  r.outcome = EpaClassicOutcome::stagnated;
  while (heap_count_ > 0) {
    std::pop_heap(heap_.item, heap_.item + heap_count_,
                  [this](std::uint16_t x, std::uint16_t y) { return later(x, y); });
    const std::uint16_t index = heap_.item[--heap_count_];
    const Face& f = faces_.item[index];
    if (!f.alive) continue;
    if (f.distance > run.upper) return;
    run.lower = std::max(run.lower, f.distance);
    take_face(run, f);
    if (r.iterations >= last_iteration) {
      r.outcome = EpaClassicOutcome::iteration_limit;
      return;
    }
    // v = distance * normal; the normal also where the face passes through the origin.
    const SupportPoint p = run.evaluate(f.normal);
    const double value = dot(f.normal, p.w);
    r.value = value - 2.0 * run.options.margin;
    run.upper = std::min(run.upper, value);
    if (run.options.observer != nullptr) report(run, f, p);
    const bool known = p.w == corner(f, 0) || p.w == corner(f, 1) || p.w == corner(f, 2);
    if (value * f.distance <= (1.0 + eps) * f.distance * f.distance ||
        (known && value - f.distance <= run.cso.error_bound)) {
      // With |v| = 0 the rule holds for nothing but w.v = 0: the face must be the surface.
      if (f.distance > 0.0 || known) {
        r.outcome = EpaClassicOutcome::converged;
        return;
      }
    }
    if (known) return;
    if (run.options.spheres && try_sphere(run, f, p, value)) return;
    if (!(value > f.distance)) return;
    if (!insert(run, p, index)) break;
  }
  if (r.outcome == EpaClassicOutcome::not_convex) face_count_ = 0;
}

EpaClassicResult EpaClassic::run(const Cso& cso, const EpaClassicOptions& options) {
  Run run{cso, options, {}};
  EpaClassicResult& r = run.result;
  vertex_count_ = face_count_ = heap_count_ = 0;
  GjkClassicOptions gjk_options;
  gjk_options.eps = options.eps;
  gjk_options.margin = options.margin;
  gjk_options.stop_at_sign = options.overlap_only;
  gjk_options.max_iterations = options.max_iterations;
  gjk_options.observer = options.observer;
  Simplex simplex;
  const GjkClassicResult g = gjk_classic(cso, simplex, gjk_options);
  r.iterations = g.iterations;
  run.note(g.direction, g.value);
  r.n = g.direction;
  r.a = simplex.closest_a();
  r.b = simplex.closest_b();
  if (g.outcome == GjkClassicOutcome::separated) {
    r.outcome = EpaClassicOutcome::separated;
    r.depth = -g.distance - 2.0 * options.margin;
    return r;
  }
  if (start_tetrahedron(run, simplex)) {
    grow(run);
    r.collision = r.depth >= 0.0;
  } else {
    face_count_ = 0;
  }
  return r;
}

double EpaClassic::proved_depth(const EpaClassicOptions& options) const {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double least = kNone;
  for (int i = 0; i < face_count_; ++i) {
    const Face& f = faces_.item[i];
    if (!f.alive) continue;
    const Vec3 &a = corner(f, 0), &b = corner(f, 1), &c = corner(f, 2);
    for (const std::uint16_t neighbor : f.neighbor) {
      if (!faces_.item[neighbor].alive) return -kNone;
    }
    if (orient3d(a, b, c, Vec3{}) >= 0) return -kNone;
    // Any unit vector bounds the face's distance by its least value at the corners.
    least = std::min({least, dot(f.normal, a), dot(f.normal, b), dot(f.normal, c)});
  }
  return least < kNone ? least - 2.0 * options.margin : -kNone;
}

ConvexAnswer answer_epa_classic(const Cso& cso, const ConvexOptions& options) {
  const double extent = std::max(cso.a.extent, cso.b.extent);
  EpaClassicOptions classic;
  classic.eps = std::max(options.tolerance, kLeastEps);
  classic.spheres = true;
  classic.overlap_only = options.sign_only;
  classic.max_iterations = options.max_iterations;
  classic.observer = options.observer;
  const auto epa = std::make_unique<EpaClassic>();
  const EpaClassicResult found = epa->run(cso, classic);
  // The direction of the witness points is taken unless another one is better by more than the stop
  // rule and rounding allow.
  const bool own =
      found.value <=
      found.best_value + std::max(classic.eps * std::fabs(found.best_value), cso.error_bound);
  const double value = own ? found.value : found.best_value;
  ConvexAnswer r;
  r.n = own ? found.n : found.best_direction;
  r.point_a = found.a;
  r.point_b = found.b;
  r.core_a = r.point_a - r.n * cso.a.radius;
  r.core_b = r.point_b + r.n * cso.b.radius;
  r.lower = -value - cso.error_bound;
  // Two points of the bodies bound the distance; a polytope around the origin bounds the depth.
  const double inside = epa->proved_depth(classic);
  r.upper = (inside > cso.error_bound ? -inside : norm(found.b - found.a)) + cso.error_bound;
  r.upper = std::max(r.upper, r.lower);
  r.distance = std::min(-value, r.upper);
  r.iterations = found.iterations;
  const double width = r.upper - r.lower;
  const double size = cso.size() + (cso.a.radius + cso.b.radius);
  const bool together =
      own || norm(r.point_b - r.point_a - r.n * r.distance) <= witness_tolerance(width, size);
  if (!together || width > std::max(options.tolerance * extent, kLeastWidth * cso.error_bound)) {
    r.status = found.outcome == EpaClassicOutcome::iteration_limit ? Status::iteration_limit
                                                                   : Status::precision_limit;
  }
  return r;
}

}  // namespace tactus::detail
