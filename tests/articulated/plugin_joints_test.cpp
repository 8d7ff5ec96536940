// Joints of plugins in characters: equal to the standard joints where the motions are, and differentiated exactly.
#include <gtest/gtest.h>

#include "../allocation_count.h"
#include "../refusal_message.h"
#include "character_samples.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/diff/scalars/multicomplex.h"
#include "holo/plugin/detail/joint_entry.h"
#include "holo/sim/articulated/dynamics/character_from_robot.h"
#include "trajectory_samples.h"

namespace holo::articulated::plugin_joints_tests {

using namespace test;

// Two angles and a length that are coupled: the twists of each depend on all.
struct Wobble {
  template <class S>
  struct Constants {
    S radius;
  };
  static constexpr Coordinate coordinates[] = {angle("first"), length("shift"), angle("second")};
  template <class P>
  static Constants<P> read(const ParameterReader<P>& p) {
    return {p.number("radius", "m")};
  }
  template <class S>
  static constexpr Transform<S> motion(const S* q, const Constants<S>& c) {
    const Quaternion<S> turn = rotation_about(Vector3<S>{S(1.0), S(0.0), S(0.0)}, S(q[0] + 0.5 * q[1] * q[2]));
    const Quaternion<S> nod = rotation_about(Vector3<S>{S(0.0), S(0.6), S(0.8)}, q[2]);
    return {Vector3<S>{q[1], c.radius * sin(q[0]), c.radius * (1.0 - cos(q[2])) + q[1] * q[1]}, turn * nod};
  }
};

PluginJoint wobble() {
  static const holo_joint table = plugin::make_joint<Wobble>("wobble", "three coupled coordinates");
  return {std::make_shared<const JointPlugin>(nullptr, &table, ""), {0.3}};
}

PluginJoint joint_named(const std::string& name) { return {loss_host().get<JointPlugin>(name), {}}; }

// A free body with a second one at a wobbling joint, and a third one at a hinge, which touches the floor.
CharacterModel wobbling_character() {
  CharacterBuilder builder("wobbler");
  const int base = builder.add_base({});
  builder.add_mass(base, box_mass({0.2, 0.15, 0.1}, 1000));
  const Eigen::Isometry3d placement = Eigen::Translation3d(0.3, 0.1, -0.1) * Eigen::AngleAxisd(0.4, Eigen::Vector3d::UnitZ());
  const Eigen::Isometry3d behind = Eigen::Translation3d(0, 0.1, 0) * Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitY());
  const int arm = builder.add_plugin_joint("arm", base, placement, wobble(), behind);
  builder.add_mass(arm, capsule_mass(0.05, 0.2, 1000), Eigen::Isometry3d(Eigen::Translation3d(0.1, 0, 0.2)));
  builder.add_contact_point(arm, {0.1, 0, -0.2}, 0.05);
  const int hand = builder.add_hinge("hand", arm, Eigen::Isometry3d(Eigen::Translation3d(0.1, 0, -0.2)), {0, 1, 1});
  builder.add_mass(hand, sphere_mass(0.1, 1000), Eigen::Isometry3d(Eigen::Translation3d(0.1, 0, 0)));
  builder.add_contact_point(hand, {0.2, 0, 0}, 0.1);
  builder.limit(builder.so_far().dof("arm_shift"), -0.01, 0.01, 1e4);
  builder.dof(builder.so_far().dof("arm_first")).damping = 3;
  return builder.build();
}

// The transform's rotation matrix and translation, and its derivatives along the units of the scalar.
using TwoSteps = Multicomplex<2>;
RigidFrame<ComplexStep> coefficient_frame(const Transform<TwoSteps>& motion, int mask) {
  const Matrix3<TwoSteps> R = rotation_matrix(motion.rotation);
  const double scale = mask == 0 ? 1 : 1 / complex_step;
  const auto number = [&](const TwoSteps& x) {  // along the second unit, with its derivative along the first one
    return ComplexStep(scale * x.coefficient(mask), scale * x.coefficient(mask | 1));
  };
  RigidFrame<ComplexStep> frame{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) frame.rotation(i, j) = number(R(i, j));
    frame.origin[i] = number(motion.translation[i]);
  }
  return frame;
}

