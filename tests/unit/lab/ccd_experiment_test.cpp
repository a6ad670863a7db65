#include <gtest/gtest.h>

#include "lab/experiment.hpp"

namespace tactus::detail::lab {
namespace {

TEST(CcdExperiment, MissesNothingAndTellsWhatTheSourceMisses) {
  Settings settings;
  settings.pairs = 3000;
  settings.threads = 2;
  const Report report = run_ccd(settings);
  EXPECT_TRUE(report.ok()) << to_text(report);
  double missed_by_others = 0.0;
  for (const auto& row : report.tables[0].rows) {
    const std::string method = std::get<std::string>(row[0]);
    if (method != "conservative") missed_by_others += std::stod(std::get<std::string>(row[4]));
  }
  EXPECT_GT(missed_by_others, 100.0);
  settings.threads = 1;
  EXPECT_EQ(to_text(run_ccd(settings)), to_text(report));
}

}  // namespace
}  // namespace tactus::detail::lab
