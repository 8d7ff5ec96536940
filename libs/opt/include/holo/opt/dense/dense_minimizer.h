#pragma once
// Minimization of a smooth function of a few dozen unknowns within bounds: by Newton's method, Gauss-Newton, L-BFGS or gradient
// descent behind one call.
//
//   DenseWorkspace workspace;
//   const DenseResult result = minimize(problem, {.lower = zero, .upper = one}, x, {.method = DenseMethod::newton}, workspace);
//   if (!result.converged()) log(result.diagnosis);

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace holo {

enum class DenseMethod { newton, gauss_newton, l_bfgs, gradient_descent };
std::string to_string(DenseMethod method);

class DenseProblem {
 public:
  virtual ~DenseProblem() = default;
  virtual int dimension() const = 0;
  // f at x [dimension()]; +infinity outside the domain, never NaN.
  virtual double value(const Eigen::VectorXd& x) = 0;
  virtual void gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) = 0;  // of f, [dimension]
  // The same at the point of the last value, which may not be accepted: a problem that computes values from its last point of
  // `gradient` stays there.
  virtual void trial_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient);
  // Symmetric [dimension][dimension], the lower triangle is read; asked for at the point of the last gradient. `newton` needs
  // the Hessian, which may be indefinite, `gauss_newton` a positive semidefinite stand-in: J^T J of residuals r where f is
  // |r|^2 / 2. False where the problem has no such matrix.
  virtual bool hessian(const Eigen::VectorXd& x, Eigen::MatrixXd& hessian);
  virtual bool gauss_newton_hessian(const Eigen::VectorXd& x, Eigen::MatrixXd& hessian);
  // Changes of f near x that are smaller than this may be rounding errors, such as those of large terms that cancel; 0: 64
  // epsilon of f. Asked for where Newton's method or Gauss-Newton finds no smaller value.
  virtual double value_rounding(const Eigen::VectorXd& x);
};

// f = |r(x)|^2 / 2 of residuals: value, gradient and J^T J follow from r and its Jacobian.
class LeastSquaresProblem : public DenseProblem {
 public:
  virtual int residual_count() const = 0;
  // r [residual_count]; an entry that is not finite marks a point outside the domain.
  virtual void residuals(const Eigen::VectorXd& x, Eigen::VectorXd& r) = 0;
  virtual void jacobian(const Eigen::VectorXd& x, Eigen::MatrixXd& jacobian) = 0;  // [residual_count][dimension]

  double value(const Eigen::VectorXd& x) final;
  void gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) final;
  bool gauss_newton_hessian(const Eigen::VectorXd& x, Eigen::MatrixXd& hessian) final;

 private:
  Eigen::VectorXd residuals_;
  Eigen::MatrixXd jacobian_;  // of the last gradient
};

// lower <= x <= upper [dimension], or empty for none; infinite entries are allowed.
struct DenseBounds {
  Eigen::VectorXd lower, upper;
};

struct DenseOptions {
  DenseMethod method = DenseMethod::newton;
  // Converged where no entry of x - P(x - g) is larger: the gradient in the unit of f over that of x, less what bounds keep
  // back.
  double tolerance = 1e-8;
  // Of the change of an unknown in one step, > 0: directions that reach further are shortened, where f is costly or has no
  // value far away.
  double longest_step = std::numeric_limits<double>::infinity();
  // Of `newton` and `gauss_newton`: the largest norm of their first step, > 0, such as the distance in which f may be
  // nonlinear.
  double trust_radius = std::numeric_limits<double>::infinity();
  int max_iterations = 200;
  double sufficient_decrease = 1e-4;  // over what the slope (Armijo) or the model predicts
  int max_halvings = 50;              // of a step, or trials of an iteration with a trust region
  int history = 10;                   // pairs of steps and changes of the gradient that L-BFGS keeps
  // An iteration that decreases f by less than this part of |f| is the last one. 0: none is too slow.
  double least_decrease = 0;
};

enum class DenseStatus {
  converged,       // to the tolerance
  value_resolved,  // what a step could gain is below the rounding of f: a minimum as far as f can tell
  slow_decrease,   // the last iteration decreased f by less than `least_decrease`: good enough for a caller who asked for it,
                   // also where a kink kept its steps short
  iteration_limit,
  line_search_failed,  // no trial had a smaller value: derivatives that do not fit the value, or a kink
  infeasible_start,    // f is not finite at the start
  not_finite           // a derivative is not finite
};
std::string to_string(DenseStatus status);

struct DenseIteration {
  int iteration = 0;              // from 1
  double value = 0;               // before the step
  double projected_gradient = 0;  // largest entry of x - P(x - g), before the step
  double step_length = 0;         // fraction of the direction that its first step took; 0 for the last iteration, which only
                                  // saw why it stops
  double shift = 0;               // by which the smallest eigenvalue of the Hessian was raised for the first trial
  int evaluations = 0;            // of f
  int steps = 0;                  // that were accepted: of Newton's method some with one Hessian, of the others at most 1
  int at_bounds = 0;              // unknowns that the gradient presses against a bound
};

struct DenseResult {
  DenseStatus status = DenseStatus::converged;
  std::string diagnosis;  // one sentence why it stopped; empty when converged()
  std::vector<DenseIteration> iterations;
  double value = 0;               // at the result
  double projected_gradient = 0;  // there
  bool converged() const {
    return status == DenseStatus::converged || status == DenseStatus::value_resolved || status == DenseStatus::slow_decrease;
  }
};

// Memory of a minimization, kept from one to the next.
class DenseWorkspace {
 public:
  DenseWorkspace();
  ~DenseWorkspace();
  class Vectors;
  Vectors& vectors() { return *vectors_; }

 private:
  std::unique_ptr<Vectors> vectors_;
};

// Newton's method and Gauss-Newton take steps within a trust region, the former some with one Hessian (secant_newton.h). The
// others search along a direction, with two-metric projection [Bertsekas1982]: unknowns that the gradient presses against a
// bound rest, the others move along the method's direction, and each trial point is projected onto the bounds. Improves x,
// which is projected first; on failure it is the best point found. Throws Error(internal) for sizes that do not fit, bounds
// that cross, and a method that the problem has no matrix for; never for a numerical reason.
DenseResult minimize(DenseProblem& problem, const DenseBounds& bounds, Eigen::VectorXd& x, const DenseOptions& options,
                     DenseWorkspace& workspace);

}  // namespace holo
