#include "tactus/query/mesh_depth.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/bvh/mesh_overlap.hpp"

namespace tactus::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A translation is this many roundings longer than its length says, so that the gap that it leaves
// is seen.
constexpr double kClear = 8.0;
// The deepest triangles whose directions are tried, and directions along which the way out is
// followed through the triangles that meet.
constexpr std::size_t kDeepest = 8;
constexpr int kFollowed = 8;
constexpr int kSteps = 4;
// Directions whose cosine exceeds this are one.
constexpr double kSame = 1.0 - 1e-14;
// Pairs of triangles, and corners, of which the depth is computed.
constexpr std::size_t kPairs = 512;
// See mesh_search.cpp.
constexpr double kRounding = 1e-14;

/// Ways out to try.
struct Directions {
  static constexpr int kCapacity = 64;
  Vec3 n[kCapacity];
  int count = 0;

  void add(const Vec3& direction) {
    const Vec3 unit = normalized(direction, {});
    if (!(squared_norm(unit) > 0.0) || !is_finite(unit) || count == kCapacity) return;
    for (int i = 0; i < count; ++i) {
      if (dot(n[i], unit) > kSame) return;
    }
    n[count++] = unit;
  }
  void add_both(const Vec3& direction) {
    add(direction);
    add(-direction);
  }
  void add_normal(const Triangle& t) {
    add_both(cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]));
  }
};

/// The shortest translation among those along the given directions, until one is as short as
/// out.least. `whole(n)` separates whatever meets; `local(n)` those parts that meet now;
/// `meets_at(shift, n)` says how far what still meets after a shift reaches along n, zero or less
/// when nothing does.
template <class Whole, class Local, class Meets>
void find_way_out(const Directions& directions, const Whole& whole, const Local& local,
                  const Meets& meets_at, double clear, MeshDepth& out) {
  struct Way {
    double length;
    int index;
  };
  Way ways[Directions::kCapacity];
  for (int i = 0; i < directions.count; ++i) ways[i] = {local(directions.n[i]) + clear, i};
  std::sort(ways, ways + directions.count, [](const Way& x, const Way& y) {
    return x.length != y.length ? x.length < y.length : x.index < y.index;
  });
  const auto follow = [&] {
    for (int i = 0; i < std::min(directions.count, kFollowed); ++i) {
      const Vec3& n = directions.n[ways[i].index];
      double length = std::max(ways[i].length, clear);
      for (int step = 0; step < kSteps && length < out.most; ++step) {
        const double more = meets_at(n * length, n);
        if (!(more > 0.0)) {
          out.most = length;
          out.n = n;
          break;
        }
        length += more + clear;
      }
      if (out.most <= out.least + kClear * clear) return true;
    }
    return false;
  };
  if (follow()) return;
  for (int i = 0; i < directions.count; ++i) {
    const double length = whole(directions.n[i]) + clear;
    if (length < out.most) {
      out.most = length;
      out.n = directions.n[i];
    }
  }
}

/// Radius of a ball about the core's centre inside the body.
double inner_radius(const Core& core) {
  const double ball = core.radius - core.shrink;
  switch (core.kind) {
    case CoreKind::box:
    case CoreKind::ellipsoid:
    case CoreKind::cylinder:
      return std::min({core.half.x, core.half.y, core.half.z}) + ball;
    default:
      return ball;
  }
}

double high_of(const Triangle& t, const Vec3& n) {
  return std::max(dot(n, t.corner[0]), std::max(dot(n, t.corner[1]), dot(n, t.corner[2])));
}

std::vector<TriangleAnswer> deepest_of(const std::vector<TriangleAnswer>& near) {
  std::vector<TriangleAnswer> deepest(near);
  const std::size_t count = std::min(deepest.size(), kDeepest);
  std::partial_sort(deepest.begin(), deepest.begin() + static_cast<std::ptrdiff_t>(count),
                    deepest.end(), [](const TriangleAnswer& x, const TriangleAnswer& y) {
                      return x.answer.distance != y.answer.distance
                                 ? x.answer.distance < y.answer.distance
                                 : x.triangle < y.triangle;
                    });
  deepest.resize(count);
  return deepest;
}

}  // namespace

