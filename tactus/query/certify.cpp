#include "tactus/query/certify.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/bvh/point_query.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/query.hpp"
#include "tactus/query/apart_steps.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/query/mesh/certify_cover.hpp"
#include "tactus/query/plan/common_point.hpp"
#include "tactus/query/union_depth.hpp"
#include "tactus/shape/membership.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// Room that a direction may lack, as in apart_steps.cpp.
constexpr double kLacking = 8.0;
// And that it must have where the checker takes off its own rounding.
constexpr double kClear = 20.0;

/// Both bodies about A's position, in parts.
struct Bodies {
  Pair pair;
  std::vector<Part> a, b;
  Vec3 origin;

  Bodies(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b)
      : a(parts_of(shape_a)), b(parts_of(shape_b)), origin(pose_a.position()) {
    pair.a = detail::unchecked_pose({}, pose_a.rotation());
    pair.b = detail::unchecked_pose(pose_b.position() - origin, pose_b.rotation());
  }

  DistanceResult distance_of(const Part& x, const Part& y, double time = 0.0,
                             const QueryOptions& options = {}) const {
    return distance(*x.shape, exact_pose_at(pair.a, pair.motion_a, time) * x.in_body, *y.shape,
                    exact_pose_at(pair.b, pair.motion_b, time) * y.in_body, options);
  }
};

// Are two parts apart by more than rounding all the time?
bool clear_gap(const Bodies& bodies, const Part& x, const Part& y, const Vec3& n, double time) {
  return gap(bodies.pair, x, {0, x.pieces()}, y, {0, y.pieces()}, n, 0.0, time, kClear) > 0.0;
}

bool whole_gap(const Bodies& bodies, const Part& x, const Part& y, const Vec3& n, double least,
               double time) {
  const double room = kLacking * kUnit * lengths(bodies.pair, x, y, time);
  return gap(bodies.pair, x, {0, x.pieces()}, y, {0, y.pieces()}, n, 0.0, time) >= least - room;
}

// Keeps the order of triangles that the steps count in.
void keep_order(const Part& part, std::vector<Certificate::Order>& orders) {
  if (part.order.empty()) return;
  const bool known = std::any_of(orders.begin(), orders.end(),
                                 [&](const auto& order) { return order.part == part.index; });
  if (!known) orders.push_back({part.index, part.order});
}

// The direction along which two parts are at least `lower` apart, or the one of their distance
// where none of those tried shows it. What rests on the distance of two parts is found with the
// default cap or with the one that the answer was found with: a search that takes other steps may
// end at another direction. What rests on boxes of parts was found along the axes of the bodies,
// and may be narrower than the tolerance of a search.
DistanceResult direction_of(const Bodies& bodies, const Part& x, const Part& y, double lower,
                            int max_iterations) {
  const auto shows = [&](const Vec3& n) { return whole_gap(bodies, x, y, n, lower, 0.0); };
  DistanceResult d = bodies.distance_of(x, y);
  QueryOptions capped;
  if (max_iterations != capped.max_iterations && d.lower < lower) {
    capped.max_iterations = max_iterations;
    d = bodies.distance_of(x, y, 0.0, capped);
  }
  if (shows(d.normal)) return d;
  for (const Pose& body : {bodies.pair.a, bodies.pair.b}) {
    for (const Vec3& axis : {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}}) {
      const Vec3 n = body.direction_to_world(axis);
      for (const Vec3& way : {n, -n}) {
        if (!shows(way)) continue;
        d.normal = way;
        return d;
      }
    }
  }
  QueryOptions narrow;
  narrow.tolerance = 0.0;
  const DistanceResult best = bodies.distance_of(x, y, 0.0, narrow);
  return shows(best.normal) ? best : d;
}

// Steps that show two parts, of which one is a mesh, at least `lower` apart after a shift.
void add_steps(const Bodies& bodies, Part& x, Part& y, double lower, const Vec3& shift,
               Certificate& out) {
  auto steps = find_apart_steps(bodies.pair, x, y, lower, shift, 0.0);
  if (!steps) return;
  keep_order(x, out.order_a);
  keep_order(y, out.order_b);
  out.apart.push_back(std::move(*steps));
}

