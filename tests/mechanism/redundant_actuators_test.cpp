// Redundant actuators: inverse kinematics without the actuators, and controls that follow from the others:
// docs/robot-design-derivations.md#dependent-actuators.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/opt/staged/staged_sqp.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "holo/sim/mechanism/kinematics/inverse_kinematics.h"
#include "holo/sim/mechanism/kinematics/measured_controls.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace redundant_actuators {

using oracle::pi;

constexpr int knots = 25;
constexpr double time_step = 2.0 / (knots - 1), degree = pi / 180;

// The pelvis of the legs turns, rolls, sways and sinks: [Maloisel2023] figure 7 with dimensions of our own.
struct PelvisTarget {
  Eigen::MatrixXd positions = Eigen::MatrixXd(3, knots), orientations = Eigen::MatrixXd(4, knots);
  PelvisTarget() {
    for (int k = 0; k < knots; ++k) {
      const double phase = pi * k * time_step, swing = std::sin(phase);
      positions.col(k) = Eigen::Vector3d(0, 0.03 * swing, 0.96 - 0.02 * std::cos(2 * phase));
      const Eigen::Quaterniond turn = Eigen::AngleAxisd(20 * degree * swing * (1 + 0.3 * swing), Eigen::Vector3d::UnitZ()) *
                                      Eigen::AngleAxisd(6 * degree * std::sin(2 * phase), Eigen::Vector3d::UnitX());
      orientations.col(k) << turn.w(), turn.x(), turn.y(), turn.z();
    }
  }
};

struct Legs {
  std::shared_ptr<const MechanismModel> model = std::make_shared<const MechanismModel>(oracle::paper_robot("legs"));
  MechanismLayout layout{model};
  oracle::LossContext names{std::make_shared<const MechanismLayout>(model), knots};
  std::vector<NamedLoss> losses;
  Eigen::MatrixXd prescribed{0, knots};
  Eigen::VectorXd parameters = Eigen::VectorXd::Zero(layout.parameter_count());

  Legs() {
    const PelvisTarget target;
    names.add_signal("positions", target.positions);
    names.add_signal("orientations", target.orientations);
    add("track_position", "{body: pelvis, point: [0, 0, 0], target: positions, weight: 1}");
    add("track_orientation", "{body: pelvis, target: orientations, weight: 0.05}");
  }
  void add(const std::string& type, const std::string& yaml) { oracle::add_loss(losses, names, type, yaml); }
  LossData data(const Eigen::MatrixXd& controls) const { return {names.values(), controls, parameters, time_step}; }
  LossData data() const { return data(layout.rest_controls().replicate(1, knots)); }
  InverseKinematics nearest() const { return inverse_kinematics(model, losses, data(), parameters, prescribed); }
  MechanismMotion motion(const MechanismMotionOptions& options = {}) const {
    return make_motion_of_states(model, nearest().states, parameters, prescribed, options);
  }
  void regularize(const MechanismLayout& of) {
    add("keep_control", "{control: all, weight: 1e-5}");
    add("keep_design_parameter", "{design_parameter: all, weight: 1e-4}");
    for (const std::string& name : of.control_names()) add("smooth_control", "{control: " + name + ", weight: 1e-7}");
  }
};

MechanismMotionOptions with_free_controls() {
  MechanismMotionOptions options;
  options.redundant_actuation = RedundantActuation::free;
  return options;
}

double largest_error(const MechanismProblem& problem, const StagedPoint& at, std::size_t loss) {
  return problem.losses().measures(loss, {at.states, at.controls, at.rates, at.parameters}, problem.data()).row(0).maxCoeff();
}

TEST(InverseKinematics, RedundantActuatorsAgreeOnTheMotionOfTheTargets) {
  const Legs legs;
  const InverseKinematics found = legs.nearest();
  for (const int count : found.iterations) EXPECT_LE(count, 15);
  const MechanismMotion motion = legs.motion();  // refuses equations that miss by more than 1e-9
  const Eigen::MatrixXd controls = all_controls(*motion.layout, motion.states, motion.controls);
  EXPECT_EQ(8, controls.rows());
  const MechanismProblem problem(motion.equations, legs.losses, legs.data(controls), legs.prescribed);
  const StagedPoint point = problem.point(motion.states, motion.controls, motion.parameters);
  EXPECT_LT(problem.largest_residual(point, false).value, 1e-9);
  EXPECT_LT(largest_error(problem, point, 0), 1e-4);  // what remains is the weight that ties knots to each other
  EXPECT_LT(largest_error(problem, point, 1), 1e-3);
}

