#include "mechanism/constraints/state_jacobians.h"

#include "holo/core/numerics/parallel.h"
#include "holo/core/runs/interruption.h"
#include "holo/sim/mechanism/constraints/redundant_equations.h"
#include "smallest_singular_value.h"

namespace holo {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr double accuracy = 1e-9;  // of a singular value, relative

}  // namespace

std::vector<Sparse> state_jacobians(const ConstraintEquations& equations, const MechanismUnknowns& poses) {
  const EquationPatterns& patterns = equations.patterns();
  Eigen::MatrixXd states(patterns.states.nonZeros(), poses.count()), controls(patterns.controls.nonZeros(), poses.count()),
      parameters(patterns.parameters.nonZeros(), poses.count());
  equations.jacobians(poses, {states, controls, parameters});
  std::vector<Sparse> jacobians(std::size_t(poses.count()), Sparse(patterns.states));
  for (Eigen::Index k = 0; k < poses.count(); ++k)
    Eigen::Map<Eigen::VectorXd>(jacobians[std::size_t(k)].valuePtr(), states.rows()) = states.col(k);
  return jacobians;
}

double smallest_singular_value(const Sparse& jacobian) {
  return SmallestSingularValue(jacobian).find(Eigen::Map<const Eigen::VectorXd>(jacobian.valuePtr(), jacobian.nonZeros()),
                                              accuracy);
}

Eigen::VectorXd smallest_singular_values(const ConstraintEquations& equations, const MechanismUnknowns& poses,
                                         bool independent_only) {
  constexpr std::size_t chunk = 8;  // knots that share an analysis of the pattern
  const MechanismLayout& layout = equations.layout();
  if (!independent_only && !layout.elimination().redundant.empty())
    return smallest_singular_values(ConstraintEquations(with_all_equations(layout)), poses, true);
  Eigen::VectorXd result(poses.count());
  parallel_for(std::size_t(poses.count()), chunk, [&](std::size_t begin, std::size_t end) {
    throw_if_interrupted();
    const Eigen::Index first = Eigen::Index(begin), count = Eigen::Index(end - begin);
    const std::vector<Sparse> jacobians =
        state_jacobians(equations, {poses.states.middleCols(first, count), poses.controls.middleCols(first, count),
                                    poses.parameters, poses.prescribed.middleCols(first, count)});
    SmallestSingularValue solver(equations.patterns().states);
    for (Eigen::Index k = 0; k < count; ++k) {
      const Sparse& jacobian = jacobians[std::size_t(k)];
      result[first + k] = solver.find(Eigen::Map<const Eigen::VectorXd>(jacobian.valuePtr(), jacobian.nonZeros()), accuracy);
    }
  });
  return result;
}

}  // namespace holo
