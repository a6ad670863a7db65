#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "tactus/io/run/folder_lock.hpp"

namespace tactus::app {

/// The folder of a long campaign: its state, from which a later run goes on. Without a name nothing
/// is kept. One campaign at a time has it.
class CampaignFolder {
 public:
  /// Makes the folder. Throws FileError when that is not possible, or another run has it.
  explicit CampaignFolder(const std::string& name);

  /// Throws InvalidInput, naming the file, when there is no state or it is not JSON.
  nlohmann::json state() const;
  /// Throws InvalidInput, naming the file, for a state that cannot be used for this reason.
  [[noreturn]] void refuse(const std::string& reason) const;
  /// Is the state on disk older than ten seconds?
  bool is_due() const;
  void save(const nlohmann::json& state);
  bool kept() const { return !folder_.empty(); }
  std::filesystem::path file(const char* name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
  std::optional<io::FolderLock> lock_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
};

}  // namespace tactus::app
