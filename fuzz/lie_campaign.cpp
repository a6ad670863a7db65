#include "fuzz/lie_campaign.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "tactus/core.hpp"
#include "tactus/io/format/machine.hpp"

namespace tactus::detail::fuzz {
namespace {

using nlohmann::json;

// Lies that are tried on one answer.
constexpr int kAttempts = 16;
constexpr std::size_t kGrain = 4;
// Findings that are kept in words.
constexpr std::size_t kNamed = 50;

Trial try_query(const Generator& generator, std::uint64_t seed, std::uint64_t index) {
  // Another stream than that of the query itself.
  Random random(~seed, index);
  const io::Query query = ask_anything(generator.make(index), random);
  Trial trial = try_lies(query, random, kAttempts);
  if (!trial.failure.empty())
    trial.failure = fmt::format("query {} ({}, {}): {}", index, Generator::class_of(index),
                                trial.group, trial.failure);
  return trial;
}

json to_json(const TrialTally& t) {
  json lies = json::object();
  for (const auto& [what, tally] : t.lies) lies[what] = {tally.told, tally.proved};
  return {{"queries", t.queries},
          {"answers", t.answers},
          {"refuted", t.refuted},
          {"unproved", t.unproved},
          {"lies", std::move(lies)}};
}

TrialTally tally_from_json(const json& value) {
  TrialTally t;
  value.at("queries").get_to(t.queries);
  value.at("answers").get_to(t.answers);
  value.at("refuted").get_to(t.refuted);
  for (int c = 0; c < kClaims; ++c)
    value.at("unproved").at(static_cast<std::size_t>(c)).get_to(t.unproved[c]);
  for (const auto& [what, tally] : value.at("lies").items())
    t.lies[what] = {tally.at(0).get<std::uint64_t>(), tally.at(1).get<std::uint64_t>()};
  return t;
}

std::string unproved_of(const TrialTally& t) {
  std::string text;
  for (int c = 0; c < kClaims; ++c) {
    if (t.unproved[c] > 0)
      text += fmt::format(" {} {}", to_string(static_cast<Claim>(c)), t.unproved[c]);
  }
  return text;
}

LieTally total_of(const TrialTally& t) {
  LieTally sum;
  for (const auto& [what, tally] : t.lies) {
    sum.told += tally.told;
    sum.proved += tally.proved;
  }
  return sum;
}

}  // namespace

void TrialTally::add(const Trial& trial) {
  ++queries;
  answers += trial.answered ? 1 : 0;
  refuted += trial.refuted ? 1 : 0;
  for (int c = 0; c < kClaims; ++c) unproved[c] += trial.unproved[c] ? 1 : 0;
  for (const auto& [what, tally] : trial.lies) {
    lies[what].told += tally.told;
    lies[what].proved += tally.proved;
  }
}

LieCampaign::LieCampaign(std::uint64_t seed) : seed_(seed), generator_(seed) {}

void LieCampaign::advance(std::uint64_t queries, int threads) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Trial> trials(queries);
  parallel_for(
      queries, kGrain,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          trials[i] = try_query(generator_, seed_, next_ + i);
      },
      threads);
  next_ += queries;
  for (const Trial& trial : trials) {
    tallies_[trial.group].add(trial);
    if (!trial.failure.empty() && findings_.size() < kNamed) findings_.push_back(trial.failure);
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::uint64_t LieCampaign::told() const {
  std::uint64_t sum = 0;
  for (const auto& [group, tally] : tallies_) sum += total_of(tally).told;
  return sum;
}
std::uint64_t LieCampaign::proved() const {
  std::uint64_t sum = 0;
  for (const auto& [group, tally] : tallies_) sum += total_of(tally).proved;
  return sum;
}
std::uint64_t LieCampaign::refuted() const {
  std::uint64_t sum = 0;
  for (const auto& [group, tally] : tallies_) sum += tally.refuted;
  return sum;
}

json LieCampaign::save() const {
  json tallies = json::object();
  for (const auto& [group, tally] : tallies_) tallies[group] = to_json(tally);
  return {{"seed", seed_},
          {"next", next_},
          {"seconds", seconds_},
          {"tallies", std::move(tallies)},
          {"findings", findings_}};
}

void LieCampaign::restore(const json& state) {
  try {
    if (state.at("seed") != seed_) throw InvalidInput("", "is the state of another seed");
    state.at("next").get_to(next_);
    state.at("seconds").get_to(seconds_);
    tallies_.clear();
    for (const auto& [group, tally] : state.at("tallies").items())
      tallies_[group] = tally_from_json(tally);
    state.at("findings").get_to(findings_);
  } catch (const json::exception& error) {
    throw InvalidInput("", std::string("is no state of a campaign of lies: ") + error.what());
  }
}

std::string table_of(const LieCampaign& campaign) {
  std::string text =
      fmt::format("{:<22} {:>9} {:>9} {:>9} {:>9} {:>9}  {}\n", "answers", "queries", "answered",
                  "refuted", "lies", "proved", "claims of true answers that are unproved");
  std::map<std::string, LieTally> kinds;
  for (const auto& [group, t] : campaign.tallies()) {
    const LieTally lies = total_of(t);
    text += fmt::format("{:<22} {:>9} {:>9} {:>9} {:>9} {:>9} {}\n", group, t.queries, t.answers,
                        t.refuted, lies.told, lies.proved, unproved_of(t));
    for (const auto& [what, tally] : t.lies) {
      kinds[what].told += tally.told;
      kinds[what].proved += tally.proved;
    }
  }
  text += fmt::format("\n{:<30} {:>9} {:>9}\n", "lies about", "told", "proved");
  for (const auto& [what, tally] : kinds)
    text += fmt::format("{:<30} {:>9} {:>9}\n", what, tally.told, tally.proved);
  return text;
}

std::string page_of(const LieCampaign& campaign, const std::string& command) {
  std::string page = fmt::format(
      "# Lies\n\n"
      "Written by `{}`\non {}, {}.\n\n"
      "Answers to random degenerate queries, one claim of each changed to something false, by "
      "lengths from the checker's\nstated rounding to 1e-2 of the size; certificates as given, "
      "stale, forged, truncated or none (`fuzz/lies.hpp`). {} lies:\n{} proved. True answers, "
      "also with damaged certificates: {} refuted. {:.0f} lies a second. [What is proved, and "
      "how](../guide/proofs.md).\n\n```\n{}```\n",
      command, io::today(), io::machine_name(), campaign.told(), campaign.proved(),
      campaign.refuted(), static_cast<double>(campaign.told()) / campaign.seconds(),
      table_of(campaign));
  if (!campaign.findings().empty()) {
    page += "\nThe first findings:\n\n```\n";
    for (const std::string& finding : campaign.findings()) page += finding + '\n';
    page += "```\n";
  }
  return page;
}

}  // namespace tactus::detail::fuzz
