#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "lab/experiment.hpp"
#include "lab/speeds.hpp"
#include "lab/stepped_gas.hpp"
#include "lab/verdicts.hpp"
#include "tactus/core/hash.hpp"
#include "tactus/rigid/event/ranked_gas.hpp"
#include "tactus/rigid/event/sphere_gas.hpp"

// Elastic spheres in a periodic cube, by events and in steps: speeds against Maxwell and Boltzmann.

namespace tactus::detail::lab {
namespace {

constexpr double kSpeed = 10.0;
// Collisions per sphere until the distribution stands, and between two samples.
constexpr std::uint64_t kStart = 20, kBetween = 4;
constexpr int kSamples = 8;
// By events, and twice in steps.
constexpr std::uint64_t kParts = 3;
constexpr double kBoundDrift = 1e-12, kBoundStepped = 1e-9;  // of the energy
// Classes of the histograms, and how wide they are.
constexpr int kBins = 24;
constexpr double kBin = 1.0;

/// By events, in a periodic cube.
SphereGas start(std::uint64_t count, std::uint64_t seed) {
  GasStart start = gas_start(count, kSpeed, seed);
  return {start.radius, start.edge, std::move(start.positions), std::move(start.velocities)};
}

/// Until each of the spheres has collided so many times more, on average.
template <class Gas>
void run(Gas& gas, std::uint64_t count, std::uint64_t each) {
  const std::uint64_t goal = gas.collisions() + each * count / 2;
  const double step = 0.02;
  while (gas.collisions() < goal) gas.advance(gas.time() + step);
}

std::vector<Cell> row(const std::string& name, const Moments& m) {
  const auto text = [](double x) { return fmt::format("{:.4f}", x); };
  return {name, text(m.mean), text(m.variance), text(m.median), text(m.skewness)};
}

/// Share of the sorted speeds in each class.
std::vector<double> shares_of(const std::vector<double>& speeds) {
  const auto below = [&](double v) {
    const auto place = std::lower_bound(speeds.begin(), speeds.end(), v);
    return static_cast<double>(place - speeds.begin()) / static_cast<double>(speeds.size());
  };
  std::vector<double> shares;
  shares.reserve(kBins);
  for (int i = 0; i < kBins; ++i) shares.push_back(below((i + 1) * kBin) - below(i * kBin));
  return shares;
}

std::vector<double> shares_in_theory() {
  std::vector<double> shares;
  shares.reserve(kBins);
  for (int i = 0; i < kBins; ++i)
    shares.push_back(share_below((i + 1) * kBin, kSpeed) - share_below(i * kBin, kSpeed));
  return shares;
}

/// Columns of shares, as a table and as curves through the middles of the classes.
struct Histogram {
  Table table;
  Plot plot;

  Histogram(const std::string& title, const std::string& file) {
    table.title = title;
    table.head = {"speed"};
    for (int i = 0; i < kBins; ++i) {
      table.rows.push_back({fmt::format("{:.0f} to {:.0f}", i * kBin, (i + 1) * kBin)});
    }
    plot = {file, title, "speed", "share", {}};
    plot.linear = true;
  }

