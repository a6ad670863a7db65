#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fuzz/generator.hpp"
#include "fuzz/lies.hpp"

namespace tactus::detail::fuzz {

/// Counts over the answers of one group.
struct TrialTally {
  std::uint64_t queries = 0, answers = 0;
  std::uint64_t refuted = 0;                  ///< true answers that the checker refuted
  std::uint64_t unproved[kClaims] = {};       ///< claims of true answers, with the certificate
  std::map<std::string, LieTally> lies = {};  ///< by what was changed

  void add(const Trial& trial);
};

/// Lies about the answers to generated queries (fuzz/lies.hpp). The counts are the same for any
/// number of threads.
class LieCampaign {
 public:
  explicit LieCampaign(std::uint64_t seed);

  /// Lies about at most `queries` more queries on `threads` threads (0: all processors).
  void advance(std::uint64_t queries, int threads);

  std::uint64_t seed() const { return seed_; }
  std::uint64_t told() const;
  std::uint64_t proved() const;
  std::uint64_t refuted() const;
  double seconds() const { return seconds_; }
  /// By what was asked, of which kind of pair.
  const std::map<std::string, TrialTally>& tallies() const { return tallies_; }
  /// The first lies that were proved and true answers that were refuted.
  const std::vector<std::string>& findings() const { return findings_; }

  /// State of the campaign, from which `restore` continues it.
  nlohmann::json save() const;
  /// Throws InvalidInput when the state is damaged or of another seed.
  void restore(const nlohmann::json& state);

 private:
  std::uint64_t seed_, next_ = 0;
  Generator generator_;
  double seconds_ = 0.0;
  std::map<std::string, TrialTally> tallies_;
  std::vector<std::string> findings_;
};

/// The counts as fixed-width text.
std::string table_of(const LieCampaign& campaign);
/// The result as a page of documentation, with machine, date and the command that wrote it.
std::string page_of(const LieCampaign& campaign, const std::string& command);

}  // namespace tactus::detail::fuzz
