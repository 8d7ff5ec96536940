// Losses' plugins on characters: used as they are, and refused with reasons.
#include "../refusal_message.h"
#include "character_motion.h"
#include "trajectory_samples.h"

namespace holo::articulated::articulated_losses_tests {

using namespace test;
using Eigen::Vector3d, Eigen::VectorXd;

// A trajectory whose states move at random, 0.05 rad or m from step to step.
TrajectoryStates in_motion(const CharacterModel& model, int steps) {
  TrajectoryStates states(model, steps, model.rest());
  for (int i = -1; i <= steps; ++i) states.set_pose(i, moved(model.rest(), random_velocity(model, unsigned(i + 2), 1), 0.05));
  states.update(-1, steps);
  return states;
}

TEST(ArticulatedLosses, OfTheCenterOfMassTakeThePluginAsItIs) {
  const auto character = shared_character("mammal18", BaseChart::rotation_vector);
  TrajectoryModel::Definition definition = above_a_floor(character, 5);
  add_loss(definition, "center_of_mass_velocity", "{body: mammal18, target: [0.5, 0, 0.1], weight: [2, 3, 4], scale: 0.7}");
  const TrajectoryModel model(std::move(definition));
  const TrajectoryStates states = in_motion(*character, 5);
  double losses[5];
  model.losses().evaluate(states, model.data(), 1, 6, losses);
  for (int i = 1; i <= 5; ++i) {
    const Vector3d velocity =
        (center_of_mass(*character, states.pose(i)) - center_of_mass(*character, states.pose(i - 1))) / 0.025;
    const Vector3d gap = (velocity - Vector3d(0.5, 0, 0.1)) / 0.7;
    const double expected = gap.cwiseAbs2().dot(Vector3d(2, 3, 4)) / 2;
    EXPECT_NEAR(losses[i - 1], expected, 1e-12 * expected) << i;
  }
}

// A loss of the state and the two before it has a term at every step from 1 on: x_0 and x_-1 are observed, not summed over.
TEST(ArticulatedLosses, HaveTermsAtTheStatesThatAreSought) {
  const auto character = shared_character("hopper6", BaseChart::planar);
  TrajectoryModel::Definition definition = above_a_floor(character, 3);
  add_loss(definition, "track_acceleration", "{body: hopper6, target: [0, 0, 0]}");
  add_loss(definition, "track_center_of_mass", "{body: hopper6, target: [0, 0, 0]}");
  const TrajectoryModel model(std::move(definition));
  const TrajectoryStates states(*character, 3, character->rest());
  for (std::size_t loss = 0; loss < 2; ++loss) {
    EXPECT_FALSE(model.losses().has_term(loss, states, model.data(), 0));
    for (int i = 1; i <= 3; ++i) EXPECT_TRUE(model.losses().has_term(loss, states, model.data(), i));
  }
}

TEST(ArticulatedLosses, OfInitialControlsTakeTheStart) {
  const auto character = shared_character("hopper6", BaseChart::planar);
  TrajectoryModel::Definition definition = above_a_floor(character, 2);
  add_loss(definition, "keep_control", "{control: knee, weight: 2}");
  const TrajectoryModel model(std::move(definition));
  TrajectoryStates states(*character, 2, character->rest());
  states.coordinates(2)[character->dof("knee")] += 0.3;
  states.update(-1, 2);
  double losses[2];
  model.losses().evaluate(states, model.data(), 1, 3, losses);
  EXPECT_EQ(losses[0], 0);
  EXPECT_NEAR(losses[1], 0.09, 1e-15);
}

TEST(ArticulatedLosses, KnowTheNamesOfBodiesAndControls) {
  const auto character = shared_character("hopper6", BaseChart::planar);
  const ArticulatedNames names(*character);
  const std::vector<std::string> bodies = names.names(HOLO_SUBJECT_BODY), controls = names.names(HOLO_SUBJECT_CONTROL);
  EXPECT_EQ(bodies.front(), "hopper6");
  EXPECT_EQ(bodies.size(), 5u);  // the character and the four degrees of freedom with mass
  EXPECT_EQ(controls, (std::vector<std::string>{"hip", "knee", "ankle"}));
  EXPECT_TRUE(names.names(HOLO_SUBJECT_MUSCLE).empty());
  EXPECT_TRUE(names.has(HOLO_OBSERVABLE_CENTER_OF_MASS, -2));
  EXPECT_TRUE(names.has(HOLO_OBSERVABLE_MOMENTUM, -1));
  EXPECT_FALSE(names.has(HOLO_OBSERVABLE_MOMENTUM, -2));
  EXPECT_FALSE(names.has(HOLO_OBSERVABLE_CONTROL_RATE, -2));
  EXPECT_FALSE(names.has(HOLO_OBSERVABLE_ELASTIC_ENERGY, 0));
  EXPECT_FALSE(names.has(HOLO_OBSERVABLE_POINT, 1));
}

// A plugin that asks for one observable; its value is x^2 + x z - 3/2 z^2 of the first and third number.
struct AskingPlugin {
  static void describe(const holo_loss_instance* instance, holo_loss_description* description) {
    *description = {};
    description->size = sizeof *description;
    description->observable_count = 1;
    description->observables = reinterpret_cast<const holo_observable*>(instance);
    description->plain_value_count = 1;
  }
  static void destroy(holo_loss_instance*) {}
  static int run(const holo_loss_instance*, std::uint32_t operation, const holo_loss_batch* batch, holo_error*) {
    const auto at = [](const double* numbers, int k, std::size_t lane) {
      return numbers[std::size_t(k) * HOLO_LANE_WIDTH + lane];
    };
    for (std::size_t lane = 0; lane < HOLO_LANE_WIDTH; ++lane) {
      const double x = at(batch->observables, 0, lane), z = at(batch->observables, 2, lane);
      const auto put = [&](int k, double number) { batch->output[std::size_t(k) * HOLO_LANE_WIDTH + lane] = number; };
      if (operation == HOLO_LOSS_VALUE) put(0, x * x + x * z - 1.5 * z * z);
      if (operation == HOLO_LOSS_GRADIENT)
        for (int k = 0; k < 3; ++k) put(k, k == 0 ? 2 * x + z : (k == 2 ? x - 3 * z : 0));
      if (operation == HOLO_LOSS_GAUSS_NEWTON)
        for (int k = 0; k < 6; ++k) put(k, k == 0 ? 2 : (k == 2 ? 1 : (k == 5 ? -3 : 0)));
    }
    return 0;
  }

