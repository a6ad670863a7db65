#include "tactus/io/format/ccd_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"

namespace tactus::io {
namespace {

constexpr int kPoints = 8;
constexpr std::size_t kColumns = 7;

/// Reads line by line and names the line in errors.
class Reader {
 public:
  Reader(std::istream& in, std::string name) : name_(std::move(name)), in_(in) {}

  std::vector<CcdQuery> all() {
    std::vector<CcdQuery> queries;
    std::string line;
    int point = 0;
    while (std::getline(in_, line)) {
      ++line_;
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      split(line);
      const bool hit = truth(column_[6]);
      if (point == 0) queries.emplace_back().hit = hit;
      CcdQuery& query = queries.back();
      if (hit != query.hit) fail("the lines of one query disagree about the truth");
      query.point[point] = {coordinate(0), coordinate(2), coordinate(4)};
      point = (point + 1) % kPoints;
    }
    if (in_.bad()) throw FileError(name_ + ": cannot be read");
    if (point != 0) fail(fmt::format("the last query has {} of {} points", point, kPoints));
    return queries;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw FileError(fmt::format("{}:{}: {}", name_, line_, reason));
  }

  void split(std::string_view line) {
    std::size_t count = 0, from = 0;
    for (bool more = true; more; ++count) {
      const std::size_t comma = line.find(',', from);
      more = comma != std::string_view::npos;
      std::string_view cell = line.substr(from, more ? comma - from : comma);
      from = comma + 1;
      const std::size_t first = cell.find_first_not_of(" \t\r");
      const std::size_t last = cell.find_last_not_of(" \t\r");
      cell = first == std::string_view::npos ? std::string_view{}
                                             : cell.substr(first, last - first + 1);
      if (count < kColumns) column_[count] = cell;
    }
    if (count != kColumns) fail(fmt::format("{} columns, not {}", count, kColumns));
  }

  bool truth(std::string_view cell) const {
    if (cell != "0" && cell != "1") fail(fmt::format("the truth is 0 or 1, not '{}'", cell));
    return cell == "1";
  }

  // A whole number, if it fits the 64 digits that a long double has.
  long double whole(std::string_view cell) const {
    const std::size_t sign = cell.starts_with('-') || cell.starts_with('+') ? 1 : 0;
    if (cell.size() == sign ||
        cell.find_first_not_of("0123456789", sign) != std::string_view::npos) {
      fail(fmt::format("'{}' is no whole number", cell));
    }
    const std::string text(cell.substr(sign));
    const long double value = std::strtold(text.c_str(), nullptr);
    const std::string back = std::isfinite(value) ? fmt::format("{:.0f}", value) : "";
    const std::size_t first = std::min(text.find_first_not_of('0'), text.size() - 1);
    if (back != text.substr(first)) fail(fmt::format("{} has too many digits", cell));
    return cell.front() == '-' ? -value : value;
  }

  double coordinate(std::size_t column) const {
    const long double above = whole(column_[column]), below = whole(column_[column + 1]);
    if (below == 0.0L) fail("a denominator is zero");
    const auto value = static_cast<double>(above / below);
    if (!std::isfinite(value) || std::fma(static_cast<long double>(value), below, -above) != 0.0L)
      fail(fmt::format("{}/{} is no double", column_[column], column_[column + 1]));
    return value;
  }

  std::string name_;
  std::istream& in_;
  std::array<std::string_view, kColumns> column_;
  std::size_t line_ = 0;
};

}  // namespace

std::vector<CcdQuery> read_ccd_queries(const std::filesystem::path& file) {
  std::ifstream in = open_to_read(file);
  return Reader(in, file.string()).all();
}

std::vector<CcdQuery> parse_ccd_queries(std::string_view content, const std::string& name) {
  std::istringstream in{std::string(content)};
  return Reader(in, name).all();
}

}  // namespace tactus::io
