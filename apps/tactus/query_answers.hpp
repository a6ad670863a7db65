#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "apps/tactus/query_command.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/rigid/exchange/exchange.hpp"

namespace tactus::app {

/// Everything that comes of a line of a query file.
struct QueryOutcome {
  std::string text;       ///< the answer's line
  std::string complaint;  ///< why the line is no query, or what contradicts its right answer
  std::string category;
  io::Tally tally;
  bool valid = true, judged = false;
};

/// Answers lines of query files, on the threads of one program or on those of several ranks: the
/// first one has the lines, and hands each an equal part. The outcomes are the same.
class QueryAnswers {
 public:
  /// `exchange` is null for one program; a rank of several uses one thread unless told otherwise.
  /// Both must outlive the object.
  QueryAnswers(const QueryCommand& command, detail::Exchange* exchange)
      : command_(command),
        exchange_(exchange),
        threads_(exchange != nullptr && command.threads == 0 ? 1 : command.threads) {}

  /// How many lines are worth being answered together.
  std::size_t batch() const;
  /// The next lines are of another file, in whose folder lie the files that they name.
  void open(const std::string& folder);
  /// On the first rank: outcomes of lines, in order. Warnings of a file go to standard error, once
  /// each.
  std::vector<QueryOutcome> answer(const std::vector<std::string>& lines);
  /// On the first rank: the others are done.
  void end();
  /// On the others: answers what the first one hands out, until its `end`.
  void serve();

 private:
  std::vector<QueryOutcome> answer_here(const std::vector<std::string>& lines);
  void warn(const std::vector<std::string>& warnings);

  const QueryCommand& command_;
  detail::Exchange* exchange_;
  int threads_;
  std::unique_ptr<io::ShapeReader> reader_;  ///< of the file that is open
  std::string folder_;
  std::set<std::string> warned_;  ///< of this file
};

}  // namespace tactus::app
