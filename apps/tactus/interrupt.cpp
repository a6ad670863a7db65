#include "apps/tactus/interrupt.hpp"

#include <csignal>

namespace tactus::app {
namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void watch_interrupts() {
  interrupted = 0;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool was_interrupted() { return interrupted != 0; }

}  // namespace tactus::app
