#include "fuzz/campaign.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "fuzz/claims.hpp"
#include "fuzz/minimise.hpp"
#include "fuzz/query_text.hpp"
#include "tactus/core.hpp"
#include "tactus/io/json/known_names.hpp"
#include "tactus/rigid/exchange/parts.hpp"

namespace tactus::detail::fuzz {
namespace {

using nlohmann::json;

// A query takes some 100 us.
constexpr std::size_t kGrain = 16;
// Findings of one class and claim that are minimised before they are only counted.
constexpr std::uint64_t kNamedFindings = 3;
constexpr int kMinimiserBudget = 1500;

struct Outcome {
  Status status = Status::converged;
  std::int32_t iterations = 0;
  bool unanswered = false, unproved = false;
  std::string failure, detail;
};

Outcome ask(const Generator& generator, std::uint64_t index) {
  Examination e = examine(generator.make(index));
  return {e.answer.status, e.answer.iterations,  e.unanswered,
          e.unproved,      std::move(e.failure), std::move(e.detail)};
}

void write(const Outcome& o, Parcel& parcel) {
  parcel.add(o.status);
  parcel.add(o.iterations);
  parcel.add(o.unanswered);
  parcel.add(o.unproved);
  parcel.add_text(o.failure);
  parcel.add_text(o.detail);
}

void read(ParcelReader& reader, Outcome& o) {
  o.status = reader.read<Status>();
  o.iterations = reader.read<std::int32_t>();
  o.unanswered = reader.read<bool>();
  o.unproved = reader.read<bool>();
  o.failure = reader.read_text();
  o.detail = reader.read_text();
}

ClassTally tally_of(const Outcome& outcome, std::uint64_t index) {
  ClassTally t;
  t.count = 1;
  t.status[static_cast<std::size_t>(outcome.status)] = 1;
  t.unanswered = outcome.unanswered ? 1 : 0;
  t.unproved = outcome.unproved ? 1 : 0;
  t.iterations.add(outcome.iterations, index);
  t.failed = outcome.failure.empty() ? 0 : 1;
  return t;
}

json to_json(const ClassTally& t) {
  return {{"count", t.count},
          {"status", t.status},
          {"unanswered", t.unanswered},
          {"unproved", t.unproved},
          {"iterations", t.iterations.to_json()},
          {"failed", t.failed}};
}

ClassTally tally_from_json(const json& value) {
  ClassTally t;
  value.at("count").get_to(t.count);
  value.at("status").get_to(t.status);
  value.at("unanswered").get_to(t.unanswered);
  value.at("unproved").get_to(t.unproved);
  t.iterations = IterationHistogram::from_json(value.at("iterations"));
  value.at("failed").get_to(t.failed);
  return t;
}

json to_json(const Finding& f) {
  return {{"index", f.index},   {"class", f.category}, {"failure", f.failure},
          {"detail", f.detail}, {"line", f.line},      {"reproduces", f.reproduces}};
}

Finding finding_from_json(const json& value) {
  return {value.at("index").get<std::uint64_t>(), value.at("class").get<std::string>(),
          value.at("failure").get<std::string>(), value.at("detail").get<std::string>(),
          value.at("line").get<std::string>(),    value.at("reproduces").get<bool>()};
}

json to_json(const Selection& s) {
  return {{"seed", s.seed}, {"first", s.first}, {"classes", s.classes}};
}

}  // namespace

ClassTally& ClassTally::operator+=(const ClassTally& other) {
  count += other.count;
  for (std::size_t i = 0; i < status.size(); ++i) status[i] += other.status[i];
  unanswered += other.unanswered;
  unproved += other.unproved;
  iterations += other.iterations;
  failed += other.failed;
  return *this;
}

Campaign::Campaign(Selection selection)
    : selection_(std::move(selection)), generator_(selection_.seed), next_(selection_.first) {
  const auto known = Generator::classes();
  for (const std::string& name : selection_.classes) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw InvalidInput("classes", io::unknown_name("class", name, known));
    }
  }
}

void Campaign::advance(std::uint64_t count, int threads, Exchange* ranks) {
  const auto start = std::chrono::steady_clock::now();
  const auto& wanted = selection_.classes;
  std::vector<std::uint64_t> indices;
  for (; indices.size() < count; ++next_) {
    if (wanted.empty() ||
        std::find(wanted.begin(), wanted.end(), Generator::class_of(next_)) != wanted.end()) {
      indices.push_back(next_);
    }
  }
  const auto ask_part = [&](const ListPart& part) {
    std::vector<Outcome> outcomes(part.end - part.begin);
    parallel_for(
        outcomes.size(), kGrain,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            outcomes[i] = ask(generator_, indices[part.begin + i]);
        },
        threads);
    return outcomes;
  };
  const auto outcomes = make_in_parts<Outcome>(ranks, indices.size(), ask_part);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    tallies_[std::string(Generator::class_of(indices[i]))] += tally_of(outcomes[i], indices[i]);
    if (!outcomes[i].failure.empty()) take(indices[i], outcomes[i].failure, outcomes[i].detail);
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Campaign::take(std::uint64_t index, const std::string& failure, const std::string& detail) {
  const std::string category(Generator::class_of(index));
  if (kinds_[category + ": " + failure]++ >= kNamedFindings) return;
  const auto fails = [&](const std::string& line) {
    const auto query = query_of(line);
    return query && examine(*query).failure == failure;
  };
  Finding finding{index, category, failure, detail, {}, false};
  finding.line = line_of(generator_.make(index), category + "-" + std::to_string(index));
  finding.reproduces = fails(finding.line);
  if (finding.reproduces) finding.line = minimise(finding.line, fails, kMinimiserBudget);
  findings_.push_back(std::move(finding));
}

std::uint64_t Campaign::asked() const {
  std::uint64_t sum = 0;
  for (const auto& [name, tally] : tallies_) sum += tally.count;
  return sum;
}

std::uint64_t Campaign::failed() const {
  std::uint64_t sum = 0;
  for (const auto& [name, tally] : tallies_) sum += tally.failed;
  return sum;
}

json Campaign::save() const {
  json tallies = json::object();
  for (const auto& [name, tally] : tallies_) tallies[name] = to_json(tally);
  json findings = json::array();
  for (const Finding& finding : findings_) findings.push_back(to_json(finding));
  return {{"selection", to_json(selection_)}, {"next", next_},   {"seconds", seconds_},
          {"tallies", std::move(tallies)},    {"kinds", kinds_}, {"findings", std::move(findings)}};
}

void Campaign::restore(const json& state) {
  try {
    if (state.at("selection") != to_json(selection_)) {
      throw InvalidInput("", "is the state of a campaign over other queries");
    }
    state.at("next").get_to(next_);
    state.at("seconds").get_to(seconds_);
    tallies_.clear();
    for (const auto& [name, tally] : state.at("tallies").items()) {
      tallies_[name] = tally_from_json(tally);
    }
    state.at("kinds").get_to(kinds_);
    findings_.clear();
    for (const json& finding : state.at("findings"))
      findings_.push_back(finding_from_json(finding));
  } catch (const json::exception& error) {
    throw InvalidInput("", std::string("is no state of a campaign: ") + error.what());
  }
}

}  // namespace tactus::detail::fuzz