// Frames, twists and their derivatives by the coordinate l from rotation matrices: xi = dL L^-1.
TEST(PluginMotions, AreThoseOfTheFunctionOverMulticomplexNumbers) {
  const CharacterModel model = wobbling_character();
  const int first = model.dof("arm_first");
  const double q[3] = {0.4, -0.3, 0.9};
  StateMemory<ComplexStep> state(model);
  StateMemory<double> real(model);
  for (int k = 0; k < 3; ++k) real.coordinates[std::size_t(first + k)] = q[k];
  real.update(model);
  for (int l = 0; l < 3; ++l) {
    for (int k = 0; k < 3; ++k) state.coordinates[std::size_t(first + k)] = ComplexStep::seed(q[k], k == l ? 1.0 : 0.0);
    state.update(model);
    const PluginMotions<ComplexStep> found = state.motions.view();
    for (int k = 0; k < 3; ++k) {
      TwoSteps moved[3];
      for (int i = 0; i < 3; ++i) moved[i] = TwoSteps::seed(q[i], {i == l ? 1.0 : 0.0, i == k ? 1.0 : 0.0});
      const Transform<TwoSteps> motion = Wobble::motion(moved, Wobble::Constants<TwoSteps>{TwoSteps(0.3)});
      const RigidFrame<ComplexStep> L = coefficient_frame(motion, 0), change = coefficient_frame(motion, 2);
      const Matrix3<ComplexStep> spin = change.rotation * transpose(L.rotation);
      const Vector3<ComplexStep> angular{spin(2, 1), spin(0, 2), spin(1, 0)}, linear = change.origin - spin * L.origin;
      const int upper = std::max(k, l) * (std::max(k, l) + 1) / 2 + std::min(k, l);
      for (int i = 0; i < 3; ++i) {
        for (const bool derivative : {false, true}) {
          const auto part = [&](const ComplexStep& x) { return derivative ? x.derivative() : x.value(); };
          EXPECT_NEAR(part(found.twists[k].angular[i]), part(angular[i]), 2e-15) << k << l;
          EXPECT_NEAR(part(found.twists[k].linear[i]), part(linear[i]), 2e-15) << k << l;
          EXPECT_NEAR(part(found.frames[0].origin[i]), part(L.origin[i]), 2e-15);
          for (int j = 0; j < 3; ++j) EXPECT_NEAR(part(found.frames[0].rotation(i, j)), part(L.rotation(i, j)), 2e-15);
        }
        if (k > l) continue;
        EXPECT_NEAR(real.motions.view().derivatives[upper].angular[i], angular[i].derivative(), 2e-15) << k << l;
        EXPECT_NEAR(real.motions.view().derivatives[upper].linear[i], linear[i].derivative(), 2e-15) << k << l;
      }
    }
  }
}

StepConstants step_with(InertiaRule inertia, const Obstacle& floor) {
  StepConstants step;
  step.inertia = inertia;
  step.normal_weight = 2e4;
  step.tangential_weight = 2e5;
  step.obstacles = &floor;
  step.obstacle_count = 1;
  return step;
}

TEST(PluginJointJacobians, AreTheDerivativesOfTheResidualInTheAirAndInContact) {
  const CharacterModel model = wobbling_character();
  for (const InertiaRule inertia : {InertiaRule::end, InertiaRule::mid})
    for (const double height : {-10.0, 0.2}) {
      const Obstacle floor = floor_at(height);
      const StepConstants step = step_with(inertia, floor);
      for (unsigned seed = 1; seed <= 3; ++seed) {
        const ThreePoses poses = three_poses(model, seed, 0.5, 0.05, true);
        const ThreeJacobians closed = closed_form(model, step, poses), complex = by_complex_step(model, step, poses);
        for (int s = 0; s < 3; ++s)
          EXPECT_LT(relative_difference(closed.D[s], complex.D[s]), 1e-12) << "D" << s << " at the height " << height;
      }
    }
}

// Residual and Jacobians of two characters with the same degrees of freedom.
void expect_equal(const CharacterModel& standard, const CharacterModel& replaced) {
  ASSERT_EQ(standard.dof_names(), replaced.dof_names());
  ASSERT_FALSE(replaced.plugin_joints().empty());
  const Obstacle floor = floor_at(0.1);
  for (const InertiaRule inertia : {InertiaRule::end, InertiaRule::mid})
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const StepConstants step = step_with(inertia, floor);
      const ThreePoses poses = three_poses(standard, seed, 0.3, 0.05, false);
      const Eigen::VectorXd expected = residual(standard, step, poses);
      EXPECT_LT((residual(replaced, step, poses) - expected).norm(), 1e-12 * expected.norm());
      const ThreeJacobians D = closed_form(standard, step, poses), found = closed_form(replaced, step, poses);
      for (int s = 0; s < 3; ++s) EXPECT_LT(relative_difference(found.D[s], D.D[s]), 1e-12) << "D" << s;
    }
}

