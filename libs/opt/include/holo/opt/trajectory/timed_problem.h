#pragma once
// Times of the parts of an optimization, by a problem that passes all calls on to another one.
//
//   TimedProblem timed(problem, thread_seconds);
//   TrustRegionSqp solver(timed, options);
//   solver.solve(point);
//   log(timed.times().factorization / timed.times().factorizations);

#include <cstdint>
#include <memory>

#include "holo/core/numerics/stopwatch.h"
#include "holo/opt/trajectory/equality_constrained_problem.h"

namespace holo {

// Sums over all calls [s], and how many these were.
struct ProblemTimes {
  double evaluation = 0;     // E and C
  double linearization = 0;  // b, H and A; gradients alone
  double factorization = 0;  // of K1 and K2
  double solution = 0;       // with their refinement
  double products = 0;       // with H, A and its transpose; diagonals and norms
  std::int64_t evaluations = 0, linearizations = 0;
  std::int64_t factorizations = 0;  // calls; one may factorize both matrices
  std::int64_t solutions = 0;       // calls

  double sum() const { return evaluation + linearization + factorization + solution + products; }
};

// The results are those of the problem, bit for bit. Allocates nothing. The problem must outlive it.
class TimedProblem final : public EqualityConstrainedProblem {
 public:
  explicit TimedProblem(EqualityConstrainedProblem& problem, Clock clock = wall_seconds);
  ~TimedProblem() override;

  const ProblemTimes& times() const { return times_; }
  void reset_times() { times_ = {}; }

  int unknown_count() const override { return problem_.unknown_count(); }
  int constraint_count() const override { return problem_.constraint_count(); }
  double evaluate(const Eigen::VectorXd& point, Eigen::VectorXd& constraints) override;
  void linearize(const Eigen::VectorXd& point, const Eigen::VectorXd& multipliers, Eigen::VectorXd& gradient) override;
  SaddlePointSystem& system() override;
  std::string constraint_name(int constraint) const override { return problem_.constraint_name(constraint); }
  bool differentiate(const Eigen::VectorXd& point, const Eigen::VectorXd& multipliers, Eigen::VectorXd& gradient) override;

 private:
  class TimedSystem;

  EqualityConstrainedProblem& problem_;
  Clock clock_;
  ProblemTimes times_;
  std::unique_ptr<TimedSystem> system_;
};

}  // namespace holo
