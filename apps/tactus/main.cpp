#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "apps/tactus/query_command.hpp"
#include "apps/tactus/simulate_command.hpp"

namespace {

using tactus::app::QueryCommand;
using tactus::app::SimulateCommand;

constexpr int kCannotRun = 2;

void describe_query(CLI::App& app, QueryCommand& command) {
  app.add_option("FILE", command.files, "Query files: one JSON object per line")->required();
  app.add_flag("--check", command.check,
               "Compare with the right answers in the files and print the worst errors");
  app.add_flag("--answers", command.answers, "With --check: write the answers too");
  app.add_flag("--certificate", command.certificate,
               "Add to each answer what re-proves its bracket");
  app.add_flag("--json", command.json, "With --check: the table as JSON");
  app.add_option("--out", command.out, "File for the answers instead of standard output");
  app.add_option("--threads", command.threads, "Threads; 0 takes all processors")
      ->check(CLI::NonNegativeNumber);
}

void describe_simulate(CLI::App& app, SimulateCommand& command) {
  app.add_option("SCENE", command.scene, "Scene file")->required();
  app.add_option("--steps", command.steps,
                 "Stop after this many steps, counted from the scene's start");
  CLI::Option* out = app.add_option("--out", command.out,
                                    "Folder for the results (default: out/NAME-OF-THE-SCENE)");
  app.add_flag("--no-files", command.no_files, "Write no files")->excludes(out);
  app.add_option("--continue", command.continue_from,
                 "Continue an earlier run of the scene from its recording (.tactus)");
  app.add_flag("--json", command.json, "Print the summary and the verdict as JSON");
}

int run(int argc, char** argv) {
  CLI::App app("Collision detection whose every answer is a proved bracket", "tactus");
  app.require_subcommand(1);
  app.footer("Exit codes: 0 done; 1 done, but some lines or checks failed; 2 could not run.");

  QueryCommand query;
  CLI::App* query_app =
      app.add_subcommand("query", "Answer overlap, distance and contact queries from files");
  describe_query(*query_app, query);
  SimulateCommand simulate;
  CLI::App* simulate_app =
      app.add_subcommand("simulate", "Run a scene of rigid bodies and write what happened");
  describe_simulate(*simulate_app, simulate);

  try {
    app.parse(argc, argv);
    if (query_app->parsed()) return run_query(query);
    return run_simulate(simulate);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kCannotRun;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tactus: %s\n", error.what());
    return kCannotRun;
  }
}
