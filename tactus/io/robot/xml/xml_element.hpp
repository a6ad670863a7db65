#pragma once

#include <tinyxml2.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "tactus/io/robot/xml/element_place.hpp"
#include "tactus/math.hpp"

namespace tactus::io {

/// The XML of a robot description. Throws FileError `name:line: reason` where it is broken.
void parse_xml(std::string_view text, const std::string& name, tinyxml2::XMLDocument& document);

/// An element with the names that its errors give: the file, the line, and what it belongs to.
class XmlElement : public ElementPlace {
 public:
  /// `owner`: like `link 'arm'`, or empty.
  XmlElement(const tinyxml2::XMLElement* element, FileNotes& notes, std::string owner)
      : ElementPlace(notes, element != nullptr ? element->GetLineNum() : 0, std::move(owner),
                     element != nullptr ? element->Name() : ""),
        element_(element) {}

  explicit operator bool() const { return element_ != nullptr; }
  std::string_view name() const { return element_->Name(); }
  const tinyxml2::XMLElement* xml() const { return element_; }

  XmlElement first(const char* name = nullptr) const {
    return {element_->FirstChildElement(name), notes(), owner()};
  }
  XmlElement next(const char* name = nullptr) const {
    return {element_->NextSiblingElement(name), notes(), owner()};
  }
  /// The only child of the name; none where there is none. Throws where there are several.
  XmlElement only(const char* name) const;
  /// The only child of the name. Throws where there is none, or several.
  XmlElement required(const char* name) const;
  /// This element, named as part of another owner.
  XmlElement of(std::string owner) const { return {element_, notes(), std::move(owner)}; }

  /// Empty where the attribute is missing.
  std::optional<std::string> text(const char* attribute) const;
  std::string required_text(const char* attribute) const;
  /// A finite number. Throws for anything else.
  std::optional<double> number(const char* attribute) const;
  double number_or(const char* attribute, double value) const {
    return number(attribute).value_or(value);
  }
  double required_number(const char* attribute) const;
  /// At least 0; 0 is noted.
  double not_negative(const char* attribute) const;
  std::optional<Vec3> vector(const char* attribute) const;

  /// Notes children whose names are not in the list.
  void note_others(std::initializer_list<std::string_view> known) const;

 private:
  const tinyxml2::XMLElement* element_;
};

/// Numbers between blanks, all finite; none where the text is something else or has another count.
std::optional<std::vector<double>> numbers_in(std::string_view text);

}  // namespace tactus::io
