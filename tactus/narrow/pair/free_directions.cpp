#include "tactus/narrow/pair/free_directions.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/growing.hpp"

namespace tactus::detail {
namespace {

// Sides of a feature that are shorter than this part of the circle's radius have no direction that
// is certain, and take nothing off it.
constexpr double kShortSide = 0.01;
// Corners of a feature that need no further room.
constexpr int kFewCorners = 64;
// A body that is known by its support function alone shows a flat place by the points that support
// it along directions at this angle about the normal; a curved one loses half of the angle times
// the distance there, which is more than `kFeatureTilt` of it.
constexpr double kProbeAngle = 1e-5;
// At least so many roots of the noise over the size, so that what a curved body loses is seen.
constexpr double kProbeRoots = 16.0;
constexpr int kProbes = 16;
constexpr double kProbeCosine[kProbes / 4 + 1] = {1.0, 0.92387953251128676, 0.70710678118654752,
                                                  0.38268343236508977, 0.0};

double probe_cosine(int i) {
  i = i < 0 ? -i : i;
  i = i > kProbes / 2 ? kProbes - i : i;
  return i <= kProbes / 4 ? kProbeCosine[i] : -kProbeCosine[kProbes / 2 - i];
}

}  // namespace

// The corners of a supporting feature, or the disc that it is, seen from the witness.
class FreeDirections::Feature {
 public:
  // Axes and witness in the core's frame.
  Feature(const Vec3& outward, const Vec3& along_x, const Vec3& along_y, const Vec3& at,
          double noise)
      : outward_(outward), x_(along_x), y_(along_y), at_(at), noise_(noise) {}

  // A point of the body is one of the feature when it is as far out as the witness, but for an
  // angle that counts as none.
  void add(const Vec3& point) {
    const Vec3 v = point - at_;
    const Spot spot{dot(x_, v), dot(y_, v)};
    const double beside = std::sqrt(spot.x * spot.x + spot.y * spot.y);
    if (-dot(outward_, v) > kFeatureTilt * beside + noise_) return;
    if (count == room_) {
      if (!corner.grow(2 * room_, count)) return;
      room_ *= 2;
    }
    corner.item[count++] = spot;
  }

  // A circle about the core's z axis with what is inside of it.
  void add_rim(double z, double rim) {
    const double tilt = std::sqrt(outward_.x * outward_.x + outward_.y * outward_.y);
    const Vec3 middle{0.0, 0.0, z};
    if (tilt <= kFeatureTilt && -dot(outward_, middle - at_) <= kFeatureTilt * rim + noise_) {
      const Vec3 v = middle - at_;
      center = {dot(x_, v), dot(y_, v)};
      disc = rim;
    } else if (tilt > 0.0) {
      add(middle + Vec3{outward_.x, outward_.y, 0.0} * (rim / tilt));
    }
  }

  void add_hull(const PreparedHull& hull) {
    const std::uint32_t farthest = farthest_vertex(hull, outward_).vertex;
    const double lowest = dot(outward_, hull.vertices[farthest]) -
                          (kFeatureTilt * norm(hull.upper - hull.lower) + noise_);
    // From neighbour to neighbour, since those above a plane hang together. Where there are many,
    // to look at all is faster than to find out which have been met.
    std::uint32_t met[kFewCorners];
    int known = 0;
    met[known++] = farthest;
    for (int next = 0; next < known; ++next) {
      for (const std::uint32_t i : hull.neighbors_of(met[next])) {
        if (dot(outward_, hull.vertices[i]) < lowest ||
            std::find(met, met + known, i) != met + known)
          continue;
        if (known == kFewCorners) {
          for (const Vec3& vertex : hull.vertices) add(vertex);
          return;
        }
        met[known++] = i;
      }
    }
    for (int i = 0; i < known; ++i) add(hull.vertices[met[i]]);
  }

  void add_probes(const SupportFunction& body, double size) {
    const double angle = std::max(kProbeAngle, kProbeRoots * std::sqrt(noise_ / size));
    for (int i = 0; i < kProbes; ++i) {
      const Vec3 beside = x_ * probe_cosine(i) + y_ * probe_cosine(i - kProbes / 4);
      add(body.support(normalized(outward_ + beside * angle)));
    }
  }

