// Minimizers without a matrix, on functions with known minima.
#include "holo/opt/matrix_free.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <functional>
#include <limits>

namespace holo {
namespace matrix_free_tests {

constexpr double unbounded = std::numeric_limits<double>::infinity();
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// A function of a few numbers with its derivatives and a diagonal preconditioner; counts the calls.
struct DifferentiableFunction : NewtonProblem, MatrixFreeHessian {
  std::function<double(const Vector&)> value;
  std::function<Vector(const Vector&)> gradient_of;
  std::function<Matrix(const Vector&)> hessian_of;
  std::function<Vector(const Vector&)> diagonal_of = [](const Vector& x) { return Vector(Vector::Ones(x.size())); };
  std::function<double(const Vector&, const Vector&)> limit = [](const Vector&, const Vector&) { return 1.0; };
  Vector point, diagonal;
  int size = 0, products = 0, linearizations = 0;

  int dimension() const override { return size; }
  double energy(const Vector& x) override { return value(x); }
  PatternChange derivatives(const Vector&, Curvature, Vector&, SparseMatrix&) override {
    ADD_FAILURE() << "a minimizer without a matrix asks for one";
    return PatternChange::unchanged;
  }
  double feasible_step(const Vector& x, const Vector& direction) override { return limit(x, direction); }
  double step_size(const Vector& direction) const override { return direction.norm(); }
  std::vector<Term> terms(const Vector& x) override { return {{"all of it", value(x), gradient_of(x).norm()}}; }
  std::string advice(NewtonStatus status, const Vector&) const override {
    return status == NewtonStatus::line_search_failed ? "another gradient" : "";
  }

