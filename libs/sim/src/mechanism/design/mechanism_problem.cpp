#include "holo/sim/mechanism/design/mechanism_problem.h"

#include <algorithm>

#include "holo/core/error.h"
#include "holo/sim/motion/motion_tasks.h"
#include "mechanism/model/value_index.h"

namespace holo {

namespace {

using Pattern = Eigen::SparseMatrix<double>;

// The number of an unknown in the stage's order (p, u, v, s), from its number in the equations' order (p, u, s).
int with_rates(int number, int parameters, int controls) { return number < parameters + controls ? number : number + controls; }

// Scratch memory of one thread: derivatives of the equations, [value][knot].
struct Scratch {
  Eigen::MatrixXd states, controls, parameters, hessian, residual;
  static Scratch& of_this_thread() {
    thread_local Scratch scratch;
    return scratch;
  }
};

void put(const Eigen::MatrixXd& from, StageLanes& to) { to.leftCols(from.cols()) = from; }

}  // namespace

MechanismProblem::MechanismProblem(std::shared_ptr<const ConstraintEquations> equations, std::vector<NamedLoss> losses,
                                   LossData data, Eigen::MatrixXd prescribed, const MechanismProblemOptions& options)
    : equations_(std::move(equations)),
      losses_(std::shared_ptr<const MechanismLayout>(equations_, &equations_->layout()), std::move(losses)),
      data_(std::move(data)),
      prescribed_(std::move(prescribed)),
      restrictions_(options.restrictions) {
  require_sizes();
  if (options.singularity.weight > 0)
    singularity_ = std::make_shared<const SingularityPenalty>(equations_->layout(), options.singularity);
  make_layout();
  count_design_equations(options.assembly);
}

MechanismProblem MechanismProblem::with_equations(std::shared_ptr<const ConstraintEquations> equations) const {
  MechanismProblem result = *this;
  // Losses bind unknowns of a layout, and the penalty its states: both are built again. Data, constraints of the design and
  // centers do not depend on the elimination.
  result.losses_ = {std::shared_ptr<const MechanismLayout>(equations, &equations->layout()), losses_.losses()};
  result.equations_ = std::move(equations);
  result.require_sizes();
  if (singularity_)
    result.singularity_ = std::make_shared<const SingularityPenalty>(result.equations_->layout(), singularity_->options());
  result.make_layout();
  return result;
}

void MechanismProblem::require_sizes() const {
  const MechanismLayout& of = equations_->layout();
  const auto require = [](const std::string& what, Eigen::Index found, Eigen::Index wanted) {
    if (found != wanted)
      throw Error(Failure::input, what + ": " + std::to_string(found) + " given, " + std::to_string(wanted) + " needed");
  };
  const Eigen::Index count = data_.initial_controls.cols();
  if (count < 2) throw Error(Failure::input, "a motion needs at least 2 knots, " + std::to_string(count) + " are given");
  if (!(data_.time_step > 0)) throw Error(Failure::input, "the time step must be above 0 s");
  motion_tasks(data_.task_beginnings, int(count));
  require("initial controls", data_.initial_controls.rows(), Eigen::Index(of.all_controls().size()));
  require("initial design parameters", data_.initial_parameters.size(), of.parameter_count());
  require("prescribed coordinates", prescribed_.rows(), of.prescribed_count());
  require("knots of the prescribed coordinates", prescribed_.cols(), count);
  for (std::size_t i = 0; i < data_.signals.size(); ++i)
    if (data_.signals[i].cols() != 1)  // a constant
      require("knots of signal " + std::to_string(i + 1), data_.signals[i].cols(), count);
  require("independent equations (as many as states)", Eigen::Index(of.independent_equations().size()), of.state_count());
}

void MechanismProblem::make_layout() {
  const MechanismLayout& of = equations_->layout();
  const EquationPatterns& patterns = equations_->patterns();
  layout_.stage_count = int(data_.initial_controls.cols());
  layout_.time_step = data_.time_step;
  layout_.parameter_count = of.parameter_count();
  layout_.control_count = of.control_count();
  layout_.state_count = of.state_count();
  layout_.rated_states = losses_.rated_states();
  layout_.parameter_quaternions = of.parameter_quaternions();
  layout_.parameter_lower = restrictions_.lower();
  layout_.parameter_upper = restrictions_.upper();
  layout_.control_quaternions = of.control_quaternions();
  layout_.states_jacobian = patterns.states;
  layout_.parameters_jacobian = patterns.parameters;
  layout_.controls_jacobian = patterns.controls;

  const auto entries = losses_.hessian_entries();
  // One pattern for the sum of three Hessians: of the constraints weighted by multipliers, of the losses, and of the penalty,
  // which couples all unknowns of a knot.
  std::vector<Eigen::Triplet<double>> all_entries;
  std::vector<std::pair<int, int>> of_equations;
  for (int column = 0; column < patterns.hessian.outerSize(); ++column)
    for (Pattern::InnerIterator it(patterns.hessian, column); it; ++it)
      of_equations.emplace_back(with_rates(int(it.row()), of.parameter_count(), of.control_count()),
                                with_rates(column, of.parameter_count(), of.control_count()));
  all_entries.reserve(of_equations.size() + entries.size());
  for (const auto& [row, column] : of_equations) all_entries.emplace_back(row, column, 1.0);
  for (const auto& [row, column] : entries) all_entries.emplace_back(row, column, 1.0);
  std::vector<std::pair<int, int>> of_singularity;
  const int all = of.parameter_count() + of.control_count() + of.state_count();
  for (int column = 0; column < all && singularity_; ++column)
    for (int row = 0; row <= column; ++row)
      of_singularity.emplace_back(with_rates(row, of.parameter_count(), of.control_count()),
                                  with_rates(column, of.parameter_count(), of.control_count()));
  for (const auto& [row, column] : of_singularity) all_entries.emplace_back(row, column, 1.0);
  // For each of the three, the indices of its entries among the sum's values.
  equation_hessian_values_.clear();
  singularity_hessian_values_.clear();
  layout_.hessian.resize(layout_.stage_size(), layout_.stage_size());
  layout_.hessian.setFromTriplets(all_entries.begin(), all_entries.end());
  layout_.hessian.makeCompressed();
  for (const auto& [row, column] : of_equations) equation_hessian_values_.push_back(value_index(layout_.hessian, row, column));
  for (const auto& [row, column] : of_singularity)
    singularity_hessian_values_.push_back(value_index(layout_.hessian, row, column));
  std::vector<int> hessian_values;
  hessian_values.reserve(entries.size());
  for (const auto& [row, column] : entries) hessian_values.push_back(value_index(layout_.hessian, row, column));
  losses_.set_hessian_values(std::move(hessian_values));
}

MechanismUnknowns MechanismProblem::knots(const StagedPoint& point, int first, int count) const {
  return {point.states.middleCols(first, count), point.controls.middleCols(first, count), point.parameters,
          prescribed_.middleCols(first, count)};
}

StagedPoint motion_point(const Eigen::MatrixXd& states, const Eigen::MatrixXd& controls, const Eigen::VectorXd& parameters,
                         double time_step) {
  const Eigen::Index n = controls.cols();
  return {parameters, controls, (controls.rightCols(n - 1) - controls.leftCols(n - 1)) / time_step, states};
}

void MechanismProblem::evaluate(const StagedPoint& point, int first, int last, double* objective,
                                Eigen::Ref<Eigen::MatrixXd> residual) const {
  equations_->residual(knots(point, first, last - first), residual);
  losses_.evaluate({point.states, point.controls, point.rates, point.parameters}, data_, first, last, objective);
  for (int k = first; k < last && singularity_; ++k)
    objective[k - first] += singularity_->value(singularity_->smallest(knots(point, k, 1), 0));
}

// Adds the penalty's gradient and Gauss-Newton Hessian: slope times d sigma, and curvature times d sigma d sigma^T. Knots with
// sigma above the threshold have neither.
void MechanismProblem::add_singularity(const MechanismUnknowns& at, StageDerivatives& to) const {
  const MechanismLayout& of = equations_->layout();
  Eigen::VectorXd gradient;  // of the singular value
  for (Eigen::Index k = 0; k < at.count(); ++k) {
    const double smallest = singularity_->smallest(at, k);
    if (!(singularity_->slope(smallest) < 0)) continue;
    singularity_->smallest(at, k, gradient);
    const double slope = singularity_->slope(smallest), curvature = singularity_->curvature(smallest);
    std::size_t entry = 0;
    for (int column = 0; column < int(gradient.size()); ++column) {
      to.gradient(with_rates(column, of.parameter_count(), of.control_count()), k) += slope * gradient[column];
      for (int row = 0; row <= column; ++row)
        to.hessian(singularity_hessian_values_[entry++], k) += curvature * gradient[row] * gradient[column];
    }
  }
}

void MechanismProblem::differentiate(const StagedPoint& point, const Eigen::MatrixXd& state_multipliers, bool gauss_newton,
                                     int block, StageDerivatives& to) const {
  const int first = block * stage_lanes, last = std::min(first + stage_lanes, layout_.stage_count), count = last - first;
  const MechanismUnknowns at = knots(point, first, count);
  const EquationPatterns& patterns = equations_->patterns();
  Scratch& scratch = Scratch::of_this_thread();
  // First derivatives of the constraints at all knots of the block, then copied to the solver's lanes.
  scratch.states.resize(patterns.states.nonZeros(), count);
  scratch.controls.resize(patterns.controls.nonZeros(), count);
  scratch.parameters.resize(patterns.parameters.nonZeros(), count);
  equations_->jacobians(at, {scratch.states, scratch.controls, scratch.parameters});
  put(scratch.states, to.states_jacobian);
  put(scratch.controls, to.controls_jacobian);
  put(scratch.parameters, to.parameters_jacobian);

  to.hessian.setZero();
  // The Hessian of the multipliers times the constraints; the Gauss-Newton model omits this curvature.
  if (!gauss_newton) {
    scratch.hessian.setZero(patterns.hessian.nonZeros(), count);
    equations_->add_hessian(at, state_multipliers.middleCols(first, count), scratch.hessian);
    for (std::size_t i = 0; i < equation_hessian_values_.size(); ++i)
      to.hessian.row(equation_hessian_values_[i]).leftCols(count) = scratch.hessian.row(Eigen::Index(i));
  }
  to.gradient.setZero();
  // Losses add to gradient and Hessian, then the penalty of singular poses.
  const MechanismKnots with_losses = {point.states, point.controls, point.rates, point.parameters};
  losses_.differentiate(with_losses, data_, gauss_newton, first, last, to.gradient.data(), to.hessian.data());
  if (singularity_) add_singularity(at, to);
  scratch.residual.resize(layout_.state_count, count);
  evaluate(point, first, last, to.objective.data(), scratch.residual);
  put(scratch.residual, to.residual);
}

double MechanismProblem::evaluate_state_rates(const Eigen::MatrixXd& rates) const {
  return losses_.evaluate_state_rates(rates, data_);
}

void MechanismProblem::differentiate_state_rates(const Eigen::MatrixXd& rates, Eigen::MatrixXd& slopes,
                                                 Eigen::MatrixXd& curvatures) const {
  losses_.differentiate_state_rates(rates, data_, slopes, curvatures);
}

double MechanismProblem::feasible_step(const StagedPoint& point, const StagedPoint& direction) const {
  // Distances from limits are evaluated at the end of the full step and interpolated.
  thread_local StagedPoint after;
  after.parameters = point.parameters + direction.parameters;
  after.controls = point.controls + direction.controls;
  after.rates = point.rates + direction.rates;
  after.states = point.states + direction.states;
  return losses_.feasible_step({point.states, point.controls, point.rates, point.parameters},
                               {after.states, after.controls, after.rates, after.parameters}, data_);
}

bool MechanismProblem::is_on_branch(const StagedPoint& point) const {
  const MechanismUnknowns at = knots(point, 0, layout_.stage_count);
  for (int k = 0; k < layout_.stage_count; ++k)
    if (!equations_->is_unflipped(at, k)) return false;
  return true;
}

bool MechanismProblem::recenter(const StagedPoint& point) {
  const MechanismLayout& of = equations_->layout();
  if (of.parameter_count() == 0) return false;
  for (int i = 0; i < of.parameter_count(); ++i) data_.initial_parameters[i] = of.parameter_scale(i) * point.parameters[i];
  return true;
}

MechanismProblem::LargestResidual MechanismProblem::largest_residual(const StagedPoint& point, bool redundant_only) const {
  const MechanismLayout& of = equations_->layout();
  Eigen::MatrixXd all(Eigen::Index(of.equations().size()), layout_.stage_count);
  equations_->all_equations(knots(point, 0, layout_.stage_count), all);
  LargestResidual largest;
  // The negated comparison makes a NaN the largest.
  const auto look_at = [&](int row) {
    Eigen::Index knot = 0;
    const double value = all.row(row).cwiseAbs().maxCoeff(&knot);
    if (!(value <= largest.value)) largest = {value, row, int(knot)};
  };
  if (redundant_only)
    for (const int row : of.elimination().redundant) look_at(row);
  else
    for (int row = 0; row < int(all.rows()); ++row) look_at(row);
  return largest;
}

double MechanismProblem::largest_redundant_residual(const StagedPoint& point) const {
  return largest_residual(point, true).value;
}

std::string MechanismProblem::constraint_name(int row, int knot) const {
  const MechanismLayout& of = equations_->layout();
  return of.equation_name(of.independent_equations()[std::size_t(row)]) + " at knot " + std::to_string(knot);
}

}  // namespace holo
