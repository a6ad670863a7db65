#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fuzz/campaign.hpp"
#include "tactus/core.hpp"
#include "tactus/io/format/machine.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::detail::fuzz {
namespace {

using nlohmann::json;

ClassTally total_of(const Campaign& campaign) {
  ClassTally sum;
  for (const auto& [name, tally] : campaign.tallies()) sum += tally;
  return sum;
}

void append_row(std::string& text, const std::string& name, const ClassTally& t) {
  text += fmt::format("{:<14} {:>11}", name, t.count);
  for (const Status status : {Status::converged, Status::iteration_limit, Status::precision_limit,
                              Status::local_minimum, Status::unsupported}) {
    text += fmt::format(" {:>11}", t.status[static_cast<std::size_t>(status)]);
  }
  text += fmt::format(" {:>9} {:>8} {:>8} |", t.unanswered, t.unproved, t.failed);
  for (const std::uint64_t count : t.iterations.counts()) text += fmt::format(" {:>10}", count);
  text += fmt::format(" {:>5}\n", t.iterations.most());
}

std::string head() {
  std::string text =
      fmt::format("{:<14} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11} {:>9} {:>8} {:>8} |", "class",
                  "queries", "converged", "cap reached", "precision", "way out", "unsupported",
                  "unbounded", "unproved", "findings");
  for (int bin = 0; bin < IterationHistogram::kBins; ++bin) {
    text += fmt::format(" {:>10}", IterationHistogram::bin_name(bin));
  }
  return text + fmt::format(" {:>5}\n", "most");
}

}  // namespace

std::string table_of(const Campaign& campaign) {
  std::string text = head();
  for (const auto& [name, tally] : campaign.tallies()) append_row(text, name, tally);
  append_row(text, "all", total_of(campaign));
  return text;
}

json report_of(const Campaign& campaign) {
  json report = campaign.save();
  report["asked"] = campaign.asked();
  report["failed"] = campaign.failed();
  return report;
}

std::string lines_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    auto line = nlohmann::ordered_json::parse(finding.line);
    line["note"] = finding.failure + (finding.reproduces ? "" : " (not from this line)") + "; " +
                   finding.detail;
    text += io::json_dump(line) + '\n';
  }
  return text;
}

std::string page_of(const Campaign& campaign, const std::string& command) {
  std::string page = fmt::format(
      "# Degenerate queries\n\n"
      "Written by `{}`\non {}, {}.\n\n"
      "{} queries of named degenerate classes (`fuzz/generator.hpp`), seed {}, each asked forth "
      "and "
      "back, with and\nwithout a cache, as overlap, distance and contacts; every result judged by "
      "the checker and against the others\n(`fuzz/claims.hpp`): {} findings. {:.0f} queries per "
      "second, all of these questions and the checker included.\n[How to run "
      "it](../guide/fuzzing.md)."
      "\n\n"
      "`unbounded`: answered without a bracket, allowed where squares of lengths leave the range "
      "of "
      "numbers. `unproved`: true as far as is known, but not all of it is shown by the certificate "
      "(overlapping meshes, custom bodies, searches\nended by their cap). Right of the\nbar: "
      "queries by support evaluations of the first answer, and the "
      "most "
      "of any query.\n\n```\n{}```\n",
      command, io::today(), io::machine_name(), campaign.asked(), campaign.selection().seed,
      campaign.failed(), static_cast<double>(campaign.asked()) / campaign.seconds(),
      table_of(campaign));
  if (!campaign.findings().empty()) {
    page += "\nThe first findings of each kind, minimised:\n\n```\n" +
            lines_of(campaign.findings()) + "```\n";
  }
  return page;
}

}  // namespace tactus::detail::fuzz
