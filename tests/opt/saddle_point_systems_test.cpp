// Dense and sparse saddle-point systems against each other and against the equations that their solutions satisfy.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "holo/core/error.h"
#include "holo/opt/trajectory/dense_saddle_point.h"
#include "holo/opt/trajectory/sparse_saddle_point.h"
#include "holo/opt/trajectory/trust_region_sqp.h"
#include "hopping_mass.h"

namespace holo {
namespace saddle_point_systems_tests {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The trajectory of a hopping mass with dense and sparse matrices, and a model that couples the forces of successive steps.
struct SparseHoppingMass : test::HoppingMass {
  explicit SparseHoppingMass(int steps) : HoppingMass(steps), sparse(pattern(true), pattern(false)) {}
  SparseMatrix pattern(bool of_hessian) {
    VectorXd b(2 * N);
    linearize_dense(start(), b);
    return (of_hessian ? MatrixXd(dense.hessian().triangularView<Eigen::Lower>()) : dense.jacobian()).sparseView();
  }
  void linearize_dense(const VectorXd& x, VectorXd& b) {
    HoppingMass::linearize(x, VectorXd::Zero(N), b);
    for (int i = N; i + 1 < 2 * N; ++i) dense.hessian()(i, i + 1) = dense.hessian()(i + 1, i) = weight / 2;
  }
  void linearize(const VectorXd& x, const VectorXd&, VectorXd& b) override {
    linearize_dense(x, b);
    for (int j = 0; j < sparse.hessian().cols(); ++j) {
      for (SparseMatrix::InnerIterator entry(sparse.hessian(), j); entry; ++entry)
        entry.valueRef() = dense.hessian()(entry.row(), j);
      for (SparseMatrix::InnerIterator entry(sparse.jacobian(), j); entry; ++entry)
        entry.valueRef() = dense.jacobian()(entry.row(), j);
    }
  }
  SaddlePointSystem& system() override {
    if (is_sparse) return sparse;
    return dense;
  }
  SparseSaddlePoint sparse;
  bool is_sparse = true;
};

TEST(SaddlePointSystems, SatisfyTheirEquations) {
  SparseHoppingMass problem(8);
  VectorXd b(16), metric = VectorXd::LinSpaced(16, 0.5, 2), shift = VectorXd::LinSpaced(8, 1e-3, 1e-2);
  problem.linearize(problem.start(), VectorXd::Zero(8), b);
  const MatrixXd right = MatrixXd::NullaryExpr(24, 2, [](Eigen::Index i, Eigen::Index j) { return std::sin(1 + i + 5.0 * j); });
  MatrixXd K = MatrixXd::Zero(24, 24), x(24, 2);
  K.bottomLeftCorner(8, 16) = problem.dense.jacobian();
  K.topRightCorner(16, 8) = problem.dense.jacobian().transpose();
  K.bottomRightCorner(8, 8).diagonal() = -shift;
  for (SaddlePointSystem* system :
       {static_cast<SaddlePointSystem*>(&problem.dense), static_cast<SaddlePointSystem*>(&problem.sparse)}) {
    ASSERT_EQ(system->factor(SaddlePointSelection::both, metric, 0.1, shift), SaddlePointOutcome::factorized);
    K.topLeftCorner(16, 16) = metric.asDiagonal();
    ASSERT_TRUE(system->solve(SaddlePointMatrix::metric, right, x));
    EXPECT_LT((K * x - right).norm(), 1e-12 * K.norm() * x.norm());
    K.topLeftCorner(16, 16) = problem.dense.hessian();
    K.topLeftCorner(16, 16) += MatrixXd((0.1 * metric).asDiagonal());
    ASSERT_TRUE(system->solve(SaddlePointMatrix::model, right, x));
    EXPECT_LT((K * x - right).norm(), 1e-12 * K.norm() * x.norm());
  }
}

TEST(SaddlePointSystems, HaveTheSameProducts) {
  SparseHoppingMass problem(8);
  VectorXd b(16), p = VectorXd::LinSpaced(16, -1, 2), y = VectorXd::LinSpaced(8, 3, -1), first(16), second(16), C(8), D(8);
  problem.linearize(problem.start(), VectorXd::Zero(8), b);
  SaddlePointSystem &dense = problem.dense, &sparse = problem.sparse;
  dense.multiply_hessian(p, first), sparse.multiply_hessian(p, second);
  EXPECT_GT(first.norm(), 0);
  EXPECT_LT((first - second).norm(), 1e-14 * first.norm());
  dense.multiply_jacobian_transposed(y, first), sparse.multiply_jacobian_transposed(y, second);
  EXPECT_LT((first - second).norm(), 1e-14 * first.norm());
  dense.hessian_diagonal(first), sparse.hessian_diagonal(second);
  EXPECT_EQ(first, second);
  dense.multiply_jacobian(p, C), sparse.multiply_jacobian(p, D);
  EXPECT_LT((C - D).norm(), 1e-14 * C.norm());
  dense.jacobian_row_norms(C), sparse.jacobian_row_norms(D);
  EXPECT_LT((C - D).norm(), 1e-14 * C.norm());
}

TEST(SaddlePointSystems, LeadToTheSameTrajectory) {
  SparseHoppingMass dense(12), sparse(12);
  dense.is_sparse = false;
  VectorXd x = dense.start(), y = x;
  const auto first = TrustRegionSqp(dense, {}).solve(x), second = TrustRegionSqp(sparse, {}).solve(y);
  EXPECT_EQ(first.status, TrustRegionSqpStatus::converged) << first.diagnosis;
  EXPECT_EQ(second.status, TrustRegionSqpStatus::converged) << second.diagnosis;
  EXPECT_NEAR(first.objective, second.objective, 1e-9);
}

TEST(SaddlePointSystems, ReportEntriesThatAreNotFinite) {
  SparseHoppingMass problem(4);
  problem.dense.jacobian()(1, 2) = problem.sparse.jacobian().valuePtr()[1] = std::numeric_limits<double>::quiet_NaN();
  const VectorXd metric = VectorXd::Ones(8), shift = VectorXd::Ones(4);
  EXPECT_EQ(problem.dense.factor(SaddlePointSelection::both, metric, 1, shift), SaddlePointOutcome::not_finite);
  EXPECT_EQ(problem.sparse.factor(SaddlePointSelection::both, metric, 1, shift), SaddlePointOutcome::not_finite);
}

TEST(SaddlePointSystems, ReportSingularMatrices) {
  SparseHoppingMass problem(4);
  problem.dense.jacobian().setZero();
  std::fill(problem.sparse.jacobian().valuePtr(), problem.sparse.jacobian().valuePtr() + problem.sparse.jacobian().nonZeros(),
            0);
  const VectorXd metric = VectorXd::Ones(8), none = VectorXd::Zero(4);
  EXPECT_EQ(problem.dense.factor(SaddlePointSelection::metric, metric, 1, none), SaddlePointOutcome::singular);
  EXPECT_EQ(problem.sparse.factor(SaddlePointSelection::metric, metric, 1, none), SaddlePointOutcome::singular);
}

TEST(SaddlePointSystemsBadInput, IsNamed) {
  SparseMatrix hessian(2, 2), jacobian(1, 2), narrow(1, 3);
  hessian.insert(0, 1) = 1;
  EXPECT_THROW(SparseSaddlePoint(hessian, jacobian), Error);  // not compressed
  hessian.makeCompressed();
  EXPECT_THROW(SparseSaddlePoint(hessian, jacobian), Error);  // above the diagonal
  EXPECT_THROW(SparseSaddlePoint(SparseMatrix(2, 2), narrow), Error);
}

}  // namespace saddle_point_systems_tests
}  // namespace holo
