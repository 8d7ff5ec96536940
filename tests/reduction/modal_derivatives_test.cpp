// Modal derivatives against the definition that they have: derivatives of static displacements under modal forces.
#include "holo/sim/reduction/modal_derivatives.h"

#include <gtest/gtest.h>

#include "anisotropic_material.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/reduction/linear_modes.h"
#include "reduced_bodies.h"

namespace holo::test {
namespace {

// With the terms up to order p, r(u(q)) - K Psi q is of order p + 1 in q, relative to the linear forces of order p: it falls by
// 2^p for each halving. The next order changes the quotient by a part that is itself of the order of q.
void expect_residuals_to_fall(const std::shared_ptr<const ElasticModel>& model) {
  const ModalSystem system = clamped(model);
  const LinearModes modes = linear_modes(system, 4);
  const ModalDerivatives second = modal_derivatives(system, modes.shapes, 2);
  ModalDerivatives first = second;
  first.second.resize(system.size(), 0);
  ModalDerivatives none = first;
  none.first.setZero();
  EXPECT_EQ(1, system.factorizations());
  Eigen::VectorXd direction(4);
  direction << 1, -0.6, 0.4, 0.3;
  direction *= 0.01 * model->length() / (modes.shapes * direction).cwiseAbs().maxCoeff();
  const auto residual = [&](const ModalDerivatives& derivatives, double size) {
    const Eigen::VectorXd q = size * direction, linear = system.stiffness_times(modes.shapes * q);
    return (internal_force(model, system, modal_displacement(modes.shapes, derivatives, q)) - linear).norm() / linear.norm();
  };
  const ModalDerivatives* bases[] = {&none, &first, &second};
  for (int order = 1; order <= 3; ++order)
    for (const double size : {1.0, 0.5}) {
      const double quotient = residual(*bases[order - 1], size) / residual(*bases[order - 1], size / 2);
      EXPECT_NEAR(quotient, std::pow(2, order), 0.15 * std::pow(2, order) * size) << "order " << order << ", size " << size;
    }
}

class ModalDerivativesOf : public testing::TestWithParam<const char*> {};

TEST_P(ModalDerivativesOf, StaticResidualFallsWithTheOrderOfTheBasis) {
  expect_residuals_to_fall(box_model(GetParam(), {1.0, 0.2, 0.25}, 300));
}

// Energies of invariants and of principal stretches.
INSTANTIATE_TEST_SUITE_P(Plugin, ModalDerivativesOf,
                         testing::Values("neo_hookean", "stvk", "mooney_rivlin", "polynomial", "ogden", "corotational"),
                         [](const auto& test) { return std::string(test.param); });

// Energies of F, compiled and interpreted.
TEST(ModalDerivatives, StaticResidualOfAnAnisotropicMaterialFallsWithTheOrderOfTheBasis) {
  for (const holo_material* material : {&anisotropic_material(), &interpreted_anisotropic_material()})
    expect_residuals_to_fall(box_of(std::shared_ptr<const holo_material>(std::shared_ptr<void>(), material),
                                    {6e4, 4e4, 1e5, 0.8, 0.0, 0.6}, {1.0, 0.2, 0.25}, 300));
}

// Newton's method on r(u) = K Psi q, dense, with no code of the reduction; then differences of sixth order in q.
class StaticSolution {
 public:
  StaticSolution(std::shared_ptr<const ElasticModel> model, const ModalSystem& system, const Eigen::MatrixXd& modes)
      : model_(std::move(model)), system_(system), K_(dense_stiffness(model_, system.positions())), modes_(modes) {}

