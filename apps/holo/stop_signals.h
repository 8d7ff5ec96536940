#pragma once
// Ends the work of a command after a signal.

#include <atomic>

namespace holo {

// The first SIGINT, SIGTERM or SIGHUP ends the work at its next step; the second one ends the program. A SIGHUP that was to be
// ignored (nohup) still is.
void stop_on_signals();

// Whether there was a signal.
const std::atomic<bool>* stop_request();

}  // namespace holo
