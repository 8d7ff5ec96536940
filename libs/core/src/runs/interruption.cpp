#include "holo/core/runs/interruption.h"

namespace holo {

namespace {

std::atomic<const std::atomic<bool>*> watched{nullptr};

}  // namespace

InterruptionScope::InterruptionScope(const std::atomic<bool>* stop) : outer_(watched.exchange(stop)) {}

InterruptionScope::~InterruptionScope() { watched.store(outer_); }

void throw_if_interrupted() {
  const std::atomic<bool>* stop = watched.load(std::memory_order_relaxed);
  if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw Interrupted();
}

}  // namespace holo