TEST(InverseKinematics, MeasuredControlsLeadForwardToTheSameStates) {
  const Legs legs;
  const MechanismMotion motion = legs.motion();
  const Kinematics forward =
      forward_kinematics(*motion.equations, motion.states.col(0), motion.controls, motion.parameters, legs.prescribed);
  ASSERT_EQ(KinematicsStatus::done, forward.status) << forward.diagnosis;
  EXPECT_LT((forward.states - motion.states).cwiseAbs().maxCoeff(), 1e-8);
}

// An arm of 1 m shall reach a point 1.9 m away: each Gauss-Newton step goes 1.9 times as far as it should.
TEST(InverseKinematics, EndsAtTheNearestPoseOfATargetOutOfReach) {
  const double angle = 0.5;
  MechanismBuilder builder = oracle::on_the_ground();
  builder.body("arm", {0.5, 0, 0});
  oracle::hinge(builder, "shoulder", "base", "arm", {0, 0, 0}, oracle::along_z, JointRole::actuator);
  const auto model = std::make_shared<const MechanismModel>(builder.build());
  oracle::LossContext names(std::make_shared<const MechanismLayout>(model), 2);
  names.add_signal("away", Eigen::Vector3d(1.9 * std::cos(angle), 1.9 * std::sin(angle), 0).replicate(1, 2));
  std::vector<NamedLoss> losses;
  oracle::add_loss(losses, names, "track_position", "{body: arm, point: [0.5, 0, 0], target: away}");
  const LossData data{names.values(), Eigen::MatrixXd::Zero(1, 2), Eigen::VectorXd(0), 0.1};
  const InverseKinematics found = inverse_kinematics(model, losses, data, Eigen::VectorXd(0), Eigen::MatrixXd(0, 2));
  for (int k = 0; k < 2; ++k) {
    const Eigen::Vector3d tip = point_of(*model, found.states.col(k), model->body("arm"), {0.5, 0, 0});
    EXPECT_NEAR(std::atan2(tip.y(), tip.x()), angle, 1e-3) << k;
    EXPECT_LT(found.iterations[std::size_t(k)], 100) << k;
  }
}

TEST(InverseKinematicsBadInput, NeedsAnObjectiveOnBodies) {
  Legs legs;
  legs.losses.clear();
  legs.add("keep_control", "{control: all, weight: 1}");
  try {
    legs.nearest();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("track_position"), std::string::npos) << error.what();
  }
}

TEST(DependentControls, AreThoseOfTheSurplusRows) {
  const Legs legs;
  const MechanismMotion motion = legs.motion();
  EXPECT_EQ(2u, motion.layout->dependent_states().size());
  EXPECT_EQ(6, motion.layout->control_count());
  EXPECT_EQ(184, motion.layout->state_count());
  EXPECT_EQ(184u, motion.layout->independent_equations().size());
  for (const int row : motion.layout->elimination().redundant) EXPECT_FALSE(motion.layout->is_actuation(row));
  const MechanismMotion free = legs.motion(with_free_controls());
  EXPECT_EQ(8, free.layout->control_count());
  EXPECT_EQ(182, free.layout->state_count());
}

TEST(DependentControls, FollowTheOthersToTheEndAndKeepTheirLimits) {
  Legs legs;
  const MechanismMotion motion = legs.motion();
  const Eigen::MatrixXd controls = all_controls(*motion.layout, motion.states, motion.controls);
  legs.regularize(*motion.layout);
  // Every actuator is held a little inside of what the initial motion uses, so that limits act, on dependent ones too.
  std::vector<std::pair<double, double>> limits;
  for (int i = 0; i < 8; ++i) {
    const double low = controls.row(i).minCoeff() - 0.02, high = controls.row(i).maxCoeff() + 0.02;
    limits.emplace_back(low, high);
    legs.add("control_limit", "{control: " + legs.layout.control_names()[std::size_t(i)] + ", minimum: " + std::to_string(low) +
                                  ", maximum: " + std::to_string(high) + ", weight: 1e-4}");
  }
  MechanismProblem problem(motion.equations, legs.losses, legs.data(controls), legs.prescribed);
  StagedPoint point = problem.point(motion.states, motion.controls, motion.parameters);
  const StagedSqpResult result = StagedSqp(problem, {}).solve(point);
  EXPECT_EQ(StagedSqpStatus::converged, result.status) << result.diagnosis;
  EXPECT_LE(result.iterations.size(), 40u);
  EXPECT_LT(problem.largest_residual(point, false).value, 1e-9);
  const Eigen::MatrixXd after = all_controls(*motion.layout, point.states, point.controls);
  for (int i = 0; i < 8; ++i) {
    EXPECT_GT(after.row(i).minCoeff(), limits[std::size_t(i)].first) << i;
    EXPECT_LT(after.row(i).maxCoeff(), limits[std::size_t(i)].second) << i;
  }
  // What poses say of all controls is what the optimization believes of them.
  Eigen::MatrixXd poses(182, knots);
  for (int i = 0, to = 0; i < motion.layout->state_count(); ++i) {
    const auto& dependent = motion.layout->dependent_states();
    if (std::find(dependent.begin(), dependent.end(), i) == dependent.end()) poses.row(to++) = point.states.row(i);
  }
  EXPECT_LT((measured_controls(legs.layout, poses, point.parameters) - after).cwiseAbs().maxCoeff(), 1e-8);
}

