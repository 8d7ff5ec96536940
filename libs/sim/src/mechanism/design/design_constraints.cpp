// Linearized constraints of the design: they keep the mechanism assemblable, or fix the design.

#include <algorithm>
#include <cstdint>

#include "holo/core/numerics/parallel.h"
#include "holo/core/numerics/singular_values.h"
#include "holo/sim/mechanism/constraints/redundant_equations.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "mechanism/constraints/left_null_space.h"

namespace holo {

namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

SparseMatrix with_values(SparseMatrix pattern, const Eigen::MatrixXd& values) {
  Eigen::Map<Eigen::VectorXd>(pattern.valuePtr(), pattern.nonZeros()) = values.col(0);
  return pattern;
}

}  // namespace

int MechanismProblem::constrain_assembly(const StagedPoint& point, int nullity) {
  const int parameters = layout_.parameter_count;
  layout_.parameter_row_count = 0;
  assembly_nullity_ = nullity;
  if (nullity == 0 || parameters == 0) return 0;
  Eigen::MatrixXd slope;
  Eigen::VectorXd value;
  violated_equations(point, slope, value);
  // The rank of the conditions at the starting point is the number of independent ways to make the assembly impossible.
  layout_.parameter_row_count = int((singular_values(slope).array() > 1e-8).count());
  linearize(point);
  return layout_.parameter_row_count;
}

void MechanismProblem::fix_parameters(const Eigen::VectorXd& parameters) {
  const std::vector<int>& quaternions = layout_.parameter_quaternions;
  const int count = layout_.parameter_count - int(quaternions.size());
  design_slope_.setZero(count, layout_.parameter_count);
  for (int row = 0, p = 0; p < layout_.parameter_count;) {
    if (!std::binary_search(quaternions.begin(), quaternions.end(), p)) {
      design_slope_(row++, p++) = 1;
      continue;
    }
    const Eigen::Vector4d q = parameters.segment<4>(p);
    design_slope_.block<3, 4>(row, p) << -q[1], q[0], -q[3], q[2],  // across q
        -q[2], q[3], q[0], -q[1],                                   //
        -q[3], -q[2], q[1], q[0];
    row += 3;
    p += 4;
  }
  design_offset_.setZero(count);
  design_center_ = parameters;
  layout_.parameter_row_count = count;
  parameters_are_fixed_ = true;
}

// The conditions on the design at knots that are spread over the motion: Z^T C and Z^T dC/dp, where Z are the left null vectors
// of the passive equations (the smallest left singular vectors, as many as at the start).
void MechanismProblem::violated_equations(const StagedPoint& point, Eigen::MatrixXd& slope, Eigen::VectorXd& value) const {
  constexpr int pose_count = 16;
  const ConstraintEquations equations(with_all_equations(equations_->layout()));
  const MechanismLayout& of = equations.layout();
  const EquationPatterns& patterns = equations.patterns();
  const int poses = std::min(pose_count, layout_.stage_count), nullity = assembly_nullity_;
  std::vector<int> passive;
  for (int row = 0; row < int(of.equations().size()); ++row)
    if (!of.is_actuation(row)) passive.push_back(row);
  slope.resize(Eigen::Index(nullity) * poses, layout_.parameter_count);
  value.resize(slope.rows());
  parallel_for(std::size_t(poses), 1, [&](std::size_t begin, std::size_t) {
    const int i = int(begin);
    const MechanismUnknowns at = knots(point, int(std::int64_t(i) * (layout_.stage_count - 1) / (poses - 1)), 1);
    Eigen::MatrixXd states(patterns.states.nonZeros(), 1), controls(patterns.controls.nonZeros(), 1),
        parameters(patterns.parameters.nonZeros(), 1), all(Eigen::Index(of.equations().size()), 1);
    equations.jacobians(at, {states, controls, parameters});
    equations.all_equations(at, all);
    const Eigen::MatrixXd null_space =
        smallest_left_vectors(chosen_rows(with_values(patterns.states, states), passive), nullity);
    const SparseMatrix by_design = chosen_rows(with_values(patterns.parameters, parameters), passive);
    slope.middleRows(i * nullity, nullity) = null_space.transpose() * by_design;
    value.segment(i * nullity, nullity) = null_space.transpose() * all.col(0)(passive);
  });
}

void MechanismProblem::linearize(const StagedPoint& point) {
  const int count = layout_.parameter_row_count;
  if (count == 0 || parameters_are_fixed_) return;
  Eigen::MatrixXd slope;
  Eigen::VectorXd value;
  violated_equations(point, slope, value);
  // As many combinations of the stacked conditions are independent as at the start: those of the largest singular values.
  const SingularValueDecomposition svd = singular_value_decomposition(slope, SingularVectors::both);
  design_slope_ = svd.values.head(count).asDiagonal() * svd.V.leftCols(count).transpose();
  design_offset_ = svd.U.leftCols(count).transpose() * value;
  design_center_ = point.parameters;
}

void MechanismProblem::parameter_rows(const Eigen::VectorXd& parameters, Eigen::Ref<Eigen::VectorXd> residual,
                                      Eigen::Ref<Eigen::MatrixXd> jacobian) const {
  if (layout_.parameter_row_count == 0) return;
  residual = design_offset_ + design_slope_ * (parameters - design_center_);
  jacobian = design_slope_;
}

}  // namespace holo
