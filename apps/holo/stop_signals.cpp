#include "stop_signals.h"

#include <signal.h>

namespace holo {

namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

}  // namespace

void stop_on_signals() {
  struct sigaction action = {}, before = {};
  action.sa_handler = [](int) { stop_requested = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

const std::atomic<bool>* stop_request() { return &stop_requested; }

}  // namespace holo
