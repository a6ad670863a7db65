#pragma once

#include <string>

namespace tactus::app {

/// From now on an interrupt (Ctrl-C) or a request to end asks the run to stop after its step; a
/// second one ends the program at once. The first request to end writes `last_words` to standard
/// error: the program may not come to the end of its step.
void watch_interrupts(const std::string& last_words = {});
/// Since then.
bool was_interrupted();

}  // namespace tactus::app
