#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tactus::detail::lab {

/// Positive values over positive values, both on logarithmic axes.
struct Plot {
  struct Series {
    std::string name;
    std::vector<std::pair<double, double>> points;  ///< those that are not positive are left out
  };
  std::string file;  ///< name of the picture beside the page
  std::string title, x_name, y_name;
  std::vector<Series> series;
};

/// The plot as an SVG picture, with a line per power of ten. Nothing to draw gives empty axes.
std::string to_svg(const Plot& plot);

}  // namespace tactus::detail::lab
