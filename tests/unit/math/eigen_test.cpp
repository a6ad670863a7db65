#include "tactus/math/eigen.hpp"

#include <gtest/gtest.h>

namespace tactus::detail {
namespace {

TEST(EigenAdaptor, ConvertsBothWays) {
  const Vec3 v{1.5, -2.0, 0.25};
  EXPECT_EQ(from_eigen(to_eigen(v)), v);
  const Mat3 m = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}};
  EXPECT_EQ(from_eigen(to_eigen(m)), m);
  EXPECT_EQ(from_eigen(Eigen::Vector3d(to_eigen(m) * to_eigen(v))), m * v);
}

}  // namespace
}  // namespace tactus::detail
