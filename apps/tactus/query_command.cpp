#include "apps/tactus/query_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tactus/added_answers.hpp"
#include "apps/tactus/output.hpp"
#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/line_file.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/io/json/query_line.hpp"

namespace tactus::app {
namespace {

namespace fs = std::filesystem;

// Lines held in memory at once, and lines per task of a thread (a line takes some 20 us).
constexpr std::size_t kBatch = 8192;
constexpr std::size_t kGrain = 64;
// Complaints named one by one on standard error before they are only counted.
constexpr int kNamedComplaints = 20;

/// Everything that comes of one line.
struct Outcome {
  std::string text;       ///< the answer's line
  std::string complaint;  ///< why the line is no query, or what contradicts its right answer
  std::string category;
  io::Tally tally;
  bool valid = true, judged = false;
};

std::string contradiction(const io::Tally& tally, const CheckReport& report) {
  std::string text;
  if (tally.not_finite > 0) text += " not finite;";
  if (tally.bracket_violations > 0) text += " bracket misses the right one;";
  if (tally.wrong_signs > 0) text += " wrong sign;";
  if (tally.unproved > 0) text += " not proved: " + report.failure + ";";
  if (!text.empty()) text.pop_back();
  return text;
}

void finish_judgement(Outcome& outcome, const io::Query& query, const std::string& id,
                      const CheckReport& report) {
  outcome.judged = true;
  outcome.category = query.category;
  if (outcome.tally.contradicted())
    outcome.complaint = id + ":" + contradiction(outcome.tally, report);
}

Outcome answer_line(const std::string& line, io::ShapeReader& reader, const QueryCommand& command) {
  Outcome outcome;
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

/// Where the answers go: standard output, a file, or nowhere.
class AnswerSink {
 public:
  explicit AnswerSink(const QueryCommand& command)
      : silent_(command.check && !command.answers && command.out.empty()), file_(command.out) {}

  void write(const std::string& line) {
    if (silent_) return;
    if (file_.empty()) {
      std::fwrite(line.data(), 1, line.size(), stdout);
      std::fputc('\n', stdout);
    } else {
      content_ += line;
      content_ += '\n';
    }
  }

  void flush() const {
    if (!silent_ && file_.empty()) std::fflush(stdout);
  }

  void finish() const {
    if (file_.empty()) return;
    io::write_atomically(file_, content_);
    wrote(file_);
  }

 private:
  bool silent_;
  std::string file_, content_;
};

/// One run of the command over all its files.
class QueryRun {
 public:
  explicit QueryRun(const QueryCommand& command) : command_(command), sink_(command) {}

  /// Lines are answered together while more of them are at hand, and before the program waits for
  /// the next one.
  void answer_file(const std::string& name) {
    io::LineFile file(name);
    io::ShapeReader reader(file.folder());
    std::vector<std::string> lines;
    std::vector<int> numbers;
    std::string line;
    while (file.next(line)) {
      lines.push_back(std::move(line));
      numbers.push_back(file.number());
      if (lines.size() == kBatch || !file.ready()) flush(file.name(), reader, lines, numbers);
    }
    flush(file.name(), reader, lines, numbers);
  }

  int finish() {
    sink_.finish();
    if (complaints_ > kNamedComplaints) {
      fmt::print(stderr, "... and {} more\n", complaints_ - kNamedComplaints);
    }
    if (command_.check) {
      std::fputs(
          (command_.json ? io::json_dump(table_.to_json(), 2) + "\n" : table_.to_text()).c_str(),
          stdout);
    }
    return invalid_ || table_.total().contradicted() ? 1 : 0;
  }

 private:
  void flush(const std::string& name, io::ShapeReader& reader, std::vector<std::string>& lines,
             std::vector<int>& numbers) {
    std::vector<Outcome> outcomes(lines.size());
    parallel_for(
        lines.size(), kGrain,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            outcomes[i] = answer_line(lines[i], reader, command_);
          }
        },
        command_.threads);
    for (const std::string& warning : reader.take_warnings())
      fmt::print(stderr, "warning: {}\n", warning);
    const std::string group = fs::path(name).stem().string();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const Outcome& outcome = outcomes[i];
      sink_.write(outcome.text);
      if (!outcome.valid) invalid_ = true;
      if (outcome.judged) table_.add(group, outcome.category, outcome.tally);
      if (!outcome.complaint.empty() && complaints_++ < kNamedComplaints) {
        fmt::print(stderr, "{}:{}: {}\n", name, numbers[i], outcome.complaint);
      }
    }
    sink_.flush();
    lines.clear();
    numbers.clear();
  }

  const QueryCommand& command_;
  AnswerSink sink_;
  io::JudgeTable table_;
  bool invalid_ = false;
  int complaints_ = 0;
};

}  // namespace

int run_query(const QueryCommand& command) {
  try {
    QueryRun run(command);
    for (const std::string& name : command.files) run.answer_file(name);
    return run.finish();
  } catch (const FileError& error) {
    fmt::print(stderr, "tactus query: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
