#include "articulated/trajectory/point_columns.h"

namespace holo::articulated {

void PointColumns::to_unknowns(const Eigen::MatrixXd& coefficients, Eigen::VectorXd& unknowns) const {
  visit_unknown([&](int column) { unknowns.segment(unknown_of(column), dofs_) = coefficients.col(column); });
}

void PointColumns::to_coefficients(const Eigen::VectorXd& unknowns, Eigen::MatrixXd& coefficients) const {
  visit_unknown([&](int column) { coefficients.col(column) = unknowns.segment(unknown_of(column), dofs_); });
}

void PointColumns::add_segment(const TrajectorySegment& segment, const Eigen::VectorXd& of_segment,
                               const Eigen::MatrixXd& hessian, Eigen::VectorXd& gradient) const {
  const int first = segment.first_point * basis_.components();
  const auto local = [&](int column) { return Eigen::Index(column - first) * dofs_; };
  visit_unknown(segment, [&](int row) {
    gradient.segment(unknown_of(row), dofs_) += of_segment.segment(local(row), dofs_);
    visit_unknown(segment, [&](int column) {
      if (column <= row) add_hessian(row, column, hessian.block(local(row), local(column), dofs_, dofs_));
    });
  });
}

}  // namespace holo::articulated
