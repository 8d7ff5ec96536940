// Preconditioned gradient descent.
#include <algorithm>
#include <array>
#include <cmath>

#include "holo/opt/matrix_free.h"
#include "newton/diagnosis.h"
#include "newton/line_search.h"

namespace holo {
namespace {

constexpr int preconditioner_interval = 32;  // iterations; a preconditioner costs about as much as a Hessian
constexpr double first_length = 0.25;        // where no step has been accepted yet

// The lengths of the last steps whose decrease could be seen.
class SeenLengths {
 public:
  SeenLengths() { lengths_.fill(first_length); }
  void add(double length) { lengths_[next_++ % lengths_.size()] = length; }
  double shortest() const { return *std::min_element(lengths_.begin(), lengths_.end()); }

 private:
  std::array<double, 16> lengths_;
  std::size_t next_ = 0;
};

}  // namespace

class DescentMinimizer {
 public:
  DescentMinimizer(NewtonProblem& problem, MatrixFreeHessian& hessian, Eigen::VectorXd& x, const NewtonOptions& options,
                   MatrixFreeWorkspace& workspace)
      : problem_(problem), hessian_(hessian), x_(x), options_(options), work_(workspace) {}

  NewtonResult run() {
    result_.iterations.reserve(static_cast<std::size_t>(std::max(options_.max_iterations, 0)));
    work_.direction_.resize(x_.size());
    work_.trial_.resize(x_.size());
    energy_ = problem_.energy(x_);
    result_.status = std::isfinite(energy_) ? iterate() : NewtonStatus::infeasible_start;
    result_.energy = energy_;
    if (result_.status != NewtonStatus::converged)
      result_.diagnosis = diagnosis_of(problem_, x_, "gradient descent", options_, result_);
    return std::move(result_);
  }

 private:
  NewtonStatus iterate() {
    SeenLengths seen;
    double length = first_length;  // of the last step
    for (int iteration = 1; iteration <= options_.max_iterations; ++iteration) {
      if ((iteration - 1) % preconditioner_interval == 0)
        hessian_.linearize(x_, false, work_.gradient_);
      else
        hessian_.gradient(x_, work_.gradient_);
      if (!work_.gradient_.allFinite()) return NewtonStatus::not_finite;
      NewtonIteration log{iteration, energy_, work_.gradient_.norm(), 0, 0, 0, 0, false, false};
      hessian_.precondition(work_.gradient_, work_.direction_);
      if (!work_.direction_.allFinite()) return NewtonStatus::not_finite;
      log.step_size = problem_.step_size(work_.direction_);
      const bool last = log.step_size <= options_.tolerance;
      // The search begins with the whole of its direction. Where a decrease cannot be seen in the energy it would accept steps
      // of any length, and a length that is too large for stiff directions makes these grow: then half of the shortest one is
      // taken.
      const double slope = -work_.gradient_.dot(work_.direction_);
      const bool visible = -2 * length * slope > 100 * problem_.energy_resolution(energy_);
      const double longest = visible ? 2 * length : seen.shortest() / 2;
      work_.direction_ *= -longest;
      const bool moved = line_search(problem_, options_, longest * slope, x_, work_.direction_, work_.trial_, energy_, log);
      log.step_length *= longest;
      result_.iterations.push_back(log);
      if (last) return NewtonStatus::converged;
      if (!moved) return NewtonStatus::line_search_failed;
      length = log.step_length;
      if (visible) seen.add(length);
    }
    return NewtonStatus::iteration_limit;
  }

  NewtonProblem& problem_;
  MatrixFreeHessian& hessian_;
  Eigen::VectorXd& x_;
  const NewtonOptions& options_;
  MatrixFreeWorkspace& work_;
  NewtonResult result_;
  double energy_ = 0;
};

NewtonResult minimize_by_descent(NewtonProblem& problem, MatrixFreeHessian& hessian, Eigen::VectorXd& x,
                                 const NewtonOptions& options, MatrixFreeWorkspace& workspace) {
  return DescentMinimizer(problem, hessian, x, options, workspace).run();
}

}  // namespace holo
