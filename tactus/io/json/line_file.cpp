#include "tactus/io/json/line_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"

namespace tactus::io {
namespace {

// Bytes asked for at once; a pipe gives at most as many as it holds.
constexpr std::size_t kChunk = std::size_t{1} << 16;

bool holds_a_value(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first != line.npos && !line.substr(first).starts_with("//");
}

std::string reason_of(int error) {
  return std::error_code(error != 0 ? error : EIO, std::generic_category()).message();
}

}  // namespace

LineFile::LineFile(const std::string& name) : name_(name), standard_(name == "-") {
  if (standard_) {
    name_ = "standard input";
    descriptor_ = STDIN_FILENO;
    return;
  }
  require_source(name);
  descriptor_ = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw FileError(name_ + ": cannot be opened: " + reason_of(errno));
}

LineFile::~LineFile() {
  if (!standard_) ::close(descriptor_);
}

// False at the end.
bool LineFile::read_more() {
  if (ended_) return false;
  buffer_.erase(0, begin_);
  searched_ -= begin_;
  begin_ = 0;
  const std::size_t old = buffer_.size();
  buffer_.resize(old + kChunk);
  ssize_t count = -1;
  do {
    errno = 0;
    count = ::read(descriptor_, buffer_.data() + old, kChunk);
  } while (count < 0 && errno == EINTR);
  buffer_.resize(old + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (count < 0) throw FileError(name_ + ": cannot be read: " + reason_of(errno));
  ended_ = count == 0;
  return !ended_;
}

bool LineFile::whole_line() {
  const std::size_t end = buffer_.find('\n', searched_);
  searched_ = std::min(end, buffer_.size());
  return end != std::string::npos;
}

bool LineFile::next(std::string& line) {
  for (;;) {
    while (!whole_line() && read_more()) {
    }
    if (begin_ == buffer_.size()) return false;
    line.assign(buffer_, begin_, searched_ - begin_);
    begin_ = searched_ = std::min(searched_ + 1, buffer_.size());
    ++passed_;
    if (!holds_a_value(line)) continue;
    number_ = passed_;
    return true;
  }
}

bool LineFile::ready() {
  for (;;) {
    while (!ended_ && !whole_line()) {
      pollfd wait{descriptor_, POLLIN, 0};
      if (::poll(&wait, 1, 0) <= 0) return false;
      read_more();
    }
    // Blank lines, which `next` leaves out, must not count as lines to come.
    if (!whole_line() ||
        holds_a_value(std::string_view(buffer_).substr(begin_, searched_ - begin_)))
      return true;
    begin_ = ++searched_;
    ++passed_;
  }
}

std::string LineFile::place() const { return name_ + ":" + std::to_string(number_); }

std::filesystem::path LineFile::folder() const {
  return standard_ ? std::filesystem::path{} : std::filesystem::path(name_).parent_path();
}

}  // namespace tactus::io
