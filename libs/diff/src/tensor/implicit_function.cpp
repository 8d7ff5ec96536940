#include "holo/diff/tensor/implicit_function.h"

#include "tensor/checks.h"

namespace holo::detail {

Eigen::VectorXd implicit_step(const RealFactorization& jacobian, const Eigen::VectorXd& residual, int index) {
  require_finite(residual,
                 index == 0 ? "the residual of an implicit function" : "a derivative of the residual of an implicit function");
  Eigen::VectorXd step(residual.size());
  jacobian.solve(residual, step);
  return step;
}

void require_implicit_sizes(std::size_t unknowns, Eigen::Index rows) {
  if (unknowns == 0)
    throw TensorError(TensorError::Kind::empty, TensorError::unknown, "an implicit function needs an unknown; u0 is empty");
  if (Eigen::Index(unknowns) != rows)
    throw_mismatch("the number of unknowns of an implicit function", std::to_string(unknowns),
                   "that of the rows of its Jacobian, " + std::to_string(rows));
}

}  // namespace holo::detail
