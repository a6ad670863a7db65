#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tactus::detail::lab {

/// Curves or bars: positive values over positive values on logarithmic axes, or any values on axes
/// from zero on.
struct Plot {
  struct Series {
    std::string name;
    std::vector<std::pair<double, double>>
        points;  ///< logarithmic: those that are not positive are left out
  };
  std::string file;  ///< name of the picture beside the page
  std::string title, x_name, y_name;
  std::vector<Series> series;
  bool linear = false;  ///< both axes from zero on, instead of logarithms
  /// Bars beside each other instead of a curve: series by series for each of these names, which
  /// stand for the x of 1, 2, ...; values on a logarithmic axis.
  std::vector<std::string> groups = {};
};

/// The plot as an SVG picture, with a line per power of ten or per round number. Nothing to draw
/// gives empty axes.
std::string to_svg(const Plot& plot);

}  // namespace tactus::detail::lab
