#include "tactus/planar/convex_pair.hpp"
#include "tactus/planar/depth/depth.hpp"
#include "tactus/planar/region/access.hpp"
#include "tactus/planar/region/placed_pair.hpp"

namespace tactus::planar {
namespace {

using detail::Boundary;
using detail::Edges;
using detail::PlacedPair;

// How far the bodies may be apart after the way out, in units of the largest coordinate: half of it
// is what each of the two points is off its body by.
constexpr double kClear = 32.0 * detail::kPlanarUnit;
// From a way that goes some thousand roundings too far to one.
constexpr int kHalvings = 60;
// Edges at a touch may lean this much (sine) over the line that parts them.
constexpr double kLean = 1e-12;

// Normal where the nearest places coincide: that of an edge there, A's first, which leaves A's
// edges on one side and B's on the other. In a notch there is none, and A's counts.
Vec2 touching_normal(const PlacedPair& pair, const detail::NearestPlaces& n) {
  const Boundary &a = *pair.a, &b = *pair.b;
  const Vec2 shift = pair.shift;
  const std::uint32_t i = n.edges.edge_a, j = n.edges.edge_b;
  // The other edge at a corner; at a place between two corners the same once more.
  const auto beside = [](const Boundary& c, std::uint32_t edge, bool at_start, bool at_end) {
    return at_start ? c.previous[edge] : (at_end ? c.next[edge] : edge);
  };
  const std::uint32_t of_a[] = {i, beside(a, i, n.on_a == a.start(i), n.on_a == a.end(i))};
  const std::uint32_t of_b[] = {
      j, beside(b, j, n.on_b == b.start(j) + shift, n.on_b == b.end(j) + shift)};
  const auto parts = [&](const Vec2& normal) {
    const auto ahead = [&](const Vec2& p, double sign) {
      return dot(p - n.on_a, normal) * sign > kLean * norm(p - n.on_a);
    };
    return !ahead(a.start(of_a[0]), 1.0) && !ahead(a.end(of_a[0]), 1.0) &&
           !ahead(a.start(of_a[1]), 1.0) && !ahead(a.end(of_a[1]), 1.0) &&
           !ahead(b.start(of_b[0]) + shift, -1.0) && !ahead(b.end(of_b[0]) + shift, -1.0) &&
           !ahead(b.start(of_b[1]) + shift, -1.0) && !ahead(b.end(of_b[1]) + shift, -1.0);
  };
  const auto right = [](const Vec2& s) { return detail::unit_along({s.y, -s.x}); };
  const Vec2 normals[] = {
      right(a.end(of_a[0]) - a.start(of_a[0])), right(a.end(of_a[1]) - a.start(of_a[1])),
      -right(b.end(of_b[0]) - b.start(of_b[0])), -right(b.end(of_b[1]) - b.start(of_b[1]))};
  for (const Vec2& normal : normals) {
    if (parts(normal)) return normal;
  }
  return normals[0];
}

detail::NearestPlaces after(const PlacedPair& pair, const Vec2& way) {
  return detail::nearest_places(Edges(*pair.a), Edges(*pair.b), pair.shift + way);
}

// A way out that leads too far, back to where the bodies are only just apart.
detail::NearestPlaces shorten(const PlacedPair& pair, double size, detail::PlanarDepth& d) {
  const double length = norm(d.translation);
  const Vec2 whole = d.translation;
  double low = length > 0.0 ? std::fmin(1.0, d.lower / length) : 1.0, high = 1.0;
  for (int k = 0; k < kHalvings && (high - low) * length > detail::kPlanarUnit * size; ++k) {
    const double middle = 0.5 * (low + high);
    const Vec2 total = pair.shift + whole * middle;
    if (detail::closed_sets_meet(*pair.a, *pair.b, total)) {
      low = middle;
      continue;
    }
    high = middle;
    // The exact way to where they were seen apart.
    d.translation = total - pair.shift;
  }
  const double rounded = norm(d.translation) * (1.0 + 4.0 * detail::kPlanarUnit);
  d.upper = std::fmin(d.upper, rounded + 2.0 * detail::kPlanarUnit * size);
  return after(pair, d.translation);
}

// The least way out, and where the bodies touch at its end: there B's place and A's are one, but
// for some roundings that both share.
void deep(const PlacedPair& pair, double size, PlanarResult& r) {
  detail::PlanarDepth d = detail::depth(*pair.a, *pair.b, pair.shift);
  detail::NearestPlaces n = after(pair, d.translation);
  if (!(n.squared <= kClear * kClear * size * size)) n = shorten(pair, size, d);
  const double length = norm(d.translation);
  r.distance = -length;
  r.lower = std::fmin(-d.upper, r.distance);
  r.upper = std::fmax(-d.lower, r.distance);
  r.normal = length > 0.0 ? detail::unit_along(d.translation) : touching_normal(pair, n);
  r.point_a = n.on_a + (n.on_b - n.on_a) * 0.5;
  r.point_b = r.point_a - d.translation;
}

bool small_convex_distance(const Region& a, const Pose2& pose_a, const Region& b,
                           const Pose2& pose_b, PlanarCache& near, PlanarResult& r) {
  const Boundary &one = detail::PlanarAccess::boundary(a),
                 &other = detail::PlanarAccess::boundary(b);
  const Pose2 pose = Pose2::relative(pose_a, pose_b);
  const double size_b = other.corners.extent;
  const double size = std::max(one.corners.extent, size_b);
  const double shift = detail::largest(pose.position());
  const double error = detail::kPlanarDistanceError * (size + shift);
  if (!convex_distance(one, other, pose, error, near, r)) return false;
  if (r.distance > 0.0 && r.distance <= detail::kNearPair * size) return false;
  // The rounding of placed corners widens the bracket of a distance; a depth is that of the corners
  // as they are rounded.
  double placing = 0.0;
  if (pose_a.turned() || !(pose_a.position() == Vec2{})) placing = detail::kTurnError * shift;
  if (pose.turned()) placing += detail::kTurnError * size_b;
  if (r.distance > 0.0) {
    r.lower = std::max(0.0, r.lower - placing);
    r.upper += placing;
  }
  detail::place_result(r, pose_a, size);
  return true;
}

}  // namespace

PlanarOverlap overlap(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b) {
  if (!detail::can_place(pose_a, pose_b)) return detail::invalid_overlap();
  const PlacedPair pair(a, pose_a, b, pose_b);
  return detail::planar_verdict(detail::interiors_meet(*pair.a, *pair.b, pair.shift));
}

PlanarResult distance(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b,
                      PlanarCache* cache) {
  if (!detail::can_place(pose_a, pose_b)) return detail::invalid_planar();
  PlanarResult r = detail::planar_answer();
  PlanarCache unknown;
  PlanarCache& near = cache != nullptr ? *cache : unknown;
  if (detail::PlanarAccess::boundary(a).small_convex &&
      detail::PlanarAccess::boundary(b).small_convex &&
      small_convex_distance(a, pose_a, b, pose_b, near, r)) {
    return r;
  }
  const PlacedPair pair(a, pose_a, b, pose_b);
  const double size = std::fmax(largest(pair.a->tree.box()), largest(pair.b->tree.box()));
  if (detail::interiors_meet(*pair.a, *pair.b, pair.shift)) {
    near = {};
    deep(pair, std::fmax(size, detail::largest(pair.shift)), r);
  } else {
    const detail::NearestPlaces n =
        detail::nearest_places(Edges(*pair.a), Edges(*pair.b), pair.shift, near);
    near = n.edges;
    const double error =
        detail::kPlanarDistanceError * (size + detail::largest(pair.shift)) + pair.error;
    r.distance = std::sqrt(n.squared);
    r.lower = std::fmax(0.0, r.distance - error);
    r.upper = r.distance + error;
    r.point_a = n.on_a;
    r.point_b = n.on_b;
    r.normal = r.distance > 0.0
                   ? direction_between(Edges(*pair.a), Edges(*pair.b), pair.shift, n, size)
                   : touching_normal(pair, n);
  }
  return detail::placed_result(r, pose_a, size);
}

}  // namespace tactus::planar
