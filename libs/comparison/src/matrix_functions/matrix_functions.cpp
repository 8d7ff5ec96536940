#include "holo/comparison/matrix_functions.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include "holo/diff/drivers.h"
#include "holo/diff/matrix.h"
#include "holo/diff/tape/drivers.h"
#include "holo/diff/tape/nodes.h"

namespace holo::comparison {

namespace {

using ComplexMatrix = Eigen::MatrixXcd;

constexpr double condition_limit = 50;  // of the Frobenius norms: else rounding hides what the formulas do
constexpr double step = 1e-30;          // of the complex step; it loses no digits

Eigen::MatrixXd random_matrix(std::mt19937_64& random, int rows, int columns) {
  for (;;) {
    Eigen::MatrixXd X(rows, columns);
    for (double& entry : X.reshaped()) entry = double(random() >> 11) * 0x1p-52 - 1;  // in [-1, 1), the same everywhere
    if (rows != columns || X.norm() * X.inverse().norm() < condition_limit) return X;
  }
}

Matrix3<double> in_loops(const Eigen::MatrixXd& X) {
  Matrix3<double> result{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result(i, j) = X(i, j);
  return result;
}

// What a function has besides its variable.
struct Constants {
  Eigen::MatrixXd A;  // [3][3]
  Eigen::MatrixXd y;  // [3][1]
  Matrix3<double> A_in_loops;
};

// Each function: the columns of its variable, its value in scalar loops (of a matrix, or of a vector as its first column), its
// value and adjoint in complex numbers, and its node.
struct SquaredNorm {
  static constexpr int columns = 1;
  template <class S>
  static std::vector<S> loops(const Constants&, const Matrix3<S>& x) {
    return {x(0, 0) * x(0, 0) + x(1, 0) * x(1, 0) + x(2, 0) * x(2, 0)};
  }
  static ComplexMatrix value(const Constants&, const ComplexMatrix& x) { return x.transpose() * x; }
  static ComplexMatrix adjoint(const Constants&, const ComplexMatrix& x, const ComplexMatrix&, const ComplexMatrix& z) {
    return 2.0 * z(0, 0) * x;
  }
  template <class Matrix>
  static auto node(const Constants&, const Matrix& x) {
    return squared_norm(x);
  }
};

struct DotProduct {
  static constexpr int columns = 1;
  template <class S>
  static std::vector<S> loops(const Constants& c, const Matrix3<S>& x) {
    return {x(0, 0) * c.y(0) + x(1, 0) * c.y(1) + x(2, 0) * c.y(2)};
  }
  static ComplexMatrix value(const Constants& c, const ComplexMatrix& x) { return x.transpose() * c.y; }
  static ComplexMatrix adjoint(const Constants& c, const ComplexMatrix&, const ComplexMatrix&, const ComplexMatrix& z) {
    return z(0, 0) * c.y;
  }
  template <class Matrix>
  static auto node(const Constants& c, const Matrix& x) {
    return dot(x, constant_matrix(x.tape(), c.y));
  }
};

template <class S>
std::vector<S> entries_of(const Matrix3<S>& Z) {
  std::vector<S> result;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) result.push_back(Z(i, j));
  return result;
}

struct ProductFromTheRight {
  static constexpr int columns = 3;
  template <class S>
  static std::vector<S> loops(const Constants& c, const Matrix3<S>& X) {
    return entries_of(X * matrix_cast<S>(c.A_in_loops));
  }
  static ComplexMatrix value(const Constants& c, const ComplexMatrix& X) { return X * c.A; }
  static ComplexMatrix adjoint(const Constants& c, const ComplexMatrix&, const ComplexMatrix&, const ComplexMatrix& Z) {
    return Z * c.A.transpose();
  }
  template <class Matrix>
  static auto node(const Constants& c, const Matrix& X) {
    return X * c.A;
  }
};

struct ProductFromTheLeft {
  static constexpr int columns = 3;
  template <class S>
  static std::vector<S> loops(const Constants& c, const Matrix3<S>& X) {
    return entries_of(matrix_cast<S>(c.A_in_loops) * X);
  }
  static ComplexMatrix value(const Constants& c, const ComplexMatrix& X) { return c.A * X; }
  static ComplexMatrix adjoint(const Constants& c, const ComplexMatrix&, const ComplexMatrix&, const ComplexMatrix& Z) {
    return c.A.transpose() * Z;
  }
  template <class Matrix>
  static auto node(const Constants& c, const Matrix& X) {
    return c.A * X;
  }
};

template <class S>
std::vector<S> first_column(const Matrix3<S>& Z) {
  return {Z(0, 0), Z(1, 0), Z(2, 0)};
}

struct SolutionOfAConstantMatrix {
  static constexpr int columns = 1;
  template <class S>
  static std::vector<S> loops(const Constants& c, const Matrix3<S>& x) {
    return first_column(inverse(matrix_cast<S>(c.A_in_loops)) * x);
  }
  static ComplexMatrix value(const Constants& c, const ComplexMatrix& x) { return ComplexMatrix(c.A).lu().solve(x); }
  static ComplexMatrix adjoint(const Constants& c, const ComplexMatrix&, const ComplexMatrix&, const ComplexMatrix& z) {
    return ComplexMatrix(c.A).transpose().lu().solve(z);
  }
  template <class Matrix>
  static auto node(const Constants& c, const Matrix& x) {
    return solve(constant_matrix(x.tape(), c.A), x);
  }
};

struct SolutionOfAVariableMatrix {
  static constexpr int columns = 3;
  template <class S>
  static std::vector<S> loops(const Constants& c, const Matrix3<S>& X) {
    Matrix3<S> y{};
    for (int i = 0; i < 3; ++i) y(i, 0) = c.y(i);
    return first_column(inverse(X) * y);
  }
  static ComplexMatrix value(const Constants& c, const ComplexMatrix& X) { return X.lu().solve(ComplexMatrix(c.y)); }
  static ComplexMatrix adjoint(const Constants&, const ComplexMatrix& X, const ComplexMatrix& value, const ComplexMatrix& z) {
    return -(X.transpose().lu().solve(z) * value.transpose());
  }
  template <class Matrix>
  static auto node(const Constants& c, const Matrix& X) {
    return solve(X, constant_matrix(X.tape(), c.y));
  }
};

struct TraceOfASquare {
  static constexpr int columns = 3;
  template <class S>
  static std::vector<S> loops(const Constants&, const Matrix3<S>& X) {
    S sum = 0.0;
    for (const S& entry : entries_of(X)) sum = sum + entry * entry;
    return {sum};
  }
  static ComplexMatrix value(const Constants&, const ComplexMatrix& X) {
    return ComplexMatrix::Constant(1, 1, (X.transpose() * X).trace());
  }
  static ComplexMatrix adjoint(const Constants&, const ComplexMatrix& X, const ComplexMatrix&, const ComplexMatrix& z) {
    return 2.0 * z(0, 0) * X;
  }
  template <class Matrix>
  static auto node(const Constants&, const Matrix& X) {
    return dot(X, X);
  }
};

struct Determinant {
  static constexpr int columns = 3;
  template <class S>
  static std::vector<S> loops(const Constants&, const Matrix3<S>& X) {
    return {determinant(X)};
  }
  static ComplexMatrix value(const Constants&, const ComplexMatrix& X) {
    return ComplexMatrix::Constant(1, 1, X.determinant());
  }
  static ComplexMatrix adjoint(const Constants&, const ComplexMatrix& X, const ComplexMatrix& value, const ComplexMatrix& z) {
    return z(0, 0) * value(0, 0) * X.inverse().transpose();
  }
  template <class Matrix>
  static auto node(const Constants&, const Matrix& X) {
    return determinant(X);
  }
};

// |z - T|^2 / 2 of a node, which is one variable or a matrix of them.
template <class T>
Variable<T> loss_of(const Variable<T>& z, const Eigen::MatrixXd& target) {
  const Variable<T> difference = z - target(0, 0);
  return 0.5 * difference * difference;
}
template <class T>
Variable<T> loss_of(const MatrixVariable<T>& Z, const Eigen::MatrixXd& target) {
  return 0.5 * squared_norm(Z - constant_matrix(Z.tape(), target));
}

double relative_difference(const Eigen::MatrixXd& found, const std::vector<double>& exact) {
  const Eigen::Map<const Eigen::VectorXd> expected(exact.data(), Eigen::Index(exact.size()));
  return (found.reshaped() - expected).lpNorm<Eigen::Infinity>() / expected.lpNorm<Eigen::Infinity>();
}

// One function at a random matrix, and the target of its loss.
template <class Function>
struct Case {
  Constants constants;
  Eigen::MatrixXd X, target;

