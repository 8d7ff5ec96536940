#include <gtest/gtest.h>

#include <functional>

#include "diff_tape/functions.h"
#include "diff_tape/nodes.h"
#include "holo/diff/matrix.h"
#include "holo/diff/tape/drivers.h"

namespace holo {
namespace {

using test::difference;
using test::largest;

using test::matrix;
using test::numbers;

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
