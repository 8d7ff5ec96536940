#pragma once
// Numbers of a fixed sequence (splitmix64), the same on every machine.

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace holo {

class DrawnNumbers {
 public:
  explicit DrawnNumbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  // Between -1 and 1 [entry].
  Eigen::VectorXd uniform(Eigen::Index count) {
    Eigen::VectorXd result(count);
    for (double& value : result) value = 2 * uniform() - 1;
    return result;
  }
  // Normal deviates of width 1, by the formula of Box and Muller [entry].
  Eigen::VectorXd normal(Eigen::Index count) {
    Eigen::VectorXd result(count);
    for (double& value : result) {
      const double radius = std::sqrt(-2 * std::log(uniform())), angle = 2 * std::numbers::pi * uniform();
      value = radius * std::cos(angle);
    }
    return result;
  }

 private:
  double uniform() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1p-53; }  // in (0, 1)

  std::uint64_t state_;
};

}  // namespace holo
