#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tactus/fit.hpp"
#include "tactus/planar.hpp"

namespace tactus::detail {
namespace {

constexpr int kSide = 32;

/// A dark convex polygon on white, grey by the covered part of each pixel.
std::vector<std::uint16_t> drawn(const std::vector<Vec2>& corners) {
  constexpr int kFine = 16;
  std::vector<std::uint16_t> out;
  const auto covered = [&](const Vec2& p) {
    bool inside = true;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Vec2 &a = corners[i], &b = corners[(i + 1) % corners.size()];
      inside = inside && cross(b - a, p - a) > 0.0;
    }
    return inside;
  };
  for (int y = kSide - 1; y >= 0; --y) {
    for (int x = 0; x < kSide; ++x) {
      int count = 0;
      for (int k = 0; k < kFine * kFine; ++k)
        count += covered({x + (k % kFine + 0.5) / kFine, y + (k / kFine + 0.5) / kFine}) ? 1 : 0;
      out.push_back(static_cast<std::uint16_t>(65535 - 65535 * count / (kFine * kFine)));
    }
  }
  return out;
}

struct Placement {
  double angle;
  Vec2 centre;
};

// Squares of which one corner lies between two places of the trace that could both be it, almost
// four pixels apart: it was left rounded.
TEST(ContourCorners, OfTwoCandidatesAreFound) {
  const Placement placements[] = {{3.5532402704869153, {16.248505365598792, 15.686123222089886}},
                                  {4.6663006159804645, {15.95861490429064, 16.542192557690253}},
                                  {5.1779900747704666, {15.265106171268704, 15.648902097552975}},
                                  {0.5444145006337594, {15.549465318755217, 16.260635617623095}}};
  for (const Placement& place : placements) {
    std::vector<Vec2> square;
    for (int i = 0; i < 4; ++i) {
      const double at = place.angle + i * 1.5707963;
      square.push_back(place.centre + Vec2{11.0 * std::cos(at), 11.0 * std::sin(at)});
    }
    const std::vector<std::uint16_t> values = drawn(square);
    const Tracing tracing = trace_contours({kSide, kSide, values});
    ASSERT_EQ(tracing.regions.size(), 1U);
    for (const Vec2& corner : square) {
      double least = 1e9;
      for (const Vec2& p : tracing.regions[0].outer.points)
        least = std::min(least, norm(p - corner));
      EXPECT_LT(least, 0.2) << place.angle;
    }
  }
}

}  // namespace
}  // namespace tactus::detail
