// What single nodes compute, by what defines it, and what they refuse.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <functional>
#include <limits>

#include "diff_tape/functions.h"
#include "diff_tape/nodes.h"
#include "holo/diff/tape/drivers.h"

namespace holo::test {
namespace {

namespace mp = boost::multiprecision;
using Reference = mp::number<mp::cpp_bin_float<100>, mp::et_off>;

// Of four rows, by Laplace's rule.
Reference determinant_of(const std::vector<Reference>& a) {
  const auto at = [&](int i, int j) { return a[std::size_t(4 * j + i)]; };
  const auto minor_of = [&](int i, int j, int k) {  // columns i, j, k without row 0
    return at(1, i) * (at(2, j) * at(3, k) - at(2, k) * at(3, j)) - at(1, j) * (at(2, i) * at(3, k) - at(2, k) * at(3, i)) +
           at(1, k) * (at(2, i) * at(3, j) - at(2, j) * at(3, i));
  };
  return at(0, 0) * minor_of(1, 2, 3) - at(0, 1) * minor_of(0, 2, 3) + at(0, 2) * minor_of(0, 1, 3) -
         at(0, 3) * minor_of(0, 1, 2);
}

TEST(NodeValues, DeterminantsOfSingularMatricesHaveTheDerivativesOfHundredDigits) {
  for (int rank : {1, 2, 3, 4}) {
    SCOPED_TRACE(rank);
    const Eigen::MatrixXd A = matrix(4, rank, 21) * matrix(rank, 4, 22);
    const std::vector<double> x(A.data(), A.data() + 16);
    const auto found = taped_hessian([](const auto& y) { return determinant(gather(y, 4, 4)); }, x);
    ASSERT_TRUE(found.status.ok());
    // Singular values are found to n^2 roundings of the norm, and derivatives are of degree 3 and 2 in the matrix.
    const double rounding = 16 * std::numeric_limits<double>::epsilon(), norm = A.norm();
    const Reference h("1e-25");
    const auto moved = [&](std::size_t i, int si, std::size_t j, int sj) {
      std::vector<Reference> at(x.begin(), x.end());
      at[i] += si * h;
      at[j] += sj * h;
      return determinant_of(at);
    };
    for (std::size_t i = 0; i < 16; ++i) {
      const Reference slope = (moved(i, 1, i, 0) - moved(i, -1, i, 0)) / (2 * h);
      EXPECT_NEAR(double(slope), found.gradient[i], rounding * norm * norm * norm);
      for (std::size_t j = 0; j < 16; ++j) {
        const Reference second =
            (moved(i, 1, j, 1) - moved(i, 1, j, -1) - moved(i, -1, j, 1) + moved(i, -1, j, -1)) / (4 * h * h);
        EXPECT_NEAR(double(second), found.hessian[16 * i + j], rounding * norm * norm);
      }
    }
    EXPECT_GT(rank >= 3 ? largest(found.gradient) : 1.0, 1e-2);
    EXPECT_GT(rank >= 2 ? largest(found.hessian) : 1.0, 1e-2);
  }
}

template <class T>
double largest_entry_of(const MatrixVariable<T>& z) {
  return largest({z.block()->values, z.size() * detail::Planes<T>::count});
}

// In every coefficient of numbers of second order.
TEST(NodeValues, DecompositionsFulfilTheirEquations) {
  using S = Nilpotent<2>;
  Tape<S> tape;
  std::vector<Variable<S>> x;
  const std::vector<double> u = numbers(16, 2), v = numbers(16, 3), at = point_of(16);
  for (std::size_t i = 0; i < 16; ++i) x.push_back(tape.variable(S::seed(at[i], {u[i], v[i]})));
  const std::span<const Variable<S>> all(x);
  const auto I = constant_matrix(tape, Eigen::MatrixXd::Identity(3, 3));
  for (const Eigen::MatrixXd& center : {diagonal({1, 1, 1}), diagonal({2, 1, -0.4}), diagonal({1.5, 1.5, 0.2})}) {
    const auto F = around(all, center);
    const auto [R, P] = polar_decomposition(F);
    EXPECT_LE(largest_entry_of(transpose(R) * R - I), 1e-14);
    EXPECT_LE(largest_entry_of(R * P - F), 1e-13);
    EXPECT_LE(largest_entry_of(P - transpose(P)), 1e-13);
  }
  const auto A = symmetric_around(all, with_eigenvalues({1, 2, 2, 5}));
  const auto L = cholesky_factor(A);
  EXPECT_LE(largest_entry_of(L * transpose(L) - A), 1e-14);
  const auto root = spectral_function(A, [](const auto& y) { return sqrt(y); });
  EXPECT_LE(largest_entry_of(root * root - A), 1e-13);
  const auto F = around(all, diagonal({2, 1, -0.5}));
  const auto s = signed_singular_values(F);
  const auto product = s(0) * s(1) * s(2) - determinant(F), squares = squared_norm(s) - squared_norm(F);
  for (int mask = 0; mask < 4; ++mask) {
    EXPECT_NEAR(product.value().coefficient(mask), 0, 1e-13);
    EXPECT_NEAR(squares.value().coefficient(mask), 0, 1e-13);
  }
}

// Through equal stretches the gradient of what is symmetric in them is exact.
TEST(NodeValues, SingularValuesMayBeEqualForAGradient) {
  const auto by_values = [](const auto& x) {
    const auto s = signed_singular_values(gather(x, 3, 3));
    return s(0) * s(1) * s(2) + pow(s(0), 4) + pow(s(1), 4) + pow(s(2), 4);
  };
  const auto directly = [](const auto& x) {
    const auto F = gather(x, 3, 3), C = transpose(F) * F;
    return determinant(F) + dot(C, C);
  };
  for (const std::vector<double>& x : {std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 2, 0, -2, 0, 0, 0, 0, -2}})
    EXPECT_LE(difference(taped_gradient(by_values, x).gradient, taped_gradient(directly, x).gradient), 1e-13);
}

// Abar is symmetric also where the derivatives of A are not: only the symmetric part of A counts.
TEST(NodeValues, AdjointsOfSymmetricMatricesAreSymmetric) {
  Tape<double> tape;
  std::vector<Variable<double>> x;
  const Eigen::MatrixXd A = with_eigenvalues({1, 2, 5});
  for (double entry : A.reshaped()) x.push_back(tape.variable(entry));
  const auto X = gather(x, 3, 3);
  const auto value = dot(cholesky_factor(X), constant_matrix(tape, matrix(3, 3, 4))) +
                     dot(spectral_function(X, [](const auto& y) { return exp(y); }), constant_matrix(tape, matrix(3, 3, 5)));
  tape.reverse(value);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NEAR(tape.adjoint(x[3 * j + i]), tape.adjoint(x[3 * i + j]), 1e-14 * std::abs(tape.adjoint(x[3 * i + j])));
      EXPECT_GT(std::abs(tape.adjoint(x[3 * j + i])), 1e-3);
    }
}

