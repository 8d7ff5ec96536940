// Losses of elastic bodies at one time step: derivatives against differences, terms over earlier steps, refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "holo/sim/control/step_loss.h"
#include "observed_bodies.h"

namespace holo {
namespace body_losses_tests {

using test::Bodies;
using test::disturbed;
using Losses = test::BodyLosses;

struct LossCase {
  const char *name, *type, *yaml;
};
const LossCase loss_cases[] = {
    {"CenterOfMassVelocity", "center_of_mass_velocity", "{body: arm, target: [1, 0, 0], weight: [2, 3, 4]}"},
    {"ElasticEnergy", "elastic_energy", "{body: [arm, ball], weight: 0.01}"},
    {"ElasticEnergyOfElements", "elastic_energy", "{body: arm.core, weight: 0.03}"},
    {"TrackPositionOfSubset", "track_position", "{body: arm.tip, target: [0, 0, 0.3], weight: 50}"},
    {"TrackPosition", "track_position", "{body: arm, point: [0.02, 0.03, 0.1], target: [0.1, 0, 0], weight: 70}"},
    {"TrackCenterOfMass", "track_center_of_mass", "{body: arm.core, target: [0.1, 0, 0], scale: 0.1}"},
    {"RelativePosition", "track_relative_position", "{body: arm.tip, relative_to: ball, target: [1, 0, 0]}"},
    {"RelativeVelocity", "track_relative_velocity", "{body: arm.tip, relative_to: ball, target: [1, 0, 0]}"},
    {"Acceleration", "track_acceleration", "{body: arm, target: [0, 0, -9.81]}"},
    {"LinearMomentumRate", "track_linear_momentum_rate", "{body: arm, target: [0, 0, 10], scale: 30}"},
    {"AngularMomentumRate", "track_angular_momentum_rate", "{body: arm, target: [0, 2, 1], scale: 3}"},
    {"AngularMomentumRateAboutPoint", "track_angular_momentum_rate",
     "{body: ball, about: point, point: [0.5, 1, 0], target: [0, 0, 1], scale: 3}"},
    {"AngularMomentum", "track_angular_momentum", "{body: arm, target: [0, 2, 1], scale: 3}"},
    {"LandingPlace", "track_landing_place", "{body: arm, target: [1, 0, 0], weight: [2, 3, 0], height: -0.3}"},
    {"LandingPlaceFromBelow", "track_landing_place", "{body: arm, target: [1, 0, 0], height: 9}"},
    {"MomentOfInertiaRate", "track_moment_of_inertia_rate", "{body: arm, axis: [1, 2, 3], target: 0.5, scale: 0.2}"},
    {"ElasticEnergyRate", "track_elastic_energy_rate", "{body: arm, target: 100, scale: 1000}"},
    {"AreaRate", "track_area_rate", "{body: arm.sole, target: 0.1, scale: 0.05}"},
    {"Direction", "track_direction", "{from: arm.sole, to: arm.tip, target: [1, 0, 0]}"},
    {"Axis", "track_axis", "{body: arm, point: [0.1, 0.1, 0.05], axis: [0, 1, 2], length: 0.2, target: [1, 0, 0]}"},
    {"Normal", "track_normal", "{first: arm.sole, second: arm.tip, third: ball, target: [1, 0, 0]}"},
    {"Shape", "keep_shape", "{body: arm, orientation: [0.8, 0, 0.6, 0]}"},
    {"ActivationEnergy", "activation_energy", "{muscle: all, weight: 0.1}"},
    {"ActivationChange", "activation_change", "{muscle: arm.muscle1, weight: 0.2}"},
    {"ActivationRate", "activation_rate", "{muscle: arm, limit: 1}"},
    {"ActivationRateSquared", "activation_rate", "{muscle: arm.muscle2, limit: 1, excess: squared}"},
    {"ActivationBounds", "activation_bounds", "{muscle: arm, limit: 1}"},
    {"ContractileBounds", "activation_bounds", "{muscle: arm, limit: 1, contractile_only: true}"},
};

class EachLoss : public testing::TestWithParam<LossCase> {};

TEST_P(EachLoss, DerivativesOverThreeStepsAreThoseOfDifferences) {
  Losses losses;
  losses.add(GetParam().type, GetParam().yaml);
  const Eigen::VectorXd x = losses.unknowns(), d = losses.direction(11);
  constexpr double h = 1e-6;
  const Eigen::VectorXd gradient = losses.gradient();
  Eigen::VectorXd product = Eigen::VectorXd::Zero(x.size());
  losses.sum.add_hessian_product(losses.steps(), losses.data, false, 5, d, product);
  losses.set(x + h * d);
  const double up = losses.value();
  const Eigen::VectorXd slope_up = losses.gradient();
  losses.set(x - h * d);
  const double slope = (up - losses.value()) / (2 * h);
  EXPECT_NEAR(gradient.dot(d), slope, 1e-7 * std::abs(slope));
  EXPECT_GT(std::abs(slope), 1e-6) << "nothing was tested";
  const Eigen::VectorXd curvature = (slope_up - losses.gradient()) / (2 * h);
  EXPECT_LT((product - curvature).norm(), 1e-6 * curvature.norm());
}

INSTANTIATE_TEST_SUITE_P(Elastic, EachLoss, testing::ValuesIn(loss_cases),
                         [](const auto& tested) { return std::string(tested.param.name); });

// The same losses as a function of the positions at a step's end alone, whose velocities are (x - x_n)/dt.
TEST(ObservedStepLoss, HasTheDerivativesOfDifferences) {
  Losses losses;
  losses.add("center_of_mass_velocity", "{body: arm, target: [1, 0, 0], weight: [2, 3, 4]}");
  losses.add("elastic_energy", "{body: [arm, ball], weight: 0.01}");
  losses.add("track_position", "{body: arm.tip, target: [0, 0, 0.3], weight: 50}");
  ObservedStepLoss loss(std::make_shared<const LossSum<ElasticObservables>>(losses.sum), losses.data);
  loss.begin(losses.states[1], &losses.states[2]);
  const Eigen::VectorXd x = losses.states[0].positions;
  losses.states[0].velocities = (x - losses.states[1].positions) / Bodies::time_step;
  EXPECT_NEAR(loss.value(x), losses.value(), 1e-13 * losses.value());
  const Eigen::VectorXd d = disturbed(Eigen::VectorXd::Zero(x.size()), 1, 12);
  const auto gradient = [&](const Eigen::VectorXd& at) {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(at.size());
    loss.add_gradient(at, result);
    return result;
  };
  constexpr double h = 1e-6;
  const double slope = (loss.value(x + h * d) - loss.value(x - h * d)) / (2 * h);
  EXPECT_NEAR(gradient(x).dot(d), slope, 1e-7 * std::abs(slope));
  Eigen::MatrixXd product = Eigen::MatrixXd::Zero(x.size(), 1);
  loss.add_hessian_products(x, d, false, product);
  const Eigen::VectorXd curvature = (gradient(x + h * d) - gradient(x - h * d)) / (2 * h);
  EXPECT_LT((product - curvature).norm(), 1e-6 * curvature.norm());
}

// By BDF2 the velocities at the end are (3 x - 4 x_n + x_{n-1})/(2 dt), in the first step those of implicit Euler.
TEST(ObservedStepLoss, SeesTheVelocitiesOfTheScheme) {
  Losses losses;
  losses.add("track_linear_momentum_rate", "{body: arm, target: [1, 0, 0], weight: [2, 3, 4], scale: 10}");
  ObservedStepLoss loss(std::make_shared<const LossSum<ElasticObservables>>(losses.sum), losses.data, IntegrationScheme::bdf2);
  const Eigen::VectorXd x = losses.states[0].positions;
  ElasticState start = losses.states[1];
  loss.begin(start, &losses.states[2]);
  losses.states[0].velocities = (x - start.positions) / Bodies::time_step;
  const double of_first_step = losses.value();
  EXPECT_NEAR(loss.value(x), of_first_step, 1e-13 * of_first_step);
  start.previous_positions = losses.states[2].positions;
  start.previous_velocities = losses.states[2].velocities;
  loss.begin(start, &losses.states[2]);
  losses.states[0].velocities = (3 * x - 4 * start.positions + start.previous_positions) / (2 * Bodies::time_step);
  EXPECT_NEAR(loss.value(x), losses.value(), 1e-12 * losses.value());
  EXPECT_GT(std::abs(losses.value() - of_first_step), 1e-3 * of_first_step);
}

// The Gauss-Newton model leaves out what curved observables add: nothing, where all observables are linear.
TEST(ElasticLosses, GaussNewtonIsExactForLinearObservables) {
  Losses losses;
  losses.add("track_position", "{body: arm.tip, target: [0, 0, 0.3]}");
  const Eigen::VectorXd d = losses.direction(12);
  Eigen::VectorXd exact = Eigen::VectorXd::Zero(d.size()), model = exact;
  losses.sum.add_hessian_product(losses.steps(), losses.data, false, 5, d, exact);
  losses.sum.add_hessian_product(losses.steps(), losses.data, true, 5, d, model);
  EXPECT_LT((exact - model).norm(), 1e-14 * exact.norm());
  EXPECT_GT(exact.norm(), 0);
}

TEST(ElasticLosses, ALossThatLooksBackHasNoTermBeforeThereIsAnEarlierStep) {
  Losses losses;
  losses.add("center_of_mass_velocity", "{body: arm, target: [1, 0, 0]}");
  const ElasticSteps first{{&losses.states[0], nullptr, nullptr}};
  EXPECT_FALSE(losses.sum.has_term(0, first, losses.data, 5));
  EXPECT_TRUE(losses.sum.has_term(0, losses.steps(), losses.data, 5));
  EXPECT_TRUE(std::isnan(losses.sum.measures(0, first, losses.data, 5, 6)(0, 0)));
}

// (c_5 - c_4) / dt - target, by hand.
TEST(ElasticLosses, VelocityOfTheCenterOfMassIsOverTheLastStep) {
  Losses losses;
  losses.add("center_of_mass_velocity", "{body: ball, target: [1, 0, 0]}");
  const ElasticBody& ball = losses.model->bodies()[1];
  Eigen::Vector3d moved = Eigen::Vector3d::Zero();
  double mass = 0;
  for (int v = ball.first_vertex; v < ball.first_vertex + ball.vertex_count; ++v) {
    const double m = losses.model->masses()[std::size_t(v)];
    moved += m * (losses.states[0].positions - losses.states[1].positions).segment<3>(3 * v);
    mass += m;
  }
  const Eigen::Vector3d gap = moved / mass / 0.125 - Eigen::Vector3d(1, 0, 0);
  EXPECT_NEAR(losses.value(), gap.squaredNorm() / 2, 1e-12);
  EXPECT_NEAR(losses.sum.measures(0, losses.steps(), losses.data, 5, 6)(0, 0), gap.norm(), 1e-12);
}

TEST(ElasticLossesBadInput, NamesKindsAndPlaces) {
  Losses losses;
  const auto message = [&](const std::string& type, const std::string& yaml) -> std::string {
    try {
      losses.add(type, yaml);
    } catch (const Error& error) {
      return error.what();
    }
    return "not refused";
  };
  EXPECT_NE(message("track_position", "{body: arm.top, target: [0, 0, 0]}")
                .find("no body 'arm.top'. Did you mean 'arm.tip'? There are: arm, ball, arm.tip"),
            std::string::npos);
  EXPECT_NE(
      message("track_orientation", "{body: arm, target: [1, 0, 0, 0]}")
          .find("the loss 'track_orientation' observes the pose, which a scene of elastic bodies does not have. It has: point, "
                "center of mass, momentum, angular momentum, elastic energy"),
      std::string::npos);
  EXPECT_NE(message("keep_control", "{control: hip}").find("no control 'hip'. There are: none"), std::string::npos);
  EXPECT_EQ(message("elastic_energy", "{body: arm.tip}"),
            "the loss elastic_energy observes the elastic energy of 'arm.tip', a subset without elements; only a body, such as "
            "'arm', "
            "and a subset `of: elements` have one");
}

}  // namespace body_losses_tests
}  // namespace holo
