#include "tactus/narrow/pair/mesh_ray.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"

namespace tactus::detail {
namespace {

// Bound of the rounding of a position along the ray and across a plane, in units of 2^-53 of the
// lengths: those of a point that went through a rotation, of a difference, of a product.
constexpr double kAlong = 4.0, kAcross = 6.0;
// An edge function in doubles errs by less than this many units of the product of its lengths.
constexpr double kEdgeError = 8.0;
// Volumes are of single precision: parts of the lengths that enter, with a margin of ten.
constexpr double kVolumeSlack = 1e-6;
// A time computed from a length and a speed, moved to the safe side.
constexpr double kEarlier = 1.0 - 1e-14;
constexpr double kNoEarlier = 1.0 - 4.0 * kUnit, kNoLater = 1.0 + 4.0 * kUnit;
constexpr int kStack = 512;

using Tree = bvh::Hierarchy<bvh::OrientedBox>;

class RayThroughMesh {
 public:
  RayThroughMesh(const bvh::MeshView& view, const Vec3& origin, const Vec3& direction, double last)
      : view_(view),
        origin_(origin),
        moves_(direction != Vec3{}),
        direction_(moves_ ? direction : Vec3{1.0, 0.0, 0.0}),
        last_(moves_ ? last : 0.0),
        speed_(norm(direction_)),
        unit_(direction_ / speed_),
        seen_(origin - view.tree.middle()),
        lengths_(norm(seen_) + view.tree.reach()),
        slack_(kVolumeSlack * lengths_) {}

  // Visits the volumes in the order in which the ray enters them, and ends at the first hit.
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
        measure(Tree::triangle(node));
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
  /// A triangle about the ray's origin.
  struct Seen {
    std::uint32_t index;
    Vec3 corner[3];
    double reach;  ///< of its farthest corner
  };
  /// Where the ray meets a triangle: the earliest and the latest way along it.
  struct Meeting {
    double early, late;
    bool crosses;  ///< rather than touches it from beside
    Vec3 n;        ///< unit
  };

  void measure(std::uint32_t index) {
    const auto& t = view_.mesh.triangles[index];
    const auto& v = view_.mesh.vertices;
    const Vec3 &p = v[t[0]], &q = v[t[1]], &r = v[t[2]];
    const Seen seen{index,
                    {p - origin_, q - origin_, r - origin_},
                    std::sqrt(std::max({squared_norm(p - origin_), squared_norm(q - origin_),
                                        squared_norm(r - origin_)}))};
    if (is_far(seen)) return;
    const int sides[3] = {orient_line(origin_, direction_, q, r),
                          orient_line(origin_, direction_, r, p),
                          orient_line(origin_, direction_, p, q)};
    const int low = std::min({sides[0], sides[1], sides[2]});
    const int high = std::max({sides[0], sides[1], sides[2]});
    const Vec3 n = accurate_cross(p, q, r);
    const bool crosses = low < 0 ? high <= 0 : high > 0;
    if (!crosses || !cross_plane(seen, n, low < 0 ? -1.0 : 1.0)) pass_beside(seen, n);
  }

  // Clearly on both sides of edges: the ray passes the triangle by more than rounding.
  bool is_far(const Seen& t) const {
    const double width = kUnit * t.reach;
    bool above = false, below = false;
    for (int i = 0; i < 3; ++i) {
      const Vec3 &p = t.corner[i], &q = t.corner[(i + 1) % 3];
      const double side = dot(unit_, cross(p, q));
      const double near = width * (kRayTouches * norm(q - p) + kEdgeError * t.reach);
      above = above || side > near;
      below = below || side < -near;
    }
    return above && below;
  }

  // The line meets the triangle in one point, on the side `sign` of its plane. False where that is
  // before the start or after the end.
  bool cross_plane(const Seen& t, const Vec3& n, double sign) {
    const auto& corner = view_.mesh.triangles[t.index];
    const auto& v = view_.mesh.vertices;
    const double time =
        plane_crossing(origin_, direction_, v[corner[0]], v[corner[1]], v[corner[2]]);
    if (!(time >= 0.0 && time <= last_)) return false;
    take(t, {time * speed_ * kNoEarlier, time * speed_ * kNoLater, true, normalized(n) * -sign});
    return true;
  }

