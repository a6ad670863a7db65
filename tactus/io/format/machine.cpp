#include "tactus/io/format/machine.hpp"

#include <ctime>
#include <fstream>
#include <thread>

namespace tactus::io {

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
  return name + ", " + std::to_string(std::thread::hardware_concurrency()) + " processors";
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

}  // namespace tactus::io
