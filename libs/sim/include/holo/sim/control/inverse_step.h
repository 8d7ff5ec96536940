#pragma once
// The activations of muscles in one time step as unknowns: a loss L(x(a), a), where x(a) minimizes the step's potential
// E(x; a). Gradient and Hessian are exact, by implicit differentiation at a deeply converged x [Shen2024] Section 5:
//
//   H y = -dL/dx,  H S = -A,       with H = d2E/dx2 unprojected, A = d2E/(dx da)
//   dL/da   = L_a + A^T y
//   d2L/da2 = (S, I)^T (d2L/d(x, a)2) (S, I) + y . d2r[(S, I), (S, I)]     with r = dE/dx
//
// of one factorization and M + 1 back-substitutions for M activations. What the terms lag (normal forces of friction) is
// constant meanwhile.
//
//   InverseStep step(integrator, loss, {.unit = shear_modulus});
//   step.begin(state, activations_before);
//   minimize(step, bounds, unknowns, {.trust_radius = InverseStep::trust_radius}, workspace);        // opt/dense
//   if (step.finish(unknowns)) integrator.advance(state, x = step.x());

#include <Eigen/Core>
#include <memory>
#include <string>

#include "holo/core/numerics/sparse_solver.h"
#include "holo/opt/dense/dense_minimizer.h"
#include "holo/sim/control/step_loss.h"
#include "holo/sim/dynamics/implicit_euler.h"

namespace holo {

struct InverseStepOptions {
  double unit = 1;             // of the unknowns [Pa], such as the shear modulus: steps of a descent then have the size of one
  NewtonOptions forward = {};  // of forward solves whose value alone is needed
  double deep_tolerance = 1e-12;    // largest Newton step, over the scene's length, at points where derivatives are taken
  double least_determinant = 0.05;  // det F of an element at which activations are refused
  // Distance between the predicted and the solved x, over the scene's length, from which on they belong to different branches
  // of solutions (buckling); the activations are refused.
  double largest_jump = 0.2;
};

// Numbers since the construction, for logs, tests and reports.
struct InverseStepCounts {
  int forward_solves = 0, failed_solves = 0, newton_iterations = 0;
  int factorizations = 0, back_substitutions = 0;  // those of forward solves, too
  int gradients = 0, hessians = 0;
  int indefinite_points = 0;  // points of derivatives at which x is no strict minimum
  int restarts = 0;           // forward solves that were repeated from the start of the step, with elements kept from inversion
  int crushed_points = 0;     // activations that were refused since an element fell below the least determinant
  int branch_jumps = 0;       // activations that were refused since x went to another branch
};

// Wall times since the construction, for logs and reports [s].
struct InverseStepTimes {
  double forward = 0;   // solves, those to derivative points' depth included
  double gradient = 0;  // of losses and activations, and the adjoint
  double hessian = 0;
};

class InverseStep final : public DenseProblem {
 public:
  // Of a minimization: the norm of its first step in u. Longer ones, of 50 to 70 muscles, often lead to where no step is
  // solved.
  static constexpr double trust_radius = 1;

  // All arguments live longer than the problem. The scene has muscles: Error(internal) otherwise.
  InverseStep(ImplicitEuler& integrator, StepLoss& loss, const InverseStepOptions& options = {});

  // The step of a state, with everything lagged taken from its start, and the activations [activation] [Pa] of the step before.
  // The step is solved first at `share` of them. False if that failed: `diagnosis` tells why.
  bool begin(const ElasticState& state, const Eigen::VectorXd& activations, double share = 1);
  // Takes values of the step's end that are lagged (normal forces of friction) from these positions [3 * vertex]; false if
  // there are none.
  bool update_lag(const Eigen::VectorXd& positions);
  // How much the last update changed the lagged terms' forces at those positions: sum over the vertices [N].
  double lag_change() const { return lag_change_; }
  // Solves the step deeply at unknowns, which it then has. False if that failed.
  bool finish(const Eigen::VectorXd& unknowns);

