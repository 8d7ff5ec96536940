// Newton's method with directions of conjugate gradients that an earlier factorization preconditions.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <limits>
#include <random>

#include "holo/opt/newton.h"

namespace holo {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr int quartic_unknowns = 300;  // dense: a factorization costs eight back-substitutions

Matrix quartic_random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

// x.A x/2 + |x|_4^4/4 - b.x with a dense positive definite A, strictly convex. The Hessian that Newton's method gets passes
// through `distort` first.
struct Quartic : NewtonProblem {
  int size;
  Matrix stiffness;
  Vector load;
  std::function<void(int call, Curvature, Matrix&)> distort = [](int, Curvature, Matrix&) {};
  std::function<double(int calls, double)> energy_of = [](int, double energy) { return energy; };
  bool exact = false;
  int calls = 0;  // of `derivatives`

  explicit Quartic(int unknowns = quartic_unknowns) : size(unknowns), load(3 * quartic_random_matrix(size, 1, 2)) {
    const Matrix square = quartic_random_matrix(size, size, 1);
    stiffness = 4 * Matrix::Identity(size, size) + square * square.transpose() / size;
  }
  int dimension() const override { return size; }
  double energy(const Vector& x) override {
    return energy_of(calls, 0.5 * x.dot(stiffness * x) + 0.25 * x.array().pow(4).sum() - load.dot(x));
  }
  Vector gradient(const Vector& x) const { return stiffness * x + x.array().cube().matrix() - load; }
  PatternChange derivatives(const Vector& x, Curvature curvature, Vector& gradient_of_x, SparseMatrix& hessian) override {
    const bool is_new = hessian.cols() != size;
    gradient_of_x = gradient(x);
    Matrix dense = stiffness;
    dense.diagonal() += 3 * x.array().square().matrix();
    distort(++calls, curvature, dense);
    hessian.resize(size, size);
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < size; ++j)
      for (int i = j; i < size; ++i) entries.emplace_back(i, j, dense(i, j));
    hessian.setFromTriplets(entries.begin(), entries.end());
    return is_new ? PatternChange::changed : PatternChange::unchanged;
  }
  bool has_exact_hessian() const override { return exact; }
  double feasible_step(const Vector&, const Vector&) override { return 1; }
  double step_size(const Vector& direction) const override { return direction.lpNorm<Eigen::Infinity>(); }
  std::vector<Term> terms(const Vector&) override { return {}; }
};

struct Solution {
  Vector x;
  NewtonResult result;
};

Solution solve(Quartic& problem, NewtonWorkspace& workspace, NewtonOptions options = {}) {
  options.linear_solver = NewtonLinearSolver::reuse;
  Solution solution;
  solution.x = Vector::Zero(problem.size);
  solution.result = minimize(problem, solution.x, options, workspace);
  EXPECT_EQ(solution.result.status, NewtonStatus::converged) << solution.result.diagnosis;
  return solution;
}

Solution solve(Quartic& problem, NewtonOptions options = {}) {
  NewtonWorkspace workspace;
  return solve(problem, workspace, options);
}

// The last direction is solved to a thousandth of the tolerance.
void expect_minimum(const Quartic& problem, const Solution& solution, double tolerance) {
  Matrix hessian = problem.stiffness;
  hessian.diagonal() += 3 * solution.x.array().square().matrix();
  EXPECT_LT(Vector(hessian.llt().solve(problem.gradient(solution.x))).lpNorm<Eigen::Infinity>(), 2e-3 * tolerance);
}

TEST(NewtonReuse, FindsTheMinimumOfAlwaysFactorizing) {
  Quartic problem;
  NewtonWorkspace workspace;
  Vector factorized = Vector::Zero(quartic_unknowns);
  const NewtonResult direct = minimize(problem, factorized, {.tolerance = 1e-9}, workspace);
  EXPECT_EQ(direct.factorizations, static_cast<int>(direct.iterations.size()));
  EXPECT_EQ(direct.back_substitutions, direct.factorizations);
  const Solution solution = solve(problem, {.tolerance = 1e-9});
  EXPECT_LT((solution.x - factorized).lpNorm<Eigen::Infinity>(), 1e-11);
  expect_minimum(problem, solution, 1e-9);
  EXPECT_LT(solution.result.factorizations, direct.factorizations);
  EXPECT_FALSE(solution.result.iterations.front().earlier_factor);
  EXPECT_TRUE(solution.result.iterations.back().earlier_factor);
}

