// Joints that gears, belts and cams couple: motions are those of closed forms, and derivatives those of differences.
#include <gtest/gtest.h>

#include <cmath>

#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "holo/sim/mechanism/model/merged_mechanism.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace couplings {

using oracle::along_x, oracle::along_z, oracle::hinge, oracle::on_the_ground, oracle::Oracle, oracle::pi;

constexpr CouplingPolynomial cam = {0, 0.1, 0.05, -0.02, 0.01};

// Two wheels at a distance of 1 m; the second one turns `ratio` times as far.
MechanismBuilder gear_pair(JointRole first, JointRole second, double ratio) {
  MechanismBuilder builder = on_the_ground();
  builder.body("pinion", {0, 0, 0.1});
  builder.body("wheel", {1, 0, 0.1});
  hinge(builder, "pinion_axle", "base", "pinion", {0, 0, 0}, along_z, first);
  hinge(builder, "wheel_axle", "base", "wheel", {1, 0, 0}, along_z, second);
  builder.couple("wheel_axle", "pinion_axle", {0, ratio, 0, 0, 0});
  return builder;
}

// A crank that moves a slide by a cam, both on a free body, so that all states appear in the equations.
MechanismModel cam_and_slide(JointRole crank, JointRole slide = JointRole::passive) {
  MechanismBuilder builder(oracle::plugins());
  builder.body("base", {0.1, 0.2, -0.3});
  builder.body("crank", {1.4, -0.5, 0.7});
  builder.body("slide", {0.4, 0.5, 1.7});
  builder.joint("anywhere", "free", "world", "base", {0, 0, 0}, Eigen::Matrix3d::Identity(), JointRole::actuator);
  builder.joint("crank", "revolute", "base", "crank", {0.6, 0.3, 0.2}, axes_along({1, 2, -0.5}), crank);
  builder.joint("slide", "prismatic", "base", "slide", {0.3, 0.1, 0.9}, axes_along({0.2, 1, 0.4}), slide);
  builder.couple("slide", "crank", cam);
  return builder.build();
}

MechanismMotion motion_of(const MechanismModel& model, const Eigen::MatrixXd& controls) {
  const auto shared = std::make_shared<const MechanismModel>(model);
  return make_motion(shared, controls, MechanismLayout(shared).rest_parameters(), Eigen::MatrixXd(0, controls.cols()));
}

void expect_turn(const MechanismMotion& motion, const std::string& body, int knot, double angle) {
  const auto q = motion.states.col(knot).segment<4>(7 * motion.layout->model().body(body) + 3);
  EXPECT_NEAR(std::abs(q.dot(Eigen::Vector4d(std::cos(angle / 2), 0, 0, std::sin(angle / 2)))), 1, 1e-12)
      << body << " at knot " << knot;
  EXPECT_LT(q.segment<2>(1).norm(), 1e-10);
}

// Over several turns: an angle that a pose gives would jump at half turns.
TEST(Couplings, AGearTurnsInItsRatioOverSeveralTurns) {
  constexpr int knots = 31;
  const Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(knots, 0, 5 * pi);
  const MechanismMotion motion = motion_of(gear_pair(JointRole::actuator, JointRole::passive, -1.5).build(), controls);
  EXPECT_EQ(motion.elimination.mobility, 1);
  EXPECT_EQ(motion.elimination.redundant.size(), 0u);
  const int wheel = motion.layout->unknowns_of(motion.layout->model().joint("wheel_axle")).back().index;
  for (int k = 0; k < knots; ++k) {
    expect_turn(motion, "pinion", k, controls(0, k));
    expect_turn(motion, "wheel", k, -1.5 * controls(0, k));
    EXPECT_NEAR(motion.states(wheel, k), -1.5 * controls(0, k), 1e-10);
  }
}

// The wheel drives the pinion: the coupling has no direction.
TEST(Couplings, TheFollowingJointMayBeTheDrivenOne) {
  const Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(9, 0, 2);
  const MechanismMotion motion = motion_of(gear_pair(JointRole::passive, JointRole::actuator, 4).build(), controls);
  for (int k = 0; k < 9; ++k) expect_turn(motion, "pinion", k, controls(0, k) / 4);
}

