#pragma once
// An equality-constrained problem as one without constraints, F = E + w |C|^2: the soft form of hard constraints, for
// comparisons. docs/trajectory-optimization.md#soft-constraints has the formulas.

#include <memory>

#include "holo/opt/trajectory/equality_constrained_problem.h"
#include "holo/opt/trajectory/smooth_function.h"

namespace holo {

struct ConstraintValues;

// C counts in the constraints' units. The minimizer has |C| of the order 1 / w, and 2 w C approximates the multipliers.
class PenalizedProblem final : public SmoothFunction {
 public:
  // `weight`: w > 0. The problem must outlive this. Throws Error(internal) for another weight and for a problem and a system of
  // different sizes.
  PenalizedProblem(EqualityConstrainedProblem& problem, double weight);
  ~PenalizedProblem() override;

  EqualityConstrainedProblem& constrained() { return problem_; }
  double weight() const { return weight_; }

  int unknown_count() const override { return problem_.unknown_count(); }
  double value(const Eigen::VectorXd& point) override;
  // b + 2 w A^T C.
  void gradient(const Eigen::VectorXd& point, Eigen::VectorXd& gradient) override;
  // The same with a linearization: H and A are those of the problem's system. H is asked for with the multipliers 2 w C, so
  // that H + 2 w A^T A is the Hessian of F where H is that of the Lagrangian.
  void linearize(const Eigen::VectorXd& point, Eigen::VectorXd& gradient);

  void describe(SqpIteration& log) const override;
  std::string description() const override;

 private:
  EqualityConstrainedProblem& problem_;
  double weight_;
  std::unique_ptr<ConstraintValues> values_;  // of the last value
  Eigen::VectorXd multipliers_, product_;     // 2 w C [constraint], A^T multipliers [unknown]
};

}  // namespace holo
