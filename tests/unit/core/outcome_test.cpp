#include <gtest/gtest.h>

#include <vector>

#include "tactus/core.hpp"
#include "tactus/shape.hpp"

namespace tactus {
namespace {

TEST(Outcome, MakesOrTellsWhyNot) {
  const Outcome<Sphere> good = make<Sphere>(2.0);
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(good->radius(), 2.0);
  EXPECT_EQ(good.error(), "");
  const Outcome<Sphere> bad = make<Sphere>(-1.0);
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.field(), "radius");
  EXPECT_EQ(bad.error(), "radius: must be finite and not negative, is -1");
  EXPECT_FALSE(make<Convex>(std::vector<Vec3>{}));
  EXPECT_TRUE(make<Shape>(Box({1, 2, 3}), 0.1));
  EXPECT_FALSE(make<Shape>(HalfSpace({0, 0, 1}, 0.0), 0.1));
  EXPECT_FALSE(make<Pose>(Vec3{}, Quat{3, 0, 0, 0}));
}

TEST(Outcome, AttemptsAnything) {
  const auto failing = attempt([]() -> int { throw FileError("a.obj: cannot be opened"); });
  EXPECT_FALSE(failing);
  EXPECT_EQ(failing.error(), "a.obj: cannot be opened");
  EXPECT_EQ(*attempt([] { return 7; }), 7);
}

}  // namespace
}  // namespace tactus
