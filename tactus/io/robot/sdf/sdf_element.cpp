#ifdef TACTUS_WITH_SDFORMAT

#include "tactus/io/robot/sdf/sdf_element.hpp"

#include <sdf/Param.hh>

#include "tactus/core/constants.hpp"
#include "tactus/io/file/line_scanner.hpp"
#include "tactus/io/robot/xml/robot_parts.hpp"
#include "tactus/io/robot/xml/xml_element.hpp"

namespace tactus::io {
namespace {

/// Elements that defaults have made have no line: that of the element around them.
int line_of(sdf::ElementPtr element) {
  for (; element != nullptr; element = element->GetParent())
    if (const auto line = element->LineNumber()) return *line;
  return 0;
}

}  // namespace

FileNotes& SdfNotes::of(const std::string& file) {
  if (file.empty() || file.front() == '<') return own_;
  const std::string name = std::filesystem::path(file).lexically_normal().string();
  for (FileNotes& notes : included_)
    if (notes.name() == name) return notes;
  return included_.emplace_back(name);
}

void SdfNotes::finish() {
  for (const FileNotes& notes : included_)
    for (const std::string& warning : notes.warnings()) own_.add(0, warning);
}

SdfElement::SdfElement(sdf::ElementPtr element, SdfNotes& notes, std::string owner)
    : ElementPlace(notes.of(element != nullptr ? element->FilePath() : ""), line_of(element),
                   std::move(owner), element != nullptr ? element->GetName() : ""),
      element_(std::move(element)),
      files_(&notes) {}

std::optional<std::filesystem::path> SdfElement::included_folder() const {
  if (&notes() == &files_->own()) return std::nullopt;
  return std::filesystem::path(notes().name()).parent_path();
}

SdfElement SdfElement::required(const char* name) const {
  SdfElement found = child(name);
  if (!found) fail(std::string("has no <") + name + ">");
  return found;
}

std::vector<SdfElement> SdfElement::children(const std::string& name) const {
  std::vector<SdfElement> list;
  sdf::ElementPtr child = element_->GetFirstElement();
  for (; child != nullptr; child = child->GetNextElement())
    if (name.empty() || child->GetName() == name) list.emplace_back(child, *files_, owner());
  return list;
}

std::string SdfElement::text() const {
  constexpr const char* kBlanks = " \t\r\n\v\f";
  const sdf::ParamPtr value = element_->GetValue();
  const std::string text = value != nullptr ? value->GetAsString() : std::string();
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<std::string> SdfElement::attribute(const char* name) const {
  const sdf::ParamPtr value = element_->GetAttribute(name);
  if (value == nullptr || !value->GetSet()) return std::nullopt;
  return value->GetAsString();
}

std::vector<double> SdfElement::numbers(std::size_t count) const {
  auto numbers = numbers_in(text());
  if (!numbers || numbers->size() != count)
    fail(quoted_word(text()) + " is no " +
         (count == 1 ? "finite number" : std::to_string(count) + " finite numbers"));
  return std::move(*numbers);
}

Vec3 SdfElement::vector() const {
  const std::vector<double> v = numbers(3);
  return {v[0], v[1], v[2]};
}

double SdfElement::not_negative(const char* name) const {
  const SdfElement element = required(name);
  const double value = element.number();
  if (!(value >= 0.0)) element.fail("must be at least 0");
  if (value == 0.0) element.note("is 0");
  return value;
}

SdfPose pose_of(const SdfElement& element) {
  SdfPose found;
  const SdfElement pose = element.child("pose");
  if (!pose) return found;
  found.relative_to = pose.attribute("relative_to").value_or("");
  if (pose.text().empty()) return found;
  const std::string format = pose.attribute("rotation_format").value_or("euler_rpy");
  if (format == "quat_xyzw") {
    const std::vector<double> v = pose.numbers(7);
    const Quat quat{v[6], v[3], v[4], v[5]};
    if (!(norm(quat) > 0.0)) pose.fail("the quaternion must not be zero");
    found.pose = detail::unchecked_pose({v[0], v[1], v[2]}, to_matrix(normalized(quat)));
    return found;
  }
  if (format != "euler_rpy")
    pose.fail("rotation_format " + quoted_word(format) + " is neither euler_rpy nor quat_xyzw");
  const std::vector<double> v = pose.numbers(6);
  Vec3 angles{v[3], v[4], v[5]};
  const std::string degrees = pose.attribute("degrees").value_or("false");
  if (degrees == "true" || degrees == "1") angles = angles * (1.0 / detail::kDegrees);
  if (max_abs(angles) > kMostAngle) pose.fail(kTooManyTurns);
  found.pose = detail::unchecked_pose({v[0], v[1], v[2]}, roll_pitch_yaw(angles));
  return found;
}

}  // namespace tactus::io

#endif
