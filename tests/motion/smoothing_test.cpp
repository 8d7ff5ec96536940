// The smoother is the filter that its header states.
#include "motion/smoothing.h"

#include "refusals.h"

namespace holo {
namespace {

using namespace motion_tests;

// Rounding: second differences of numbers of order 1 have errors of 4 eps, weighted by lambda and 4 in their transpose; the
// solution of a system of at least the identity does not enlarge them.
double smoothing_rounding(double lambda) { return 2.3e-16 * 16 * (4 + lambda); }

TEST(Smoothing, GainOfAHarmonicIsTheStatedOne) {
  const int steps = 60;
  const double time_step = 0.05, cutoff = 1.3;
  const double lambda = smoothing_weight(cutoff, time_step, "test");
  for (const int harmonic : {1, 3, 8, 20}) {
    const double frequency = harmonic / (steps * time_step);
    MotionSignal signal = signal_of(1, steps + 1, time_step,
                                    [&](int, double t) { return 2 + std::sin(2 * std::numbers::pi * frequency * t + 0.4); });
    signal.values.col(steps) = signal.values.col(0);
    const double ratio = std::sin(std::numbers::pi * frequency * time_step) / std::sin(std::numbers::pi * cutoff * time_step);
    const double gain = 1 / (1 + std::pow(ratio, 4));
    const MotionSignal smoothed = smooth(signal, cutoff, SignalEnds::closed);
    EXPECT_LT(largest(smoothed.values.array() - 2 - gain * (signal.values.array() - 2)), smoothing_rounding(lambda))
        << harmonic;
  }
}

TEST(Smoothing, AmplitudeAtTheCutoffIsHalved) {
  const int steps = 40;
  MotionSignal signal = signal_of(1, steps + 1, 0.1, [&](int, double t) { return std::sin(2 * std::numbers::pi * t * 0.5); });
  signal.values.col(steps) = signal.values.col(0);
  EXPECT_LT(largest(smooth(signal, 0.5, SignalEnds::closed).values - 0.5 * signal.values),
            smoothing_rounding(smoothing_weight(0.5, 0.1, "test")));
}

TEST(Smoothing, StraightLinesAreKept) {
  const MotionSignal line = signal_of(2, 200, 0.01, [](int i, double t) { return 1 - (i + 1) * t; });
  for (const double cutoff : {0.2, 5.0, 50.0})
    EXPECT_LT(largest(smooth(line, cutoff, SignalEnds::open).values - line.values),
              smoothing_rounding(smoothing_weight(cutoff, 0.01, "test")))
        << cutoff;
}

TEST(Smoothing, MeanIsKept) {
  MotionSignal noise = closed_signal(1, 301);
  for (int k = 0; k < 300; ++k) noise.values(0, k) += 0.3 * std::sin(1.7 * k * k);
  noise.values.col(300) = noise.values.col(0);
  for (const SignalEnds ends : {SignalEnds::open, SignalEnds::closed}) {
    const int counted = ends == SignalEnds::open ? 301 : 300;
    const MotionSignal smoothed = smooth(noise, 4, ends);
    ASSERT_GT(largest(smoothed.values - noise.values), 0.2);
    EXPECT_NEAR(smoothed.values.leftCols(counted).mean(), noise.values.leftCols(counted).mean(), 1e-12);
  }
}

TEST(Smoothing, NegatedSeamIsSmoothedAsTheDoubledPeriod) {
  Eigen::MatrixXd once(1, 20), twice(1, 40);
  for (int k = 0; k < 20; ++k) once(0, k) = std::cos(std::numbers::pi * k / 20.0) + 0.2 * std::sin(2.9 * k * k);
  twice << once, -once;
  const Eigen::MatrixXd expected = smoothed_closed(twice, 30, 1).leftCols(20);
  EXPECT_LT(largest(smoothed_closed(once, 30, -1) - expected), smoothing_rounding(30));
}

TEST(Smoothing, TwoSamplesStay) {
  const MotionSignal two = signal_of(1, 2, 0.1, [](int, double t) { return t; });
  EXPECT_EQ(smooth(two, 1, SignalEnds::open).values, two.values);
}

TEST(SmoothingBadInput, CutoffsOutOfRangeAreRefused) {
  const MotionSignal signal = closed_signal(1, 21);  // sampled at 10 Hz
  for (const double cutoff : {0.0, -1.0, 0.005, 5.1, std::nan("")})
    EXPECT_REFUSED(smooth(signal, cutoff, SignalEnds::open), "allowed are 0.01 to 5 Hz at a time step of 0.1 s");
  EXPECT_REFUSED(smooth(segment(signal, 0, 10), 1, SignalEnds::closed), "smooth: the signal is not closed");
}

}  // namespace
}  // namespace holo
