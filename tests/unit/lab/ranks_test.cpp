#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fuzz/campaign.hpp"
#include "lab/experiment.hpp"
#include "lab/pile.hpp"
#include "tactus/rigid/exchange/local_exchange.hpp"
#include "tests/support/effort.hpp"

// Experiments that ranks share, beside those of one program.
namespace tactus::detail::lab {
namespace {

Settings of(std::uint64_t pairs) {
  Settings settings;
  settings.pairs = pairs;
  settings.threads = 1;
  return settings;
}

/// A library whose iteration errs: there are incidents to be merged.
Settings with_errors(std::uint64_t pairs) {
  Settings settings = of(pairs);
  settings.ask = [](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                    const QueryOptions& options) {
    DistanceResult r = distance(a, pose_a, b, pose_b, options);
    if (options.method == Method::epa) r.distance *= 1.0 + 1e-6;
    return r;
  };
  return settings;
}

void expect_same(const Experiment& experiment, const Settings& settings, int ranks) {
  const Report alone = experiment.run(settings);
  ASSERT_FALSE(alone.incidents.empty());
  run_on_ranks(ranks, [&](Exchange& exchange) {
    Settings shared = settings;
    shared.ranks = &exchange;
    const Report report = experiment.run(shared);
    EXPECT_EQ(to_text(report), to_text(alone)) << "rank " << exchange.rank();
    EXPECT_EQ(to_lines(report.incidents), to_lines(alone.incidents));
  });
}

TEST(LabOnRanks, BruteForceIsThatOfOneProgram) {
  TACTUS_LONG_TEST();
  expect_same(*find_experiment("bruteforce"), with_errors(9000), 3);
  expect_same(*find_experiment("bruteforce-world"), with_errors(300), 4);
}

TEST(LabOnRanks, APileIsThatOfOneProgram) {
  TACTUS_LONG_TEST();
  const Pile alone = make_pile(of(12), 2, 1);
  run_on_ranks(3, [&](Exchange& exchange) {
    Settings shared = of(12);
    shared.ranks = &exchange;
    const Pile pile = make_pile(shared, 2, 1);
    EXPECT_EQ(pile.state_hash, alone.state_hash);
    EXPECT_EQ(pile.seconds, alone.seconds);
    EXPECT_EQ(pile.rms_speed, alone.rms_speed);
    EXPECT_EQ(pile.contact_pairs, alone.contact_pairs);
    EXPECT_EQ(pile.depths[0], alone.depths[0]);
    EXPECT_EQ(pile.differences, alone.differences);
  });
  EXPECT_GT(alone.contact_pairs, 5u);
}

/// The tables of speeds and hashes: the rest tells of times.
std::string states_of(const Report& report) {
  Report states;
  states.tables.assign(report.tables.begin(), report.tables.begin() + 4);
  return to_text(states);
}

TEST(LabOnRanks, AGasIsThatOfOneProgram) {
  TACTUS_LONG_TEST();
  const Experiment& gas = *find_experiment("gas");
  const Report alone = gas.run(of(100));
  run_on_ranks(3, [&](Exchange& exchange) {
    Settings shared = of(100);
    shared.ranks = &exchange;
    EXPECT_EQ(states_of(gas.run(shared)), states_of(alone));
  });
}

TEST(LabOnRanks, FuzzCampaignsAreThoseOfOneProgram) {
  TACTUS_LONG_TEST();
  fuzz::Campaign alone({7, 0, {}});
  alone.advance(600, 1);
  run_on_ranks(3, [&](Exchange& exchange) {
    fuzz::Campaign shared({7, 0, {}});
    // In other portions.
    shared.advance(250, 1, &exchange);
    shared.advance(350, 1, &exchange);
    EXPECT_EQ(fuzz::table_of(shared), fuzz::table_of(alone));
    EXPECT_EQ(shared.asked(), 600u);
  });
}

}  // namespace
}  // namespace tactus::detail::lab
