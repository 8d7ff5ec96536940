// Ties and bounds of design parameters: docs/robot-design-derivations.md#bounds-of-design-parameters.
#include <gtest/gtest.h>

#include <functional>

#include "holo/core/error.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/opt/staged/staged_sqp.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace design_restrictions {

using Eigen::Vector3d;
using oracle::along_x;
using oracle::along_z;

constexpr int knots = 21;
constexpr double time_step = 0.1, infinity = std::numeric_limits<double>::infinity();

// A driven arm along x with a tip at 1 m, which consists of `slides` + 1 bodies and as many configurable slides, slide1 and so
// on, along its length.
MechanismModel arm(int slides) {
  MechanismBuilder builder = oracle::on_the_ground();
  builder.body("root", {0.1, 0, 0});
  oracle::hinge(builder, "pivot", "base", "root", Vector3d::Zero(), along_z, JointRole::actuator);
  std::string before = "root";
  for (int i = 1; i <= slides; ++i) {
    const std::string next = i == slides ? "tip" : "middle" + std::to_string(i);
    builder.body(next, {double(i) / slides, 0, 0});
    builder.joint("slide" + std::to_string(i), "prismatic", before, next, {0.5 * i / slides, 0, 0}, axes_along(along_x),
                  JointRole::configurable);
    before = next;
  }
  return builder.build();
}

// The tip follows a circle of the radius 1.3 m about the pivot.
struct Arm {
  std::shared_ptr<const MechanismModel> model;
  MechanismLayout layout;
  DesignRestrictions restrictions;
  Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(knots, 0, 2);
  std::vector<NamedLoss> losses;
  LossData data;
  std::unique_ptr<MechanismProblem> problem;
  StagedPoint point;
  StagedSqpResult result;

  Arm(int slides, const std::vector<DesignTie>& ties, const std::vector<DesignBounds>& bounds, double initial = 0)
      : model(std::make_shared<const MechanismModel>(arm(slides))), layout(model), restrictions(layout, ties, bounds) {
    const Eigen::VectorXd design = restrictions.admissible(Eigen::VectorXd::Constant(slides, initial));
    const MechanismMotion motion = make_motion(model, controls, design, Eigen::MatrixXd(0, knots));
    Eigen::Matrix3Xd path(3, knots);
    for (int k = 0; k < knots; ++k) {
      const double angle = 0.1 + 0.09 * k;
      path.col(k) = 1.3 * Vector3d(std::cos(angle), std::sin(angle), 0);
    }
    oracle::LossContext names(motion.layout, knots);
    names.add_signal("path", path);
    oracle::add_loss(losses, names, "track_position", "{body: tip, point: [0, 0, 0], target: path}");
    oracle::add_loss(losses, names, "smooth_control", "{control: all, weight: 1e-9}");
    data = {names.values(), controls, design, time_step};
    MechanismProblemOptions options;
    options.restrictions = restrictions;
    problem = std::make_unique<MechanismProblem>(motion.equations, losses, data, motion.prescribed, options);
    point = problem->point(motion.states, motion.controls, motion.parameters);
  }

  void solve() { result = StagedSqp(*problem, {}).solve(point); }
  double value(int parameter) const { return layout.parameter_scale(parameter) * point.parameters[parameter]; }  // [m]
};

// Two tied slides make the arm longer by their sum: a mechanism with one slide has the sum as its only parameter. Without the
// tie, nothing determines the two.
TEST(DesignRestrictions, TiedSlidesAreOneSlideOfTheirSum) {
  Arm one(1, {}, {}, 0.1), two(2, {{.parameter = 1, .equals = 0, .factor = 0.5, .offset = 0.1}}, {});
  one.solve();
  two.solve();
  ASSERT_EQ(one.result.status, StagedSqpStatus::converged) << one.result.diagnosis;
  ASSERT_EQ(two.result.status, StagedSqpStatus::converged) << two.result.diagnosis;
  EXPECT_NEAR(two.value(1), 0.5 * two.value(0) + 0.1, 1e-15);
  EXPECT_NEAR(one.value(0), 0.3, 1e-6);
  EXPECT_NEAR(two.value(0) + two.value(1), one.value(0), 1e-9);
  for (int k = 0; k < knots; ++k) EXPECT_NEAR(two.point.controls(0, k), one.point.controls(0, k), 1e-9);
  EXPECT_NEAR(two.result.objective, one.result.objective, 1e-12);
}

