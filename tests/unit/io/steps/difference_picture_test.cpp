#include "tactus/io/steps/difference_picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tactus/core.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;

// The least and the largest coordinate of a surface along an axis.
std::pair<double, double> range(const json& surface, std::size_t axis) {
  std::vector<double> all;
  const json& v = surface.at("vertices");
  for (std::size_t i = axis; i < v.size(); i += 3) all.push_back(v[i].get<double>());
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  return {*low, *high};
}

TEST(DifferencePicture, OfBoxesIsExact) {
  const json p = parse_json(difference_picture(Box({1, 2, 3}), Pose::translation({1, 0, 0}),
                                               Box({1, 1, 1}), Pose::translation({0, 5, 0})));
  EXPECT_EQ(p.at("cores").at("faces").size(), 6u);
  EXPECT_EQ(p.at("cores").at("vertices").size(), 24u);
  EXPECT_EQ(range(p.at("cores"), 0), std::pair(0.0, 2.0));
  EXPECT_EQ(range(p.at("cores"), 1), std::pair(-6.5, -3.5));
  EXPECT_EQ(range(p.at("cores"), 2), std::pair(-2.0, 2.0));
  EXPECT_EQ(range(p.at("b"), 1), std::pair(4.5, 5.5));
  EXPECT_FALSE(p.at("cores").at("smooth").get<bool>());
  EXPECT_TRUE(p.at("bodies").is_null());
}

TEST(DifferencePicture, OfRoundBodiesComesNear) {
  const json p = parse_json(
      difference_picture(Sphere(1), Pose(), Capsule(0.5, 2), Pose::translation({3, 0, 0})));
  EXPECT_EQ(p.at("cores").at("vertices").size(), 6u);  // a segment
  EXPECT_NEAR(range(p.at("bodies"), 0).first, -4.5, 0.02);
  EXPECT_NEAR(range(p.at("bodies"), 2).second, 2.5, 0.02);
  EXPECT_TRUE(p.at("bodies").at("smooth").get<bool>());
  EXPECT_THROW(difference_picture(HalfSpace({0, 0, 1}, 0), Pose(), Sphere(1), Pose()),
               InvalidInput);
}

TEST(DifferencePicture, DirectionSphereHoldsTheSupportFunction) {
  // f(n) of two balls of radius 1 and 2, B at 5 along z: 3 - 5 n.z.
  const json f =
      parse_json(direction_sphere(Sphere(1), Pose(), Sphere(2), Pose::translation({0, 0, 5}), 4));
  ASSERT_EQ(f.size(), 32u);
  EXPECT_NEAR(f[0].get<double>(), 3.0 - 5.0 * std::cos(0.125 * 3.14159265358979), 1e-4);
  EXPECT_NEAR(f[31].get<double>(), 3.0 + 5.0 * std::cos(0.125 * 3.14159265358979), 1e-4);
}

}  // namespace
}  // namespace tactus::io
