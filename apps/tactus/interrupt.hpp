#pragma once

namespace tactus::app {

/// From now on an interrupt (Ctrl-C) or a request to end asks the run to stop after its step; a
/// second one ends the program at once.
void watch_interrupts();
/// Since then.
bool was_interrupted();

}  // namespace tactus::app
