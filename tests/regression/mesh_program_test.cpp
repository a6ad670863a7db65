#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/support/program.hpp"

// `tactus mesh` as a user runs it.
namespace {

class MeshProgram : public tactus::detail::test::ProgramTest {
 protected:
  MeshProgram() : ProgramTest("mesh") { write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
};

TEST_F(MeshProgram, RefusesWhatItCannotDo) {
  const auto refused = [this](const std::string& arguments, const std::string& why) {
    EXPECT_EQ(run(arguments), 2) << arguments;
    EXPECT_EQ(read("err.txt"), "tactus mesh: " + why + "\n") << arguments;
  };
  write("far.xyz", "0 0 0\n0 1e160 0\n");
  refused("open.obj --nearest far.xyz", "far.xyz: coordinates may be up to 1e+100");
  refused("open.obj --winding far.xyz", "--winding: the surface is open: it winds around no point");
  refused("open.obj -o open.txt",
          "--out: open.txt: unknown ending; known are .obj, .stl, .ply, .off, .glb, .json");
  refused("none.obj", "none.obj: does not exist");
}

}  // namespace
