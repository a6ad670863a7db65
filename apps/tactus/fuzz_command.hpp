#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::app {

/// Arguments of `tactus fuzz`.
struct FuzzCommand {
  std::uint64_t queries = 100000;  ///< how many in all, those of resumed runs included
  std::uint64_t seed = 1;
  std::uint64_t first = 0;           ///< index of the first query: one alone is replayed so
  std::vector<std::string> classes;  ///< empty: all
  int threads = 0;                   ///< 0: all processors
  std::string out;                   ///< folder for state and findings; none are kept when empty
  bool resume = false;               ///< go on from the state in `out`
  bool json = false;                 ///< the report as JSON
  std::string replay;                ///< file of queries to examine instead of random ones
  std::uint64_t lies = 0;            ///< tell so many lies to the checker instead
  std::string page;                  ///< file that receives the report as a page
};

/// Asks random degenerate queries, or those of a file, and tests all that the answers claim
/// (fuzz/claims.hpp); or tells lies about answers to the checker (fuzz/lies.hpp). An interrupt ends
/// the run after its batch, with everything saved. Returns the exit code: 0; 1 when a claim did not
/// hold, a lie was proved, or the run was interrupted; 2 when it could not run.
int run_fuzz(const FuzzCommand& command);

}  // namespace tactus::app
