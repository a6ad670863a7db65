#include "tests/oracle/campaign.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tactus/core.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/folder.hpp"

namespace tactus::detail::oracle {
namespace {

constexpr int kUsualQueries = 3000;
constexpr std::uint64_t kUsualSeed = 1;

std::uint64_t number_from_environment(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : fallback;
}

// Environment: TACTUS_ORACLE_QUERIES and TACTUS_ORACLE_SEED choose the queries; TACTUS_ORACLE_STATE
// names a file to save to and to go on from after an interruption, TACTUS_ORACLE_PAGE one that
// receives the result as a page; TACTUS_ORACLE_THREADS limits the threads.
TEST(Campaign, EveryAnswerHoldsAgainstTheReference) {
  const std::uint64_t count = number_from_environment(
      "TACTUS_ORACLE_QUERIES", static_cast<std::uint64_t>(test::effort(kUsualQueries)));
  const std::uint64_t seed = number_from_environment("TACTUS_ORACLE_SEED", kUsualSeed);
  CampaignSettings settings{seed, count, 0, {}};
  settings.threads = static_cast<int>(number_from_environment("TACTUS_ORACLE_THREADS", 0));
  if (const char* state = std::getenv("TACTUS_ORACLE_STATE")) settings.state = state;
  const CampaignResult result = run_campaign(settings);
  std::cout << result.table.to_text();
  for (const std::string& failure : result.failures) std::cout << failure << '\n';

  const io::Tally all = result.table.total();
  EXPECT_EQ(static_cast<std::uint64_t>(all.count), count);
  EXPECT_EQ(all.answered, all.count);
  EXPECT_EQ(all.not_finite, 0);
  EXPECT_EQ(all.bracket_violations, 0);
  EXPECT_EQ(all.wrong_signs, 0);
  EXPECT_EQ(all.unproved, 0);

  if (const char* page = std::getenv("TACTUS_ORACLE_PAGE")) {
    std::ofstream file(page);
    file << campaign_page(result, seed);
    EXPECT_TRUE(file.good()) << page;
  }
}

TEST(Campaign, GoesOnWhereItStopped) {
  const test::TemporaryFolder folder;
  const std::filesystem::path state = folder / "state.json";
  const CampaignResult whole = run_campaign({3, 150, 1, {}});
  run_campaign({3, 50, 1, state});
  const CampaignResult continued = run_campaign({3, 150, 2, state});
  EXPECT_EQ(continued.asked, 150U);
  EXPECT_EQ(continued.table.to_text(), whole.table.to_text());
  EXPECT_EQ(continued.iterations.counts(), whole.iterations.counts());
  EXPECT_EQ(continued.iterations.most_index(), whole.iterations.most_index());
  EXPECT_EQ(continued.failures, whole.failures);
  EXPECT_THROW(run_campaign({4, 150, 1, state}), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail::oracle
