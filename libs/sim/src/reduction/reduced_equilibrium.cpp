#include "holo/sim/reduction/reduced_equilibrium.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "holo/core/error.h"

namespace holo {
namespace {

class ReducedPotential final : public DenseProblem {
 public:
  ReducedPotential(IncrementalPotential& potential, const Eigen::VectorXd& start, const Eigen::MatrixXd& basis)
      : potential_(potential), start_(start), basis_(basis) {}

  int dimension() const override { return static_cast<int>(basis_.cols()); }
  double value(const Eigen::VectorXd& q) override {
    const double energy = potential_.energy(start_ + basis_ * q);
    return std::isfinite(energy) ? energy : std::numeric_limits<double>::infinity();
  }
  void gradient(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) override {
    potential_.gradient(start_ + basis_ * q, full_gradient_);
    gradient = basis_.transpose() * full_gradient_;
  }
  // Prescribed rows are those of a diagonal matrix, and the basis vanishes there.
  bool hessian(const Eigen::VectorXd& q, Eigen::MatrixXd& hessian) override {
    potential_.derivatives(start_ + basis_ * q, Curvature::exact, full_gradient_, full_hessian_);
    hessian = basis_.transpose() * (full_hessian_.selfadjointView<Eigen::Lower>() * basis_);
    return true;
  }
  double value_rounding(const Eigen::VectorXd& q) override { return potential_.energy_resolution(value(q)); }

 private:
  IncrementalPotential& potential_;
  const Eigen::VectorXd& start_;
  const Eigen::MatrixXd& basis_;
  Eigen::VectorXd full_gradient_;
  SparseMatrix full_hessian_;
};

}  // namespace

ReducedEquilibrium::ReducedEquilibrium(IncrementalPotential& potential, const Eigen::VectorXd& positions,
                                       const Eigen::MatrixXd& basis)
    : potential_(potential), start_(positions), basis_(basis) {
  if (positions.size() != potential.dimension() || basis.rows() != potential.dimension() || basis.cols() == 0)
    throw Error(Failure::input, "a reduced equilibrium got " + std::to_string(positions.size()) +
                                    " coordinates and a basis of " + std::to_string(basis.rows()) + " rows and " +
                                    std::to_string(basis.cols()) + " columns; the potential has " +
                                    std::to_string(potential.dimension()) + " coordinates, and one column is the least.");
}

DenseResult ReducedEquilibrium::find(Eigen::VectorXd& q, double tolerance, int max_iterations) {
  ReducedPotential problem(potential_, start_, basis_);
  Eigen::VectorXd loads;
  problem.gradient(Eigen::VectorXd::Zero(basis_.cols()), loads);
  DenseOptions options;
  options.tolerance = std::max(tolerance * loads.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  options.max_iterations = max_iterations;
  return minimize(problem, {}, q, options, workspace_);
}

}  // namespace holo
