#pragma once
// Matrices on a tape, and the nodes that need no factorization: each is one entry of the tape, with the adjoint in real matrix
// products [2024 paper, 5.5; transposes, never conjugates].
//
//   MatrixVariable<T> X = gather(x, 3, 2);     // six variables, by columns
//   auto Z = A * X + B * X;                    // A: constant (Eigen::MatrixXd) or MatrixVariable
//   Variable<T> f = dot(Z, Z) + trace(Y) + Z(0, 1);
//
// Shapes that do not fit throw TensorError(dimension_mismatch).

#include <Eigen/Core>

#include "holo/diff/tape/tape.h"
#include "holo/diff/tensor/tensor_error.h"

namespace holo {

template <class T>
class MatrixVariable {
 public:
  using Scalar = T;

  MatrixVariable(Tape<T>* tape, TapeBlock* block) : tape_(tape), block_(block) {}
  int rows() const { return block_->rows; }
  int columns() const { return block_->columns; }
  std::size_t size() const { return block_->size(); }
  Tape<T>& tape() const { return *tape_; }
  TapeBlock* block() const { return block_; }
  detail::PlaneMatrix planes() const { return {block_->values, rows(), columns()}; }

  T value(int row, int column = 0) const { return detail::Planes<T>::join(block_->values + offset(row, column), size()); }
  // The entry as a variable.
  Variable<T> operator()(int row, int column = 0) const { return {tape_, tape_->entry(block_, offset(row, column))}; }

