#include "holo/sim/design/linear_motion.h"

#include <cmath>
#include <complex>
#include <numbers>

#include "holo/core/error.h"

namespace holo {

LinearMotion::LinearMotion(const LinearVibration& body, double time_step)
    : time_step_(time_step), solver_(make_sparse_solver({.matrix = MatrixKind::positive_definite})) {
  const Eigen::Index size = body.displacements().size();
  mass_.setZero(size);
  load_.setZero(size);
  u_.setZero(size);
  v_.setZero(size);
  acceleration_.setZero(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const int vertex = int(i / 3);
    if (body.is_held(vertex)) continue;
    mass_[i] = body.masses()[std::size_t(vertex)];
    acceleration_[i] = body.field()[std::size_t(vertex)][int(i % 3)];
    load_[i] = mass_[i] * acceleration_[i];
  }
  at_rest_ = load_.dot(body.displacements());
  SparseMatrix matrix = body.stiffness();
  for (Eigen::Index i = 0; i < size; ++i) matrix.coeffRef(i, i) += 4 / (time_step * time_step) * mass_[i];
  solver_->analyze(matrix);
  if (!solver_->factorize(matrix))
    throw Error(Failure::internal, "the matrix of a linear motion " + to_string(solver_->outcome()));
}

void LinearMotion::step() {
  const double dt = time_step_;
  const Eigen::VectorXd momentum = 4 / (dt * dt) * u_ + 4 / dt * v_ + acceleration_;
  Eigen::VectorXd next = load_ + mass_.cwiseProduct(momentum);
  solver_->solve(next, next);
  const Eigen::VectorXd acceleration = 4 / (dt * dt) * (next - u_) - 4 / dt * v_ - acceleration_;
  v_ += dt / 2 * (acceleration_ + acceleration);
  acceleration_ = acceleration;
  u_ = next;
}

double LinearMotion::amplitude() const { return load_.dot(u_) / at_rest_; }

double dominant_frequency(const std::vector<double>& samples, double time_step) {
  const std::size_t count = samples.size();
  if (count < 8) throw Error(Failure::internal, "a frequency needs eight samples");
  double mean = 0;
  for (const double sample : samples) mean += sample / double(count);
  const auto magnitude = [&](std::size_t point) {
    std::complex<double> sum = 0;
    for (std::size_t n = 0; n < count; ++n) {
      const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * double(n) / double(count));
      sum += window * (samples[n] - mean) * std::polar(1.0, -2 * std::numbers::pi * double(point * n % count) / double(count));
    }
    return std::abs(sum);
  };
  std::vector<double> spectrum(count / 2);
  for (std::size_t point = 0; point < spectrum.size(); ++point) spectrum[point] = magnitude(point);
  std::size_t peak = 1;
  for (std::size_t point = 1; point + 1 < spectrum.size(); ++point)
    if (spectrum[point] > spectrum[peak]) peak = point;
  // Of a cosine the neighbors' magnitudes are in the ratio (1 + d)/(2 - d) under this window, d points to the larger one's
  // side.
  const bool is_right = spectrum[peak + 1] >= spectrum[peak - 1];
  const double ratio = (is_right ? spectrum[peak + 1] : spectrum[peak - 1]) / spectrum[peak];
  const double distance = (2 * ratio - 1) / (ratio + 1), offset = is_right ? distance : -distance;
  return (double(peak) + offset) / (double(count) * time_step);
}

}  // namespace holo
