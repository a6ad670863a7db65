#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tactus/io.hpp"

namespace tactus::io {

std::span<const SummaryColumn> summary_columns() {
  static constexpr std::array<SummaryColumn, 10> kColumns{{
      {"time", "time", &SummaryRow::time},
      {"bodies", "bodies", &SummaryRow::bodies},
      {"pairs", "pairs", &SummaryRow::pairs},
      {"contacts", "contacts", &SummaryRow::contacts},
      {"deepest_penetration", "deepest penetration", &SummaryRow::deepest_penetration},
      {"deepest_relative_penetration", "deepest / body size",
       &SummaryRow::deepest_relative_penetration},
      {"mean_penetration", "mean / body size", &SummaryRow::mean_penetration},
      {"energy", "energy", &SummaryRow::energy},
      {"rms_speed", "rms speed, sizes per second", &SummaryRow::rms_speed},
      {"milliseconds_per_step", "ms per step", &SummaryRow::milliseconds},
  }};
  return kColumns;
}

RunSummary::RunSummary(std::uint64_t steps_per_row) : steps_per_row_(steps_per_row) {
  if (steps_per_row == 0) throw InvalidInput("steps_per_row", "must be at least 1");
}

bool RunSummary::add(const StepStatistics& step) {
  ++steps_;
  SummaryRow& row = current_;
  row.span += step.time - row.time;
  row.time = step.time;
  row.bodies = step.bodies;
  row.pairs = step.candidate_pairs;
  row.contacts = step.contacts;
  row.deepest_penetration = std::max(row.deepest_penetration, step.deepest_penetration);
  row.deepest_relative_penetration =
      std::max(row.deepest_relative_penetration, step.deepest_relative_penetration);
  row.mean_penetration = step.mean_relative_penetration;
  row.energy = step.kinetic_energy + step.potential_energy;
  row.rms_speed += step.rms_relative_speed * step.rms_relative_speed;
  row.milliseconds += step.total_ms;
  if (step.step % steps_per_row_ != 0) return false;
  flush();
  return true;
}

void RunSummary::flush() {
  if (steps_ == 0) return;
  SummaryRow row = current_;
  row.rms_speed = std::sqrt(row.rms_speed / static_cast<double>(steps_));
  row.milliseconds /= static_cast<double>(steps_);
  rows_.push_back(row);
  steps_ = 0;
  current_ = SummaryRow{.time = row.time};
}

std::string RunSummary::to_csv() const {
  std::string text;
  for (const SummaryColumn& column : summary_columns()) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", column.name);
  }
  text += '\n';
  for (const SummaryRow& row : rows_) {
    for (const SummaryColumn& column : summary_columns()) {
      text += fmt::format("{}{}", column.value == &SummaryRow::time ? "" : ",", row.*column.value);
    }
    text += '\n';
  }
  return text;
}

}  // namespace tactus::io
