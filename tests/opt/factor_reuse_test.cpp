#include "holo/opt/factor_reuse.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "holo/opt/newton.h"

namespace holo {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Outcome = FactorReuse::Outcome;

constexpr int graph_unknowns = 120;

SparseMatrix lower_triangle_of(const Matrix& dense) {
  SparseMatrix result(dense.rows(), dense.cols());
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < dense.cols(); ++j)
    for (int i = j; i < dense.rows(); ++i) entries.emplace_back(i, j, dense(i, j));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

Matrix graph_random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

// Masses and the Laplacian of a graph: the matrix of bodies without supports.
Matrix body_matrix(unsigned seed, double stiffness) {
  const Matrix weights = graph_random_matrix(graph_unknowns, graph_unknowns, seed).cwiseAbs();
  Matrix laplacian = -stiffness * (weights + weights.transpose());
  laplacian.diagonal().setZero();
  laplacian.diagonal() = -laplacian.rowwise().sum();
  return Matrix(Matrix::Identity(graph_unknowns, graph_unknowns) + laplacian);
}

// A factor of `matrix`, and solves with it.
struct Reuse {
  explicit Reuse(const Matrix& matrix) {
    const SparseMatrix lower = lower_triangle_of(matrix);
    factor->analyze(lower);
    EXPECT_TRUE(factor->factorize(lower));
  }
  Outcome solve(const Matrix& hessian, const Vector& gradient, const FactorReuseOptions& options) {
    return reuse.solve(
        *factor, lower_triangle_of(hessian), gradient, [](const Vector& p) { return p.norm(); }, options, direction);
  }