// As the paper has it: nothing ties the redundant actuators' controls to the motion.
TEST(DependentControls, FreeOnesMissTheMotion) {
  Legs legs;
  const MechanismMotion motion = legs.motion(with_free_controls());
  const Eigen::MatrixXd controls = all_controls(*motion.layout, motion.states, motion.controls);
  legs.regularize(*motion.layout);
  legs.add("keep_control", "{control: all, weight: 1}");
  LossData data = legs.data(controls);
  data.initial_controls.setZero();
  MechanismProblem problem(motion.equations, legs.losses, data, legs.prescribed);
  StagedPoint point = problem.point(motion.states, motion.controls, motion.parameters);
  const StagedSqpResult result = StagedSqp(problem, {}).solve(point);
  EXPECT_EQ(StagedSqpStatus::converged, result.status) << result.diagnosis;
  EXPECT_GT(problem.largest_residual(point, true).value, 1e-3);
}

// Every actuator may move only a little slower than the initial motion does at its fastest: limits on rates act, also on
// redundant ones.
TEST(DependentControls, KeepTheLimitsOfTheirRates) {
  Legs legs;
  const MechanismMotion motion = legs.motion();
  const Eigen::MatrixXd controls = all_controls(*motion.layout, motion.states, motion.controls);
  legs.regularize(*motion.layout);
  const auto rates = [](const Eigen::MatrixXd& of) {
    return ((of.rightCols(knots - 1) - of.leftCols(knots - 1)) / time_step).eval();
  };
  std::vector<double> limits;
  for (int i = 0; i < 8; ++i) {
    limits.push_back(0.97 * rates(controls).row(i).cwiseAbs().maxCoeff());
    const std::string limit = std::to_string(limits.back());
    legs.add("control_rate_limit", "{control: " + legs.layout.control_names()[std::size_t(i)] + ", minimum: -" + limit +
                                       ", maximum: " + limit + ", weight: 1e-4}");
  }
  MechanismProblem problem(motion.equations, legs.losses, legs.data(controls), legs.prescribed);
  EXPECT_EQ(problem.layout().rated_states, motion.layout->dependent_states());
  StagedPoint point = problem.point(motion.states, motion.controls, motion.parameters), other = point;
  StagedSqpOptions options;
  options.schedule = RegularizerSchedule::off;  // the objective stays the same
  const StagedSqpResult result = StagedSqp(problem, options).solve(point);
  EXPECT_EQ(StagedSqpStatus::converged, result.status) << result.diagnosis;
  EXPECT_LT(problem.largest_residual(point, false).value, 1e-9);
  const Eigen::MatrixXd after = rates(all_controls(*motion.layout, point.states, point.controls));
  for (int i = 0; i < 8; ++i) EXPECT_LT(after.row(i).cwiseAbs().maxCoeff(), limits[std::size_t(i)]) << i;
  // What the report says of them is that rate, too.
  const std::size_t last = problem.losses().losses().size() - 1;
  const Eigen::MatrixXd measures =
      problem.losses().measures(last, {point.states, point.controls, point.rates, point.parameters}, problem.data());
  EXPECT_NEAR(measures.leftCols(knots - 1).minCoeff(), limits[7] - after.row(7).cwiseAbs().maxCoeff(),
              1e-6);  // of six digits in text
  // The reference step leads as far.
  options.step = StagedStepKind::sparse_lu;
  const StagedSqpResult all_at_once = StagedSqp(problem, options).solve(other);
  EXPECT_EQ(StagedSqpStatus::converged, all_at_once.status);
  EXPECT_NEAR(all_at_once.objective, result.objective, 1e-6 * result.objective);
}

}  // namespace redundant_actuators
}  // namespace holo
