// The program that `tactus lab` and `tactus fuzz` become.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "apps/laboratory/fuzz_command.hpp"
#include "apps/laboratory/lab_command.hpp"
#include "apps/tactus/laboratory.hpp"
#include "apps/tactus/output.hpp"
#include "tactus/classic.hpp"
#include "tactus/version.hpp"

namespace {

constexpr int kCannotRun = 2;

int run(int argc, char** argv) {
  using namespace tactus::app;
  CLI::App app("Experiments of the literature, and random queries against their claims", "tactus");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("tactus ") + TACTUS_VERSION);
  LabCommand lab_command;
  FuzzCommand fuzz_command;
  CLI::App* const lab = app.add_subcommand("lab", kLabDescription);
  describe_lab(*lab, lab_command);
  describe_fuzz(*app.add_subcommand("fuzz", kFuzzDescription), fuzz_command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kCannotRun;
  }
  return lab->parsed() ? run_lab(lab_command) : run_fuzz(fuzz_command);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    tactus::enable_classic_methods();
    const int code = run(argc, argv);
    return code == kCannotRun || tactus::app::is_printed() ? code : kCannotRun;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tactus: %s\n", error.what());
    return kCannotRun;
  }
}
