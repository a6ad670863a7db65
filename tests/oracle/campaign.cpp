#include "tests/oracle/campaign.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/format/machine.hpp"
#include "tactus/io/json/capture.hpp"
#include "tactus/query.hpp"
#include "tests/oracle/generator.hpp"
#include "tests/oracle/reference.hpp"

namespace tactus::detail::oracle {
namespace {

constexpr std::size_t kGrain = 16, kBatch = 4096;
constexpr int kNamedFailuresOfARow = 3;

struct Outcome {
  std::string group, category, failure;
  io::Tally tally;
  std::int32_t iterations = 0;
  double reference_width = 0.0, library_seconds = 0.0, reference_seconds = 0.0;
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// To double, with the bracket's ends rounded outwards.
io::Truth to_truth(const Reference& r) {
  io::Truth truth{static_cast<double>(r.distance), static_cast<double>(r.lower),
                  static_cast<double>(r.upper)};
  if (Real(truth.lower) > r.lower) truth.lower = std::nextafter(truth.lower, -kInfinity);
  if (Real(truth.upper) < r.upper) truth.upper = std::nextafter(truth.upper, kInfinity);
  return truth;
}

Outcome ask(const Generator& generator, std::uint64_t index) {
  const Case made = generator.make(index);
  Outcome outcome{made.group, made.category, {}, {}};

  Stopwatch reference_time;
  const Reference truth = reference(made.pair);
  outcome.reference_seconds = reference_time.seconds();

  const Shape a = made.pair.a.shape(), b = made.pair.b.shape();
  const Pose pose_a = made.pair.place_a.pose(), pose_b = made.pair.place_b.pose();
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  Stopwatch library_time;
  const DistanceResult result = distance(a, pose_a, b, pose_b, options);
  outcome.library_seconds = library_time.seconds();
  outcome.iterations = result.iterations;

  const double size = io::pair_size(a, b);
  const CheckReport report = check(a, pose_a, b, pose_b, result, &certificate);
  outcome.tally = io::judge(result, to_truth(truth), report, size);
  outcome.reference_width = static_cast<double>(truth.upper - truth.lower) / size;
  if (outcome.tally.contradicted() || outcome.tally.unsupported > 0) {
    std::ostringstream text;
    text.precision(17);
    text << made.group << ' ' << made.category << " query " << index << ": right "
         << static_cast<double>(truth.distance) << ", answered " << result.distance << " in ["
         << result.lower << ", " << result.upper << "] " << to_string(result.status)
         << "; checker: " << (report.ok ? "accepts" : report.failure) << '\n'
         << io::capture(a, pose_a, b, pose_b, {}, io::Ask::distance,
                        made.group + "-" + std::to_string(index));
    outcome.failure = text.str();
  }
  return outcome;
}

nlohmann::json state_of(const CampaignResult& r, std::uint64_t seed) {
  return {{"seed", seed},
          {"asked", r.asked},
          {"table", r.table.to_json()},
          {"iterations", r.iterations.to_json()},
          {"failures", r.failures},
          {"failures_of_row", r.failures_of_row},
          {"widest_reference", r.widest_reference},
          {"library_seconds", r.library_seconds},
          {"reference_seconds", r.reference_seconds}};
}

/// The saved campaign, or a new one when there is none.
CampaignResult restored(const CampaignSettings& settings) {
  CampaignResult r;
  std::ifstream file(settings.state);
  if (settings.state.empty() || !file) return r;
  try {
    const nlohmann::json state = nlohmann::json::parse(file);
    if (state.at("seed") != settings.seed) {
      throw InvalidInput(settings.state.string(), "is the state of another seed");
    }
    state.at("asked").get_to(r.asked);
    r.table = io::JudgeTable::from_json(state.at("table"));
    r.iterations = fuzz::IterationHistogram::from_json(state.at("iterations"));
    state.at("failures").get_to(r.failures);
    state.at("failures_of_row").get_to(r.failures_of_row);
    state.at("widest_reference").get_to(r.widest_reference);
    state.at("library_seconds").get_to(r.library_seconds);
    state.at("reference_seconds").get_to(r.reference_seconds);
  } catch (const nlohmann::json::exception& error) {
    throw InvalidInput(settings.state.string(), error.what());
  }
  return r;
}

}  // namespace

CampaignResult run_campaign(const CampaignSettings& settings) {
  const Generator generator(settings.seed);
  CampaignResult result = restored(settings);
  while (result.asked < settings.count) {
    const std::uint64_t first = result.asked;
    std::vector<Outcome> outcomes(
        static_cast<std::size_t>(std::min<std::uint64_t>(kBatch, settings.count - first)));
    parallel_for(
        outcomes.size(), kGrain,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) outcomes[i] = ask(generator, first + i);
        },
        settings.threads);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      Outcome& outcome = outcomes[i];
      result.table.add(outcome.group, outcome.category, outcome.tally);
      result.iterations.add(outcome.iterations, first + i);
      result.widest_reference = std::max(result.widest_reference, outcome.reference_width);
      result.library_seconds += outcome.library_seconds;
      result.reference_seconds += outcome.reference_seconds;
      if (!outcome.failure.empty() &&
          result.failures_of_row[outcome.group + ' ' + outcome.category]++ < kNamedFailuresOfARow) {
        result.failures.push_back(std::move(outcome.failure));
      }
    }
    result.asked += outcomes.size();
    if (!settings.state.empty()) {
      io::write_atomically(settings.state, state_of(result, settings.seed).dump());
    }
  }
  return result;
}

std::string campaign_page(const CampaignResult& result, std::uint64_t seed) {
  const std::uint64_t count = result.asked;
  std::ostringstream page;
  page.precision(3);
  page
      << "# Queries against the oracle\n\n"
      << "Written by `TACTUS_ORACLE_QUERIES=" << count << " TACTUS_ORACLE_SEED=" << seed
      << " TACTUS_ORACLE_PAGE=docs/results/oracle.md build/release/tests/oracle "
         "--gtest_filter='Campaign.*'`\n"
      << "on " << io::today() << ", " << io::machine_name() << ".\n\n"
      << count
      << " signed distances of generated pairs (`tests/oracle/generator.hpp`), each judged by "
         "the extended-precision reference\n(`tests/oracle/reference.hpp`) and by the library's "
         "own "
         "checker. The reference's brackets are proved and at most "
      << result.widest_reference << " of size\nwide. Mean time per query: "
      << 1e6 * result.library_seconds / static_cast<double>(count) << " us, reference "
      << 1e6 * result.reference_seconds / static_cast<double>(count)
      << " us (all threads busy, certificates written).\n\n"
         "`slow`: bracket wider than asked. `brackets`: the answer's bracket and the right one are "
         "disjoint by more than one ulp.\n`signs`: wrong sign where |distance| is above 1e-15 of "
         "size. "
         "`unproved`: refused by the checker. Worst errors are relative\nto the pair's size; those "
         "of "
         "witnesses far from the origin contain the rounding of world coordinates.\n\n```\n"
      << result.table.to_text() << "```\n\nQueries by support evaluations:\n\n```\n";
  for (int bin = 0; bin < fuzz::IterationHistogram::kBins; ++bin) {
    page << fuzz::IterationHistogram::bin_name(bin) << ": "
         << result.iterations.counts()[static_cast<std::size_t>(bin)] << '\n';
  }
  page << "most: " << result.iterations.most() << " (query " << result.iterations.most_index()
       << ")\n```\n";
  return page.str();
}

}  // namespace tactus::detail::oracle
