// tactus_peers [COUNT]: the same random queries to Tactus and to the other libraries found at build
// time, one thread.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "bench/peers/pairs.hpp"

namespace tactus::bench {
namespace {

constexpr int kRuns = 3;

/// Least CPU time over kRuns, in nanoseconds per query.
double time_answers(Peer& peer, std::vector<double>& answers) {
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
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

void run(int count) {
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

  std::printf(
      "ns per query (worst error: distance |answer - gap|, depth excess over a known separating "
      "translation, overlap wrong answers)\n");
  std::printf("%d random pairs per row, CPU time of one thread, least of %d runs\n\n%-22s", count,
              kRuns, "");
  for (const auto& peer : peers) std::printf("%18s", peer->name().c_str());
  std::printf("\n");

  struct Row {
    Question question;
    const char* name;
  };
  for (const Row& row : {Row{Question::distance, "distance"}, Row{Question::depth, "depth"},
                         Row{Question::overlap, "overlap"}}) {
    for (const ShapeType type :
         {ShapeType::sphere, ShapeType::box, ShapeType::ellipsoid, ShapeType::convex}) {
      const PairSet set = make_pairs(type, row.question, count);
      std::printf("%-9s%-13s", row.name,
                  type == ShapeType::convex ? "64-vertex hull" : to_string(type).data());
      for (const auto& peer : peers) {
        if (!peer->prepare(set)) {
          std::printf("%18s", "-");
          continue;
        }
        std::vector<double> answers(set.pairs.size());
        const double ns = time_answers(*peer, answers);
        std::printf("%8.0f (%7.1g)", ns, worst_error(set, answers));
        std::fflush(stdout);
      }
      std::printf("\n");
    }
  }
}

}  // namespace
}  // namespace tactus::bench

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 20000;
  if (count <= 0) {
    std::fprintf(stderr, "usage: tactus_peers [COUNT]   (COUNT pairs per row, 1 or more)\n");
    return 2;
  }
  tactus::bench::run(count);
  return 0;
}