  // The corners of the hull of all points, counter-clockwise, in their place.
  void make_hull() {
    Spot* const p = corner.item;
    std::sort(p, p + count,
              [](const Spot& a, const Spot& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    Growing<Spot, 2 * kFewCorners> chain;
    if (2 * count > 2 * kFewCorners && !chain.grow(2 * count, 0)) return;
    int size = 0;
    const auto turns_left = [](const Spot& a, const Spot& b, const Spot& c) {
      return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0.0;
    };
    const auto put = [&](const Spot& s, int least) {
      while (size >= least && !turns_left(chain.item[size - 2], chain.item[size - 1], s)) --size;
      chain.item[size++] = s;
    };
    for (int i = 0; i < count; ++i) put(p[i], 2);
    const int upper = size + 1;
    for (int i = count - 2; i >= 0; --i) put(p[i], upper);
    count = std::max(size - 1, std::min(count, 1));
    std::copy(chain.item, chain.item + count, p);
  }

  Growing<Spot, kFewCorners> corner;
  int count = 0;
  Spot center{0.0, 0.0};
  double disc = 0.0;  ///< its radius, 0 where it is none

 private:
  Vec3 outward_, x_, y_, at_;
  double noise_;
  int room_ = kFewCorners;
};

FreeDirections::FreeDirections(const Vec3& n, double radius, double noise)
    : n_(n),
      along_x_(any_perpendicular(n)),
      along_y_(cross(n, along_x_)),
      radius_(radius),
      noise_(noise) {}

void FreeDirections::stay_on(const Core& core, const Mat3& rotation, const Vec3& outward,
                             const Vec3& at) {
  if (fixed_) return;
  const auto own = [&](const Vec3& v) { return transpose_times(rotation, v); };
  Feature feature(own(outward), own(along_x_), own(along_y_), at, noise_);
  switch (core.kind) {
    case CoreKind::point:
    case CoreKind::ellipsoid:
      fixed_ = true;
      return;
    case CoreKind::segment:
      feature.add({0.0, 0.0, core.half.z});
      feature.add({0.0, 0.0, -core.half.z});
      break;
    case CoreKind::box:
      for (unsigned i = 0; i < 8; ++i) {
        feature.add({(i & 1u) != 0 ? -core.half.x : core.half.x,
                     (i & 2u) != 0 ? -core.half.y : core.half.y,
                     (i & 4u) != 0 ? -core.half.z : core.half.z});
      }
      break;
    case CoreKind::triangle:
      for (int i = 0; i < 3; ++i) feature.add(core.corners[i]);
      break;
    case CoreKind::polytope:
      feature.add_hull(*core.hull);
      break;
    case CoreKind::cylinder:
      feature.add_rim(core.half.z, core.half.x);
      feature.add_rim(-core.half.z, core.half.x);
      break;
    case CoreKind::cone:
      feature.add({0.0, 0.0, core.half.z});
      feature.add_rim(-core.half.z, core.half.x);
      break;
    case CoreKind::custom:
      feature.add_probes(*core.custom, core.extent);
      break;
  }
  stay_on_feature(feature);
}

void FreeDirections::stay_in(std::span<const Vec3> points, const Vec3& outward, const Vec3& at) {
  if (fixed_) return;
  Feature feature(outward, along_x_, along_y_, at, noise_);
  for (const Vec3& p : points) feature.add(p);
  stay_on_feature(feature);
}

void FreeDirections::stay_on_feature(Feature& feature) {
  if (feature.disc > radius_) {
    // On so short a way the rim is straight.
    const Spot& c = feature.center;
    const double off = std::sqrt(c.x * c.x + c.y * c.y);
    if (off > 0.0) add({-c.x / off, -c.y / off}, feature.disc - off);
    return;
  }
  const Spot* const p = feature.corner.item;
  const auto is_near = [&](const Spot& s) { return s.x * s.x + s.y * s.y < radius_ * radius_; };
  fixed_ = std::all_of(p, p + feature.count, is_near);
  if (fixed_) return;
  feature.make_hull();
  const int count = feature.count;
  if (count == 1) {
    fixed_ = true;
    return;
  }
  for (int i = 0; i < count; ++i) {
    const Spot &from = p[i], &to = p[i + 1 == count ? 0 : i + 1];
    const Spot along{to.x - from.x, to.y - from.y};
    const double length = std::sqrt(along.x * along.x + along.y * along.y);
    if (!(length > kShortSide * radius_)) continue;
    const Spot right{along.y / length, -along.x / length};
    add(right, right.x * from.x + right.y * from.y);
    // The ends of a line: its two sides are those of a polygon.
    if (count == 2)
      add({along.x / length, along.y / length}, (along.x * to.x + along.y * to.y) / length);
  }
}

void FreeDirections::add(const Spot& direction, double reach) {
  if (reach < radius_ && count_ < kMostSides) sides_[count_++] = {direction, std::max(reach, 0.0)};
}

bool FreeDirections::is_left(const Spot& v) const {
  const double slack = kFeatureTilt * radius_ + noise_;
  return std::all_of(sides_, sides_ + count_, [&](const Side& s) {
    return s.direction.x * v.x + s.direction.y * v.y <= s.reach + slack;
  });
}

bool FreeDirections::none() const {
  if (fixed_) return true;
  for (int i = 0; i < count_; ++i) {
    const Side& s = sides_[i];
    const double half = std::sqrt(radius_ * radius_ - s.reach * s.reach);
    for (const double side : {half, -half}) {
      const Spot end{s.direction.x * s.reach - s.direction.y * side,
                     s.direction.y * s.reach + s.direction.x * side};
      if (is_left(end)) return false;
    }
  }
  return count_ > 0;
}

}  // namespace tactus::detail
