#pragma once
// Merit functions of an objective E and a norm |C| of constraints, with the rules for their penalty mu.

namespace holo {

enum class TrajectoryMerit;

// What a step promises, from the linearized problem.
struct PredictedStep {
  double objective = 0;               // q = b . p + p . H p / 2
  double constraints_before = 0;      // |C|
  double constraints_linearized = 0;  // |C + A p|
};

// E + mu |C| (l2), exact for mu > |lambda|; or E + mu |C|^2 / 2 (paper), whose minimum is feasible only for an infinite mu.
class ConstraintMerit {
 public:
  // `margin`: nu, the least part of mu (|C| - |C + A p|) that l2 predicts as a decrease.
  ConstraintMerit(TrajectoryMerit kind, double margin) : kind_(kind), margin_(margin) {}

  double penalty() const { return penalty_; }
  void set_penalty(double penalty) { penalty_ = penalty; }
  double value(double objective, double constraints) const { return objective + penalty_ * violation(constraints); }

  // Raises the penalty so that the step decreases the model: l2 so that the decrease is at least nu mu (|C| - |C + A p|); paper
  // by equation 11 of [Pan2019], mu >= q / (|C|^2 / 2).
  void update(const PredictedStep& step);
  // The decrease of the model.
  double predicted(const PredictedStep& step) const {
    return -step.objective + penalty_ * (violation(step.constraints_before) - violation(step.constraints_linearized));
  }

 private:
  double violation(double constraints) const;

  TrajectoryMerit kind_;
  double margin_, penalty_ = 1;
};

}  // namespace holo
