#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "fuzz/claims.hpp"
#include "fuzz/query_text.hpp"

// Minimised findings of `tactus fuzz`, mended since: every claim holds for every line.
namespace tactus::detail::fuzz {
namespace {

TEST(FuzzCases, EveryClaimHolds) {
  std::ifstream file(TACTUS_SOURCE_DIR "/tests/regression/data/fuzz_cases.jsonl");
  std::string line;
  int cases = 0;
  while (std::getline(file, line)) {
    if (line.rfind("//", 0) == 0) continue;
    const auto query = query_of(line);
    ASSERT_TRUE(query) << line;
    const Examination found = examine(*query);
    EXPECT_EQ(found.failure, "") << found.detail << '\n' << line;
    ++cases;
  }
  EXPECT_GT(cases, 0);
}

}  // namespace
}  // namespace tactus::detail::fuzz