  explicit Case(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    constants.A = random_matrix(random, 3, 3);
    constants.y = random_matrix(random, 3, 1);
    constants.A_in_loops = in_loops(constants.A);
    X = random_matrix(random, 3, Function::columns);
    const Eigen::MatrixXd value = Function::value(constants, X).real();
    target = random_matrix(random, int(value.rows()), int(value.cols()));
  }

  // The loss in scalar loops, of the matrix's entries by columns.
  template <class Entries>
  auto loss_in_loops(const Entries& entries) const {
    using S = std::remove_cvref_t<decltype(entries[0])>;
    Matrix3<S> variable{};
    for (int k = 0; k < int(X.size()); ++k) variable(k % 3, k / 3) = entries[std::size_t(k)];
    const std::vector<S> Z = Function::loops(constants, variable);
    S sum = 0.0;
    for (std::size_t k = 0; k < Z.size(); ++k) {
      const S difference = Z[k] - target.reshaped()[Eigen::Index(k)];
      sum = sum + 0.5 * difference * difference;
    }
    return sum;
  }

  // Gradient, and Hessian in the further columns, by the adjoint in complex numbers.
  Eigen::MatrixXd printed_derivatives() const {
    Eigen::MatrixXd result(X.size(), 1 + X.size());
    for (Eigen::Index k = 0; k < X.size(); ++k) {
      ComplexMatrix moved = X;
      moved.reshaped()[k] += std::complex<double>(0, step);
      const ComplexMatrix Z = Function::value(constants, moved);
      const ComplexMatrix adjoint = Function::adjoint(constants, moved, Z, Z - target);
      result.col(0) = adjoint.real().reshaped();
      result.col(1 + k) = adjoint.imag().reshaped() / step;
    }
    return result;
  }
};

template <class Function>
MatrixFunctionErrors errors_of(std::uint64_t seed) {
  const Case<Function> at(seed);
  const std::vector<double> x(at.X.data(), at.X.data() + at.X.size());
  const auto exact = hessian([&](const auto& entries) { return at.loss_in_loops(entries); }, x);
  const auto taped = taped_hessian(
      [&](const auto& entries) {
        return loss_of(Function::node(at.constants, gather(entries, 3, Function::columns)), at.target);
      },
      x);
  const Eigen::MatrixXd printed = at.printed_derivatives();
  const auto vector_of = [](const std::vector<double>& entries) {
    return Eigen::MatrixXd(Eigen::Map<const Eigen::VectorXd>(entries.data(), Eigen::Index(entries.size())));
  };
  return {relative_difference(printed.col(0), exact.gradient),
          relative_difference(printed.rightCols(at.X.size()), exact.hessian),
          relative_difference(vector_of(taped.gradient), exact.gradient),
          relative_difference(vector_of(taped.hessian), exact.hessian)};
}

}  // namespace

std::vector<MatrixFunction> matrix_functions() {
  return {{"squared_norm", "z = x.x, 2 z' x", errors_of<SquaredNorm>},
          {"dot_product", "z = x.y, z' y", errors_of<DotProduct>},
          {"right_product", "Z = X B, Z' B^T", errors_of<ProductFromTheRight>},
          {"left_product", "Z = A X, A^T Z'", errors_of<ProductFromTheLeft>},
          {"solution", "z = A^-1 x, A^-T z'", errors_of<SolutionOfAConstantMatrix>},
          {"matrix_of_solution", "z = X^-1 b, -X^-T z' z^T", errors_of<SolutionOfAVariableMatrix>},
          {"trace", "z = tr(X^T X), 2 z' X", errors_of<TraceOfASquare>},
          {"determinant", "z = det(X), z' z X^-T", errors_of<Determinant>}};
}

}  // namespace holo::comparison
