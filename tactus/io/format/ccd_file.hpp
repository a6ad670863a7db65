#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/math.hpp"

namespace tactus::io {

/// A query of the public benchmark of continuous collision detection: eight points and the truth.
/// Vertex and face: v, f0, f1, f2 at t = 0, then at t = 1; edges: a0, a1, b0, b1 likewise.
struct CcdQuery {
  Vec3 point[8];
  bool hit = false;
};

/// Reads a file of such queries: eight lines for each, of seven whole numbers that are separated by
/// commas: numerator and denominator of x, y and z, then the truth, 0 or 1. Throws FileError naming
/// file and line: it cannot be opened, a line is not of this form, a denominator is zero, a
/// coordinate is no double (nothing is rounded), the last query is not complete, the lines of one
/// query disagree about the truth. Cost: linear.
std::vector<CcdQuery> read_ccd_queries(const std::filesystem::path& file);
/// As `read_ccd_queries`, from a file's content; `name` stands in messages.
std::vector<CcdQuery> parse_ccd_queries(std::string_view content, const std::string& name);

}  // namespace tactus::io
