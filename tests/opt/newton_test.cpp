#include "holo/opt/newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "holo/core/configuration.h"

namespace holo {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// A problem from three functions; its size of a step is the Euclidean length.
struct DenseEnergy : NewtonProblem {
  int size = 0;
  std::function<double(const Vector&)> value;
  std::function<Vector(const Vector&)> gradient_of;
  std::function<Matrix(const Vector&)> hessian_of;
  std::function<double(const Vector&, const Vector&)> limit = [](const Vector&, const Vector&) { return 1.0; };
  int energies = 0;

  int dimension() const override { return size; }
  double energy(const Vector& x) override { return ++energies, value(x); }
  PatternChange derivatives(const Vector& x, Curvature, Vector& gradient, SparseMatrix& hessian) override {
    const bool is_new = hessian.cols() != size;
    gradient = gradient_of(x);
    const Matrix dense = hessian_of(x);
    hessian.resize(size, size);
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < size; ++j)
      for (int i = j; i < size; ++i) entries.emplace_back(i, j, dense(i, j));
    hessian.setFromTriplets(entries.begin(), entries.end());
    return is_new ? PatternChange::changed : PatternChange::unchanged;
  }
  double feasible_step(const Vector& x, const Vector& direction) override { return limit(x, direction); }
  double step_size(const Vector& direction) const override { return direction.norm(); }
  std::vector<Term> terms(const Vector& x) override {
    return {{"small part", 1, 1e-9}, {"large part", value(x), gradient_of(x).norm()}};
  }
  std::string advice(NewtonStatus status, const Vector&) const override {
    return status == NewtonStatus::line_search_failed ? "another gradient" : "";
  }
};

