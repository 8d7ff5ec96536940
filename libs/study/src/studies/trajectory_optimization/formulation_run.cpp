// One method of the study `trajectory_formulations`.
#include <algorithm>

#include "holo/comparison/ipopt_solver.h"
#include "holo/opt/trajectory/lbfgs.h"
#include "holo/opt/trajectory/levenberg_marquardt.h"
#include "holo/sim/articulated/trajectory/contact_invariant_problem.h"
#include "studies/trajectory_optimization/formulations.h"

namespace holo {

using articulated::ContactInvariantProblem, articulated::TrajectoryBasis, articulated::TrajectoryProblem;

namespace {

using FormulationMethod = Formulation::Method;

TrajectoryBasis formulation_basis(const FormulationInput& input, bool is_of_spline) {
  return TrajectoryBasis::of_length(input.model.steps(), is_of_spline ? input.options.segment_length : 1, input.options.end);
}

// The point from which a method starts: the result of another one, with all positions moved by what the start has moved, since
// the character stands at another depth. A spline's states are the coefficients of single steps. A given end stays.
Eigen::VectorXd formulation_start(const FormulationInput& input, TrajectoryProblem& problem) {
  const Eigen::VectorXd at_rest = problem.point();
  if (input.from == nullptr) return at_rest;
  Eigen::MatrixXd coefficients = *input.from;
  if (input.is_from_spline && !input.formulation.is_of_spline) {
    const TrajectoryBasis spline = formulation_basis(input, true);
    coefficients.setZero(coefficients.rows(), spline.steps() + 1);
    for (int i = 0; i <= spline.steps(); ++i)
      for (const articulated::BasisWeight& entry : spline.weights(i))
        coefficients.col(i) += entry.weight * input.from->col(entry.column);
  }
  const Eigen::MatrixXd given = problem.coefficients(at_rest);
  const Eigen::VectorXd shift = given.col(0) - coefficients.col(0);
  for (int column = 0; column < problem.basis().columns(); ++column) {
    if (column % problem.basis().components() == 0) coefficients.col(column) += shift;
    if (!problem.basis().is_unknown(column)) coefficients.col(column) = given.col(column);
  }
  problem.set_coefficients(coefficients);
  return problem.point();
}

void restore_formulation(const FormulationInput& input, TrajectoryProblem& problem, Eigen::VectorXd& point,
                         FormulationResult& result) {
  const RestorationResult restored = restore_constraints(problem, point, input.options.restoration);
  result.status += std::string(result.status.empty() ? "" : ", ") + "restoration " + to_string(restored.status);
}

void run_trust_region(const FormulationInput& input, TrajectoryProblem& problem, Eigen::VectorXd& point,
                      FormulationResult& result) {
  TrustRegionSqpOptions options = input.options.spline_solver;
  options.max_iterations = input.formulation.iterations;
  if (input.formulation.restoration && input.from != nullptr) restore_formulation(input, problem, point, result);
  const TrustRegionSqpResult solved = TrustRegionSqp(problem, options).solve(point);
  result.status += std::string(result.status.empty() ? "" : ", ") + to_string(solved.status);
  for (const TrustRegionSqpIteration& iteration : solved.iterations)
    result.iterations.push_back(
        {iteration.iteration, iteration.objective, iteration.constraint_largest, iteration.stationarity});
  if (input.formulation.restoration) restore_formulation(input, problem, point, result);
}

// E + w |C|^2.
void run_soft(const FormulationInput& input, EqualityConstrainedProblem& problem, Eigen::VectorXd& point,
              FormulationResult& result) {
  PenalizedProblem soft(problem, input.formulation.weight);
  UnconstrainedResult solved;
  const double tolerance = input.options.spline_solver.stationarity_tolerance;
  if (input.formulation.method == FormulationMethod::levenberg_marquardt ||
      input.formulation.method == FormulationMethod::contact_invariant_lm) {
    LevenbergMarquardtOptions options;
    options.max_iterations = input.formulation.iterations;
    options.stationarity_tolerance = tolerance;
    solved = LevenbergMarquardt(soft, options).solve(point);
  } else {
    LbfgsOptions options;
    options.max_iterations = input.formulation.iterations;
    options.stationarity_tolerance = tolerance;
    solved = Lbfgs(soft, options).solve(point);
  }
  result.status = to_string(solved.status);
  for (const UnconstrainedIteration& iteration : solved.iterations)
    result.iterations.push_back({iteration.iteration, iteration.value, iteration.constraint_largest, iteration.stationarity});
}

void run_ipopt(const FormulationInput& input, TrajectoryProblem& problem, Eigen::VectorXd& point, FormulationResult& result) {
  // A tenth of ours, since our result as a start satisfies our tolerances, and Ipopt would end there without an iteration.
  const double tolerance =
      std::min(input.options.spline_solver.constraint_tolerance, input.options.spline_solver.stationarity_tolerance) / 10;
  comparison::IpoptSolution solved =
      comparison::solve_by_ipopt(problem, point, {.tolerance = tolerance, .max_iterations = input.formulation.iterations});
  point = solved.point;
  result.status = solved.status;
  for (const comparison::IpoptIteration& iteration : solved.iterations)
    result.iterations.push_back({iteration.number + 1, iteration.objective, iteration.violation, iteration.stationarity});
}

// The motion's part of the result; the method has no forces of its own.
void measure_smooth_motion(const FormulationInput& input, TrajectoryProblem& problem, const Eigen::VectorXd& point,
                           FormulationResult& result) {
  result.values = result.smooth = problem.values(point);
  result.motion = measure_motion(input.model, problem.states(point), problem.residuals(point));
  result.coefficients = problem.coefficients(point);
}

void run_contact_invariant(const FormulationInput& input, FormulationResult& result) {
  ContactInvariantProblem problem(input.model, formulation_basis(input, input.formulation.is_of_spline),
                                  input.options.linear_algebra);
  TrajectoryProblem& motion = problem.motion();
  motion.scale_losses(motion.point());
  Eigen::VectorXd point = problem.point_of(formulation_start(input, motion));
  run_soft(input, problem, point, result);
  measure_smooth_motion(input, motion, problem.motion_point(point), result);
  result.values = problem.values(point);
  result.interactions = problem.interactions(point);
}

void run_with_smooth_contact(const FormulationInput& input, FormulationResult& result) {
  TrajectoryProblem problem(input.model, formulation_basis(input, input.formulation.is_of_spline),
                            input.options.linear_algebra);
  problem.scale_losses(problem.point());
  Eigen::VectorXd point = formulation_start(input, problem);
  switch (input.formulation.method) {
    case FormulationMethod::trust_region:
      run_trust_region(input, problem, point, result);
      break;
    case FormulationMethod::ipopt:
      run_ipopt(input, problem, point, result);
      break;
    default:
      run_soft(input, problem, point, result);
  }
  measure_smooth_motion(input, problem, point, result);
}

}  // namespace

FormulationResult run_formulation(const FormulationInput& input) {
  FormulationResult result;
  if (input.formulation.is_contact_invariant())
    run_contact_invariant(input, result);
  else
    run_with_smooth_contact(input, result);
  result.normal_weight = input.model.step().normal_weight;
  const bool ends_with_iterations = !result.iterations.empty() && !input.formulation.restoration;
  result.objective = ends_with_iterations ? result.iterations.back().objective : result.values.objective();
  return result;
}

}  // namespace holo
