#include "fuzz/lies.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fuzz/lie_campaign.hpp"
#include "tactus/core.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail::fuzz {
namespace {

nlohmann::json without_time(const LieCampaign& campaign) {
  nlohmann::json state = campaign.save();
  state.erase("seconds");
  return state;
}

// Some 20,000 lies; `tactus fuzz --lies` tells millions.
TEST(Lies, NoneIsProvedAndNoTrueAnswerIsRefuted) {
  LieCampaign campaign(5);
  campaign.advance(static_cast<std::uint64_t>(test::effort(2000)), 0);
  EXPECT_GT(campaign.told(), static_cast<std::uint64_t>(test::effort(15000)));
  EXPECT_EQ(campaign.proved(), 0u);
  EXPECT_EQ(campaign.refuted(), 0u);
  for (const std::string& finding : campaign.findings()) ADD_FAILURE() << finding;
}

TEST(Lies, ConvexBodiesHaveNoUnprovedDistance) {
  LieCampaign campaign(6);
  campaign.advance(static_cast<std::uint64_t>(test::effort(1000)), 0);
  const TrialTally& tally = campaign.tallies().at("distance convex");
  EXPECT_GT(tally.answers, 0u);
  for (const Claim claim :
       {Claim::lower, Claim::upper, Claim::normal, Claim::points, Claim::relation})
    EXPECT_EQ(tally.unproved[static_cast<int>(claim)], 0u) << to_string(claim);
}

TEST(Lies, EveryKindIsTold) {
  LieCampaign campaign(7);
  campaign.advance(1000, 0);
  std::map<std::string, std::uint64_t> told;
  for (const auto& [group, tally] : campaign.tallies()) {
    for (const auto& [what, lies] : tally.lies) told[what] += lies.told;
  }
  for (const char* what :
       {"lower", "upper", "value", "length of the normal", "direction of the normal", "part",
        "triangle", "point", "verdict", "late", "early", "hit", "no hit", "point of a hit",
        "depth of a contact", "length of a contact's normal", "point of a contact"})
    EXPECT_GT(told[what], 0u) << what;
}

TEST(Lies, AnyNumberOfThreadsAndAnInterruptionTellTheSame) {
  LieCampaign one(3), two(3), resumed(3);
  one.advance(60, 1);
  two.advance(60, 2);
  EXPECT_EQ(without_time(one), without_time(two));
  LieCampaign first(3);
  first.advance(25, 1);
  resumed.restore(first.save());
  resumed.advance(35, 1);
  EXPECT_EQ(without_time(one), without_time(resumed));
  EXPECT_THROW(LieCampaign(4).restore(first.save()), InvalidInput);
  EXPECT_THROW(LieCampaign(3).restore(nlohmann::json::object()), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail::fuzz
