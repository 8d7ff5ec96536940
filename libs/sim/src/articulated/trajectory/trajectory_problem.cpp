#include "holo/sim/articulated/trajectory/trajectory_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "articulated/trajectory/residual_tests.h"
#include "articulated/trajectory/segment_derivatives.h"
#include "articulated/trajectory/step_gradients.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/articulated/dynamics/step_residual.h"

namespace holo::articulated {

using Eigen::MatrixXd, Eigen::VectorXd;

struct TrajectoryProblem::Scratch {
  SegmentScratch segment;
  std::vector<WrenchMatrix<double>> inertial, applied;

  Scratch(const TrajectoryModel& model, const TrajectoryBasis& basis)
      : segment(model, basis), inertial(std::size_t(model.character().dof_count())), applied(inertial.size()) {}
};

struct TrajectoryProblem::SegmentResult : SegmentDerivatives {};

namespace {

// Points of the system are points 1 ... Z of the basis.
BandedSaddleShape saddle_shape(const TrajectoryModel& model, const TrajectoryBasis& basis) {
  if (basis.point_count() == 2 && basis.unknown_columns(1) == 0)
    throw Error(
        Failure::input,
        "a trajectory with one point after its start has a given end, so that nothing is left to optimize; give it more "
        "time steps or shorter segments, or leave the end free.");
  BandedSaddleShape shape;
  const int n = model.character().dof_count(), tests = int(model.unactuated().size()) * basis.components();
  for (int point = 1; point < basis.point_count(); ++point) {
    shape.unknowns.push_back(basis.unknown_columns(point) * n);
    shape.constraints.push_back(tests);
  }
  shape.hessian_reach = 2;
  shape.jacobian_before = 2;
  shape.jacobian_after = basis.components() == 1 ? 0 : 1;
  return shape;
}

}  // namespace

TrajectoryProblem::TrajectoryProblem(const TrajectoryModel& model, TrajectoryBasis basis,
                                     const BlockTridiagonalOptions& linear_algebra)
    : model_(model),
      basis_(std::move(basis)),
      states_(model.character(), model.steps(), model.definition().start),
      residuals_(MatrixXd::Zero(model.character().dof_count(), model.steps())),
      losses_(std::size_t(model.steps())),
      system_(std::make_unique<BandedSaddlePoint>(saddle_shape(model, basis_), linear_algebra)),
      segments_(basis_.segments().size()),
      scratch_([this] { return std::make_unique<Scratch>(model_, basis_); }),
      step_gradients_(MatrixXd::Zero(model.character().dof_count(), 3 * model.steps())),
      column_gradients_(MatrixXd::Zero(model.character().dof_count(), basis_.columns())),
      gradient_scratch_([this] { return std::make_unique<StepGradientScratch>(model_, model_.step()); }) {
  if (basis_.steps() != model.steps())
    throw Error(Failure::internal, fmt::format("the basis has {} steps; the model has {}.", basis_.steps(), model.steps()));
  const int n = model.character().dof_count(), unactuated = int(model.unactuated().size());
  for (std::size_t z = 0; z < segments_.size(); ++z) segments_[z].resize(basis_, basis_.segments()[z], n, unactuated);
  states_.set_pose(-1, model.definition().before);
  states_.update(-1, -1);
  coefficients_.setZero(n, basis_.columns());
  set_first_coefficients();
  scratch_.fill();
  gradient_scratch_.fill();
}

// From the start to the end at rest, on a cubic that a spline has exactly; a character that has no other end stays.
void TrajectoryProblem::set_first_coefficients() {
  const Eigen::Index n = coefficients_.rows();
  const Eigen::Map<const VectorXd> start(model_.definition().start.coordinates.data(), n),
      end(model_.end().coordinates.data(), n);
  const double steps = basis_.steps();
  for (int point = 0; point < basis_.point_count(); ++point) {
    const double s = basis_.step_of(point) / steps;
    const int column = point * basis_.components();
    coefficients_.col(column) = start + s * s * (3 - 2 * s) * (end - start);
    if (basis_.components() == 2)
      coefficients_.col(column + 1) = (basis_.segment_length() / steps) * 6 * s * (1 - s) * (end - start);
  }
}

TrajectoryProblem::~TrajectoryProblem() = default;

void TrajectoryProblem::set_coefficients(const MatrixXd& coefficients) {
  if (coefficients.rows() != coefficients_.rows() || coefficients.cols() != coefficients_.cols())
    throw Error(Failure::internal, fmt::format("a trajectory gets coefficients {} x {}; it has {} x {}.", coefficients.rows(),
                                               coefficients.cols(), coefficients_.rows(), coefficients_.cols()));
  coefficients_ = coefficients;
  point_.resize(0);
}

void TrajectoryProblem::set_references(const TrajectoryStates& states) {
  if (states.steps() != model_.steps() || &states.model() != &model_.character())
    throw Error(Failure::internal, "the reference rotations of a trajectory come from one of another character or length.");
  for (int i = -1; i <= model_.steps(); ++i)
    std::copy_n(states.references(i), model_.character().rest().references.size(), states_.references(i));
  point_.resize(0);
}

int TrajectoryProblem::unknown_of(int column) const {
  const int point = column / basis_.components();
  return system_->blocks().first_unknown(point - 1) + basis_.unknown_in_point(column) * model_.character().dof_count();
}

VectorXd TrajectoryProblem::point() const {
  VectorXd result(unknown_count());
  for (int column = basis_.components(); column < basis_.columns(); ++column)
    if (basis_.is_unknown(column)) result.segment(unknown_of(column), coefficients_.rows()) = coefficients_.col(column);
  return result;
}

MatrixXd TrajectoryProblem::coefficients(const VectorXd& point) const {
  MatrixXd result = coefficients_;
  for (int column = basis_.components(); column < basis_.columns(); ++column)
    if (basis_.is_unknown(column)) result.col(column) = point.segment(unknown_of(column), coefficients_.rows());
  return result;
}

// States and residuals of the point, unless they are known.
void TrajectoryProblem::update(const VectorXd& point) {
  if (point_.size() == point.size() && point_ == point) return;
  for (int column = basis_.components(); column < basis_.columns(); ++column)
    if (basis_.is_unknown(column)) coefficients_.col(column) = point.segment(unknown_of(column), coefficients_.rows());
  set_states();
  evaluate_residuals();
  point_ = point;
}

void TrajectoryProblem::set_states() {
  for (int i = 0; i <= model_.steps(); ++i) {
    Eigen::Map<VectorXd> x(states_.coordinates(i), coefficients_.rows());
    x.setZero();
    for (const BasisWeight& entry : basis_.weights(i)) x += entry.weight * coefficients_.col(entry.column);
  }
  states_.update(-1, model_.steps());
}

void TrajectoryProblem::evaluate_residuals() {
  const CharacterData data = model_.character().data();
  parallel_for(std::size_t(model_.steps()), 8, [&](std::size_t begin, std::size_t end) {
    WorkspacePool<Scratch>::Lease scratch(scratch_);
    const StepWorkspace<double> workspace{scratch->inertial.data(), scratch->applied.data(), nullptr, nullptr, nullptr};
    for (std::size_t i = begin; i < end; ++i)
      step_residual(data, model_.step(), states_.step_states(int(i) + 1), workspace, residuals_.col(Eigen::Index(i)).data());
  });
}

const TrajectoryStates& TrajectoryProblem::states(const VectorXd& point) {
  update(point);
  return states_;
}

const MatrixXd& TrajectoryProblem::residuals(const VectorXd& point) {
  update(point);
  return residuals_;
}

// Of the losses, without scale.
double TrajectoryProblem::loss_sum() {
  if (model_.losses().size() == 0) return 0;
  const std::size_t steps = losses_.size();
  parallel_for(steps, 4 * HOLO_LANE_WIDTH, [&](std::size_t begin, std::size_t end) {
    model_.losses().evaluate(states_, model_.data(), int(begin) + 1, int(end) + 1, losses_.data() + begin);
  });
  double sum = 0;
  for (const double loss : losses_) sum += loss;
  return sum;
}

double TrajectoryProblem::effort() const {
  double sum = 0;
  for (Eigen::Index i = 0; i < residuals_.cols(); ++i)
    for (const int dof : model_.character().actuated()) sum += residuals_(dof, i) * residuals_(dof, i);
  return model_.effort_factor() * sum;
}

void TrajectoryProblem::scale_losses(const VectorXd& point) {
  update(point);
  const double sum = loss_sum();
  if (!std::isfinite(sum)) throw Error(Failure::input, "the losses of the initial trajectory are not finite.");
  loss_scale_ = 1 / std::max(sum, 1e-12);
}

double TrajectoryProblem::evaluate(const VectorXd& point, VectorXd& constraints) {
  update(point);
  test_residuals(model_, basis_, residuals_, constraints);
  const double transitions = transition_term_ != nullptr ? transition_term_->value(transition_points(point)) : 0;
  return loss_scale_ * loss_sum() + effort() + transitions;
}

double TrajectoryProblem::losses(const VectorXd& point) {
  update(point);
  return loss_scale_ * loss_sum();
}

TrajectoryValues TrajectoryProblem::values(const VectorXd& point) {
  TrajectoryValues result;
  result.losses = losses(point);
  measure_violation(model_, basis_, residuals_, result);
  result.effort = effort();
  if (transition_term_ != nullptr) result.transitions = transition_term_->value(transition_points(point));
  return result;
}

void TrajectoryProblem::linearize(const VectorXd& point, const VectorXd&, VectorXd& gradient) {
  update(point);
  parallel_for(segments_.size(), basis_.components() == 1 ? 8 : 1, [&](std::size_t begin, std::size_t end) {
    WorkspacePool<Scratch>::Lease scratch(scratch_);
    for (std::size_t z = begin; z < end; ++z)
      scratch->segment.differentiate(states_, residuals_, basis_.segments()[z], loss_scale_, segments_[z]);
  });
  system_->set_zero();
  gradient.setZero();
  for (std::size_t z = 0; z < segments_.size(); ++z) gather(z, gradient);
  if (transition_term_ != nullptr) add_transitions(gradient);
}

// Adds a segment's derivatives to those of the system, columns of unknowns alone.
void TrajectoryProblem::gather(std::size_t number, VectorXd& gradient) {
  const TrajectorySegment& segment = basis_.segments()[number];
  const SegmentDerivatives& from = segments_[number];
  const Eigen::Index n = coefficients_.rows(), tests = Eigen::Index(model_.unactuated().size());
  const int components = basis_.components(), first = segment.first_point * components;
  const int last = (segment.last_point + 1) * components, first_test = segment.first_test_point * components;
  const auto local = [&](int column) { return Eigen::Index(column - first) * n; };
  const auto in_point = [&](int column) { return Eigen::Index(basis_.unknown_in_point(column)) * n; };
  for (int row = std::max(first, components); row < last; ++row) {
    if (!basis_.is_unknown(row)) continue;
    gradient.segment(unknown_of(row), n) += from.gradient.segment(local(row), n);
    const int row_point = row / components - 1;
    for (int column = std::max(first, components); column <= row; ++column)
      if (basis_.is_unknown(column))
        system_->hessian_block(row_point, column / components - 1).block(in_point(row), in_point(column), n, n) +=
            from.hessian.block(local(row), local(column), n, n);
    for (int test = first_test; test < last; ++test)
      system_->jacobian_block(test / components - 1, row_point).block((test % components) * tests, in_point(row), tests, n) +=
          from.jacobian.block(Eigen::Index(test - first_test) * tests, local(row), tests, n);
  }
}

// Of w' |u|^2 + multipliers . C by the residuals of a step.
void TrajectoryProblem::weigh_residuals(int step, const VectorXd& multipliers, VectorXd& weights) const {
  const auto first = Eigen::Index(basis_.components()), count = Eigen::Index(model_.unactuated().size());
  for (const int dof : model_.character().actuated()) weights[dof] = 2 * model_.effort_factor() * residuals_(dof, step - 1);
  for (Eigen::Index k = 0; k < count; ++k) {
    double& weight = weights[model_.unactuated()[std::size_t(k)]];
    weight = 0;
    for (const BasisWeight& test : basis_.weights(step))
      if (test.column >= first) weight += test.weight * multipliers[(test.column - first) * count + k];
  }
}

bool TrajectoryProblem::differentiate(const VectorXd& point, const VectorXd& multipliers, VectorXd& gradient) {
  if (transition_term_ != nullptr) return false;
  update(point);
  step_gradients_.setZero();
  parallel_for(std::size_t(model_.steps()), 2 * HOLO_LANE_WIDTH, [&](std::size_t begin, std::size_t end) {
    WorkspacePool<StepGradientScratch>::Lease scratch(gradient_scratch_);
    for (int step = int(begin) + 1; step <= int(end); ++step) {
      scratch->differentiate(states_, step);
      weigh_residuals(step, multipliers, scratch->weights());
      scratch->add_residual(step, scratch->weights(), step_gradients_);
    }
    scratch->add_losses(states_, int(begin) + 1, int(end), loss_scale_, step_gradients_);
  });
  sum_columns(basis_, step_gradients_, column_gradients_);
  for (int column = basis_.components(); column < basis_.columns(); ++column)
    if (basis_.is_unknown(column)) gradient.segment(unknown_of(column), coefficients_.rows()) = column_gradients_.col(column);
  return true;
}

void TrajectoryProblem::set_transition_term(TransitionTerm* term) {
  if (basis_.components() != 2)
    throw Error(Failure::internal, "a transition term couples points of a spline; this trajectory has single steps.");
  transition_term_ = term;
}

MatrixXd TrajectoryProblem::transition_points(const VectorXd& point) const {
  const MatrixXd all = coefficients(point);
  const Eigen::Index n = all.rows();
  MatrixXd points(2 * n, basis_.point_count() - 1);
  for (Eigen::Index z = 0; z < points.cols(); ++z) points.col(z) << all.col(2 * z + 2), all.col(2 * z + 3);
  return points;
}

// Gradient and Gauss-Newton matrix of the transition term at the point of the states.
void TrajectoryProblem::add_transitions(VectorXd& gradient) {
  const Eigen::Index n = coefficients_.rows(), size = transition_term_->residual_size();
  transition_term_->value(transition_points(point_));
  VectorXd residual(size);
  MatrixXd by_point[2] = {MatrixXd(size, 2 * n), MatrixXd(size, 2 * n)};
  for (int earlier = 0; earlier + 2 < basis_.point_count(); ++earlier) {
    transition_term_->differentiate(earlier, residual, by_point[0], by_point[1]);
    const auto columns = [&](int point, int component) { return by_point[point].middleCols(component * n, n); };
    const auto of_basis = [&](int point, int component) { return 2 * (earlier + 1 + point) + component; };
    for (int row = 0; row < 4; ++row) {
      const int row_column = of_basis(row / 2, row % 2);
      if (!basis_.is_unknown(row_column)) continue;
      gradient.segment(unknown_of(row_column), n) += 2 * columns(row / 2, row % 2).transpose() * residual;
      for (int column = 0; column <= row; ++column) {
        const int other = of_basis(column / 2, column % 2);
        if (!basis_.is_unknown(other)) continue;
        system_->hessian_block(earlier + row / 2, earlier + column / 2)
            .block(basis_.unknown_in_point(row_column) * n, basis_.unknown_in_point(other) * n, n, n) +=
            2 * columns(row / 2, row % 2).transpose() * columns(column / 2, column % 2);
      }
    }
  }
}

bool TrajectoryProblem::recenter(VectorXd& point, double limit) {
  update(point);
  const CharacterModel& character = model_.character();
  bool is_far = false;
  for (int i = 0; i <= model_.steps(); ++i) {
    CharacterPose pose = states_.pose(i);
    is_far = is_far || articulated::recenter(character, pose, limit);
  }
  if (!is_far) return false;
  // x_-1 keeps its chart: it is given, and its coordinates are those of the model.
  for (int i = 0; i <= model_.steps(); ++i) {
    CharacterPose pose = states_.pose(i);
    articulated::recenter(character, pose, 0);
    states_.set_pose(i, pose);
  }
  for (const RotationChart& chart :
       std::vector<RotationChart>(character.data().charts, character.data().charts + character.data().chart_count))
    if (!(chart.cone < unlimited)) coefficients_.middleRows(chart.first, 3).setZero();
  point = this->point();
  point_.resize(0);
  return true;
}

std::string TrajectoryProblem::constraint_name(int constraint) const {
  const int unactuated = int(model_.unactuated().size()), components = basis_.components();
  const int column = constraint / unactuated + components, point = column / components;
  const int dof = model_.unactuated()[std::size_t(constraint % unactuated)];
  const double time = basis_.step_of(point) * model_.step().time_step;
  return fmt::format("the equation of motion of '{}' {} {:g} s", model_.character().dof_name(dof),
                     components == 1 ? "at" : (column % components == 0 ? "around" : "(tangent) around"), time);
}

}  // namespace holo::articulated
