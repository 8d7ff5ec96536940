// Methods of minimization on a toy: the activations of a block with twelve muscle segments on the ground, in one time step.
#include "inverse_step_toy.h"

#include <gtest/gtest.h>

#include <functional>

namespace holo::test {
namespace {

// Newton's method is at a gradient of 1e-9 after few iterations, the last of which only sees that it stops; after as many the
// other methods are far from there.
void expect_fast_convergence(const std::function<std::unique_ptr<Toy>()>& toy, int iterations) {
  const auto after = [&](DenseMethod method, int count) {
    const auto at = toy();
    Eigen::VectorXd u = at->problem.activations() / block_shear_modulus;
    return at->minimize_by(method, count, u);
  };
  const DenseResult newton = after(DenseMethod::newton, iterations + 1);
  EXPECT_EQ(newton.status, DenseStatus::converged) << newton.diagnosis;
  EXPECT_LT(newton.projected_gradient, 1e-9);
  for (const DenseMethod method : {DenseMethod::l_bfgs, DenseMethod::gradient_descent})
    EXPECT_GT(after(method, int(newton.iterations.size())).projected_gradient, 1e-4) << to_string(method);
}

TEST(InverseStepToy, NewtonConvergesWithinFewIterationsInPushOffs) {
  for (const double acceleration : {0.6 * 9.81, 2.5 * 9.81})
    expect_fast_convergence(
        [&] {
          return std::make_unique<Toy>(GroundContact{}, Vector3d{}, 40, Eigen::Vector3d(0, 0, acceleration * toy_time_step));
        },
        8);
}

// Four steps of a push with 1.5 g; then the center of mass is to fall freely, so that contact has to end.
TEST(InverseStepToy, NewtonConvergesWithinFewIterationsInALiftOff) {
  const double g = 9.81;
  expect_fast_convergence(
      [&] {
        auto toy = std::make_unique<Toy>(GroundContact{}, Vector3d{}, 40, Eigen::Vector3d(0, 0, 0));
        for (int n = 1; n <= 4; ++n) toy->step_to({0, 0, 1.5 * g * toy_time_step * n});
        EXPECT_GT(toy->contacts(0.01).stick + toy->contacts(0.01).slip, 0);
        toy->loss.aim_at({0, 0, (1.5 * 4 - 1) * g * toy_time_step});
        return toy;
      },
      12);
}

// Straight upwards five steps of descent are nearly enough: all muscles do the same. To the side they work against each other,
// along directions whose curvatures differ by orders of magnitude. Where five steps of descent have ended, Newton's method is
// within 1e-4 of the loss above the least one after at most eight iterations; L-BFGS is not after 20, and descent not after
// 50, whose steps are those of Barzilai and Borwein already (after 100, rounding errors decide: they have grown by then).
TEST(InverseStepToy, MethodsWithoutTheHessianNeedManyIterationsInPushOffsToTheSide) {
  for (const double acceleration : {0.6 * 9.81, 1.5 * 9.81}) {
    const auto toy = [&] {
      return std::make_unique<Toy>(GroundContact{}, Vector3d{}, 40, Eigen::Vector3d(0.03, 0, acceleration * toy_time_step));
    };
    const auto warm = toy();
    Eigen::VectorXd start = Eigen::VectorXd::Zero(warm->problem.dimension());
    const double start_value = warm->minimize_by(DenseMethod::gradient_descent, 5, start).value;
    const auto value_after = [&](DenseMethod method, int iterations) {
      Eigen::VectorXd u = start;
      return toy()->minimize_by(method, iterations, u).value;
    };
    const double least = value_after(DenseMethod::newton, 40);
    const auto excess = [&](DenseMethod method, int iterations) {
      return (value_after(method, iterations) - least) / (start_value - least);
    };
    EXPECT_LT(excess(DenseMethod::newton, 8), 1e-4);
    EXPECT_GT(excess(DenseMethod::l_bfgs, 20), 1e-4);
    EXPECT_GT(excess(DenseMethod::gradient_descent, 50), 1e-4);
  }
}

}  // namespace
}  // namespace holo::test
