#pragma once
// Lets long computations end when the user asks for it, by Ctrl-C or a signal, wherever they are.

#include <atomic>
#include <exception>

namespace holo {

// Thrown by throw_if_interrupted(). Not an Error, since nothing went wrong: whoever catches it drops the work under way, whose
// state may be half done, and keeps what was saved before.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped by a signal"; }
};

// While it lives, computations of all threads watch `stop` (nullptr: nothing), which a signal handler may set. Scopes nest.
class InterruptionScope {
 public:
  explicit InterruptionScope(const std::atomic<bool>* stop);
  ~InterruptionScope();
  InterruptionScope(const InterruptionScope&) = delete;
  InterruptionScope& operator=(const InterruptionScope&) = delete;

 private:
  const std::atomic<bool>* outer_;
};

// Costs two loads: call it once for each unit of work that takes at most a fraction of a second.
void throw_if_interrupted();

}  // namespace holo
