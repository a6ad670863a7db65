// tactus_peers: the same random queries to Tactus and to the other libraries found at build time,
// one thread.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>

#include "bench/peers/pairs.hpp"
#include "tactus/io/machine.hpp"

namespace tactus::bench {
namespace {

struct Options {
  int count = 20000;
  int runs = 5;
  const char* only = "";  ///< rows whose name contains this
};

/// Least CPU time over the runs, in nanoseconds per query.
double time_answers(Peer& peer, std::vector<double>& answers, int runs) {
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const std::clock_t start = std::clock();
    peer.answer(answers);
    best = std::fmin(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return 1e9 * best / static_cast<double>(answers.size());
}

/// How wrong the worst answer is: distance, |answer - gap|; depth, excess over a translation known
/// to separate; overlap, number of wrong answers.
double worst_error(const PairSet& set, const std::vector<double>& answers) {
  double worst = 0.0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const double truth = set.pairs[i].separation;
    if (set.question == Question::overlap) {
      worst += (answers[i] > 0.5) != (truth < 0.0) ? 1.0 : 0.0;
    } else {
      const double error =
          set.question == Question::distance ? std::fabs(answers[i] - truth) : answers[i] + truth;
      worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::fmax(worst, error);
    }
  }
  return worst;
}

struct Timed {
  double ns = std::numeric_limits<double>::quiet_NaN();
  double error = 0.0;
};

Timed measure(Peer& peer, const PairSet& set, int runs) {
  if (!peer.prepare(set)) return {};
  std::vector<double> answers(set.pairs.size());
  Timed r;
  r.ns = time_answers(peer, answers, runs);
  r.error = worst_error(set, answers);
  return r;
}

void print_cell(const Timed& t) {
  if (std::isnan(t.ns)) {
    std::printf(" %9s           |", "-");
  } else {
    std::printf(" %9.0f (%7.1g) |", t.ns, t.error);
  }
  std::fflush(stdout);
}

constexpr const char* kQuestions[] = {"distance", "depth", "overlap"};

double goal_of(const PairClass& kind, Question question) {
  switch (question) {
    case Question::distance:
      return kind.goal_distance;
    case Question::depth:
      return kind.goal_depth;
    case Question::overlap:
      break;
  }
  return kind.goal_overlap;
}

void run_random(const Options& options) {
  std::vector<std::unique_ptr<Peer>> peers;
#ifdef TACTUS_PEER_BULLET
  peers.push_back(make_bullet());
#endif
#ifdef TACTUS_PEER_FCL
  peers.push_back(make_fcl());
#endif
#ifdef TACTUS_PEER_CCD
  peers.push_back(make_ccd());
#endif
#ifdef TACTUS_PEER_ODE
  peers.push_back(make_ode());
#endif
  const auto ours = make_ours();

  std::printf(
      "## Random pairs, ns per query\n\n"
      "In brackets how wrong the worst answer is: distance, difference from the known gap; depth, "
      "excess over a translation that separates; overlap, wrong answers. The goal is scaled by "
      "this run's Bullet distance.\n\n| %-28s | Tactus              | goal      | Tactus/goal |",
      "");
  for (const auto& peer : peers) std::printf(" %-19s |", peer->name().c_str());
  std::printf("\n|---|---|---|---|");
  for (std::size_t i = 0; i < peers.size(); ++i) std::printf("---|");
  std::printf("\n");

  for (const PairClass& kind : kPairClasses) {
    if (std::strstr(kind.name, options.only) == nullptr) continue;
    double scale = 1.0;
    for (const Question question : {Question::distance, Question::depth, Question::overlap}) {
      const PairSet set = make_pairs(kind, question, options.count);
      const Timed our = measure(*ours, set, options.runs);
      std::vector<Timed> theirs;
      for (const auto& peer : peers) {
        theirs.push_back(measure(*peer, set, options.runs));
        if (question == Question::distance && peer->name() == "Bullet")
          scale = theirs.back().ns / kind.bullet_distance;
      }
      const double goal = goal_of(kind, question) * scale;
      std::printf("| %-19s %-8s |", kind.name, kQuestions[static_cast<int>(question)]);
      print_cell(our);
      std::printf(" %9.0f | %11.2f |", goal, our.ns / goal);
      for (const Timed& t : theirs) print_cell(t);
      std::printf("\n");
    }
  }
}

void run_motion(const Options& options) {
  std::printf(
      "\n## Coherent pairs, ns per query (0.5 %% of the size and 0.5 degrees per step)\n\n"
      "| %-28s | cold      | warm      | cold/warm |\n|---|---|---|---|\n",
      "");
  const auto cold = make_ours();
  const auto warm = make_ours(true);
  for (const PairClass& kind : kPairClasses) {
    if (std::strstr(kind.name, options.only) == nullptr) continue;
    for (const Question question : {Question::distance, Question::depth}) {
      const PairSet set = make_motion(kind, question, options.count);
      const double cold_ns = measure(*cold, set, options.runs).ns;
      const double warm_ns = measure(*warm, set, options.runs).ns;
      std::printf("| %-19s %-8s | %9.0f | %9.0f | %9.2f |\n", kind.name,
                  kQuestions[static_cast<int>(question)], cold_ns, warm_ns, cold_ns / warm_ns);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace tactus::bench

int main(int argc, char** argv) {
  tactus::bench::Options options;
  bool random = true;
  bool motion = true;
  for (int i = 1; i < argc; ++i) {
    const char* argument = argv[i];
    if (std::strcmp(argument, "--random") == 0) {
      motion = false;
    } else if (std::strcmp(argument, "--motion") == 0) {
      random = false;
    } else if (std::strcmp(argument, "--only") == 0 && i + 1 < argc) {
      options.only = argv[++i];
    } else if (std::strcmp(argument, "--runs") == 0 && i + 1 < argc) {
      options.runs = std::atoi(argv[++i]);
    } else {
      options.count = std::atoi(argument);
    }
  }
  if (options.count <= 0 || options.runs <= 0) {
    std::fprintf(stderr,
                 "usage: tactus_peers [COUNT] [--runs N] [--only NAME] [--random | --motion]\n"
                 "COUNT pairs per row (20000), least CPU time of N runs (5), rows whose name "
                 "contains NAME\n");
    return 2;
  }
  std::printf(
      "# Speed beside other libraries\n\nPrinted by `tactus_peers %d --runs %d` (`make bench`)\non "
      "%s, %s. CPU time of one thread, least of %d runs, set-up outside the clock, the public "
      "facade with its full result.\n\n",
      options.count, options.runs, tactus::io::today().c_str(), tactus::io::machine_name().c_str(),
      options.runs);
  if (random) tactus::bench::run_random(options);
  if (motion) tactus::bench::run_motion(options);
  return 0;
}