  Eigen::VectorXd operator()(const Eigen::VectorXd& q) const {
    Eigen::VectorXd load = K_ * (modes_ * q), u = modes_ * q;
    for (int step = 0; step < 12; ++step) {
      Eigen::MatrixXd J = dense_stiffness(model_, system_.positions() + u);
      Eigen::VectorXd r = internal_force(model_, system_, u) - load;
      for (Eigen::Index k = 0; k < r.size(); ++k)
        if (system_.is_prescribed(k)) {
          J.row(k).setZero(), J.col(k).setZero();
          J(k, k) = 1, r[k] = 0;
        }
      u -= J.ldlt().solve(r);
    }
    return u;
  }

 private:
  std::shared_ptr<const ElasticModel> model_;
  const ModalSystem& system_;
  Eigen::MatrixXd K_, modes_;
};

// Displacements of a hundredth of the length for each step h: errors are of order h^6 and h^4, of rounding 1e-14/h^3.
TEST(ModalDerivatives, AreDerivativesOfStaticDisplacements) {
  for (const char* material : {"neo_hookean", "ogden"}) {
    const auto model = box_model(material, {1.0, 0.5, 0.4}, 40);
    const ModalSystem system = clamped(model);
    const LinearModes modes = linear_modes(system, 2);
    const ModalDerivatives derivatives = modal_derivatives(system, modes.shapes, 2);
    const StaticSolution u(model, system, modes.shapes);
    const double h = 0.01 * model->length() / modes.shapes.cwiseAbs().maxCoeff();
    const auto along = [&](double a, double b) { return u(Eigen::Vector2d(a * h, b * h)); };
    const auto derivative = [&](double a, double b, int order) -> Eigen::VectorXd {
      const Eigen::VectorXd up1 = along(a, b), down1 = along(-a, -b), up2 = along(2 * a, 2 * b), down2 = along(-2 * a, -2 * b),
                            up3 = along(3 * a, 3 * b), down3 = along(-3 * a, -3 * b);
      if (order == 2) return (1.5 * (up1 + down1) - 0.15 * (up2 + down2) + (up3 + down3) / 90) / (h * h);
      return (-13.0 / 8 * (up1 - down1) + (up2 - down2) - (up3 - down3) / 8) / (h * h * h);
    };
    const auto expect_near = [&](const Eigen::VectorXd& expected, const Eigen::VectorXd& found, double tolerance,
                                 const char* what) {
      EXPECT_LE((expected - found).norm(), tolerance * expected.norm()) << material << ", " << what;
    };
    const auto& first = derivatives.first;
    const auto& second = derivatives.second;
    expect_near(derivative(1, 0, 2), first.col(derivatives.pair(0, 0)), 1e-6, "00");
    expect_near(derivative(0, 1, 2), first.col(derivatives.pair(1, 1)), 1e-6, "11");
    expect_near(derivative(1, 1, 2),
                first.col(derivatives.pair(0, 0)) + first.col(derivatives.pair(1, 1)) + 2 * first.col(derivatives.pair(1, 0)),
                1e-6, "01");
    // the difference of third derivatives is of fourth order
    expect_near(derivative(1, 0, 3), second.col(derivatives.triple(0, 0, 0)), 1e-4, "000");
    expect_near(derivative(1, 1, 3) + derivative(1, -1, 3),
                2 * second.col(derivatives.triple(0, 0, 0)) + 6 * second.col(derivatives.triple(1, 0, 1)), 1e-4, "011");
  }
}

TEST(ModalDerivatives, DoNotDependOnThreads) {
  const auto model = box_model("neo_hookean", {1.0, 0.3, 0.3}, 2000);
  const ModalSystem system = clamped(model);
  const LinearModes modes = linear_modes(system, 3);
  ModalDerivatives one;
  {
    const ThreadLimit limit(1);
    one = modal_derivatives(system, modes.shapes, 2);
  }
  const ModalDerivatives many = modal_derivatives(system, modes.shapes, 2);
  EXPECT_EQ(one.first, many.first);
  EXPECT_EQ(one.second, many.second);
}

// Of a body of which only rigid motions are free, forces and displacements have no rigid part.
TEST(ModalDerivatives, OfAFreeBodyHaveNoRigidPart) {
  const auto model = box_model("mooney_rivlin", {1.0, 0.3, 0.2}, 200);
  const ModalSystem system(model, model->start_positions(), {{}, true});
  const LinearModes modes = linear_modes(system, 3);
  const ModalDerivatives derivatives = modal_derivatives(system, modes.shapes, 2);
  EXPECT_EQ(1, system.factorizations());
  const Eigen::MatrixXd R = system.rigid_motions(), MR = system.masses().asDiagonal() * R;
  for (const Eigen::MatrixXd* columns : {&derivatives.first, &derivatives.second})
    EXPECT_LE((MR.transpose() * *columns).cwiseAbs().maxCoeff(), 1e-10 * columns->cwiseAbs().maxCoeff());
  // K psi_00 balances the third-order forces but for their rigid part: along elastic displacements.
  const double size = 1e-3 * model->length() / modes.shapes.cwiseAbs().maxCoeff();
  const auto residual = [&](double q) {
    const Eigen::VectorXd amplitude = q * Eigen::Vector3d(1, 0.5, -0.3);
    Eigen::VectorXd force = internal_force(model, system, modal_displacement(modes.shapes, derivatives, amplitude)) -
                            system.stiffness_times(modes.shapes * amplitude);
    force -= MR * (R.transpose() * force);
    return force.norm();
  };
  EXPECT_NEAR(residual(4 * size) / residual(2 * size), 16, 2);
}

TEST(ModalDerivatives, ColumnsAreNumberedOnce) {
  ModalDerivatives derivatives;
  derivatives.mode_count = 5;
  Eigen::Index pair = 0, triple = 0;
  for (Eigen::Index i = 0; i < 5; ++i)
    for (Eigen::Index j = i; j < 5; ++j) {
      EXPECT_EQ(derivatives.pair(j, i), pair++);
      for (Eigen::Index k = j; k < 5; ++k) EXPECT_EQ(derivatives.triple(k, i, j), triple++);
    }
  EXPECT_EQ(pair, ModalDerivatives::pair_count(5));
  EXPECT_EQ(triple, ModalDerivatives::triple_count(5));
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "nothing was refused";
}

TEST(ModalDerivativesBadInput, OrdersAndModesThatDoNotFitAreRefused) {
  const auto model = box_model("neo_hookean", {1.0, 0.5, 0.4}, 20);
  const ModalSystem system = clamped(model);
  const Eigen::MatrixXd modes = linear_modes(system, 2).shapes;
  EXPECT_EQ(refusal([&] { modal_derivatives(system, modes, 3); }),
            "modal derivatives of order 3 are wanted; there are 1 and 2.");
  EXPECT_NE(refusal([&] { modal_derivatives(system, modes.topRows(6), 1); }).find("6 coordinates and 2 columns"),
            std::string::npos);
  EXPECT_NE(refusal([&] { modal_derivatives(system, modes.leftCols(0), 1); }).find("0 columns"), std::string::npos);
  const ModalDerivatives derivatives = modal_derivatives(system, modes, 1);
  EXPECT_NE(refusal([&] { modal_displacement(modes, derivatives, Eigen::Vector3d(1, 1, 1)); }).find("3 modal amplitudes"),
            std::string::npos);
}

// Stress and Hessian of such elements come from one-sided series, which do not reach the third order.
TEST(ModalDerivativesBadInput, SingularPointsAreNamed) {
  const ModalSystem system = clamped(box_model("singular", {1.0, 0.5, 0.4}, 20));
  const Eigen::MatrixXd modes = linear_modes(system, 2).shapes;
  const std::string text = refusal([&] { modal_derivatives(system, modes, 1); });
  EXPECT_NE(text.find("order 3 of the materials 'singular' of 'bar' are not finite"), std::string::npos) << text;
}

}  // namespace
}  // namespace holo::test
