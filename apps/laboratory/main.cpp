// The program that `tactus lab` and `tactus fuzz` become.
#include <CLI/CLI.hpp>
#include <vector>

#include "apps/laboratory/fuzz_command.hpp"
#include "apps/laboratory/lab_command.hpp"
#include "apps/tactus/laboratory.hpp"
#include "apps/tactus/program.hpp"

int main(int argc, char** argv) {
  using namespace tactus::app;
  return run_program(
      "Experiments of the literature, and random queries against their claims", argc, argv,
      [](CLI::App& app) {
        return std::vector<Entry>{
            add_command(app, "lab", kLabDescription, describe_lab, run_lab, true),
            add_command(app, "fuzz", kFuzzDescription, describe_fuzz, run_fuzz, true)};
      });
}
