#include "tactus/query/prism_contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "tactus/core/hash.hpp"
#include "tactus/math/angle.hpp"
#include "tactus/planar.hpp"
#include "tactus/planar/all_contacts.hpp"
#include "tactus/shape/compound_data.hpp"

namespace tactus::detail {
namespace {

/// Contacts whose normals differ by less (cosine) push along one.
constexpr double kSameNormal = 1.0 - 1e-8;
/// Contacts within this part of the size of the deepest one touch as it does.
constexpr double kAsDeep = 1e-4;

/// A pair that is deeper as a whole than all its contacts by this factor also has that of the
/// whole.
constexpr double kDeeper = 1.5;

/// Where the frame of a prism stands in the plane, if its axis is that of the world.
std::optional<Pose2> upright(const Pose& pose) {
  const Mat3& r = pose.rotation();
  if (r(2, 2) != 1.0 || r(0, 2) != 0.0 || r(1, 2) != 0.0 || !is_finite(pose)) return {};
  const double angle = angle_between({1.0, 0.0, 0.0}, {r(0, 0), r(1, 0), 0.0});
  return Pose2({pose.position().x, pose.position().y}, r(1, 0) < 0.0 ? -angle : angle);
}

/// Contacts with one normal, of which four say what all do: of those that touch the outermost ones
/// along the surface, then the outermost of all, then the deepest.
class OneNormal {
 public:
  explicit OneNormal(const PlanarContact& first) : normal_(first.normal) { add(first); }

  bool takes(const PlanarContact& c) const { return dot(c.normal, normal_) > kSameNormal; }
  void add(const PlanarContact& c) { all_.push_back(c); }

  Manifold manifold(double height, double size, const Pose& pose_a) {
    const Vec2 along{-normal_.y, normal_.x};
    std::sort(all_.begin(), all_.end(), [&](const PlanarContact& x, const PlanarContact& y) {
      const double s = dot(along, x.point_a), t = dot(along, y.point_a);
      return s != t ? s < t : x.depth > y.depth;
    });
    const auto deepest = std::max_element(
        all_.begin(), all_.end(),
        [](const PlanarContact& x, const PlanarContact& y) { return x.depth < y.depth; });
    const auto touches = [&](const PlanarContact& c) {
      return c.depth >= deepest->depth - kAsDeep * size;
    };
    Manifold result;
    result.normal = {normal_.x, normal_.y, 0.0};
    const PlanarContact* const chosen[] = {&*std::find_if(all_.begin(), all_.end(), touches),
                                           &*std::find_if(all_.rbegin(), all_.rend(), touches),
                                           &all_.front(), &all_.back(), &*deepest};
    for (std::size_t i = 0; i < std::size(chosen) && result.count < Manifold::kCapacity; ++i) {
      const bool known = std::find(chosen, chosen + i, chosen[i]) != chosen + i;
      if (!known)
        result.points[static_cast<std::size_t>(result.count++)] = point(*chosen[i], height, pose_a);
    }
    return result;
  }

 private:
  /// Points are told apart by where they are on A.
  static ContactPoint point(const PlanarContact& c, double height, const Pose& pose_a) {
    ContactPoint p{{c.point_a.x, c.point_a.y, height}, {c.point_b.x, c.point_b.y, height}, c.depth};
    const Vec3 local = pose_a.to_local(p.point_a);
    Fnv1a feature;
    feature.add(local.x);
    feature.add(local.y);
    p.feature = feature.value();
    return p;
  }

  Vec2 normal_;
  std::vector<PlanarContact> all_;
};

struct Corner {
  Vec2 place, before, after;  ///< world

  /// Does the corner stick out that way, so that none of its edges comes nearer there?
  bool faces(const Vec2& way) const {
    return dot(way, before - place) <= 0.0 && dot(way, after - place) <= 0.0;
  }
};

/// Corners of a region within a box of the plane.
std::vector<Corner> corners_in(const Region& region, const Pose2& pose, const Vec2& lower,
                               const Vec2& upper) {
  std::vector<Corner> corners;
  for (const Contour& contour : region.contours()) {
    const std::span<const Vec2> points = contour.points();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec2 p = pose.to_world(points[i]);
      if (p.x < lower.x || p.y < lower.y || p.x > upper.x || p.y > upper.y) continue;
      corners.push_back({p, pose.to_world(points[i > 0 ? i - 1 : points.size() - 1]),
                         pose.to_world(points[i + 1 < points.size() ? i + 1 : 0])});
    }
  }
  return corners;
}

/// Two corners may be nearest to each other without an edge between: these come beside those that
/// have one.
template <class Add>
void add_corners(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b,
                 double gap, const Add& add) {
  const auto around = [](const Region& region, const Pose2& pose, double by, Vec2& lower,
                         Vec2& upper) {
    const double radius = region.bounding_radius() + by;
    const Vec2 center = pose.to_world(region.mass().centroid);
    lower = center - Vec2{radius, radius};
    upper = center + Vec2{radius, radius};
  };
  Vec2 lower, upper;
  around(b, pose_b, gap, lower, upper);
  const std::vector<Corner> of_a = corners_in(a, pose_a, lower, upper);
  around(a, pose_a, gap, lower, upper);
  const std::vector<Corner> of_b = corners_in(b, pose_b, lower, upper);
  for (const Corner& p : of_a) {
    for (const Corner& q : of_b) {
      const Vec2 way = q.place - p.place;
      const double squared = dot(way, way);
      if (!(squared > 0.0) || squared > gap * gap || !p.faces(way) || !q.faces(-way)) continue;
      const double length = std::sqrt(squared);
      add({p.place, q.place, way * (1.0 / length), -length, 0});
    }
  }
}

}  // namespace

bool find_prism_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                         double gap, std::vector<Manifold>& out) {
  const Prism *prism_a = prism_of(a), *prism_b = prism_of(b);
  if (prism_a == nullptr || prism_b == nullptr) return false;
  const std::optional<Pose2> flat_a = upright(pose_a), flat_b = upright(pose_b);
  if (!flat_a || !flat_b) return false;
  out.clear();
  const double z_a = pose_a.position().z, z_b = pose_b.position().z;
  const double above = std::min(z_a + 0.5 * prism_a->height, z_b + 0.5 * prism_b->height);
  const double below = std::max(z_a - 0.5 * prism_a->height, z_b - 0.5 * prism_b->height);
  if (!(below < above)) return true;
  PlanarContacts found;
  all_contacts(prism_a->region, *flat_a, prism_b->region, *flat_b, found, gap);
  std::vector<OneNormal> normals;
  const auto add = [&](const PlanarContact& c) {
    const auto same = std::find_if(normals.begin(), normals.end(),
                                   [&](const OneNormal& normal) { return normal.takes(c); });
    if (same == normals.end())
      normals.emplace_back(c);
    else
      same->add(c);
  };
  double deepest = 0.0;
  for (const PlanarContact& c : found.all()) {
    add(c);
    deepest = std::max(deepest, c.depth);
  }
  // Thin parts that cross are left sideways by each corner, but not as a whole.
  if (deepest > 0.0) {
    const PlanarResult whole = distance(prism_a->region, *flat_a, prism_b->region, *flat_b);
    if (-whole.distance > kDeeper * deepest)
      add({whole.point_a, whole.point_b, whole.normal, -whole.distance, 0});
  }
  add_corners(prism_a->region, *flat_a, prism_b->region, *flat_b, gap, add);
  const double size = std::min(extent(a), extent(b));
  for (OneNormal& normal : normals)
    out.push_back(normal.manifold(0.5 * (above + below), size, pose_a));
  return true;
}

}  // namespace tactus::detail
