#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tactus::io {

/// Warning of every reader of faces.
inline constexpr const char* kFewCorners = "a face of fewer than three corners is left out";

/// Warnings of the reader of one file: contents that were left out or not understood although the
/// rest could be read. Equal ones are counted together, so that a file of a million unknown lines
/// gives one warning.
class FileNotes {
 public:
  /// Different warnings that are kept; a file with more is not what its ending says.
  static constexpr std::size_t kMost = 20;

  /// `name` stands for the file in warnings and errors.
  explicit FileNotes(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }

  /// `line` counts from 1; 0 where no line is known.
  void add(std::size_t line, const std::string& text) {
    const auto known = std::find_if(notes_.begin(), notes_.end(),
                                    [&](const Note& note) { return note.text == text; });
    if (known != notes_.end()) {
      ++known->count;
    } else if (notes_.size() < kMost) {
      notes_.push_back({line, text, 1});
    } else {
      ++others_;
    }
  }

  /// One line each, in the order of their first places: `name:line: text (and 7 more)`.
  std::vector<std::string> warnings() const {
    std::vector<std::string> lines;
    for (const Note& note : notes_) {
      std::string text = name_ + ":";
      if (note.line > 0) text += std::to_string(note.line) + ":";
      text += " " + note.text;
      if (note.count > 1) text += " (and " + std::to_string(note.count - 1) + " more)";
      lines.push_back(std::move(text));
    }
    if (others_ > 0) lines.push_back(name_ + ": " + std::to_string(others_) + " other warnings");
    return lines;
  }

 private:
  struct Note {
    std::size_t line;
    std::string text;
    std::size_t count;
  };

  std::string name_;
  std::vector<Note> notes_;
  std::size_t others_ = 0;  ///< beyond those that are kept
};

}  // namespace tactus::io
