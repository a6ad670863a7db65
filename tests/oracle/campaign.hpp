#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tactus/io/query_judge.hpp"

namespace tactus::oracle {

/// What a campaign found.
struct CampaignResult {
  io::JudgeTable table;
  std::vector<std::string>
      failures;  ///< the first of each row that were contradicted: reason and replayable line
  double widest_reference = 0.0;  ///< width of the reference's own bracket / size
  double library_seconds = 0.0, reference_seconds = 0.0;  ///< summed over threads
};

/// Asks the library `count` queries of the generator and judges every answer by the reference and
/// by the checker.
CampaignResult run_campaign(std::uint64_t seed, std::uint64_t count);

/// The result as a page of documentation, with machine, date, command and seed.
std::string campaign_page(const CampaignResult& result, std::uint64_t seed, std::uint64_t count);

}  // namespace tactus::oracle
