// Designs of mechanisms are found from the motions that known designs make:
// docs/robot-design-derivations.md#design-of-a-four-bar.
#include <gtest/gtest.h>

#include <random>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/opt/staged/staged_sqp.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace mechanism_design {

using Eigen::Vector3d;
using oracle::along_x;
using oracle::along_z;
using oracle::pi;

// Two bodies with a prismatic design parameter between them along their length: a link whose length can be changed.
void link(MechanismBuilder& builder, const std::string& name, const Vector3d& from, const Vector3d& to) {
  const Vector3d middle = 0.5 * (from + to);
  builder.body(name + "_a", 0.5 * (from + middle));
  builder.body(name + "_b", 0.5 * (middle + to));
  builder.joint(name + "_length", "prismatic", name + "_a", name + "_b", middle, axes_along(to - from),
                JointRole::configurable);
}

// The four-bar of lengths 4, 1, 3.5, 3, each of which can be changed; the crank is driven.
MechanismModel configurable_four_bar() {
  const double angle = 1;
  const Vector3d pivot(0, 0, 0), far(4, 0, 0), tip(std::cos(angle), std::sin(angle), 0);
  const Vector3d end = oracle::circles_meet(tip, 3.5, far, 3);
  MechanismBuilder builder(oracle::plugins());
  link(builder, "ground", pivot, far);
  builder.ground("ground_a");
  link(builder, "crank", pivot, tip);
  link(builder, "coupler", tip, end);
  link(builder, "rocker", far, end);
  oracle::hinge(builder, "crank_pivot", "ground_a", "crank_a", pivot, along_z, JointRole::actuator);
  oracle::hinge(builder, "crank_pin", "crank_b", "coupler_a", tip, along_z);
  oracle::hinge(builder, "rocker_pin", "coupler_b", "rocker_b", end, along_z);
  oracle::hinge(builder, "rocker_pivot", "ground_b", "rocker_a", far, along_z);
  return builder.build();
}

constexpr int knots = 41;

struct FourBarDesign {
  std::shared_ptr<const MechanismModel> model = std::make_shared<const MechanismModel>(configurable_four_bar());
  Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(knots, 0, 2 * pi);
  Vector3d point = {0.4, 0.6, 0};

  MechanismMotion motion(const Eigen::VectorXd& lengths) const {
    return make_motion(model, controls, lengths, Eigen::MatrixXd(0, knots));
  }
  Eigen::MatrixXd path(const MechanismMotion& of) const {
    Eigen::Matrix3Xd path(3, knots);
    const int body = model->body("coupler_a");
    for (int k = 0; k < knots; ++k) path.col(k) = point_of(*model, of.states.col(k), body, point);
    return path;
  }
};

std::vector<NamedLoss> losses(oracle::LossContext& names, const std::string& design_weight) {
  std::vector<NamedLoss> result;
  const auto add = [&](const std::string& type, const std::string& yaml) { oracle::add_loss(result, names, type, yaml); };
  add("track_position", "{body: coupler_a, point: [0.4, 0.6, 0], target: path, weight: 1}");
  add("keep_control", "{control: all, weight: 1e3}");
  add("smooth_control", "{control: all, weight: 1e-9}");
  add("keep_design_parameter", "{design_parameter: all, weight: " + design_weight + "}");
  return result;
}

struct Designed {
  StagedSqpResult result;
  StagedPoint point;
  Eigen::VectorXd lengths;  // [m]
  double largest_error = 0, largest_residual = 0;
};

Designed design(const FourBarDesign& four_bar, const Eigen::MatrixXd& path, const std::string& design_weight,
                const StagedSqpOptions& options = {}) {
  const MechanismMotion start = four_bar.motion(Eigen::VectorXd::Zero(4));
  oracle::LossContext names(start.layout, knots);
  names.add_signal("path", path);
  auto terms = losses(names, design_weight);
  constexpr double time_step = 2.0 / (knots - 1);
  Designed designed;
  designed.point = motion_point(start.states, start.controls, start.parameters, time_step);
  MechanismProblemOptions with_assembly;
  with_assembly.assembly = {designed.point, start.nullity()};
  MechanismProblem problem(start.equations, terms, {names.values(), four_bar.controls, Eigen::VectorXd::Zero(4), time_step},
                           start.prescribed, with_assembly);
  designed.result = StagedSqp(problem, options).solve(designed.point);
  designed.lengths = designed.point.parameters * four_bar.model->length();
  const StagedPoint& at = designed.point;
  designed.largest_error =
      problem.losses().measures(0, {at.states, at.controls, at.rates, at.parameters}, problem.data()).maxCoeff();
  designed.largest_residual = problem.largest_residual(at, false).value;
  return designed;
}

TEST(MechanismDesign, AFourBarFindsTheLengthsThatMadeThePath) {
  const FourBarDesign four_bar;
  const Eigen::Vector4d wanted(0.15, -0.1, 0.2, 0.12);
  const Designed found = design(four_bar, four_bar.path(four_bar.motion(wanted)), "1e-8");
  EXPECT_EQ(found.result.status, StagedSqpStatus::converged) << found.result.diagnosis;
  EXPECT_LE(found.result.iterations.size(), 15u);
  EXPECT_LT((found.lengths - wanted).cwiseAbs().maxCoeff(), 1e-5) << found.lengths.transpose();
  EXPECT_LT(found.largest_error, 1e-6);
  EXPECT_LT(found.largest_residual, 1e-8);
}

TEST(MechanismDesign, RandomLengthsOfAFourBarAreFound) {
  const FourBarDesign four_bar;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> change(-0.3, 0.3);
  int successes = 0;
  for (int i = 0; i < 20; ++i) {
    const Eigen::Vector4d wanted(change(random), change(random), change(random), change(random));
    const Designed found = design(four_bar, four_bar.path(four_bar.motion(wanted)), "1e-8");
    EXPECT_LT(found.largest_residual, 1e-8) << i;
    successes += (found.lengths - wanted).cwiseAbs().maxCoeff() < 1e-5 && found.largest_error < 1e-6 ? 1 : 0;
  }
  EXPECT_GE(successes, 18);
}

}  // namespace mechanism_design
}  // namespace holo
