#include "lab/verdicts.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

// Every verdict passes on figures that are right and fails on each figure that is not, by the bar
// that names it.
namespace tactus::detail::lab {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool all_pass(const std::vector<Bar>& bars) {
  for (const Bar& bar : bars) {
    if (!bar.ok()) return false;
  }
  return !bars.empty();
}

/// The names of the bars that fail, one after the other.
std::string failures(const std::vector<Bar>& bars) {
  std::string names;
  for (const Bar& bar : bars) {
    if (!bar.ok()) names += bar.name + "; ";
  }
  return names;
}

template <class Figures>
struct Falsified {
  std::function<void(Figures&)> change;
  std::string seen_by;  ///< part of the name of the bar that must fail, and no other
};

template <class Figures>
void check_verdict(const Figures& right, const std::vector<Falsified<Figures>>& lies) {
  EXPECT_TRUE(all_pass(bars_of(right))) << failures(bars_of(right));
  std::size_t bars = bars_of(right).size();
  EXPECT_GE(lies.size(), bars) << "a bar without a figure that makes it fail";
  for (const Falsified<Figures>& lie : lies) {
    Figures wrong = right;
    lie.change(wrong);
    std::size_t failed = 0;
    for (const Bar& bar : bars_of(wrong)) {
      if (bar.ok()) continue;
      ++failed;
      EXPECT_NE(bar.name.find(lie.seen_by), std::string::npos) << bar.name << ", " << lie.seen_by;
    }
    EXPECT_EQ(failed, 1u) << lie.seen_by;
  }
}

TEST(Verdicts, Planar) {
  using F = PlanarFigures;
  check_verdict<F>({0.0, 0.0, 0.002, 0.0},
                   {{[](F& f) { f.verdicts_refuted = 1.0; }, "verdicts refuted"},
                    {[](F& f) { f.touches_refuted = 1.0; }, "touches not proved"},
                    {[](F& f) { f.unproved_share = 0.02; }, "too near"},
                    {[](F& f) { f.other_places = 1.0; }, "source's rule"}});
}

TEST(Verdicts, Gas) {
  using F = GasFigures;
  check_verdict<F>({"in steps: ", {0.5, 0.5, 1.0, 1.0}, 1e-13, 1e-12},
                   {{[](F& f) { f.drift = 1e-11; }, "drift"},
                    {[](F& f) { f.off.mean = 4.5; }, "mean"},
                    {[](F& f) { f.off.median = 4.5; }, "median"},
                    {[](F& f) { f.off.skewness = kNan; }, "skewness"}});
  EXPECT_TRUE(bar_of_gas_speed(4.6).ok());
  EXPECT_FALSE(bar_of_gas_speed(10.5).ok());
}

TEST(Verdicts, Grains) {
  using F = GrainFigures;
  check_verdict<F>(
      {}, {{[](F& f) { f.beverloo_c = 0.45; }, "C of Beverloo"},
           {[](F& f) { f.beverloo_c = kNan; }, "C of Beverloo"},
           {[](F& f) { f.beverloo_k = 2.5; }, "k of Beverloo"},
           {[](F& f) { f.beverloo_scatter = 0.1; }, "rates off"},
           {[](F& f) { f.repose = f.repose_rolling = f.repose_sticky = 31.0; }, "degrees from 25"},
           {[](F& f) { f.repose_rolling = 24.0; }, "rolling friction"},
           {[](F& f) { f.repose_sticky = 24.0; }, "adhesion"},
           {[](F& f) { f.stopped = 0.1; }, "speed at 18"},
           {[](F& f) { f.off_mu = 0.1; }, "mu(I)"},
           {[](F& f) { f.off_exponent = 0.5; }, "exponent"},
           {[](F& f) { f.growth = 0.5; }, "growth"},
           {[](F& f) { f.critical = 16.0; }, "critical angle from"},
           {[](F& f) { f.peak = 20.0; }, "peak not above"}});
}

TEST(Verdicts, Piles) {
  using F = PileFigures;
  const F cubes{"cubes", true, 0.005, 49.0, 50.0, 2e-5, 0.0, 1e-15, {46.5, 52.5}};
  check_verdict<F>(cubes, {{[](F& f) { f.fastest = 0.2; }, "rms"},
                           {[](F& f) { f.deepest = 2.9e-3; }, "penetration"},
                           {[](F& f) { f.most = 54.4; }, "outside"},
                           {[](F& f) { f.least = 40.0; }, "outside"},
                           {[](F& f) { f.disagree = 1.0; }, "disagree"},
                           {[](F& f) { f.difference = 1e-9; }, "difference"}});
  F few = cubes;
  few.few = true;
  few.deepest = 1.9e-4;
  EXPECT_TRUE(all_pass(bars_of(few)));
  few.deepest = 2.1e-4;
  EXPECT_FALSE(all_pass(bars_of(few)));
  // Without patches a pile need not come to rest, but the detectors must agree on it.
  F one = cubes;
  one.patches = false;
  one.fastest = 0.2;
  EXPECT_TRUE(all_pass(bars_of(one)));
  one.disagree = 3.0;
  EXPECT_FALSE(all_pass(bars_of(one)));
  EXPECT_TRUE(bar_of_detectors("cubes", 49.0, 50.0, 1.0).ok());
  EXPECT_FALSE(bar_of_detectors("cubes", 54.0, 50.0, 1.0).ok());
  EXPECT_TRUE(bar_of_detectors("cubes", 53.0, 50.0, 2.0).ok());
  EXPECT_TRUE(bar_of_one_point(54.4, 49.6).ok());
  EXPECT_FALSE(bar_of_one_point(49.9, 49.6).ok());
}

TEST(Verdicts, SpeedsOfTable10) {
  const auto bars = [](const SpeedFigures& f) {
    const SpeedFigures right{"sphere-sphere", 0.0, 0.02, 0.2};
    return bars_of(std::vector<SpeedFigures>{right, f});
  };
  EXPECT_TRUE(all_pass(bars({"cube-cube", 0.0, 0.3, 0.4})));
  EXPECT_EQ(failures(bars({"cube-cube", 1.0, 0.3, 0.4})), "answers that disagree; ");
  for (const SpeedFigures& slow :
       {SpeedFigures{"", 0.0, 1.1, 0.4}, SpeedFigures{"", 0.0, 0.3, 1.1}})
    EXPECT_NE(failures(bars(slow)).find("slowest"), std::string::npos);
}

TEST(Verdicts, Boxes) {
  using F = BoxFigures;
  check_verdict<F>({2.3e-11, 9e-4, 0.0, 1.226, 1.251, 1.215, 0.4},
                   {{[](F& f) { f.exact = 2e-10; }, "up to 2,000"},
                    {[](F& f) { f.searched = kNan; }, "more corners"},
                    {[](F& f) { f.above_others = 1e-9; }, "another rung"},
                    {[](F& f) { f.points = 1.2; }, "points'"},
                    {[](F& f) { f.corners = 1.2; }, "corners'"},
                    {[](F& f) { f.seconds = 4.0; }, "seconds"}});
}

TEST(Verdicts, Stopping) {
  using F = StoppingFigures;
  F right;
  right.literal_aborts = 172.0;
  right.literal_missed = 240.0;
  right.source_aborts = 22958.0;
  right.source_missed = 6569.0;
  check_verdict<F>(right, {{[](F& f) { f.aborts = 1.0; }, "our aborts"},
                           {[](F& f) { f.missed = 1.0; }, "our missed"},
                           {[](F& f) { f.literal_aborts = 23000.0; }, "aborts of the literal"},
                           {[](F& f) { f.literal_missed = 7000.0; }, "collisions of the literal"},
                           {[](F& f) { f.largest_normal = 1e-5; }, "normals"},
                           {[](F& f) { f.slope = 0.9; }, "exponent"},
                           {[](F& f) { f.slope = kNan; }, "exponent"}});
}

TEST(Verdicts, Casts) {
  using F = CastFigures;
  check_verdict<F>({1.0, 0.0},
                   {{[](F& f) { f.ratio = 2.9; }, "1e-6"}, {[](F& f) { f.late = 1e-15; }, "late"}});
}

TEST(Verdicts, Tracing) {
  const auto bars = [](const TracedShape& shape) {
    return bars_of(std::vector<TracedShape>{{"ring", 0.02, 0.03, 0.0, 2.0}, shape});
  };
  EXPECT_TRUE(all_pass(bars({"gear", 0.02, 0.03, 0.0, 4.0})));
  EXPECT_EQ(failures(bars({"gear", 0.04, 0.03, 0.0, 4.0})), "gear, worst error in pixels; ");
  EXPECT_NE(failures(bars({"gear", 0.02, 0.03, 1.0, 4.0})).find("outlines"), std::string::npos);
  EXPECT_NE(failures(bars({"gear", 0.02, 0.03, 0.0, 40.0})).find("slowest"), std::string::npos);
}

TEST(Verdicts, Decomposition) {
  using F = DecompositionFigures;
  const std::vector<Falsified<F>> lies = {{[](F& f) { f.missed = 1.0; }, "stays above"},
                                          {[](F& f) { f.by_merge = 1.1; }, "by those of merge"},
                                          {[](F& f) { f.by_outside = 1.1; }, "voids"},
                                          {[](F& f) { f.by_cavity = 1.1; }, "cavity"},
                                          {[](F& f) { f.seconds = 100.0; }, "seconds"}};
  check_verdict<F>({0.0, 0.1, 0.2, 0.5, 16.0}, lies);
  // Bodies made for want of files are asked for no more parts than the other method needs.
  check_verdict<F>({0.0, 0.1, 0.2, 1.0, 16.0, false}, lies);
}

TEST(Verdicts, Lennerz) {
  using F = LennerzFigures;
  check_verdict<F>({0.0, 0.0, 5.0}, {{[](F& f) { f.disagree = 1.0; }, "disagree"},
                                     {[](F& f) { f.out_of_order = 1.0; }, "order"},
                                     {[](F& f) { f.nearest = 25.0; }, "triangle tests"}});
}

TEST(Verdicts, Knoblauch) {
  using F = KnoblauchFigures;
  F right;
  right.ratio_of_tests = 0.5;
  right.slower = 0.3;
  check_verdict<F>(right, {{[](F& f) { f.unseen = 1.0; }, "does not see"},
                           {[](F& f) { f.seen_late = 1.0; }, "very fast"},
                           {[](F& f) { f.passed = 1.0; }, "pass the membrane"},
                           {[](F& f) { f.crossings = 1.0; }, "edges"},
                           {[](F& f) { f.ratio_of_tests = 1.2; }, "tests alone"},
                           {[](F& f) { f.slower = 1.2; }, "time per step"}});
}

}  // namespace
}  // namespace tactus::detail::lab
