#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tactus::app {

/// Arguments of `tactus contour`.
struct ContourCommand {
  std::string file;  ///< PNG or JPEG
  std::string out;   ///< contour file or GeoJSON by the extension; none when empty
  std::string svg;   ///< picture of the contours; none when empty
  std::string channel = "auto";
  std::string saddle = "mean";
  std::string write = "regions";
  std::string y = "up";
  std::optional<double> threshold, error;
  std::optional<std::size_t> points;
  double despeckle = 2.0, scale = 1.0;
  bool pixels = false;  ///< outlines along the sides of the pixels
  bool invert = false;
  bool json = false;  ///< the figures as JSON
};

/// Traces the shapes of a picture, writes their contours and prints what was found. Returns the
/// exit code: 0; 2 when a file cannot be read or written or an option is wrong (named on standard
/// error).
int run_contour(const ContourCommand& command);

}  // namespace tactus::app