// The two wheels of a differential turn relative to its housing by opposite angles, so that the housing turns by the mean of
// both. All three hinges have one axis: the loops through the ground have redundant constraints.
TEST(Couplings, ADifferentialTurnsByTheMeanOfItsWheels) {
  MechanismBuilder builder = on_the_ground();
  for (const char* body : {"housing", "left", "right"}) builder.body(body, {0, 0, 0.1});
  hinge(builder, "housing_axle", "base", "housing", {0, 0, 0}, along_z);
  hinge(builder, "left_axle", "base", "left", {0, 0, 0.3}, along_z, JointRole::actuator);
  hinge(builder, "right_axle", "base", "right", {0, 0, -0.3}, along_z, JointRole::actuator);
  hinge(builder, "left_gear", "housing", "left", {0, 0, 0.2}, along_z);
  hinge(builder, "right_gear", "housing", "right", {0, 0, -0.2}, along_z);
  builder.couple("right_gear", "left_gear", {0, -1, 0, 0, 0});
  constexpr int knots = 25;
  Eigen::MatrixXd controls(2, knots);
  for (int k = 0; k < knots; ++k) controls.col(k) << 0.3 * k, 2 * std::sin(0.2 * k);
  const MechanismMotion motion = motion_of(builder.build(), controls);
  EXPECT_EQ(motion.elimination.mobility, 2);
  EXPECT_EQ(motion.elimination.passive_redundant, 10);
  for (int k = 0; k < knots; ++k) {
    expect_turn(motion, "left", k, controls(0, k));
    expect_turn(motion, "right", k, controls(1, k));
    expect_turn(motion, "housing", k, (controls(0, k) + controls(1, k)) / 2);
  }
}

TEST(Couplings, ACamMovesItsSlideByThePolynomial) {
  const MechanismModel model = cam_and_slide(JointRole::actuator);
  const Oracle oracle(model);
  Eigen::MatrixXd controls = oracle.layout->rest_controls().replicate(1, 12);
  for (int k = 0; k < 12; ++k) controls(7, k) = -2 + 0.4 * k;
  const MechanismMotion motion = motion_of(model, controls);
  for (int k = 0; k < 12; ++k) {
    const double u = controls(7, k), wanted = 0.1 * u + 0.05 * u * u - 0.02 * u * u * u + 0.01 * u * u * u * u;
    const Eigen::Vector3d moved = oracle.origin(motion.states, "slide", k) - model.bodies()[2].origin;
    EXPECT_LT((moved - wanted * Eigen::Vector3d(0.2, 1, 0.4).normalized()).norm(), 1e-11) << k;
  }
}

// Two drives that a coupling ties together: one of them is redundant, and its control follows.
TEST(Couplings, DrivesOfBothJointsAreRedundantActuation) {
  Eigen::MatrixXd controls(2, 9);
  controls.row(0) = Eigen::RowVectorXd::LinSpaced(9, 0, 3);
  controls.row(1) = -2 * controls.row(0);
  const MechanismMotion motion = motion_of(gear_pair(JointRole::actuator, JointRole::actuator, -2).build(), controls);
  EXPECT_EQ(motion.elimination.mobility, 1);
  EXPECT_EQ(motion.elimination.active_redundant, 1);
  ASSERT_EQ(motion.layout->dependent_names().size(), 1u);
  EXPECT_EQ(motion.layout->control_count(), 1);
  EXPECT_LT((all_controls(*motion.layout, motion.states, motion.controls) - controls).cwiseAbs().maxCoeff(), 1e-10);
}

// What inverse kinematics starts from: controls that poses give, over more than one turn.
TEST(Couplings, ControlsAreMeasuredFromTheirStates) {
  const auto model = std::make_shared<const MechanismModel>(gear_pair(JointRole::actuator, JointRole::passive, 3).build());
  const Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(4, 0, 6 * pi);
  const MechanismMotion motion = motion_of(*model, controls);
  const MechanismMotion measured = make_motion_of_states(model, motion.states, Eigen::VectorXd(0), Eigen::MatrixXd(0, 4));
  EXPECT_LT((measured.controls - controls).cwiseAbs().maxCoeff(), 1e-10);
}

// A pose at which nothing holds, and derivatives there in (p, u, s) of the equations that are independent.
struct Scattered {
  std::shared_ptr<const MechanismLayout> layout;
  ConstraintEquations equations;
  Eigen::MatrixXd states, controls, prescribed;
  Eigen::VectorXd parameters;

