#pragma once

#include <filesystem>
#include <string>

namespace tactus::io {

/// The lines of a file of one JSON value a line; `-` is standard input. Blank lines and those of a
/// comment alone (`//`) are left out, but counted. Whatever bytes a line holds is the parser's
/// matter: a bad line never ends the file. Members throw FileError naming the file and the reason.
class LineFile {
 public:
  explicit LineFile(const std::string& name);
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  ~LineFile();

  /// The next line into `line`, without its end; false at the end of the file. Waits where the
  /// other end of a pipe has not written it yet.
  bool next(std::string& line);
  /// Would `next` not wait? Until it would, answers may be gathered; then they must be written, so
  /// that who reads them can go on to write the next line.
  bool ready();

  /// Number of the line that `next` gave last, from 1.
  int number() const { return number_; }
  /// The file in messages.
  const std::string& name() const { return name_; }
  /// `NAME:NUMBER` of the last line.
  std::string place() const;
  /// Where the files lie that the lines name.
  std::filesystem::path folder() const;

 private:
  bool read_more();
  bool whole_line();

  std::string name_, buffer_;
  std::size_t begin_ = 0;     ///< of what is not handed out yet
  std::size_t searched_ = 0;  ///< no end of a line from there to here
  int descriptor_ = -1, number_ = 0;
  int passed_ = 0;  ///< lines handed out or left out
  bool standard_ = false, ended_ = false;
};

}  // namespace tactus::io