TEST(DesignRestrictions, AChainOfTiesLeadsToOneParameter) {
  Arm three(3, {{.parameter = 2, .equals = 1, .factor = 2}, {.parameter = 1, .equals = 0, .factor = -3, .offset = 0.5}}, {});
  three.solve();
  ASSERT_EQ(three.result.status, StagedSqpStatus::converged) << three.result.diagnosis;
  // a + (0.5 - 3 a) + 2 (0.5 - 3 a) = 0.3
  EXPECT_NEAR(three.value(0), 0.15, 1e-6);
  EXPECT_NEAR(three.value(1), 0.05, 1e-6);
  EXPECT_NEAR(three.value(2), 0.10, 1e-6);
}

// The arm may be 1.2 m long and should be 1.3 m: it points at the targets, 0.1 m short. The multiplier is the force of that
// error, summed over the knots, in units of the model's length.
TEST(DesignRestrictions, ABoundedArmPointsAtItsTargets) {
  Arm bounded(1, {}, {{0, -0.5, 0.2}});
  bounded.solve();
  ASSERT_EQ(bounded.result.status, StagedSqpStatus::converged) << bounded.result.diagnosis;
  EXPECT_EQ(bounded.point.parameters[0], bounded.problem->layout().parameter_upper[0]);
  EXPECT_NEAR(bounded.value(0), 0.2, 1e-15);
  for (int k = 0; k < knots; ++k) EXPECT_NEAR(bounded.point.controls(0, k), 0.1 + 0.09 * k, 1e-6);
  EXPECT_NEAR(bounded.result.multipliers.parameter_bounds[0], knots * 0.1 * bounded.layout.parameter_scale(0), 1e-4);
}

TEST(DesignRestrictions, ABoundOfATiedParameterBoundsTheOther) {
  Arm two(2, {{.parameter = 1, .equals = 0, .factor = 0.5}}, {{1, -1, 0.05}});
  two.solve();
  ASSERT_EQ(two.result.status, StagedSqpStatus::converged) << two.result.diagnosis;
  EXPECT_NEAR(two.value(0), 0.1, 1e-12);
  EXPECT_LE(two.point.parameters[1], two.problem->layout().parameter_upper[1]);
  EXPECT_EQ(two.restrictions.range(0).upper, 0.1);
}

TEST(DesignRestrictions, EqualBoundsAreAFixedParameter) {
  Arm fixed(2, {}, {{0, 0.07, 0.07}});
  fixed.solve();
  ASSERT_EQ(fixed.result.status, StagedSqpStatus::converged) << fixed.result.diagnosis;
  EXPECT_NEAR(fixed.value(0), 0.07, 1e-16);
  EXPECT_NEAR(fixed.value(1), 0.23, 1e-6);
}

TEST(DesignRestrictions, InactiveBoundsLeaveEveryBit) {
  Arm free(1, {}, {}), bounded(1, {}, {{0, -0.9, 5}});
  free.solve();
  bounded.solve();
  EXPECT_EQ(free.point.parameters, bounded.point.parameters);
  EXPECT_EQ(free.point.states, bounded.point.states);
  EXPECT_EQ(free.result.objective, bounded.result.objective);
  EXPECT_EQ(free.result.iterations.size(), bounded.result.iterations.size());
}

