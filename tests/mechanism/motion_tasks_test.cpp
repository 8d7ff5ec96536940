// Tasks that share a design are the sum of their problems.
#include "holo/sim/motion/motion_tasks.h"

#include <gtest/gtest.h>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/opt/staged/staged_sqp.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "holo/sim/mechanism/kinematics/inverse_kinematics.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace motion_tasks_tests {

using Eigen::Vector3d;

// Two hinges in a plane, and a hand whose distance from the second may be a design parameter.
std::shared_ptr<const MechanismModel> arm(bool has_design) {
  MechanismBuilder builder(oracle::plugins());
  builder.body("upper", {0.5, 0, 0});
  builder.body("fore", {1.5, 0, 0});
  builder.body("hand", {2, 0, 0});
  builder.joint("shoulder", "revolute", "world", "upper", {0, 0, 0}, axes_along(oracle::along_z), JointRole::actuator);
  builder.joint("elbow", "revolute", "upper", "fore", {1, 0, 0}, axes_along(oracle::along_z), JointRole::actuator);
  builder.joint("reach", has_design ? "prismatic" : "fixed", "fore", "hand", {1.7, 0, 0}, axes_along(oracle::along_x),
                has_design ? JointRole::configurable : JointRole::passive);
  return std::make_shared<const MechanismModel>(builder.build());
}

// What a task asks for differs in its place and in how long it takes.
struct Task {
  int count;
  double place, initial;
  Eigen::Matrix3Xd path() const {
    Eigen::Matrix3Xd path(3, count);
    for (int k = 0; k < count; ++k) {
      const double angle = 0.4 + place + 0.2 * k;
      path.col(k) = (1.6 + 0.3 * place + 0.2 * std::sin(0.5 * k)) * Vector3d(std::cos(angle), std::sin(angle), 0);
    }
    return path;
  }
};
const Task slow = {14, 0, 0.2}, quick = {9, 0.5, 0.6};

struct Design {
  std::shared_ptr<const MechanismModel> model;
  oracle::LossContext names;
  std::vector<NamedLoss> losses;
  MechanismMotionOptions options;
  Eigen::MatrixXd controls;

  Design(bool has_design, const std::vector<Task>& tasks)
      : model(arm(has_design)), names(std::make_shared<const MechanismLayout>(model), tasks[0].count) {
    for (std::size_t i = 1; i < tasks.size(); ++i) names.add_task(tasks[i].count);
    const int signal = names.add_signal("path", 3);
    controls.resize(2, names.tasks().back().end());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const MotionTask& at = names.tasks()[i];
      names.set_signal(signal, tasks[i].path(), i);
      for (int k = 0; k < at.count; ++k) controls.col(at.first + k) << tasks[i].initial + 0.2 * k, 1.2;
      if (i > 0) options.task_beginnings.push_back(at.first);
    }
    add("track_position", "{body: hand, target: path}");
    add("keep_control", "{control: all, weight: 0.01}");
    add("smooth_control", "{control: all, weight: 0.001}");
    if (has_design) add("keep_design_parameter", "{design_parameter: all, weight: 0.001}");
  }
  void add(const std::string& type, const std::string& yaml) { oracle::add_loss(losses, names, type, yaml); }
  LossData data() const {
    return {names.values(), controls, Eigen::VectorXd::Zero(names.observables.names(HOLO_SUBJECT_DESIGN_PARAMETER).size()), 0.1,
            options.task_beginnings};
  }
  Eigen::MatrixXd prescribed() const { return Eigen::MatrixXd(0, controls.cols()); }
  MechanismMotion motion() const { return make_motion(model, controls, data().initial_parameters, prescribed(), options); }
};

struct Solved {
  std::unique_ptr<MechanismProblem> problem;
  StagedPoint point;
  StagedSqpResult result;

