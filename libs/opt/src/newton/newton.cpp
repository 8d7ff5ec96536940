#include "holo/opt/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "newton/diagnosis.h"
#include "newton/line_search.h"

namespace holo {
namespace {

// A direction with an earlier factor costs at most this part of a factorization in back-substitutions; the last one of a
// minimization is solved to this part of the tolerance.
constexpr double reuse_share = 0.5, last_error = 1e-3;

// The first shift tried and the last one, relative to the largest diagonal entry.
constexpr double smallest_shift = 3e-10, largest_shift = 1e6, shift_growth = 32;

bool all_finite(const SparseMatrix& matrix) {
  const double* values = matrix.valuePtr();
  double poison = 0;  // 0 * x is NaN for infinite and NaN x
  for (Eigen::Index i = 0; i < matrix.nonZeros(); ++i) poison += 0 * values[i];
  return poison == 0;
}

// Each column of a sorted lower triangle starts with its diagonal entry.
double largest_diagonal(const SparseMatrix& lower) {
  double largest = 0;
  for (Eigen::Index column = 0; column < lower.cols(); ++column)
    largest = std::max(largest, std::abs(lower.valuePtr()[lower.outerIndexPtr()[column]]));
  return largest > 0 ? largest : 1;
}

void add_to_diagonal(SparseMatrix& lower, double shift) {
  for (Eigen::Index column = 0; column < lower.cols(); ++column) lower.valuePtr()[lower.outerIndexPtr()[column]] += shift;
}

}  // namespace

class NewtonMinimizer {
 public:
  NewtonMinimizer(NewtonProblem& problem, Eigen::VectorXd& x, const NewtonOptions& options, NewtonWorkspace& workspace)
      : problem_(problem), x_(x), options_(options), workspace_(workspace) {}

  NewtonResult run() {
    result_.iterations.reserve(static_cast<std::size_t>(std::max(options_.max_iterations, 0)));
    const int factorizations_before = workspace_.factorization().factorizations();
    workspace_.direction_.resize(x_.size());
    workspace_.trial_.resize(x_.size());
    energy_ = problem_.energy(x_);
    result_.status = std::isfinite(energy_) ? iterate() : NewtonStatus::infeasible_start;
    result_.energy = energy_;
    result_.factorizations = workspace_.factorization().factorizations() - factorizations_before;
    if (result_.status != NewtonStatus::converged) result_.diagnosis = diagnosis_of(problem_, x_, "Newton", options_, result_);
    return std::move(result_);
  }

 private:
  // Result of one direction.
  struct Outcome {
    bool last = false, moved = false;
    NewtonStatus failure = NewtonStatus::converged;
    bool succeeded() const { return failure == NewtonStatus::converged && (last || moved); }
  };

  // The exact Hessian where it is positive definite and leads on, else the projected one. After a refusal the exact one is
  // tried again once the steps have halved: a refused factorization costs almost as much as an accepted one.
  NewtonStatus iterate() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double exact_below = infinity, step = problem_.has_exact_hessian() ? 0 : infinity;
    for (int iteration = 1; iteration <= options_.max_iterations; ++iteration) {
      NewtonIteration log{};
      Outcome outcome;
      const bool exact = step < exact_below;
      if (exact) outcome = attempt(iteration, true, log);
      if (!exact || !outcome.succeeded()) {
        outcome = attempt(iteration, false, log);
        if (exact) exact_below = log.step_size / 2;
      }
      if (outcome.failure != NewtonStatus::converged) return outcome.failure;
      result_.iterations.push_back(log);
      if (outcome.last) return NewtonStatus::converged;
      if (!outcome.moved) return NewtonStatus::line_search_failed;
      if (problem_.has_exact_hessian()) step = log.step_size;
    }
    return NewtonStatus::iteration_limit;
  }

  Outcome attempt(int iteration, bool exact, NewtonIteration& log) {
    Outcome outcome;
    const Curvature curvature = exact ? Curvature::exact : Curvature::projected;
    problem_.derivatives(x_, curvature, workspace_.gradient_, workspace_.hessian_);
    low_rank_ = problem_.low_rank();
    if (!workspace_.gradient_.allFinite() || !all_finite(workspace_.hessian_) || (low_rank_ && !low_rank_->is_finite()))
      return {false, false, NewtonStatus::not_finite};
    log = {iteration, energy_, workspace_.gradient_.norm(), 0, 0, 0, 0, exact, false};
    const double scale = largest_diagonal(workspace_.hessian_);
    do {
      if (!find_direction(scale, log)) return {false, false, NewtonStatus::not_positive_definite};
      log.step_size = problem_.step_size(workspace_.direction_);
      outcome.last = log.step_size <= options_.tolerance;  // a truncated one is longer
      outcome.moved = line_search(problem_, options_, slope_, x_, workspace_.direction_, workspace_.trial_, energy_, log);
    } while (!outcome.moved && !outcome.last && change_system(scale, log));
    return outcome;
  }

  // After a direction that led nowhere. One with an earlier factor is found by a factorization instead. A matrix that is barely
  // positive gives a step of any length; a larger shift brings it down.
  bool change_system(double scale, NewtonIteration& log) {
    if (!log.earlier_factor) return log.diagonal_shift > 0 && grow_shift(scale, log);
    workspace_.forget_factor();
    return true;
  }

