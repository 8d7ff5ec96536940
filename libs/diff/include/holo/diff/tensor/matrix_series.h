#pragma once
// Matrices of derivative scalars, stored as one real matrix for each derivative: the value A_0 and a coefficient A_S for each
// further index S of a DerivativeSet. Products of coefficients are products of real matrices, which are fast; conversion
// from and to matrices of nilpotent scalars is in holo/diff/tensor/nilpotent_matrix.h.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "holo/core/numerics/sparse_solver.h"
#include "holo/diff/tensor/derivative_set.h"

namespace holo {

// One number for each derivative: entry S.
using ScalarSeries = Eigen::VectorXd;

// Dense. A coefficient that was never set is zero, and costs nothing in products.
class MatrixSeries {
 public:
  // Zero. Throws TensorError for an empty matrix.
  MatrixSeries(DerivativeSet set, Eigen::Index rows, Eigen::Index columns);
  // A constant.
  MatrixSeries(DerivativeSet set, Eigen::MatrixXd value);

  const DerivativeSet& set() const { return set_; }
  Eigen::Index rows() const { return rows_; }
  Eigen::Index columns() const { return columns_; }
  bool is_zero(int index) const { return coefficients_[index].size() == 0; }
  Eigen::MatrixXd operator[](int index) const;                                     // [rows][columns], zeros where it is zero
  const Eigen::MatrixXd& stored(int index) const { return coefficients_[index]; }  // 0 x 0 where it is zero
  // Throws TensorError where the shape differs or an entry is not finite.
  void set_coefficient(int index, Eigen::MatrixXd coefficient);

  // out += factor A_index x, or its transpose times x.
  void multiply_add(int index, bool transposed, double factor, const Eigen::Ref<const Eigen::MatrixXd>& x,
                    Eigen::Ref<Eigen::MatrixXd> out) const;
  // out += factor sum A_T B_U over the splits of the index.
  void add_splits(int index, double factor, const MatrixSeries& other, Eigen::MatrixXd& out) const;

  MatrixSeries transpose() const;
  friend MatrixSeries operator+(const MatrixSeries& a, const MatrixSeries& b);
  friend MatrixSeries operator-(const MatrixSeries& a, const MatrixSeries& b);
  friend MatrixSeries operator*(const MatrixSeries& a, const MatrixSeries& b);
  friend MatrixSeries operator*(double factor, const MatrixSeries& a);

 private:
  friend MatrixSeries linear_combination(const MatrixSeries& a, double factor, const MatrixSeries& b);

  DerivativeSet set_;
  Eigen::Index rows_, columns_;
  std::vector<Eigen::MatrixXd> coefficients_;  // empty: zero
};

// Sparse; all coefficients have the pattern of the value. Stored as it is, or for symmetric matrices as the lower triangle.
class SparseMatrixSeries {
 public:
  enum class Storage { general, symmetric_lower };

  // The value is compressed. Throws TensorError for an empty, not square or not finite matrix.
  SparseMatrixSeries(DerivativeSet set, const SparseMatrix& value, Storage storage);

  const DerivativeSet& set() const { return set_; }
  Storage storage() const { return storage_; }
  Eigen::Index rows() const { return value_.rows(); }
  bool is_zero(int index) const { return index != 0 && values_[index].size() == 0; }
  const SparseMatrix& value() const { return value_; }
  // Entries in the order of the value's. Throws TensorError where their number differs or one is not finite.
  void set_coefficient(int index, Eigen::VectorXd entries);
  // A matrix of the value's pattern.
  void set_coefficient(int index, const SparseMatrix& coefficient);

  void multiply_add(int index, bool transposed, double factor, const Eigen::Ref<const Eigen::MatrixXd>& x,
                    Eigen::Ref<Eigen::MatrixXd> out) const;

 private:
  DerivativeSet set_;
  SparseMatrix value_;
  Storage storage_;
  std::vector<Eigen::VectorXd> values_;  // [0] is not used
};

}  // namespace holo
