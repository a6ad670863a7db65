#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "lab/experiment.hpp"
#include "tactus/core/random.hpp"
#include "tactus/dynamics/impulse/sphere_gas.hpp"

// Elastic spheres in a periodic cube, by events: speeds against Maxwell and Boltzmann.

namespace tactus::detail::lab {
namespace {

constexpr double kSpeed = 10.0, kPi = 3.14159265358979323846;
// Part of the volume that is filled; the source does not give its own.
constexpr double kFilled = 0.1;
// Collisions per sphere until the distribution stands, and between two samples.
constexpr std::uint64_t kStart = 20, kBetween = 4;
constexpr int kSamples = 8;
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

std::vector<double> speeds_of(const SphereGas& gas) {
  std::vector<double> speeds;
  for (const Vec3& v : gas.velocities()) speeds.push_back(norm(v));
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

/// On a grid, all with the same speed, directions at random.
SphereGas start(std::uint64_t count, std::uint64_t seed) {
  Random random(seed, 11);
  const auto side =
      static_cast<std::uint64_t>(std::ceil(std::cbrt(static_cast<double>(count)) - 1e-9));
  const double radius = 0.5;
  const double edge = std::max(std::cbrt(static_cast<double>(count) * (kPi / 6.0) / kFilled),
                               static_cast<double>(side) * 1.01);
  const double gap = edge / static_cast<double>(side);
  std::vector<Vec3> positions, velocities;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t x = i % side, y = i / side % side, z = i / (side * side);
    positions.push_back({(static_cast<double>(x) + 0.5) * gap, (static_cast<double>(y) + 0.5) * gap,
                         (static_cast<double>(z) + 0.5) * gap});
    Vec3 d;
    double square = 0.0;
    do {
      d.x = random.uniform(-1.0, 1.0);
      d.y = random.uniform(-1.0, 1.0);
      d.z = random.uniform(-1.0, 1.0);
      square = squared_norm(d);
    } while (square > 1.0 || square < 1e-4);
    velocities.push_back(d * (kSpeed / std::sqrt(square)));
  }
  return {radius, edge, std::move(positions), std::move(velocities)};
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
    table.rows.push_back(row(std::to_string(each), moments_of(speeds_of(gas))));
  }
  table.rows.push_back(row("theory", theory()));
  return table;
}

}  // namespace

Report run_gas(const Settings& settings) {
  Report report{"gas", "A gas of elastic spheres", "", {}, {}, {}, {}};
  const std::uint64_t count = std::max<std::uint64_t>(settings.pairs, 100);
  SphereGas gas = start(count, settings.seed);
  const double energy = gas.energy();
  const std::clock_t begin = std::clock();
  run(gas, kStart);
  Moments sum;
  std::vector<double> all;
  for (int i = 0; i < kSamples; ++i) {
    run(gas, kBetween);
    const std::vector<double> speeds = speeds_of(gas);
    all.insert(all.end(), speeds.begin(), speeds.end());
    settings.progress(count * static_cast<std::uint64_t>(i + 1) / kSamples, count);
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const Moments last = moments_of(speeds_of(gas));
  std::sort(all.begin(), all.end());
  sum = moments_of(all);
  const Moments t = theory(), error = errors(static_cast<double>(count));
  report.text = fmt::format(
      "{} elastic spheres in a periodic cube, {:.0f} % filled, all with the speed 10 in random "
      "directions at first. Every collision happens at its exact time. The last moment, and {} "
      "moments together, {} collisions per sphere apart, beside the source (Leemann 2017, table "
      "8: 64,000 spheres, in steps) and the distribution of Maxwell and Boltzmann.",
      count, 100.0 * kFilled, kSamples, kBetween);
  Table table{"Speeds", {"", "mean", "variance", "median", "skewness"}, {}};
  table.rows.push_back(row("the source, iterative", {9.2214, 15.0545, 8.8890, 0.4836}));
  table.rows.push_back(row("the source, closed form", {9.2093, 15.1049, 8.8698, 0.4975}));
  table.rows.push_back(row("ours, last moment", last));
  table.rows.push_back(row("ours, all moments", sum));
  table.rows.push_back(row("theory", t));
  table.rows.push_back(row("standard error of a moment", error));
  report.tables.push_back(table);
  Table histogram{"Part of the spheres by speed", {"speed", "ours", "theory"}, {}};
  for (int i = 0; i < kBins; ++i) {
    const double low = 2.0 * i, high = low + 2.0;
    const auto part = [&](double v) {
      return static_cast<double>(std::lower_bound(all.begin(), all.end(), v) - all.begin()) /
             static_cast<double>(all.size());
    };
    histogram.rows.push_back({fmt::format("{:.0f} to {:.0f}", low, high), part(high) - part(low),
                              below(high) - below(low)});
  }
  report.tables.push_back(histogram);
  report.tables.push_back(growth(settings.seed));
  const auto collisions = static_cast<double>(gas.collisions());
  const double microseconds = 1e6 * seconds / collisions;
  report.tables.push_back({"Cost",
                           {"collisions", "cell crossings", "microseconds per collision"},
                           {{collisions, static_cast<double>(gas.crossings()), microseconds}}});
  const auto off = [](double x, double truth, double by) { return std::fabs(x - truth) / by; };
  report.bars = {
      {"drift of the energy, relative", std::fabs(gas.energy() - energy) / energy, kBoundDrift},
      {"mean off theory, in standard errors", off(last.mean, t.mean, error.mean), kBoundErrors},
      {"variance off theory", off(last.variance, t.variance, error.variance), kBoundErrors},
      {"median off theory", off(last.median, t.median, error.median), kBoundErrors},
      {"skewness off theory", off(last.skewness, t.skewness, error.skewness), kBoundErrors},
      {"microseconds of one processor per collision", microseconds, kBoundMicroseconds}};
  return report;
}

}  // namespace tactus::detail::lab
