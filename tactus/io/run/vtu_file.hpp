#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tactus/math.hpp"

namespace tactus::io {

/// Points with values, for VTK's XML format of unstructured grids (.vtu).
struct VtuPoints {
  struct Values {
    std::string name;
    int components;            ///< per point
    std::vector<double> data;  ///< point by point
  };
  std::vector<Vec3> places;
  std::vector<Values> values;
};

/// Writes them (atomically) as vertices, doubles as they are (`appended`, `raw`). Throws FileError.
void write_vtu(const VtuPoints& points, const std::filesystem::path& file);

}  // namespace tactus::io
