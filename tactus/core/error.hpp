#pragma once

#include <stdexcept>
#include <string>

namespace tactus {

/// A value that a constructor or reader refuses: negative radius, NaN, empty point set,
/// non-rotation. `field()` names the offending field as the user wrote it, e.g. `radius` or
/// `parts[2].pose`.
class InvalidInput : public std::runtime_error {
 public:
  InvalidInput(std::string field, const std::string& reason)
      : std::runtime_error(field.empty() ? reason : field + ": " + reason),
        field_(std::move(field)),
        reason_(reason) {}

  const std::string& field() const noexcept { return field_; }
  const std::string& reason() const noexcept { return reason_; }

  /// The same error seen from one level further out: `prefix.field: reason`.
  InvalidInput within(const std::string& prefix) const {
    if (field_.empty()) return {prefix, reason_};
    return {prefix + (field_.front() == '[' ? "" : ".") + field_, reason_};
  }

 private:
  std::string field_;
  std::string reason_;
};

/// A file that cannot be opened, read or written; the message names the file and, where known, the
/// line.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tactus
