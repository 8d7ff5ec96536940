// Trust-region optimization with constraints: which matrices it factorizes, and with which shifts.
#include <gtest/gtest.h>

#include <algorithm>

#include "holo/opt/trajectory/trust_region_sqp.h"
#include "hopping_mass.h"

namespace holo {
namespace trust_region_sqp_factors_tests {

using Eigen::VectorXd;
using test::HoppingMass;

// Fails to solve with K1 until dw is large enough.
struct FragileSystem final : SaddlePointSystem {
  FragileSystem(DenseSaddlePoint& system, double least) : inner(system), least_shift(least) {}
  DenseSaddlePoint& inner;
  double least_shift, last_shift = 0;
  int simultaneous = 0, single = 0;  // factorizations of both matrices, and of one
  int unknown_count() const override { return inner.unknown_count(); }
  int constraint_count() const override { return inner.constraint_count(); }
  void multiply_hessian(const VectorXd& p, VectorXd& q) const override { inner.multiply_hessian(p, q); }
  void multiply_jacobian(const VectorXd& p, VectorXd& q) const override { inner.multiply_jacobian(p, q); }
  void multiply_jacobian_transposed(const VectorXd& y, VectorXd& q) const override { inner.multiply_jacobian_transposed(y, q); }
  void hessian_diagonal(VectorXd& d) const override { inner.hessian_diagonal(d); }
  void jacobian_row_norms(VectorXd& n) const override { inner.jacobian_row_norms(n); }
  SaddlePointOutcome factor(SaddlePointSelection selection, const VectorXd& metric, double unknown_shift,
                            const VectorXd& constraint_shift) override {
    if (selection != SaddlePointSelection::metric) last_shift = unknown_shift;
    ++(selection == SaddlePointSelection::both ? simultaneous : single);
    return inner.factor(selection, metric, unknown_shift, constraint_shift);
  }
  bool solve(SaddlePointMatrix matrix, const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) override {
    return (matrix == SaddlePointMatrix::metric || last_shift >= least_shift) && inner.solve(matrix, b, x);
  }
};

struct FragileProblem : HoppingMass {
  explicit FragileProblem(double least) : HoppingMass(12), fragile(dense, least) {}
  SaddlePointSystem& system() override { return fragile; }
  FragileSystem fragile;
};

TEST(TrustRegionSqp, RaisesTheShiftWhereTheModelCannotBeSolved) {
  HoppingMass plain(12);
  FragileProblem problem(1e-5);
  VectorXd x = problem.start(), y = x;
  TrustRegionSqpOptions options;
  options.metric = TrustRegionMetric::identity;
  options.max_iterations = 2000;
  const TrustRegionSqpResult expected = TrustRegionSqp(plain, options).solve(x);
  const TrustRegionSqpResult result = TrustRegionSqp(problem, options).solve(y);
  ASSERT_EQ(result.status, TrustRegionSqpStatus::converged) << result.diagnosis;
  EXPECT_NEAR(result.objective, expected.objective, 1e-6);
  double largest = 0, before = options.unknown_shift;
  int falls = 0;  // taken steps divide it by 3, until it has to grow again
  for (const auto& iteration : result.iterations) {
    largest = std::max(largest, iteration.shift);
    falls += iteration.shift < before;
    before = iteration.shift;
  }
  EXPECT_GE(largest, 99 * options.unknown_shift);
  EXPECT_GT(falls, 0);
  EXPECT_LE(expected.iterations.back().shift, options.unknown_shift);
}

TEST(TrustRegionSqp, FactorizesBothMatricesAtOnce) {
  FragileProblem problem(0);
  VectorXd x = problem.start();
  const TrustRegionSqpResult result = TrustRegionSqp(problem, {}).solve(x);
  EXPECT_EQ(result.status, TrustRegionSqpStatus::converged) << result.diagnosis;
  EXPECT_EQ(problem.fragile.simultaneous, problem.linearizations);
  EXPECT_EQ(problem.fragile.single, 0);
}

}  // namespace trust_region_sqp_factors_tests
}  // namespace holo