  Scattered(const MechanismModel& model, Elimination elimination)
      : layout(std::make_shared<const MechanismLayout>(std::make_shared<const MechanismModel>(model), std::move(elimination))),
        equations(layout),
        states(layout->rest_state()),
        controls(layout->rest_controls()),
        prescribed(layout->rest_prescribed()),
        parameters(layout->rest_parameters()) {
    double phase = 1;
    for (auto values : {states.reshaped(), controls.reshaped(), prescribed.reshaped()})
      for (double& value : values) value += 0.4 * std::sin(phase += 3);
    for (double& value : parameters) value += 0.4 * std::sin(phase += 3);
  }
  int equation_count() const { return int(layout->independent_equations().size()); }
  MechanismUnknowns at() const { return {states, controls, parameters, prescribed}; }
  Eigen::VectorXd residual() const {
    Eigen::MatrixXd result(equation_count(), 1);
    equations.residual(at(), result);
    return result;
  }
  Eigen::MatrixXd jacobian() const {
    const EquationPatterns& patterns = equations.patterns();
    Eigen::MatrixXd s(patterns.states.nonZeros(), 1), u(patterns.controls.nonZeros(), 1), p(patterns.parameters.nonZeros(), 1);
    equations.jacobians(at(), {s, u, p});
    Eigen::MatrixXd result(equation_count(), parameters.size() + controls.size() + states.size());
    result << filled(patterns.parameters, p), filled(patterns.controls, u), filled(patterns.states, s);
    return result;
  }
  Eigen::MatrixXd hessian(const Eigen::VectorXd& weights) const {
    Eigen::MatrixXd values = Eigen::MatrixXd::Zero(equations.patterns().hessian.nonZeros(), 1);
    equations.add_hessian(at(), weights, values);
    return filled(equations.patterns().hessian, values).selfadjointView<Eigen::Upper>();
  }
  // Central differences in (p, u, s).
  template <class Value>
  Eigen::MatrixXd differences(const Value& value) {
    constexpr double step = 1e-5;
    std::vector<Eigen::VectorXd> columns;
    const auto difference = [&](double& unknown) {
      const double here = unknown;
      unknown = here + step;
      const Eigen::VectorXd up = value();
      unknown = here - step;
      columns.push_back((up - value()) / (2 * step));
      unknown = here;
    };
    for (double& p : parameters) difference(p);
    for (double& u : controls.reshaped()) difference(u);
    for (double& s : states.reshaped()) difference(s);
    Eigen::MatrixXd result(columns[0].size(), Eigen::Index(columns.size()));
    for (Eigen::Index i = 0; i < result.cols(); ++i) result.col(i) = columns[std::size_t(i)];
    return result;
  }

 private:
  static Eigen::MatrixXd filled(Eigen::SparseMatrix<double> pattern, const Eigen::MatrixXd& values) {
    std::copy(values.data(), values.data() + values.size(), pattern.valuePtr());
    return pattern;
  }
};

// One equation is left out, so that numbers of equations and of independent ones differ.
TEST(Couplings, DerivativesAreThoseOfDifferencesInEveryRole) {
  for (const JointRole crank : {JointRole::passive, JointRole::actuator, JointRole::configurable, JointRole::prescribed})
    for (const JointRole slide : {JointRole::passive, JointRole::actuator, JointRole::configurable}) {
      Scattered pose(cam_and_slide(crank, slide), {{4}, {}});
      const std::string name = to_string(crank) + " " + to_string(slide);
      const Eigen::MatrixXd jacobian = pose.jacobian();
      EXPECT_LT((jacobian - pose.differences([&] { return pose.residual(); })).cwiseAbs().maxCoeff(), 1e-8) << name;
      const Eigen::VectorXd weights =
          Eigen::VectorXd::NullaryExpr(pose.equation_count(), [](Eigen::Index i) { return std::sin(1.0 + double(i)); });
      const Eigen::MatrixXd curvature =
          pose.differences([&] { return Eigen::VectorXd(pose.jacobian().transpose() * weights); });
      EXPECT_LT((pose.hessian(weights) - curvature).cwiseAbs().maxCoeff(), 1e-8) << name;
      const Eigen::MatrixXd dense =
          pose.equations.dense_jacobian(pose.at(), 0)(pose.layout->independent_equations(), Eigen::all);
      Eigen::MatrixXd ordered(jacobian.rows(), jacobian.cols());  // (s, u, p)
      const Eigen::Index np = pose.parameters.size(), nu = pose.controls.size(), ns = pose.states.size();
      ordered << jacobian.rightCols(ns), jacobian.middleCols(np, nu), jacobian.leftCols(np);
      EXPECT_LT((dense - ordered).cwiseAbs().maxCoeff(), 1e-14) << name;
    }
}

MechanismModel frozen(const MechanismModel& model, const std::vector<int>& joints) {
  return model.frozen(joints, oracle::plugins().get<JointPlugin>("fixed"));
}

