#include "apps/tactus/laboratory.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "apps/tactus/option_checks.hpp"
#include "apps/tactus/output.hpp"
#include "apps/tactus/program.hpp"

namespace tactus::app {
namespace {

constexpr const char* kName = "tactus-lab";
// More than any machine has: a slip of the pen.
constexpr int kMostThreads = 4096;

}  // namespace

void add_threads(CLI::App& app, int& threads) {
  app.add_option("--threads", threads, "Threads; 0 takes all processors")
      ->check(whole_number(0, kMostThreads));
}

void describe_fuzz(CLI::App& app, FuzzCommand& command) {
  app.add_option("--queries", command.queries, "Queries in all, those of resumed runs included")
      ->check(whole_number(1))
      ->capture_default_str();
  app.add_option("--seed", command.seed, "Another seed, other queries")
      ->check(whole_number(0))
      ->capture_default_str();
  app.add_option("--from", command.first, "Index of the first query")
      ->check(whole_number(0))
      ->capture_default_str();
  app.add_option("--classes", command.classes, "Classes of queries, all by default")
      ->delimiter(',');
  add_threads(app, command.threads);
  CLI::Option* out =
      app.add_option("-o,--out", command.out, "Folder for the state and the minimised findings");
  app.add_flag("--resume", command.resume, "Go on from the state in the folder")->needs(out);
  app.add_flag("--json", command.json, "Print the report as JSON");
  app.add_option("--page", command.page, "File that receives the report as a page");
  app.add_option("--replay", command.replay,
                 "Examine the queries of this file instead; - is standard input");
  app.add_option("--lies", command.lies,
                 "Tell so many lies about answers to the checker instead: none may be proved")
      ->check(whole_number(1));
  add_quiet(app);
}

void describe_lab(CLI::App& app, LabCommand& command) {
  app.add_option("NAME", command.name, "Experiment; without it, all are listed");
  app.add_option("--pairs,--stacks,--bodies,--steps", command.pairs,
                 "Pairs (stacks of a kind, bodies of a pile, steps of a run) instead of the "
                 "experiment's number")
      ->check(whole_number(1));
  app.add_option("--seed", command.seed, "Another seed, other pairs")
      ->check(whole_number(0))
      ->capture_default_str();
  app.add_option("--seeds", command.seeds, "pile: repeat with as many seeds, for mean and scatter")
      ->check(whole_number(1))
      ->capture_default_str();
  app.add_option("--pairs-from", command.pairs_from,
                 "table10: file of query lines (simulate --record-pairs) instead of drawn pairs");
  add_threads(app, command.threads);
  app.add_option(
      "--meshes", command.meshes,
      "Folder of further meshes, for the experiments that take them (boxes, decomposition)");
  app.add_flag("--json", command.json, "Print the report as JSON");
  app.add_option("--page", command.page, "File that receives the report as a page");
  CLI::Option* out =
      app.add_option("-o,--out", command.out,
                     "ccd: folder for the state of a long run, also when it is interrupted");
  app.add_flag("--resume", command.resume, "Go on from the state in the folder")->needs(out);
  app.add_option("--incidents", command.incidents,
                 "File that receives the pairs worth looking at, as lines for tactus query");
  add_quiet(app);
}

int run_laboratory(char** argv) {
  std::fflush(stdout);
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) ::execv((self.parent_path() / kName).c_str(), argv);
  ::execvp(kName, argv);
  std::fprintf(stderr,
               "tactus: %s: %s is not there; `make` builds it, and it belongs beside tactus\n",
               argv[1], kName);
  return kCannotRun;
}

}  // namespace tactus::app
