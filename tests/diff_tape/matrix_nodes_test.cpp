#include <gtest/gtest.h>

#include <Eigen/LU>
#include <functional>
#include <random>

#include "diff_tape/functions.h"
#include "holo/diff/matrix.h"
#include "holo/diff/tape/drivers.h"
#include "holo/diff/tape/solve_nodes.h"

namespace holo {
namespace {

using test::difference;
using test::largest;

std::vector<double> numbers(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> x(n);
  for (double& entry : x) entry = uniform(random);
  return x;
}
Eigen::MatrixXd matrix(int rows, int columns, unsigned seed) {
  const std::vector<double> x = numbers(std::size_t(rows * columns), seed);
  return Eigen::Map<const Eigen::MatrixXd>(x.data(), rows, columns);
}

// <ybar, J v> = <J' ybar, v> with all three in the algebra of Nilpotent<1>: J v comes from the second unit of Nilpotent<2>.
template <class Node>
void expect_adjoint(const Node& node, int inputs, double tolerance = 1e-13) {
  using S = Nilpotent<2>;
  using R = Nilpotent<1>;
  const std::vector<double> x = numbers(inputs, 1), e = numbers(inputs, 2), v = numbers(inputs, 3), ev = numbers(inputs, 4);
  Tape<S> forward;
  std::vector<Variable<S>> fx;
  for (int i = 0; i < inputs; ++i) {
    S s = S::seed(x[i], {e[i], v[i]});  // x + e eps + (v + ev eps) eta
    s.set_coefficient<3>(ev[i]);
    fx.push_back(forward.variable(s));
  }
  const auto fy = node(std::span<const Variable<S>>(fx));
  Tape<R> reverse;
  std::vector<Variable<R>> rx;
  for (int i = 0; i < inputs; ++i) rx.push_back(reverse.variable(R::seed(x[i], {e[i]})));
  const auto ry = node(std::span<const Variable<R>>(rx));
  ASSERT_EQ(fy.size(), ry.size());
  const std::vector<double> a = numbers(ry.size(), 5), b = numbers(ry.size(), 6);
  R left = 0.0, right = 0.0;
  double scale = 0;
  reverse.begin_sweep();
  for (std::size_t i = 0; i < ry.size(); ++i) {
    const R bar = R::seed(a[i], {b[i]}), tangent = R::seed(fy[i].value().coefficient(2), {fy[i].value().coefficient(3)});
    left += bar * tangent;
    scale += std::abs(a[i] * tangent.value()) + std::abs(a[i] * tangent.derivative()) + std::abs(b[i] * tangent.value());
    reverse.accumulate(ry[i].index(), bar);
  }
  reverse.sweep();
  for (int i = 0; i < inputs; ++i) right += reverse.adjoint(rx[i]) * R::seed(v[i], {ev[i]});
  EXPECT_GT(scale, 1e-3);
  EXPECT_NEAR(left.value(), right.value(), tolerance * scale);
  EXPECT_NEAR(left.derivative(), right.derivative(), tolerance * scale);
}

template <class T>
std::vector<Variable<T>> entries(const MatrixVariable<T>& z) {
  std::vector<Variable<T>> result;
  for (int j = 0; j < z.columns(); ++j)
    for (int i = 0; i < z.rows(); ++i) result.push_back(z(i, j));
  return result;
}
template <class T>
std::vector<Variable<T>> entries(const Variable<T>& z) {
  return {z};
}

// 5 x 5 from 25 variables, well conditioned.
constexpr auto square_matrix = [](const auto& x) {
  const auto X = gather(x.first(25), 5, 5);
  return X + constant_matrix(X.tape(), 4 * Eigen::MatrixXd::Identity(5, 5));
};

#define NODE(...) [&](auto x) { return entries(__VA_ARGS__); }

TEST(MatrixNodes, AdjointsAreTransposesOfDerivatives) {
  const Eigen::MatrixXd A = matrix(3, 4, 7);
  expect_adjoint(NODE(dot(gather(x.first(6), 6), gather(x.last(6), 6))), 12);
  expect_adjoint(NODE(squared_norm(gather(x, 7))), 7);
  expect_adjoint(NODE(norm(gather(x, 7))), 7);
  expect_adjoint(NODE(normalize(gather(x, 5))), 5);
  expect_adjoint(NODE(gather(x.first(6), 2, 3) * gather(x.last(12), 3, 4)), 18);
  expect_adjoint(NODE(A * gather(x, 4, 2)), 8);
  expect_adjoint(NODE(gather(x, 2, 3) * A), 6);
  expect_adjoint(NODE(gather(x.first(4), 2, 2) - gather(x.last(4), 2, 2)), 8);
  expect_adjoint(NODE(x[0] * gather(x.last(6), 2, 3)), 7);
  expect_adjoint(NODE(trace(gather(x, 3, 3))), 9);
  expect_adjoint(NODE(trace_of_product(A, gather(x, 4, 3))), 12);
  expect_adjoint(NODE(sum(gather(x, 4, 3))), 12);
  expect_adjoint(NODE(cross(gather(x.first(3), 3), gather(x.last(3), 3))), 6);
  expect_adjoint(NODE(outer(gather(x.first(3), 3), gather(x.last(4), 4))), 7);
  expect_adjoint(NODE(block(gather(x, 4, 3), 1, 1, 2, 2)), 12);
  const std::vector<int> places{2, 0, 2, 5};
  expect_adjoint(NODE(scatter_add(gather(x, 4), places, 3, 2)), 4);
  expect_adjoint(NODE(gather_entries(gather(x, 3, 2), places, 4)), 6);
}

TEST(MatrixNodes, AdjointsOfSolvesAndDeterminants) {
  expect_adjoint(NODE(solve(square_matrix(x), gather(x.last(10), 5, 2))), 35);
  expect_adjoint(NODE(inverse(square_matrix(x))), 25);
  expect_adjoint(NODE(log_determinant(square_matrix(x))), 25);
  expect_adjoint(NODE(determinant(square_matrix(x))), 25);
  expect_adjoint(NODE(determinant(gather(x, 3, 3))), 9);
  expect_adjoint(NODE(determinant(gather(x, 2, 2))), 4);
  MatrixPattern dense{4, {0, 1, 3, 2, 0}, {0, 2, 1, 3, 0}, false, false, matrix(4, 4, 8) + 5 * Eigen::MatrixXd::Identity(4, 4)};
  expect_adjoint(NODE(solve(dense, gather(x.first(5), 5), gather(x.last(4), 4))), 9);
  MatrixPattern sparse{4, {0, 1, 2, 3, 1, 3}, {0, 1, 2, 3, 0, 2}, true, true, {}};
  const Eigen::MatrixXd shift = (Eigen::VectorXd(6) << 4, 4, 4, 4, 0, 0).finished();
  expect_adjoint(NODE(solve(sparse, gather(x.first(6), 6) + constant_matrix(*x[0].tape(), shift), gather(x.last(4), 4))), 10);
}

// The same function with Eigen-free scalar loops, forward.
TEST(MatrixNodes, HessianOfACompositeAgreesWithForwardDerivatives) {
  const auto scalar = [](const auto& x) {
    using S = std::remove_cvref_t<decltype(x[0])>;
    Matrix3<S> A{};
    Vector3<S> b{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) A(i, j) = x[3 * j + i] + (i == j ? 3.0 : 0.0);
    for (int i = 0; i < 3; ++i) b[i] = x[9 + i];
    const Matrix3<S> X = inverse(A);
    const Vector3<S> y = X * b;
    return dot(y, A * y) + log(determinant(A)) + norm(y) + dot(X, A * A) + sin(y[1]);
  };
  const auto nodes = [](const auto& x) {
    const auto G = gather(x.first(9), 3, 3);
    const auto A = G + constant_matrix(G.tape(), 3 * Eigen::MatrixXd::Identity(3, 3));
    const auto y = solve(A, gather(x.last(3), 3));
    return dot(y, A * y) + log_determinant(A) + norm(y) + dot(inverse(A), A * A) + sin(y(1));
  };
  const std::vector<double> x = numbers(12, 3);
  const auto expected = hessian(scalar, x);
  const auto h = taped_hessian(nodes, x);
  EXPECT_NEAR(h.value, expected.value, 1e-14 * std::abs(expected.value));
  EXPECT_LE(difference(h.gradient, expected.gradient), 1e-14 * largest(expected.gradient));
  EXPECT_LE(difference(h.hessian, expected.hessian), 1e-14 * largest(expected.hessian));
}

TEST(MatrixNodes, AllColumnsOfAHessianShareOneFactorization) {
  MatrixPattern pattern{50, {}, {}, false, false, matrix(50, 50, 8) + 9 * Eigen::MatrixXd::Identity(50, 50)};
  for (int k = 0; k < 70; ++k) pattern.rows.push_back(k % 50), pattern.columns.push_back((7 * k) % 50);
  const auto f = [&](const auto& x) {
    const auto G = gather(x, 70);
    const auto y = solve(pattern, G, block(G, 0, 0, 50, 1));
    return dot(y, y) + sin(y(3));
  };
  TapedFunction taped(f, 70);
  const std::vector<double> x = numbers(70, 1);
  std::vector<double> g(70), h(4900), again(4900);
  taped.hessian(x, g, h);
  EXPECT_EQ(taped.factorizations(), 1);
  {
    const ThreadLimit limit(1);
    taped.hessian(x, g, again);
  }
  EXPECT_EQ(taped.factorizations(), 2);
  EXPECT_EQ(h, again);
  for (int i = 0; i < 70; ++i)
    for (int j = 0; j < i; ++j) EXPECT_NEAR(h[70 * i + j], h[70 * j + i], 1e-13 * largest(h));
}

TEST(MatrixNodesBadInput, SingularMatricesAndShapesAreRefused) {
  Tape<double> tape;
  std::vector<Variable<double>> x;
  for (int i = 0; i < 4; ++i) x.push_back(tape.variable(1.0));
  const auto singular = gather(x, 2, 2), vector = gather(x, 4, 1);
  const auto kind = [](const std::function<void()>& f) {
    try {
      f();
    } catch (const TensorError& error) {
      return error.kind();
    }
    return TensorError::Kind::no_eigenpair;
  };
  using Kind = TensorError::Kind;
  EXPECT_EQ(kind([&] { inverse(singular); }), Kind::singular);
  EXPECT_EQ(kind([&] { log_determinant(singular); }), Kind::singular);
  EXPECT_EQ(kind([&] { solve(singular, vector); }), Kind::singular);
  EXPECT_EQ(kind([&] { vector* vector; }), Kind::dimension_mismatch);
  EXPECT_EQ(kind([&] { dot(singular, vector); }), Kind::dimension_mismatch);
  EXPECT_EQ(kind([&] { gather(x, 3, 3); }), Kind::dimension_mismatch);
  EXPECT_EQ(kind([&] { singular(2, 0); }), Kind::dimension_mismatch);
  MatrixPattern pattern{2, {0, 2}, {0, 1}, false, false, {}};
  EXPECT_EQ(kind([&] { solve(pattern, vector, vector); }), Kind::dimension_mismatch);
  EXPECT_EQ(kind([&] { solve(pattern, gather(std::vector{x[0], x[1]}, 2), vector); }), Kind::dimension_mismatch);
  EXPECT_EQ(kind([&] { gather(std::vector<Variable<double>>{1.0, 2.0}, 2); }), Kind::empty);
}

}  // namespace
}  // namespace holo