// A proof that two parts are at least `lower` apart, with `n` the direction of the whole answer.
void certify_pair(const Bodies& bodies, Part& x, Part& y, double lower, const Vec3& n,
                  int max_iterations, Certificate& out) {
  DistanceResult d = direction_of(bodies, x, y, lower, max_iterations);
  // An open mesh has no signed distance: out of it leads what the answer says.
  if (!std::isfinite(d.lower)) d.normal = n;
  Certificate::Apart by_normal{x.index, y.index, {}, {}};
  by_normal.steps.push_back({Certificate::Step::Kind::apart, 0, 0.0, d.normal});
  const bool mesh = x.mesh != nullptr || y.mesh != nullptr;
  if (!mesh || whole_gap(bodies, x, y, d.normal, lower, 0.0)) {
    out.apart.push_back(std::move(by_normal));
    return;
  }
  // For overlapping meshes: a shift after which they are apart shows how deep they are at most.
  const bool apart = lower > 0.0;
  const Vec3 shift = apart ? Vec3{} : d.normal * -std::max(lower, d.lower);
  add_steps(bodies, x, y, apart ? lower : 0.0, shift, out);
}

/// How deep a point (about A's position) with a ball about it is inside of a closed mesh.
void try_inside(const Bodies& bodies, bool of_a, const Part& mesh, const Part& inner,
                const Vec3& point, double& deepest, Certificate& out) {
  const Pose& pose = of_a ? bodies.pair.a : bodies.pair.b;
  const Pose& pose_inner = of_a ? bodies.pair.b : bodies.pair.a;
  const Vec3 local = mesh.in_body.to_local(pose.to_local(point));
  if (!mesh.mesh->holds(local)) return;
  const Vec3 own = inner.in_body.to_local(pose_inner.to_local(point));
  const double radius = depth_inside_convex(*inner.shape, own);
  const double depth = bvh::nearest_point(detail::view_of(*mesh.mesh), local).distance + radius;
  if (!(depth > deepest)) return;
  deepest = depth;
  out.kind = CertificateKind::inside;
  out.inside_point = point + bodies.origin;
  out.inside_radius = radius;
  out.inside_of_a = of_a;
  out.triangle_a = out.triangle_b = -1;
}

// Points of a body that are likely to be deep inside another one.
std::vector<Vec3> inner_points(const Part& part, const Pose& pose, const Vec3& witness,
                               const Vec3& n) {
  const auto placed = [&](const Vec3& local) {
    return pose.to_world(part.in_body.to_world(local));
  };
  std::vector<Vec3> points = {witness};
  if (part.mesh != nullptr) {
    for (const std::uint32_t v : part.mesh->component_vertices())
      points.push_back(placed(part.mesh->mesh().vertices[v]));
    return points;
  }
  const Core& core = core_of(*part.shape);
  points.push_back(placed(core.center));
  if (core.kind == CoreKind::segment) {
    for (const double end : {core.half.z, -core.half.z}) points.push_back(placed({0.0, 0.0, end}));
  }
  const Vec3 local = part.in_body.direction_to_local(pose.direction_to_local(n));
  for (const Vec3& direction : {local, -local}) {
    CorePoint p = support(core, direction);
    points.push_back(placed(p.point + direction * core.radius));
  }
  return points;
}

// The depth of a body in several triangles at once.
void cover_depth_of_mesh(const Bodies& bodies, const DistanceResult& r, const Part& x,
                         const Part& y, Certificate& out) {
  Certificate found;
  const bool first = x.mesh != nullptr;
  found.covers =
      first ? cover_depth(x, bodies.pair.a, y, bodies.pair.b, -r.upper, -r.lower, bodies.origin)
            : cover_depth(y, bodies.pair.b, x, bodies.pair.a, -r.upper, -r.lower, bodies.origin);
  if (found.covers.empty()) return;
  if (!first) swap_roles(found);
  out.covers = std::move(found.covers);
  out.kind = CertificateKind::covered;
  out.part_a = r.part_a;
  out.part_b = r.part_b;
}

