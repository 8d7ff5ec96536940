#pragma once
// Sums and products of matrices on a tape: each is one node, whose adjoint consists of real matrix products [Shen2024, 5.5].
// Adjoints use transposes without conjugation.
//
//   auto Z = A * X + B * X;                    // A: constant (Eigen::MatrixXd) or MatrixVariable
//   Variable<T> f = dot(Z, Z) + trace(Y) + Z(0, 1);

#include "holo/diff/tape/entry_nodes.h"

namespace holo {

namespace detail {

// a + factor b.
template <class T>
MatrixVariable<T> combine(const MatrixVariable<T>& a, double factor, const MatrixVariable<T>& b) {
  require_shape(a.rows() == b.rows() && a.columns() == b.columns(), "a sum", a.rows(), a.columns(), b.rows(), b.columns());
  require_one_tape(a, b);
  Tape<T>& tape = a.tape();
  TapeBlock *x = a.block(), *y = b.block(), *z = tape.block(a.rows(), a.columns());
  std::copy_n(x->values, x->size() * Planes<T>::count, z->values);
  add_planes<T>(factor, y->values, y->size(), z->values);
  return block_node(tape, z, [x, y, z, factor](Tape<T>& t) {
    add_planes<T>(1.0, z->adjoints, z->size(), t.adjoint(x));
    add_planes<T>(factor, z->adjoints, z->size(), t.adjoint(y));
  });
}

}  // namespace detail

template <class T>
MatrixVariable<T> operator+(const MatrixVariable<T>& a, const MatrixVariable<T>& b) {
  return detail::combine(a, 1.0, b);
}
template <class T>
MatrixVariable<T> operator-(const MatrixVariable<T>& a, const MatrixVariable<T>& b) {
  return detail::combine(a, -1.0, b);
}
// Z = A B. Adjoints: Abar += Zbar B', Bbar += A' Zbar.
template <class T>
MatrixVariable<T> operator*(const MatrixVariable<T>& a, const MatrixVariable<T>& b) {
  detail::require_shape(a.columns() == b.rows(), "a product", a.rows(), a.columns(), b.rows(), b.columns());
  detail::require_one_tape(a, b);
  Tape<T>& tape = a.tape();
  TapeBlock *x = a.block(), *y = b.block(), *z = detail::zero_block(tape, a.rows(), b.columns());
  detail::multiply_add<T>(1.0, a.planes(), false, b.planes(), false, z->values);
  return detail::block_node(tape, z, [x, y, z](Tape<T>& t) {
    const auto zbar = detail::adjoint_planes(t, z);
    detail::multiply_add<T>(1.0, zbar, false, {y->values, y->rows, y->columns}, true, t.adjoint(x));
    detail::multiply_add<T>(1.0, {x->values, x->rows, x->columns}, true, zbar, false, t.adjoint(y));
  });
}
template <class T>
MatrixVariable<T> operator*(const Eigen::MatrixXd& a, const MatrixVariable<T>& b) {
  detail::require_shape(a.cols() == b.rows(), "a product", int(a.rows()), int(a.cols()), b.rows(), b.columns());
  Tape<T>& tape = b.tape();
  const detail::PlaneMatrix A = detail::keep(tape, a);
  TapeBlock *y = b.block(), *z = detail::zero_block(tape, A.rows, b.columns());
  constexpr int planes = detail::Planes<T>::count;  // side by side: one product
  detail::real_multiply_add(1.0, A.data, A.rows, A.columns, false, y->values, y->rows, y->columns * planes, false, z->values);
  return detail::block_node(tape, z, [A, y, z](Tape<T>& t) {
    detail::real_multiply_add(1.0, A.data, A.rows, A.columns, true, z->adjoints, z->rows, z->columns * planes, false,
                              t.adjoint(y));
  });
}
template <class T>
MatrixVariable<T> operator*(const MatrixVariable<T>& a, const Eigen::MatrixXd& b) {
  return transpose(b.transpose() * transpose(a));
}
// A number times a matrix.
template <class T>
MatrixVariable<T> operator*(const Variable<T>& c, const MatrixVariable<T>& a) {
  Tape<T>& tape = a.tape();
  TapeBlock *x = a.block(), *z = detail::zero_block(tape, a.rows(), a.columns());
  const Variable<T> factor = detail::on_tape(&tape, c);
  const auto index = factor.index();
  detail::add_scaled<T>(factor.value(), a.planes(), z->values);
  return detail::block_node(tape, z, [x, z, index](Tape<T>& t) {
    const auto zbar = detail::adjoint_planes(t, z);
    detail::add_scaled<T>(t.value(index), zbar, t.adjoint(x));
    t.accumulate(index, detail::dot_planes<T>(zbar, {x->values, x->rows, x->columns}));
  });
}

// The sum of the products of all entries: x'y for vectors, tr(X'Y) for matrices.
template <class T>
Variable<T> dot(const MatrixVariable<T>& a, const MatrixVariable<T>& b) {
  detail::require_shape(a.rows() == b.rows() && a.columns() == b.columns(), "dot", a.rows(), a.columns(), b.rows(),
                        b.columns());
  detail::require_one_tape(a, b);
  TapeBlock *x = a.block(), *y = b.block();
  return detail::scalar_node(a.tape(), detail::dot_planes<T>(a.planes(), b.planes()), [x, y](Tape<T>& t, const T& zbar) {
    detail::add_scaled<T>(zbar, {y->values, y->rows, y->columns}, t.adjoint(x));
    detail::add_scaled<T>(zbar, {x->values, x->rows, x->columns}, t.adjoint(y));
  });
}
template <class T>
Variable<T> squared_norm(const MatrixVariable<T>& a) {
  return dot(a, a);
}
// The square root of squared_norm. Its derivatives are not finite at 0.
template <class T>
Variable<T> norm(const MatrixVariable<T>& a) {
  return sqrt(dot(a, a));
}
template <class T>
MatrixVariable<T> normalize(const MatrixVariable<T>& a) {
  return (1.0 / norm(a)) * a;
}
// tr(A X) for a constant A.
template <class T>
Variable<T> trace_of_product(const Eigen::MatrixXd& a, const MatrixVariable<T>& x) {
  detail::require_shape(a.cols() == x.rows() && a.rows() == x.columns(), "trace", int(a.rows()), int(a.cols()), x.rows(),
                        x.columns());
  Tape<T>& tape = x.tape();
  const detail::PlaneMatrix A = detail::keep<T>(tape, a.transpose());
  TapeBlock* b = x.block();
  double planes[detail::Planes<T>::count] = {};
  detail::real_multiply_add(1.0, A.data, int(A.size()), 1, true, b->values, int(b->size()), detail::Planes<T>::count, false,
                            planes);
  return detail::scalar_node(tape, detail::Planes<T>::join(planes, 1), [A, b](Tape<T>& t, const T& zbar) {
    double seeds[detail::Planes<T>::count];
    detail::Planes<T>::split(zbar, seeds, 1);
    detail::real_multiply_add(1.0, A.data, int(A.size()), 1, false, seeds, 1, detail::Planes<T>::count, false, t.adjoint(b));
  });
}
template <class T>
Variable<T> trace(const MatrixVariable<T>& x) {
  return trace_of_product(Eigen::MatrixXd::Identity(x.rows(), x.columns()), x);
}
// The sum of all entries.
template <class T>
Variable<T> sum(const MatrixVariable<T>& x) {
  return trace_of_product(Eigen::MatrixXd::Ones(x.columns(), x.rows()), x);
}
// a b'
template <class T>
MatrixVariable<T> outer(const MatrixVariable<T>& a, const MatrixVariable<T>& b) {
  return a * transpose(b);
}
// The cross product of two vectors of three entries.
template <class T>
MatrixVariable<T> cross(const MatrixVariable<T>& a, const MatrixVariable<T>& b) {
  detail::require_shape(a.size() == 3 && b.size() == 3, "cross", a.rows(), a.columns(), b.rows(), b.columns());
  detail::require_one_tape(a, b);
  Tape<T>& tape = a.tape();
  TapeBlock *x = a.block(), *y = b.block(), *z = detail::zero_block(tape, 3, 1);
  const auto add_cross = [](double sign, const double* u, const double* v, double* out) {
    using P = detail::Planes<T>;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const T product = P::join(u + i, 3) * P::join(v + j, 3) - P::join(u + j, 3) * P::join(v + i, 3);
      P::add(sign * product, out + k, 3);
    }
  };
  add_cross(1.0, x->values, y->values, z->values);
  return detail::block_node(tape, z, [x, y, z, add_cross](Tape<T>& t) {
    add_cross(1.0, y->values, z->adjoints, t.adjoint(x));
    add_cross(1.0, z->adjoints, x->values, t.adjoint(y));
  });
}

}  // namespace holo
