#ifdef TACTUS_WITH_SDFORMAT

#include "tactus/io/robot/sdf/sdf_includes.hpp"

#include <algorithm>
#include <iterator>
#include <sdf/parser.hh>

#include "tactus/core.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/file/line_scanner.hpp"
#include "tactus/io/robot/sdf/sdf_document.hpp"
#include "tactus/io/robot/xml/robot_shapes.hpp"

namespace tactus::io {
namespace {

using std::filesystem::path;

// Each inclusion is read anew, so that a few files could stand for billions.
constexpr int kMostIncludes = 100;

/// The text of an element without blanks at its ends, and as it stands in the file.
std::pair<std::string, std::string> text_of(const tinyxml2::XMLElement* element) {
  const std::string raw = element->GetText() != nullptr ? element->GetText() : "";
  constexpr const char* kBlanks = " \t\r\n";
  const std::size_t begin = raw.find_first_not_of(kBlanks);
  if (begin == raw.npos) return {"", raw};
  return {raw.substr(begin, raw.find_last_not_of(kBlanks) - begin + 1), raw};
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

/// From version 1.8 on, `::` in a name is wrong, and libsdformat would tell so on the console.
void refuse_scoped_names(const XmlElement& element) {
  const std::string name = element.text("name").value_or("");
  if (name.find("::") != name.npos) element.fail("name " + quoted_word(name) + " holds \"::\"");
  for (XmlElement child = element.first(); child; child = child.next()) refuse_scoped_names(child);
}

/// Throws where the version is missing, or the names are not as it asks.
void check_version(const XmlElement& root) {
  const std::string version = root.text("version").value_or("");
  if (version.empty()) root.fail("has no version");
  constexpr const char* kUnscoped[] = {"1.4", "1.5", "1.6", "1.7"};
  if (std::find(std::begin(kUnscoped), std::end(kUnscoped), version) == std::end(kUnscoped))
    refuse_scoped_names(root);
}

}  // namespace

void SdfIncludes::find(const XmlElement& root, const path& folder, std::string& text) {
  check_version(root);
  look_through(root, folder, &text);
}

void SdfIncludes::look_through(const XmlElement& element, const path& folder, std::string* text) {
  for (XmlElement child = element.first(); child; child = child.next()) {
    if (child.name() == "include")
      include(child, folder, text);
    else
      look_through(child, folder, text);
  }
}

void SdfIncludes::include(const XmlElement& element, const path& folder, std::string* text) {
  const std::string merge = element.text("merge").value_or("false");
  if (merge != "false" && merge != "0")
    element.fail("merge is not read: libsdformat 12 rounds the poses of merged models to 6 digits");
  const XmlElement uri = element.required("uri");
  const auto [name, raw] = text_of(uri.xml());
  if (name.empty()) uri.fail("names no file");
  if (++count_ > kMostIncludes) uri.fail("is one of more than " + std::to_string(kMostIncludes));
  std::vector<std::string> tried;
  const auto found = find_named(name, folder, options_, tried, NamedPlace::file_or_folder);
  if (!found) uri.fail(not_found(name, tried));
  const path place = std::filesystem::absolute(*found).lexically_normal();
  if (name.find("://") != name.npos) {
    tell(uri, name, place);
  } else if (text != nullptr) {
    replace_all(*text, ">" + raw + "<", ">" + place.string() + "<");
  } else if (!path(name).is_absolute()) {
    uri.fail("an included file names others by model://NAME, not by a path from its own folder");
  }
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(place, error);
  const path file = is_folder ? path(sdf::getModelFilePath(place.string())) : place;
  if (file.empty()) uri.fail(place.string() + " holds no model.config that names an SDF file");
  follow(uri, file.lexically_normal());
}

void SdfIncludes::tell(const XmlElement& uri, const std::string& name, const path& found) {
  const auto [at, is_new] = known_.try_emplace(name, found);
  if (!is_new && at->second != found)
    uri.fail(quoted_word(name) + " stands for " + at->second.string() + " elsewhere, here for " +
             found.string());
  if (!is_new || name.compare(0, 7, "file://") == 0) return;
  // libsdformat replaces the beginning of a name by a folder.
  std::error_code error;
  if (std::filesystem::is_directory(found, error))
    config_.AddURIPath(name, found.string());
  else
    config_.AddURIPath(name.substr(0, name.rfind('/') + 1), found.parent_path().string());
}

void SdfIncludes::follow(const XmlElement& uri, const path& file) {
  if (std::find(chain_.begin(), chain_.end(), file) != chain_.end())
    uri.fail("files include each other: " + file.string());
  std::string content;
  try {
    content = file_content(file);
  } catch (const FileError& error) {
    uri.fail(error.what());
  }
  FileNotes notes(file.string());
  tinyxml2::XMLDocument document;
  parse_xml(content, file.string(), document);
  const XmlElement root(document.RootElement(), notes, "");
  if (!root || root.name() != "sdf") uri.fail(file.string() + ": the root of SDF is <sdf>");
  check_version(root);
  chain_.push_back(file);
  look_through(root, file.parent_path(), nullptr);
  chain_.pop_back();
  // libsdformat takes a file that it cannot read for URDF, and tells so on the console.
  if (checked_.insert(file).second) {
    SdfNotes within(notes);
    read_sdf_tree(content, config_, root, within);
  }
}

}  // namespace tactus::io

#endif
