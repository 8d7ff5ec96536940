// Constraints of the design alone, linearized: ties, and those that keep the design where the mechanism can be assembled, or
// fix it.

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

void MechanismProblem::count_design_equations(const std::optional<MechanismProblemOptions::Assembly>& assembly) {
  const int ties = int(restrictions_.slope().rows());
  if (assembly && assembly->nullity > 0 && layout_.parameter_count > 0) {
    assembly_nullity_ = assembly->nullity;
    Eigen::MatrixXd slope;
    Eigen::VectorXd value;
    violated_equations(assembly->start, slope, value);
    // The rank of the conditions at the starting point is the number of ways in which an admissible design can become
    // impossible.
    if (ties > 0) slope *= restrictions_.free_directions();
    if (slope.cols() > 0) assembly_count_ = int((singular_values(slope).array() > 1e-8).count());
  }
  layout_.parameter_constraint_count = ties + assembly_count_;
  StagedPoint start;
  start.parameters = data_.initial_parameters;
  for (int p = 0; p < layout_.parameter_count; ++p) start.parameters[p] /= equations_->layout().parameter_scale(p);
  linearize(assembly ? assembly->start : start);  // ties need no more of a point than its design
}

MechanismProblem MechanismProblem::with_fixed_design(const Eigen::VectorXd& parameters) const {
  MechanismProblem result = *this;
  const std::vector<int>& quaternions = layout_.parameter_quaternions;
  const int count = layout_.parameter_count - int(quaternions.size());
  result.design_slope_.setZero(count, layout_.parameter_count);
  for (int row = 0, p = 0; p < layout_.parameter_count;) {
    if (!std::binary_search(quaternions.begin(), quaternions.end(), p)) {
      result.design_slope_(row++, p++) = 1;
      continue;
    }
    const Eigen::Vector4d q = parameters.segment<4>(p);
    result.design_slope_.block<3, 4>(row, p) << -q[1], q[0], -q[3], q[2],  // across q
        -q[2], q[3], q[0], -q[1],                                          //
        -q[3], -q[2], q[1], q[0];
    row += 3;
    p += 4;
  }
  result.design_offset_.setZero(count);
  result.design_center_ = parameters;
  result.layout_.parameter_constraint_count = count;
  result.parameters_are_fixed_ = true;
  return result;
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
  if (layout_.parameter_constraint_count == 0 || parameters_are_fixed_) return;
  const Eigen::Index ties = restrictions_.slope().rows();
  design_center_ = point.parameters;
  design_slope_.resize(layout_.parameter_constraint_count, layout_.parameter_count);
  design_offset_.resize(layout_.parameter_constraint_count);
  design_slope_.topRows(ties) = restrictions_.slope();
  design_offset_.head(ties) = restrictions_.slope() * design_center_ - restrictions_.value();
  if (assembly_count_ > 0) linearize_assembly(point);
}

void MechanismProblem::linearize_assembly(const StagedPoint& point) {
  Eigen::MatrixXd slope;
  Eigen::VectorXd value;
  violated_equations(point, slope, value);
  // Of the stacked conditions only as many combinations are independent as were counted at the start: those of the largest
  // singular values. Where ties hold, a combination counts by what it says of changes that these allow.
  const bool has_ties = restrictions_.slope().rows() > 0;
  const SingularValueDecomposition svd = singular_value_decomposition(
      has_ties ? Eigen::MatrixXd(slope * restrictions_.free_directions()) : slope, SingularVectors::both);
  const auto combinations = svd.U.leftCols(assembly_count_).transpose();
  if (has_ties)
    design_slope_.bottomRows(assembly_count_) = combinations * slope;
  else
    design_slope_ = svd.values.head(assembly_count_).asDiagonal() * svd.V.leftCols(assembly_count_).transpose();
  design_offset_.tail(assembly_count_) = combinations * value;
}

void MechanismProblem::parameter_constraints(const Eigen::VectorXd& parameters, Eigen::Ref<Eigen::VectorXd> residual,
                                             Eigen::Ref<Eigen::MatrixXd> jacobian) const {
  if (layout_.parameter_constraint_count == 0) return;
  residual = design_offset_ + design_slope_ * (parameters - design_center_);
  jacobian = design_slope_;
}

}  // namespace holo
