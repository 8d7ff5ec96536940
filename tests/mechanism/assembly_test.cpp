// Designs are held where the mechanism can be assembled: an equation that the others implied before the design changed may be
// broken by the change: docs/robot-design-derivations.md#redundant-equations-under-a-change-of-the-design.
#include <gtest/gtest.h>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/opt/staged/staged_sqp.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace assembly {

using Eigen::Vector3d;
using oracle::along_z;

constexpr int knots = 17;

// A planar four-bar whose crank's axis can be turned any way by the design: only turns about the plane's normal leave it
// planar.
MechanismModel tiltable_four_bar() {
  const double angle = 1;
  const Vector3d pivot(0, 0, 0), far(4, 0, 0), tip(std::cos(angle), std::sin(angle), 0);
  const Vector3d end = oracle::circles_meet(tip, 3.5, far, 3);
  MechanismBuilder builder = oracle::on_the_ground();
  builder.body("mount", Vector3d(0, 0, -0.2));
  builder.body("crank", 0.5 * tip);
  builder.body("coupler", 0.5 * (tip + end));
  builder.body("rocker", 0.5 * (end + far));
  builder.joint("tilt", "spherical", "base", "mount", pivot, Eigen::Matrix3d::Identity(), JointRole::configurable);
  oracle::hinge(builder, "crank_pivot", "mount", "crank", pivot, along_z, JointRole::actuator);
  oracle::hinge(builder, "crank_pin", "crank", "coupler", tip, along_z);
  oracle::hinge(builder, "rocker_pin", "coupler", "rocker", end, along_z);
  oracle::hinge(builder, "rocker_pivot", "rocker", "base", far, along_z);
  return builder.build();
}

struct Outcome {
  int assembly_rows = 0;
  double largest_redundant = 0, largest_independent = 0, turned = 0, changed = 0;
  StagedSqpStatus status = StagedSqpStatus::converged;
};

enum class Design { free, assembled, fixed };

// The tip of the crank shall follow its own path, turned by 0.1 about z and tilted out of the plane.
Outcome design(Design how) {
  const auto model = std::make_shared<const MechanismModel>(tiltable_four_bar());
  const Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(knots, 0, 2 * oracle::pi);
  const Eigen::VectorXd upright = Eigen::Vector4d(1, 0, 0, 0);
  const MechanismMotion motion = make_motion(model, controls, upright, Eigen::MatrixXd(0, knots));
  const int crank = model->body("crank");
  Eigen::Matrix3Xd path(3, knots);
  for (int k = 0; k < knots; ++k) {
    const Vector3d x = point_of(*model, motion.states.col(k), crank, model->bodies()[std::size_t(crank)].origin);
    path.col(k) = Vector3d(x.x() - 0.1 * x.y(), x.y() + 0.1 * x.x(), 0.1 * x.x());
  }
  oracle::LossContext names(motion.layout, knots);
  names.add_signal("path", path);
  std::vector<NamedLoss> losses;
  const Vector3d tip = model->bodies()[std::size_t(crank)].origin;
  for (const auto& [type, yaml] : std::vector<std::pair<std::string, std::string>>{
           {"track_position",
            "{body: crank, point: [" + std::to_string(tip.x()) + ", " + std::to_string(tip.y()) + ", 0], target: path}"},
           {"keep_control", "{control: all, weight: 1e3}"},
           {"smooth_control", "{control: all, weight: 1e-9}"},
           {"keep_design_parameter", "{design_parameter: all, weight: 1e-6}"}}) {
    oracle::add_loss(losses, names, type, yaml);
  }
  StagedPoint point = motion_point(motion.states, motion.controls, motion.parameters, 0.1);
  MechanismProblemOptions options;
  if (how != Design::free) options.assembly = {point, motion.nullity()};
  MechanismProblem problem(motion.equations, losses, {names.values(), controls, upright, 0.1}, motion.prescribed, options);
  Outcome outcome;
  outcome.assembly_rows = problem.assembly_equation_count();
  if (how == Design::fixed) problem = problem.with_fixed_design(point.parameters);
  outcome.status = StagedSqp(problem, {}).solve(point).status;
  outcome.largest_redundant = problem.largest_residual(point, true).value;
  Eigen::MatrixXd residual(problem.layout().state_count, knots);
  Eigen::VectorXd objective(knots);
  problem.evaluate(point, 0, knots, objective.data(), residual);
  outcome.largest_independent = residual.cwiseAbs().maxCoeff();
  outcome.turned = 2 * std::atan2(point.parameters[3], point.parameters[0]);
  outcome.changed = (point.parameters - upright).norm();
  return outcome;
}

TEST(Assembly, ADesignIsFeasibleWhereTheEliminatedEquationsHoldToo) {
  const Outcome assembled = design(Design::assembled);
  EXPECT_EQ(assembled.assembly_rows, 2) << "two ways to tilt; the turn about the plane's normal is free";
  EXPECT_LT(assembled.largest_redundant, 1e-8);
  EXPECT_LT(assembled.largest_independent, 1e-8);
  EXPECT_NEAR(assembled.turned, 0.1, 0.01);
}

TEST(Assembly, WithoutItTheDesignIsOneThatCannotBeAssembled) {
  const Outcome free = design(Design::free);
  EXPECT_LT(free.largest_independent, 1e-8);
  EXPECT_GT(free.largest_redundant, 1e-3);
}

// From a tilted design the equations point back to the upright one.
TEST(Assembly, ItsRowsVanishAtADesignThatCanBeAssembled) {
  const auto model = std::make_shared<const MechanismModel>(tiltable_four_bar());
  const Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(knots, 0, 2 * oracle::pi);
  const Eigen::VectorXd upright = Eigen::Vector4d(1, 0, 0, 0);
  const MechanismMotion motion = make_motion(model, controls, upright, Eigen::MatrixXd(0, knots));
  oracle::LossContext names(motion.layout, knots);
  std::vector<NamedLoss> losses;
  oracle::add_loss(losses, names, "keep_control", "{control: all}");
  MechanismProblemOptions options;
  options.assembly = {motion_point(motion.states, motion.controls, motion.parameters, 0.1), motion.nullity()};
  MechanismProblem problem(motion.equations, losses, {names.values(), controls, upright, 0.1}, motion.prescribed, options);
  ASSERT_EQ(problem.assembly_equation_count(), 2);

  constexpr double tilt = 1e-3;
  const Eigen::VectorXd tilted = Eigen::Vector4d(std::cos(tilt / 2), std::sin(tilt / 2), 0, 0);
  const Kinematics moved =
      forward_kinematics(*motion.equations, motion.states.col(0), motion.controls, tilted, motion.prescribed);
  ASSERT_EQ(moved.status, KinematicsStatus::done) << moved.diagnosis;
  problem.linearize(problem.point(moved.states, motion.controls, tilted));
  Eigen::VectorXd there(2), back(2);
  Eigen::MatrixXd slope(2, 4);
  problem.parameter_constraints(tilted, there, slope);
  problem.parameter_constraints(upright, back, slope);
  EXPECT_GT(there.norm(), 0.1 * tilt);
  EXPECT_LT(back.norm(), 10 * tilt * there.norm()) << "of second order";
}

TEST(Assembly, AFixedDesignStaysToTheLastBit) {
  const Outcome fixed = design(Design::fixed);
  EXPECT_EQ(fixed.status, StagedSqpStatus::converged);
  EXPECT_LT(fixed.changed, 1e-15);
  EXPECT_LT(fixed.largest_redundant, 1e-12);
}

}  // namespace assembly
}  // namespace holo