Vector vector(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

// sum over i of 1/4 x_i^4 + 1/2 |x - b|^2, strictly convex.
DenseEnergy convex_problem(const Vector& b) {
  DenseEnergy problem;
  problem.size = static_cast<int>(b.size());
  problem.value = [b](const Vector& x) { return 0.25 * x.array().pow(4).sum() + 0.5 * (x - b).squaredNorm(); };
  problem.gradient_of = [b](const Vector& x) { return Vector(x.array().pow(3).matrix() + x - b); };
  problem.hessian_of = [](const Vector& x) { return Matrix((3 * x.array().square() + 1).matrix().asDiagonal()); };
  return problem;
}

DenseEnergy rosenbrock() {
  DenseEnergy problem;
  problem.size = 2;
  problem.value = [](const Vector& x) { return std::pow(1 - x[0], 2) + 100 * std::pow(x[1] - x[0] * x[0], 2); };
  problem.gradient_of = [](const Vector& x) {
    const double d = x[1] - x[0] * x[0];
    return vector({-2 * (1 - x[0]) - 400 * x[0] * d, 200 * d});
  };
  problem.hessian_of = [](const Vector& x) {
    Matrix h(2, 2);
    h << 2 - 400 * (x[1] - 3 * x[0] * x[0]), -400 * x[0], -400 * x[0], 200;
    return h;
  };
  return problem;
}

// x in one dimension.
DenseEnergy scalar_problem(std::function<double(double)> f, std::function<double(double)> df,
                           std::function<double(double)> ddf) {
  DenseEnergy problem;
  problem.size = 1;
  problem.value = [f](const Vector& x) { return f(x[0]); };
  problem.gradient_of = [df](const Vector& x) { return vector({df(x[0])}); };
  problem.hessian_of = [ddf](const Vector& x) { return Matrix::Constant(1, 1, ddf(x[0])); };
  return problem;
}

NewtonResult run(DenseEnergy& problem, Vector& x, const NewtonOptions& options = {}) {
  NewtonWorkspace workspace;
  return minimize(problem, x, options, workspace);
}

TEST(Newton, ConvexProblemConvergesQuadratically) {
  DenseEnergy problem = convex_problem(vector({1, -3, 10}));
  Vector x = Vector::Zero(3);
  const NewtonResult result = run(problem, x, {.tolerance = 1e-12});
  ASSERT_EQ(result.status, NewtonStatus::converged);
  EXPECT_TRUE(result.diagnosis.empty());
  EXPECT_LT(problem.gradient_of(x).norm(), 1e-13);
  EXPECT_EQ(result.factorizations, static_cast<int>(result.iterations.size()));
  const auto& log = result.iterations;
  ASSERT_GE(log.size(), 4u);
  EXPECT_LT(log[log.size() - 1].step_size, 2 * std::pow(log[log.size() - 2].step_size, 2) + 1e-15);
  for (std::size_t i = 1; i < log.size(); ++i) EXPECT_LE(log[i].energy, log[i - 1].energy);
  EXPECT_EQ(result.energy, problem.value(x));
}

TEST(Newton, RosenbrockIsSolvedFromItsHardStart) {
  DenseEnergy problem = rosenbrock();
  Vector x = vector({-1.2, 1});
  const NewtonResult result = run(problem, x, {.tolerance = 1e-10});
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
  EXPECT_NEAR(x[0], 1, 1e-12);
  EXPECT_NEAR(x[1], 1, 1e-12);
  bool backtracked = false;
  for (const auto& iteration : result.iterations) backtracked |= iteration.step_length < 1;
  EXPECT_TRUE(backtracked) << "the start is chosen so that full steps fail";
}

TEST(Newton, IndefiniteHessianIsShiftedUntilTheStepDescends) {
  // A double well from near its hill: the Hessian is negative there.
  DenseEnergy problem = scalar_problem([](double x) { return std::pow(x * x - 1, 2); },
                                       [](double x) { return 4 * x * (x * x - 1); }, [](double x) { return 12 * x * x - 4; });
  Vector x = vector({0.1});
  const NewtonResult result = run(problem, x);
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
  EXPECT_NEAR(x[0], 1, 1e-9);
  EXPECT_GT(result.iterations.front().diagonal_shift, 0);
  EXPECT_EQ(result.iterations.back().diagonal_shift, 0);
  EXPECT_GT(result.factorizations, static_cast<int>(result.iterations.size()));
}

TEST(Newton, AStepIsCutToTheDomain) {
  // x - ln x has its minimum at 1; the full step from 3 would leave the domain.
  DenseEnergy problem = scalar_problem([](double x) { return x > 0 ? x - std::log(x) : unbounded; },
                                       [](double x) { return 1 - 1 / x; }, [](double x) { return 1 / (x * x); });
  problem.limit = [](const Vector& x, const Vector& p) { return p[0] < 0 ? std::min(1.0, -0.9 * x[0] / p[0]) : 1.0; };
  Vector x = vector({3});
  const NewtonResult result = run(problem, x, {.tolerance = 1e-12});
  ASSERT_EQ(result.status, NewtonStatus::converged);
  EXPECT_NEAR(x[0], 1, 1e-12);
  EXPECT_NEAR(result.iterations.front().step_length, 0.9 * 3 / 6, 1e-12);
}

TEST(Newton, NotANumberInTheLineSearchIsBackedAwayFrom) {
  DenseEnergy problem = scalar_problem([](double x) { return x - std::log(x); }, [](double x) { return 1 - 1 / x; },
                                       [](double x) { return 1 / (x * x); });
  Vector x = vector({3});  // the trial at -3 is NaN
  const NewtonResult result = run(problem, x);
  ASSERT_EQ(result.status, NewtonStatus::converged);
  EXPECT_NEAR(x[0], 1, 1e-9);
}

TEST(Newton, AStationaryStartTakesOneIteration) {
  DenseEnergy problem = convex_problem(Vector::Zero(2));
  Vector x = Vector::Zero(2);
  const NewtonResult result = run(problem, x);
  EXPECT_EQ(result.status, NewtonStatus::converged);
  EXPECT_EQ(result.iterations.size(), 1u);
  EXPECT_EQ(x.norm(), 0);
}

// At the last digits the differences of energies are rounding errors: a large constant drowns them.
TEST(Newton, ConvergesWhereDecreasesAreBelowTheEnergysRounding) {
  DenseEnergy problem = convex_problem(vector({1, 2}));
  const auto value = problem.value;
  problem.value = [value](const Vector& x) { return 1e9 + value(x); };
  Vector x = Vector::Zero(2);
  const NewtonResult result = run(problem, x, {.tolerance = 1e-13});
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
  EXPECT_LT(problem.gradient_of(x).norm(), 1e-14);
}

TEST(Newton, TheSmallLastStepIsTaken) {
  DenseEnergy problem = convex_problem(vector({1, 2}));
  Vector x = Vector::Zero(2);
  NewtonOptions options{.tolerance = 1e-3};
  const NewtonResult result = run(problem, x, options);
  ASSERT_EQ(result.status, NewtonStatus::converged);
  EXPECT_LE(result.iterations.back().step_size, 1e-3);
  EXPECT_EQ(result.iterations.back().step_length, 1);
  EXPECT_LT(problem.gradient_of(x).norm(), 1e-5 * result.iterations.back().gradient_norm + 1e-5);
}

TEST(NewtonFailure, UnboundedEnergyEndsAtTheIterationLimit) {
  DenseEnergy problem = scalar_problem([](double x) { return -x; }, [](double) { return -1.0; }, [](double) { return 1e-3; });
  Vector x = vector({0});
  const NewtonResult result = run(problem, x, {.max_iterations = 7});
  EXPECT_EQ(result.status, NewtonStatus::iteration_limit);
  EXPECT_EQ(result.iterations.size(), 7u);
  EXPECT_NE(result.diagnosis.find("after 7 iterations"), std::string::npos) << result.diagnosis;
  EXPECT_NE(result.diagnosis.find("The largest term is large part"), std::string::npos) << result.diagnosis;
}

TEST(NewtonFailure, WrongGradientIsALineSearchFailureWithAdvice) {
  DenseEnergy problem = convex_problem(vector({1, 2}));
  const auto gradient = problem.gradient_of;
  problem.gradient_of = [gradient](const Vector& x) { return Vector(-gradient(x)); };
  Vector x = Vector::Zero(2);
  const NewtonResult result = run(problem, x);
  EXPECT_EQ(result.status, NewtonStatus::line_search_failed);
  EXPECT_NE(result.diagnosis.find("Try another gradient."), std::string::npos) << result.diagnosis;
  EXPECT_EQ(x.norm(), 0) << "the best point stays";
}

TEST(NewtonFailure, UncurablyIndefiniteHessian) {
  DenseEnergy problem = convex_problem(vector({1, 1}));
  problem.hessian_of = [](const Vector&) {
    Matrix h(2, 2);
    h << 1, 1e20, 1e20, 1;
    return h;
  };
  Vector x = vector({0, 0});
  const NewtonResult result = run(problem, x);
  EXPECT_EQ(result.status, NewtonStatus::not_positive_definite);
  EXPECT_NE(result.diagnosis.find("not positive definite"), std::string::npos);
}

TEST(NewtonFailure, InfeasibleStart) {
  for (double value : {unbounded, std::nan(""), -unbounded}) {
    DenseEnergy problem = convex_problem(vector({1}));
    problem.value = [value](const Vector&) { return value; };
    Vector x = vector({0});
    const NewtonResult result = run(problem, x);
    EXPECT_EQ(result.status, NewtonStatus::infeasible_start);
    EXPECT_TRUE(result.iterations.empty());
    EXPECT_NE(result.diagnosis.find("not finite at the starting point"), std::string::npos);
  }
}

TEST(NewtonFailure, GradientOrHessianNotFinite) {
  for (bool in_gradient : {true, false}) {
    DenseEnergy problem = convex_problem(vector({1, 1}));
    if (in_gradient)
      problem.gradient_of = [](const Vector&) { return vector({1, std::nan("")}); };
    else
      problem.hessian_of = [](const Vector&) { return Matrix::Constant(2, 2, unbounded); };
    Vector x = Vector::Zero(2);
    EXPECT_EQ(run(problem, x).status, NewtonStatus::not_finite);
  }
}

TEST(Newton, AnalysesThePatternOnce) {
  DenseEnergy problem = convex_problem(vector({1, 2}));
  NewtonWorkspace workspace;
  for (double start : {0.0, 3.0}) {
    Vector x = Vector::Constant(2, start);
    const NewtonResult result = minimize(problem, x, {}, workspace);
    EXPECT_EQ(result.status, NewtonStatus::converged);
    EXPECT_EQ(result.factorizations, static_cast<int>(result.iterations.size()));
  }
  EXPECT_EQ(workspace.analyses(), 1);
}

// A matrix is said to have another pattern: it is analyzed again only where the pattern is another one indeed.
TEST(Newton, ADirectionKeepsTheSymbolicFactorizationOfAnEqualPattern) {
  auto lower = [](double below) {
    SparseMatrix matrix(2, 2);
    std::vector<Eigen::Triplet<double>> entries = {{0, 0, 4}, {1, 1, 3}};
    if (below != 0) entries.emplace_back(1, 0, below);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  };
  const SparseMatrix full = lower(2), same = lower(-2), diagonal = lower(0);
  NewtonWorkspace workspace;
  Vector p;
  ASSERT_TRUE(newton_direction(full, vector({8, 2}), p, workspace));
  EXPECT_LT((p - vector({-2.5, 1})).norm(), 1e-15);  // [4 2; 2 3] p = -[8, 2]
  ASSERT_TRUE(newton_direction(same, vector({8, -2}), p, workspace));
  EXPECT_LT((p - vector({-2.5, -1})).norm(), 1e-15);
  EXPECT_EQ(workspace.analyses(), 1);
  ASSERT_TRUE(newton_direction(diagonal, vector({8, 3}), p, workspace));
  EXPECT_LT((p - vector({-2, -1})).norm(), 1e-15);
  EXPECT_EQ(workspace.analyses(), 2);
  ASSERT_TRUE(newton_direction(full, vector({8, 2}), p, workspace)) << "another matrix than the last one";
  EXPECT_EQ(workspace.analyses(), 3);
  EXPECT_FALSE(newton_direction(lower(9), vector({1, 1}), p, workspace)) << "indefinite";
}

TEST(Newton, EveryStatusHasAName) {
  for (NewtonStatus status : {NewtonStatus::converged, NewtonStatus::iteration_limit, NewtonStatus::line_search_failed,
                              NewtonStatus::not_positive_definite, NewtonStatus::infeasible_start, NewtonStatus::not_finite})
    EXPECT_NE(to_string(status), "unknown");
}

}  // namespace
}  // namespace holo
