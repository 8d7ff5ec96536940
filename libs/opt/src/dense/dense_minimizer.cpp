#include "holo/opt/dense/dense_minimizer.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "dense/dense_box.h"
#include "dense/lbfgs_direction.h"
#include "dense/secant_newton.h"
#include "dense/value_resolution.h"
#include "holo/core/error.h"

namespace holo {

std::string to_string(DenseMethod method) {
  switch (method) {
    case DenseMethod::newton:
      return "newton";
    case DenseMethod::gauss_newton:
      return "gauss_newton";
    case DenseMethod::l_bfgs:
      return "l_bfgs";
    case DenseMethod::gradient_descent:
      return "gradient_descent";
  }
  return "unknown";
}

std::string to_string(DenseStatus status) {
  switch (status) {
    case DenseStatus::converged:
      return "converged";
    case DenseStatus::value_resolved:
      return "value_resolved";
    case DenseStatus::slow_decrease:
      return "slow_decrease";
    case DenseStatus::iteration_limit:
      return "iteration_limit";
    case DenseStatus::line_search_failed:
      return "line_search_failed";
    case DenseStatus::infeasible_start:
      return "infeasible_start";
    case DenseStatus::not_finite:
      return "not_finite";
  }
  return "unknown";
}

class DenseWorkspace::Vectors {
 public:
  void resize(int dimension, const DenseOptions& options) {
    for (Eigen::VectorXd* vector : {&gradient, &trial, &direction, &step, &previous, &change}) vector->resize(dimension);
    free.reserve(std::size_t(dimension));
    newton.start(dimension, options);
    lbfgs.resize(dimension, options.history);
  }

  // previous: the last point's gradient; step and change: of x and of the gradient since.
  Eigen::VectorXd gradient, trial, direction, step, previous, change;
  DenseBox box;
  std::vector<int> free;  // unknowns that no bound keeps back
  SecantNewton newton;
  LbfgsDirection lbfgs;
};

DenseWorkspace::DenseWorkspace() : vectors_(std::make_unique<Vectors>()) {}
DenseWorkspace::~DenseWorkspace() = default;

namespace {

void require_dense(bool fits, const std::string& what) {
  if (!fits) throw Error(Failure::internal, "the input of a dense minimization is not consistent: " + what);
}

bool has_finite_lower_triangle(const Eigen::MatrixXd& matrix) {
  for (Eigen::Index j = 0; j < matrix.cols(); ++j)
    for (Eigen::Index i = j; i < matrix.rows(); ++i)
      if (!std::isfinite(matrix(i, j))) return false;
  return true;
}

constexpr int unseen_steps_allowed = 3;

class DenseMinimizer {
 public:
  DenseMinimizer(DenseProblem& problem, const DenseOptions& options, Eigen::VectorXd& x, DenseWorkspace::Vectors& memory)
      : problem_(problem), options_(options), x_(x), memory_(memory), box_(memory.box) {}

  DenseResult run() {
    result_.iterations.reserve(std::size_t(std::max(options_.max_iterations, 0)) + 1);
    x_ = box_.project(x_).eval();
    value_ = problem_.value(x_);
    result_.status = std::isfinite(value_) ? iterate() : DenseStatus::infeasible_start;
    result_.value = value_;
    result_.diagnosis = diagnosis();
    return std::move(result_);
  }

 private:
  // Each iteration: gradient, test for convergence, free unknowns, and steps within a trust region or along a direction.
  DenseStatus iterate() {
    for (int iteration = 1;; ++iteration) {
      DenseIteration log;
      log.iteration = iteration;
      log.value = value_;
      problem_.gradient(x_, memory_.gradient);
      if (!memory_.gradient.allFinite()) return DenseStatus::not_finite;
      if (iteration > 1) {
        memory_.change = memory_.gradient - memory_.previous;
        memory_.lbfgs.add(memory_.step, memory_.change);
      }
      log.projected_gradient = result_.projected_gradient = box_.projected_gradient(x_, memory_.gradient);
      box_.find_free(x_, memory_.gradient, memory_.free);
      log.at_bounds = int(x_.size()) - int(memory_.free.size());
      const bool is_last = iteration > options_.max_iterations;
      if (is_last || log.projected_gradient <= options_.tolerance) {
        const bool converged = log.projected_gradient <= options_.tolerance;
        result_.iterations.push_back(log);
        return converged ? DenseStatus::converged : DenseStatus::iteration_limit;
      }
      const SecantNewton::Outcome outcome = uses_hessian() ? step_in_trust_region(log) : step_along_direction(log);
      if (outcome == SecantNewton::Outcome::not_finite) return DenseStatus::not_finite;
      const bool moved = outcome == SecantNewton::Outcome::moved;
      result_.iterations.push_back(log);
      if (options_.least_decrease > 0 && moved && log.value - value_ < options_.least_decrease * std::abs(log.value))
        return DenseStatus::slow_decrease;
      if (unseen_steps_ > unseen_steps_allowed) return DenseStatus::value_resolved;
      if (!moved) return unseen_steps_ > 0 || is_resolved() ? DenseStatus::value_resolved : DenseStatus::line_search_failed;
    }
  }