  void linearize(const Vector& x, bool with_products, Vector& result) override {
    ++linearizations;
    point = x;
    diagonal = diagonal_of(x);
    has_products = with_products;
    result = gradient_of(x);
  }
  void gradient(const Vector& x, Vector& result) override { result = gradient_of(x); }
  void multiply(const Vector& direction, Vector& product) override {
    EXPECT_TRUE(has_products);
    ++products;
    product = hessian_of(point) * direction;
  }
  void precondition(const Vector& residual, Vector& result) override { result = residual.cwiseQuotient(diagonal); }
  bool has_products = false;
};

// 1/2 x.A x - b.x of a chain of n springs of unlike stiffness, with its closed-form preconditioner, the diagonal of A.
DifferentiableFunction chain(int n) {
  Matrix A = Matrix::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    const double stiffness = 1 + 100.0 * (i % 3);
    A(i, i) += stiffness;
    if (i > 0) {
      A(i - 1, i - 1) += stiffness;
      A(i, i - 1) -= stiffness;
      A(i - 1, i) -= stiffness;
    }
  }
  const Vector b = Vector::LinSpaced(n, -1, 2);
  DifferentiableFunction f;
  f.size = n;
  f.value = [=](const Vector& x) { return 0.5 * x.dot(A * x) - b.dot(x); };
  f.gradient_of = [=](const Vector& x) { return Vector(A * x - b); };
  f.hessian_of = [=](const Vector&) { return A; };
  f.diagonal_of = [=](const Vector&) { return Vector(A.diagonal()); };
  return f;
}

Vector minimum_of_chain(int n) {
  DifferentiableFunction f = chain(n);
  return f.hessian_of(Vector::Zero(n)).partialPivLu().solve(-f.gradient_of(Vector::Zero(n)));
}

// (1 - x)^2 + 100 (y - x^2)^2, whose minimum is (1, 1).
DifferentiableFunction rosenbrock() {
  DifferentiableFunction f;
  f.size = 2;
  f.value = [](const Vector& x) { return std::pow(1 - x[0], 2) + 100 * std::pow(x[1] - x[0] * x[0], 2); };
  f.gradient_of = [](const Vector& x) {
    const double d = x[1] - x[0] * x[0];
    return Vector(Eigen::Vector2d(-2 * (1 - x[0]) - 400 * x[0] * d, 200 * d));
  };
  f.hessian_of = [](const Vector& x) {
    Matrix h(2, 2);
    h << 2 - 400 * (x[1] - 3 * x[0] * x[0]), -400 * x[0], -400 * x[0], 200;
    return h;
  };
  return f;
}

// sum (x_i^2 - 1)^2, with a maximum at 0 and minima at +-1.
DifferentiableFunction double_wells(int n) {
  DifferentiableFunction f;
  f.size = n;
  f.value = [](const Vector& x) { return (x.array().square() - 1).square().sum(); };
  f.gradient_of = [](const Vector& x) { return Vector((4 * x.array() * (x.array().square() - 1)).matrix()); };
  f.hessian_of = [](const Vector& x) { return Matrix((12 * x.array().square() - 4).matrix().asDiagonal()); };
  return f;
}

// x - ln x, whose minimum is 1, with the domain x > 0.
DifferentiableFunction barrier() {
  DifferentiableFunction f;
  f.size = 1;
  f.value = [](const Vector& x) { return x[0] > 0 ? x[0] - std::log(x[0]) : unbounded; };
  f.gradient_of = [](const Vector& x) { return Vector(Vector::Constant(1, 1 - 1 / x[0])); };
  f.hessian_of = [](const Vector& x) { return Matrix(Matrix::Constant(1, 1, 1 / (x[0] * x[0]))); };
  f.limit = [](const Vector& x, const Vector& p) { return p[0] < 0 ? std::min(1.0, -0.9 * x[0] / p[0]) : 1.0; };
  return f;
}

NewtonResult by_pcg(DifferentiableFunction& f, Vector& x, const NewtonPcgOptions& options = {}) {
  MatrixFreeWorkspace workspace;
  return minimize_by_pcg(f, f, x, options, workspace);
}

NewtonResult by_descent(DifferentiableFunction& f, Vector& x, const NewtonOptions& options = {}) {
  MatrixFreeWorkspace workspace;
  return minimize_by_descent(f, f, x, options, workspace);
}

TEST(NewtonPcg, SolvesAQuadraticInOneDirectionOfAtMostAsManyProductsAsUnknowns) {
  DifferentiableFunction f = chain(30);
  Vector x = Vector::Zero(30);
  const NewtonResult result = by_pcg(f, x, {.newton = {.tolerance = 1e-9}, .linear_tolerance = 1e-13});
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
  EXPECT_LT((x - minimum_of_chain(30)).norm(), 1e-10 * x.norm());
  EXPECT_EQ(result.iterations.size(), 2u);
  EXPECT_LE(result.iterations.front().products, 32);  // two more for rounding
  EXPECT_EQ(result.products, f.products);
  EXPECT_EQ(result.products, result.iterations[0].products + result.iterations[1].products);
  EXPECT_EQ(result.factorizations, 0);
}

TEST(NewtonPcg, ADiagonalHessianIsSolvedByOneProduct) {
  DifferentiableFunction f = double_wells(5);
  f.diagonal_of = [](const Vector& x) { return Vector((12 * x.array().square() - 4).matrix()); };
  Vector x = Vector::LinSpaced(5, 0.8, 1.3);
  const NewtonResult result = by_pcg(f, x, {.newton = {.tolerance = 1e-12}});
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
  for (const NewtonIteration& iteration : result.iterations) EXPECT_LE(iteration.products, 1);
  EXPECT_LT((x - Vector::Ones(5)).norm(), 1e-12);
}

TEST(NewtonPcg, RosenbrockIsSolvedFromItsHardStart) {
  DifferentiableFunction f = rosenbrock();
  Vector x = Eigen::Vector2d(-1.2, 1);
  const NewtonResult result = by_pcg(f, x, {.newton = {.tolerance = 1e-10}, .linear_tolerance = 1e-10});
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
  EXPECT_NEAR(x[0], 1, 1e-11);
  EXPECT_NEAR(x[1], 1, 1e-11);
  for (std::size_t i = 1; i < result.iterations.size(); ++i)
    EXPECT_LE(result.iterations[i].energy, result.iterations[i - 1].energy);
}

// Near the maximum each direction has negative curvature: the gradient leads away from there.
TEST(NewtonPcg, NegativeCurvatureIsLeftAlongTheGradient) {
  DifferentiableFunction f = double_wells(3);
  Vector x = Eigen::Vector3d(0.01, -0.02, 0.03);
  const NewtonResult result = by_pcg(f, x, {.newton = {.tolerance = 1e-10}});
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
  EXPECT_EQ(result.iterations.front().products, 1);
  EXPECT_LT((x.cwiseAbs() - Vector::Ones(3)).norm(), 1e-10);
}

// Where curvature turns negative after a first good direction, what was found so far is a step of descent.
TEST(NewtonPcg, NegativeCurvatureEndsTheDirectionWithWhatThereIs) {
  DifferentiableFunction f = double_wells(2);
  Vector x = Eigen::Vector2d(1.5, 0.05);  // positive curvature along the first, negative along the second
  MatrixFreeWorkspace workspace;
  const NewtonResult result = minimize_by_pcg(f, f, x, {.newton = {.tolerance = 1e-10, .max_iterations = 1}}, workspace);
  EXPECT_EQ(result.status, NewtonStatus::iteration_limit);
  ASSERT_EQ(result.iterations.size(), 1u);
  EXPECT_EQ(result.iterations[0].products, 2);
  EXPECT_LT(f.value(x), f.value(Eigen::Vector2d(1.5, 0.05)));
}

TEST(NewtonPcg, AStepIsCutToTheDomain) {
  DifferentiableFunction f = barrier();
  Vector x = Vector::Constant(1, 3);
  const NewtonResult result = by_pcg(f, x, {.newton = {.tolerance = 1e-12}});
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
  EXPECT_NEAR(x[0], 1, 1e-12);
}

// A direction that was not solved is never the last one, however short it is.
TEST(NewtonPcg, ATruncatedDirectionIsTakenButDoesNotEndTheMinimization) {
  DifferentiableFunction f = chain(30);
  Vector x = Vector::Zero(30);
  const NewtonResult result = by_pcg(f, x, {.newton = {.tolerance = 1e3, .max_iterations = 7}, .max_linear_iterations = 2});
  EXPECT_EQ(result.status, NewtonStatus::iteration_limit);
  EXPECT_EQ(result.iterations.size(), 7u);
  EXPECT_EQ(result.products, 14);
  for (std::size_t i = 1; i < 7; ++i) EXPECT_LT(result.iterations[i].energy, result.iterations[i - 1].energy);
}

TEST(NewtonPcg, AStationaryPointIsLeftAsItIs) {
  DifferentiableFunction f = double_wells(3);
  Vector x = Vector::Ones(3);
  const NewtonResult result = by_pcg(f, x);
  EXPECT_EQ(result.status, NewtonStatus::converged);
  EXPECT_EQ(result.products, 0);
  EXPECT_EQ(x, Vector::Ones(3));
}

TEST(GradientDescent, ReachesTheMinimumOfAQuadratic) {
  DifferentiableFunction f = chain(5);
  Vector x = Vector::Zero(5);
  const NewtonResult result = by_descent(f, x, {.tolerance = 1e-6, .max_iterations = 100'000});
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
  EXPECT_LT((x - minimum_of_chain(5)).norm(), 1e-2 * x.norm());  // the smallest eigenvalue of M^-1 A is about 1e-3
  EXPECT_EQ(f.products, 0);
  EXPECT_EQ(f.linearizations, static_cast<int>((result.iterations.size() + 31) / 32));
  for (std::size_t i = 1; i < result.iterations.size(); ++i)
    EXPECT_LE(result.iterations[i].energy, result.iterations[i - 1].energy + 1e-12);
}

// With the Hessian itself as the preconditioner the direction is Newton's, which leads to the minimum.
TEST(GradientDescent, WithTheHessianAsPreconditionerAStepIsAPartOfNewtons) {
  DifferentiableFunction f = double_wells(4);
  f.diagonal_of = [](const Vector& x) { return Vector((12 * x.array().square() - 4).matrix()); };
  Vector x = Vector::Constant(4, 1.001);
  const NewtonResult result = by_descent(f, x, {.tolerance = 1e-4, .max_iterations = 1});
  ASSERT_EQ(result.iterations.size(), 1u);
  EXPECT_EQ(result.iterations[0].step_length, 0.5);  // at first twice a quarter
  EXPECT_LT((x - Vector::Constant(4, 1.0005)).norm(), 1e-5);
}

TEST(GradientDescent, TheLimitOfIterationsLeavesTheBestPointAndSaysSo) {
  DifferentiableFunction f = rosenbrock();
  Vector x = Eigen::Vector2d(-1.2, 1);
  const double before = f.value(x);
  const NewtonResult result = by_descent(f, x, {.tolerance = 1e-12, .max_iterations = 20});
  EXPECT_EQ(result.status, NewtonStatus::iteration_limit);
  EXPECT_LT(f.value(x), before);
  EXPECT_EQ(result.energy, f.value(x));
  EXPECT_EQ(result.diagnosis.find("gradient descent: after 20 iterations"), 0u) << result.diagnosis;
}

TEST(GradientDescent, AStepIsCutToTheDomain) {
  DifferentiableFunction f = barrier();
  Vector x = Vector::Constant(1, 0.01);
  const NewtonResult result = by_descent(f, x, {.tolerance = 1e-9, .max_iterations = 10'000});
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
  EXPECT_NEAR(x[0], 1, 1e-8);
}

// ---- failures, of both

using Minimize = NewtonResult (*)(DifferentiableFunction&, Vector&);
NewtonResult pcg(DifferentiableFunction& f, Vector& x) { return by_pcg(f, x); }
NewtonResult descent(DifferentiableFunction& f, Vector& x) { return by_descent(f, x); }

struct Method {
  Minimize minimize;
  const char* name;
};
const Method methods[] = {{pcg, "Newton with conjugate gradients: "}, {descent, "gradient descent: "}};

TEST(MatrixFreeBadInput, AnInfeasibleStartIsSaid) {
  for (const Method& method : methods) {
    DifferentiableFunction f = barrier();
    Vector x = Vector::Constant(1, -2);
    const NewtonResult result = method.minimize(f, x);
    EXPECT_EQ(result.status, NewtonStatus::infeasible_start);
    EXPECT_EQ(result.diagnosis.find(method.name + std::string("the energy is not finite at the starting point")), 0u)
        << result.diagnosis;
    EXPECT_EQ(x[0], -2);
  }
}

TEST(MatrixFreeBadInput, AGradientThatIsNotFiniteIsSaid) {
  for (const Method& method : methods) {
    DifferentiableFunction f = rosenbrock();
    f.gradient_of = [](const Vector&) { return Vector(Eigen::Vector2d(std::nan(""), 1)); };
    Vector x = Eigen::Vector2d(-1.2, 1);
    const NewtonResult result = method.minimize(f, x);
    EXPECT_EQ(result.status, NewtonStatus::not_finite);
    EXPECT_EQ(x, Vector(Eigen::Vector2d(-1.2, 1)));
  }
}

TEST(MatrixFreeBadInput, AProductThatIsNotFiniteIsSaid) {
  DifferentiableFunction f = rosenbrock();
  f.hessian_of = [](const Vector&) { return Matrix(Matrix::Constant(2, 2, std::nan(""))); };
  Vector x = Eigen::Vector2d(-1.2, 1);
  EXPECT_EQ(by_pcg(f, x).status, NewtonStatus::not_finite);
  EXPECT_EQ(x, Vector(Eigen::Vector2d(-1.2, 1)));
}

TEST(MatrixFreeBadInput, AGradientThatIsNoneOfTheEnergyFailsInTheLineSearch) {
  for (const Method& method : methods) {
    DifferentiableFunction f = rosenbrock();
    f.gradient_of = [right = f.gradient_of](const Vector& x) { return Vector(-right(x)); };
    f.hessian_of = [](const Vector&) { return Matrix(Matrix::Identity(2, 2)); };
    Vector x = Eigen::Vector2d(-1.2, 1);
    const NewtonResult result = method.minimize(f, x);
    EXPECT_EQ(result.status, NewtonStatus::line_search_failed);
    EXPECT_NE(result.diagnosis.find("all of it"), std::string::npos) << result.diagnosis;
    EXPECT_NE(result.diagnosis.find("Try another gradient."), std::string::npos) << result.diagnosis;
    EXPECT_EQ(x, Vector(Eigen::Vector2d(-1.2, 1)));
  }
}

}  // namespace matrix_free_tests
}  // namespace holo
