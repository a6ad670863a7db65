#include "lab/plot.hpp"

#include <gtest/gtest.h>

namespace tactus::detail::lab {
namespace {

std::string points_of(const std::string& svg) {
  const std::size_t start = svg.find("points=\"") + 8;
  return svg.substr(start, svg.find('"', start) - start);
}

TEST(Plot, PowersOfTenLieEvenly) {
  Plot plot{"p.svg", "title", "x", "y", {{"one", {{1e-3, 1.0}, {1e-2, 10.0}, {1e-1, 100.0}}}}};
  const std::string svg = to_svg(plot);
  EXPECT_EQ(points_of(svg), "70.0,348.0 345.0,191.0 620.0,34.0 ");
  EXPECT_NE(svg.find(">title<"), std::string::npos);
}

TEST(Plot, ValuesWithoutLogarithmAreLeftOut) {
  Plot plot{"p.svg", "title", "x", "y", {{"one", {{1.0, 0.0}, {1.0, 1.0}, {10.0, 10.0}}}}};
  EXPECT_EQ(points_of(to_svg(plot)), "70.0,348.0 620.0,34.0 ");
  plot.series.clear();
  EXPECT_EQ(to_svg(plot).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace tactus::detail::lab
