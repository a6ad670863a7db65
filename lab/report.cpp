#include "lab/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tactus/io/format/machine.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::detail::lab {
namespace {

using nlohmann::json;

std::string text_of(const Cell& cell) {
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  const double value = std::get<double>(cell);
  if (std::isnan(value)) return "-";
  const bool whole = value == std::floor(value) && std::fabs(value) < 1e9;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

// A number that is none becomes null.
json json_of(const Cell& cell) {
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  const double value = std::get<double>(cell);
  return std::isfinite(value) ? json(value) : json(nullptr);
}

void append_table(std::string& text, const Table& table) {
  std::vector<std::size_t> width;
  width.reserve(table.head.size());
  for (const std::string& name : table.head) width.push_back(name.size());
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      width[i] = std::max(width[i], text_of(row[i]).size());
  }
  // Names to the left, figures to the right.
  const auto append = [&](const std::string& cell, std::size_t i) {
    text +=
        i == 0 ? fmt::format("{:<{}}", cell, width[i]) : fmt::format("  {:>{}}", cell, width[i]);
  };
  if (!table.title.empty()) text += table.title + "\n";
  for (std::size_t i = 0; i < table.head.size(); ++i) append(table.head[i], i);
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) append(text_of(row[i]), i);
    text += "\n";
  }
}

std::string verdict_of(const Bar& bar) {
  return fmt::format("{}: {:.3g}, bound {:.3g}: {}", bar.name, bar.value, bar.bound,
                     bar.ok() ? "pass" : "FAIL");
}

}  // namespace

void rank(std::vector<Incident>& incidents) {
  std::stable_sort(incidents.begin(), incidents.end(),
                   [](const Incident& x, const Incident& y) { return x.relevance > y.relevance; });
}

bool Report::ok() const {
  return std::all_of(bars.begin(), bars.end(), [](const Bar& bar) { return bar.ok(); });
}

std::string to_text(const Report& report) {
  std::string text;
  for (const Table& table : report.tables) {
    append_table(text, table);
    text += "\n";
  }
  for (const Bar& bar : report.bars) text += verdict_of(bar) + "\n";
  return text + fmt::format("verdict: {}\n", report.ok() ? "pass" : "FAIL");
}

json to_json(const Report& report) {
  json tables = json::array();
  for (const Table& table : report.tables) {
    json rows = json::array();
    for (const auto& row : table.rows) {
      json cells = json::array();
      for (const Cell& cell : row) cells.push_back(json_of(cell));
      rows.push_back(std::move(cells));
    }
    tables.push_back({{"title", table.title}, {"head", table.head}, {"rows", std::move(rows)}});
  }
  json bars = json::array();
  for (const Bar& bar : report.bars) {
    bars.push_back({{"name", bar.name},
                    {"value", json_of(bar.value)},
                    {"bound", bar.bound},
                    {"ok", bar.ok()}});
  }
  return {{"name", report.name},
          {"tables", std::move(tables)},
          {"bars", std::move(bars)},
          {"incidents", report.incidents.size()},
          {"ok", report.ok()}};
}

std::string to_page(const Report& report, const std::string& command) {
  std::string plots;
  for (const Plot& plot : report.plots) plots += fmt::format("![{}]({})\n", plot.title, plot.file);
  if (!plots.empty()) plots += "\n";
  return fmt::format("# {}\n\nWritten by `{}`\non {}, {}.\n\n{}\n\n{}```\n{}```\n", report.title,
                     command, io::today(), io::machine_name(), report.text, plots, to_text(report));
}

std::string to_lines(const std::vector<Incident>& incidents) {
  std::string text;
  for (const Incident& incident : incidents) {
    auto line = nlohmann::ordered_json::parse(incident.line);
    line["note"] = incident.reason;
    text += io::json_dump(line) + "\n";
  }
  return text;
}

}  // namespace tactus::detail::lab
