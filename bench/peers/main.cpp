// tactus_peers: the same random queries to Tactus and to the other libraries found at build time,
// one thread.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>

#include "bench/peers/pairs.hpp"
#include "tactus/io/format/machine.hpp"

namespace tactus::detail::bench {
namespace {

struct Options {
  int count = 20000;
  int runs = 5;
  const char* only = "";  ///< rows whose name contains this
};

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

/// Every peer's least CPU time in nanoseconds per query. The peers take turns, so that what
/// disturbs the machine for a moment spoils one run of each rather than all of one.
std::vector<Timed> measure(const std::vector<Peer*>& peers, const PairSet& set, int runs) {
  struct Entry {
    bool ready;
    std::clock_t best;
    std::vector<double> answers;
  };
  std::vector<Entry> entries;
  entries.reserve(peers.size());
  for (Peer* peer : peers)
    entries.push_back({peer->prepare(set), std::numeric_limits<std::clock_t>::max(),
                       std::vector<double>(set.pairs.size())});
  for (int run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < peers.size(); ++i) {
      if (!entries[i].ready) continue;
      const std::clock_t start = std::clock();
      peers[i]->answer(entries[i].answers);
      entries[i].best = std::min(entries[i].best, std::clock() - start);
    }
  }
  std::vector<Timed> result;
  result.reserve(peers.size());
  for (const Entry& e : entries) {
    result.emplace_back();
    if (!e.ready) continue;
    result.back().ns =
        1e9 * static_cast<double>(e.best) / CLOCKS_PER_SEC / static_cast<double>(set.pairs.size());
    result.back().error = worst_error(set, e.answers);
  }
  return result;
}

void print_cell(const Timed& t) {
  if (std::isnan(t.ns)) {
    std::printf(" %9s           |", "-");
  } else {
    std::printf(" %9.0f (%7.1g) |", t.ns, t.error);
  }
  std::fflush(stdout);
}

constexpr const char* kQuestions[] = {"distance", "depth", "overlap", "contacts"};

double goal_of(const PairClass& kind, Question question) {
  switch (question) {
    case Question::distance:
      return kind.goal_distance;
    case Question::depth:
      return kind.goal_depth;
    case Question::overlap:
      return kind.goal_overlap;
    case Question::contacts:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void run_random(const Options& options) {
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(make_ours());
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
  std::vector<Peer*> order;
  order.reserve(peers.size());
  for (const auto& peer : peers) order.push_back(peer.get());

  std::printf(
      "## Random pairs, ns per query\n\n"
      "In brackets how wrong the worst answer is: distance, difference from the known gap; depth, "
      "excess over a translation that separates, of contacts that of the deepest of up to four "
      "points; overlap, wrong answers. The goal is scaled by "
      "this run's Bullet distance.\n\n| %-28s | Tactus              | goal      | Tactus/goal |",
      "");
  for (std::size_t i = 1; i < peers.size(); ++i) std::printf(" %-19s |", peers[i]->name().c_str());
  std::printf("\n|---|---|---|---|");
  for (std::size_t i = 1; i < peers.size(); ++i) std::printf("---|");
  std::printf("\n");

  for (const PairClass& kind : kPairClasses) {
    if (std::strstr(kind.name, options.only) == nullptr) continue;
    double scale = 1.0;
    for (const Question question :
         {Question::distance, Question::depth, Question::overlap, Question::contacts}) {
      const PairSet set = make_pairs(kind, question, options.count);
      const std::vector<Timed> timed = measure(order, set, options.runs);
      for (std::size_t i = 1; i < peers.size(); ++i) {
        if (question == Question::distance && peers[i]->name() == "Bullet")
          scale = timed[i].ns / kind.bullet_distance;
      }
      const double goal = goal_of(kind, question) * scale;
      std::printf("| %-19s %-8s |", kind.name, kQuestions[static_cast<int>(question)]);
      print_cell(timed[0]);
      if (goal > 0.0) {
        std::printf(" %9.0f | %11.2f |", goal, timed[0].ns / goal);
      } else {
        std::printf("         - |           - |");
      }
      for (std::size_t i = 1; i < timed.size(); ++i) print_cell(timed[i]);
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
      const std::vector<Timed> timed = measure({cold.get(), warm.get()}, set, options.runs);
      const double cold_ns = timed[0].ns, warm_ns = timed[1].ns;
      std::printf("| %-19s %-8s | %9.0f | %9.0f | %9.2f |\n", kind.name,
                  kQuestions[static_cast<int>(question)], cold_ns, warm_ns, cold_ns / warm_ns);
      std::fflush(stdout);
    }
  }
}

void run_pools(const Options& options) {
  std::printf(
      "\n## The memory, and a cache that is wrong, ns per query\n\n"
      "Pairs of %u + %u shapes (hot: they stay in the processor's memory) and of %u + %u (cold). "
      "Stale: cold, with the cache that another random pair has left.\n\n"
      "| %-28s | hot       | cold      | stale     | cold/hot  | stale/cold "
      "|\n|---|---|---|---|---|---|\n",
      kHotPool, kHotPool, kColdPool, kColdPool, "");
  const auto plain = make_ours();
  const auto stale = make_ours(true);
  for (const PairClass& kind : kPairClasses) {
    if (std::strstr(kind.name, options.only) == nullptr) continue;
    for (const Question question :
         {Question::distance, Question::depth, Question::overlap, Question::contacts}) {
      const PairSet few = make_pairs(kind, question, options.count, kHotPool);
      const PairSet many = make_pairs(kind, question, options.count, kColdPool);
      const double hot = measure({plain.get()}, few, options.runs)[0].ns;
      const std::vector<Timed> timed = measure({plain.get(), stale.get()}, many, options.runs);
      const double cold = timed[0].ns, wrong = timed[1].ns;
      std::printf("| %-19s %-8s | %9.0f | %9.0f | %9.0f | %9.2f | %10.2f |\n", kind.name,
                  kQuestions[static_cast<int>(question)], hot, cold, wrong, cold / hot,
                  wrong / cold);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace tactus::detail::bench

int main(int argc, char** argv) {
  tactus::detail::bench::Options options;
  bool random = true;
  bool motion = true;
  bool pools = true;
  for (int i = 1; i < argc; ++i) {
    const char* argument = argv[i];
    if (std::strcmp(argument, "--random") == 0) {
      motion = pools = false;
    } else if (std::strcmp(argument, "--motion") == 0) {
      random = pools = false;
    } else if (std::strcmp(argument, "--pools") == 0) {
      random = motion = false;
    } else if (std::strcmp(argument, "--only") == 0 && i + 1 < argc) {
      options.only = argv[++i];
    } else if (std::strcmp(argument, "--runs") == 0 && i + 1 < argc) {
      options.runs = std::atoi(argv[++i]);
    } else {
      options.count = std::atoi(argument);
    }
  }
  if (options.count <= 0 || options.runs <= 0) {
    std::fprintf(
        stderr,
        "usage: tactus_peers [COUNT] [--runs N] [--only NAME] [--random | --motion | --pools]\n"
        "COUNT pairs per row (20000), least CPU time of N runs (5), rows whose name "
        "contains NAME\n");
    return 2;
  }
  std::printf(
      "# Speed beside other libraries\n\nPrinted by `tactus_peers %d --runs %d` (`make bench`)\non "
      "%s, %s. CPU time of one thread, least of %d runs by turns, set-up outside the clock, the "
      "public "
      "facade with its full result.\n\n",
      options.count, options.runs, tactus::io::today().c_str(), tactus::io::machine_name().c_str(),
      options.runs);
  if (random) tactus::detail::bench::run_random(options);
  if (motion) tactus::detail::bench::run_motion(options);
  if (pools) tactus::detail::bench::run_pools(options);
  return 0;
}