 private:
  std::size_t offset(int row, int column) const {
    if (row < 0 || column < 0 || row >= rows() || column >= columns())
      throw TensorError(TensorError::Kind::dimension_mismatch, row,
                        "entry (" + std::to_string(row) + ", " + std::to_string(column) + ") of a matrix of " +
                            std::to_string(rows()) + " x " + std::to_string(columns()));
    return std::size_t(column) * std::size_t(rows()) + std::size_t(row);
  }
  Tape<T>* tape_;
  TapeBlock* block_;
};

namespace detail {

void require_shape(bool fits, const char* operation, int a_rows, int a_columns, int b_rows, int b_columns);

template <class T>
void require_one_tape(const MatrixVariable<T>& a, const MatrixVariable<T>& b) {
  if (&a.tape() != &b.tape()) throw Error(Failure::internal, "an operation joins matrices of two tapes: record both on one");
}

template <class T>
TapeBlock* zero_block(Tape<T>& tape, int rows, int columns) {
  TapeBlock* block = tape.block(rows, columns);
  std::fill_n(block->values, block->size() * Planes<T>::count, 0.0);
  return block;
}
template <class T>
PlaneMatrix adjoint_planes(Tape<T>&, const TapeBlock* b) {
  return {b->adjoints, b->rows, b->columns};
}
// to += factor from, in all planes.
template <class T>
void add_planes(double factor, const double* from, std::size_t size, double* to) {
  for (std::size_t k = 0; k < size * Planes<T>::count; ++k) to[k] += factor * from[k];
}
// to += c x, for a number c and a matrix x.
template <class T>
void add_scaled(const T& c, PlaneMatrix x, double* to) {
  double planes[Planes<T>::count];
  Planes<T>::split(c, planes, 1);
  const PlaneMatrix flat{x.data, int(x.size()), 1};
  multiply_add<T>(1.0, flat, false, {planes, 1, 1}, false, to);
}
// sum of products of entries.
template <class T>
T dot_planes(PlaneMatrix x, PlaneMatrix y) {
  double planes[Planes<T>::count] = {};
  multiply_add<T>(1.0, {x.data, int(x.size()), 1}, true, {y.data, int(y.size()), 1}, false, planes);
  return Planes<T>::join(planes, 1);
}
// The scalar result of a node: recorded after the node, so that all its adjoints are in when the node's turn comes.
template <class T, class Rule>
Variable<T> scalar_node(Tape<T>& tape, const T& value, const Rule& rule) {
  const auto index = typename Tape<T>::Index(tape.size() + 1);
  tape.node([rule, index](Tape<T>& t) {
    if (t.touched(index)) rule(t, t.adjoint(index));
  });
  return tape.variable(value);
}
// A block with a rule that runs where adjoints came in.
template <class T, class Rule>
MatrixVariable<T> block_node(Tape<T>& tape, TapeBlock* z, const Rule& rule) {
  tape.node([rule, z](Tape<T>& t) {
    if (z->adjoints != nullptr) rule(t);
  });
  return {&tape, z};
}

template <class T>
PlaneMatrix keep(Tape<T>& tape, const Eigen::MatrixXd& constant) {
  double* data = tape.kept(std::size_t(constant.size()));
  std::copy_n(constant.data(), constant.size(), data);
  return {data, int(constant.rows()), int(constant.cols())};
}

// a op b with a sign.
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

// The variables, and constants among them, as a matrix by columns.
template <class T>
MatrixVariable<T> gather(std::span<const Variable<T>> x, int rows, int columns = 1) {
  detail::require_shape(rows > 0 && columns > 0 && x.size() == std::size_t(rows) * std::size_t(columns), "gather",
                        int(x.size()), 1, rows, columns);
  Tape<T>* tape = nullptr;
  for (const Variable<T>& v : x)
    if (v.tape() != nullptr) tape = v.tape();
  if (tape == nullptr)
    throw TensorError(TensorError::Kind::empty, 0, "gather() of constants alone: at least one entry is a variable of a tape");
  TapeBlock* z = tape->block(rows, columns);
  using Index = typename Tape<T>::Index;
  constexpr Index none = Index(-1);
  auto* parents = static_cast<Index*>(static_cast<void*>(tape->kept(x.size())));
  for (std::size_t k = 0; k < x.size(); ++k) {
    detail::Planes<T>::split(x[k].value(), z->values + k, z->size());
    parents[k] = x[k].is_constant() ? none : x[k].index();
  }
  return detail::block_node(*tape, z, [z, parents](Tape<T>& t) {
    for (std::size_t k = 0; k < z->size(); ++k)
      if (parents[k] != none) t.accumulate(parents[k], detail::Planes<T>::join(z->adjoints + k, z->size()));
  });
}
template <class T>
MatrixVariable<T> gather(const std::vector<Variable<T>>& x, int rows, int columns = 1) {
  return gather(std::span<const Variable<T>>(x), rows, columns);
}

// out[indices[k]] += x[k], entries counted by columns; gathers where `from` is true: out[k] = x[indices[k]].
template <class T>
MatrixVariable<T> scatter_add(const MatrixVariable<T>& x, std::span<const int> indices, int rows, int columns = 1) {
  Tape<T>& tape = x.tape();
  detail::require_shape(indices.size() == x.size(), "scatter_add", x.rows(), x.columns(), int(indices.size()), 1);
  int* kept = static_cast<int*>(static_cast<void*>(tape.kept(indices.size())));
  TapeBlock *a = x.block(), *z = detail::zero_block(tape, rows, columns);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    detail::require_shape(indices[k] >= 0 && std::size_t(indices[k]) < z->size(), "scatter_add", rows, columns, indices[k], 1);
    kept[k] = indices[k];
  }
  for (int p = 0; p < detail::Planes<T>::count; ++p)
    for (std::size_t k = 0; k < a->size(); ++k) z->values[p * z->size() + kept[k]] += a->values[p * a->size() + k];
  return detail::block_node(tape, z, [a, z, kept](Tape<T>& t) {
    double* to = t.adjoint(a);
    for (int p = 0; p < detail::Planes<T>::count; ++p)
      for (std::size_t k = 0; k < a->size(); ++k) to[p * a->size() + k] += z->adjoints[p * z->size() + kept[k]];
  });
}
// out[k] = x[indices[k]].
template <class T>
MatrixVariable<T> gather_entries(const MatrixVariable<T>& x, std::span<const int> indices, int rows, int columns = 1) {
  Tape<T>& tape = x.tape();
  TapeBlock *a = x.block(), *z = tape.block(rows, columns);
  detail::require_shape(indices.size() == z->size(), "gather_entries", rows, columns, int(indices.size()), 1);
  int* kept = static_cast<int*>(static_cast<void*>(tape.kept(indices.size())));
  for (std::size_t k = 0; k < indices.size(); ++k) {
    detail::require_shape(indices[k] >= 0 && std::size_t(indices[k]) < a->size(), "gather_entries", x.rows(), x.columns(),
                          indices[k], 1);
    kept[k] = indices[k];
  }
  for (int p = 0; p < detail::Planes<T>::count; ++p)
    for (std::size_t k = 0; k < z->size(); ++k) z->values[p * z->size() + k] = a->values[p * a->size() + kept[k]];
  return detail::block_node(tape, z, [a, z, kept](Tape<T>& t) {
    double* to = t.adjoint(a);
    for (int p = 0; p < detail::Planes<T>::count; ++p)
      for (std::size_t k = 0; k < z->size(); ++k) to[p * a->size() + kept[k]] += z->adjoints[p * z->size() + k];
  });
}
// Rows and columns from (row, column) on.
template <class T>
MatrixVariable<T> block(const MatrixVariable<T>& x, int row, int column, int rows, int columns) {
  detail::require_shape(
      row >= 0 && column >= 0 && rows > 0 && columns > 0 && row + rows <= x.rows() && column + columns <= x.columns(), "block",
      x.rows(), x.columns(), row + rows, column + columns);
  std::vector<int> indices;
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) indices.push_back((column + j) * x.rows() + row + i);
  return gather_entries(x, indices, rows, columns);
}
template <class T>
MatrixVariable<T> transpose(const MatrixVariable<T>& x) {
  std::vector<int> indices;
  for (int j = 0; j < x.rows(); ++j)
    for (int i = 0; i < x.columns(); ++i) indices.push_back(i * x.rows() + j);
  return gather_entries(x, indices, x.columns(), x.rows());
}

template <class T>
MatrixVariable<T> operator+(const MatrixVariable<T>& a, const MatrixVariable<T>& b) {
  return detail::combine(a, 1.0, b);
}
template <class T>
MatrixVariable<T> operator-(const MatrixVariable<T>& a, const MatrixVariable<T>& b) {
  return detail::combine(a, -1.0, b);
}
// Zbar: Abar += Zbar B', Bbar += A' Zbar.
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

// sum of all products of entries: x'y, tr(X'Y).
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
// Not differentiable at 0: its derivatives are not finite there.
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
// Of vectors of three.
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