  void add(const std::string& name, const std::vector<double>& shares) {
    table.head.push_back(name);
    Plot::Series series{name, {}};
    for (std::size_t i = 0; i < shares.size(); ++i) {
      table.rows[i].emplace_back(shares[i]);
      series.points.emplace_back((static_cast<double>(i) + 0.5) * kBin, shares[i]);
    }
    plot.series.push_back(std::move(series));
  }
};

/// From equal speeds to the distribution: the source's figure of 8,000 spheres.
void add_growth(std::uint64_t seed, Report& report) {
  Table table{"From equal speeds to the distribution: 8,000 spheres",
              {"collisions per sphere", "mean", "variance", "median", "skewness"},
              {}};
  Histogram histogram("8,000 spheres after so many collisions per sphere: share by speed",
                      "gas-growth.svg");
  SphereGas gas = start(8000, seed);
  std::uint64_t before = 0;
  for (const std::uint64_t each : {1, 2, 4, 8, 16}) {
    run(gas, gas.size(), each - before);
    before = each;
    const std::vector<double> speeds = speeds_of(gas.velocities());
    table.rows.push_back(row(std::to_string(each), moments_of(speeds)));
    histogram.add(std::to_string(each), shares_of(speeds));
  }
  table.rows.push_back(row("theory", maxwell_boltzmann(kSpeed)));
  histogram.add("theory", shares_in_theory());
  report.tables.push_back(std::move(table));
  report.tables.push_back(std::move(histogram.table));
  report.plots.push_back(std::move(histogram.plot));
}

/// Moments beside theory, ours and the source's.
struct Comparison {
  Table moments{"Speeds", {"", "mean", "variance", "median", "skewness"}, {}};
  Table off{
      "Off theory, in standard errors at fixed energy", {"", "mean", "median", "skewness"}, {}};

