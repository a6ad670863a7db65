#include "tactus/math/symmetric_eigen.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

Mat3 random_symmetric(Random& random) {
  Mat3 m;
  for (int r = 0; r < 3; ++r) {
    for (int c = r; c < 3; ++c) {
      // Powers spread the entries over many magnitudes.
      m(r, c) = m(c, r) = random.uniform(-1, 1) * std::ldexp(1.0, -int(random.below(30)));
    }
  }
  return m;
}

double largest_entry(const Mat3& m) {
  return std::fmax(max_abs(m.row[0]), std::fmax(max_abs(m.row[1]), max_abs(m.row[2])));
}

void expect_decomposition(const Mat3& m, const SymmetricEigen& e) {
  const double scale = largest_entry(m);
  EXPECT_LE(e.values.x, e.values.y);
  EXPECT_LE(e.values.y, e.values.z);
  const Mat3 again = e.vectors * Mat3::diagonal(e.values) * transpose(e.vectors);
  EXPECT_LE(largest_entry(again - m), 1e-14 * scale);
  EXPECT_LE(largest_entry(transpose_times(e.vectors, e.vectors) - Mat3::identity()), 5e-15);
  EXPECT_NEAR(determinant(e.vectors), 1.0, 5e-15);
}

TEST(SymmetricEigen, DecomposesRandomMatrices) {
  Random random(1);
  for (int i = 0; i < test::effort(20000); ++i) {
    const Mat3 m = random_symmetric(random);
    expect_decomposition(m, symmetric_eigen(m));
    if (HasFailure()) return;
  }
}

TEST(SymmetricEigen, AnswersDiagonalMatricesExactly) {
  const SymmetricEigen e = symmetric_eigen(Mat3::diagonal({3.0, -1.0, 0.1}));
  EXPECT_EQ(e.values, (Vec3{-1.0, 0.1, 3.0}));
  EXPECT_EQ(e.vectors, Mat3::from_columns({0, 1, 0}, {0, 0, 1}, {1, 0, 0}));
  const SymmetricEigen ball = symmetric_eigen(Mat3::diagonal({2.0, 2.0, 2.0}));
  EXPECT_EQ(ball.vectors, Mat3::identity());
  EXPECT_EQ(symmetric_eigen(Mat3::zero()).values, Vec3{});
  EXPECT_EQ(symmetric_eigen(Mat3::zero()).vectors, Mat3::identity());
}

TEST(SymmetricEigen, KnowsAKnownMatrix) {
  // Eigenvalues 1, 2, 4 with axes (1,1,1), (1,-1,0), (1,1,-2): the sum of value * projector.
  const Vec3 axes[3] = {Vec3{1, 1, 1} / std::sqrt(3.0), Vec3{1, -1, 0} / std::sqrt(2.0),
                        Vec3{1, 1, -2} / std::sqrt(6.0)};
  const Mat3 m =
      outer(axes[0], axes[0]) + outer(axes[1], axes[1]) * 2.0 + outer(axes[2], axes[2]) * 4.0;
  const SymmetricEigen e = symmetric_eigen(m);
  EXPECT_NEAR(e.values.x, 1.0, 1e-15);
  EXPECT_NEAR(e.values.y, 2.0, 1e-15);
  EXPECT_NEAR(e.values.z, 4.0, 2e-15);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(std::fabs(dot(e.vectors.column(i), axes[i])), 1.0, 1e-15);
  }
}

TEST(SymmetricEigen, ReachesTheEndsOfTheRange) {
  for (const double scale : {1e-300, 1e300}) {
    const Mat3 m = Mat3{{{2, 1, 0}, {1, 2, 1}, {0, 1, 2}}} * scale;
    expect_decomposition(m, symmetric_eigen(m));
  }
}

}  // namespace
}  // namespace tactus::detail