// A depth of meshes: that of a triangle and a convex body, of a point inside, or of more triangles.
void certify_depth_of_mesh(const Bodies& bodies, const DistanceResult& r, Certificate& out) {
  const auto named = [](const std::vector<Part>& parts, std::int32_t index) {
    return std::find_if(parts.begin(), parts.end(),
                        [&](const Part& part) { return part.index == index; });
  };
  const auto x = named(bodies.a, r.part_a), y = named(bodies.b, r.part_b);
  if (x == bodies.a.end() || y == bodies.b.end()) return;
  double deepest = 0.0;
  for (const bool of_a : {true, false}) {
    const Part &mesh = of_a ? *x : *y, &inner = of_a ? *y : *x;
    if (mesh.mesh == nullptr) continue;
    const Vec3 witness = (of_a ? r.point_b : r.point_a) - bodies.origin;
    for (const Vec3& point :
         inner_points(inner, of_a ? bodies.pair.b : bodies.pair.a, witness, r.normal))
      try_inside(bodies, of_a, mesh, inner, point, deepest, out);
    const std::int32_t triangle = of_a ? r.triangle_a : r.triangle_b;
    if (inner.mesh != nullptr || triangle < 0) continue;
    const TriangleMesh& surface = mesh.mesh->mesh();
    const auto& t = surface.triangles[static_cast<std::size_t>(triangle)];
    const Vec3 corners[] = {surface.vertices[t[0]], surface.vertices[t[1]], surface.vertices[t[2]]};
    const Shape flat = Convex(corners);
    Certificate of_triangle;
    QueryOptions options;
    options.certificate = &of_triangle;
    const Pose pose_mesh = (of_a ? bodies.pair.a : bodies.pair.b) * mesh.in_body;
    const Pose pose_inner = (of_a ? bodies.pair.b : bodies.pair.a) * inner.in_body;
    const DistanceResult d =
        of_a ? bare_distance(flat, pose_mesh, *inner.shape, pose_inner, options)
             : bare_distance(*inner.shape, pose_inner, flat, pose_mesh, options);
    if (!(-d.upper > deepest)) continue;
    deepest = -d.upper;
    of_triangle.apart = std::move(out.apart);
    of_triangle.order_a = std::move(out.order_a);
    of_triangle.order_b = std::move(out.order_b);
    of_triangle.direction = out.direction;
    out = std::move(of_triangle);
    out.part_a = r.part_a;
    out.part_b = r.part_b;
    (of_a ? out.triangle_a : out.triangle_b) = triangle;
  }
  const double slack = kLacking * kUnit * lengths(bodies.pair, *x, *y, 0.0);
  if (deepest < -r.upper - slack) cover_depth_of_mesh(bodies, r, *x, *y, out);
}

// Methods that show no depth themselves borrow the proof of the default.
void certify_depth_of_default(const Shape& a, const Pose& pose_a, const Shape& b,
                              const Pose& pose_b, Certificate& out) {
  QueryOptions options;
  Certificate other;
  options.certificate = &other;
  const DistanceResult r = bare_distance(a, pose_a, b, pose_b, options);
  other.part_a = r.part_a;
  other.part_b = r.part_b;
  other.direction = out.direction;
  out = std::move(other);
}

// Far from the world's origin, points in the world are rounded: points of the parts, in their own
// frames, show how near the bodies are.
void certify_nearness(const Shape& a, const Shape& b, const Bodies& bodies, Certificate& out) {
  const DistanceResult d = bare_distance(a, bodies.pair.a, b, bodies.pair.b);
  if (!std::isfinite(d.upper)) return;
  for (const Part& x : bodies.a) {
    if (x.index == d.part_a)
      out.core_point_a = x.in_body.to_local(bodies.pair.a.to_local(d.point_a));
  }
  for (const Part& y : bodies.b) {
    if (y.index == d.part_b)
      out.core_point_b = y.in_body.to_local(bodies.pair.b.to_local(d.point_b));
  }
  out.kind = CertificateKind::separation;
  out.part_a = d.part_a;
  out.part_b = d.part_b;
  out.triangle_a = d.triangle_a;
  out.triangle_b = d.triangle_b;
  out.shrink_a = out.shrink_b = 0.0;
}

