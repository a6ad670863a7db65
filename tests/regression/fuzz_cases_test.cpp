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

/// Calls f(query, line) for the lines of a file of `data`; how many there are.
template <class F>
int for_each_query(const char* name, F&& f) {
  std::ifstream file(std::string(TACTUS_SOURCE_DIR "/tests/regression/data/") + name);
  std::string line;
  int cases = 0;
  while (std::getline(file, line)) {
    if (line.rfind("//", 0) == 0) continue;
    const auto query = query_of(line);
    EXPECT_TRUE(query) << line;
    if (query) f(*query, line);
    ++cases;
  }
  return cases;
}

TEST(FuzzCases, EveryClaimHolds) {
  const int cases =
      for_each_query("fuzz_cases.jsonl", [](const io::Query& q, const std::string& line) {
        const Examination found = examine(q);
        EXPECT_EQ(found.failure, "") << found.detail << '\n' << line;
      });
  EXPECT_GT(cases, 0);
}

TEST(FuzzCases, ContactsLieOnTheSurfaces) {
  const int cases =
      for_each_query("contact_cases.jsonl", [](const io::Query& q, const std::string& line) {
        std::array<Manifold, 16> out;
        const ContactsResult result = contacts(q.a, q.pose_a, q.b, q.pose_b, out, q.options);
        EXPECT_GT(result.manifolds, 0) << line;
        const std::span manifolds(out.data(), static_cast<std::size_t>(result.manifolds));
        const CheckReport report =
            check(q.a, q.pose_a, q.b, q.pose_b, result, manifolds, q.options.margin);
        EXPECT_EQ(report[Claim::contacts], Proof::proved) << report.failure << '\n' << line;
      });
  EXPECT_EQ(cases, 2);
}

}  // namespace
}  // namespace tactus::detail::fuzz
