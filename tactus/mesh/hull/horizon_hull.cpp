#include "tactus/mesh/hull/horizon_hull.hpp"

#include <algorithm>
#include <optional>

#include "tactus/core/cancellation.hpp"
#include "tactus/core/random.hpp"
#include "tactus/mesh/hull/surface_walk.hpp"

namespace tactus::detail {
namespace {

// Rounds are no smaller than this.
constexpr std::size_t kFirstRound = 64;
// Bits per axis of a place on the curve.
constexpr std::uint64_t kCurveBits = 19;
constexpr std::uint64_t kRoundShift = 3 * kCurveBits;
constexpr std::size_t kRounds = std::size_t{1} << (63 - kRoundShift);

// The bits of x, each followed by two zeros.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32u) & 0x1f00000000ffffULL;
  x = (x | x << 16u) & 0x1f0000ff0000ffULL;
  x = (x | x << 8u) & 0x100f00f00f00f00fULL;
  x = (x | x << 4u) & 0x10c30c30c30c30c3ULL;
  return (x | x << 2u) & 0x1249249249249249ULL;
}

std::uint64_t place(double x, double low, double extent) {
  const double part = extent > 0.0 ? (x - low) / extent : 0.0;
  return static_cast<std::uint64_t>(part * static_cast<double>((1ULL << kCurveBits) - 1));
}

// Numbers of the points: random rounds, each twice as large as the one before, and along a Z-curve
// within a round.
std::vector<std::uint32_t> insertion_order(std::span<const Vec3> points) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points) {
    low = component_min(low, p);
    high = component_max(high, p);
  }
  const Vec3 extent = high - low;
  std::size_t rounds = 1;
  while (rounds < kRounds && (points.size() >> rounds) > kFirstRound) ++rounds;
  struct Key {
    std::uint64_t place;
    std::uint32_t point;
  };
  std::vector<Key> keys;
  keys.reserve(points.size());
  Random random(1);
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const Vec3& p = points[i];
    std::uint64_t round = rounds - 1;
    for (std::uint32_t coins = random.next(); round > 0 && (coins & 1u) != 0; coins >>= 1u) --round;
    keys.push_back({round << kRoundShift | spread(place(p.x, low.x, extent.x)) << 2u |
                        spread(place(p.y, low.y, extent.y)) << 1u |
                        spread(place(p.z, low.z, extent.z)),
                    i});
  }
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return a.place != b.place ? a.place < b.place : a.point < b.point;
  });
  std::vector<std::uint32_t> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(key.point);
  return order;
}

// A triangle that sees `p`, or kNoIndex when it is inside: by looking at all of them.
std::uint32_t scan(std::span<const Vec3> points, const HullSurface& surface, const Vec3& p) {
  for (std::uint32_t t = 0; t < surface.slots(); ++t) {
    if (surface.alive(t) && sees(points, surface[t], p)) return t;
  }
  return kNoIndex;
}

}  // namespace

std::vector<HullTriangle> horizon_hull(std::span<const Vec3> points,
                                       const std::array<std::uint32_t, 4>& simplex) {
  HullSurface surface(points.size(), simplex);
  const std::optional<Vec3> center = inner_point(points, simplex);
  std::uint32_t near = 0;
  for (const std::uint32_t i : insertion_order(points)) {
    end_if_cancelled();
    const Vec3& p = points[i];
    std::uint32_t found = kNoIndex;
    if (center) found = walk_to(points, surface.triangles(), *center, near, p);
    if (found == kNoIndex) {
      found = scan(points, surface, p);
      if (found == kNoIndex) continue;
    }
    near = found;
    if (!sees(points, surface[found], p)) continue;
    surface.find_visible(points, found, p);
    surface.grow(i);
    near = surface.cone().front();
  }
  std::vector<std::uint32_t> renumbered;
  return surface.compact(renumbered);
}

}  // namespace tactus::detail