  explicit Solved(const Design& design, StagedStepKind step = StagedStepKind::arrow) {
    const MechanismMotion motion = design.motion();
    problem = std::make_unique<MechanismProblem>(motion.equations, design.losses, design.data(), motion.prescribed);
    point = problem->point(motion.states, motion.controls, motion.parameters);
    StagedSqpOptions options;
    options.step = step;
    options.schedule = RegularizerSchedule::off;
    options.tolerance = 1e-12;
    result = StagedSqp(*problem, options).solve(point);
    EXPECT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
  }
};

double gap(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST(MotionTasks, WithoutADesignEachIsSolvedAsIfAlone) {
  const Solved both(Design(false, {slow, quick})), first(Design(false, {slow})), second(Design(false, {quick}));
  EXPECT_LT(gap(both.point.states.leftCols(slow.count), first.point.states), 1e-9);
  EXPECT_LT(gap(both.point.states.rightCols(quick.count), second.point.states), 1e-9);
  EXPECT_LT(gap(both.point.controls.leftCols(slow.count), first.point.controls), 1e-9);
  EXPECT_LT(gap(both.point.rates.rightCols(quick.count - 1), second.point.rates), 1e-8);  // of differences over 0.1 s
  EXPECT_GT(gap(both.point.controls.col(slow.count - 1), both.point.controls.col(slow.count)), 0.5);  // a jump between
}

// What the Lagrangian of a task alone says of p, u and s at the solution of both; of v it defines the rates' multipliers.
struct Slopes {
  Eigen::VectorXd parameters;
  double largest_other = 0;
};

Slopes slopes_of(const Design& alone, const Solved& both, int first) {
  const MechanismMotion motion = alone.motion();
  const MechanismProblem problem(motion.equations, alone.losses, alone.data(), motion.prescribed);
  const StagedLayout& layout = problem.layout();
  const int count = layout.stage_count, np = layout.parameter_count, nu = layout.control_count;
  const StagedPoint point = problem.point(both.point.states.middleCols(first, count),
                                          both.point.controls.middleCols(first, count), both.point.parameters);
  const Eigen::MatrixXd multipliers = both.result.multipliers.states.middleCols(first, count);
  StagedQuadratic quadratic(layout);
  quadratic.linearize(problem, point, multipliers, false);
  Slopes slopes{Eigen::VectorXd::Zero(np)};
  Eigen::VectorXd rates_before = Eigen::VectorXd::Zero(nu);
  for (int k = 0; k < count; ++k) {
    const StageDerivatives& block = quadratic.blocks[std::size_t(k / stage_lanes)];
    const auto times = [&](StagePattern pattern, const StageLanes& values) {
      Eigen::VectorXd::Map(pattern.valuePtr(), pattern.nonZeros()) = values.col(k % stage_lanes);
      return Eigen::VectorXd(pattern.transpose() * multipliers.col(k));
    };
    const Eigen::VectorXd gradient = block.gradient.col(k % stage_lanes);
    const Eigen::VectorXd rates = k + 1 < count ? Eigen::VectorXd(gradient.segment(np + nu, nu)) : Eigen::VectorXd::Zero(nu);
    slopes.parameters += gradient.head(np) + times(layout.parameters_jacobian, block.parameters_jacobian);
    const Eigen::VectorXd of_controls = gradient.segment(np, nu) + times(layout.controls_jacobian, block.controls_jacobian) +
                                        (rates_before - rates) / layout.time_step;
    const Eigen::VectorXd of_states = gradient.tail(layout.state_count) + times(layout.states_jacobian, block.states_jacobian);
    slopes.largest_other = std::max({slopes.largest_other, of_controls.cwiseAbs().maxCoeff(), of_states.cwiseAbs().maxCoeff()});
    rates_before = rates;
  }
  return slopes;
}

TEST(MotionTasks, TheDesignIsTheOneOfTheLeastSum) {
  const Solved both(Design(true, {slow, quick}));
  const Slopes first = slopes_of(Design(true, {slow}), both, 0), second = slopes_of(Design(true, {quick}), both, slow.count);
  EXPECT_LT(first.largest_other, 1e-10);
  EXPECT_LT(second.largest_other, 1e-10);
  EXPECT_GT(std::abs(first.parameters[0]), 1e-2);  // for itself each would have another design
  EXPECT_LT(std::abs(first.parameters[0] + second.parameters[0]), 1e-10);
}

TEST(MotionTasks, TheRecursionAndAllConditionsAtOnceAgree) {
  const Design design(true, {quick, slow, quick});
  const Solved recursion(design), at_once(design, StagedStepKind::sparse_lu);
  EXPECT_LT(gap(recursion.point.parameters, at_once.point.parameters), 1e-10);
  EXPECT_LT(gap(recursion.point.controls, at_once.point.controls), 1e-9);
}

TEST(MotionTasks, AreFollowedAndMeasuredFromTheirOwnBeginnings) {
  Design design(true, {{21, 0, 0.1}, {9, 0, 0.3}});
  design.controls.row(0).head(21) = Eigen::RowVectorXd::LinSpaced(21, 0.1, 9);  // past a full turn
  const MechanismMotion motion = design.motion();
  const MechanismMotion measured =
      make_motion_of_states(design.model, motion.states, design.data().initial_parameters, motion.prescribed, design.options);
  EXPECT_LT(gap(measured.controls, motion.controls), 1e-11);
  Design alone(true, {{9, 0, 0.3}});
  EXPECT_EQ(gap(motion.states.rightCols(9), alone.motion().states), 0);
}

TEST(MotionTasks, InverseKinematicsBeginsEachAtRest) {
  const auto nearest = [](const Design& design) {
    return inverse_kinematics(design.model, design.losses, design.data(), design.data().initial_parameters, design.prescribed())
        .states;
  };
  const Eigen::MatrixXd both = nearest(Design(true, {slow, quick}));
  EXPECT_EQ(gap(both.rightCols(quick.count), nearest(Design(true, {quick}))), 0);
  EXPECT_EQ(gap(both.leftCols(slow.count), nearest(Design(true, {slow}))), 0);
}

// Where a task has no such target the objective is silent, and says so in reports.
TEST(MotionTasks, AnObjectiveCountsWhereItsSignalHasValues) {
  Design design(true, {slow, quick});
  const int signal = design.names.add_signal("late", 3);
  design.names.set_signal(signal, quick.path(), 1);
  design.losses.clear();
  design.add("track_position", "{body: hand, target: late}");
  design.add("smooth_control", "{control: shoulder}");
  const MechanismMotion motion = design.motion();
  const MechanismProblem problem(motion.equations, design.losses, design.data(), motion.prescribed);
  const StagedPoint point = problem.point(motion.states, motion.controls, motion.parameters);
  const Eigen::MatrixXd errors =
      problem.losses().measures(0, {point.states, point.controls, point.rates, point.parameters}, problem.data());
  for (int k = 0; k < int(errors.cols()); ++k) EXPECT_EQ(std::isnan(errors(0, k)), k < slow.count) << k;
  Eigen::VectorXd objective(errors.cols());
  Eigen::MatrixXd equations(point.states.rows(), errors.cols());
  problem.evaluate(point, 0, int(errors.cols()), objective.data(), equations);
  for (int k = 0; k < slow.count; ++k) EXPECT_EQ(objective[k] > 0, k + 1 < slow.count) << k;  // no rate leads out of the task
}

TEST(MotionTasksBadInput, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(motion_tasks({4, 4}, 10), Error);
  EXPECT_THROW(motion_tasks({10}, 10), Error);
  EXPECT_THROW(motion_tasks({5, 3}, 10), Error);
  Design design(true, {slow, quick});
  EXPECT_THROW(design.names.set_signal(0, slow.path(), 1), Error);
  design.options.task_beginnings = {0};
  EXPECT_THROW(design.motion(), Error);
}

}  // namespace motion_tasks_tests
}  // namespace holo
