#include "articulated/trajectory/transition_blocks.h"

namespace holo::articulated {

void collect_points(const Eigen::MatrixXd& coefficients, Eigen::MatrixXd& points) {
  for (Eigen::Index z = 0; z < points.cols(); ++z) points.col(z) << coefficients.col(2 * z + 2), coefficients.col(2 * z + 3);
}

TransitionBlocks::TransitionBlocks(TransitionTerm& term, const TrajectoryBasis& basis, int dofs)
    : term_(term), basis_(basis), points_(2 * dofs, basis.point_count() - 1), residual_(term.residual_size()) {
  for (Eigen::MatrixXd& block : by_point_) block.resize(term.residual_size(), 2 * dofs);
}

double TransitionBlocks::value(const Eigen::MatrixXd& coefficients) {
  collect_points(coefficients, points_);
  return term_.value(points_);
}

void TransitionBlocks::add(const Eigen::MatrixXd& coefficients, const PointColumns& columns, Eigen::VectorXd& gradient) {
  value(coefficients);
  for (int earlier = 0; earlier + 2 < basis_.point_count(); ++earlier) add_pair(earlier, columns, gradient);
}

void TransitionBlocks::add_pair(int earlier, const PointColumns& columns, Eigen::VectorXd& gradient) {
  term_.differentiate(earlier, residual_, by_point_[0], by_point_[1]);
  const Eigen::Index n = points_.rows() / 2;
  // Local columns are x and tau of the earlier point, then of the later one.
  const auto by = [&](int local) { return by_point_[local / 2].middleCols((local % 2) * n, n); };
  const auto of_basis = [&](int local) { return 2 * (earlier + 1) + local; };
  for (int row = 0; row < 4; ++row) {
    if (!basis_.is_unknown(of_basis(row))) continue;
    gradient.segment(columns.unknown_of(of_basis(row)), n) += 2 * by(row).transpose() * residual_;
    for (int column = 0; column <= row; ++column)
      if (basis_.is_unknown(of_basis(column)))
        columns.add_hessian(of_basis(row), of_basis(column), 2 * by(row).transpose() * by(column));
  }
}

}  // namespace holo::articulated
