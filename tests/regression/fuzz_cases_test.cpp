#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <span>
#include <string>

#include "fuzz/claims.hpp"
#include "fuzz/query_text.hpp"
#include "tactus/check.hpp"

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

TEST(FuzzCases, ContactsLieOnTheSurfaces) {
  std::ifstream file(TACTUS_SOURCE_DIR "/tests/regression/data/contact_cases.jsonl");
  std::string line;
  int cases = 0;
  while (std::getline(file, line)) {
    if (line.rfind("//", 0) == 0) continue;
    const auto query = query_of(line);
    ASSERT_TRUE(query) << line;
    const io::Query& q = *query;
    std::array<Manifold, 16> out;
    const ContactsResult result = contacts(q.a, q.pose_a, q.b, q.pose_b, out, q.options);
    const std::span manifolds(out.data(), static_cast<std::size_t>(result.manifolds));
    const CheckReport report =
        check(q.a, q.pose_a, q.b, q.pose_b, result, manifolds, q.options.threshold);
    EXPECT_EQ(report[Claim::contacts], Proof::proved) << report.failure << '\n' << line;
    ++cases;
  }
  EXPECT_EQ(cases, 2);
}

}  // namespace
}  // namespace tactus::detail::fuzz