  bool uses_hessian() const { return options_.method == DenseMethod::newton || options_.method == DenseMethod::gauss_newton; }

  SecantNewton::Outcome step_in_trust_region(DenseIteration& log) {
    Eigen::MatrixXd& hessian = memory_.newton.hessian();
    const bool has =
        options_.method == DenseMethod::newton ? problem_.hessian(x_, hessian) : problem_.gauss_newton_hessian(x_, hessian);
    require_dense(has, "the problem has no matrix for the method '" + to_string(options_.method) + "'");
    if (!has_finite_lower_triangle(hessian)) return SecantNewton::Outcome::not_finite;
    memory_.previous = memory_.gradient;
    return memory_.newton.iterate(problem_, box_, options_, {x_, memory_.gradient, value_}, unseen_steps_, log);
  }

  // Whether what Newton's step in the free unknowns could gain, g H^-1 g / 2, is below the rounding that the problem states.
  bool is_resolved() {
    const double rounding = uses_hessian() ? problem_.value_rounding(x_) : 0;
    if (!(rounding > 0)) return false;
    problem_.gradient(x_, memory_.gradient);
    Eigen::MatrixXd hessian;
    if (!(options_.method == DenseMethod::newton ? problem_.hessian(x_, hessian) : problem_.gauss_newton_hessian(x_, hessian)))
      return false;
    hessian.triangularView<Eigen::StrictlyUpper>() = hessian.transpose();
    const Eigen::VectorXd gradient = memory_.gradient(memory_.free);
    const Eigen::LLT<Eigen::MatrixXd> factor(hessian(memory_.free, memory_.free));
    return factor.info() == Eigen::Success && gradient.dot(factor.solve(gradient)) / 2 <= rounding;
  }

  SecantNewton::Outcome step_along_direction(DenseIteration& log) {
    find_direction();
    memory_.previous = memory_.gradient;
    return search(log) ? SecantNewton::Outcome::moved : SecantNewton::Outcome::stuck;
  }

  // The direction of the method in the free unknowns, or steepest descent if that does not descend. The other unknowns move
  // down the gradient to their bound, where the projection stops them.
  void find_direction() {
    Eigen::VectorXd& direction = memory_.direction;
    const bool found = options_.method == DenseMethod::l_bfgs;
    if (found) memory_.lbfgs.find(memory_.free, memory_.gradient, direction);
    double slope = 0;
    for (int i : memory_.free) slope += memory_.gradient[i] * direction[i];
    if (!found || !direction.allFinite() || !(slope < 0)) steepest_descent();
    for (int i = 0, next = 0; i < int(x_.size()); ++i) {
      const bool is_free = next < int(memory_.free.size()) && memory_.free[std::size_t(next)] == i;
      next += is_free;
      if (!is_free) direction[i] = -memory_.gradient[i];
    }
  }

  // The length follows from the last step's change of the gradient [BarzilaiBorwein1988].
  void steepest_descent() {
    double scale = 1 / std::max(1.0, memory_.gradient.lpNorm<Eigen::Infinity>());
    if (!result_.iterations.empty()) {
      const double curvature = memory_.step.dot(memory_.change), length = memory_.step.squaredNorm();
      if (curvature > 0 && std::isfinite(length / curvature)) scale = length / curvature;
    }
    memory_.direction.setZero();
    for (int i : memory_.free) memory_.direction[i] = -scale * memory_.gradient[i];
  }

