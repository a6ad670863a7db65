#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/dynamics/world.hpp"

namespace tactus::io {

/// What happened in one simulated second (or the rest of one at the end of a run). Counts and
/// energy are those of its last step.
struct SummaryRow {
  double time = 0.0;
  double span = 0.0;  ///< simulated time that the row covers
  double bodies = 0.0, pairs = 0.0, contacts = 0.0;
  double deepest_penetration = 0.0;           ///< largest of all steps, length
  double deepest_relative_penetration = 0.0;  ///< the same over body size
  double mean_penetration = 0.0;  ///< mean over touching pairs of depth over body size, last step
  double energy = 0.0;            ///< of motion and of gravity
  double rms_speed = 0.0;         ///< over moving bodies and steps, in body sizes per time
  double milliseconds = 0.0;      ///< wall-clock mean per step
};

template <class Archive>
void transfer(Archive& archive, SummaryRow& row) {
  for (double SummaryRow::* value :
       {&SummaryRow::time, &SummaryRow::span, &SummaryRow::bodies, &SummaryRow::pairs,
        &SummaryRow::contacts, &SummaryRow::deepest_penetration,
        &SummaryRow::deepest_relative_penetration, &SummaryRow::mean_penetration,
        &SummaryRow::energy, &SummaryRow::rms_speed, &SummaryRow::milliseconds}) {
    archive(row.*value);
  }
}

/// The fields of a row by name, for tables and files.
struct SummaryColumn {
  std::string_view name;   ///< of the CSV and JSON column
  std::string_view title;  ///< for people
  double SummaryRow::* value;
};
std::span<const SummaryColumn> summary_columns();

/// Gathers steps into rows. Plain data, part of a saved run.
class RunSummary {
 public:
  /// A row ends after every `steps_per_row` steps.
  explicit RunSummary(std::uint64_t steps_per_row = 60) : steps_per_row_(steps_per_row) {}

  /// Takes in a step; true when it ended a row.
  bool add(const StepStatistics& step);
  /// Ends the current row early, if it holds a step.
  void flush();

  std::span<const SummaryRow> rows() const { return rows_; }

  /// Lists the fields for an archive (archive.hpp).
  template <class Archive>
  void transfer(Archive& archive) {
    archive(steps_per_row_);
    archive(steps_);
    archive(current_);
    archive(rows_);
  }

  /// All rows with the column names, ready to be a file.
  std::string to_csv() const;

 private:
  std::uint64_t steps_per_row_;
  std::uint64_t steps_ = 0;  ///< in the current row
  SummaryRow current_;       ///< sums so far
  std::vector<SummaryRow> rows_;
};

}  // namespace tactus::io
