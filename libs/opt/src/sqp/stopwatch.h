#pragma once
// Stopwatches: seconds between laps, of the wall clock and of a thread's processor time.

#include <time.h>

#include <chrono>

namespace holo {

class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Laps of this thread's processor time.
class ProcessorStopwatch {
 public:
  double lap() {
    const double now = read(), passed = now - last_;
    last_ = now;
    return passed;
  }

 private:
  static double read() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  }
  double last_ = read();
};

}  // namespace holo