// The energy is asked at the point once, whatever the number of columns.
TEST(NodeValues, ElementsAreDifferentiatedOnceForAllColumns) {
  int calls = 0;
  std::vector<int> places;
  for (int k = 0; k < 60; ++k) places.insert(places.end(), {k, (7 * k + 1) % 60});
  const auto energy = [&calls](std::size_t, const auto& u) {
    ++calls;
    return u[0] * u[0] * u[1] + sin(u[1]);
  };
  const auto f = [&](const auto& x) { return element_energy<2>(gather(x, 60), places, energy); };
  const auto by_scalars = [&](const auto& x) {
    auto sum = 0.0 * x[0];
    for (std::size_t k = 0; k < places.size(); k += 2) {
      const auto a = x[std::size_t(places[k])], b = x[std::size_t(places[k + 1])];
      sum += a * a * b + sin(b);
    }
    return sum;
  };
  const ThreadLimit limit(1);
  const std::vector<double> x = numbers(60, 1);
  const auto found = taped_hessian(f, x);
  EXPECT_EQ(calls, 60 * 2);  // a row of the Hessian at a time
  const auto expected = taped_hessian(by_scalars, x);
  EXPECT_NEAR(found.value, expected.value, 1e-13);
  EXPECT_LE(difference(found.gradient, expected.gradient), 1e-14 * largest(expected.gradient));
  EXPECT_LE(difference(found.hessian, expected.hessian), 1e-14 * largest(expected.hessian));
}

