#include "tests/oracle/campaign.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/support/effort.hpp"

namespace tactus::oracle {
namespace {

constexpr int kUsualQueries = 3000;
constexpr std::uint64_t kUsualSeed = 1;

std::uint64_t number_from_environment(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : fallback;
}

// Environment: TACTUS_ORACLE_QUERIES and TACTUS_ORACLE_SEED choose the queries; TACTUS_ORACLE_PAGE
// names a file that receives the result as a page.
TEST(Campaign, EveryAnswerHoldsAgainstTheReference) {
  const std::uint64_t count = number_from_environment(
      "TACTUS_ORACLE_QUERIES", static_cast<std::uint64_t>(test::effort(kUsualQueries)));
  const std::uint64_t seed = number_from_environment("TACTUS_ORACLE_SEED", kUsualSeed);
  const CampaignResult result = run_campaign(seed, count);
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
    file << campaign_page(result, seed, count);
    EXPECT_TRUE(file.good()) << page;
  }
}

}  // namespace
}  // namespace tactus::oracle
