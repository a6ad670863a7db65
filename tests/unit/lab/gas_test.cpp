#include <gtest/gtest.h>

#include <string>

#include "lab/experiment.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail::lab {
namespace {

// All but the cost, which is the machine's.
TEST(GasExperiment, SpeedsAreThoseOfMaxwellAndBoltzmann) {
  TACTUS_LONG_TEST();
  Settings settings;
  settings.pairs = static_cast<std::uint64_t>(test::effort(4000));
  const Report report = run_gas(settings);
  ASSERT_EQ(report.bars.size(), 13u);
  for (const Bar& bar : report.bars) {
    if (bar.name.find("microseconds") != std::string::npos) continue;
    EXPECT_TRUE(bar.ok()) << bar.name << " " << bar.value;
  }
  EXPECT_NE(find_experiment("gas"), nullptr);
}

}  // namespace
}  // namespace tactus::detail::lab
