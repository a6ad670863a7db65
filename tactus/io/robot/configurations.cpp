#include "tactus/io/robot/configurations.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// Fields between commas, or between blanks where a line has no comma.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  const bool commas = line.find(',') != line.npos;
  const std::string_view ends = commas ? "," : " \t";
  while (true) {
    const std::size_t end = line.find_first_of(ends);
    const std::string_view field = trimmed(line.substr(0, end));
    if (commas || !field.empty()) fields.push_back(field);
    if (end == line.npos) return fields;
    line.remove_prefix(end + 1);
  }
}

class TableReader {
 public:
  TableReader(const Robot& robot, std::string name)
      : robot_(robot),
        name_(std::move(name)),
        base_(robot.zero_configuration()),
        time_(robot.find_coordinate("time")) {}

  void take(std::string_view line) {
    ++line_;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    const std::vector<std::string_view> fields = fields_of(line);
    if (columns_.empty() && take_head(fields)) return;
    take_row(fields);
  }

  ConfigurationTable finish() {
    if (table_.rows.empty()) throw FileError(name_ + ": holds no configuration");
    return std::move(table_);
  }

 private:
  static constexpr std::int64_t kTime = -1;

  [[noreturn]] void fail(const std::string& reason) const {
    throw FileError(name_ + ":" + std::to_string(line_) + ": " + reason);
  }

  /// The meaning of the columns; false where the line is a row already.
  bool take_head(const std::vector<std::string_view>& fields) {
    const bool words = std::any_of(fields.begin(), fields.end(),
                                   [](std::string_view f) { return !number_in(f).has_value(); });
    if (!words) {
      const std::size_t n = base_.size() - (time_ ? 1 : 0);
      if (fields.size() != n && fields.size() != n + 1)
        fail(std::to_string(fields.size()) + " columns: the robot has " + std::to_string(n) +
             " coordinates, and a column of times may stand in front");
      if (fields.size() == n + 1) columns_.push_back(kTime);
      for (std::size_t i = 0; i < base_.size(); ++i)
        if (i != time_) columns_.push_back(static_cast<std::int64_t>(i));
    }
    for (const std::string_view field : fields) {
      if (!words) break;
      std::int64_t column = kTime;
      if (field != "time" && field != "t") {
        const auto found = robot_.find_coordinate(field);
        if (!found) fail("the robot has no coordinate " + quoted_word(field));
        column = *found;
      }
      if (std::find(columns_.begin(), columns_.end(), column) != columns_.end())
        fail("the column " + quoted_word(field) + " is given twice");
      columns_.push_back(column);
    }
    table_.timed = columns_.front() == kTime ||
                   std::find(columns_.begin(), columns_.end(), kTime) != columns_.end();
    return words;
  }

  void take_row(const std::vector<std::string_view>& fields) {
    if (fields.size() != columns_.size())
      fail(std::to_string(fields.size()) + " values in " + std::to_string(columns_.size()) +
           " columns");
    double time = static_cast<double>(table_.rows.size());
    std::vector<double> row = base_;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto value = number_in(fields[i]);
      if (!value || !std::isfinite(*value)) fail(quoted_word(fields[i]) + " is no finite number");
      (columns_[i] == kTime ? time : row[static_cast<std::size_t>(columns_[i])]) = *value;
    }
    if (!table_.times.empty() && !(time > table_.times.back()))
      fail("the time " + std::to_string(time) + " is not after that of the row before");
    if (time_) row[*time_] = time;
    table_.times.push_back(time);
    table_.rows.push_back(std::move(row));
    table_.lines.push_back(line_);
  }

  const Robot& robot_;
  std::string name_;
  std::vector<double> base_;
  std::optional<std::uint32_t> time_;  ///< the coordinate that is the time itself
  std::vector<std::int64_t> columns_;
  std::size_t line_ = 0;
  ConfigurationTable table_;
};

}  // namespace

ConfigurationTable parse_configurations(std::string_view text, const std::string& name,
                                        const Robot& robot) {
  TableReader reader(robot, name);
  text = without_byte_order_mark(text);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

ConfigurationTable read_configurations(const std::filesystem::path& file, const Robot& robot) {
  return parse_configurations(file_content(file), file.string(), robot);
}

}  // namespace tactus::io
