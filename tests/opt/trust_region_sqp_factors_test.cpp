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
  // Both are singular below these: Dc over the first one, and dw.
  double least_growth = 0, least_regular_shift = 0, first_constraint_shift = 0, last_constraint_shift = 0;
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
    if (selection != SaddlePointSelection::model) last_constraint_shift = constraint_shift.maxCoeff();
    if (first_constraint_shift == 0) first_constraint_shift = last_constraint_shift;
    const bool is_metric_regular =
        selection == SaddlePointSelection::model || last_constraint_shift > least_growth * first_constraint_shift;
    const bool is_model_regular = selection == SaddlePointSelection::metric || last_shift >= least_regular_shift;
    if (!is_metric_regular || !is_model_regular) return SaddlePointOutcome::singular;
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

// Where both at once are singular, the shift of one grows after that of the other.
TEST(TrustRegionSqp, GrowsTheShiftsOfSingularMatrices) {
  HoppingMass plain(12);
  TrustRegionSqpOptions options;
  options.metric = TrustRegionMetric::identity;
  options.max_iterations = 2000;
  VectorXd x = plain.start();
  const TrustRegionSqpResult expected = TrustRegionSqp(plain, options).solve(x);
  for (const bool of_model : {false, true}) {
    FragileProblem problem(0);
    (of_model ? problem.fragile.least_regular_shift : problem.fragile.least_growth) = of_model ? 1e-5 : 50;
    VectorXd y = problem.start();
    const TrustRegionSqpResult result = TrustRegionSqp(problem, options).solve(y);
    EXPECT_EQ(result.status, TrustRegionSqpStatus::converged) << result.diagnosis;
    EXPECT_NEAR(result.objective, expected.objective, 1e-6);
    EXPECT_GT(problem.fragile.single, 0);
    const FragileSystem& system = problem.fragile;
    EXPECT_GE(system.last_shift, of_model ? 1e-5 : 0);
    EXPECT_NEAR(system.last_constraint_shift / system.first_constraint_shift, of_model ? 1 : 100, 1e-9);
  }
}

}  // namespace trust_region_sqp_factors_tests
}  // namespace holo
