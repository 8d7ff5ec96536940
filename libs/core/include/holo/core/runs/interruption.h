#pragma once
// Ends long computations from within, after Ctrl-C or another signal.

#include <atomic>
#include <exception>

namespace holo {

// Thrown by throw_if_interrupted(). It is not an Error, since nothing failed. The catching code discards the unfinished work,
// whose state may be inconsistent, and continues from the last saved state.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped by a signal"; }
};

// While an object of this class lives, throw_if_interrupted() reads `stop` in all threads (null: it never throws). A signal
// handler may set `stop`. The innermost scope counts.
class InterruptionScope {
 public:
  explicit InterruptionScope(const std::atomic<bool>* stop);
  ~InterruptionScope();
  InterruptionScope(const InterruptionScope&) = delete;
  InterruptionScope& operator=(const InterruptionScope&) = delete;

 private:
  const std::atomic<bool>* outer_;
};

// Throws Interrupted if the present scope's `stop` is true. It costs two loads: call it at intervals of a fraction of a second.
void throw_if_interrupted();

}  // namespace holo
