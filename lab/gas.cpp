#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lab/experiment.hpp"
#include "lab/stepped_gas.hpp"
#include "tactus/dynamics/impulse/sphere_gas.hpp"

// Elastic spheres in a periodic cube, by events, and between walls, in steps: speeds against
// Maxwell and Boltzmann.

namespace tactus::detail::lab {
namespace {

constexpr double kSpeed = 10.0, kPi = 3.14159265358979323846;
// Collisions per sphere until the distribution stands, and between two samples.
constexpr std::uint64_t kStart = 20, kBetween = 4;
constexpr int kSamples = 8;
constexpr double kBoundStepped = 1e-9;  // of the energy, in steps
// By events, and twice in steps.
constexpr std::uint64_t kParts = 3;
constexpr double kBoundDrift = 1e-12, kBoundMicroseconds = 10.0, kBoundErrors = 4.0;
constexpr int kBins = 12;

struct Moments {
  double mean = 0.0, variance = 0.0, median = 0.0, skewness = 0.0;
};

/// Of the distribution with mean square kSpeed^2. Closed forms; the median is the root of its
/// integral, 1.5381722544550522 a.
Moments theory() {
  const double a = kSpeed / std::sqrt(3.0);
  return {2.0 * a * std::sqrt(2.0 / kPi), a * a * (3.0 * kPi - 8.0) / kPi, 1.5381722544550522 * a,
          2.0 * std::sqrt(2.0) * (16.0 - 5.0 * kPi) / std::pow(3.0 * kPi - 8.0, 1.5)};
}

std::vector<double> speeds_of(std::span<const Vec3> velocities) {
  std::vector<double> speeds;
  for (const Vec3& v : velocities) speeds.push_back(norm(v));
  std::sort(speeds.begin(), speeds.end());
  return speeds;
}

Moments moments_of(const std::vector<double>& sorted) {
  Moments m;
  const auto n = static_cast<double>(sorted.size());
  for (const double v : sorted) m.mean += v / n;
  double third = 0.0;
  for (const double v : sorted) {
    const double d = v - m.mean;
    m.variance += d * d / n;
    third += d * d * d / n;
  }
  m.skewness = third / std::pow(m.variance, 1.5);
  const std::size_t half = sorted.size() / 2;
  m.median = sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
  return m;
}

/// Standard errors of the moments of n independent speeds, energy left free: upper bounds of those
/// of a gas of fixed energy. Skewness and median by the density's own moments.
Moments errors(double n) {
  const Moments t = theory();
  // Fourth central moment over the squared variance is 3.1082; the density at the median times a
  // is 0.5779; of the skewness, the sixth and fourth moments give 2.0 / sqrt(n) at most.
  const double a = kSpeed / std::sqrt(3.0);
  return {std::sqrt(t.variance / n), t.variance * std::sqrt(2.1082 / n),
          a / (2.0 * 0.5779 * std::sqrt(n)), 2.5 / std::sqrt(n)};
}

/// Part of the speeds below v.
double below(double v) {
  const double x = v / (kSpeed / std::sqrt(3.0));
  return std::erf(x / std::sqrt(2.0)) - std::sqrt(2.0 / kPi) * x * std::exp(-0.5 * x * x);
}

/// By events, in a periodic cube.
SphereGas start(std::uint64_t count, std::uint64_t seed) {
  GasStart start = gas_start(count, kSpeed, seed);
  return {start.radius, start.edge, std::move(start.positions), std::move(start.velocities)};
}

/// Until each sphere has collided so many times more, on average.
void run(SphereGas& gas, std::uint64_t each) {
  const std::uint64_t goal = gas.collisions() + each * gas.size() / 2;
  const double step = 0.02;
  while (gas.collisions() < goal) gas.advance(gas.time() + step);
}

std::vector<Cell> row(const std::string& name, const Moments& m) {
  const auto text = [](double x) { return fmt::format("{:.4f}", x); };
  return {name, text(m.mean), text(m.variance), text(m.median), text(m.skewness)};
}

Table growth(std::uint64_t seed) {
  Table table{"From equal speeds to the distribution: 8,000 spheres",
              {"collisions per sphere", "mean", "variance", "median", "skewness"},
              {}};
  SphereGas gas = start(8000, seed);
  std::uint64_t before = 0;
  for (const std::uint64_t each : {1, 2, 4, 8, 16}) {
    run(gas, each - before);
    before = each;
    table.rows.push_back(row(std::to_string(each), moments_of(speeds_of(gas.velocities()))));
  }
  table.rows.push_back(row("theory", theory()));
  return table;
}

/// Of sorted speeds.
Table histogram(const std::vector<double>& speeds) {
  Table table{"Part of the spheres by speed", {"speed", "ours", "theory"}, {}};
  const auto part = [&](double v) {
    const auto place = std::lower_bound(speeds.begin(), speeds.end(), v);
    return static_cast<double>(place - speeds.begin()) / static_cast<double>(speeds.size());
  };
  for (int i = 0; i < kBins; ++i) {
    const double low = 2.0 * i, high = low + 2.0;
    table.rows.push_back({fmt::format("{:.0f} to {:.0f}", low, high), part(high) - part(low),
                          below(high) - below(low)});
  }
  return table;
}

/// How far the moments of so many spheres are off theory.
void add_bars(const std::string& way, const Moments& m, double count, std::vector<Bar>& bars) {
  const Moments t = theory(), error = errors(count);
  const auto add = [&](const char* name, double x, double truth, double by) {
    bars.push_back(
        {way + name + " off theory, in standard errors", std::fabs(x - truth) / by, kBoundErrors});
  };
  add("mean", m.mean, t.mean, error.mean);
  add("variance", m.variance, t.variance, error.variance);
  add("median", m.median, t.median, error.median);
  add("skewness", m.skewness, t.skewness, error.skewness);
}

/// The same gas in steps, for as long as the other one took to come to its last moment.
void add_steps(const Settings& settings, std::uint64_t count, double time, Table& speeds,
               Report& report) {
  const GasStart same = gas_start(count, kSpeed, settings.seed);
  Table cost{"In steps",
             {"detector", "steps", "microseconds per sphere and step", "drift of the energy"},
             {}};
  std::uint64_t done = 1;
  for (const Detector detector : {Detector::iterative, Detector::closed_form}) {
    const std::string name = detector == Detector::iterative ? "iterative" : "closed form";
    const SteppedGas gas = run_in_steps(same, time, detector, [&](double part) {
      const double sum = (static_cast<double>(done) + part) / kParts;
      settings.progress(static_cast<std::uint64_t>(sum * static_cast<double>(count)), count);
    });
    ++done;
    const Moments moments = moments_of(speeds_of(gas.velocities));
    speeds.rows.push_back(row("in steps, " + name, moments));
    cost.rows.push_back({name, static_cast<double>(gas.steps),
                         1e6 * gas.seconds / static_cast<double>(gas.steps * count),
                         gas.energy_drift});
    add_bars("in steps, " + name + ": ", moments, static_cast<double>(count), report.bars);
    report.bars.push_back(
        {"in steps, " + name + ": drift of the energy, relative", gas.energy_drift, kBoundStepped});
  }
  report.tables.push_back(cost);
}

}  // namespace

Report run_gas(const Settings& settings) {
  Report report{"gas", "A gas of elastic spheres", "", {}, {}, {}, {}};
  const std::uint64_t count = std::max<std::uint64_t>(settings.pairs, 100);
  SphereGas gas = start(count, settings.seed);
  const double energy = gas.energy();
  const std::clock_t begin = std::clock();
  run(gas, kStart);
  std::vector<double> all;
  for (int i = 0; i < kSamples; ++i) {
    run(gas, kBetween);
    const std::vector<double> speeds = speeds_of(gas.velocities());
    all.insert(all.end(), speeds.begin(), speeds.end());
    settings.progress(count * static_cast<std::uint64_t>(i + 1) / kParts / kSamples, count);
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const Moments last = moments_of(speeds_of(gas.velocities()));
  std::sort(all.begin(), all.end());
  report.text = fmt::format(
      "{} elastic spheres in a periodic cube, a tenth of it filled, all with the speed 10 in "
      "random directions at first. Every collision happens at its exact time. The last moment, and "
      "{} moments together, {} collisions per sphere apart, beside the source (Leemann 2017, table "
      "8: 64,000 spheres, in steps) and the distribution of Maxwell and Boltzmann. Then the same "
      "spheres for the same time in steps of `World`, between elastic walls, with contacts by "
      "search and by closed form; in a step a sphere moves by an eighth of its radius.",
      count, kSamples, kBetween);
  const auto collisions = static_cast<double>(gas.collisions());
  const double microseconds = 1e6 * seconds / collisions;
  report.bars = {
      {"drift of the energy, relative", std::fabs(gas.energy() - energy) / energy, kBoundDrift}};
  add_bars("", last, static_cast<double>(count), report.bars);
  report.bars.push_back(
      {"microseconds of one processor per collision", microseconds, kBoundMicroseconds});

  Table table{"Speeds", {"", "mean", "variance", "median", "skewness"}, {}};
  table.rows.push_back(row("the source, iterative", {9.2214, 15.0545, 8.8890, 0.4836}));
  table.rows.push_back(row("the source, closed form", {9.2093, 15.1049, 8.8698, 0.4975}));
  table.rows.push_back(row("ours, last moment", last));
  table.rows.push_back(row("ours, all moments", moments_of(all)));
  add_steps(settings, count, gas.time(), table, report);
  table.rows.push_back(row("theory", theory()));
  table.rows.push_back(row("standard error of a moment", errors(static_cast<double>(count))));
  report.tables.insert(report.tables.begin(), {table, histogram(all)});
  report.tables.push_back(growth(settings.seed));
  report.tables.push_back({"Cost by events",
                           {"collisions", "cell crossings", "microseconds per collision"},
                           {{collisions, static_cast<double>(gas.crossings()), microseconds}}});
  return report;
}

}  // namespace tactus::detail::lab
