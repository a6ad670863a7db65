#include "apps/tactus/query_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tactus/on_ranks.hpp"
#include "apps/tactus/output.hpp"
#include "apps/tactus/program.hpp"
#include "apps/tactus/query_answers.hpp"
#include "tactus/core.hpp"
#include "tactus/distributed/ranks_access.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/line_file.hpp"

namespace tactus::app {
namespace {

namespace fs = std::filesystem;

// Complaints named one by one on standard error before they are only counted.
constexpr int kNamedComplaints = 20;

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

/// As the ranks must have been asked alike.
std::string task_of(const QueryCommand& command) {
  return fmt::format("query {} check {} answers {} certificate {}", fmt::join(command.files, " "),
                     command.check, command.answers, command.certificate);
}

/// One run of the command over all its files.
class QueryRun {
 public:
  QueryRun(const QueryCommand& command, QueryAnswers& answers)
      : command_(command), answers_(answers), sink_(command) {}

  /// Lines are answered together while more of them are at hand, and before the program waits for
  /// the next one.
  void answer_file(const std::string& name) {
    io::LineFile file(name);
    answers_.open(file.folder().string());
    std::vector<std::string> lines;
    std::vector<int> numbers;
    std::string line;
    while (file.next(line)) {
      lines.push_back(std::move(line));
      numbers.push_back(file.number());
      if (lines.size() == answers_.batch() || !file.ready()) flush(file.name(), lines, numbers);
    }
    flush(file.name(), lines, numbers);
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
  void flush(const std::string& name, std::vector<std::string>& lines, std::vector<int>& numbers) {
    if (lines.empty()) return;
    const std::vector<QueryOutcome> outcomes = answers_.answer(lines);
    const std::string group = fs::path(name).stem().string();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const QueryOutcome& outcome = outcomes[i];
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
  QueryAnswers& answers_;
  AnswerSink sink_;
  io::JudgeTable table_;
  bool invalid_ = false;
  int complaints_ = 0;
};

/// The first of several ranks reads and writes.
int answer_files(const QueryCommand& command, distributed::Ranks* ranks) {
  if (ranks != nullptr && !begin_together(*ranks, "query", {}, task_of(command))) return kCannotRun;
  QueryAnswers answers(command,
                       ranks != nullptr ? &detail::RanksAccess::exchange(*ranks) : nullptr);
  if (ranks != nullptr && ranks->rank() > 0) {
    answers.serve();
    return 0;
  }
  QueryRun run(command, answers);
  try {
    for (const std::string& name : command.files) run.answer_file(name);
  } catch (const FileError& error) {
    answers.end();
    fmt::print(stderr, "tactus query: {}\n", error.what());
    return kCannotRun;
  }
  answers.end();
  return run.finish();
}

}  // namespace

int run_query(const QueryCommand& command) {
  try {
    return on_ranks("query",
                    [&](distributed::Ranks* ranks) { return answer_files(command, ranks); });
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus query: {}\n", error.what());
    return kCannotRun;
  }
}

}  // namespace tactus::app
