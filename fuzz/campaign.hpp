#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fuzz/generator.hpp"
#include "fuzz/iteration_histogram.hpp"
#include "tactus/query.hpp"
#include "tactus/rigid/exchange/exchange.hpp"

namespace tactus::detail::fuzz {

/// Which queries a campaign asks.
struct Selection {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;           ///< index of the first query
  std::vector<std::string> classes;  ///< empty: all
  friend bool operator==(const Selection&, const Selection&) = default;
};

/// Counts over the queries of one class.
struct ClassTally {
  static constexpr int kStatuses = 6;

  std::uint64_t count = 0;
  std::array<std::uint64_t, kStatuses> status{};  ///< in the order of Status
  std::uint64_t unanswered = 0;                   ///< unbounded, since out of the range of squares
  std::uint64_t unproved = 0;                     ///< by the checker, where that is allowed
  IterationHistogram iterations;
  std::uint64_t failed = 0;

  ClassTally& operator+=(const ClassTally& other);
};

/// A query that broke a claim.
struct Finding {
  std::uint64_t index = 0;
  std::string category, failure, detail;
  std::string line;         ///< minimised, where the captured line fails as the query did
  bool reproduces = false;  ///< whether it does
};

/// Asks generated queries one after another, judges every answer by `examine`, and minimises the
/// first findings of each kind. The tallies are the same for any number of threads.
class Campaign {
 public:
  explicit Campaign(Selection selection);

  /// Asks at most `count` more queries on `threads` threads (0: all processors); with ranks each of
  /// them its part, and all count them all.
  void advance(std::uint64_t count, int threads, Exchange* ranks = nullptr);

  const Selection& selection() const { return selection_; }
  std::uint64_t asked() const;
  double seconds() const { return seconds_; }
  const std::map<std::string, ClassTally>& tallies() const { return tallies_; }
  const std::vector<Finding>& findings() const { return findings_; }
  std::uint64_t failed() const;

  /// State of the campaign, from which `restore` continues it.
  nlohmann::json save() const;
  /// Throws InvalidInput when the state is damaged or of another selection.
  void restore(const nlohmann::json& state);

 private:
  void take(std::uint64_t index, const std::string& failure, const std::string& detail);

  Selection selection_;
  Generator generator_;
  std::uint64_t next_;
  double seconds_ = 0.0;
  std::map<std::string, ClassTally> tallies_;
  std::map<std::string, std::uint64_t> kinds_;  ///< findings by class and claim
  std::vector<Finding> findings_;
};

/// The counts as fixed-width text, one row per class.
std::string table_of(const Campaign& campaign);
/// The counts and the findings as JSON.
nlohmann::json report_of(const Campaign& campaign);
/// The findings as lines of a query file.
std::string lines_of(const std::vector<Finding>& findings);
/// The result as a page of documentation, with machine, date and the command that wrote it.
std::string page_of(const Campaign& campaign, const std::string& command);

}  // namespace tactus::detail::fuzz
