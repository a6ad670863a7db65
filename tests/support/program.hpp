#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/folder.hpp"

namespace tactus::detail::test {

/// Runs one command of the program as a user does, in a folder of the test's own.
class ProgramTest : public testing::Test {
 protected:
  explicit ProgramTest(const std::string& command) : command_(command) {}

  /// Returns the exit code. Output goes to out.txt and err.txt.
  int run(const std::string& arguments) const {
    const std::string line = "cd '" + folder_.path().string() + "' && '" TACTUS_PROGRAM "' " +
                             command_ + " " + arguments + " > out.txt 2> err.txt";
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }

  std::string command_;
  TemporaryFolder folder_;
};

}  // namespace tactus::detail::test
