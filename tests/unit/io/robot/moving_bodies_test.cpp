// Bodies of scenes as what surrounds a robot, and the tables that lead them.
#include <gtest/gtest.h>

#include <string>

#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/robot/configurations.hpp"

namespace tactus::detail {
namespace {

TEST(SceneObstacles, KinematicBodiesMove) {
  io::Scene scene;
  const auto add = [&](BodyType type, const Vec3& velocity) {
    io::SceneBody body{"body" + std::to_string(scene.bodies.size()), 0, 1.0, 0, {Sphere(1)}, {}};
    body.definition.type = type;
    body.definition.pose = Pose::translation({1, 2, 3});
    body.definition.linear_velocity = velocity;
    body.definition.angular_velocity = velocity * 2;
    scene.bodies.push_back(body);
  };
  add(BodyType::fixed, {});
  add(BodyType::kinematic, {0, 1, 0});
  add(BodyType::dynamic_body, {1, 0, 0});
  add(BodyType::kinematic, {});
  const io::SceneObstacles found = io::scene_obstacles(scene);
  ASSERT_EQ(found.resting.size(), 2u);
  ASSERT_EQ(found.moving.size(), 2u);
  EXPECT_EQ(found.resting[1].name, "body2");
  EXPECT_EQ(found.moving[0].body.name, "body1");
  EXPECT_EQ(found.moving[0].body.pose.position(), (Vec3{1, 2, 3}));
  EXPECT_EQ(found.moving[0].linear_velocity, (Vec3{0, 1, 0}));
  EXPECT_EQ(found.moving[0].angular_velocity, (Vec3{0, 2, 0}));
  EXPECT_EQ(found.moving[1].linear_velocity, Vec3{});
}

TEST(Configurations, TakeTheTimeForTheCoordinateOfThatName) {
  const Robot cart("cart", {{"rail"}, {"cart"}},
                   {{"x", RobotJointType::prismatic, 0, 1, {}, {1, 0, 0}, -9, 9}});
  const Robot cell = add_obstacles(cart, {{{Sphere(1), {}, "ball"}, {}, {1, 0, 0}}});
  ASSERT_EQ(cell.find_coordinate("time"), 1u);
  const auto read = [&](const char* text) { return io::parse_configurations(text, "f", cell); };
  for (const char* text : {"x,time\n5,1\n6,2.5\n", "1,5\n2.5,6\n"}) {
    const io::ConfigurationTable table = read(text);
    EXPECT_TRUE(table.timed);
    EXPECT_EQ(table.rows[1], (std::vector<double>{6, 2.5}));
  }
  // Without a column of times the rows count.
  EXPECT_EQ(read("x\n5\n6\n").rows[1], (std::vector<double>{6, 1}));
  EXPECT_EQ(read("5\n6\n").rows[1], (std::vector<double>{6, 1}));
  EXPECT_THROW(read("1,2,3\n"), FileError);
}

}  // namespace
}  // namespace tactus::detail
