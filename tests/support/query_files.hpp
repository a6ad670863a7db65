#pragma once

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

namespace tactus::detail::test {

/// Files of queries with right answers: this repository's own (tests/support/exact_cases.py made
/// it), and beside it those of the acceptance data, where they lie at ../shared, whose names begin
/// so.
inline std::vector<std::filesystem::path> query_files(std::string_view prefix = "") {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  const fs::path acceptance = fs::path(TACTUS_SOURCE_DIR) / "../shared/data/queries";
  if (fs::exists(acceptance)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(acceptance)) {
      if (entry.path().extension() == ".jsonl" &&
          entry.path().filename().string().starts_with(prefix))
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
  }
  files.insert(files.begin(),
               fs::path(TACTUS_SOURCE_DIR) / "tests/regression/data/exact_cases.jsonl");
  return files;
}

}  // namespace tactus::detail::test
