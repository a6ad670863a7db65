#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tactus::app {

// The commands `lab` and `fuzz` are a program of their own, `tactus-lab`: their experiments are a
// seventh of all sources to compile, and few who use the library ask for them. Both programs
// describe the options by this header.

/// Arguments of `tactus lab`.
struct LabCommand {
  std::string name;                    ///< of the experiment; empty: list them
  std::optional<std::uint64_t> pairs;  ///< how many are drawn, where that is free
  std::uint64_t seed = 1;
  std::uint64_t seeds = 1;  ///< how many from there on, for the experiments that repeat themselves
  std::string pairs_from;   ///< recorded pairs instead of drawn ones, for table10
  int threads = 0;          ///< 0: all processors
  std::string out;          ///< folder for the state; none is kept when empty
  bool resume = false;      ///< go on from the state in `out`
  bool json = false;        ///< the report as JSON
  std::string meshes;       ///< folder of further meshes, for the experiments that take them
  std::string page;         ///< file that receives the report as a page of documentation
  std::string incidents;    ///< file that receives the pairs worth looking at, as query lines
};

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

inline constexpr const char* kLabDescription =
    "Repeat an experiment of the literature and print its figures beside ours";
inline constexpr const char* kFuzzDescription =
    "Ask random degenerate queries and test what the answers claim";

/// Adds `--threads`.
void add_threads(CLI::App& app, int& threads);
void describe_lab(CLI::App& app, LabCommand& command);
void describe_fuzz(CLI::App& app, FuzzCommand& command);

/// Becomes `tactus-lab` with the words that this program was called with: that which lies beside
/// it, else the one of the search path. Returns only where there is none, with exit code 2 and the
/// command that builds it on standard error.
int run_laboratory(char** argv);

}  // namespace tactus::app
