#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "holo/sim/dynamics/incremental_potential.h"
#include "holo/sim/elastic/element_fields.h"
#include "scenes.h"

namespace holo::test {
namespace {

double smallest_ratio(const ElasticModel& model, const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
  AlignedArray F0, F1;
  deformation_gradients(model, from, F0);
  deformation_gradients(model, to, F1);
  double smallest = std::numeric_limits<double>::infinity();
  auto determinant = [](const AlignedArray& F, std::size_t packed) {
    Eigen::Matrix3d m;
    for (std::size_t i = 0; i < 9; ++i)
      m(static_cast<int>(i / 3), static_cast<int>(i % 3)) =
          F[(packed / ElasticModel::lanes * 9 + i) * ElasticModel::lanes + packed % ElasticModel::lanes];
    return m.determinant();
  };
  for (std::size_t packed = 0; packed < model.packed_elements().size(); ++packed)
    smallest = std::min(smallest, determinant(F1, packed) / determinant(F0, packed));
  return smallest;
}

struct Body {
  ElasticScene elastic;
  std::shared_ptr<const ElasticModel> model = elastic.model;
  IncrementalPotential potential{model, implicit_euler_terms(elastic)};
  explicit Body(HandEnergy energy, int elements)
      : elastic([&] {
          ElasticSceneDefinition definition;
          definition.bodies = {hand_body(energy, box_source({1, 1, 1}, elements))};
          return definition;
        }()) {}
};

// All of the bodies' material, but for an interval of determinants.
std::shared_ptr<const holo_material> between(const holo_material& material, double minimum, double maximum) {
  auto result = std::make_shared<holo_material>(material);
  result->domain = HOLO_DOMAIN_DETERMINANT_INTERVAL;
  result->determinant_minimum = minimum;
  result->determinant_maximum = maximum;
  return result;
}

double determinant_of_element(const ElasticModel& model, const Eigen::VectorXd& x, std::size_t packed) {
  AlignedArray F;
  deformation_gradients(model, x, F);
  Eigen::Matrix3d m;
  for (std::size_t i = 0; i < 9; ++i)
    m(static_cast<int>(i / 3), static_cast<int>(i % 3)) =
        F[(packed / ElasticModel::lanes * 9 + i) * ElasticModel::lanes + packed % ElasticModel::lanes];
  return m.determinant();
}

TEST(FeasibleStep, KeepsATenthOfTheDistanceFromEitherEndOfAnInterval) {
  ElasticSceneDefinition definition;
  definition.bodies = {hand_body(HandEnergy::log, box_source({1, 1, 1}, 6))};
  definition.bodies[0].material = between(*definition.bodies[0].material, 0.5, 1.5);
  const ElasticScene elastic(definition);
  const auto& model = elastic.model;
  IncrementalPotential potential(model, implicit_euler_terms(elastic));
  const Eigen::VectorXd& x = model->start_positions();
  for (const double sign : {-1.0, 1.0}) {  // shrinks or grows the whole body: det F = (1 + sign t)^3
    const double step = potential.feasible_step(x, sign * x);
    EXPECT_NEAR(1 + sign * 0.45, determinant_of_element(*model, x + step * sign * x, 0), 1e-12);
  }
}

// A body whose energy is finite for every F shrinks to a point and beyond: det F = (1 - 2 t)^3.
TEST(FeasibleStep, KeepsElementsOfAnyMaterialFromInversionWhereAsked) {
  Body body(HandEnergy::stable, 6);
  const Eigen::VectorXd& x = body.model->start_positions();
  EXPECT_EQ(body.potential.feasible_step(x, -2 * x), 1);
  body.potential.prevent_inversion(true);
  const double step = body.potential.feasible_step(x, -2 * x);
  EXPECT_NEAR(determinant_of_element(*body.model, x - step * 2 * x, 0), 0.1, 1e-12);
  body.potential.prevent_inversion(false);
  EXPECT_EQ(body.potential.feasible_step(x, -2 * x), 1);
}

TEST(FeasibleStep, LeavesATenthOfTheDeterminantAndNoLess) {
  Body body(HandEnergy::log, 60);
  int limited = 0;
  for (std::size_t seed = 0; seed < 50; ++seed) {
    const Eigen::VectorXd x = disturbed(body.model->start_positions(), 0.03, seed);
    const Eigen::VectorXd direction =
        disturbed(Eigen::VectorXd::Zero(x.size()), 0.02 * static_cast<double>(1 + seed * seed), seed + 100);
    const double step = body.potential.feasible_step(x, direction);
    ASSERT_GT(step, 0);
    ASSERT_LE(step, 1);
    const double ratio = smallest_ratio(*body.model, x, x + step * direction);
    if (step < 1) {
      EXPECT_NEAR(ratio, 0.1, 1e-9) << seed;
      ++limited;
    } else {
      EXPECT_GE(ratio, 0.1 - 1e-9);
    }
    for (int i = 1; i < 40; ++i)  // no earlier crossing
      EXPECT_GE(smallest_ratio(*body.model, x, x + step * i / 40 * direction), 0.1 - 1e-9) << seed;
  }
  EXPECT_GT(limited, 20);
  EXPECT_LT(limited, 50);
}

TEST(FeasibleStep, CollapseToAPlaneAPointAndThroughItself) {
  Body body(HandEnergy::log, 60);
  const Eigen::VectorXd x = body.model->start_positions();
  Eigen::VectorXd plane = Eigen::VectorXd::Zero(x.size());
  for (Eigen::Index i = 0; i < x.size(); i += 3) plane[i] = -x[i];
  EXPECT_NEAR(body.potential.feasible_step(x, plane), 0.9, 1e-12);
  EXPECT_NEAR(body.potential.feasible_step(x, 2 * plane), 0.45, 1e-12);
  EXPECT_NEAR(body.potential.feasible_step(x, -x), 1 - std::cbrt(0.1), 1e-12);
  EXPECT_NEAR(body.potential.feasible_step(x, -1e6 * x), 1e-6 * (1 - std::cbrt(0.1)), 1e-15);
  EXPECT_EQ(body.potential.feasible_step(x, x), 1);
  EXPECT_EQ(body.potential.feasible_step(x, Eigen::VectorXd::Zero(x.size())), 1);
}

TEST(FeasibleStep, AMaterialThatIsDefinedEverywhereIsNotLimited) {
  Body body(HandEnergy::stable, 60);
  EXPECT_EQ(body.potential.feasible_step(body.model->start_positions(), -3 * body.model->start_positions()), 1);
}

}  // namespace
}  // namespace holo::test