CharacterModel hopper(const JointReplacements& joints) {
  return procedural_character("hopper6", {{BaseChart::planar, ""}, false, 1000, 10, 1, {}, joints});
}

TEST(PluginJoints, WithTheMotionOfHingesAndSlidesEqualThese) {
  expect_equal(
      hopper({}),
      hopper({{"hip", joint_named("revolute")}, {"knee", joint_named("revolute")}, {"base_z", joint_named("prismatic")}}));
}

// A slide and a hinge about it, two hinges.
TEST(PluginJoints, OfSeveralCoordinatesEqualChainsOfStandardJoints) {
  const Eigen::Isometry3d placement =
      Eigen::Translation3d(0.1, 0.2, -0.3) * Eigen::AngleAxisd(0.5, Eigen::Vector3d(1, 2, 3).normalized());
  const auto character = [&](bool is_plugin) {
    CharacterBuilder builder("arm");
    int last = builder.add_base({});
    builder.add_mass(last, box_mass({0.2, 0.1, 0.1}, 1000));
    if (is_plugin) {
      last = builder.add_plugin_joint("rod", last, placement, joint_named("cylindrical"));
    } else {
      last = builder.add_slide("rod_extension", last, placement, Eigen::Vector3d::UnitX());
      last = builder.add_hinge("rod_angle", last, Eigen::Isometry3d::Identity(), Eigen::Vector3d::UnitX());
    }
    builder.add_mass(last, capsule_mass(0.05, 0.2, 1000), placement);
    builder.add_contact_point(last, {0.1, 0, -0.1}, 0.05);
    if (is_plugin) {
      last = builder.add_plugin_joint("hand", last, placement, joint_named("universal"));
    } else {
      last = builder.add_hinge("hand_first_angle", last, placement, Eigen::Vector3d::UnitX());
      last = builder.add_hinge("hand_second_angle", last, Eigen::Isometry3d::Identity(), Eigen::Vector3d::UnitY());
    }
    builder.add_mass(last, box_mass({0.1, 0.05, 0.02}, 1000), placement);
    return builder.build();
  };
  expect_equal(character(false), character(true));
}

// E, C, their derivatives and H, with losses of bodies behind the joint.
TEST(PluginJoints, OfTrajectoriesEqualStandardJoints) {
  const auto problem_of = [](TrajectoryModel& model) { return TrajectoryProblem(model, TrajectoryBasis::spline(8, 4)); };
  const auto model_of = [](const JointReplacements& joints) {
    TrajectoryModel::Definition definition = above_a_floor(std::make_shared<const CharacterModel>(hopper(joints)), 8);
    add_loss(definition, "center_of_mass_velocity", "{body: hopper6, target: [0.5, 0, 0]}");
    add_loss(definition, "track_position", "{body: ankle, point: [0.1, 0, 0], target: [0.3, 0, 0.1]}");
    return TrajectoryModel(std::move(definition));
  };
  TrajectoryModel standard = model_of({}), replaced = model_of({{"knee", joint_named("revolute")}});
  TrajectoryProblem expected = problem_of(standard), found = problem_of(replaced);
  const Eigen::VectorXd point = expected.point() + random_vector(expected.unknown_count(), 3, 0.1);
  const Eigen::VectorXd constraints(expected.constraint_count()), unknowns(point.size());
  Eigen::VectorXd C[2] = {constraints, constraints}, gradient[2] = {unknowns, unknowns};
  const double E = expected.evaluate(point, C[0]);
  EXPECT_NEAR(found.evaluate(point, C[1]), E, 1e-12 * E);
  EXPECT_LT((C[1] - C[0]).norm(), 1e-12 * C[0].norm());
  const Eigen::VectorXd multipliers = Eigen::VectorXd::Zero(expected.constraint_count());
  expected.linearize(point, multipliers, gradient[0]);
  found.linearize(point, multipliers, gradient[1]);
  EXPECT_LT((gradient[1] - gradient[0]).norm(), 1e-12 * gradient[0].norm());
  EXPECT_LT((dense_hessian(found) - dense_hessian(expected)).norm(), 1e-12 * dense_hessian(expected).norm());
  EXPECT_LT((dense_jacobian(found) - dense_jacobian(expected)).norm(), 1e-12 * dense_jacobian(expected).norm());
}

