// Newton directions with a matrix of low rank beside the sparse one, against dense matrices.
#include "holo/opt/low_rank.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "holo/opt/newton.h"

namespace holo {
namespace low_rank_tests {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr Eigen::Index unknowns = 40;

Matrix random_entries(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

// A tridiagonal matrix, and columns of sizes that differ as newtons do from meters.
struct System {
  Matrix K = Matrix::Zero(unknowns, unknowns);
  LowRankMatrix low_rank;
  Vector g = random_entries(unknowns, 1, 3);

  explicit System(double core_size, unsigned seed = 5) {
    K.diagonal().setConstant(2.1);
    K.diagonal(1).setConstant(-1);
    K.diagonal(-1).setConstant(-1);
    low_rank.columns = random_entries(unknowns, 3, seed);
    low_rank.columns.col(0) *= 1e6;
    const Matrix square = random_entries(3, 3, seed + 1);
    low_rank.core = core_size * (square + square.transpose());
    low_rank.core.row(0) *= 1e-6;
    low_rank.core.col(0) *= 1e-6;
  }
  Matrix hessian() const { return K + low_rank.columns * low_rank.core * low_rank.columns.transpose(); }
  double least_eigenvalue() const { return Eigen::SelfAdjointEigenSolver<Matrix>(hessian()).eigenvalues()[0]; }
  bool direction(bool projected, Vector& p) const {
    const auto factor = make_sparse_solver();
    const SparseMatrix lower = Matrix(K.triangularView<Eigen::Lower>()).sparseView();
    factor->analyze(lower);
    EXPECT_TRUE(factor->factorize(lower));
    p.resize(unknowns);
    factor->solve(g, p);
    p = -p;
    return LowRankCorrection().apply(*factor, low_rank, projected, p);
  }
};

TEST(LowRank, DirectionIsThatOfTheDenseMatrixWhereItIsPositiveDefinite) {
  const System system(1e-3);
  ASSERT_GT(system.least_eigenvalue(), 0);
  const Vector expected = -system.hessian().ldlt().solve(system.g);
  Vector found;
  ASSERT_TRUE(system.direction(false, found));
  EXPECT_LT((found - expected).norm(), 1e-11 * expected.norm());
}

TEST(LowRank, RefusesWhatIsNotPositiveDefinite) {
  int refused = 0;
  for (unsigned seed = 1; seed < 40; ++seed) {
    const System system(seed % 2 == 0 ? 0.3 : 3e-3, seed);
    Vector p;
    const bool accepted = system.direction(false, p);
    EXPECT_EQ(accepted, system.least_eigenvalue() > 0) << "seed " << seed;
    refused += !accepted;
  }
  EXPECT_GT(refused, 5);
  EXPECT_LT(refused, 35);
}

// With K = L L^T the projected Hessian is L (I + positive part of L^-1 U C U^T L^-T) L^T.
TEST(LowRank, ProjectedDirectionDescendsAndIsThatOfThePositivePart) {
  for (unsigned seed = 1; seed < 20; ++seed) {
    const System system(0.3, seed);
    const Matrix L = system.K.llt().matrixL();
    const Matrix scaled = L.triangularView<Eigen::Lower>().solve(system.low_rank.columns);
    const Eigen::SelfAdjointEigenSolver<Matrix> change(scaled * system.low_rank.core * scaled.transpose());
    const Matrix positive =
        change.eigenvectors() * change.eigenvalues().cwiseMax(0).asDiagonal() * change.eigenvectors().transpose();
    const Vector expected = -(L * (Matrix::Identity(unknowns, unknowns) + positive) * L.transpose()).ldlt().solve(system.g);
    Vector found;
    ASSERT_TRUE(system.direction(true, found));
    EXPECT_LT(found.dot(system.g), 0);
    EXPECT_LT((found - expected).norm(), 1e-10 * expected.norm());
  }
}

// A column of zeros is a coupling that vanishes at rest; one that repeats another adds nothing new.
TEST(LowRank, ColumnsMayVanishOrRepeat) {
  System system(1e-3);
  system.low_rank.columns.col(1).setZero();
  system.low_rank.columns.col(2) = 2 * system.low_rank.columns.col(0);
  system.low_rank.core.col(2) *= 1e-6;
  system.low_rank.core.row(2) *= 1e-6;
  ASSERT_GT(system.least_eigenvalue(), 0);
  const Vector expected = -system.hessian().ldlt().solve(system.g);
  Vector found;
  ASSERT_TRUE(system.direction(false, found));
  EXPECT_LT((found - expected).norm(), 1e-9 * expected.norm());
}

// |x|^4/4 + x.x/2 + cos(a.x) - b.x, whose last Hessian is of rank one and negative near 0.
struct Wavy : NewtonProblem {
  Vector a = random_entries(unknowns, 1, 8), b = random_entries(unknowns, 1, 9);
  LowRankMatrix wave;

  int dimension() const override { return int(unknowns); }
  double energy(const Vector& x) override {
    return 0.25 * x.array().pow(4).sum() + 0.5 * x.squaredNorm() + std::cos(a.dot(x)) - b.dot(x);
  }
  PatternChange derivatives(const Vector& x, Curvature, Vector& gradient, SparseMatrix& hessian) override {
    gradient = x.array().cube().matrix() + x - std::sin(a.dot(x)) * a - b;
    const bool is_new = hessian.cols() != unknowns;
    hessian = Matrix(Vector(3 * x.array().square() + 1).asDiagonal()).sparseView(0, 0);
    SparseMatrix lower = hessian.triangularView<Eigen::Lower>();
    hessian = lower;
    wave.columns = a;
    wave.core = Matrix::Constant(1, 1, -std::cos(a.dot(x)));
    return is_new ? PatternChange::changed : PatternChange::unchanged;
  }
  const LowRankMatrix* low_rank() const override { return &wave; }
  bool has_exact_hessian() const override { return true; }
  double feasible_step(const Vector&, const Vector&) override { return 1; }
  double step_size(const Vector& direction) const override { return direction.norm(); }
  std::vector<Term> terms(const Vector&) override { return {}; }
};

TEST(LowRank, NewtonConvergesQuadraticallyFromWhereTheWaveIsConcave) {
  for (const NewtonLinearSolver solver : {NewtonLinearSolver::factorize, NewtonLinearSolver::reuse}) {
    Wavy problem;
    Vector x = Vector::Zero(unknowns);
    NewtonWorkspace workspace;
    const NewtonResult result =
        minimize(problem, x, {.tolerance = 1e-12, .max_iterations = 30, .linear_solver = solver}, workspace);
    ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
    EXPECT_FALSE(result.iterations.front().exact_hessian);
    EXPECT_TRUE(result.iterations.back().exact_hessian);
    Vector gradient;
    SparseMatrix hessian;
    problem.derivatives(x, Curvature::exact, gradient, hessian);
    EXPECT_LT(gradient.norm(), 1e-11);
    const double before = result.iterations[result.iterations.size() - 2].step_size;
    EXPECT_LT(result.iterations.back().step_size, 100 * before * before);
  }
}

}  // namespace low_rank_tests
}  // namespace holo
