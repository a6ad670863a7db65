#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "lab/plot.hpp"

namespace tactus::detail::lab {

/// A word, or a number written with three digits (NaN: not measured).
using Cell = std::variant<std::string, double>;

struct Table {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<Cell>> rows;
};

/// A criterion of the verdict: the value must not exceed the bound.
struct Bar {
  std::string name;
  double value = 0.0, bound = 0.0;
  bool ok() const { return value <= bound; }
};

/// A pair of bodies worth looking at, as a line for `tactus query`.
struct Incident {
  double relevance = 0.0;  ///< the larger, the earlier in the list
  std::string reason, line;
};

/// Most relevant first; equals keep their order.
void rank(std::vector<Incident>& incidents);

/// Results of an experiment.
struct Report {
  std::string name, title;
  std::string text;  ///< what was measured and how, as Markdown
  std::vector<Table> tables;
  std::vector<Plot> plots;
  std::vector<Bar> bars;
  std::vector<Incident> incidents;

  bool ok() const;
};

/// Tables and verdict as fixed-width text.
std::string to_text(const Report& report);
nlohmann::json to_json(const Report& report);
/// The page of documentation, with date, machine and the command that writes it; its plots are
/// expected beside it.
std::string to_page(const Report& report, const std::string& command);
/// One line per incident, most relevant first.
std::string to_lines(const std::vector<Incident>& incidents);

}  // namespace tactus::detail::lab
