// Losses of the activations of muscles: names of segments, values, and derivatives of a time step's loss in positions and
// activations together.
#include <gtest/gtest.h>

#include <cmath>

#include "holo/sim/control/step_loss.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "observed_bodies.h"

namespace holo {
namespace activation_losses_tests {

using test::Bodies;
using test::disturbed;
using Losses = test::BodyLosses;

// mu of the arm's material: E/(2 (1 + nu)).
constexpr double shear_modulus = 1e5 / 2.8;

std::vector<std::string> names_of(const std::vector<SimulationNames::Group>& groups) {
  std::vector<std::string> names;
  for (const SimulationNames::Group& group : groups) names.push_back(group.name);
  return names;
}

TEST(ActivationLosses, AreOfSegmentsWhichMusclesAndBodiesGroup) {
  const Losses losses;
  const ElasticNames names = losses.names();
  const std::vector<std::string> segments = {"arm.muscle1.1", "arm.muscle1.2", "arm.muscle2.1"};
  EXPECT_EQ(names.names(HOLO_SUBJECT_MUSCLE), segments);
  EXPECT_EQ(names_of(names.groups(HOLO_SUBJECT_MUSCLE)), (std::vector<std::string>{"arm", "arm.muscle1", "arm.muscle2"}));
  EXPECT_TRUE(names.groups(HOLO_SUBJECT_BODY).empty());
}

// Fibers that one definition makes are a group, too, and names from a definition are those from the model.
TEST(ActivationLosses, NamesOfADefinitionAreThoseOfItsModel) {
  ElasticSceneDefinition scene;
  scene.bodies = {test::hand_body(test::HandEnergy::stable, test::box_source({0.2, 0.3, 0.4}, 24))};
  MusclesDefinition muscles = *test::line_muscles(MuscleLaw::fiber, 0.2, {{{0.1, 0.1, 0.02}, {0.1, 0.1, 0.38}}}, {0});
  muscles.list[0].name = "belly";
  muscles.list[0].curves.numbered = true;
  muscles.list[0].curves.fibers.push_back({{0.1, 0.2, 0.02}, {0.1, 0.2, 0.2}, {0.1, 0.2, 0.38}});
  scene.bodies[0].muscles = std::make_shared<const MusclesDefinition>(muscles);
  const ElasticNames defined(scene);
  const ElasticObservables observables(test::build(scene));
  const ElasticNames built(observables.subjects(), observables.segments());
  EXPECT_EQ(defined.names(HOLO_SUBJECT_MUSCLE), built.names(HOLO_SUBJECT_MUSCLE));
  const auto groups = defined.groups(HOLO_SUBJECT_MUSCLE);
  ASSERT_EQ(names_of(groups), (std::vector<std::string>{"body", "body.belly", "body.belly_1", "body.belly_2"}));
  EXPECT_EQ(groups[1].members, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(groups[3].members, (std::vector<int>{1, 2}));
}

// The potential's parameters are the activations in the same order, also where the first body's muscles have no energy.
TEST(ActivationLosses, OrderIsThatOfThePotential) {
  ElasticSceneDefinition scene;
  const std::vector<Polyline> lines = {{{0.1, 0.1, 0.02}, {0.1, 0.1, 0.2}, {0.1, 0.1, 0.38}},
                                       {{0.1, 0.2, 0.1}, {0.1, 0.2, 0.3}}};
  for (const MuscleLaw law : {MuscleLaw::paper, MuscleLaw::fiber, MuscleLaw::paper}) {
    scene.bodies.push_back(test::hand_body(test::HandEnergy::stable, test::box_source({0.2, 0.3, 0.4}, 24)));
    const double number = 1000.0 * double(scene.bodies.size());
    scene.bodies.back().name = "body" + std::to_string(scene.bodies.size());
    scene.bodies.back().muscles = test::line_muscles(law, 0.2, lines, {number + 1, number + 2});
  }
  const ElasticScene built(scene);
  const ElasticObservables observables(built.model);
  IncrementalPotential potential(built.model, static_terms(built));
  const ParameterRange range = potential.activations();
  const Eigen::VectorXd activations = potential.parameters().segment(range.first, range.count);
  EXPECT_EQ(observables.prescribed_activations(0), activations);
  const auto of_segment = [&](const std::string& name) {
    for (const ElasticSubject& segment : observables.segments())
      if (segment.name == name) return activations[segment.activation];
    return std::nan("");
  };
  EXPECT_EQ(of_segment("body1.muscle1.2"), 1001);
  EXPECT_EQ(of_segment("body2.muscle2.1"), 2002);
  EXPECT_EQ(of_segment("body3.muscle1.1"), 3001);
}

// In multiples of the shear modulus.
TEST(ActivationLosses, EnergyAndChange) {
  Losses energy, change;
  energy.add("activation_energy", "{muscle: all, weight: 3}");
  change.add("activation_change", "{muscle: arm.muscle1, weight: 3}");
  ASSERT_EQ(energy.sum.size(), 3u);
  ASSERT_EQ(change.sum.size(), 2u);
  const Eigen::VectorXd now = energy.activations[0] / shear_modulus, before = energy.activations[1] / shear_modulus;
  EXPECT_NEAR(energy.value(), 1.5 * now.squaredNorm(), 1e-12 * now.squaredNorm());
  EXPECT_NEAR(change.value(), 1.5 * (now - before).head<2>().squaredNorm(), 1e-12 * now.squaredNorm());
}

// Nothing up to the limit; twice and eight times as much beyond it at twice the excess, by its square or cube.
TEST(ActivationLosses, RateCountsBeyondItsLimit) {
  Losses squared, cubed;
  squared.add("activation_rate", "{muscle: arm.muscle2, limit: 4, excess: squared, weight: 2}");
  cubed.add("activation_rate", "{muscle: arm.muscle2, limit: 4, weight: 2}");
  const auto value = [](Losses& losses, double rate) {
    losses.activations[1].setConstant(shear_modulus);
    losses.activations[0].setConstant(shear_modulus * (1 + rate * losses.time_step));
    return losses.value();
  };
  for (Losses* losses : {&squared, &cubed}) {
    EXPECT_EQ(value(*losses, 3.99), 0);
    EXPECT_NEAR(value(*losses, 3), 0, 1e-15);
    EXPECT_NEAR(losses->measure(), 3, 1e-12);
  }
  EXPECT_NEAR(value(squared, 6), 0.25, 1e-12);
  EXPECT_NEAR(value(squared, -8), 1, 1e-12);
  EXPECT_NEAR(value(cubed, -6), 0.125, 1e-12);
  EXPECT_NEAR(value(cubed, 8), 1, 1e-12);
}

// Value, slope and curvature are continuous at 0.9 and 1 of the limit; beyond it the curvature is constant.
TEST(ActivationLosses, BoundsAreTwiceContinuouslyDifferentiable) {
  Losses losses;
  losses.add("activation_bounds", "{muscle: arm.muscle2, limit: 2, weight: 2}");
  const auto value = [&](double activation) {
    losses.activations[0].setConstant(activation * shear_modulus);
    return losses.value();
  };
  const auto curvature = [&](double activation) {
    constexpr double h = 1e-4;
    return (value(activation + h) - 2 * value(activation) + value(activation - h)) / (h * h);
  };
  EXPECT_EQ(value(1.79), 0);
  EXPECT_EQ(value(-1.79), 0);
  EXPECT_NEAR(value(2), 1, 1e-12);
  EXPECT_NEAR(value(-2), 1, 1e-12);
  EXPECT_NEAR(value(1.9), 0.125, 1e-12);
  EXPECT_NEAR(curvature(1.8), 0, 1e-1);
  EXPECT_NEAR(curvature(2), 6 / 0.04, 1e-1);
  for (const double beyond : {2.2, 5.0, -7.0}) EXPECT_NEAR(curvature(beyond), 6 / 0.04, 1e-2) << beyond;
  Losses contractile;
  contractile.add("activation_bounds", "{muscle: arm.muscle2, limit: 2, contractile_only: true, weight: 2}");
  contractile.activations[0].setConstant(-0.2 * shear_modulus);
  EXPECT_NEAR(contractile.value(), 1, 1e-12);
  contractile.activations[0].setConstant(2 * shear_modulus);
  EXPECT_NEAR(contractile.value(), 1, 1e-12);
}

TEST(ActivationLosses, HaveNoTermWhereActivationsAreNotKnown) {
  Losses losses;
  losses.add("activation_change", "{muscle: arm.muscle2}");
  losses.add("track_center_of_mass", "{body: arm, target: [0, 0, 0]}");
  ElasticSteps steps = losses.steps();
  EXPECT_TRUE(losses.sum.has_term(0, steps, losses.data, 5));
  steps.activations[1] = nullptr;
  EXPECT_FALSE(losses.sum.has_term(0, steps, losses.data, 5));
  EXPECT_TRUE(losses.sum.has_term(1, steps, losses.data, 5));
}

// The loss of a time step in the positions at its end and the activations: gradient and products in both, which are 0 across.
TEST(ActivationLosses, JointDerivativesOfAStepsLossAreThoseOfDifferences) {
  Losses losses;
  losses.add("center_of_mass_velocity", "{body: arm, target: [1, 0, 0], weight: [2, 3, 4]}");
  losses.add("activation_energy", "{muscle: all, weight: 0.1}");
  losses.add("activation_rate", "{muscle: all, limit: 1}");
  ObservedStepLoss loss(std::make_shared<const LossSum<ElasticObservables>>(losses.sum), losses.data);
  loss.begin(losses.states[1], &losses.states[2], losses.activations[1], losses.activations[2]);
  const Eigen::VectorXd x = losses.states[0].positions, a = losses.activations[0];
  const Eigen::VectorXd dx = disturbed(Eigen::VectorXd::Zero(x.size()), 1, 12),
                        da = disturbed(Eigen::VectorXd::Zero(3), 1e4, 13);
  losses.states[0].velocities = (x - losses.states[1].positions) / Bodies::time_step;
  loss.set_activations(a);
  EXPECT_NEAR(loss.value(x), losses.value(), 1e-13 * losses.value());
  const auto value = [&](double t) {
    loss.set_activations(a + t * da);
    return loss.value(x + t * dx);
  };
  const auto gradient = [&](double t) {
    Eigen::VectorXd of_x = Eigen::VectorXd::Zero(x.size()), of_a = Eigen::VectorXd::Zero(3), both(x.size() + 3);
    loss.set_activations(a + t * da);
    loss.add_gradient(x + t * dx, of_x);
    loss.add_activation_gradient(x + t * dx, of_a);
    both << of_x, of_a;
    return both;
  };
  Eigen::VectorXd d(x.size() + 3);
  d << dx, da;
  constexpr double h = 1e-6;
  const double slope = (value(h) - value(-h)) / (2 * h);
  EXPECT_NEAR(gradient(0).dot(d), slope, 1e-7 * std::abs(slope));
  EXPECT_GT(std::abs(gradient(0).tail(3).dot(da)), 1e-3 * std::abs(slope)) << "nothing was tested of the activations";
  StepColumns products{Eigen::MatrixXd::Zero(x.size(), 1), Eigen::MatrixXd::Zero(3, 1)};
  loss.set_activations(a);
  loss.add_joint_hessian_products(x, {dx, da}, false, products);
  const Eigen::VectorXd change = (gradient(h) - gradient(-h)) / (2 * h);
  EXPECT_LT((products.positions.col(0) - change.head(x.size())).norm(), 1e-6 * change.head(x.size()).norm());
  EXPECT_LT((products.activations.col(0) - change.tail(3)).norm(), 1e-6 * change.tail(3).norm());
}

TEST(ActivationLossesBadInput, UnknownMusclesAreNamedBesideThoseThere) {
  Losses losses;
  const auto message = [&](const std::string& yaml) -> std::string {
    try {
      losses.add("activation_energy", yaml);
    } catch (const Error& error) {
      return error.what();
    }
    return "not refused";
  };
  const std::string unknown = message("{muscle: arm.muscle3}");
  EXPECT_NE(unknown.find("no muscle 'arm.muscle3'. Did you mean 'arm.muscle1'?"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("There are: arm, arm.muscle1, arm.muscle2, arm.muscle1.1, arm.muscle1.2, arm.muscle2.1"),
            std::string::npos)
      << unknown;
  const std::string twice = message("{muscle: [arm.muscle1, arm.muscle1.2]}");
  EXPECT_NE(twice.find("'arm.muscle1.2' stands twice in the list"), std::string::npos) << twice;
}

}  // namespace activation_losses_tests
}  // namespace holo
