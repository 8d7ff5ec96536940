#include "motion/smoothing.h"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <cmath>
#include <numbers>
#include <vector>

#include "holo/core/error.h"
#include "holo/sim/motion/signal.h"

namespace holo {

namespace {

// Minimizes |y - x|^2 + lambda |D y|^2 with the second differences D: (1 + lambda D^T D) y = x. With `wrap`, D has also the
// differences across the seam, where values are multiplied by `sign`.
Eigen::MatrixXd solve_smoothing(const Eigen::MatrixXd& values, double lambda, bool wrap, double sign) {
  const int count = static_cast<int>(values.cols());
  std::vector<Eigen::Triplet<double>> entries;
  int rows = 0;
  const auto add_row = [&](int middle) {
    for (const auto& [step, weight] : {std::pair{-1, 1.0}, std::pair{0, -2.0}, std::pair{1, 1.0}}) {
      const int at = middle + step, wrapped = (at + count) % count;
      entries.emplace_back(rows, wrapped, weight * (at == wrapped ? 1.0 : sign));
    }
    ++rows;
  };
  for (int k = wrap ? 0 : 1; k < (wrap ? count : count - 1); ++k) add_row(k);
  Eigen::SparseMatrix<double> differences(rows, count), identity(count, count);
  differences.setFromTriplets(entries.begin(), entries.end());
  identity.setIdentity();
  const Eigen::SparseMatrix<double> squares = differences.transpose() * differences;
  const Eigen::SparseMatrix<double> matrix = identity + lambda * squares;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(matrix);
  if (factor.info() != Eigen::Success) throw Error(Failure::internal, "smooth: the factorization failed");
  // The correction is solved for, so that what needs none (constants, lines) keeps its digits.
  const Eigen::MatrixXd rough = (lambda * squares * values.transpose()).eval();
  return values - factor.solve(rough).transpose();
}

}  // namespace

double smoothing_weight(double cutoff_frequency, double time_step, const char* what) {
  // The gain at a frequency f is 1 / (1 + lambda (2 sin(pi f h))^4), which is 1/2 at the cutoff.
  const double sampling = 1 / time_step;
  if (!(cutoff_frequency >= 1e-3 * sampling * (1 - 1e-12) && cutoff_frequency <= 0.5 * sampling * (1 + 1e-12)))
    throw Error(Failure::input,
                fmt::format("{}: the cutoff frequency is {} Hz, allowed are {:.6g} to {:.6g} Hz at a time step of "
                            "{:.6g} s",
                            what, cutoff_frequency, 1e-3 * sampling, 0.5 * sampling, time_step));
  return std::pow(2 * std::sin(std::numbers::pi * cutoff_frequency * time_step), -4);
}

Eigen::MatrixXd smoothed_open(const Eigen::MatrixXd& values, double lambda) {
  return values.cols() < 3 ? values : solve_smoothing(values, lambda, false, 1);
}

Eigen::MatrixXd smoothed_closed(const Eigen::MatrixXd& values, double lambda, double sign) {
  return solve_smoothing(values, lambda, true, sign);
}

MotionSignal smooth(const MotionSignal& signal, double cutoff_frequency, SignalEnds ends) {
  validate(signal, ends, "smooth");
  const double lambda = smoothing_weight(cutoff_frequency, signal.time_step, "smooth");
  MotionSignal result = signal;
  if (ends == SignalEnds::open) {
    result.values = smoothed_open(signal.values, lambda);
  } else {
    const Eigen::Index period = signal.values.cols() - 1;
    result.values.leftCols(period) = smoothed_closed(signal.values.leftCols(period), lambda, 1);
    result.values.col(period) = result.values.col(0);
  }
  return result;
}

}  // namespace holo
