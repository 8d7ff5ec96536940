#pragma once
// A differentiable function of many unknowns without constraints, as solvers see it.

#include <Eigen/Core>
#include <string>

#include "holo/opt/sqp/sqp_iteration.h"

namespace holo {

class SmoothFunction {
 public:
  virtual ~SmoothFunction() = default;
  virtual int unknown_count() const = 0;
  // F at a point [unknown]. A value that is not finite marks a point outside the domain.
  virtual double value(const Eigen::VectorXd& point) = 0;
  // The gradient [unknown] at the point of the last value.
  virtual void gradient(const Eigen::VectorXd& point, Eigen::VectorXd& gradient) = 0;

  // Parts of the last value, where it has such: objective, constraints and penalty of a log.
  virtual void describe(SqpIteration&) const {}
  // A clause about these for a message, such as "the largest constraint is ..."; or empty.
  virtual std::string description() const { return {}; }
};

}  // namespace holo
