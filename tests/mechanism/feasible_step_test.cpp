// A step goes up to a hundredth of the way to a limit, and no limit holds back what is beyond it.
#include <gtest/gtest.h>

#include <functional>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace mechanism_feasible_step {

constexpr int knots = 12;  // more than a block of lanes
constexpr double time_step = 0.1;

// An arm that turns, with a length as its design.
struct Arm {
  std::shared_ptr<const MechanismModel> model;
  std::unique_ptr<MechanismProblem> problem;
  StagedPoint point, step;

  Arm() {
    MechanismBuilder builder = oracle::on_the_ground();
    builder.body("upper", {0.5, 0, 0});
    builder.body("fore", {1.5, 0, 0});
    oracle::hinge(builder, "shoulder", "base", "upper", {0, 0, 0}, oracle::along_z, JointRole::actuator);
    builder.joint("length", "prismatic", "upper", "fore", {1, 0, 0}, axes_along(oracle::along_x), JointRole::configurable);
    model = std::make_shared<const MechanismModel>(builder.build());
    const auto layout = std::make_shared<const MechanismLayout>(model);
    oracle::LossContext names(layout, knots);
    std::vector<NamedLoss> losses;
    oracle::add_loss(losses, names, "control_limit", "{control: shoulder, minimum: -1, maximum: 1.5}");
    oracle::add_loss(losses, names, "control_rate_limit", "{control: shoulder, minimum: -2, maximum: 3}");
    oracle::add_loss(losses, names, "design_parameter_limit", "{design_parameter: length, minimum: -0.1, maximum: 0.2}");
    const Eigen::MatrixXd controls = Eigen::MatrixXd::Zero(1, knots), none(0, knots);
    const MechanismMotion motion = make_motion(model, controls, Eigen::VectorXd::Zero(1), none);
    problem = std::make_unique<MechanismProblem>(motion.equations, losses,
                                                 LossData{names.values(), controls, Eigen::VectorXd::Zero(1), time_step}, none);
    point = problem->point(motion.states, motion.controls, motion.parameters);
    step = zero_step();
  }
  StagedPoint zero_step() const {
    StagedPoint zero = point;
    zero.parameters.setZero();
    zero.controls.setZero();
    zero.rates.setZero();
    zero.states.setZero();
    return zero;
  }
  double length() const { return problem->feasible_step(point, step); }
};

TEST(FeasibleStepOfMechanisms, LeavesAHundredthOfTheNearestDistance) {
  Arm arm;
  EXPECT_EQ(arm.length(), 1);
  arm.step.controls(0, 10) = 4;  // 1.5 are left
  EXPECT_NEAR(arm.length(), 0.99 * 1.5 / 4, 1e-14);
  arm.step.rates(0, 1) = -8;  // 2 are left
  EXPECT_NEAR(arm.length(), 0.99 * 2 / 8, 1e-14);
  const double scale = arm.problem->equations().layout().parameter_scale(0);
  arm.step.parameters[0] = -0.9 / scale;  // 0.1 are left
  EXPECT_NEAR(arm.length(), 0.99 * 0.1 / 0.9, 1e-14);
}

TEST(FeasibleStepOfMechanisms, IsWholeWhereItEndsInside) {
  Arm arm;
  arm.step.controls.setConstant(1.48);  // a hundredth of 1.5 would be left at 1.485
  EXPECT_EQ(arm.length(), 1);
  arm.step.controls.setConstant(1.49);
  EXPECT_NEAR(arm.length(), 0.99 * 1.5 / 1.49, 1e-14);
}

TEST(FeasibleStepOfMechanisms, WhatIsBeyondALimitMayComeIn) {
  Arm arm;
  arm.point.controls(0, 3) = 2;
  arm.step.controls(0, 3) = -1;
  EXPECT_EQ(arm.length(), 1);
  arm.step.controls(0, 3) = -30;  // but not out at the other side: 3 are left there
  EXPECT_NEAR(arm.length(), 0.99 * 3 / 30, 1e-14);
}

// The rate of a redundant actuator is the difference of two states.
TEST(FeasibleStepOfMechanisms, SeesRatesOfControlsThatAreStates) {
  const auto model = std::make_shared<const MechanismModel>(oracle::paper_robot("legs"));
  const MechanismLayout all(model);
  const Eigen::MatrixXd controls = all.rest_controls().replicate(1, knots), none(0, knots);
  const Eigen::VectorXd parameters = Eigen::VectorXd::Zero(all.parameter_count());
  const MechanismMotion motion = make_motion(model, controls, parameters, none);
  oracle::LossContext names(std::make_shared<const MechanismLayout>(model), knots);
  ASSERT_FALSE(motion.layout->dependent_states().empty());
  std::vector<NamedLoss> losses;
  oracle::add_loss(losses, names, "control_rate_limit",
                   "{control: " + motion.layout->dependent_names()[0] + ", minimum: -2, maximum: 3}");
  const MechanismProblem problem(motion.equations, losses, LossData{names.values(), controls, parameters, time_step}, none);
  const StagedPoint point = problem.point(motion.states, motion.controls, motion.parameters);
  StagedPoint step = point;
  step.parameters.setZero();
  step.controls.setZero();
  step.rates.setZero();
  step.states.setZero();
  const int state = motion.layout->dependent_states()[0];
  step.states(state, 5) = 0.6 / motion.layout->state_scale(state);  // 6 rad/s, then -6 rad/s, of which 2 are left
  EXPECT_NEAR(problem.feasible_step(point, step), 0.99 * 2 / 6, 1e-12);
}

}  // namespace mechanism_feasible_step
}  // namespace holo