TEST(DesignRestrictions, TheAdmissibleDesignIsTheNearestForFreeParameters) {
  const Arm at(3, {{.parameter = 1, .equals = 0, .factor = -2, .offset = 0.1}}, {{1, -0.1, 0.3}, {2, 0.2, 0.4}});
  const Eigen::Vector3d design = at.restrictions.admissible(Eigen::Vector3d(1, 5, -1));
  EXPECT_NEAR(design[0], 0.1, 1e-15);
  EXPECT_EQ(design[1], -0.1);
  EXPECT_EQ(design[2], 0.2);
  EXPECT_EQ(at.restrictions.admissible(design), design);
  EXPECT_TRUE(at.restrictions.is_tied(1));
  EXPECT_FALSE(at.restrictions.is_tied(0));
}

TEST(DesignRestrictions, TheRowsOfTiesAgreeWithDifferences) {
  const Arm at(3, {{.parameter = 1, .equals = 0, .factor = -2, .offset = 0.1}}, {{2, 0.2, 0.2}});
  const int rows = at.problem->layout().parameter_constraint_count;
  ASSERT_EQ(rows, 2);
  Eigen::MatrixXd slope(rows, 3), unused(rows, 3);
  Eigen::VectorXd here(rows), there(rows);
  at.problem->parameter_constraints(at.point.parameters, here, slope);
  EXPECT_LT(here.lpNorm<Eigen::Infinity>(), 1e-15);
  for (int p = 0; p < 3; ++p) {
    at.problem->parameter_constraints(at.point.parameters + 0.5 * Eigen::Vector3d::Unit(p), there, unused);
    EXPECT_LT(((there - here) / 0.5 - slope.col(p)).lpNorm<Eigen::Infinity>(), 1e-14) << p;
  }
  EXPECT_GT(slope.norm(), 1);
}

// Three parallel cranks carry one bar: it moves only while all three are equally long.
MechanismModel parallel_cranks() {
  MechanismBuilder builder = oracle::on_the_ground();
  const Vector3d crank(std::cos(1.0), std::sin(1.0), 0);
  builder.body("bar", crank);
  for (int i = 0; i < 3; ++i) {
    const std::string name = "crank" + std::to_string(i + 1);
    const Vector3d foot(1.1 * i + 0.2 * i * i, 0, 0);
    builder.body(name, foot + 0.25 * crank);
    builder.body(name + "_end", foot + 0.75 * crank);
    oracle::hinge(builder, name + "_foot", "base", name, foot, along_z, i == 0 ? JointRole::actuator : JointRole::passive);
    builder.joint(name + "_length", "prismatic", name, name + "_end", foot + 0.5 * crank, axes_along(crank),
                  JointRole::configurable);
    oracle::hinge(builder, name + "_head", name + "_end", "bar", foot + crank, along_z);
  }
  return builder.build();
}

TEST(DesignRestrictions, TiesImplyConditionsOfAssembly) {
  const auto model = std::make_shared<const MechanismModel>(parallel_cranks());
  const MechanismLayout layout(model);
  const Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(knots, 0, 0.8);
  const MechanismMotion motion = make_motion(model, controls, Eigen::VectorXd::Zero(3), Eigen::MatrixXd(0, knots));
  Eigen::Matrix3Xd path(3, knots);  // of the bar's origin, with cranks of 1.2 m
  for (int k = 0; k < knots; ++k) path.col(k) = 1.2 * Vector3d(std::cos(1 + controls(0, k)), std::sin(1 + controls(0, k)), 0);
  oracle::LossContext names(motion.layout, knots);
  names.add_signal("path", path);
  std::vector<NamedLoss> losses;
  oracle::add_loss(losses, names, "track_position", "{body: bar, point: [0, 0, 0], target: path}");
  oracle::add_loss(losses, names, "keep_control", "{control: all, weight: 1e-6}");
  oracle::add_loss(losses, names, "smooth_control", "{control: all, weight: 1e-9}");
  const std::vector<DesignTie> ties = {{.parameter = 1, .equals = 0}, {.parameter = 2, .equals = 0}};
  // Cranks of lengths a, b, c move a bar if b is the mean of a and c, to first order at every pose: one condition. That a and c
  // agree too is of second order, so that the first tie must say so.
  for (const std::size_t count : {1u, 2u}) {
    MechanismProblemOptions options;
    options.restrictions = {layout, {ties.begin(), ties.begin() + std::ptrdiff_t(count)}, {}};
    StagedPoint point = motion_point(motion.states, motion.controls, motion.parameters, time_step);
    options.assembly = {point, motion.nullity()};
    MechanismProblem problem(motion.equations, losses, {names.values(), controls, Eigen::VectorXd::Zero(3), time_step},
                             motion.prescribed, options);
    EXPECT_EQ(problem.assembly_equation_count(), 2 - int(count)) << count << " ties";
    const StagedSqpResult result = StagedSqp(problem, {}).solve(point);
    EXPECT_EQ(result.status, StagedSqpStatus::converged) << count << " ties: " << result.diagnosis;
    EXPECT_LT((model->length() * point.parameters - Eigen::Vector3d::Constant(0.2)).cwiseAbs().maxCoeff(), 1e-6) << count;
    EXPECT_LT(problem.largest_residual(point, true).value, 1e-8) << count;
  }
}

