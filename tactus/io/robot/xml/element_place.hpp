#pragma once

#include <string>

#include "tactus/core.hpp"
#include "tactus/io/file/file_notes.hpp"

namespace tactus::io {

/// Where an element of a robot description stands: its errors and notes begin with the file, the
/// line, the link or joint that it belongs to, and its name.
class ElementPlace {
 public:
  /// `line`: 0 where none is known. `owner`: like `link 'arm'`, or empty.
  ElementPlace(FileNotes& notes, int line, std::string owner, std::string element)
      : notes_(&notes), line_(line), owner_(std::move(owner)), element_(std::move(element)) {}

  int line() const { return line_; }
  const std::string& owner() const { return owner_; }
  FileNotes& notes() const { return *notes_; }
  /// `file:line`
  std::string text_place() const {
    return notes_->name() + (line_ > 0 ? ":" + std::to_string(line_) : std::string());
  }

  void note(const std::string& reason) const {
    notes_->add(static_cast<std::size_t>(line_), described() + reason);
  }
  /// Throws FileError: `file:line: owner: <element>: reason`.
  [[noreturn]] void fail(const std::string& reason) const {
    throw FileError(text_place() + ": " + described() + reason);
  }

 private:
  std::string described() const {
    return (owner_.empty() ? "" : owner_ + ": ") + "<" + element_ + ">: ";
  }

  FileNotes* notes_;
  int line_;
  std::string owner_, element_;
};

}  // namespace tactus::io