  Moments add(const std::string& name, const Moments& m, double count) {
    const Moments by = off_theory(m, kSpeed, count);
    moments.rows.push_back(row(name, m));
    off.rows.push_back({name, by.mean, by.median, by.skewness});
    return by;
  }
};

/// Runs the gas from the same start in time steps, up to `time`, where the run by events ended.
void add_steps(const Settings& settings, std::uint64_t count, double time, Comparison& comparison,
               Histogram& histogram, Table& hashes, Report& report) {
  const GasStart same = gas_start(count, kSpeed, settings.seed);
  Table cost{"In steps",
             {"detector", "steps", "microseconds per sphere and step", "drift of the energy"},
             {}};
  std::uint64_t done = 1;
  for (const Detector detector : {Detector::iterative, Detector::closed_form}) {
    const std::string name =
        detector == Detector::iterative ? "in steps, iterative" : "in steps, closed form";
    const SteppedGas gas = run_in_steps(
        same, time, detector,
        [&](double part) {
          const double sum = (static_cast<double>(done) + part) / kParts;
          settings.progress(static_cast<std::uint64_t>(sum * static_cast<double>(count)), count);
        },
        settings.ranks);
    ++done;
    const std::vector<double> speeds = speeds_of(gas.velocities);
    const Moments off = comparison.add(name, moments_of(speeds), static_cast<double>(count));
    histogram.add(name, shares_of(speeds));
    hashes.rows.push_back({name, fmt::format("{:016x}", gas.state_hash)});
    cost.rows.push_back({name, static_cast<double>(gas.steps),
                         1e6 * gas.seconds / static_cast<double>(gas.steps * count),
                         gas.energy_drift});
    const std::vector<Bar> bars =
        bars_of(GasFigures{name + ": ", off, gas.energy_drift, kBoundStepped});
    report.bars.insert(report.bars.end(), bars.begin(), bars.end());
  }
  report.tables.push_back(std::move(cost));
}

constexpr const char* kText =
    "{} elastic spheres in a periodic cube, a tenth of it filled, all with the speed 10 in random "
    "directions at first. Every collision happens at its exact time. The last moment, and {} "
    "moments together, {} collisions per sphere apart, beside the source (leemann2017, table 8: "
    "64,000 spheres, in steps) and the distribution of Maxwell and Boltzmann. Then the same "
    "spheres "
    "for the same time in steps of `World`, in the same periodic cube, with contacts by search and "
    "by closed form; in a step a sphere moves by an eighth of its radius. The energy is fixed, so "
    "that the moments scatter less than those of independent speeds: they are judged by their "
    "errors at fixed energy, and the variance, which the mean decides (mean^2 + variance = 100), "
    "is no second test.";

/// A gas by events, to its end.
struct EventGas {
  std::vector<double> all;  ///< speeds of all moments, sorted
  Moments last;
  double time = 0.0, energy_drift = 0.0, seconds = 0.0;
  std::uint64_t collisions = 0, crossings = 0, hash = 0;
};

template <class Gas>
EventGas run_by_events(Gas& gas, const Settings& settings, std::uint64_t count) {
  EventGas result;
  const double energy = gas.energy();
  const std::clock_t begin = std::clock();
  run(gas, count, kStart);
  for (int i = 0; i < kSamples; ++i) {
    run(gas, count, kBetween);
    const std::vector<double> speeds = speeds_of(gas.velocities());
    result.all.insert(result.all.end(), speeds.begin(), speeds.end());
    settings.progress(count * static_cast<std::uint64_t>(i + 1) / kParts / kSamples, count);
  }
  result.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const std::vector<Vec3> velocities = gas.velocities();
  result.last = moments_of(speeds_of(velocities));
  std::sort(result.all.begin(), result.all.end());
  result.time = gas.time();
  result.energy_drift = std::fabs(gas.energy() - energy) / energy;
  result.collisions = gas.collisions();
  result.crossings = gas.crossings();
  Fnv1a hash;
  for (const Vec3& v : velocities)
    for (int axis = 0; axis < 3; ++axis) hash.add(v[axis]);
  result.hash = hash.value();
  return result;
}

/// Alone, or shared by ranks.
EventGas run_by_events(const Settings& settings, std::uint64_t count) {
  if (settings.ranks == nullptr) {
    SphereGas gas = start(count, settings.seed);
    return run_by_events(gas, settings, count);
  }
  const GasStart same = gas_start(count, kSpeed, settings.seed);
  RankedGas gas(*settings.ranks, same.radius, same.edge, same.positions, same.velocities);
  return run_by_events(gas, settings, count);
}

}  // namespace

Report run_gas(const Settings& settings) {
  Report report{"gas", "A gas of elastic spheres", "", {}, {}, {}, {}};
  const std::uint64_t count = std::max<std::uint64_t>(settings.pairs, 100);
  const EventGas gas = run_by_events(settings, count);
  report.text = fmt::format(kText, count, kSamples, kBetween);
  const auto collisions = static_cast<double>(gas.collisions), number = static_cast<double>(count);
  const double microseconds = 1e6 * gas.seconds / collisions;

  Comparison comparison;
  constexpr double kSourceCount = 64000.0;
  comparison.add("the source, iterative", {9.2214, 15.0545, 8.8890, 0.4836}, kSourceCount);
  comparison.add("the source, closed form", {9.2093, 15.1049, 8.8698, 0.4975}, kSourceCount);
  const Moments off = comparison.add("ours, last moment", gas.last, number);
  comparison.moments.rows.push_back(row("ours, all moments", moments_of(gas.all)));
  report.bars = bars_of(GasFigures{"", off, gas.energy_drift, kBoundDrift});
  // The time of one rank is not that of a gas.
  if (settings.ranks == nullptr) report.bars.push_back(bar_of_gas_speed(microseconds));
  Histogram histogram("Share of the spheres by speed", "gas.svg");
  histogram.add("by events", shares_of(gas.all));
  Table hashes{"Hashes of the end states", {"", "hash"}, {}};
  hashes.rows.push_back({std::string("by events, velocities"), fmt::format("{:016x}", gas.hash)});
  add_steps(settings, count, gas.time, comparison, histogram, hashes, report);
  histogram.add("theory", shares_in_theory());
  comparison.moments.rows.push_back(row("theory", maxwell_boltzmann(kSpeed)));
  comparison.moments.rows.push_back(
      row("standard error at fixed energy", errors_at_fixed_energy(kSpeed, number)));
  report.tables.insert(report.tables.begin(),
                       {comparison.moments, comparison.off, hashes, histogram.table});
  report.plots.push_back(std::move(histogram.plot));
  // Nothing of it is shared: one rank prints it.
  if (settings.ranks == nullptr || settings.ranks->rank() == 0) add_growth(settings.seed, report);
  report.tables.push_back({"Cost by events",
                           {"collisions", "cell crossings", "microseconds per collision"},
                           {{collisions, static_cast<double>(gas.crossings), microseconds}}});
  return report;
}

}  // namespace tactus::detail::lab