  std::unique_ptr<SparseSolver> factor = make_sparse_solver();
  FactorReuse reuse;
  Vector direction;
};

TEST(FactorReuse, TheErrorIsAtMostTheForcing) {
  const Matrix before = body_matrix(1, 0.1), now = body_matrix(2, 0.13);
  const Vector gradient = graph_random_matrix(graph_unknowns, 1, 3);
  const Vector exact = -now.llt().solve(gradient);
  Reuse reuse(before);
  int solves = 0;
  for (double forcing : {0.5, 1e-2, 1e-4, 1e-8}) {
    ASSERT_EQ(reuse.solve(now, gradient, {.forcing = forcing, .back_substitutions = 60}), Outcome::solved);
    EXPECT_LT((reuse.direction - exact).norm(), forcing * exact.norm());
    EXPECT_GE(reuse.reuse.back_substitutions(), solves);
    solves = reuse.reuse.back_substitutions();
  }
}

// Conjugate gradients need one iteration for each direction in which the matrix changed, and the start is one more solve.
TEST(FactorReuse, AChangeOfLowRankTakesAsManySolves) {
  const Matrix before = body_matrix(1, 0.1), contacts = graph_random_matrix(graph_unknowns, 4, 5);
  const Matrix now = before + 1e4 * contacts * contacts.transpose();
  const Vector gradient = graph_random_matrix(graph_unknowns, 1, 3);
  Reuse reuse(before);
  ASSERT_EQ(reuse.solve(now, gradient, {.forcing = 1e-9, .back_substitutions = 60}), Outcome::solved);
  EXPECT_LT((reuse.direction + now.llt().solve(gradient)).norm(), 1e-8 * reuse.direction.norm());
  EXPECT_LE(reuse.reuse.back_substitutions(), 4 + 2);
}

// The sum of the forces is 0 to rounding, however coarse the solution is: the same matrix acts on translations.
TEST(FactorReuse, ACoarseSolutionKeepsTheSumOfTheForces) {
  const Matrix before = body_matrix(1, 0.07), now = body_matrix(2, 0.1);
  const Vector gradient = Vector(graph_random_matrix(graph_unknowns, 1, 3).array() + 1.0);
  Reuse reuse(before);
  for (int solves : {2, 3, 5}) {
    const Outcome outcome = reuse.solve(now, gradient, {.forcing = 0.3, .back_substitutions = solves});
    ASSERT_TRUE(outcome == Outcome::solved || outcome == Outcome::truncated);
    const Vector residual = now * reuse.direction + gradient;
    EXPECT_GT(residual.norm(), 1e-3 * gradient.norm()) << "not coarse";
    EXPECT_LT(std::abs(residual.sum()), 1e-12 * gradient.norm());
  }
}

TEST(FactorReuse, TruncatesAtTheLimitWithADescentDirection) {
  const Matrix before = body_matrix(1, 0.1), contacts = graph_random_matrix(graph_unknowns, 9, 5);
  const Matrix now = before + contacts * contacts.transpose();
  const Vector gradient = graph_random_matrix(graph_unknowns, 1, 3);
  Reuse reuse(before);
  ASSERT_EQ(reuse.solve(now, gradient, {.forcing = 1e-6, .back_substitutions = 5}), Outcome::truncated);
  EXPECT_EQ(reuse.reuse.back_substitutions(), 5);
  EXPECT_LT(gradient.dot(reuse.direction), 0);
  // One that would be the last of a minimization must be as accurate as was asked for.
  EXPECT_EQ(reuse.solve(now, gradient, {.forcing = 1e-6, .smallest = 1e9, .smallest_error = 1e-9, .back_substitutions = 5}),
            Outcome::failed);
}

TEST(FactorReuse, TellsNegativeCurvature) {
  const Matrix before = body_matrix(1, 0.1);
  Matrix now = before;
  now.diagonal().array() -= 2.0;
  Reuse reuse(before);
  const Vector gradient = graph_random_matrix(graph_unknowns, 1, 3);
  EXPECT_EQ(reuse.solve(now, gradient, {.back_substitutions = 100}), Outcome::negative_curvature);
  EXPECT_EQ(reuse.solve(-before, gradient, {.back_substitutions = 100}), Outcome::negative_curvature) << "at the first product";
}

TEST(FactorReuse, NumbersThatAreNotFiniteFail) {
  const Matrix before = body_matrix(1, 0.1);
  Matrix now = before;
  now(7, 3) = std::nan("");
  Reuse reuse(before);
  EXPECT_EQ(reuse.solve(now, graph_random_matrix(graph_unknowns, 1, 3), {}), Outcome::failed);
}

// A contact that is gone: its factor makes all corrections tiny, and the true direction is a million times longer.
TEST(FactorReuse, AStifferFactorDoesNotFeignConvergence) {
  const Matrix now = Matrix::Identity(2, 2);
  Matrix before = now;
  before(0, 0) = 1e6;
  Reuse reuse(before);
  const Vector gradient = Vector::Unit(2, 0);
  ASSERT_EQ(reuse.solve(now, gradient, {.smallest = 1e-3, .smallest_error = 1e-5}), Outcome::solved);
  EXPECT_LT((reuse.direction + gradient).norm(), 1e-12);
}

// As measured, factorization over solve is 5 and more: docs/elastic-dynamics.md.
TEST(FactorReuse, ASolveIsCheaperThanAFactorizationTheMoreTheLargerTheMatrixIs) {
  double last = 0.2;
  for (int size : {20, 100, 400}) {
    Reuse reuse(Matrix::Identity(size, size) + Matrix::Constant(size, size, 0.1));
    const double cost = relative_cost_of_solve(*reuse.factor);
    EXPECT_LT(cost, last);
    // Of a dense matrix: size^3/3 flops and size^2/2 entries.
    EXPECT_NEAR(1 / cost, 5 + size / 90.0, 0.1 * (1 / cost));
    last = cost;
  }
}

TEST(FactorReuse, ASolverThatStatesNoFlopsIsNotReused) {
  const auto solver = make_sparse_solver({.matrix = MatrixKind::indefinite});
  const SparseMatrix matrix = lower_triangle_of(Matrix::Identity(3, 3));
  solver->analyze(matrix);
  ASSERT_TRUE(solver->factorize(matrix));
  EXPECT_EQ(relative_cost_of_solve(*solver), 1);
}

}  // namespace
}  // namespace holo
