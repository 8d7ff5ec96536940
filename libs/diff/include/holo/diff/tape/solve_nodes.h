#pragma once
// Solves, inverses and determinants on a tape: one real factorization of the value serves all coefficients and the adjoint,
//   A x = b:  x_S = A_0^-1 (b_S - sum_{0 != R subset S} A_R x_{S\R}),   bbar = A^-T xbar by the same recursion,
//   Abar -= bbar x'.
//
//   auto x = solve(A, b);                          // dense A
//   auto y = solve(pattern, entries, b);           // A = constant + entries at given places, dense or sparse
//   Variable<T> d = log_determinant(A);
//
// A singular matrix throws TensorError(singular).

#include <Eigen/SparseCore>

#include "holo/diff/matrix.h"
#include "holo/diff/tape/matrix_variable.h"

namespace holo {

// The places of a matrix that depend on variables: entry k of a vector stands, added to the constant, at (row[k], column[k]),
// and with `symmetric` also at (column[k], row[k]). With sparse storage the constant part is zero and the factorization sparse.
// It lives longer than the recording.
struct MatrixPattern {
  int size = 0;
  std::vector<int> rows, columns;
  bool symmetric = false, sparse = false;
  Eigen::MatrixXd constant;  // [size][size], or empty for zero
};

namespace detail {

// A_R x for a coefficient R != 0, and what an adjoint leaves: for a dense matrix...
template <class T>
struct DenseOperand {
  TapeBlock* block;
  int size() const { return block->rows; }
  // out += factor A_plane x, transposed where asked for; x, out: [size][columns]
  void apply(int plane, bool transposed, double factor, const double* x, int columns, double* out) const {
    real_multiply_add(factor, block->values + std::size_t(plane) * block->size(), block->rows, block->rows, transposed, x,
                      block->rows, columns, false, out);
  }
  // Abar -= bbar x'
  void subtract_outer(Tape<T>& t, PlaneMatrix bbar, PlaneMatrix x) const {
    multiply_add<T>(-1.0, bbar, false, x, true, t.adjoint(block));
  }
};

// ...and for one with few places.
template <class T>
struct PatternOperand {
  const MatrixPattern* pattern;
  TapeBlock* block;
  int size() const { return pattern->size; }
  void apply(int plane, bool transposed, double factor, const double* x, int columns, double* out) const {
    const double* values = block->values + std::size_t(plane) * block->size();
    const int n = pattern->size;
    for (int c = 0; c < columns; ++c, x += n, out += n)
      for (std::size_t k = 0; k < block->size(); ++k) {
        const double a = factor * values[k];
        const int i = transposed ? pattern->columns[k] : pattern->rows[k],
                  j = transposed ? pattern->rows[k] : pattern->columns[k];
        out[i] += a * x[j];
        if (pattern->symmetric && i != j) out[j] += a * x[i];
      }
  }
  void subtract_outer(Tape<T>& t, PlaneMatrix bbar, PlaneMatrix x) const {
    using P = Planes<T>;
    double* to = t.adjoint(block);
    const std::size_t count = block->size();
    for (int mask = 0; mask < P::masks; ++mask)
      P::for_each_product(mask, [&](int a, int b, double sign) {
        for (int w = 0; w < P::width(mask); ++w) {
          const double* u = bbar.data + std::size_t(P::first(a) + (P::width(a) > 1 ? w : 0)) * bbar.size();
          const double* v = x.data + std::size_t(P::first(b) + (P::width(b) > 1 ? w : 0)) * x.size();
          subtract_entries(sign, u, v, x.columns, to + std::size_t(P::first(mask) + w) * count);
        }
      });
  }
  void subtract_entries(double sign, const double* u, const double* v, int columns, double* to) const {
    const int n = pattern->size;
    for (int c = 0; c < columns; ++c, u += n, v += n)
      for (std::size_t k = 0; k < block->size(); ++k) {
        const int i = pattern->rows[k], j = pattern->columns[k];
        to[k] -= sign * u[i] * v[j];
        if (pattern->symmetric && i != j) to[k] -= sign * u[j] * v[i];
      }
  }
};

inline void real_solve(const RealFactorization& factor, bool transposed, const double* b, int columns, double* x) {
  const Eigen::Map<const Eigen::MatrixXd> right(b, factor.size(), columns);
  Eigen::Map<Eigen::MatrixXd> solution(x, factor.size(), columns);
  if (transposed)
    factor.solve_transposed(right, solution);
  else
    factor.solve(right, solution);
}

// x = A^-1 b or A^-T b in the algebra; b is overwritten.
template <class T, class Operand>
void solve_planes(const RealFactorization& factor, const Operand& A, bool transposed, double* b, int columns, double* x) {
  using P = Planes<T>;
  static_assert(P::is_nilpotent, "a solve on a tape needs nilpotent numbers: they share one real factorization");
  const std::size_t size = std::size_t(A.size()) * std::size_t(columns);
  for (int mask = 0; mask < P::masks; ++mask) {
    double* right = b + std::size_t(P::first(mask)) * size;
    const int width = P::width(mask);
    P::for_each_product(mask, [&](int a, int rest, double) {
      if (a == 0) return;
      const int wa = P::width(a);
      const double* known = x + std::size_t(P::first(rest)) * size;
      if (wa == 1)
        A.apply(P::first(a), transposed, -1.0, known, columns * width, right);
      else
        for (int w = 0; w < wa; ++w) A.apply(P::first(a) + w, transposed, -1.0, known, columns, right + std::size_t(w) * size);
    });
    real_solve(factor, transposed, right, columns * width, x + std::size_t(P::first(mask)) * size);
  }
}

template <class T, class Operand>
MatrixVariable<T> solve_node(const RealFactorization* factor, const Operand& A, const MatrixVariable<T>& b) {
  Tape<T>& tape = b.tape();
  const int n = A.size(), columns = b.columns();
  require_shape(b.rows() == n, "a solve", n, n, b.rows(), b.columns());
  TapeBlock *y = b.block(), *z = tape.block(n, columns);
  const std::size_t count = b.size() * Planes<T>::count;
  double* right = tape.kept(count);
  std::copy_n(y->values, count, right);
  solve_planes<T>(*factor, A, false, right, columns, z->values);
  return block_node(tape, z, [factor, A, y, z, columns, count](Tape<T>& t) {
    double *zbar = t.scratch(count), *bbar = t.scratch(count);
    std::copy_n(z->adjoints, count, zbar);
    solve_planes<T>(*factor, A, true, zbar, columns, bbar);
    add_planes<T>(1.0, bbar, y->size(), t.adjoint(y));
    A.subtract_outer(t, {bbar, z->rows, columns}, {z->values, z->rows, columns});
  });
}

template <class T>
const RealFactorization* dense_factor(const MatrixVariable<T>& A) {
  require_shape(A.rows() == A.columns(), "a factorization", A.rows(), A.columns(), A.rows(), A.rows());
  return A.tape().factor({A.block()->values, A.size()}, [&] {
    return factorize_lu(Eigen::Map<const Eigen::MatrixXd>(A.block()->values, A.rows(), A.columns()));
  });
}

std::shared_ptr<const RealFactorization> factorize_pattern(const MatrixPattern& pattern, const double* entries);
void check_pattern(const MatrixPattern& pattern, std::size_t entries);

}  // namespace detail

template <class T>
MatrixVariable<T> solve(const MatrixVariable<T>& A, const MatrixVariable<T>& b) {
  detail::require_one_tape(A, b);
  return detail::solve_node<T>(detail::dense_factor(A), detail::DenseOperand<T>{A.block()}, b);
}
// entries: [as many as the pattern has places].
template <class T>
MatrixVariable<T> solve(const MatrixPattern& pattern, const MatrixVariable<T>& entries, const MatrixVariable<T>& b) {
  detail::require_one_tape(entries, b);
  detail::check_pattern(pattern, entries.size());
  const double* values = entries.block()->values;
  const RealFactorization* factor =
      b.tape().factor({values, entries.size()}, [&] { return detail::factorize_pattern(pattern, values); });
  return detail::solve_node<T>(factor, detail::PatternOperand<T>{&pattern, entries.block()}, b);
}
// A constant matrix on a tape, without adjoints of use.
template <class T>
MatrixVariable<T> constant_matrix(Tape<T>& tape, const Eigen::MatrixXd& value) {
  TapeBlock* z = detail::zero_block(tape, int(value.rows()), int(value.cols()));
  std::copy_n(value.data(), value.size(), z->values);
  return {&tape, z};
}
// Zbar: Abar -= Z' Zbar Z'.
template <class T>
MatrixVariable<T> inverse(const MatrixVariable<T>& A) {
  return solve(A, constant_matrix(A.tape(), Eigen::MatrixXd::Identity(A.rows(), A.rows())));
}

namespace detail {

// X = A^-1 in the algebra, kept by the tape.
template <class T>
double* inverse_planes(const RealFactorization& factor, const MatrixVariable<T>& A) {
  const std::size_t count = A.size() * Planes<T>::count;
  double *right = A.tape().zeros(count), *X = A.tape().kept(count);
  for (int i = 0; i < A.rows(); ++i) right[std::size_t(i) * std::size_t(A.rows() + 1)] = 1.0;
  solve_planes<T>(factor, DenseOperand<T>{A.block()}, false, right, A.rows(), X);
  return X;
}

// log |det A| in the algebra, from its value: with k the lowest unit of S, sum over the rest U + V of tr(X_U A_{V+k}).
template <class T>
T log_determinant_series(double value, PlaneMatrix A, const double* X) {
  using P = Planes<T>;
  double planes[P::count] = {};
  const int n = A.rows;
  const auto trace = [&](int px, int pa) {
    const double *x = X + std::size_t(px) * A.size(), *a = A.data + std::size_t(pa) * A.size();
    double sum = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) sum += x[j * n + i] * a[i * n + j];
    return sum;
  };
  planes[0] = value;
  for (int mask = 1; mask < P::masks; ++mask) {
    const int lowest = mask & -mask, rest = mask ^ lowest;
    P::for_each_product(rest, [&](int u, int v, double) {
      const int a = v | lowest;
      for (int w = 0; w < P::width(mask); ++w)
        planes[P::first(mask) + w] += trace(P::first(u) + (P::width(u) > 1 ? w : 0), P::first(a) + (P::width(a) > 1 ? w : 0));
    });
  }
  return P::join(planes, 1);
}

struct Determinant {
  double sign, log_absolute;
};
Determinant real_determinant(const double* A, int n);

}  // namespace detail

