// Newton's method with directions of preconditioned conjugate gradients.
#include <algorithm>
#include <cmath>

#include "holo/opt/matrix_free.h"
#include "newton/diagnosis.h"
#include "newton/line_search.h"

namespace holo {

class PcgMinimizer {
 public:
  PcgMinimizer(NewtonProblem& problem, MatrixFreeHessian& hessian, Eigen::VectorXd& x, const NewtonPcgOptions& options,
               MatrixFreeWorkspace& workspace)
      : problem_(problem), hessian_(hessian), x_(x), options_(options), work_(workspace) {}

  NewtonResult run() {
    result_.iterations.reserve(static_cast<std::size_t>(std::max(options_.newton.max_iterations, 0)));
    for (Eigen::VectorXd* vector : {&work_.direction_, &work_.trial_, &work_.correction_, &work_.product_})
      vector->resize(x_.size());
    energy_ = problem_.energy(x_);
    result_.status = std::isfinite(energy_) ? iterate() : NewtonStatus::infeasible_start;
    result_.energy = energy_;
    if (result_.status != NewtonStatus::converged)
      result_.diagnosis = diagnosis_of(problem_, x_, "Newton with conjugate gradients", options_.newton, result_);
    return std::move(result_);
  }

 private:
  enum class Direction { solved, truncated, not_finite };

  NewtonStatus iterate() {
    for (int iteration = 1; iteration <= options_.newton.max_iterations; ++iteration) {
      hessian_.linearize(x_, true, work_.gradient_);
      if (!work_.gradient_.allFinite()) return NewtonStatus::not_finite;
      NewtonIteration log{iteration, energy_, work_.gradient_.norm(), 0, 0, 0, 0, true, false};
      const Direction found = find_direction(log);
      if (found == Direction::not_finite) return NewtonStatus::not_finite;
      log.step_size = problem_.step_size(work_.direction_);
      const bool last = found == Direction::solved && log.step_size <= options_.newton.tolerance;
      const double slope = work_.gradient_.dot(work_.direction_);
      const bool moved = line_search(problem_, options_.newton, slope, x_, work_.direction_, work_.trial_, energy_, log);
      result_.iterations.push_back(log);
      if (last) return NewtonStatus::converged;
      if (!moved) return NewtonStatus::line_search_failed;
    }
    return NewtonStatus::iteration_limit;
  }

  // Conjugate gradients for H p = -g from p = 0.
  Direction find_direction(NewtonIteration& log) {
    Eigen::VectorXd &p = work_.direction_, &r = work_.residual_, &z = work_.correction_, &d = work_.search_;
    Eigen::VectorXd& Hd = work_.product_;
    r = -work_.gradient_;
    p.setZero();
    hessian_.precondition(r, z);
    d = z;
    double norm = r.dot(z);  // |r|^2 in 1/M
    if (!std::isfinite(norm)) return Direction::not_finite;
    const double target = options_.linear_tolerance * options_.linear_tolerance * norm;
    if (norm == 0) return Direction::solved;  // stationary
    while (log.products < options_.max_linear_iterations) {
      hessian_.multiply(d, Hd);
      ++log.products;
      ++result_.products;
      const double curvature = d.dot(Hd);
      if (!std::isfinite(curvature)) return Direction::not_finite;
      if (curvature <= 0) {
        if (log.products == 1) p = z;
        return Direction::truncated;
      }
      const double length = norm / curvature;
      p += length * d;
      r -= length * Hd;
      hessian_.precondition(r, z);
      const double next = r.dot(z);
      if (!std::isfinite(next)) return Direction::not_finite;
      if (next <= target) return Direction::solved;
      d = z + (next / norm) * d;
      norm = next;
    }
    return Direction::truncated;
  }

  NewtonProblem& problem_;
  MatrixFreeHessian& hessian_;
  Eigen::VectorXd& x_;
  const NewtonPcgOptions& options_;
  MatrixFreeWorkspace& work_;
  NewtonResult result_;
  double energy_ = 0;
};

NewtonResult minimize_by_pcg(NewtonProblem& problem, MatrixFreeHessian& hessian, Eigen::VectorXd& x,
                             const NewtonPcgOptions& options, MatrixFreeWorkspace& workspace) {
  return PcgMinimizer(problem, hessian, x, options, workspace).run();
}

}  // namespace holo