// A point that two overlapping convex parts have in common, about A's position.
Vec3 common_point_of(const Part& x, const Pose& pose_x, const Part& y, const Pose& pose_y) {
  const Core &a = core_of(*x.shape), &b = core_of(*y.shape);
  const CommonPoint near = common_point(Cso(a, pose_x, b, pose_y));
  const double balls = a.radius + b.radius;
  const double part = balls > 0.0 ? a.radius / balls : 0.5;
  return pose_x.to_world(near.a + (near.b - near.a) * part);
}

bool is_open(const Part& part) { return part.mesh != nullptr && !part.mesh->closed(); }

// How far a point (own frame) is outside of a part.
double outside_of(const Part& part, const Vec3& local) {
  if (part.mesh == nullptr) return distance_outside(*part.shape, local);
  return part.mesh->holds(local) ? 0.0
                                 : bvh::nearest_point(detail::view_of(*part.mesh), local).distance;
}

// At the upper time: of the points that the distance finds then, and of those at the time before,
// the one that both bodies hold best.
void certify_touch(const Bodies& bodies, const CastResult& r, Certificate& out) {
  const double time = r.time_upper;
  const Vec3 earlier_a = r.point_a - bodies.origin, earlier_b = r.point_b - bodies.origin;
  double best = kInfinity;
  for (const Part& x : bodies.a) {
    for (const Part& y : bodies.b) {
      // Open meshes have no other distance.
      QueryOptions options;
      options.signed_distance = !(is_open(x) || is_open(y));
      const DistanceResult d = bodies.distance_of(x, y, time, options);
      const double slack = kClear * kUnit * lengths(bodies.pair, x, y, time);
      if (!std::isfinite(d.lower) || d.lower > slack) continue;
      const Pose pose_a = exact_pose_at(bodies.pair.a, bodies.pair.motion_a, time) * x.in_body;
      const Pose pose_b = exact_pose_at(bodies.pair.b, bodies.pair.motion_b, time) * y.in_body;
      const bool convex = x.shape->is_convex_body() && y.shape->is_convex_body();
      const Vec3 common = convex ? common_point_of(x, pose_a, y, pose_b) : d.point_a;
      for (const Vec3& point :
           {(d.point_a + d.point_b) * 0.5, common, d.point_a, d.point_b, earlier_a, earlier_b,
            (earlier_a + earlier_b) * 0.5, pose_a.to_world(core_of(*x.shape).center),
            pose_b.to_world(core_of(*y.shape).center)}) {
        const double off =
            outside_of(x, pose_a.to_local(point)) + outside_of(y, pose_b.to_local(point));
        if (!(off < best)) continue;
        best = off;
        out.touches = true;
        out.touch_a = out.touch_b = point + bodies.origin;
      }
    }
  }
}

bool has_mesh(const std::vector<Part>& parts, std::int32_t index) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const Part& part) { return part.index == index && part.mesh != nullptr; });
}

}  // namespace

// Is the depth of the unions that of a pair of parts? Then the proof of that serves.
bool certify_depth_of_parts(const Shape& a, const Shape& b, const Bodies& bodies,
                            const DistanceResult& r, Certificate& out) {
  Certificate of_parts;
  QueryOptions options;
  options.certificate = &of_parts;
  const DistanceResult parts = distance(a, bodies.pair.a, b, bodies.pair.b, options);
  const bool whole = of_parts.kind != CertificateKind::none && of_parts.covers.empty();
  if (!whole || !(parts.upper <= r.upper)) return false;
  of_parts.apart.clear();
  of_parts.inside_point += bodies.origin;
  out = std::move(of_parts);
  return true;
}