TEST(PluginMotions, AreEvaluatedWithoutAllocation) {
  const CharacterModel model = wobbling_character();
  StateMemory<double> state(model);
  state.set(model, model.rest());
  const long before = holo::test::allocation_count;
  state.set(model, model.rest());
  const long after = holo::test::allocation_count;
  EXPECT_EQ(after, before);
  EXPECT_TRUE(!holo::test::counts_allocations || holo::test::an_allocation_counts());
}

// A body at a joint of a robot's file that a plugin replaces.
CharacterModel arm(const std::string& type, const PluginJoint& plugin) {
  ArticulatedModel robot;
  robot.file = "arm.xml";
  robot.bodies.resize(1);
  ArticulatedBody& body = robot.bodies[0];
  body.name = "forearm";
  body.joint.name = "elbow";
  body.joint.type = type;
  body.joint.frame_a = Eigen::Isometry3d(Eigen::Translation3d(0, 0, 1));
  body.joint.body_in_b = Eigen::Isometry3d(Eigen::Translation3d(0.5, 0, 0));
  body.joint.position = {-1, 2};
  body.joint.damping = 0.5;
  body.mass = sphere_mass(0.1, 1000);
  RobotCharacterOptions options;
  options.joints["elbow"] = plugin;
  return character_from_robot(robot, file_pose(robot), options);
}

TEST(PluginJointsOfRobots, KeepTheFramesAndTheNumbersOfTheSameUnit) {
  const CharacterModel hinge = arm("revolute", joint_named("revolute"));
  EXPECT_EQ(hinge.dof_names(), std::vector<std::string>{"elbow"});
  EXPECT_EQ(hinge.dofs()[0].lower, -1);
  EXPECT_EQ(hinge.dofs()[0].damping, 0.5);
  EXPECT_TRUE(hinge.notes().empty());
  const CharacterModel slide = arm("revolute", joint_named("prismatic"));
  EXPECT_TRUE(slide.dofs()[0].is_length);
  EXPECT_EQ(slide.dofs()[0].damping, 0);
  ASSERT_EQ(slide.notes().size(), 1u);
  const CharacterModel free = arm("fixed", joint_named("cartesian"));
  EXPECT_EQ(free.dof_count(), 3);
  for (const CharacterModel* model : {&hinge, &slide, &free}) {
    StateMemory<double> state(*model);
    state.set(*model, model->rest());
    EXPECT_EQ((state.frames.back() * model->bodies()[0].placement).origin[0], 0.5);
    EXPECT_EQ(state.frames.back().origin[2], 1);
  }
}

TEST(PluginJointsBadInput, NamesTheJointAndItsType) {
  using holo::test::message;
  EXPECT_EQ(message([] {
              hopper({{"knee", joint_named("universal")}});
            }),
            "the joint 'knee' is a hinge; a joint in its place needs one coordinate that is an angle, and 'universal' has 2 "
            "numbers");
  EXPECT_EQ(message([] {
              hopper({{"knee", joint_named("prismatic")}});
            }),
            "the joint 'knee' is a hinge; a joint in its place needs one coordinate that is an angle, and 'prismatic' has "
            "another kind");
  EXPECT_EQ(
      message([] {
        hopper({{"kne", joint_named("revolute")}});
      }),
      "the character 'hopper6' has no joint 'kne' that a joint of the type 'revolute' could replace. Did you mean 'knee'?");
  EXPECT_EQ(message([] { arm("revolute", joint_named("fixed")); }),
            "the joint 'elbow' has the type 'fixed', which has no coordinates; leave the joint out, or choose one that moves");
  EXPECT_EQ(message([] { arm("revolute", joint_named("spherical")); }),
            "the joint 'elbow' has the type 'spherical', which has a quaternion; coordinates of a character are lengths and "
            "angles, and its ball joints rotation vectors");
}

}  // namespace holo::articulated::plugin_joints_tests
