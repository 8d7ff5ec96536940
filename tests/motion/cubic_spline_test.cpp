// Splines reproduce the polynomials that they should, and are as smooth as they say.
#include <limits>

#include "holo/sim/motion/spline.h"
#include "refusals.h"

namespace holo {
namespace {

using namespace motion_tests;

const Eigen::VectorXd uneven_times = (Eigen::VectorXd(7) << -0.5, 0.1, 0.3, 1.0, 1.2, 2.0, 2.1).finished();

// A polynomial of the given degree and its first two derivatives.
double spline_polynomial(int degree, double t, int order) {
  const double c[] = {0.7, -1.2, 0.9, 0.35};
  double value = 0;
  for (int i = order; i <= degree; ++i) {
    double term = c[i] * std::pow(t, i - order);
    for (int j = 0; j < order; ++j) term *= i - j;
    value += term;
  }
  return value;
}

Eigen::MatrixXd spline_samples(int degree, const Eigen::VectorXd& times) {
  return times.unaryExpr([&](double t) { return spline_polynomial(degree, t, 0); }).transpose();
}

// Values of order 3 on pieces down to 0.1 wide: a derivative loses a factor of 6 / width each.
void expect_reproduces(const CubicSpline& spline, int degree) {
  for (int i = 0; i <= 260; ++i) {
    const double t = -0.5 + 0.01 * i;
    EXPECT_NEAR(evaluate(spline, t)[0], spline_polynomial(degree, t, 0), 2e-14) << t;
    EXPECT_NEAR(evaluate(spline, t, 1)[0], spline_polynomial(degree, t, 1), 1e-12) << t;
    EXPECT_NEAR(evaluate(spline, t, 2)[0], spline_polynomial(degree, t, 2), 6e-11) << t;
  }
}

TEST(CubicSpline, SmoothOneReproducesCubics) {
  expect_reproduces(make_spline(uneven_times, spline_samples(3, uneven_times), SplineKind::smooth), 3);
}

TEST(CubicSpline, FewKnotsCarryThePolynomialThroughThem) {
  const Eigen::VectorXd ends = (Eigen::VectorXd(2) << -0.5, 2.1).finished();
  const Eigen::VectorXd three = (Eigen::VectorXd(3) << -0.5, 0.3, 2.1).finished();
  const Eigen::VectorXd four = (Eigen::VectorXd(4) << -0.5, 0.3, 1, 2.1).finished();
  for (const SplineKind kind : {SplineKind::smooth, SplineKind::natural, SplineKind::catmull_rom, SplineKind::monotone})
    expect_reproduces(make_spline(ends, spline_samples(1, ends), kind), 1);
  expect_reproduces(make_spline(three, spline_samples(2, three), SplineKind::smooth), 2);
  expect_reproduces(make_spline(four, spline_samples(3, four), SplineKind::smooth), 3);
}

TEST(CubicSpline, NaturalOneReproducesLinesAndHasNoCurvatureAtItsEnds) {
  expect_reproduces(make_spline(uneven_times, spline_samples(1, uneven_times), SplineKind::natural), 1);
  const CubicSpline spline = make_spline(uneven_times, spline_samples(3, uneven_times), SplineKind::natural);
  EXPECT_NEAR(evaluate(spline, -0.5, 2)[0], 0, 1e-11);
  EXPECT_NEAR(evaluate(spline, 2.1, 2)[0], 0, 1e-11);
  EXPECT_GT(std::abs(evaluate(spline, 1.0, 2)[0]), 1);
}

TEST(CubicSpline, LocalKindsReproduceWhatTheyShould) {
  expect_reproduces(make_spline(uneven_times, spline_samples(2, uneven_times), SplineKind::catmull_rom), 2);
  expect_reproduces(make_spline(uneven_times, spline_samples(1, uneven_times), SplineKind::monotone), 1);
}

TEST(CubicSpline, SlopesOfOnesOwnReproduceCubics) {
  const Eigen::MatrixXd slopes = uneven_times.unaryExpr([](double t) { return spline_polynomial(3, t, 1); }).transpose();
  expect_reproduces(make_spline(uneven_times, spline_samples(3, uneven_times), slopes), 3);
}

TEST(CubicSpline, MonotoneOneDoesNotOvershoot) {
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(6, 0, 5);
  const Eigen::MatrixXd values = (Eigen::MatrixXd(1, 6) << 0, 0, 0.1, 2, 2, 1).finished();
  const CubicSpline monotone = make_spline(times, values, SplineKind::monotone);
  const CubicSpline smooth = make_spline(times, values, SplineKind::smooth);
  double overshoot = 0;
  for (int i = 0; i < 5; ++i)
    for (double s = 0; s <= 1; s += 0.01) {
      const double low = std::min(values(0, i), values(0, i + 1)), high = std::max(values(0, i), values(0, i + 1));
      EXPECT_GE(evaluate(monotone, i + s)[0], low - 1e-15);
      EXPECT_LE(evaluate(monotone, i + s)[0], high + 1e-15);
      overshoot = std::max(overshoot, evaluate(smooth, i + s)[0] - high);
    }
  EXPECT_GT(overshoot, 0.05);  // the others do
}

TEST(CubicSpline, ClosedOneIsTwiceDifferentiableAcrossTheSeam) {
  const MotionSignal signal = closed_signal(3, 13);
  const CubicSpline spline = spline_through(signal, SplineKind::smooth, SignalEnds::closed);
  for (int order = 0; order <= 2; ++order) {
    // The limits from both sides: `spline` is cubic on either piece, so its second derivative is a line there.
    const double near = 1e-3;
    const Eigen::VectorXd after = 2 * evaluate(spline, near, order) - evaluate(spline, 2 * near, order);
    const Eigen::VectorXd before = 2 * evaluate(spline, 2 - near, order) - evaluate(spline, 2 - 2 * near, order);
    // Extrapolated to the seam: exact for order 2; else of error near^2 times a second or third derivative, of which those of
    // the motion are at most pi^3 (1 + 8 * 0.4 + 27 * 0.1) = 214, on both sides.
    EXPECT_LT(largest(after - before), order == 2 ? 1e-11 : 2 * 214 * near * near) << order;
  }
  // Not so with open ends.
  const CubicSpline open = spline_through(signal, SplineKind::smooth, SignalEnds::open);
  EXPECT_GT(largest(evaluate(open, 0, 2) - evaluate(open, 2, 2)), 0.1);
}

TEST(CubicSpline, ClosedOneRepeats) {
  for (const SplineKind kind : {SplineKind::smooth, SplineKind::catmull_rom, SplineKind::monotone}) {
    const CubicSpline spline = spline_through(closed_signal(2, 11), kind, SignalEnds::closed);
    EXPECT_LT(largest(evaluate(spline, 0.37) - evaluate(spline, 0.37 - 2 * 5)), 1e-13);
    EXPECT_LT(largest(evaluate(spline, 0.37, 1) - evaluate(spline, 0.37 + 2 * 3, 1)), 1e-12);
  }
}

TEST(CubicSpline, ClosedOneOfTwoPiecesIsSmooth) {
  const Eigen::MatrixXd values = (Eigen::MatrixXd(1, 3) << 1, 3, 1).finished();
  const CubicSpline even = make_spline(Eigen::VectorXd::LinSpaced(3, 0, 2), values, SplineKind::smooth, SignalEnds::closed);
  EXPECT_NEAR(evaluate(even, 0, 1)[0], 0, 1e-14);  // by its mirror symmetry about the knots
  EXPECT_NEAR(evaluate(even, 1, 1)[0], 0, 1e-14);
  const Eigen::VectorXd times = (Eigen::VectorXd(3) << 0, 0.7, 2).finished();
  const CubicSpline uneven = make_spline(times, values, SplineKind::smooth, SignalEnds::closed);
  const auto curvature = [&](double from, double toward) {  // at `toward`, of the piece that holds `from`
    const double half = 0.5 * (from + toward);
    return 2 * evaluate(uneven, half, 2)[0] - evaluate(uneven, from, 2)[0];
  };
  EXPECT_NEAR(curvature(0.3, 0.7), curvature(1, 0.7), 1e-12);
  EXPECT_NEAR(curvature(1.5, 2), curvature(0.5, 0), 1e-12);
}

TEST(CubicSpline, ResamplingConvergesWithTheFourthPower) {
  double last = 0;
  for (const int count : {21, 41, 81}) {
    const MotionSignal fine = resample(signal_of(1, count, 2.0 / (count - 1), [](int, double t) { return std::exp(t); }), 401);
    const MotionSignal exact = signal_of(1, 401, 2.0 / 400, [](int, double t) { return std::exp(t); });
    const double error = largest(fine.values - exact.values);
    if (last > 0) {
      EXPECT_GT(last / error, 12) << count;  // 16 in the limit, up to the ends
    }
    last = error;
  }
}

TEST(CubicSpline, ResamplingToAFinerStepAndBackIsTheIdentity) {
  const MotionSignal signal = closed_signal(3, 25);
  for (const SignalEnds ends : {SignalEnds::open, SignalEnds::closed}) {
    const MotionSignal fine = resample(signal, 24 * 5 + 1, SplineKind::smooth, ends);
    EXPECT_DOUBLE_EQ(fine.duration(), signal.duration());
    Eigen::MatrixXd back(3, 25);
    for (int k = 0; k < 25; ++k) back.col(k) = fine.values.col(5 * k);
    EXPECT_LT(largest(back - signal.values), 1e-13);
  }
}

TEST(CubicSpline, DisplacedKnotMovesTheMotionBetweenItsSecondNeighborsAlone) {
  const MotionSignal signal = closed_signal(2, 101);
  const Eigen::VectorXd knots = Eigen::VectorXd::LinSpaced(11, 0, 2);
  Eigen::MatrixXd displacements = Eigen::MatrixXd::Zero(2, 11);
  displacements(1, 5) = 0.25;
  const Eigen::MatrixXd change = displace(signal, knots, displacements).values - signal.values;
  EXPECT_EQ(change.row(0), Eigen::RowVectorXd::Zero(101));
  EXPECT_NEAR(change(1, 50), 0.25, 1e-15);
  EXPECT_LT(largest(change.leftCols(31)), 1e-15);
  EXPECT_LT(largest(change.rightCols(31)), 1e-15);
  EXPECT_GT(std::abs(change(1, 35)), 1e-3);
}

TEST(CubicSpline, DisplacedSeamStaysClosed) {
  const MotionSignal signal = closed_signal(1, 41);
  Eigen::MatrixXd displacements = Eigen::MatrixXd::Zero(1, 5);
  displacements(0, 0) = displacements(0, 4) = 0.1;
  const MotionSignal moved = displace(signal, Eigen::VectorXd::LinSpaced(5, 0, 2), displacements, SignalEnds::closed);
  EXPECT_EQ(moved.values(0, 0), moved.values(0, 40));
  EXPECT_NEAR(moved.values(0, 0) - signal.values(0, 0), 0.1, 1e-15);
  const CubicSpline smooth = spline_through(moved, SplineKind::catmull_rom, SignalEnds::closed);
  EXPECT_EQ(evaluate(smooth, 0, 1), evaluate(smooth, 2, 1));
}

TEST(SplineBadInput, KnotsThatCarryNoSplineAreRefused) {
  const auto make = [](std::vector<double> times, int values, SplineKind kind = SplineKind::smooth,
                       SignalEnds ends = SignalEnds::open) {
    const Eigen::VectorXd at = Eigen::Map<Eigen::VectorXd>(times.data(), static_cast<Eigen::Index>(times.size()));
    return make_spline(at, Eigen::MatrixXd::Ones(2, values), kind, ends);
  };
  EXPECT_REFUSED(make({}, 0), "there are 0 knots, at least 2 are required");
  EXPECT_REFUSED(make({1}, 1), "there are 1 knots");
  EXPECT_REFUSED(make({0, 1}, 2, SplineKind::smooth, SignalEnds::closed), "there are 2 knots, at least 3");
  EXPECT_REFUSED(make({0, 1, 1}, 3), "knot 2 is at 1 s, after knot 1 at 1 s; the times must ascend");
  EXPECT_REFUSED(make({0, 2, 1}, 3), "the times must ascend");
  EXPECT_REFUSED(make({0, std::nan(""), 1}, 3), "the time of knot 1 is nan");
  EXPECT_REFUSED(make({0, 1, 2}, 2), "there are 3 knots, but 2 x 2 values");
  EXPECT_REFUSED(make({0, 1, 2}, 3, SplineKind::natural, SignalEnds::closed), "a natural spline has open ends");
  const Eigen::VectorXd three = Eigen::VectorXd::LinSpaced(3, 0, 2);
  EXPECT_REFUSED(make_spline(three, (Eigen::MatrixXd(1, 3) << 1, 2, 3).finished(), SplineKind::smooth, SignalEnds::closed),
                 "its last knot differs from the first by 2");
  EXPECT_REFUSED(make_spline(three, (Eigen::MatrixXd(1, 3) << 1, INFINITY, 3).finished(), SplineKind::smooth), "is not finite");
  EXPECT_REFUSED(make_spline(three, Eigen::MatrixXd::Ones(1, 3), Eigen::MatrixXd::Ones(1, 2)), "1 x 2 slopes");
}

TEST(SplineBadInput, TimesBeyondTheKnotsAreRefused) {
  const CubicSpline spline = make_spline(uneven_times, spline_samples(3, uneven_times), SplineKind::smooth);
  EXPECT_REFUSED(evaluate(spline, -0.51), "the time -0.51 s lies outside of the knots, which reach from -0.5 to 2.1 s");
  EXPECT_REFUSED(evaluate(spline, std::nan("")), "the time is nan");
  EXPECT_REFUSED(evaluate(spline, 0, 3), "the derivative of order 3");
  EXPECT_REFUSED(sample(spline, 0, 0.1, 30, "m"), "outside of the knots");
  EXPECT_REFUSED(sample(spline, 0, 0, 30, "m"), "30 samples at a step of 0 s");
  EXPECT_REFUSED(sample(spline, 0, 0.1, 1, "m"), "1 samples");
  EXPECT_NO_THROW(evaluate(spline, 2.1 + 1e-10));
}

TEST(SplineBadInput, KnotsThatDoNotFitTheSignalAreRefused) {
  const MotionSignal signal = closed_signal(1, 21);
  const Eigen::VectorXd inner = Eigen::VectorXd::LinSpaced(4, 0.2, 1.8), whole = Eigen::VectorXd::LinSpaced(12, 0, 2);
  EXPECT_REFUSED(displace(signal, inner, Eigen::MatrixXd::Zero(1, 4)),
                 "the knots reach from 0.2 to 1.8 s, the signal from 0 to 2 s");
  EXPECT_REFUSED(displace(signal, whole, Eigen::MatrixXd::Zero(2, 12)),
                 "the displacements have 2 components, the signal has 1");
  EXPECT_REFUSED(resample(signal, 1), "1 samples are asked for");
}

}  // namespace
}  // namespace holo