  holo_loss table{};
  holo_observable observable;

  explicit AskingPlugin(const holo_observable& wanted) : observable(wanted) {
    table.name = "asking";
    table.describe = describe;
    table.destroy = destroy;
    table.run = run;
  }
  NamedLoss loss() {
    return {"asking.one", std::make_shared<const LossInstance>(std::make_shared<const LossPlugin>(nullptr, &table, ""),
                                                               reinterpret_cast<holo_loss_instance*>(&observable), "")};
  }
};

// The Hessian of plain values enters without its negative eigenvalues: the saddle-point systems need a semidefinite H.
TEST(ArticulatedLosses, OfPlainValuesEnterWithoutNegativeCurvature) {
  AskingPlugin plugin({HOLO_OBSERVABLE_CENTER_OF_MASS, 0, {0, 0, 0}, 0});
  TrajectoryModel::Definition definition = above_a_floor(shared_character("block2", BaseChart::fixed), 3);
  definition.start.coordinates = definition.before.coordinates = {0.3, 1};  // the center of mass
  definition.losses.push_back(plugin.loss());
  const TrajectoryModel model(std::move(definition));
  TrajectoryProblem problem(model, TrajectoryBasis::nodal(3));
  problem.set_loss_scale(2);
  const VectorXd x = problem.point();
  VectorXd gradient(6), constraints(6);
  EXPECT_NEAR(problem.evaluate(x, constraints), 3 * 2 * (0.09 + 0.3 - 1.5), 1e-14);
  problem.linearize(x, VectorXd::Zero(6), gradient);
  // The matrix (2 1; 1 -3) has the eigenvalues (-1 +- sqrt(29)) / 2, with the eigenvectors (1, l - 2).
  const double l = (-1 + std::sqrt(29)) / 2;
  const Eigen::Vector2d v = Eigen::Vector2d(1, l - 2).normalized();
  const Eigen::MatrixXd H = dense_hessian(problem);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT((gradient.segment(2 * i, 2) - 2 * Eigen::Vector2d(1.6, -2.7)).norm(), 1e-14);
    EXPECT_LT((H.block(2 * i, 2 * i, 2, 2) - 2 * l * v * v.transpose()).norm(), 1e-14);
  }
}

