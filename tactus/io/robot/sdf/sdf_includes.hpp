#pragma once

#include <filesystem>
#include <map>
#include <sdf/ParserConfig.hh>
#include <set>
#include <string>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/io/robot/xml/xml_element.hpp"

namespace tactus::io {

/// Finds the files that the elements `include` of an SDF text name, before libsdformat does: it
/// would look into the working folder first, and follow files that include each other for ever.
class SdfIncludes {
 public:
  SdfIncludes(const RobotReadOptions& options, sdf::ParserConfig& config)
      : options_(options), config_(config) {}

  /// Looks through the text whose root is given, and all that it includes; `folder` is its folder.
  /// Names of included files become known to the configuration, paths in `text` absolute. Throws
  /// FileError.
  void find(const XmlElement& root, const std::filesystem::path& folder, std::string& text);

 private:
  void look_through(const XmlElement& element, const std::filesystem::path& folder,
                    std::string* text);
  void include(const XmlElement& element, const std::filesystem::path& folder, std::string* text);
  void follow(const XmlElement& element, const std::filesystem::path& file);
  void tell(const XmlElement& element, const std::string& uri, const std::filesystem::path& found);

  const RobotReadOptions& options_;
  sdf::ParserConfig& config_;
  std::map<std::string, std::filesystem::path> known_;  ///< names and what they stand for
  std::set<std::filesystem::path> checked_;             ///< files that libsdformat can read
  std::vector<std::filesystem::path> chain_;            ///< files that include the present one
  int count_ = 0;
};

}  // namespace tactus::io
