#ifdef TACTUS_WITH_TINYXML2

#include "tactus/io/robot/xml/xml_element.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {

void parse_xml(std::string_view text, const std::string& name, tinyxml2::XMLDocument& document) {
  if (document.Parse(text.data(), text.size()) == tinyxml2::XML_SUCCESS) return;
  std::string reason = document.ErrorName();
  for (char& c : reason) c = c == '_' ? ' ' : static_cast<char>(std::tolower(c));
  const int line = document.ErrorLineNum();
  throw FileError(name + (line > 0 ? ":" + std::to_string(line) : std::string()) +
                  ": broken XML (" + reason + ")");
}

std::optional<std::vector<double>> numbers_in(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    const auto number = number_in(text.substr(at, end - at));
    if (!number || !std::isfinite(*number)) return std::nullopt;
    numbers.push_back(*number);
    at = text.find_first_not_of(kBlanks, end);
  }
  return numbers;
}

XmlElement XmlElement::only(const char* child) const {
  const XmlElement found = first(child);
  if (!found) return found;
  if (const XmlElement second = found.next(child)) second.fail("is given twice");
  return found;
}

XmlElement XmlElement::required(const char* child) const {
  const XmlElement found = only(child);
  if (!found) fail(std::string("has no <") + child + ">");
  return found;
}

std::optional<std::string> XmlElement::text(const char* attribute) const {
  const char* value = element_->Attribute(attribute);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

std::string XmlElement::required_text(const char* attribute) const {
  const auto value = text(attribute);
  if (!value || value->empty()) fail(std::string("has no ") + attribute);
  return *value;
}

std::optional<double> XmlElement::number(const char* attribute) const {
  const auto value = text(attribute);
  if (!value) return std::nullopt;
  const auto numbers = numbers_in(*value);
  if (!numbers || numbers->size() != 1)
    fail(std::string(attribute) + "=" + quoted_word(*value) + " is no finite number");
  return numbers->front();
}

double XmlElement::required_number(const char* attribute) const {
  const auto value = number(attribute);
  if (!value) fail(std::string("has no ") + attribute);
  return *value;
}

double XmlElement::not_negative(const char* attribute) const {
  const double value = required_number(attribute);
  if (!(value >= 0.0)) fail(std::string(attribute) + " must be at least 0");
  if (value == 0.0) note(std::string(attribute) + " is 0");
  return value;
}

std::optional<Vec3> XmlElement::vector(const char* attribute) const {
  const auto value = text(attribute);
  if (!value) return std::nullopt;
  const auto numbers = numbers_in(*value);
  if (!numbers || numbers->size() != 3)
    fail(std::string(attribute) + "=" + quoted_word(*value) + " is no three finite numbers");
  return Vec3{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

void XmlElement::note_others(std::initializer_list<std::string_view> known) const {
  for (XmlElement child = first(); child; child = child.next())
    if (std::find(known.begin(), known.end(), child.name()) == known.end())
      child.note("is not looked at");
}

}  // namespace tactus::io

#endif