TEST(NewtonReuse, OneFactorSufficesWhereTheHessianHardlyChanges) {
  Quartic problem;
  problem.load /= 30;
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.result.factorizations, 1);
  EXPECT_GE(solution.result.iterations.size(), 3u);
  EXPECT_GE(solution.result.back_substitutions, static_cast<int>(solution.result.iterations.size()));
}

// The first Hessian is another one, of full rank: with its factor the second direction is cut off at half of the cost of a
// factorization, which is four solves, and the third has a factor of its own, which serves until the end.
TEST(NewtonReuse, AFactorThatIsTooFarIsReplacedOnce) {
  Quartic problem;
  problem.load /= 30;
  problem.distort = [](int call, Curvature, Matrix& hessian) {
    if (call == 1) hessian.diagonal().array() *= Vector::LinSpaced(quartic_unknowns, 1, 12).array();
  };
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.result.factorizations, 2);
  const std::vector<NewtonIteration>& log = solution.result.iterations;
  ASSERT_GE(log.size(), 4u);
  for (std::size_t i = 0; i < log.size(); ++i) EXPECT_EQ(log[i].earlier_factor, i != 0 && i != 2) << i;
  expect_minimum(problem, solution, 1e-8);
}

// Conjugate gradients meet negative curvature of the exact Hessian. The projected one takes its place, as after a factorization
// that fails, and without one.
TEST(NewtonReuse, AnIndefiniteHessianIsReplacedByTheProjectedOne) {
  Quartic problem;
  problem.load /= 30;
  problem.exact = true;
  problem.distort = [](int call, Curvature curvature, Matrix& hessian) {
    if (call == 2 && curvature == Curvature::exact) hessian.diagonal().array() -= 60.0;
  };
  const Solution solution = solve(problem);
  ASSERT_GE(solution.result.iterations.size(), 3u);
  EXPECT_TRUE(solution.result.iterations[0].exact_hessian);
  EXPECT_FALSE(solution.result.iterations[1].exact_hessian);
  EXPECT_EQ(problem.calls, static_cast<int>(solution.result.iterations.size()) + 1);
  EXPECT_EQ(solution.result.factorizations, 1) << "none is tried of the indefinite one";
  expect_minimum(problem, solution, 1e-8);
}

// One that is not positive definite is shifted by means of factorizations.
TEST(NewtonReuse, AnIndefiniteProjectedHessianIsFactorizedWithAShift) {
  Quartic problem;
  problem.distort = [](int call, Curvature, Matrix& hessian) {
    if (call == 2) hessian.diagonal().array() -= 60.0;
  };
  const Solution solution = solve(problem);
  EXPECT_GT(solution.result.iterations[1].diagonal_shift, 0);
  EXPECT_FALSE(solution.result.iterations[1].earlier_factor);
  expect_minimum(problem, solution, 1e-8);
}

// The energies of one line search are infinite: the direction is found again by a factorization.
TEST(NewtonReuse, ADirectionThatLeadsNowhereIsFoundAgainByAFactorization) {
  Quartic problem;
  problem.load /= 30;
  int refused = 0;
  problem.energy_of = [&](int calls, double energy) {
    return calls == 2 && refused < 4 ? ++refused, std::numeric_limits<double>::infinity() : energy;
  };
  const Solution solution = solve(problem, {.max_halvings = 3});
  EXPECT_EQ(refused, 4);
  EXPECT_FALSE(solution.result.iterations[1].earlier_factor);
  EXPECT_EQ(solution.result.factorizations, 2);
  expect_minimum(problem, solution, 1e-8);
}

// With the factor of the minimization before, the second one takes another way to its minimum; without it, the same bits.
TEST(NewtonReuse, AForgottenFactorLeavesNoTrace) {
  Quartic problem;
  const Solution alone = solve(problem);
  NewtonWorkspace workspace;
  solve(problem, workspace);
  const Solution continued = solve(problem, workspace);
  EXPECT_LT(continued.result.factorizations, alone.result.factorizations);
  EXPECT_NE(continued.x, alone.x);
  workspace.forget_factor();
  const Solution again = solve(problem, workspace);
  EXPECT_EQ(again.x, alone.x);
  EXPECT_EQ(again.result.back_substitutions, alone.result.back_substitutions);
}

TEST(NewtonReuse, AFactorOfAnotherSizeIsNotUsed) {
  Quartic large, small(20);
  NewtonWorkspace workspace;
  solve(large, workspace);
  EXPECT_FALSE(solve(small, workspace).result.iterations.front().earlier_factor);
}

}  // namespace
}  // namespace holo