  // Halves the step along the projected direction, from the longest that is allowed, until the value decreases sufficiently
  // (Armijo). If a full step can gain no more than the rounding of the value, it is accepted, at most a few times, unless the
  // value increases visibly: such steps give Newton's method its last digits.
  bool search(DenseIteration& log) {
    const double reach = memory_.direction.lpNorm<Eigen::Infinity>(), resolution = value_resolution(value_);
    double length = reach > options_.longest_step ? options_.longest_step / reach : 1;
    for (int halving = 0; halving <= options_.max_halvings; ++halving, length /= 2) {
      memory_.trial = box_.project(x_ + length * memory_.direction);
      memory_.step = memory_.trial - x_;
      const double slope = memory_.gradient.dot(memory_.step), trial_value = problem_.value(memory_.trial);
      ++log.evaluations;
      const bool is_unseen = std::abs(slope) <= resolution;
      if (halving == 0) unseen_steps_ = is_unseen ? unseen_steps_ + 1 : 0;
      if (is_unseen && halving > 0) return false;
      if (slope > resolution) continue;  // bounds have bent a long step uphill; a shorter one leads down
      const double bound = is_unseen ? value_ + resolution : value_ + options_.sufficient_decrease * slope;
      if (!std::isfinite(trial_value) || trial_value > bound) continue;
      x_.swap(memory_.trial);
      value_ = trial_value;
      log.step_length = length;
      log.steps = 1;
      return true;
    }
    return false;
  }

  std::string diagnosis() const {
    const std::string method = "dense minimization by " + to_string(options_.method) + ": ";
    switch (result_.status) {
      case DenseStatus::converged:
      case DenseStatus::value_resolved:
      case DenseStatus::slow_decrease:
        return "";
      case DenseStatus::iteration_limit:
        return method + fmt::format(
                            "after {} iterations the projected gradient is still {:.3g}, the tolerance is {:.3g}; "
                            "allow more iterations, or choose newton or gauss_newton.",
                            options_.max_iterations, result_.projected_gradient, options_.tolerance);
      case DenseStatus::line_search_failed:
        return method + fmt::format(
                            "iteration {} found no smaller value (projected gradient {:.3g}); "
                            "check the derivatives against differences of the value.",
                            result_.iterations.size(), result_.projected_gradient);
      case DenseStatus::infeasible_start:
        return method + "the value is not finite at the starting point; begin inside the domain.";
      case DenseStatus::not_finite:
        return method + fmt::format("a derivative is not finite in iteration {}.", result_.iterations.size() + 1);
    }
    return "";
  }

  DenseProblem& problem_;
  const DenseOptions& options_;
  Eigen::VectorXd& x_;
  DenseWorkspace::Vectors& memory_;
  const DenseBox& box_;
  DenseResult result_;
  double value_ = 0;
  int unseen_steps_ = 0;  // in a row, whose gain was below the rounding of the value
};

}  // namespace

DenseResult minimize(DenseProblem& problem, const DenseBounds& bounds, Eigen::VectorXd& x, const DenseOptions& options,
                     DenseWorkspace& workspace) {
  const int n = problem.dimension();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  require_dense(x.size() == n, fmt::format("the point has {} unknowns, the problem {}", x.size(), n));
  require_dense(options.trust_radius > 0, fmt::format("the trust region has the radius {}", options.trust_radius));
  require_dense(options.history >= 1, fmt::format("L-BFGS keeps {} pairs; it must keep at least 1", options.history));
  DenseWorkspace::Vectors& memory = workspace.vectors();
  memory.resize(n, options);
  auto set = [&](const Eigen::VectorXd& bound, double none, const char* what, Eigen::VectorXd& to) {
    require_dense(bound.size() == n || bound.size() == 0,
                  fmt::format("there are {} {} bounds for {} unknowns; give none or one for each", bound.size(), what, n));
    if (bound.size() == 0)
      to.setConstant(n, none);
    else
      to = bound;
  };
  set(bounds.lower, -infinity, "lower", memory.box.lower);
  set(bounds.upper, infinity, "upper", memory.box.upper);
  for (int i = 0; i < n; ++i)
    require_dense(memory.box.lower[i] <= memory.box.upper[i] && !std::isnan(x[i]),
                  fmt::format("unknown {} is {} between {} and {}", i, x[i], memory.box.lower[i], memory.box.upper[i]));
  return DenseMinimizer(problem, options, x, memory).run();
}

}  // namespace holo
