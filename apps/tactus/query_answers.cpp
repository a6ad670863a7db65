#include "apps/tactus/query_answers.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "apps/tactus/added_answers.hpp"
#include "tactus/core.hpp"
#include "tactus/io/json/query_line.hpp"
#include "tactus/rigid/exchange/parcel.hpp"
#include "tactus/rigid/exchange/parts.hpp"

namespace tactus::app {
namespace {

using detail::Parcel;
using detail::ParcelReader;

// Lines held in memory at once by a rank, and lines per task of a thread (a line takes some 20 us).
constexpr std::size_t kBatch = 8192;
constexpr std::size_t kGrain = 64;

std::string contradiction(const io::Tally& tally, const CheckReport& report) {
  std::string text;
  if (tally.not_finite > 0) text += " not finite;";
  if (tally.bracket_violations > 0) text += " bracket misses the right one;";
  if (tally.wrong_signs > 0) text += " wrong sign;";
  if (tally.unproved > 0) text += " not proved: " + report.failure + ";";
  if (!text.empty()) text.pop_back();
  return text;
}

void finish_judgement(QueryOutcome& outcome, const io::Query& query, const std::string& id,
                      const CheckReport& report) {
  outcome.judged = true;
  outcome.category = query.category;
  if (outcome.tally.contradicted())
    outcome.complaint = id + ":" + contradiction(outcome.tally, report);
}

QueryOutcome answer_line(const std::string& line, io::ShapeReader& reader,
                         const QueryCommand& command) {
  QueryOutcome outcome;
  const io::QueryLine parsed = io::parse_query_line(line, reader);
  if (!parsed.query) {
    outcome.valid = false;
    outcome.complaint = parsed.error;
    outcome.text = io::error_to_line(parsed.id, parsed.error);
    return outcome;
  }
  const io::Query& query = *parsed.query;
  const io::Answer answer = io::answer_query(query, command.certificate || command.check);
  try {
    outcome.text = with_additions(io::answer_to_line(parsed.id, query, answer, command.certificate),
                                  line, query);
  } catch (const InvalidInput& error) {
    outcome.valid = false;
    outcome.complaint = error.what();
    outcome.text = io::error_to_line(parsed.id, error.what());
    return outcome;
  }
  if (!command.check) return outcome;

  const double size = io::pair_size(query.a, query.b);
  const bool unsupported = answer.distance.status == Status::unsupported;
  CheckReport report;
  if (!unsupported) report = io::check_answer(query, answer);
  const auto truth = io::truth_of(query, size);
  if (answer.cast && io::has_right_time(query)) {
    outcome.tally = io::judge(*answer.cast, query, report, size);
  } else if (!answer.cast && (truth || (query.right && unsupported))) {
    outcome.tally = io::judge(answer.distance, truth.value_or(io::Truth{}), report, size);
  } else {
    outcome.tally = io::judge_claims(answer.distance.status, report);
  }
  // An overlap query stops as soon as the sign is proved: its bracket counts, its distance does
  // not.
  if (query.ask == io::Ask::overlap) outcome.tally.worst_error = outcome.tally.worst_width = 0.0;
  finish_judgement(outcome, query, parsed.id, report);
  return outcome;
}

void write(const QueryOutcome& outcome, Parcel& parcel) {
  parcel.add_text(outcome.text);
  parcel.add_text(outcome.complaint);
  parcel.add_text(outcome.category);
  parcel.add(outcome.tally);
  parcel.add(outcome.valid);
  parcel.add(outcome.judged);
}

QueryOutcome read_outcome(ParcelReader& reader) {
  QueryOutcome outcome;
  outcome.text = reader.read_text();
  outcome.complaint = reader.read_text();
  outcome.category = reader.read_text();
  outcome.tally = reader.read<io::Tally>();
  outcome.valid = reader.read<bool>();
  outcome.judged = reader.read<bool>();
  return outcome;
}

void write(const std::vector<std::string>& texts, Parcel& parcel) {
  parcel.add(texts.size());
  for (const std::string& text : texts) parcel.add_text(text);
}

std::vector<std::string> read_texts(ParcelReader& reader) {
  std::vector<std::string> texts(reader.read<std::size_t>());
  for (std::string& text : texts) text = reader.read_text();
  return texts;
}

/// Message to a rank: more lines, or none any more.
enum class Order : std::uint8_t { answer, end };

}  // namespace

std::size_t QueryAnswers::batch() const {
  return kBatch * (exchange_ != nullptr ? static_cast<std::size_t>(exchange_->ranks()) : 1);
}

void QueryAnswers::open(const std::string& folder) {
  folder_ = folder;
  reader_ = std::make_unique<io::ShapeReader>(folder);
  warned_.clear();
}

std::vector<QueryOutcome> QueryAnswers::answer_here(const std::vector<std::string>& lines) {
  std::vector<QueryOutcome> outcomes(lines.size());
  parallel_for(
      lines.size(), kGrain,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          outcomes[i] = answer_line(lines[i], *reader_, command_);
      },
      threads_);
  return outcomes;
}

void QueryAnswers::warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings)
    if (warned_.insert(warning).second) fmt::print(stderr, "warning: {}\n", warning);
}

std::vector<QueryOutcome> QueryAnswers::answer(const std::vector<std::string>& lines) {
  if (exchange_ == nullptr) {
    std::vector<QueryOutcome> outcomes = answer_here(lines);
    warn(reader_->take_warnings());
    return outcomes;
  }
  const int ranks = exchange_->ranks();
  const auto lines_of = [&](int rank) {
    const detail::ListPart part = detail::part_of(lines.size(), rank, ranks);
    return std::vector<std::string>(lines.begin() + static_cast<std::ptrdiff_t>(part.begin),
                                    lines.begin() + static_cast<std::ptrdiff_t>(part.end));
  };
  std::vector<std::string> messages(1);
  for (int rank = 1; rank < ranks; ++rank) {
    Parcel parcel;
    parcel.add(Order::answer);
    parcel.add_text(folder_);
    write(lines_of(rank), parcel);
    messages.push_back(parcel.take());
  }
  exchange_->trade(messages);
  std::vector<QueryOutcome> outcomes = answer_here(lines_of(0));
  warn(reader_->take_warnings());
  messages.assign(static_cast<std::size_t>(ranks), {});
  exchange_->trade(messages);
  for (const std::string& message : messages) {
    if (message.empty()) continue;
    ParcelReader reader(message);
    warn(read_texts(reader));
    while (!reader.at_end()) outcomes.push_back(read_outcome(reader));
  }
  return outcomes;
}

void QueryAnswers::end() {
  if (exchange_ == nullptr) return;
  Parcel parcel;
  parcel.add(Order::end);
  std::vector<std::string> messages(static_cast<std::size_t>(exchange_->ranks()), parcel.take());
  exchange_->trade(messages);
}

void QueryAnswers::serve() {
  for (;;) {
    std::vector<std::string> messages(static_cast<std::size_t>(exchange_->ranks()));
    exchange_->trade(messages);
    ParcelReader reader(messages[0]);
    if (reader.read<Order>() == Order::end) return;
    const std::string folder = reader.read_text();
    if (!reader_ || folder != folder_) open(folder);
    const std::vector<QueryOutcome> outcomes = answer_here(read_texts(reader));
    Parcel parcel;
    write(reader_->take_warnings(), parcel);
    for (const QueryOutcome& outcome : outcomes) write(outcome, parcel);
    messages.assign(messages.size(), {});
    messages[0] = parcel.take();
    exchange_->trade(messages);
  }
}

}  // namespace tactus::app
