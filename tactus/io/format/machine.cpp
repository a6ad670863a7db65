#include "tactus/io/format/machine.hpp"

#include <array>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>

namespace tactus::io {
namespace {

#ifndef __EMSCRIPTEN__  // which has no processes
// Pages that an earlier experiment has written are no change of the sources.
constexpr const char* kCommit =
    "c=$(git describe --always --abbrev=10 --exclude '*' 2>/dev/null) && echo \"$c$(git diff "
    "--quiet "
    "HEAD -- ':/' ':(exclude,top)docs' 2>/dev/null || echo -dirty)\"";
#endif

std::string commit() {
  std::string name;
#ifndef __EMSCRIPTEN__
  if (std::FILE* git = popen(kCommit, "r")) {
    std::array<char, 64> text{};
    if (std::fgets(text.data(), static_cast<int>(text.size()), git) != nullptr) name = text.data();
    pclose(git);
  }
#endif
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name.empty() ? "unknown" : name;
}

}  // namespace

std::string machine_name() {
  std::string name = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
      name = line.substr(colon + 2);
      break;
    }
  }
  return name + ", " + std::to_string(std::thread::hardware_concurrency()) +
         " processors, commit " + commit();
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

}  // namespace tactus::io
