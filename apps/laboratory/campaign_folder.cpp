#include "apps/laboratory/campaign_folder.hpp"

#include <nlohmann/json.hpp>

#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::app {
namespace {

constexpr std::chrono::seconds kSaveEvery{10};
constexpr const char* kState = "state.json";

}  // namespace

CampaignFolder::CampaignFolder(const std::string& name) : folder_(name) {
  if (kept()) lock_.emplace(name);
}

nlohmann::json CampaignFolder::state() const {
  const std::string text = io::file_content(file(kState));
  try {
    return io::parse_json(text);
  } catch (const InvalidInput& error) {
    refuse(error.what());
  }
}

void CampaignFolder::refuse(const std::string& reason) const {
  throw InvalidInput(file(kState).string(), reason);
}

bool CampaignFolder::is_due() const {
  return kept() && std::chrono::steady_clock::now() - saved_ > kSaveEvery;
}

void CampaignFolder::save(const nlohmann::json& state) {
  if (!kept()) return;
  io::write_atomically(file(kState), io::json_dump(state, 1));
  saved_ = std::chrono::steady_clock::now();
}

}  // namespace tactus::app