// A slider-crank whose rod changes its length: at another design the crank stands elsewhere, and the cam on its shaft counts
// from there in the merged mechanism.
TEST(Couplings, MergedMechanismsMoveAsBefore) {
  const MechanismModel base = oracle::slider_crank_with_a_rod_of_any_length(false);
  std::vector<MechanismBody> bodies = base.bodies();
  std::vector<MechanismJoint> joints = base.joints();
  bodies.push_back({"follower", {0, 0, 1}});
  MechanismJoint rail = joints[std::size_t(base.joint("rail"))];
  rail.name = "follower_rail";
  rail.role = JointRole::passive;
  rail.body_b = int(bodies.size()) - 1;
  joints.push_back(rail);
  const MechanismCoupling coupling = {int(joints.size()) - 1, base.joint("crank_pivot"), cam};
  const auto whole = std::make_shared<const MechanismModel>(bodies, joints, std::vector<MergedBody>{}, std::vector{coupling});
  const Eigen::VectorXd design = Eigen::VectorXd::Constant(1, 0.2);
  const auto rigid = std::make_shared<const MechanismModel>(merged(whole, design));
  ASSERT_EQ(rigid->couplings().size(), 1u);
  const Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(5, 0, -0.3), none(0, 5);
  const MechanismMotion before = make_motion(whole, controls, design, none),
                        after = make_motion(rigid, controls, Eigen::VectorXd(0), none);
  const int in_whole = whole->body("follower"), in_rigid = rigid->body("follower_group");
  for (int k = 0; k < 5; ++k)
    EXPECT_LT((point_of(*whole, before.states.col(k), in_whole, {0, 0, 0}) -
               point_of(*rigid, after.states.col(k), in_rigid, {0, 0, 0}))
                  .norm(),
              1e-10)
        << k;
}

TEST(Couplings, FreezingBothJointsRemovesThem) {
  const MechanismModel model = gear_pair(JointRole::actuator, JointRole::passive, -1).build();
  EXPECT_EQ(frozen(model, {model.joint("pinion_axle"), model.joint("wheel_axle")}).couplings().size(), 0u);
  EXPECT_FALSE(frozen(model, {1, 2}).joints()[1].is_coupled);
}

template <class Action>
void expect_refusal(const Action& action, const std::string& part) {
  try {
    action();
    ADD_FAILURE() << "accepted; expected: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << "found: " << error.what();
  }
}

TEST(CouplingsBadInput, WhatCannotBeCoupledIsRefusedByName) {
  const auto refused = [](const std::string& joint, const std::string& leader, const std::string& part,
                          const CouplingPolynomial& polynomial = {0, 1, 0, 0, 0}) {
    expect_refusal(
        [&] {
          MechanismBuilder builder = gear_pair(JointRole::actuator, JointRole::passive, -1);
          builder.body("ball", {2, 0, 0});
          builder.joint("socket", "spherical", "wheel", "ball", {2, 0, 0}, Eigen::Matrix3d::Identity());
          builder.couple(joint, leader, polynomial);
          builder.build();
        },
        part);
  };
  refused("wheel_axel", "pinion_axle", "no joint 'wheel_axel'. Did you mean 'wheel_axle'?");
  refused("pinion_axle", "pinion_axle", "the joint 'pinion_axle' is coupled to itself");
  refused("socket", "pinion_axle", "the joint 'socket' is coupled, but its type 'spherical' has 4 coordinates");
  refused("base_ground", "pinion_axle", "its type 'fixed' has 0 coordinates");
  refused("pinion_axle", "wheel_axle", "the joints 'wheel_axle', 'pinion_axle' form a cycle");
  refused("wheel_axle", "pinion_axle", "the joint 'wheel_axle' is coupled twice, to 'pinion_axle' and to 'pinion_axle'");
  refused("pinion_axle", "wheel_axle", "has the constant term 0.5", {0.5, 1, 0, 0, 0});
  refused("pinion_axle", "wheel_axle", "not finite", {0, std::nan(""), 0, 0, 0});
}

TEST(CouplingsBadInput, HalfACouplingCannotBeFrozenOrRemoved) {
  const MechanismModel model = gear_pair(JointRole::actuator, JointRole::passive, -1).build();
  expect_refusal([&] { frozen(model, {model.joint("wheel_axle")}); },
                 "the coupling of 'wheel_axle' to 'pinion_axle': only 'wheel_axle' is frozen");
  expect_refusal([&] { model.without({model.body("pinion")}); }, "name 'wheel_axle' in `prescribed`");
  const MechanismModel recorded = model.prescribed({model.joint("wheel_axle")}).without({model.body("pinion")});
  EXPECT_EQ(recorded.couplings().size(), 0u);
}

}  // namespace couplings
}  // namespace holo
