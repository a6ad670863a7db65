// A depth out of several triangles at once is proved by polytopes of translations, and by nothing
// that was forged.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/check.hpp"
#include "tactus/query.hpp"

namespace tactus {
namespace {

// Two walls that meet at a right angle, and a box 0.01 into both.
TriangleMesh walls() {
  return {{{0, 0, -1}, {0, 0, 1}, {2, 0, -1}, {2, 0, 1}, {0, 2, -1}, {0, 2, 1}},
          {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}}};
}

class Corner : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    QueryOptions options;
    options.certificate = &certificate_;
    std::vector<Manifold> out(16);
    result_ = contacts(a(), pose_a(), b(), pose_b(), out, options).distance;
  }
  const Shape& a() const { return GetParam() ? box_ : mesh_; }
  const Shape& b() const { return GetParam() ? mesh_ : box_; }
  const Pose& pose_a() const { return GetParam() ? there_ : here_; }
  const Pose& pose_b() const { return GetParam() ? here_ : there_; }
  CheckReport judged(const DistanceResult& r, const Certificate& c) const {
    return check(a(), pose_a(), b(), pose_b(), r, &c);
  }
  Proof upper_of(const Certificate& c) const { return judged(result_, c)[Claim::upper]; }

  const Shape mesh_ = Mesh(walls()), box_ = Box({1, 1, 1});
  const Pose here_{{3, -2, 1}, Quat{0.8, 0.0, 0.6, 0.0}};
  const Pose there_ = here_ * Pose::translation({0.49, 0.49, 0.1});
  Certificate certificate_;
  DistanceResult result_;
};

TEST_P(Corner, BothEndsAreProved) {
  EXPECT_NEAR(result_.distance, -0.01 * std::sqrt(2.0), 1e-12);
  ASSERT_EQ(certificate_.kind, CertificateKind::covered);
  const CheckReport report = judged(result_, certificate_);
  EXPECT_EQ(report[Claim::upper], Proof::proved) << report.failure;
  EXPECT_EQ(report[Claim::lower], Proof::proved) << report.failure;
  EXPECT_EQ(report[Claim::normal], Proof::proved) << report.failure;
}

TEST_P(Corner, NoMoreThanTheDepthIsProved) {
  DistanceResult deeper = result_;
  deeper.distance = deeper.lower = deeper.upper = result_.distance - 1e-6;
  EXPECT_NE(judged(deeper, certificate_)[Claim::upper], Proof::proved);
}

TEST_P(Corner, WhatIsForgedProvesNothing) {
  ASSERT_FALSE(certificate_.covers.empty());
  for (std::size_t i = 0; i < certificate_.covers.size(); ++i) {
    Certificate missing = certificate_;
    missing.covers.erase(missing.covers.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(upper_of(missing), Proof::proved);
    Certificate open = certificate_;
    open.covers[i].faces.pop_back();
    EXPECT_NE(upper_of(open), Proof::proved);
    Certificate inside_out = certificate_;
    for (auto& f : inside_out.covers[i].faces) std::swap(f[0], f[1]);
    EXPECT_NE(upper_of(inside_out), Proof::proved);
    Certificate far = certificate_;
    far.covers[i].supports[0].point_a += Vec3{0, 0, 10};
    EXPECT_NE(upper_of(far), Proof::proved);
    Certificate held = certificate_;
    held.covers[i].held = true;
    EXPECT_NE(upper_of(held), Proof::proved);
    Certificate other = certificate_;
    other.covers[i].triangle_a = other.covers[i].triangle_b = 77;
    EXPECT_NE(upper_of(other), Proof::proved);
  }
  Certificate none = certificate_;
  none.covers.clear();
  EXPECT_NE(upper_of(none), Proof::proved);
}

INSTANTIATE_TEST_SUITE_P(BothOrders, Corner, ::testing::Bool());

}  // namespace
}  // namespace tactus
