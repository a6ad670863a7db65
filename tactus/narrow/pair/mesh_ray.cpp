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

class RayThroughMesh {
 public:
  RayThroughMesh(const bvh::MeshView& view, const Vec3& origin, const Vec3& direction, double last)
      : view_(view),
        origin_(origin),
        direction_(direction),
        last_(last),
        speed_(norm(direction)),
        seen_(origin - view.tree.middle()),
        lengths_(norm(seen_) + view.tree.reach()),
        slack_(kVolumeSlack * lengths_) {}

  // Through the volumes in the order in which the ray enters them.
  MeshRay run() {
    struct Entry {
      double time;
      std::uint32_t node;
    };
    Entry stack[kStack];
    int size = 0;
    stack[size++] = {enters(0), 0};
    while (size > 0) {
      const Entry entry = stack[--size];
      if (entry.time > std::min(last_, first_.time_upper) || entry.time == kInfinity) continue;
      const bvh::OrientedBox& node = view_.tree.nodes()[entry.node];
      if (Tree::is_leaf(node)) {
        measure(view_.mesh.triangles[Tree::triangle(node)]);
        continue;
      }
      Entry near{enters(entry.node + 1), entry.node + 1}, far{enters(node.link), node.link};
      if (far.time < near.time) std::swap(near, far);
      stack[size++] = far;
      stack[size++] = near;
    }
    return first_;
  }

 private:
  void measure(const std::array<std::uint32_t, 3>& triangle) {
    const Vec3& corner = view_.mesh.vertices[triangle[0]];
    const Vec3 u = view_.mesh.vertices[triangle[1]] - corner,
               v = view_.mesh.vertices[triangle[2]] - corner;
    const Vec3 from_corner = origin_ - corner;
    const Vec3 p = cross(direction_, v);
    const Vec3 q = cross(from_corner, u);
    const double side = dot(u, p) < 0.0 ? -1.0 : 1.0;
    const double volume = side * dot(u, p);
    const double across_u = side * dot(from_corner, p);
    const double across_v = side * dot(direction_, q);
    const double ahead = side * dot(v, q);
    const double reach = norm(from_corner) + norm(u) + norm(v);
    const double error = kRoundings * speed_ * reach * reach;
    const double least = std::min({across_u, across_v, volume - across_u - across_v});
    const double ahead_error = kRoundings * reach * reach * reach;
    if (!(volume > error) || least < -error || ahead + ahead_error < 0.0) return;
    const double time = std::max((ahead - ahead_error) / (volume + error), 0.0);
    const double upper = std::max((ahead + ahead_error) / (volume - error), 0.0);
    if (time > last_) return;
    if (first_.outcome == CastOutcome::miss) first_.outcome = CastOutcome::undecided;
    if (time < first_.time) {
      first_.time = time;
      first_.normal = normalized(cross(u, v)) * side;
    }
    if (least > error && upper <= last_) {
      first_.outcome = CastOutcome::hit;
      first_.time_upper = std::min(first_.time_upper, upper);
    }
  }

  // When the ray may enter a volume; infinite when it does not.
  double enters(std::uint32_t at) const {
    if (!(lengths_ < bvh::kLargestOfVolumes)) return 0.0;
    const bvh::OrientedBox& box = view_.tree.nodes()[at];
    double begin = 0.0, end = last_;
    for (int i = 0; i < 3; ++i) {
      double position = 0.0, motion = 0.0;
      for (int j = 0; j < 3; ++j) {
        const auto axis = static_cast<double>(box.axis[i][j]);
        position += axis * (seen_[j] - static_cast<double>(box.center[j]));
        motion += axis * direction_[j];
      }
      const double half = static_cast<double>(box.axis[i][3]) + slack_;
      // Towards the middle; what is slower than the rounding of the axis stays where it is.
      const double approach = (position > 0.0 ? -motion : motion) + kVolumeSlack * speed_;
      if (std::fabs(position) > half) {
        if (!(approach > 0.0)) return kInfinity;
        begin = std::max(begin, (std::fabs(position) - half) / approach);
      }
      const double leaving = std::fabs(motion) - kVolumeSlack * speed_;
      if (leaving > 0.0)
        end = std::min(end, (half - (motion > 0.0 ? position : -position)) / leaving);
    }
    return begin * kEarlier <= end ? begin * kEarlier : kInfinity;
  }

  const bvh::MeshView& view_;
  const Vec3 &origin_, &direction_;
  const double last_, speed_;
  const Vec3 seen_;
  const double lengths_, slack_;
  MeshRay first_;
};

}  // namespace

MeshRay cast_ray(const bvh::MeshView& view, const Vec3& origin, const Vec3& direction,
                 double last) {
  return RayThroughMesh(view, origin, direction, last).run();
}

}  // namespace tactus::detail
