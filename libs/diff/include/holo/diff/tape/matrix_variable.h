#pragma once
// Matrices on a tape, and what nodes are made of. A node is one entry of the tape, with a rule that hands its adjoint on.
//
//   MatrixVariable<T> X = gather(x, 3, 2);     // six variables, by columns
//   Variable<T> e = X(0, 1);                   // one of them again
//
// The operations are in holo/diff/tape/nodes.h. Shapes that do not fit throw TensorError(dimension_mismatch).

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
// A constant matrix on a tape, without adjoints of use.
template <class T>
MatrixVariable<T> constant_matrix(Tape<T>& tape, const Eigen::MatrixXd& value) {
  TapeBlock* z = detail::zero_block(tape, int(value.rows()), int(value.cols()));
  std::copy_n(value.data(), value.size(), z->values);
  return {&tape, z};
}

}  // namespace holo