std::string refusal(const std::vector<DesignTie>& ties, const std::vector<DesignBounds>& bounds) {
  static const MechanismLayout layout(std::make_shared<const MechanismModel>(arm(3)));
  try {
    DesignRestrictions(layout, ties, bounds);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(DesignRestrictionsBadInput, WhatIsWrongIsSaidByName) {
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(refusal({{.parameter = 1, .equals = 1}}, {}), "'slide2' is tied to itself");
  expect(refusal({{.parameter = 1, .equals = 0, .factor = 0}}, {}), "'slide2' is tied to 'slide1' by the factor 0");
  expect(refusal({{.parameter = 1, .equals = 0}, {.parameter = 1, .equals = 2}}, {}), "'slide2' has two ties");
  expect(refusal({{.parameter = 1, .equals = 0}, {.parameter = 0, .equals = 2}, {.parameter = 2, .equals = 1}}, {}),
         "lead in a circle");
  expect(refusal({{.parameter = 1, .equals = 0, .factor = std::nan("")}}, {}), "a number of 'slide2' is not finite");
  expect(refusal({}, {{2, 0.3, 0.1}}), "the lower bound of 'slide3' is 0.3, above the upper one, 0.1");
  expect(refusal({}, {{2, 0.1, infinity}}), "a number of 'slide3' is not finite");
  expect(refusal({}, {{2, 0, 1}, {2, 0, 2}}), "'slide3' has two pairs of bounds");
  expect(refusal({{.parameter = 1, .equals = 0, .factor = 2}}, {{0, 0.2, 0.3}, {1, 0, 0.1}}),
         "the bounds of 'slide1' and 'slide2' leave no value");
  expect(refusal({{.parameter = 1, .equals = 0}}, {{0, 0.2, 0.2}, {1, 0.1, 0.1}}), "leave no value");
  EXPECT_EQ(refusal({{.parameter = 1, .equals = 0, .factor = 3}}, {{0, 0.1, 0.1}, {1, 0.3, 0.3}}), "")
      << "0.3 / 3 is 0.1 but for rounding";
}

TEST(DesignRestrictionsBadInput, ARotationHasNoTiesAndNoBounds) {
  MechanismBuilder builder = oracle::on_the_ground();
  builder.body("mount", Vector3d(0, 0, -0.2));
  builder.joint("tilt", "spherical", "base", "mount", Vector3d::Zero(), Eigen::Matrix3d::Identity(), JointRole::configurable);
  const MechanismLayout layout(std::make_shared<const MechanismModel>(builder.build()));
  EXPECT_THROW(DesignRestrictions(layout, {}, {{1, 0, 1}}), Error);
  EXPECT_THROW(DesignRestrictions(layout, {{.parameter = 1, .equals = 2}}, {}), Error);
}

}  // namespace design_restrictions
}  // namespace holo
