#include "mechanism/constraints/state_jacobians.h"

#include "holo/core/numerics/parallel.h"
#include "holo/core/runs/interruption.h"
#include "holo/sim/mechanism/constraints/row_selection.h"
#include "smallest_singular_value.h"

namespace holo {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr double accuracy = 1e-9;  // of a singular value, relative

}  // namespace

std::vector<Sparse> state_jacobians(const MechanismRows& rows, const MechanismInstants& poses) {
  const MechanismPatterns& patterns = rows.patterns();
  Eigen::MatrixXd states(patterns.states.nonZeros(), poses.count()), controls(patterns.controls.nonZeros(), poses.count()),
      parameters(patterns.parameters.nonZeros(), poses.count());
  rows.jacobians(poses, {states, controls, parameters});
  std::vector<Sparse> jacobians(std::size_t(poses.count()), Sparse(patterns.states));
  for (Eigen::Index k = 0; k < poses.count(); ++k)
    Eigen::Map<Eigen::VectorXd>(jacobians[std::size_t(k)].valuePtr(), states.rows()) = states.col(k);
  return jacobians;
}

double smallest_singular_value(const Sparse& jacobian) {
  return SmallestSingularValue(jacobian).find(Eigen::Map<const Eigen::VectorXd>(jacobian.valuePtr(), jacobian.nonZeros()),
                                              accuracy);
}

Eigen::VectorXd smallest_singular_values(const MechanismRows& rows, const MechanismInstants& poses, bool kept_only) {
  constexpr std::size_t chunk = 8;  // instants that share an analysis of the pattern
  const MechanismLayout& layout = rows.layout();
  if (!kept_only && !layout.selection().dropped.empty())
    return smallest_singular_values(MechanismRows(with_all_rows(layout)), poses, true);
  Eigen::VectorXd result(poses.count());
  parallel_for(std::size_t(poses.count()), chunk, [&](std::size_t begin, std::size_t end) {
    throw_if_interrupted();
    const Eigen::Index first = Eigen::Index(begin), count = Eigen::Index(end - begin);
    const std::vector<Sparse> jacobians =
        state_jacobians(rows, {poses.states.middleCols(first, count), poses.controls.middleCols(first, count), poses.parameters,
                               poses.prescribed.middleCols(first, count)});
    SmallestSingularValue solver(rows.patterns().states);
    for (Eigen::Index k = 0; k < count; ++k) {
      const Sparse& jacobian = jacobians[std::size_t(k)];
      result[first + k] = solver.find(Eigen::Map<const Eigen::VectorXd>(jacobian.valuePtr(), jacobian.nonZeros()), accuracy);
    }
  });
  return result;
}

}  // namespace holo