std::string refusal(const CharacterModel& model, holo_observable_kind kind, unsigned subject, int step) {
  AskingPlugin plugin({std::uint32_t(kind), subject, {0, 0, 0}, step});
  return holo::test::message([&] { ArticulatedObservables(model, 0.025).bind(plugin.loss()); });
}

TEST(ArticulatedLossesBadInput, NamesWhatCharactersLack) {
  const auto character = shared_character("hopper6", BaseChart::planar);
  EXPECT_EQ(refusal(*character, HOLO_OBSERVABLE_ELASTIC_ENERGY, 0, 0),
            "the loss asking.one asks for the elastic energy, which articulated characters do not have");
  EXPECT_EQ(refusal(*character, HOLO_OBSERVABLE_POINT, 0, 0),
            "the loss asking.one asks for the point of 'hopper6', which is the character as a whole; name one of its bodies");
  EXPECT_EQ(refusal(*character, HOLO_OBSERVABLE_POSE, 0, -1),
            "the loss asking.one asks for the pose of 'hopper6', which is the character as a whole; name one of its bodies");
  EXPECT_EQ(refusal(*character, HOLO_OBSERVABLE_MOMENTUM, 0, -2),
            "the loss asking.one asks for the momentum two steps before; characters have it at this step and one before");
  EXPECT_EQ(refusal(*character, HOLO_OBSERVABLE_CENTER_OF_MASS, 0, -2), "nothing was thrown");
  EXPECT_EQ(refusal(*character, HOLO_OBSERVABLE_POINT, 1, -2), "nothing was thrown");
}

TEST(ArticulatedLossesBadInput, NamesABodyWithoutMass) {
  CharacterBuilder builder("cart");
  const int slide = builder.add_slide("slide", -1, Eigen::Isometry3d::Identity(), Vector3d::UnitX());
  const int hinge = builder.add_hinge("hinge", slide, Eigen::Isometry3d::Identity(), Vector3d::UnitY());
  builder.add_mass(hinge, sphere_mass(0.1, 1000));
  builder.add_body("rail", slide, Eigen::Isometry3d::Identity());
  builder.add_body("ball", hinge, Eigen::Isometry3d::Identity());
  const CharacterModel model = builder.build();
  EXPECT_EQ(refusal(model, HOLO_OBSERVABLE_CENTER_OF_MASS, 1, 0),
            "the loss asking.one asks for the center of mass of 'rail', which has no mass");
  EXPECT_EQ(refusal(model, HOLO_OBSERVABLE_POINT, 1, 0), "nothing was thrown");
  EXPECT_EQ(refusal(model, HOLO_OBSERVABLE_CENTER_OF_MASS, 2, 0), "nothing was thrown");
}

// Through the configuration: the observable is refused where the loss is read.
TEST(ArticulatedLossesBadInput, OfOtherSimulationsAreRefusedWhileTheyAreRead) {
  TrajectoryModel::Definition definition = above_a_floor(shared_character("hopper6", BaseChart::planar), 2);
  const std::string message =
      holo::test::message([&] { add_loss(definition, "elastic_energy", "{body: hopper6, weight: 1}"); });
  EXPECT_NE(message.find("elastic energy"), std::string::npos) << message;
  EXPECT_NE(message.find("an articulated character"), std::string::npos) << message;
}

}  // namespace holo::articulated::articulated_losses_tests
