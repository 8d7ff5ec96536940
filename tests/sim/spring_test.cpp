// A spring from the center of a subset to a point: forces, derivatives, an equilibrium in closed form, and what is refused.
#include <gtest/gtest.h>

#include "algebra/symmetric.h"
#include "dynamics/loads/load_types.h"
#include "holo/core/error.h"
#include "holo/opt/newton.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "term_checks.h"

namespace holo::test {
namespace {

LoadDefinition spring_of(const std::string& yaml) {
  ConfigurationFile file = ConfigurationFile::parse(yaml, "spring.yaml");
  Configuration root = file.root();
  LoadDefinition load = read_load(root, {});
  file.finish();
  return load;
}

// A cube of 1 m, 1000 kg and a stiff material, without handles.
ElasticSceneDefinition cube_with(const std::string& yaml, double youngs_modulus = 1e9) {
  ElasticSceneDefinition definition;
  definition.bodies = {hand_body(HandEnergy::log, box_source({1, 1, 1}, 40), youngs_modulus, 0.0)};
  definition.bodies[0].loads = {spring_of(yaml)};
  return definition;
}

struct SpringOnCube {
  ElasticScene elastic;
  std::unique_ptr<PotentialTerm> term;
  TermPoint at;

  explicit SpringOnCube(const std::string& yaml)
      : elastic(cube_with(yaml)), term(std::move(implicit_euler_terms(elastic).back())) {
    at.start_positions = at.lagged_at = elastic.model->start_positions();
    at.start_velocities = elastic.model->start_velocities();
    at.x = disturbed(at.start_positions, 0.1);
    at.parameters = term->parameters();
    at.apply(*term, 0.01);
  }
};

constexpr const char* stretched =
    "{type: spring, stiffness: 50, rest_length: 0.5, point: [3, 1, 0], on: {half_space: {point: [0.9, 0, 0], normal: [1, 0, "
    "0]}}}";
constexpr const char* compressed =
    "{type: spring, stiffness: 50, rest_length: 4, point: [3, 1, 0], on: {half_space: {point: [0.9, 0, 0], normal: [1, 0, "
    "0]}}}";

class SpringOf : public testing::TestWithParam<const char*> {};

TEST_P(SpringOf, DerivativesAreThoseOfTheEnergy) {
  SpringOnCube cube(GetParam());
  const Eigen::VectorXd& x = cube.at.x;
  const Eigen::VectorXd gradient = gradient_of(*cube.term, x), d = random_columns(x.size(), 1, 3);
  ASSERT_GT(gradient.norm(), 1);
  const double slope = difference([&](double t) { return cube.term->energy(x + t * d); }, 1e-2);
  EXPECT_NEAR(gradient.dot(d), slope, 1e-11 * gradient.norm() * d.norm());
  const Eigen::VectorXd change = difference([&](double t) { return gradient_of(*cube.term, x + t * d); }, 1e-2);
  const Eigen::MatrixXd exact = hessian_of(*cube.term, *cube.elastic.model, x, Curvature::exact),
                        projected = hessian_of(*cube.term, *cube.elastic.model, x, Curvature::projected);
  EXPECT_LT((exact * d - change).norm(), 1e-11 * change.norm());
  EXPECT_GT(symmetric_eigenvalues(projected)[0], -1e-13 * projected.norm());
  EXPECT_EQ((projected - exact).norm() > 0.1 * exact.norm(), GetParam() == compressed);
  for (int k = 0; k < 2; ++k) {
    const Eigen::VectorXd column = difference(
        [&](double t) {
          cube.term->set_parameters(cube.at.parameters + t * Eigen::Vector2d::Unit(k));
          return gradient_of(*cube.term, x);
        },
        0.1);
    EXPECT_LT((parameter_gradient_of(*cube.term, x).col(k) - column).norm(), 1e-11 * column.norm());
  }
  EXPECT_LT(adjoint_hessian_error(*cube.term, *cube.elastic.model, cube.at, 0.01, 1e-3), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Springs, SpringOf, testing::Values(stretched, compressed),
                         [](const auto& spring) { return spring.param == stretched ? "Stretched" : "Compressed"; });

// The cube hangs from a spring at the center of its top. In one step of 10 s from rest at z_n, inertia pulls back with the
// stiffness c = m/dt^2, so that the top is at z where k (l - L) = m g + c (z - z_n) and l = 2 - z. The cube is stiff.
TEST(Spring, CarriesTheWeightOfACube) {
  ElasticSceneDefinition definition = cube_with(
      "{type: spring, stiffness: 2.0e+4, rest_length: 0.25, point: [0.5, 0.5, 2], on: {half_space: {point: [0, 0, 0.99], "
      "normal: [0, 0, 1]}}}",
      1e7);
  definition.time_step = 10;
  const ElasticScene elastic(definition);
  ElasticState state = initial_state(*elastic.model);
  state.positions += Eigen::Vector3d(0, 0, -0.2).replicate(elastic.model->vertex_count(), 1);
  IncrementalPotential potential(elastic.model, implicit_euler_terms(elastic));
  potential.begin_step(elastic.step_from(state), elastic.schedule);
  Eigen::VectorXd x = state.positions;
  NewtonWorkspace workspace;
  const NewtonResult result = minimize(potential, x, {.tolerance = 1e-8}, workspace);
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
  Eigen::Vector3d top = Eigen::Vector3d::Zero();
  int count = 0;
  for (int v = 0; v < elastic.model->vertex_count(); ++v)
    if (elastic.model->start_positions()[3 * v + 2] > 0.99) top += x.segment<3>(3 * v), ++count;
  top /= count;
  const double stiffness = 2e4, inertia = 1000 / (10.0 * 10.0),
               length = (stiffness * 0.25 + 1000 * 9.81 + inertia * (2 - 0.8)) / (stiffness + inertia);
  EXPECT_NEAR(top[2], 2 - length, 1e-4 * length);
  EXPECT_NEAR(top[0], 0.5, 1e-3);
  EXPECT_NEAR(top[1], 0.5, 1e-3);
}

TEST(SpringBadInput, WhatCannotBeMeantIsRefused) {
  const auto refusal = [](const std::string& yaml) -> std::string {
    try {
      const ElasticScene elastic(cube_with(yaml));
      implicit_euler_terms(elastic);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto refused = [&](const std::string& yaml, const std::string& part) {
    EXPECT_NE(refusal(yaml).find(part), std::string::npos) << refusal(yaml);
  };
  EXPECT_EQ(refusal(stretched), "");
  refused("{type: spring, stiffness: 0, point: [0, 0, 0], on: {all: true}}", "stiffness");
  refused("{type: spring, stiffness: 3, rest_length: -1, point: [0, 0, 0], on: {all: true}}", "rest_length");
  refused("{type: spring, stiffness: 3, on: {all: true}}", "point");
  refused("{type: spring, stiffness: 3, point: [0, 0, 0], on: {sphere: {center: [9, 9, 9], radius: 1}}}",
          "holds no vertex of body 'body'");
}

}  // namespace
}  // namespace holo::test
