#include "holo/sim/articulated/trajectory/trajectory_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "articulated/trajectory/point_columns.h"
#include "articulated/trajectory/residual_tests.h"
#include "articulated/trajectory/segment_derivatives.h"
#include "articulated/trajectory/step_gradients.h"
#include "articulated/trajectory/transition_blocks.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/articulated/dynamics/step_residual.h"

namespace holo::articulated {

using Eigen::MatrixXd, Eigen::VectorXd;

// Memory of one thread.
struct TrajectoryProblem::ResidualScratch {
  std::vector<WrenchMatrix<double>> inertial, applied;

  explicit ResidualScratch(std::size_t dofs) : inertial(dofs), applied(dofs) {}
};

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
      columns_(std::make_unique<PointColumns>(basis_, model.character().dof_count(), *system_)),
      residual_scratch_([this] { return std::make_unique<ResidualScratch>(std::size_t(model_.character().dof_count())); }),
      segments_(basis_.segments().size()),
      segment_scratch_([this] { return std::make_unique<SegmentScratch>(model_, basis_); }),
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
  residual_scratch_.fill();
  segment_scratch_.fill();
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

VectorXd TrajectoryProblem::point() const {
  VectorXd result(unknown_count());
  columns_->to_unknowns(coefficients_, result);
  return result;
}

MatrixXd TrajectoryProblem::coefficients(const VectorXd& point) const {
  MatrixXd result = coefficients_;
  columns_->to_coefficients(point, result);
  return result;
}

MatrixXd TrajectoryProblem::transition_points(const VectorXd& point) const {
  MatrixXd points(2 * coefficients_.rows(), basis_.point_count() - 1);
  collect_points(coefficients(point), points);
  return points;
}

// States and residuals of the point, unless they are known.
void TrajectoryProblem::update(const VectorXd& point) {
  if (point_.size() == point.size() && point_ == point) return;
  columns_->to_coefficients(point, coefficients_);
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
    WorkspacePool<ResidualScratch>::Lease scratch(residual_scratch_);
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

void TrajectoryProblem::scale_losses(const VectorXd& point) {
  update(point);
  const double sum = loss_sum();
  if (!std::isfinite(sum)) throw Error(Failure::input, "the losses of the initial trajectory are not finite.");
  loss_scale_ = 1 / std::max(sum, 1e-12);
}

// Of the states.
double TrajectoryProblem::transitions() { return transitions_ != nullptr ? transitions_->value(coefficients_) : 0; }

double TrajectoryProblem::evaluate(const VectorXd& point, VectorXd& constraints) {
  update(point);
  test_residuals(model_, basis_, residuals_, constraints);
  return loss_scale_ * loss_sum() + effort_of(model_, residuals_) + transitions();
}

double TrajectoryProblem::losses(const VectorXd& point) {
  update(point);
  return loss_scale_ * loss_sum();
}

TrajectoryValues TrajectoryProblem::values(const VectorXd& point) {
  TrajectoryValues result;
  result.losses = losses(point);
  measure_violation(model_, basis_, residuals_, result);
  result.effort = effort_of(model_, residuals_);
  result.transitions = transitions();
  return result;
}

void TrajectoryProblem::set_transition_term(TransitionTerm* term) {
  if (basis_.components() != 2)
    throw Error(Failure::internal, "a transition term couples points of a spline; this trajectory has single steps.");
  transitions_ = term != nullptr ? std::make_unique<TransitionBlocks>(*term, basis_, model_.character().dof_count()) : nullptr;
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
