#include "tactus/narrow/pair/mesh_ray.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

// Roundings of a triple product of differences that went through a rotation, with a margin of two.
constexpr double kRoundings = 32.0 * std::numeric_limits<double>::epsilon();
// Volumes are of single precision: parts of the lengths that enter, with a margin of ten.
constexpr double kVolumeSlack = 1e-6;
// A time computed from a length and a speed, moved to the safe side.
constexpr double kEarlier = 1.0 - 1e-14;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kStack = 512;

using Tree = bvh::Hierarchy<bvh::OrientedBox>;

}  // namespace

MeshRay cast_ray(const bvh::MeshView& view, const Vec3& origin, const Vec3& direction,
                 double last) {
  MeshRay first;
  const double speed = norm(direction);
  const auto measure = [&](const std::array<std::uint32_t, 3>& triangle) {
    const Vec3& corner = view.mesh.vertices[triangle[0]];
    const Vec3 u = view.mesh.vertices[triangle[1]] - corner,
               v = view.mesh.vertices[triangle[2]] - corner;
    const Vec3 from_corner = origin - corner;
    const Vec3 p = cross(direction, v);
    const Vec3 q = cross(from_corner, u);
    const double side = dot(u, p) < 0.0 ? -1.0 : 1.0;
    const double volume = side * dot(u, p);
    const double across_u = side * dot(from_corner, p);
    const double across_v = side * dot(direction, q);
    const double ahead = side * dot(v, q);
    const double reach = norm(from_corner) + norm(u) + norm(v);
    const double error = kRoundings * speed * reach * reach;
    const double least = std::min({across_u, across_v, volume - across_u - across_v});
    const double ahead_error = kRoundings * reach * reach * reach;
    if (!(volume > error) || least < -error || ahead + ahead_error < 0.0) return;
    const double time = std::max((ahead - ahead_error) / (volume + error), 0.0);
    const double upper = std::max((ahead + ahead_error) / (volume - error), 0.0);
    if (time > last) return;
    if (first.outcome == CastOutcome::miss) first.outcome = CastOutcome::undecided;
    if (time < first.time) {
      first.time = time;
      first.normal = normalized(cross(u, v)) * side;
    }
    if (least > error && upper <= last) {
      first.outcome = CastOutcome::hit;
      first.time_upper = std::min(first.time_upper, upper);
    }
  };
  // When the ray may enter a volume; infinite when it does not.
  const Vec3 seen = origin - view.tree.middle();
  const double lengths = norm(seen) + view.tree.reach();
  const double slack = kVolumeSlack * lengths;
  const auto enters = [&](std::uint32_t at) {
    if (!(lengths < bvh::kLargestOfVolumes)) return 0.0;
    const bvh::OrientedBox& box = view.tree.nodes()[at];
    double begin = 0.0, end = last;
    for (int i = 0; i < 3; ++i) {
      double position = 0.0, motion = 0.0;
      for (int j = 0; j < 3; ++j) {
        const auto axis = static_cast<double>(box.axis[i][j]);
        position += axis * (seen[j] - static_cast<double>(box.center[j]));
        motion += axis * direction[j];
      }
      const double half = static_cast<double>(box.axis[i][3]) + slack;
      // Towards the middle; what is slower than the rounding of the axis stays where it is.
      const double approach = (position > 0.0 ? -motion : motion) + kVolumeSlack * speed;
      if (std::fabs(position) > half) {
        if (!(approach > 0.0)) return kInfinity;
        begin = std::max(begin, (std::fabs(position) - half) / approach);
      }
      const double leaving = std::fabs(motion) - kVolumeSlack * speed;
      if (leaving > 0.0)
        end = std::min(end, (half - (motion > 0.0 ? position : -position)) / leaving);
    }
    return begin * kEarlier <= end ? begin * kEarlier : kInfinity;
  };
  struct Entry {
    double time;
    std::uint32_t node;
  };
  Entry stack[kStack];
  int size = 0;
  stack[size++] = {enters(0), 0};
  while (size > 0) {
    const Entry entry = stack[--size];
    if (entry.time > std::min(last, first.time_upper) || entry.time == kInfinity) continue;
    const bvh::OrientedBox& node = view.tree.nodes()[entry.node];
    if (Tree::is_leaf(node)) {
      measure(view.mesh.triangles[Tree::triangle(node)]);
      continue;
    }
    Entry near{enters(entry.node + 1), entry.node + 1}, far{enters(node.link), node.link};
    if (far.time < near.time) std::swap(near, far);
    stack[size++] = far;
    stack[size++] = near;
  }
  return first;
}

}  // namespace tactus::detail
