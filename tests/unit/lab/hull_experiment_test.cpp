// The experiment on convex hulls on few points, with the library and with hulls that are wrong.
#include <gtest/gtest.h>

#include "lab/experiment.hpp"

namespace tactus::detail::lab {
namespace {

Report run_with(AskHull ask) {
  Settings settings;
  settings.pairs = 2000;
  if (ask) settings.ask_hull = std::move(ask);
  return run_hull(settings);
}

TEST(LabHull, Passes) {
  const Report report = run_with(nullptr);
  EXPECT_TRUE(report.ok()) << to_text(report);
  ASSERT_EQ(report.tables.size(), 3u);
  EXPECT_EQ(report.tables[0].rows.size(), 7u);
}

TEST(LabHull, SeesPointsOutside) {
  const Report report = run_with([](std::span<const Vec3> points, const HullOptions& options) {
    return convex_hull(points.first(points.size() / 2), options);
  });
  EXPECT_FALSE(report.bars.at(0).ok());
  EXPECT_FALSE(report.bars.at(1).ok());
}

TEST(LabHull, SeesOtherBits) {
  const Report report = run_with([](std::span<const Vec3> points, const HullOptions& options) {
    ConvexHull hull = convex_hull(points, options);
    if (options.method == HullMethod::horizon) hull.faces.back().offset *= 1.0 + 1e-15;
    return hull;
  });
  EXPECT_TRUE(report.bars.at(0).ok());
  EXPECT_FALSE(report.bars.at(2).ok());
}

}  // namespace
}  // namespace tactus::detail::lab
