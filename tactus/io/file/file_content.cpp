#include "tactus/io/file/file_content.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/file/standard_input.hpp"

namespace tactus::io {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

[[noreturn]] void fail(const std::string& name, const char* what) {
  throw FileError(name + ": " + what + ": " +
                  std::error_code(errno, std::generic_category()).message());
}

// An open file, closed in the end.
struct Descriptor {
  explicit Descriptor(const std::filesystem::path& file)
      : number(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  int number;
};

}  // namespace

std::string read_all(int descriptor, const std::string& name) {
  std::string content;
  for (;;) {
    const std::size_t old = content.size();
    content.resize(old + kChunk);
    const ssize_t count = ::read(descriptor, content.data() + old, kChunk);
    content.resize(old + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return content;
    if (count < 0 && errno != EINTR) fail(name, "cannot be read");
  }
}

std::string file_content(const std::filesystem::path& file) {
  if (file == "-") return standard_input();
  require_source(file);
  const Descriptor opened(file);
  if (opened.number < 0) fail(file.string(), "cannot be opened");
  return read_all(opened.number, file.string());
}

}  // namespace tactus::io
