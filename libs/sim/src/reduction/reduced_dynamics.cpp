#include "holo/sim/reduction/reduced_dynamics.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "holo/core/error.h"

namespace holo {
namespace {

// The potential of one step.
class StepPotential final : public DenseProblem {
 public:
  StepPotential(const ReducedElasticity& elasticity, const Eigen::MatrixXd& masses, const ReducedDynamicsOptions& options,
                const ReducedState& state, const Eigen::VectorXd& forces)
      : elasticity_(elasticity),
        masses_(masses),
        inertia_(1 / (options.time_step * options.time_step)),
        damping_(options.mass_damping / options.time_step),
        start_(state.amplitudes),
        predicted_(state.amplitudes + options.time_step * state.velocities),
        forces_(forces) {}

  int dimension() const override { return static_cast<int>(start_.size()); }
  double value(const Eigen::VectorXd& q) override {
    const Eigen::VectorXd to_predicted = q - predicted_, to_start = q - start_;
    const double total = inertia_ / 2 * to_predicted.dot(masses_ * to_predicted) +
                         damping_ / 2 * to_start.dot(masses_ * to_start) + elasticity_.energy(q) - forces_.dot(q);
    return std::isfinite(total) ? total : std::numeric_limits<double>::infinity();
  }
  void gradient(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) override {
    gradient = masses_ * (inertia_ * (q - predicted_) + damping_ * (q - start_)) + elasticity_.gradient(q) - forces_;
  }
  bool hessian(const Eigen::VectorXd& q, Eigen::MatrixXd& hessian) override {
    hessian = (inertia_ + damping_) * masses_ + elasticity_.hessian(q);
    return true;
  }
  double value_rounding(const Eigen::VectorXd& q) override {
    const Eigen::VectorXd to_predicted = q - predicted_;
    const double sizes = inertia_ / 2 * to_predicted.dot(masses_ * to_predicted) + std::abs(forces_.dot(q));
    constexpr double roundings = 8;  // of sums of a few terms
    return roundings * (0x1p-53 * sizes + elasticity_.energy_rounding(elasticity_.energy(q)));
  }
  // Of the forces that act at the start.
  double scale() const {
    return (inertia_ * (masses_ * (start_ - predicted_))).cwiseAbs().maxCoeff() +
           elasticity_.gradient(start_).cwiseAbs().maxCoeff() + forces_.cwiseAbs().maxCoeff();
  }

 private:
  const ReducedElasticity& elasticity_;
  const Eigen::MatrixXd& masses_;
  double inertia_, damping_;
  Eigen::VectorXd start_, predicted_;
  const Eigen::VectorXd& forces_;
};

}  // namespace

ReducedDynamics::ReducedDynamics(std::shared_ptr<const ReducedElasticity> elasticity, const Eigen::MatrixXd& masses,
                                 const ReducedDynamicsOptions& options)
    : elasticity_(std::move(elasticity)), masses_(masses), options_(options) {
  if (masses.rows() != elasticity_->size() || masses.cols() != elasticity_->size())
    throw Error(Failure::input, "reduced dynamics got masses of " + std::to_string(masses.rows()) + " by " +
                                    std::to_string(masses.cols()) + " for " + std::to_string(elasticity_->size()) +
                                    " amplitudes.");
  const bool symmetric = (masses - masses.transpose()).norm() <= 1e-10 * masses.norm();
  if (!symmetric || masses.llt().info() != Eigen::Success)
    throw Error(Failure::input,
                "the masses of reduced dynamics are not symmetric and positive definite: the columns of the "
                "basis must be independent.");
  if (!(options.time_step > 0) || !(options.mass_damping >= 0) || !(options.tolerance > 0) || options.max_iterations < 1)
    throw Error(Failure::input, "reduced dynamics got the time step " + std::to_string(options.time_step) + ", mass damping " +
                                    std::to_string(options.mass_damping) + ", the tolerance " +
                                    std::to_string(options.tolerance) + " and " + std::to_string(options.max_iterations) +
                                    " iterations; allowed are above 0, from 0, above 0 and from 1.");
}

DenseResult ReducedDynamics::step(ReducedState& state, const Eigen::VectorXd& forces) {
  const Eigen::Index size = elasticity_->size();
  if (state.amplitudes.size() != size || state.velocities.size() != size || forces.size() != size)
    throw Error(Failure::internal, "ReducedDynamics::step: sizes that do not fit");
  StepPotential potential(*elasticity_, masses_, options_, state, forces);
  DenseOptions minimization;
  minimization.tolerance = std::max(options_.tolerance * potential.scale(), std::numeric_limits<double>::min());
  minimization.max_iterations = options_.max_iterations;
  Eigen::VectorXd q = state.amplitudes;
  DenseResult result = minimize(potential, {}, q, minimization, workspace_);
  if (!result.converged()) return result;
  state.velocities = (q - state.amplitudes) / options_.time_step;
  state.amplitudes = q;
  return result;
}

}  // namespace holo
