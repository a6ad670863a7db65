#include "lab/grains/grains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "lab/experiment.hpp"
#include "lab/verdicts.hpp"
#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"

// Do grains in bulk behave as granular mechanics has measured?

namespace tactus::detail::lab {
namespace {

constexpr double kOpenings[] = {4.0, 5.0, 6.0, 7.0};
constexpr double kSlopes[] = {18.0, 22.0, 24.0, 26.0};
/// Strain per second of the compressed cube.
constexpr double kStrainRate = 0.1;
struct Surface {
  double rolling, bond;
};
constexpr Surface kSurfaces[] = {{0.0, 0.0}, {0.1, 0.0}, {0.0, 3.0}};
constexpr double kFriction = 0.5;

constexpr const char* kText =
    "Spheres of {} m and 2,500 kg/m^3, diameters within a tenth, friction {}, {} of them in each "
    "test, seed {}; `World` with its defaults, 60 steps\nper second.\n"
    "Hopper: a square bin of 11 diameters with a round hole in its flat floor; the rate at which "
    "mass leaves, from 15 to 65 percent of it. The law of\nBeverloo, W = C rho sqrt(g) (D - k "
    "d)^2.5, is fitted as a straight line of W^0.4 over D; published: C from 0.55 to 0.65, k from "
    "1 to 2, about 1.5 for spheres\n(beverloo1961flow, nedderman1992statics).\n"
    "Repose: a bed of 14 by 6 diameters on a floor of fixed grains, periodic across, loses the "
    "wall at its end; the slope at which it comes to rest. `bond`:\nforce that draws two grains "
    "apart over their weight. Glass beads rest at 20 to 30 degrees, rough and sticky grains "
    "steeper (gdrmidi2004dense).\n"
    "Chute: a flow on fixed grains, periodic along and across, 8 s after its start and for 6 s. "
    "Speed in roots of g d; `growth` of the mean speed between the halves\nof that time; "
    "`inertial number` and solid fraction in the middle of the height; `mu(I)` is the tangent "
    "that jop2006constitutive measured for that\nnumber; the profile of a steady flow goes with "
    "the depth to the power of 1.5 where it is deep or fast, and nearer to the first power "
    "where it is\nthin and slow (silbert2001granular, which has no flow below 19.5 degrees; "
    "gdrmidi2004dense).\n"
    "Compression: a cube of grains under 10 kPa on all sides, packed without friction, whose top "
    "is moved down by {} of its height per second while the sides\nkeep their pressure. Angle of "
    "internal friction from the stress of the contacts: `critical` from a strain of 0.15 on; "
    "published for spheres of that friction:\n18 to 23 degrees (thornton2000numerical).";

double mu_of(double inertial_number) {
  // Glass beads; source: jop2006constitutive.
  const double low = std::tan(20.9 * kPi / 180.0), high = std::tan(32.76 * kPi / 180.0);
  return low + (high - low) / (0.279 / inertial_number + 1.0);
}

Table hopper_table(const std::vector<grains::Discharge>& all, const grains::Beverloo& law) {
  Table table;
  table.title = "hopper";
  table.head = {"opening, d", "kg/s", "by the law", "solid fraction", "part that left"};
  for (const grains::Discharge& d : all) {
    const double by_law = law.c * d.bulk_density * std::sqrt(grains::kGravity) *
                          std::pow((d.opening - law.k) * grains::kDiameter, 2.5);
    table.rows.push_back({d.opening, d.rate, by_law, d.solid_fraction, d.left});
  }
  return table;
}

Table law_table(const grains::Beverloo& law) {
  Table table;
  table.title = "law of Beverloo";
  table.head = {"C", "k", "largest deviation of a rate, relative"};
  table.rows.push_back({law.c, law.k, law.scatter});
  return table;
}

Plot hopper_plot(const std::vector<grains::Discharge>& all, const grains::Beverloo& law) {
  Plot plot{"grains.svg",
            "Discharge through a round hole",
            "opening, diameters",
            "(mass per second)^0.4",
            {{"measured", {}}, {"law of Beverloo", {}}},
            true};
  for (const grains::Discharge& d : all) {
    const double unit =
        d.bulk_density * std::sqrt(grains::kGravity) * std::pow(grains::kDiameter, 2.5);
    plot.series[0].points.emplace_back(d.opening, std::pow(d.rate, 0.4));
    plot.series[1].points.emplace_back(d.opening,
                                       std::pow(law.c * unit, 0.4) * (d.opening - law.k));
  }
  return plot;
}

Table repose_table(const std::vector<grains::Repose>& all) {
  Table table;
  table.title = "angle of repose";
  table.head = {"friction", "rolling friction", "bond", "degrees", "rms speed, d/s"};
  for (const grains::Repose& r : all)
    table.rows.push_back({r.friction, r.rolling_friction, r.bond, r.angle, r.speed});
  return table;
}

Table chute_table(const std::vector<grains::Chute>& all) {
  Table table;
  table.title = "chute";
  table.head = {"degrees", "speed", "growth",   "inertial number",
                "tangent", "mu(I)", "exponent", "solid fraction"};
  for (const grains::Chute& c : all) {
    const double tangent = std::tan(c.slope * kPi / 180.0);
    if (c.inertial_number > 0.0)
      table.rows.push_back({c.slope, c.speed, c.growth, c.inertial_number, tangent,
                            mu_of(c.inertial_number), c.exponent, c.solid_fraction});
    else
      table.rows.push_back({c.slope, c.speed, std::string("-"), std::string("-"), tangent,
                            std::string("-"), std::string("-"), std::string("-")});
  }
  return table;
}

Table compression_table(const grains::Compression& c) {
  Table table;
  table.title = "compression";
  table.head = {"friction",      "solid fraction",    "coordination",
                "peak, degrees", "critical, degrees", "pressure off"};
  table.rows.push_back(
      {c.friction, c.solid_fraction, c.coordination, c.peak, c.critical, c.pressure_off});
  return table;
}

}  // namespace

Report run_grains(const Settings& settings) {
  const grains::Sample sample{settings.pairs, settings.seed, 1};
  std::vector<grains::Discharge> discharges(std::size(kOpenings));
  std::vector<grains::Repose> slopes(std::size(kSurfaces));
  std::vector<grains::Chute> chutes(std::size(kSlopes));
  grains::Compression compression;
  std::vector<std::function<void()>> tests;
  tests.reserve(chutes.size() + discharges.size() + slopes.size() + 1);
  // The longest first.
  for (std::size_t i = 0; i < chutes.size(); ++i)
    tests.emplace_back([&, i] { chutes[i] = grains::chute(kSlopes[i], sample); });
  for (std::size_t i = 0; i < discharges.size(); ++i)
    tests.emplace_back([&, i] { discharges[i] = grains::discharge(kOpenings[i], sample); });
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    tests.emplace_back([&, i] {
      slopes[i] = grains::repose(kFriction, kSurfaces[i].rolling, kSurfaces[i].bond, sample);
    });
  }
  tests.emplace_back([&] { compression = grains::compress(kFriction, kStrainRate, sample); });
  parallel_for(
      tests.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) tests[i]();
      },
      settings.threads);
  settings.progress(settings.pairs, settings.pairs);

  const grains::Beverloo law = grains::fit_beverloo(discharges);
  GrainFigures figures{law.c,
                       law.k,
                       law.scatter,
                       slopes[0].angle,
                       slopes[1].angle,
                       slopes[2].angle,
                       chutes[0].speed,
                       0.0,
                       0.0,
                       0.0,
                       compression.peak,
                       compression.critical};
  for (std::size_t i = 1; i < chutes.size(); ++i) {
    const grains::Chute& c = chutes[i];
    const double tangent = std::tan(c.slope * kPi / 180.0);
    figures.off_mu = std::max(figures.off_mu, std::fabs(tangent - mu_of(c.inertial_number)));
    figures.growth = std::max(figures.growth, std::fabs(c.growth));
  }
  figures.off_exponent = std::fabs(chutes.back().exponent - 1.5);
  Report report;
  report.name = "grains";
  report.title = "Grains in bulk";
  report.text =
      fmt::format(kText, grains::kDiameter, kFriction, settings.pairs, settings.seed, kStrainRate);
  report.tables = {hopper_table(discharges, law), law_table(law), repose_table(slopes),
                   chute_table(chutes), compression_table(compression)};
  report.plots = {hopper_plot(discharges, law)};
  report.bars = bars_of(figures);
  return report;
}

}  // namespace tactus::detail::lab
