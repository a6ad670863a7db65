#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tactus/check.hpp"
#include "tactus/planar.hpp"

namespace tactus::io {

/// Result of one line of a planar query file.
struct PlanarOutcome {
  std::string text;       ///< the answer's line, without the line's end
  std::string complaint;  ///< why the line is no query, or what contradicts its right answer
  bool valid = true;      ///< the line is a query
  bool judged = false;    ///< it carries a right answer
  double error = 0.0;     ///< of the distance, relative to the size
  double width = 0.0;     ///< of the bracket, relative to the size
  /// With `prove`: how many claims the checker has proved, left unproved, refuted; and the first
  /// that is not proved.
  int proved = 0, unproved = 0, refuted = 0;
  std::string unproved_claim;
};

/// The bodies of a line and what it asks.
struct PlanarPair {
  const planar::PlanarShape& a;
  const planar::PlanarShape& b;
  planar::Pose2 pose_a, pose_b;
  const std::string& ask;
};

struct PlanarAnswerOptions {
  bool prove = false;        ///< let the checker judge the answer
  bool certificate = false;  ///< add what shows a depth: the translation that parts the bodies
  /// Finds the field `literal` that a line with `"method":"literal"` gets beside the exact answer.
  /// Empty: that method is unknown. May throw InvalidInput.
  std::function<nlohmann::ordered_json(const PlanarPair& pair)> literal = {};
};

/// Answers lines of planar query files (`docs/guide/planar.md`). Safe to use from many threads.
class PlanarAnswerer {
 public:
  /// Paths in `file` fields are relative to `folder`.
  explicit PlanarAnswerer(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

  /// Never throws for what the line contains: the answer then is `invalid_input` and names the
  /// field and the reason.
  PlanarOutcome answer(std::string_view line, const PlanarAnswerOptions& options = {});

  /// The parsed contents of a contour file, read once. Throws InvalidInput (`file`).
  const nlohmann::json& contour_file(const std::string& name);

 private:
  std::filesystem::path folder_;
  std::mutex mutex_;
  std::map<std::string, nlohmann::json> files_;
};

}  // namespace tactus::io
