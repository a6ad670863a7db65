#include <gtest/gtest.h>

#include "tactus/ccd.hpp"

namespace tactus::detail {
namespace {

// Touches to within 1e-17, at times that are no doubles: where an interval of time was cut back to
// what the volume left of it, the rounding of the times themselves cut the contact off.
TEST(MovingPrimitives, ATouchIsNotCutOffByTheRoundingOfTimes) {
  const Vec3 v[8] = {{0x1.ff44c118de5abp-2, 0x1.0000000000000p-1, -0x1.2492492492492p-3},
                     {0x1.0000000000000p-1, 0x1.0000000000000p-1, -0x1.24c65d6785054p-2},
                     {0x1.ac4ea1a3a675cp-55, -0x1.44cb68d8af020p-60, -0x1.24c65d6785054p-2},
                     {-0x1.6a18c1c17b1a4p-55, 0x1.0000000000000p-1, -0x1.24c65d6785053p-2},
                     {0x1.ff44c118de5abp-2, 0x1.0000000000000p-1, -0x1.2492492492492p-3},
                     {0x1.fffffffffffffp-2, 0x1.0000000000000p-1, -0x1.1c4a18930a7ffp-3},
                     {0x1.ac6dd5d7710ebp-56, -0x1.5c4cb68d8af02p-56, -0x1.1c4a18930a7fdp-3},
                     {-0x1.07f31eb155d00p-60, 0x1.0000000000000p-1, -0x1.1c4a18930a7fbp-3}};
  EXPECT_TRUE(vertex_face({v[0], {v[1], v[2], v[3]}, v[4], {v[5], v[6], v[7]}}).hit);
  const Vec3 e[8] = {{-0x1.6a18c1c17b1a4p-55, 0x1.0000000000000p-1, -0x1.24c65d6785053p-2},
                     {0x1.0000000000000p-1, 0x1.0000000000000p-1, -0x1.24c65d6785054p-2},
                     {0x1.7fa2608c6f2d6p-1, 0x1.8000000000000p-1, -0x1.2492492492492p-3},
                     {0x1.ff44c118de5abp-2, 0x1.0000000000000p-1, -0x1.2492492492492p-3},
                     {-0x1.07f31eb155d00p-60, 0x1.0000000000000p-1, -0x1.1c4a18930a7fbp-3},
                     {0x1.fffffffffffffp-2, 0x1.0000000000000p-1, -0x1.1c4a18930a7ffp-3},
                     {0x1.7fa2608c6f2d6p-1, 0x1.8000000000000p-1, -0x1.2492492492492p-3},
                     {0x1.ff44c118de5abp-2, 0x1.0000000000000p-1, -0x1.2492492492492p-3}};
  EXPECT_TRUE(edge_edge({{e[0], e[1]}, {e[2], e[3]}, {e[4], e[5]}, {e[6], e[7]}}).hit);
}

}  // namespace
}  // namespace tactus::detail
