#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/exchange/local_exchange.hpp"
#include "tactus/world.hpp"

// A settled bed of balls on 1..64 ranks: the bits, what ranks tell each other, and the work of
// each.

namespace tactus::detail::lab {
namespace {

using Topic = Exchange::Topic;

constexpr double kRadius = 0.1;
constexpr int kHigh = 10;         // balls on each other
constexpr double kColumn = 0.25;  // width of columns of such balls
constexpr double kManyRanks = 1e5;
constexpr int kCounts[] = {1, 2, 4, 8, 16, 32, 64};
constexpr int kMeasured = 1;  // steps, after a first one
// Bounds of a rank's messages and bytes in a sweep, which 102,400 balls keep.
constexpr double kMostMessages = 12.0, kMostKilobytes = 120.0;

/// Beside and above each other, touching, on a floor; about as many as wanted.
World bed(std::uint64_t count) {
  WorldSettings settings;
  settings.max_threads = 1;
  World world(settings);
  BodyDefinition floor{HalfSpace({0, 0, 1}, 0)};
  floor.type = BodyType::fixed;
  world.add(floor);
  const auto wide =
      static_cast<int>(std::max(1.0, std::round(std::sqrt(static_cast<double>(count) / kHigh))));
  const Shape ball = Sphere(kRadius);
  for (int i = 0; i < wide * wide * kHigh; ++i) {
    const int layer = i / (wide * wide), row = i / wide % wide, column = i % wide;
    BodyDefinition body{ball};
    body.pose = Pose::translation(
        {2.0 * kRadius * column, 2.0 * kRadius * row, kRadius + 2.0 * kRadius * layer});
    world.add(body);
  }
  return world;
}

/// A count, of the rank that has most, and the mean of all ranks.
struct Spread {
  double most = 0.0, mean = 0.0;
  void add(double value, int ranks) {
    most = std::max(most, value);
    mean += value / ranks;
  }
};

struct Measured {
  int ranks = 1;
  std::uint64_t hash = 0;
  double bodies = 0.0;
  double sweeps = 0.0;               ///< of a step
  Spread messages, kilobytes;        ///< of a sweep
  Spread other, other_kilobytes;     ///< of a step, beside sweeps
  Spread questions, known, seconds;  ///< of a step; balls; of the processor in a step
};

double less(std::uint64_t after, std::uint64_t before) {
  return static_cast<double>(after - before) / kMeasured;
}

Measured measure(std::uint64_t count, int ranks) {
  Measured result;
  result.ranks = ranks;
  std::mutex adding;
  run_on_ranks(ranks, [&](Exchange& exchange) {
    World world = bed(count);
    const double bodies = static_cast<double>(world.bodies().size()) - 1.0;
    StepUndo::share_out(world, exchange);
    require_done(world.step());
    const Exchange::Traffic sweeps = exchange.traffic(Topic::sweeps), all = exchange.traffic();
    const double seconds = thread_seconds();
    for (int i = 0; i < kMeasured; ++i) require_done(world.step());
    const double taken = (thread_seconds() - seconds) / kMeasured;
    const Exchange::Traffic sweeps_then = exchange.traffic(Topic::sweeps),
                            all_then = exchange.traffic();
    const double known = static_cast<double>(world.bodies().size()) - 1.0;
    const std::uint64_t hash = world.state_hash();
    const std::lock_guard lock(adding);
    result.bodies = bodies;
    if (exchange.rank() == 0) result.hash = hash;
    const double rounds = less(sweeps_then.rounds, sweeps.rounds);
    const double messages = less(sweeps_then.messages, sweeps.messages),
                 bytes = less(sweeps_then.bytes, sweeps.bytes);
    result.sweeps = rounds;
    result.messages.add(messages / rounds, ranks);
    result.kilobytes.add(1e-3 * bytes / rounds, ranks);
    result.other.add(less(all_then.messages, all.messages) - messages, ranks);
    result.other_kilobytes.add(1e-3 * (less(all_then.bytes, all.bytes) - bytes), ranks);
    result.questions.add(less(all_then.questions, all.questions), ranks);
    result.known.add(known, ranks);
    result.seconds.add(taken, ranks);
  });
  return result;
}

/// Kilobytes and seconds of one rank among many, which has so many balls of a square bed.
struct Model {
  /// A body of the column along a border is handed on five times in a sweep, 48 bytes each time
  /// (docs/algorithms/ranks.md): three times across one axis, twice across the other. The outer
  /// borders of the bed have no neighbours.
  static double kilobytes(double balls, double ranks) {
    constexpr double kToken = 48.0, kHandedOn = 5.0;
    const double side = std::sqrt(balls / kHigh);  // balls
    return 1e-3 * kToken * kHandedOn * side * kHigh * kColumn / (2.0 * kRadius) *
           (1.0 - 1.0 / std::sqrt(ranks));
  }
  double latency, bytes_per_second, question;  ///< seconds
  /// Seconds of talk in a step.
  double talk(double sweeps, double messages, double bytes, double questions) const {
    return sweeps * (messages * latency + bytes / bytes_per_second) + questions * question;
  }
};

// An ordinary network; a question to 100,000 ranks.
constexpr Model kNetwork{2e-6, 1e9, 40e-6};

std::vector<Measured> measure_all(const Settings& settings,
                                  const std::vector<std::uint64_t>& counts) {
  std::vector<Measured> all;
  for (std::size_t i = 0; i < std::size(kCounts); ++i) {
    all.push_back(measure(counts[i], kCounts[i]));
    settings.progress(settings.pairs * (i + 1) / std::size(kCounts), settings.pairs);
  }
  return all;
}

Table table_of(const std::string& title, const std::vector<Measured>& all) {
  Table table{
      title,
      {"ranks", "balls", "messages, most", "mean", "kB, most", "mean", "other messages", "other kB",
       "questions", "known, most", "seconds, most", "sum of seconds", "state hash"},
      {}};
  for (const Measured& m : all)
    table.rows.push_back({std::to_string(m.ranks), m.bodies, m.messages.most, m.messages.mean,
                          m.kilobytes.most, m.kilobytes.mean, m.other.most, m.other_kilobytes.most,
                          m.questions.most, m.known.most, m.seconds.most, m.seconds.mean * m.ranks,
                          fmt::format("{:016x}", m.hash)});
  return table;
}

constexpr const char* kText =
    "Balls of radius {} beside and above each other, {} high, on a floor, by ranks as threads of "
    "one "
    "process: the second step of 1/60 s, with {:.0f} sweeps. Messages and kB are those of a rank "
    "in "
    "a sweep; other messages, kB and questions to all ranks those of a rank in the step: who knows "
    "which bodies, impulses to start from, impacts, the choice of substeps. `known`: balls that a "
    "rank holds the motion of, `seconds`: of the processor, in a step, without what a network "
    "takes; "
    "other programs ran on the same processors. First the same bed on more ranks, then one that "
    "grows with them.\n\nModel: of a square bed of so many balls of its own a rank tells in a "
    "sweep 5 tokens "
    "of 48 bytes for each ball of a column along two of its borders, less what lies at the end of "
    "the bed; {} messages, of "
    "which each takes 2 microseconds, a byte 1 ns, a question to 100,000 ranks 40 microseconds. "
    "Its bytes are taken times "
    "what 64 ranks have counted over the model. The work is that measured on one rank.";

}  // namespace

Report run_ranks(const Settings& settings) {
  Report report{"ranks", "One world on many ranks", "", {}, {}, {}, {}};
  const std::uint64_t count = std::max<std::uint64_t>(settings.pairs, kHigh);
  const std::vector<std::uint64_t> same(std::size(kCounts), count);
  std::vector<std::uint64_t> growing;
  for (const int ranks : kCounts)
    growing.push_back(count * static_cast<std::uint64_t>(ranks) / kCounts[std::size(kCounts) - 1]);
  const std::vector<Measured> strong = measure_all(settings, same),
                              weak = measure_all(settings, growing);
  double differing = 0.0, messages = 0.0;
  for (const Measured& m : strong) {
    differing += m.hash != strong[0].hash ? 1 : 0;
    messages = std::max(messages, m.messages.most);
  }
  report.tables = {table_of("The same bed", strong), table_of("A bed that grows", weak)};
  Table model{"Model of the counts: a rank's kB in a sweep", {"ranks", "counted", "model"}, {}};
  for (const Measured& m : strong)
    if (m.ranks >= 4)
      model.rows.push_back({std::to_string(m.ranks), m.kilobytes.mean,
                            Model::kilobytes(m.bodies / m.ranks, m.ranks)});
  const Measured& last = strong.back();
  const double counted =
      last.kilobytes.mean / Model::kilobytes(last.bodies / last.ranks, last.ranks);
  Table large{
      "100,000 ranks",
      {"balls of a rank", "MB in a step", "seconds of talk", "seconds of work", "share of work"},
      {}};
  for (const double balls : {1000.0, 10000.0}) {
    const double bytes = 1e3 * counted * Model::kilobytes(balls, kManyRanks);
    const double talk = kNetwork.talk(last.sweeps, kMostMessages, bytes, last.questions.most);
    const double work = strong[0].seconds.most * balls / strong[0].bodies;
    large.rows.push_back({fmt::format("{:.0f}", balls), 1e-6 * bytes * last.sweeps, talk, work,
                          work / (work + talk)});
  }
  report.tables.push_back(std::move(model));
  report.tables.push_back(std::move(large));
  report.text = fmt::format(kText, kRadius, kHigh, strong[0].sweeps, kMostMessages);
  report.bars = {
      {"counts of ranks with another state hash", differing, 0.0},
      {"messages of a rank in a sweep, most", messages, kMostMessages},
      {"kB of a rank in a sweep on 64 ranks, most", last.kilobytes.most, kMostKilobytes}};
  return report;
}

}  // namespace tactus::detail::lab
