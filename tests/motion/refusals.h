#pragma once
// What is said when motions are refused, and signals that tests begin with.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "holo/core/error.h"
#include "holo/sim/motion/signal.h"

namespace holo::motion_tests {

// The message of the Error(input) that `call` throws.
inline std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return "";
}

#define EXPECT_REFUSED(call, part)                                                                       \
  do {                                                                                                   \
    const std::string text_of_refusal = ::holo::motion_tests::refusal([&] { static_cast<void>(call); }); \
    EXPECT_NE(text_of_refusal.find(part), std::string::npos) << text_of_refusal;                         \
  } while (false)

// One column for each knot, of `component(i, t)`.
inline MotionSignal signal_of(int components, int count, double time_step,
                              const std::function<double(int, double)>& component) {
  MotionSignal signal{Eigen::MatrixXd(components, count), time_step, "m"};
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < components; ++i) signal.values(i, k) = component(i, k * time_step);
  return signal;
}

// A closed motion of period 2 s at `count` knots.
inline MotionSignal closed_signal(int components, int count) {
  MotionSignal signal = signal_of(components, count, 2.0 / (count - 1), [](int i, double t) {
    const double phase = std::numbers::pi * t;
    return 0.3 * (i + 1) + std::sin(phase + i) + 0.4 * std::cos(2 * phase - 0.7 * i) + 0.1 * std::sin(3 * phase);
  });
  signal.values.rightCols<1>() = signal.values.leftCols<1>();
  return signal;
}

inline double largest(const Eigen::MatrixXd& matrix) { return matrix.cwiseAbs().maxCoeff(); }

}  // namespace holo::motion_tests