TEST(NodeValuesBadInput, IsRefusedByKind) {
  using Kind = TensorError::Kind;
  const auto exponential = [](const auto& y) { return exp(y); };
  const auto kind = [](const std::function<void()>& f) {
    try {
      f();
    } catch (const TensorError& error) {
      return error.kind();
    }
    return Kind::no_eigenpair;
  };
  Tape<double> tape;
  Tape<Nilpotent<1>> second;
  const auto on = [](auto& t, const Eigen::MatrixXd& A) { return constant_matrix(t, A); };
  const auto square = [&](const Eigen::MatrixXd& A) { return on(tape, A); };
  const Eigen::MatrixXd flat = Eigen::MatrixXd::Ones(2, 3), rank_one = Eigen::MatrixXd::Ones(3, 3), I = diagonal({1, 1, 1});
  Eigen::MatrixXd skewed = I, not_a_number = I;
  skewed(0, 1) = 0.5;
  not_a_number(2, 2) = std::nan("");
  for (const auto& node : std::vector<std::function<void(const Eigen::MatrixXd&)>>{
           [&](const auto& A) { polar_rotation(square(A)); }, [&](const auto& A) { signed_singular_values(square(A)); },
           [&](const auto& A) { function_of_stretches(square(A), [](auto a, auto b, auto c) { return a * b * c; }); },
           [&](const auto& A) { cholesky_factor(square(A)); },
           [&](const auto& A) { spectral_function(square(A), exponential); }}) {
    EXPECT_EQ(kind([&] { node(flat); }), Kind::dimension_mismatch);
    EXPECT_EQ(kind([&] { node(not_a_number); }), Kind::not_finite);
  }
  EXPECT_EQ(kind([&] { determinant(square(Eigen::MatrixXd::Constant(4, 4, std::nan("")))); }), Kind::not_finite);
  EXPECT_EQ(kind([&] { polar_rotation(square(rank_one)); }), Kind::singular);
  EXPECT_EQ(kind([&] { signed_singular_values(on(second, I)); }), Kind::repeated_eigenvalue);
  EXPECT_EQ(kind([&] { cholesky_factor(square(skewed)); }), Kind::not_symmetric);
  EXPECT_EQ(kind([&] { spectral_function(square(skewed), exponential); }), Kind::not_symmetric);
  EXPECT_EQ(kind([&] { cholesky_factor(square(diagonal({1, -1, 1}))); }), Kind::not_positive_definite);
  EXPECT_EQ(kind([&] {
              spectral_function(square(diagonal({1, -1, 1})), [](const auto& y) { return log(y); });
            }),
            Kind::not_finite);
  const auto energy = [](std::size_t, const auto& u) { return u[0] * u[1]; };
  EXPECT_EQ(kind([&] { element_energy<2>(square(I), std::vector{0, 1, 2}, energy); }), Kind::dimension_mismatch);
  EXPECT_EQ(kind([&] { element_energy<2>(square(I), std::vector{0, 9}, energy); }), Kind::dimension_mismatch);
  EXPECT_EQ(kind([&] { element_energy<2>(square(I), std::vector{0, -1}, energy); }), Kind::dimension_mismatch);
}

// An infinite slope further on is a status, and no error from inside of a node.
TEST(NodeValuesBadInput, AdjointsThatAreNotFiniteAreAStatus) {
  const auto f = [](const auto& x) {
    const auto A = gather(x, 2, 2);
    return sqrt(spectral_function(A, [](const auto& y) { return log(y); })(0, 0)) + cholesky_factor(A)(1, 1);
  };
  const auto h = taped_hessian(f, std::vector{1.0, 0.0, 0.0, 2.0});
  EXPECT_EQ(h.status.kind, DerivativeStatus::Kind::not_finite);
}

}  // namespace
}  // namespace holo::test
