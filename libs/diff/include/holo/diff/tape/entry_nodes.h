#pragma once
// Nodes that move entries of matrices about: their adjoints move them back.

#include "holo/diff/tape/matrix_variable.h"

namespace holo {

// out[indices[k]] += x[k], entries counted by columns.
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

}  // namespace holo