MeshDepth mesh_depth(const MeshAndBody& pair, const std::vector<TriangleAnswer>& all_near,
                     bool all) {
  const Mesh& mesh = pair.mesh();
  const double rounding = pair.rounding();
  std::vector<TriangleAnswer> near;
  std::vector<std::uint32_t> meeting_now;
  for (const TriangleAnswer& t : all_near) {
    if (t.answer.lower - rounding > 0.0) continue;
    near.push_back(t);
    meeting_now.push_back(t.triangle);
  }
  std::sort(meeting_now.begin(), meeting_now.end());
  MeshDepth out;
  out.least = -kInfinity;
  out.most = kInfinity;
  Directions directions;
  const std::vector<TriangleAnswer> deepest = deepest_of(near);
  for (const TriangleAnswer& t : deepest) {
    // What separates the bodies separates each triangle.
    out.least = std::max(out.least, -t.answer.upper - rounding);
    directions.add(t.answer.n);
  }
  for (const TriangleAnswer& t : deepest) directions.add_normal(pair.triangle(t.triangle));
  // A ball inside the body must leave by its centre's distance from the surface and its radius.
  const auto hold = [&](const Vec3& from_body, double radius) {
    const Vec3 point = pair.origin() + from_body;
    if (!mesh.holds(point)) return;
    const bvh::SurfacePoint s = bvh::nearest_point(mesh.view(), point);
    out.least = std::max(out.least, s.distance + radius - 4.0 * rounding);
    directions.add(s.point - point);
    if (out.triangle_a == bvh::MeshPairCache::kNone) out.triangle_a = s.triangle;
    directions.add_normal(pair.triangle(s.triangle));
  };
  const Core& core = pair.body().core();
  hold(pair.rotation() * core.center, inner_radius(core));
  if (core.kind == CoreKind::segment) {
    for (const double end : {core.half.z, -core.half.z})
      hold(pair.rotation().column(2) * end, core.radius);
  }
  const int seen = directions.count;
  for (int i = 0; i < seen; ++i) hold(pair.body_point(-directions.n[i]), 0.0);
  for (int i = 0; i < 3; ++i) directions.add_both(pair.rotation().column(i));
  if (!near.empty()) out.triangle_a = deepest.front().triangle;

  find_way_out(
      directions, [&](const Vec3& n) { return pair.mesh_support(n) + pair.body_support(-n); },
      [&](const Vec3& n) {
        if (!all || near.empty()) return kInfinity;
        double high = -kInfinity;
        for (const TriangleAnswer& t : near)
          high = std::max(high, high_of(pair.triangle(t.triangle), n));
        return high + pair.body_support(-n);
      },
      [&](const Vec3& shift, const Vec3& n) {
        const MeshAndBody there = pair.moved(shift);
        std::vector<TriangleAnswer> meeting;
        MeshAndBody::Options options;
        options.near = &meeting;
        options.within = rounding;
        options.most = kPairs;
        // Those that met at first lie beyond the plane that the body has reached.
        options.apart = meeting_now;
        options.max_distance = 0.0;
        if (!there.search(options).all_listed) return kInfinity;
        double more = 0.0;
        for (const TriangleAnswer& t : meeting) {
          if (t.answer.lower - rounding > 0.0) continue;
          more = std::max(
              more, high_of(there.triangle(t.triangle), n) + there.body_support(-n) + rounding);
        }
        if (more > 0.0) return more;
        return there.holds_center() ? kInfinity : 0.0;
      },
      kClear * rounding, out);
  out.least = std::min(out.least, out.most);

  // The deepest triangle's own way out, where that is the whole one.
  if (!deepest.empty() && -deepest.front().answer.distance >= out.most - 4.0 * kClear * rounding) {
    const ConvexAnswer& a = deepest.front().answer;
    out.n = a.n;
    out.point_a = a.point_a;
    out.point_b = a.point_b;
    return out;
  }
  out.point_b = pair.body_point(-out.n);
  out.point_a = out.point_b + out.n * out.most;
  return out;
}