  StepLoss& loss() { return *loss_; }
  // At the unknowns of the last derivatives, or of `begin` or `finish`.
  const Eigen::VectorXd& x() const { return x_; }                     // [3 * vertex] [m]
  Eigen::VectorXd activations() const { return options_.unit * u_; }  // [Pa]
  const InverseStepOptions& options() const { return options_; }
  ImplicitEuler& integrator() { return integrator_; }
  // Another loss, from the next `begin` on; it lives longer.
  void choose(StepLoss& loss) { loss_ = &loss; }
  const InverseStepCounts& counts() const { return counts_; }
  const InverseStepTimes& times() const { return times_; }
  // Goes on with the counts and times of another problem that did a part of the work.
  void continue_counts(const InverseStep& other) {
    counts_ = other.counts_;
    times_ = other.times_;
  }
  const std::string& diagnosis() const { return diagnosis_; }
  // dx/du at the point of the last `gradient` [3 * vertex][unknown] [m], from which trials start.
  const Eigen::MatrixXd& sensitivity();

  int dimension() const override { return static_cast<int>(range_.count); }
  // Functions of DenseProblem in the unknowns u = a/unit. The value is +infinity where the step cannot be solved, and the
  // gradient is not finite where its x is no regular point; `diagnosis` tells why.
  double value(const Eigen::VectorXd& u) override;
  void gradient(const Eigen::VectorXd& u, Eigen::VectorXd& gradient) override;
  void trial_gradient(const Eigen::VectorXd& u, Eigen::VectorXd& gradient) override;
  // Throws Error(input) for a material without directional Hessians.
  bool hessian(const Eigen::VectorXd& u, Eigen::MatrixXd& hessian) override;
  bool gauss_newton_hessian(const Eigen::VectorXd& u, Eigen::MatrixXd& hessian) override;

 private:
  void set_activations(const Eigen::VectorXd& u);
  bool solve(const Eigen::VectorXd& u, Eigen::VectorXd& x);
  bool descend(Eigen::VectorXd& x);
  bool is_allowed(const Eigen::VectorXd& predicted, const Eigen::VectorXd& x);
  Eigen::VectorXd lagged_forces(const Eigen::VectorXd& x);
  double approach(Eigen::VectorXd& x);
  bool converge_deeply(Eigen::VectorXd& x);
  bool factorize(const Eigen::VectorXd& x, Eigen::VectorXd& gradient);
  bool accept(const Eigen::VectorXd& u);
  bool converge_at(const Eigen::VectorXd& u);
  void predict(const Eigen::VectorXd& u, Eigen::VectorXd& x);
  Eigen::MatrixXd loss_hessian(bool gauss_newton);

  ImplicitEuler& integrator_;
  IncrementalPotential& potential_;
  StepLoss* loss_;
  InverseStepOptions options_;
  ParameterRange range_;
  std::unique_ptr<SparseSolver> definite_, indefinite_;
  SparseSolver* solver_ = nullptr;  // one of them, with the factor at x_
  SparseMatrix hessian_;
  Eigen::VectorXd start_;              // positions at the start of the step [3 * vertex] [m], with handles at their targets
  Eigen::VectorXd u_, x_;              // of the factor and the derivatives
  Eigen::VectorXd base_u_, base_x_;    // all trials start from here: accepted points
  Eigen::VectorXd trial_u_, trial_x_;  // of the last value
  bool has_factor_ = false;            // at u_
  bool has_sensitivity_ = false;       // at base_u_
  Eigen::VectorXd adjoint_;            // y
  Eigen::MatrixXd activation_gradient_, sensitivity_;  // A, S
  double lag_change_ = 0;
  InverseStepCounts counts_;
  InverseStepTimes times_;
  std::string diagnosis_;
};

}  // namespace holo
