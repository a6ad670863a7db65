#include "apps/tactus/interrupt.hpp"

#include <unistd.h>

#include <csignal>

namespace tactus::app {
namespace {

volatile std::sig_atomic_t interrupted = 0;
std::string words;

extern "C" void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
  // Nothing else may be called here.
  if (signal == SIGTERM && !words.empty() && write(STDERR_FILENO, words.data(), words.size()) < 0)
    interrupted = 1;
}

}  // namespace

void watch_interrupts(const std::string& last_words) {
  interrupted = 0;
  words = last_words;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool was_interrupted() { return interrupted != 0; }

}  // namespace tactus::app