double rounding_of(const Mesh& a, const Mesh& b, const Pose& pose) {
  const bvh::MeshView view_a = a.view(), view_b = b.view();
  const Vec3 between = pose.to_world(view_b.tree.middle()) - view_a.tree.middle();
  return kRounding * (norm(between) + (view_a.tree.reach() + view_b.tree.reach()) +
                      0.1 * (norm(view_a.tree.middle()) + norm(view_b.tree.middle())));
}

bool one_holds_other(const Mesh& a, const Mesh& b, const Pose& pose) {
  const auto vertex = [](const Mesh& m, std::uint32_t i) { return m.mesh().vertices[i]; };
  for (const std::uint32_t i : b.component_vertices()) {
    if (a.holds(pose.to_world(vertex(b, i)))) return true;
  }
  for (const std::uint32_t i : a.component_vertices()) {
    if (b.holds(pose.to_local(vertex(a, i)))) return true;
  }
  return false;
}

MeshDepth mesh_depth(const Mesh& a, const Mesh& b, const Pose& pose) {
  const double rounding = rounding_of(a, b, pose);
  const auto triangle_a = [&](std::uint32_t t) {
    const auto& c = a.mesh().triangles[t];
    const auto& v = a.mesh().vertices;
    return Triangle{{v[c[0]], v[c[1]], v[c[2]]}};
  };
  const auto triangle_b = [&](std::uint32_t t) {
    const auto& c = b.mesh().triangles[t];
    const auto& v = b.mesh().vertices;
    return Triangle{{pose.to_world(v[c[0]]), pose.to_world(v[c[1]]), pose.to_world(v[c[2]])}};
  };
  MeshDepth out;
  out.least = 0.0;
  out.most = kInfinity;
  Directions directions;
  const std::vector<bvh::TrianglePair> pairs =
      bvh::meeting_triangles(a.view(), Pose(), b.view(), pose);
  // Triangles are flat bodies; of very many pairs, some evenly spread ones.
  struct Crossing {
    ConvexAnswer answer;
    bvh::TrianglePair pair;
  };
  std::vector<Crossing> crossings;
  Epa epa;
  const std::size_t stride = pairs.size() / kPairs + 1;
  for (std::size_t i = 0; i < pairs.size(); i += stride) {
    const Vec3 origin = triangle_a(pairs[i].a).corner[0];
    Triangle ta = triangle_a(pairs[i].a), tb = triangle_b(pairs[i].b);
    for (int k = 0; k < 3; ++k) {
      ta.corner[k] -= origin;
      tb.corner[k] -= origin;
    }
    const Cso cso(core_of(ta), Pose(), core_of(tb), Pose());
    ConvexAnswer answer = solve_convex_pair(cso, {}, epa);
    answer.point_a += origin;
    answer.point_b += origin;
    crossings.push_back({answer, pairs[i]});
  }
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& x, const Crossing& y) {
    if (x.answer.distance != y.answer.distance) return x.answer.distance < y.answer.distance;
    return x.pair.a != y.pair.a ? x.pair.a < y.pair.a : x.pair.b < y.pair.b;
  });
  for (std::size_t i = 0; i < std::min(crossings.size(), kDeepest); ++i) {
    out.least = std::max(out.least, -crossings[i].answer.upper - rounding);
    directions.add(crossings[i].answer.n);
    directions.add_normal(triangle_a(crossings[i].pair.a));
    directions.add_normal(triangle_b(crossings[i].pair.b));
  }
  // Corners inside the other body must leave it.
  struct Corner {
    double depth;
    Vec3 way;  ///< of B, axes of A
    std::uint32_t triangle_a, triangle_b;
  };
  std::vector<Corner> corners;
  const auto hold_in_a = [&](const Vec3& b_point, std::uint32_t triangle) {
    const Vec3 p = pose.to_world(b_point);
    if (!a.holds(p)) return;
    const bvh::SurfacePoint s = bvh::nearest_point(a.view(), p);
    corners.push_back({s.distance, s.point - p, s.triangle, triangle});
  };
  const auto hold_in_b = [&](const Vec3& a_point, std::uint32_t triangle) {
    const Vec3 p = pose.to_local(a_point);
    if (!b.holds(p)) return;
    const bvh::SurfacePoint s = bvh::nearest_point(b.view(), p);
    corners.push_back({s.distance, pose.direction_to_world(p - s.point), triangle, s.triangle});
  };
  for (const std::uint32_t i : b.component_vertices())
    hold_in_a(b.mesh().vertices[i], bvh::MeshPairCache::kNone);
  for (const std::uint32_t i : a.component_vertices())
    hold_in_b(a.mesh().vertices[i], bvh::MeshPairCache::kNone);
  for (std::size_t i = 0; i < pairs.size(); i += stride) {
    for (const std::uint32_t v : b.mesh().triangles[pairs[i].b])
      hold_in_a(b.mesh().vertices[v], pairs[i].b);
    for (const std::uint32_t v : a.mesh().triangles[pairs[i].a])
      hold_in_b(a.mesh().vertices[v], pairs[i].a);
  }
  std::sort(corners.begin(), corners.end(), [](const Corner& x, const Corner& y) {
    if (x.depth != y.depth) return x.depth > y.depth;
    return x.triangle_a != y.triangle_a ? x.triangle_a < y.triangle_a : x.triangle_b < y.triangle_b;
  });
  for (std::size_t i = 0; i < std::min(corners.size(), kDeepest); ++i) {
    out.least = std::max(out.least, corners[i].depth - 4.0 * rounding);
    directions.add(corners[i].way);
  }
  directions.add(pose.to_world(b.view().tree.middle()) - a.view().tree.middle());
  for (int i = 0; i < 3; ++i) {
    Vec3 axis;
    axis[i] = 1.0;
    directions.add_both(axis);
    directions.add_both(pose.rotation().column(i));
  }
  const auto low_of_b = [&](const Vec3& n) {
    const Vec3 local = pose.direction_to_local(n);
    return dot(n, pose.position()) - farthest_vertex(b, -local, 0.0).value;
  };
  find_way_out(
      directions, [&](const Vec3& n) { return farthest_vertex(a, n, 0.0).value - low_of_b(n); },
      [&](const Vec3& n) {
        if (pairs.empty()) return kInfinity;
        double most = -kInfinity;
        for (const bvh::TrianglePair& p : pairs)
          most = std::max(most, high_of(triangle_a(p.a), n) + high_of(triangle_b(p.b), -n));
        return most;
      },
      [&](const Vec3& shift, const Vec3& n) {
        const Pose there = Pose::unchecked(pose.rotation(), pose.position() + shift);
        const auto meeting = bvh::meeting_triangles(a.view(), Pose(), b.view(), there);
        double more = 0.0;
        for (const bvh::TrianglePair& p : meeting) {
          more = std::max(more, high_of(triangle_a(p.a), n) + high_of(triangle_b(p.b), -n) -
                                    dot(shift, n) + rounding);
        }
        if (more > 0.0) return more;
        if (one_holds_other(a, b, there)) return kInfinity;
        // Nothing meets for exact arithmetic on rounded corners: the gap covers their rounding.
        bvh::MeshDistanceOptions near;
        near.max_distance = rounding;
        return bvh::mesh_distance(a.view(), Pose(), b.view(), there, near).lower > rounding
                   ? 0.0
                   : rounding;
      },
      kClear * rounding, out);
  out.least = std::min(out.least, out.most);
  if (!crossings.empty() &&
      -crossings.front().answer.distance >= out.most - 4.0 * kClear * rounding) {
    const Crossing& c = crossings.front();
    out.n = c.answer.n;
    out.point_a = c.answer.point_a;
    out.point_b = c.answer.point_b;
    out.triangle_a = c.pair.a;
    out.triangle_b = c.pair.b;
    return out;
  }
  const Vec3 local = pose.direction_to_local(out.n);
  const FarthestVertex low = farthest_vertex(b, -local, 0.0);
  out.point_b = pose.to_world(b.mesh().vertices[low.vertex]);
  out.triangle_b = low.triangle;
  if (!corners.empty()) {
    out.triangle_a = corners.front().triangle_a;
    if (corners.front().triangle_b != bvh::MeshPairCache::kNone)
      out.triangle_b = corners.front().triangle_b;
  }
  out.point_a = out.point_b + out.n * out.most;
  return out;
}

}  // namespace tactus::detail