// log |det A|. zbar: Abar += zbar A^-T.
template <class T>
Variable<T> log_determinant(const MatrixVariable<T>& A) {
  const RealFactorization* factor = detail::dense_factor(A);
  const double* X = detail::inverse_planes(*factor, A);
  const double value = detail::real_determinant(A.block()->values, A.rows()).log_absolute;
  TapeBlock* a = A.block();
  return detail::scalar_node(A.tape(), detail::log_determinant_series<T>(value, A.planes(), X),
                             [a, X](Tape<T>& t, const T& zbar) {
                               const std::size_t count = a->size() * detail::Planes<T>::count;
                               double* scaled = t.scratch(count);
                               std::fill_n(scaled, count, 0.0);
                               detail::add_scaled<T>(zbar, {X, a->rows, a->rows}, scaled);
                               double* to = t.adjoint(a);
                               for (int p = 0; p < detail::Planes<T>::count; ++p)
                                 for (int i = 0; i < a->rows; ++i)
                                   for (int j = 0; j < a->rows; ++j)
                                     to[p * a->size() + i * a->rows + j] += scaled[p * a->size() + j * a->rows + i];
                             });
}

// Up to 3 x 3 by cofactors, right for singular matrices too; larger ones from the factorization, which refuses them.
template <class T>
Variable<T> determinant(const MatrixVariable<T>& A) {
  const int n = A.rows();
  detail::require_shape(n == A.columns(), "a determinant", n, A.columns(), n, n);
  if (n == 1) return A(0, 0);
  if (n == 2) return A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
  if (n == 3) {
    using M = Matrix3<Variable<T>>;
    M m{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m(i, j) = A(i, j);
    return determinant(m);
  }
  const double sign = detail::real_determinant(A.block()->values, n).sign;
  return sign * exp(log_determinant(A));
}

}  // namespace holo
