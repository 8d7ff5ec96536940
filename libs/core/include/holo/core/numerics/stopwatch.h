#pragma once
// Clocks [s] and a stopwatch on them, for timings in logs, studies and benchmarks.

#include <time.h>

namespace holo {

inline double read_clock(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}
// Since an arbitrary start; never set back.
inline double wall_seconds() { return read_clock(CLOCK_MONOTONIC); }
// Processor time of this thread: other work on the machine does not lengthen it.
inline double thread_seconds() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

using Clock = double (*)();

template <class Work>
double seconds_of(Clock clock, Work&& work) {
  const double start = clock();
  work();
  return clock() - start;
}

class Stopwatch {
 public:
  explicit Stopwatch(Clock clock = wall_seconds) : clock_(clock), last_(clock()) {}
  // Since the last lap, or the construction.
  double lap() {
    const double now = clock_(), passed = now - last_;
    last_ = now;
    return passed;
  }

 private:
  Clock clock_;
  double last_;
};

}  // namespace holo
