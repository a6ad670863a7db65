// Reads a robot from a URDF file and tells its links and joints. Usage: example_robot_file [FILE]
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tactus/robot_files.hpp"

namespace {

constexpr const char* kArm = R"(<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <collision><origin xyz="0.3 0 0"/><geometry><box size="0.6 0.08 0.08"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-1.5" upper="1.5" effort="1" velocity="1"/>
  </joint>
</robot>)";

}  // namespace

int main(int argc, char** argv) {
  using namespace tactus;
  std::filesystem::path file = std::filesystem::temp_directory_path() / "tactus_example_arm.urdf";
  if (argc > 1)
    file = argv[1];
  else
    std::ofstream(file) << kArm;
  std::vector<std::string> warnings;
  io::RobotReadOptions options;
  options.warnings = &warnings;
  const Robot robot = io::read_robot(file, options);
  for (const RobotLink& link : robot.links())
    std::printf("link %s: %zu bodies\n", link.name.c_str(), link.bodies.size());
  for (const RobotJoint& joint : robot.joints())
    std::printf("joint %s: from %g to %g\n", joint.name.c_str(), joint.lower, joint.upper);
  for (const std::string& warning : warnings) std::printf("%s\n", warning.c_str());
  return 0;
}
