#include "tactus/io/robot/robot_reader.hpp"

#include "tactus/core.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/file/line_scanner.hpp"

#ifdef TACTUS_WITH_TINYXML2
#include "tactus/io/robot/mjcf.hpp"
#include "tactus/io/robot/sdf/sdf_reader.hpp"
#include "tactus/io/robot/urdf.hpp"
#endif

namespace tactus::io {
namespace {

#ifndef TACTUS_WITH_TINYXML2
[[noreturn]] void fail_without_xml(const FileNotes& notes) {
  throw FileError(notes.name() +
                  ": robot descriptions are read by tinyxml2 (libtinyxml2-dev), which this program "
                  "was built without");
}
#endif

}  // namespace

#ifdef TACTUS_WITH_TINYXML2

Robot parse_robot(std::string_view text, const std::filesystem::path& folder,
                  const RobotReadOptions& options, FileNotes& notes) {
  tinyxml2::XMLDocument document;
  parse_xml(text, notes.name(), document);
  const XmlElement root(document.RootElement(), notes, "");
  if (!root) throw FileError(notes.name() + ": holds no element");
  RobotShapes shapes(folder, options);
  if (root.name() == "mujoco")
    return robot_of(parse_mjcf(root, folder, shapes, options.visual), notes);
  if (root.name() == "sdf") return robot_of(parse_sdf(text, root, folder, shapes, options), notes);
  if (root.name() != "robot")
    root.fail(
        "is no robot description: the root of URDF is <robot>, of MJCF <mujoco>, of SDF <sdf>");
  return robot_of(parse_urdf(root, shapes, options.visual), notes);
}

std::vector<RobotPair> parse_disabled_pairs(std::string_view text, const Robot& robot,
                                            FileNotes& notes) {
  tinyxml2::XMLDocument document;
  parse_xml(text, notes.name(), document);
  const XmlElement root(document.RootElement(), notes, "");
  if (!root) throw FileError(notes.name() + ": holds no element");
  std::vector<RobotPair> pairs;
  const auto add = [&](const XmlElement& element, const char* first, const char* second) {
    std::uint32_t links[2] = {};
    bool known = true;
    for (int k = 0; k < 2; ++k) {
      const std::string name = element.required_text(k == 0 ? first : second);
      const auto found = robot.find_link(name);
      if (!found) element.note("there is no link " + quoted_word(name));
      known = known && found;
      links[k] = found.value_or(0);
    }
    if (known && links[0] == links[1]) element.fail("pairs a link with itself");
    if (known) pairs.push_back({std::min(links[0], links[1]), std::max(links[0], links[1])});
  };
  if (root.name() == "mujoco") {
    for (XmlElement contact = root.first("contact"); contact; contact = contact.next("contact"))
      for (XmlElement item = contact.first("exclude"); item; item = item.next("exclude"))
        add(item, "body1", "body2");
    return pairs;
  }
  if (root.name() != "robot") root.fail("is no SRDF: its root is <robot>");
  const std::string name(root.text("name").value_or(robot.name()));
  if (name != robot.name())
    root.note("is of robot " + quoted_word(name) + ", not of " + quoted_word(robot.name()));
  constexpr const char* kDisable = "disable_collisions";
  for (XmlElement element = root.first(kDisable); element; element = element.next(kDisable))
    add(element, "link1", "link2");
  return pairs;
}

#else

Robot parse_robot(std::string_view, const std::filesystem::path&, const RobotReadOptions&,
                  FileNotes& notes) {
  fail_without_xml(notes);
}

std::vector<RobotPair> parse_disabled_pairs(std::string_view, const Robot&, FileNotes& notes) {
  fail_without_xml(notes);
}

#endif

bool reads_robots() noexcept {
#ifdef TACTUS_WITH_TINYXML2
  return true;
#else
  return false;
#endif
}

bool reads_sdf() noexcept {
#ifdef TACTUS_WITH_SDFORMAT
  return true;
#else
  return false;
#endif
}

Robot read_robot(const std::filesystem::path& file, const RobotReadOptions& options) {
  FileNotes notes(file.string());
  Robot robot =
      parse_robot(file_content(file), file == "-" ? "." : file.parent_path(), options, notes);
  if (options.warnings != nullptr)
    for (std::string& warning : notes.warnings()) options.warnings->push_back(std::move(warning));
  return robot;
}

std::vector<RobotPair> read_disabled_pairs(const std::filesystem::path& file, const Robot& robot,
                                           std::vector<std::string>* warnings) {
  FileNotes notes(file.string());
  std::vector<RobotPair> pairs = parse_disabled_pairs(file_content(file), robot, notes);
  if (warnings != nullptr)
    for (std::string& warning : notes.warnings()) warnings->push_back(std::move(warning));
  return pairs;
}

}  // namespace tactus::io