// Certificate of unions: polytopes of translations for the depth, and one translation that frees
// all parts.
void certify_unions(const Shape& a, const Shape& b, Bodies& bodies, const DistanceResult& r,
                    Certificate& out) {
  out.clear();
  out.direction = r.normal;
  out.part_a = r.part_a;
  out.part_b = r.part_b;
  if (r.upper < 0.0 && !certify_depth_of_parts(a, b, bodies, r, out)) {
    out.covers = cover_unions({a, bodies.pair.a}, {b, bodies.pair.b}, r, bodies.origin);
    if (!out.covers.empty()) out.kind = CertificateKind::covered;
  }
  const Vec3 shift = r.normal * -r.lower;
  Bodies there = bodies;
  there.pair.b = detail::unchecked_pose(bodies.pair.b.position() + shift, bodies.pair.b.rotation());
  for (Part& x : there.a) {
    for (Part& y : there.b) {
      if (whole_gap(there, x, y, r.normal, 0.0, 0.0)) continue;
      const Vec3 n = direction_of(there, x, y, 0.0, QueryOptions().max_iterations).normal;
      if (whole_gap(there, x, y, n, 0.0, 0.0)) {
        Certificate::Apart by_normal{x.index, y.index, shift, {}};
        by_normal.steps.push_back({Certificate::Step::Kind::apart, 0, 0.0, n});
        out.apart.push_back(std::move(by_normal));
      } else if (x.mesh != nullptr || y.mesh != nullptr) {
        add_steps(bodies, x, y, 0.0, shift, out);
      }
    }
  }
}

void certify(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
             const DistanceResult& r, const QueryOptions& options) {
  Certificate& out = *options.certificate;
  if (r.status == Status::invalid_input || r.status == Status::unsupported ||
      !std::isfinite(r.lower)) {
    out.clear();
    return;
  }
  Bodies bodies(a, pose_a, b, pose_b);
  if (r.of_unions) {
    certify_unions(a, b, bodies, r, out);
    return;
  }
  out.part_a = r.part_a;
  out.part_b = r.part_b;
  if (r.upper < 0.0 && out.kind == CertificateKind::none) {
    if (has_mesh(bodies.a, r.part_a) || has_mesh(bodies.b, r.part_b)) {
      certify_depth_of_mesh(bodies, r, out);
    } else {
      certify_depth_of_default(a, pose_a, b, pose_b, out);
    }
  }
  const bool far = max_abs(pose_a.position()) > norm(bodies.pair.b.position());
  if (r.upper >= 0.0 && out.kind == CertificateKind::none && far)
    certify_nearness(a, b, bodies, out);
  for (Part& x : bodies.a) {
    for (Part& y : bodies.b) {
      if (!whole_gap(bodies, x, y, r.normal, r.lower, 0.0))
        certify_pair(bodies, x, y, r.lower, r.normal, options.max_iterations, out);
    }
  }
}

void certify(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
             const Pose& pose_b, const RigidMotion& motion_b, const CastResult& r,
             Certificate& out) {
  out.clear();
  if (r.status == Status::invalid_input || r.status == Status::unsupported) return;
  out.direction = r.normal;
  Bodies bodies(a, pose_a, b, pose_b);
  bodies.pair.motion_a = motion_a;
  bodies.pair.motion_b = motion_b;
  const double time = std::min(r.time, 1.0);
  if (time > 0.0) {
    for (Part& x : bodies.a) {
      for (Part& y : bodies.b) {
        const bool none = r.hit == Overlap::no;
        if (none ? clear_gap(bodies, x, y, r.normal, time)
                 : whole_gap(bodies, x, y, r.normal, 0.0, time)) {
          continue;
        }
        auto steps = find_apart_steps(bodies.pair, x, y, 0.0, {}, time, none);
        if (!steps) continue;
        keep_order(x, out.order_a);
        keep_order(y, out.order_b);
        out.apart.push_back(std::move(*steps));
      }
    }
  }
  if (r.hit == Overlap::yes) certify_touch(bodies, r, out);
}

}  // namespace tactus::detail
