#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <sdf/Element.hh>
#include <string>
#include <vector>

#include "tactus/io/robot/xml/element_place.hpp"
#include "tactus/math.hpp"

namespace tactus::io {

/// The notes on the files of an SDF description: its own, and those of the files that it includes.
class SdfNotes {
 public:
  explicit SdfNotes(FileNotes& own) : own_(own) {}

  /// `file`: as libsdformat calls it; empty for the text itself.
  FileNotes& of(const std::string& file);
  FileNotes& own() const { return own_; }
  /// Hands the notes on included files to those of the text.
  void finish();

 private:
  FileNotes& own_;
  std::deque<FileNotes> included_;
};

/// An element of the tree that libsdformat reads, which keeps the text of every number, with the
/// names that its errors give. A number that the file leaves out has the text of its default.
class SdfElement : public ElementPlace {
 public:
  /// `owner`: like `link 'arm'`, or empty.
  SdfElement(sdf::ElementPtr element, SdfNotes& notes, std::string owner);

  explicit operator bool() const { return element_ != nullptr; }
  const std::string& name() const { return element_->GetName(); }
  /// Folder of the file that holds the element; none where that is the description itself.
  std::optional<std::filesystem::path> included_folder() const;
  SdfElement of(std::string owner) const { return {element_, *files_, std::move(owner)}; }

  SdfElement child(const char* name) const {
    return {element_->FindElement(name), *files_, owner()};
  }
  SdfElement required(const char* name) const;
  /// All children, or those of a name.
  std::vector<SdfElement> children(const std::string& name = "") const;

  /// Without blanks at its ends.
  std::string text() const;
  /// None where the file does not give it.
  std::optional<std::string> attribute(const char* name) const;
  /// Finite numbers, so many. Throws for anything else.
  std::vector<double> numbers(std::size_t count) const;
  double number() const { return numbers(1).front(); }
  Vec3 vector() const;
  /// The number of a child, at least 0; 0 is noted.
  double not_negative(const char* child) const;

 private:
  sdf::ElementPtr element_;
  SdfNotes* files_;
};

/// The element `pose` of an element: its pose in the frame `relative_to`, which is empty where the
/// file names none.
struct SdfPose {
  Pose pose;
  std::string relative_to;
};
SdfPose pose_of(const SdfElement& element);

}  // namespace tactus::io
