#pragma once
// Solves and inverses on a tape: one real factorization of the value serves all coefficients and the adjoint,
//   A x = b:  x_S = A_0^-1 (b_S - sum_{0 != R subset S} A_R x_{S\R}),   bbar = A^-T xbar by the same recursion,
//   Abar -= bbar x'.
//
//   auto x = solve(A, b);                          // dense A
//   auto y = solve(pattern, entries, b);           // A = constant + entries at given places, dense or sparse
//
// In full complex arithmetic, which is a reference, the real matrix of twice the size (A_0 -A_1; A_1 A_0) is factored instead.
//
// A singular matrix throws TensorError(singular).

#include <Eigen/SparseCore>

#include "holo/diff/tape/matrix_arithmetic.h"

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

// In full complex arithmetic with the factors of (A_0 -A_1; A_1 A_0), whose transpose belongs to the conjugate of A^T: there
// imaginary parts change their signs.
void solve_complex_planes(const RealFactorization& factor, bool transposed, const double* b, int size, int columns, double* x);

// x = A^-1 b or A^-T b in the algebra; b is overwritten.
template <class T, class Operand>
void solve_planes(const RealFactorization& factor, const Operand& A, bool transposed, double* b, int columns, double* x) {
  using P = Planes<T>;
  if constexpr (!P::is_nilpotent) return solve_complex_planes(factor, transposed, b, A.size(), columns, x);
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

std::shared_ptr<const RealFactorization> factorize_dense(const double* real, const double* imaginary, int size);
// With imaginary parts of the entries, or without.
std::shared_ptr<const RealFactorization> factorize_pattern(const MatrixPattern& pattern, const double* entries,
                                                           const double* imaginary);
void check_pattern(const MatrixPattern& pattern, std::size_t entries);

// The numbers on which a factorization of the block in the tape's algebra depends.
template <class T>
std::span<const double> factored_values(const TapeBlock* block) {
  return {block->values, Planes<T>::is_nilpotent ? block->size() : 2 * block->size()};
}
template <class T>
const double* imaginary_plane(const TapeBlock* block) {
  return Planes<T>::is_nilpotent ? nullptr : block->values + block->size();
}

template <class T>
const RealFactorization* dense_factor(const MatrixVariable<T>& A) {
  require_shape(A.rows() == A.columns(), "a factorization", A.rows(), A.columns(), A.rows(), A.rows());
  const TapeBlock* a = A.block();
  return A.tape().factor(factored_values<T>(a), [&] { return factorize_dense(a->values, imaginary_plane<T>(a), a->rows); });
}

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
  const TapeBlock* a = entries.block();
  const RealFactorization* factor = b.tape().factor(detail::factored_values<T>(a), [&] {
    return detail::factorize_pattern(pattern, a->values, detail::imaginary_plane<T>(a));
  });
  return detail::solve_node<T>(factor, detail::PatternOperand<T>{&pattern, entries.block()}, b);
}
// Zbar: Abar -= Z' Zbar Z'.
template <class T>
MatrixVariable<T> inverse(const MatrixVariable<T>& A) {
  return solve(A, constant_matrix(A.tape(), Eigen::MatrixXd::Identity(A.rows(), A.rows())));
}

}  // namespace holo
