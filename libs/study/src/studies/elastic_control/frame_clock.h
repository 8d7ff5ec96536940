#pragma once
// Wall times of frames and of their stages.

#include <chrono>

namespace holo {

class FrameClock {
 public:
  // Since the construction or the last restart [s].
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  // The same, and begins anew.
  double restart() {
    const double time = seconds();
    start_ = std::chrono::steady_clock::now();
    return time;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace holo
