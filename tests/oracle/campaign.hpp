#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "fuzz/iteration_histogram.hpp"
#include "tactus/io/json/query_judge.hpp"

namespace tactus::detail::oracle {

struct CampaignSettings {
  std::uint64_t seed = 1;
  std::uint64_t count = 0;
  int threads = 0;              ///< 0: all processors
  std::filesystem::path state;  ///< file to go on from and to save to; none when empty
};

/// Result of a campaign.
struct CampaignResult {
  std::uint64_t asked = 0;
  io::JudgeTable table;
  fuzz::IterationHistogram iterations;
  std::vector<std::string>
      failures;  ///< the first of each row that were contradicted: reason and replayable line
  std::map<std::string, int> failures_of_row;
  double widest_reference = 0.0;  ///< width of the reference's own bracket / size
  double library_seconds = 0.0, reference_seconds = 0.0;  ///< summed over threads
};

/// Asks the library `count` queries of the generator and judges every answer by the reference and
/// by the checker. The result is the same for any number of threads and of interruptions, times
/// apart. Throws InvalidInput when the state is damaged or of another seed.
CampaignResult run_campaign(const CampaignSettings& settings);

/// The result as a page of documentation, with machine, date, command and seed.
std::string campaign_page(const CampaignResult& result, std::uint64_t seed);

}  // namespace tactus::detail::oracle