  // Conjugate gradients with the last factor. A truncated direction is taken; the next one then has a new factor.
  FactorReuse::Outcome reuse_factor() {
    const SparseSolver& factor = workspace_.factorization();
    const FactorReuseOptions limits{.smallest = options_.tolerance,
                                    .smallest_error = last_error * options_.tolerance,
                                    .back_substitutions = static_cast<int>(reuse_share / relative_cost_of_solve(factor))};
    if (limits.back_substitutions < 2) return FactorReuse::Outcome::failed;
    const auto size = [this](const Eigen::VectorXd& direction) { return problem_.step_size(direction); };
    const FactorReuse::Outcome outcome =
        workspace_.reuse_.solve(factor, workspace_.hessian_, workspace_.gradient_, size, limits, workspace_.direction_);
    result_.back_substitutions += workspace_.reuse_.back_substitutions();
    if (outcome == FactorReuse::Outcome::truncated) workspace_.forget_factor();
    return outcome;
  }

  // Whether the last factor gave a descent direction.
  bool descend_with_earlier_factor(FactorReuse::Outcome outcome) {
    if (outcome != FactorReuse::Outcome::solved && outcome != FactorReuse::Outcome::truncated) return false;
    slope_ = workspace_.gradient_.dot(workspace_.direction_);
    return slope_ < 0 && workspace_.direction_.allFinite();
  }

  // A descent direction; a Hessian that is not exact gets as much of a shift as it takes beyond what the log already has.
  bool find_direction(double scale, NewtonIteration& log) {
    log.earlier_factor = false;
    const bool usable = workspace_.factor_size_ == static_cast<int>(x_.size());
    if (options_.linear_solver == NewtonLinearSolver::reuse && usable && !low_rank_ && log.diagonal_shift == 0) {
      const FactorReuse::Outcome outcome = reuse_factor();
      log.earlier_factor = descend_with_earlier_factor(outcome);
      if (log.earlier_factor) return true;
      if (log.exact_hessian && outcome == FactorReuse::Outcome::negative_curvature) return false;
    }
    do {
      if (!newton_direction(workspace_.hessian_, workspace_.gradient_, workspace_.direction_, workspace_)) continue;
      ++result_.back_substitutions;
      if (low_rank_ && !correct_direction(log)) continue;
      slope_ = workspace_.gradient_.dot(workspace_.direction_);
      if (slope_ < 0 && workspace_.direction_.allFinite()) return true;
      if (workspace_.gradient_.isZero(0)) return true;  // stationary: the direction is zero
    } while (!log.exact_hessian && grow_shift(scale, log));
    return false;
  }

  // Whether the Hessian with its part of low rank is positive definite; the projected one is.
  bool correct_direction(const NewtonIteration& log) {
    result_.back_substitutions += static_cast<int>(low_rank_->columns.cols());
    return workspace_.low_rank_.apply(workspace_.factorization(), *low_rank_, !log.exact_hessian, workspace_.direction_);
  }

  bool grow_shift(double scale, NewtonIteration& log) {
    const double shift = log.diagonal_shift == 0 ? smallest_shift * scale : log.diagonal_shift * shift_growth;
    if (!std::isfinite(shift) || shift > largest_shift * scale) return false;
    add_to_diagonal(workspace_.hessian_, shift - log.diagonal_shift);
    log.diagonal_shift = shift;
    return true;
  }

  NewtonProblem& problem_;
  Eigen::VectorXd& x_;
  const NewtonOptions& options_;
  NewtonWorkspace& workspace_;
  NewtonResult result_;
  double energy_ = 0, slope_ = 0;
  const LowRankMatrix* low_rank_ = nullptr;  // of the last derivatives
};

double NewtonProblem::energy_resolution(double energy) const {
  return 64 * std::numeric_limits<double>::epsilon() * std::abs(energy);
}

std::string NewtonProblem::advice(NewtonStatus, const Eigen::VectorXd&) const { return ""; }

NewtonWorkspace::NewtonWorkspace(SparseLibrary library) : factorization_(make_sparse_solver({.library = library})) {}

bool NewtonWorkspace::factorize(const SparseMatrix& hessian) {
  if (!factorization_->has_pattern_of(hessian)) {
    factorization_->analyze(hessian);
    ++analyses_;
  }
  const bool factorized = factorization_->factorize(hessian);
  factor_size_ = factorized ? static_cast<int>(hessian.cols()) : -1;
  return factorized;
}

bool newton_direction(const SparseMatrix& hessian, const Eigen::VectorXd& gradient, Eigen::VectorXd& direction,
                      NewtonWorkspace& workspace) {
  if (!workspace.factorize(hessian)) return false;
  direction.resize(gradient.size());
  workspace.factorization_->solve(gradient, direction);
  direction = -direction;
  return true;
}

std::string to_string(NewtonStatus status) {
  switch (status) {
    case NewtonStatus::converged:
      return "converged";
    case NewtonStatus::iteration_limit:
      return "iteration_limit";
    case NewtonStatus::line_search_failed:
      return "line_search_failed";
    case NewtonStatus::not_positive_definite:
      return "not_positive_definite";
    case NewtonStatus::infeasible_start:
      return "infeasible_start";
    case NewtonStatus::not_finite:
      return "not_finite";
  }
  return "unknown";
}

NewtonResult minimize(NewtonProblem& problem, Eigen::VectorXd& x, const NewtonOptions& options, NewtonWorkspace& workspace) {
  return NewtonMinimizer(problem, x, options, workspace).run();
}

}  // namespace holo
