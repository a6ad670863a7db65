#include "apps/laboratory/fuzz_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

#include "apps/laboratory/campaign_folder.hpp"
#include "apps/tactus/interrupt.hpp"
#include "apps/tactus/on_ranks.hpp"
#include "apps/tactus/output.hpp"
#include "apps/tactus/program.hpp"
#include "apps/tactus/progress.hpp"
#include "fuzz/campaign.hpp"
#include "fuzz/claims.hpp"
#include "fuzz/lie_campaign.hpp"
#include "fuzz/query_text.hpp"
#include "tactus/core.hpp"
#include "tactus/distributed/ranks_access.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/line_file.hpp"

namespace tactus::app {
namespace {

using detail::fuzz::Campaign;

// Queries between two looks at the clock and at interrupts: below a second.
constexpr std::uint64_t kBatch = 1024;
// Queries about which lies are told between two looks.
constexpr std::uint64_t kBatchOfLies = 128;

/// All ranks have the state that the first one reads.
nlohmann::json state_of(const CampaignFolder& folder, detail::Exchange* exchange) {
  if (exchange == nullptr) return folder.state();
  const std::string mine = exchange->rank() == 0 ? io::json_dump(folder.state(), -1) : "";
  return io::parse_json(exchange->gather(mine)[0]);
}

template <class AnyCampaign>
void resume(AnyCampaign& campaign, const CampaignFolder& folder,
            detail::Exchange* exchange = nullptr) {
  const nlohmann::json state = state_of(folder, exchange);
  try {
    campaign.restore(state);
  } catch (const InvalidInput& error) {
    folder.refuse(error.what());
  }
}

void save(const Campaign& campaign, CampaignFolder& folder) {
  if (!folder.kept()) return;
  folder.save(campaign.save());
  io::write_atomically(folder.file("findings.jsonl"), detail::fuzz::lines_of(campaign.findings()));
}

/// Until enough queries were asked, or an interrupt.
void advance(Campaign& campaign, const FuzzCommand& command, CampaignFolder& folder,
             detail::Exchange* exchange) {
  const int ranks = exchange != nullptr ? exchange->ranks() : 1;
  const int threads = exchange != nullptr && command.threads == 0 ? 1 : command.threads;
  const std::uint64_t batch = kBatch * static_cast<std::uint64_t>(ranks);
  const auto is_stopped = [&] {
    return exchange != nullptr ? exchange->any(was_interrupted()) : was_interrupted();
  };
  Progress progress(campaign.asked(), command.queries, "queries");
  std::size_t named = campaign.findings().size();
  while (campaign.asked() < command.queries && !is_stopped()) {
    campaign.advance(std::min(batch, command.queries - campaign.asked()), threads, exchange);
    for (; named < campaign.findings().size() && !command.json; ++named) {
      const detail::fuzz::Finding& f = campaign.findings()[named];
      progress.print(
          fmt::format("query {} ({}): {}; {}", f.index, f.category, f.failure, f.detail));
    }
    progress.update(campaign.asked());
    if (folder.is_due()) save(campaign, folder);
  }
}

std::string command_line(const FuzzCommand& command) {
  std::string text =
      fmt::format("tactus fuzz --queries {} --seed {}", command.queries, command.seed);
  if (command.first > 0) text += fmt::format(" --from {}", command.first);
  if (!command.classes.empty())
    text += fmt::format(" --classes {}", fmt::join(command.classes, ","));
  return text + fmt::format(" --page {}", command.page);
}

/// Examines the queries of a file; returns the exit code.
int replay(const std::string& name) {
  io::LineFile file(name);
  std::string line;
  int asked = 0, failed = 0;
  bool broken = false;
  while (file.next(line)) {
    const auto query = detail::fuzz::query_of(line);
    if (!query) {
      broken = true;
      io::ShapeReader reader;
      fmt::print(stderr, "{}: {}\n", file.place(), io::parse_query_line(line, reader).error);
      continue;
    }
    ++asked;
    const detail::fuzz::Examination found = detail::fuzz::examine(*query);
    if (found.failure.empty()) continue;
    ++failed;
    fmt::print("{}: {}; {}\n", file.place(), found.failure, found.detail);
  }
  fmt::print("{} findings in {} queries\n", failed, asked);
  if (asked == 0) fmt::print(stderr, "{}: holds no query\n", file.name());
  return failed == 0 && asked > 0 && !broken ? 0 : 1;
}

/// The first of several ranks keeps the state and tells what was found.
int fuzz_queries(const FuzzCommand& command, distributed::Ranks* ranks) {
  detail::Exchange* const exchange =
      ranks != nullptr ? &detail::RanksAccess::exchange(*ranks) : nullptr;
  const bool first = ranks == nullptr || ranks->rank() == 0;
  const std::string task = command_line(command);
  if (ranks != nullptr && !begin_together(*ranks, "fuzz", {}, task)) return kCannotRun;
  Campaign campaign({command.seed, command.first, command.classes});
  CampaignFolder folder(first ? command.out : std::string());
  if (command.resume) resume(campaign, folder, exchange);

  watch_interrupts();
  advance(campaign, command, folder, exchange);
  if (!first) return 0;
  save(campaign, folder);
  if (!command.page.empty()) {
    io::write_atomically(command.page, detail::fuzz::page_of(campaign, command_line(command)));
    wrote(command.page);
  }
  if (command.json) {
    fmt::print("{}\n", io::json_dump(detail::fuzz::report_of(campaign), 2));
  } else {
    fmt::print("{}", detail::fuzz::table_of(campaign));
    fmt::print("{} findings in {} queries, {:.0f} queries per second\n", campaign.failed(),
               campaign.asked(), static_cast<double>(campaign.asked()) / campaign.seconds());
    if (command.out.empty() && !campaign.findings().empty()) {
      fmt::print("{}", detail::fuzz::lines_of(campaign.findings()));
    }
  }
  return campaign.failed() == 0 && campaign.asked() >= command.queries ? 0 : 1;
}

int tell_lies(const FuzzCommand& command) {
  detail::fuzz::LieCampaign campaign(command.seed);
  CampaignFolder folder(command.out);
  if (command.resume) resume(campaign, folder);
  watch_interrupts();
  Progress progress(campaign.told(), command.lies, "lies");
  std::size_t named = campaign.findings().size();
  while (campaign.told() < command.lies && !was_interrupted()) {
    campaign.advance(kBatchOfLies, command.threads);
    for (; named < campaign.findings().size() && !command.json; ++named)
      progress.print(campaign.findings()[named]);
    progress.update(campaign.told());
    if (folder.is_due()) folder.save(campaign.save());
  }
  folder.save(campaign.save());
  if (!command.page.empty()) {
    const std::string line = fmt::format("tactus fuzz --lies {} --seed {} --page {}", command.lies,
                                         command.seed, command.page);
    io::write_atomically(command.page, detail::fuzz::page_of(campaign, line));
    wrote(command.page);
  }
  if (command.json) {
    fmt::print("{}\n", io::json_dump(campaign.save(), 2));
  } else {
    fmt::print("{}{} lies, {} proved; {} true answers refuted\n", detail::fuzz::table_of(campaign),
               campaign.told(), campaign.proved(), campaign.refuted());
  }
  const bool right = campaign.proved() == 0 && campaign.refuted() == 0;
  return right && campaign.told() >= command.lies ? 0 : 1;
}

}  // namespace

int run_fuzz(const FuzzCommand& command) {
  try {
    if (command.lies == 0 && command.replay.empty())
      return on_ranks("fuzz",
                      [&](distributed::Ranks* ranks) { return fuzz_queries(command, ranks); });
    if (distributed::launched_together() > 1)
      throw InvalidInput("", "ranks share queries alone, neither --lies nor --replay");
    return command.lies > 0 ? tell_lies(command) : replay(command.replay);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus fuzz: {}\n", error.what());
    return kCannotRun;
  }
}

}  // namespace tactus::app
