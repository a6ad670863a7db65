#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tactus/distributed.hpp"
#include "tests/support/program.hpp"

namespace tactus::detail {
namespace {

/// `tactus simulate`, with the environment of one of three copies that mpirun starts.
class LauncherProgram : public test::ProgramTest {
 protected:
  LauncherProgram() : ProgramTest("simulate") { setenv("OMPI_COMM_WORLD_SIZE", "3", 1); }
  ~LauncherProgram() override { unsetenv("OMPI_COMM_WORLD_SIZE"); }
};

TEST_F(LauncherProgram, EnvironmentTellsHowManyWereStarted) {
  EXPECT_EQ(distributed::launched_together(), 3);
  unsetenv("OMPI_COMM_WORLD_SIZE");
  EXPECT_EQ(distributed::launched_together(), 1);
}

// Each copy once ran the whole scene, into the same files.
TEST_F(LauncherProgram, RefusesToRunTheSceneThreeTimes) {
  if (distributed::has_mpi()) GTEST_SKIP() << "this program runs it once, on three ranks";
  EXPECT_EQ(run("'" TACTUS_SOURCE_DIR "/scenes/stack.json' --steps 1"), 2);
  EXPECT_NE(read("err.txt").find("without MPI"), std::string::npos) << read("err.txt");
  EXPECT_EQ(read("out/stack/stack.tactus"), "");
}

}  // namespace
}  // namespace tactus::detail