  // The line misses the triangle, or lies in its plane: it touches an edge up to rounding, or
  // starts on the triangle.
  void pass_beside(const Seen& t, const Vec3& n) {
    const double near = kRayTouches * kUnit * t.reach, along = kAlong * kUnit * t.reach;
    const Vec3 normal = normal_beside(t, n);
    if (norm(nearest_on(t, {})) <= near) take(t, {0.0, 0.0, false, normal});
    const Vec3 end = unit_ * (last_ * speed_);
    if (is_finite(end) && norm(nearest_on(t, end) - end) <= near)
      take(t, {last_ * speed_ - along, last_ * speed_, false, normal});
    for (int i = 0; i < 3; ++i) {
      const Vec3 &p = t.corner[i], &q = t.corner[(i + 1) % 3];
      const Vec3 edge = q - p;
      const Vec3 across = edge - unit_ * dot(edge, unit_), from = p - unit_ * dot(p, unit_);
      const double width = squared_norm(across);
      double part = 0.0;
      if (width > near * near) {
        part = std::clamp(-dot(from, across) / width, 0.0, 1.0);
      } else if (dot(edge, unit_) < 0.0) {
        part = 1.0;  // the nearer end of an edge along the ray
      }
      const Vec3 point = p + edge * part;
      const double way = std::clamp(dot(point, unit_), 0.0, last_ * speed_);
      if (norm(point - unit_ * way) <= near) take(t, {way - along, way + along, false, normal});
    }
  }

  Vec3 normal_beside(const Seen& t, const Vec3& n) const {
    if (n == Vec3{}) {
      const Vec3 edge =
          normalized(t.corner[1] - t.corner[0], normalized(t.corner[2] - t.corner[0], unit_));
      return normalized(edge * dot(edge, unit_) - unit_, any_perpendicular(unit_));
    }
    const double away = dot(n, t.corner[0]), clear = kAcross * kUnit * t.reach * norm(n);
    const bool back = std::fabs(away) > clear ? away > 0.0 : dot(n, unit_) > 0.0;
    return normalized(n) * (back ? -1.0 : 1.0);
  }

  static Vec3 nearest_on(const Seen& t, const Vec3& p) {
    return point_to_triangle(p, {{t.corner[0], t.corner[1], t.corner[2]}}).b;
  }

  void take(const Seen& t, const Meeting& m) {
    if (m.late < 0.0) return;
    const double time = std::max(m.early, 0.0) / speed_ * kNoEarlier;
    if (time > last_) return;
    const double upper = std::clamp(m.late / speed_ * kNoLater, time, last_);
    first_.outcome = CastOutcome::hit;
    // Where meetings may be one place, a crossed face says more than an edge that is touched.
    const bool better = !first_found_ || (m.crosses == crosses_ ? time < first_.time
                                          : m.crosses           ? time <= first_.time_upper
                                                                : upper < first_.time);
    if (better) {
      const Vec3 there = unit_ * (time * speed_);
      const Vec3 on = nearest_on(t, there);
      first_.point = (norm(on - there) <= kAlong * kUnit * t.reach ? there : on) + origin_;
      first_.normal = m.n;
      first_.triangle = t.index;
      crosses_ = m.crosses;
      first_found_ = true;
    }
    first_.time = std::min(first_.time, time);
    first_.time_upper = std::min(first_.time_upper, upper);
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
  const Vec3& origin_;
  const bool moves_;  ///< what does not stays where it is, for no time
  const Vec3 direction_;
  const double last_, speed_;
  const Vec3 unit_;
  const Vec3 seen_;
  const double lengths_, slack_;
  MeshRay first_;
  bool first_found_ = false, crosses_ = false;
};

}  // namespace

MeshRay cast_ray(const bvh::MeshView& view, const Vec3& origin, const Vec3& direction,
                 double last) {
  return RayThroughMesh(view, origin, direction, last).run();
}

}  // namespace tactus::detail
