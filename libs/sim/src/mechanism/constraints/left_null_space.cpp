#include "mechanism/constraints/left_null_space.h"

#include <Eigen/OrderingMethods>
#include <Eigen/QR>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>
#include <optional>

#include "mechanism/constraints/smallest_left_vectors.h"

namespace holo {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

// A start vector of iterations that is not orthogonal to any distinguished direction of a mechanism.
Eigen::VectorXd start_vector(Eigen::Index size) {
  Eigen::VectorXd vector(size);
  for (Eigen::Index i = 0; i < size; ++i) vector[i] = 1 + 0.5 * std::sin(1.0 + double(i));
  return vector;
}

// The largest singular value by power iteration: a lower bound, accurate to a few percent.
double largest_singular_value(const Sparse& matrix) {
  constexpr int iterations = 20;
  Eigen::VectorXd right = start_vector(matrix.cols());
  double value = 0;
  for (int i = 0; i < iterations; ++i) {
    right.normalize();
    const Eigen::VectorXd left = matrix * right;
    value = left.norm();
    right = matrix.transpose() * left;
  }
  return value;
}

// Matrix^T P = Q R with the first `rank` columns of R independent. With G = (R11^T R11)^-1 the pseudoinverse of the matrix
// times its transpose is [G 0; 0 0], projected to the complement of the null space.
class TransposedFactor {
 public:
  // `threshold`: columns whose part outside those before is shorter count as dependent.
  TransposedFactor(const Sparse& matrix, double threshold) {
    Sparse transposed = matrix.transpose();
    transposed.makeCompressed();
    qr_.setPivotThreshold(threshold);
    qr_.compute(transposed);
    if (!succeeded()) return;
    const int rank = int(qr_.rank());
    std::vector<Eigen::Triplet<double>> independent;
    dependent_ = Eigen::MatrixXd::Zero(rank, matrix.rows() - rank);
    const Sparse& factor = qr_.matrixR();
    for (int column = 0; column < int(factor.cols()); ++column)
      for (Sparse::InnerIterator it(factor, column); it; ++it) {
        if (it.row() >= rank) continue;
        if (column < rank)
          independent.emplace_back(int(it.row()), column, it.value());
        else
          dependent_(it.row(), column - rank) = it.value();
      }
    independent_.resize(rank, rank);
    independent_.setFromTriplets(independent.begin(), independent.end());
  }

  bool succeeded() const { return qr_.info() == Eigen::Success; }
  int rank() const { return int(independent_.cols()); }

  // Orthonormal: [row][nullity].
  Eigen::MatrixXd null_space() const {
    const Eigen::Index rows = rank() + dependent_.cols(), nullity = dependent_.cols();
    if (nullity == 0) return Eigen::MatrixXd(rows, 0);
    Eigen::MatrixXd vectors(rows, nullity);
    vectors.topRows(rank()) = -independent_.triangularView<Eigen::Upper>().solve(dependent_);
    vectors.bottomRows(nullity).setIdentity();
    const Eigen::MatrixXd orthonormal =
        Eigen::HouseholderQR<Eigen::MatrixXd>(vectors).householderQ() * Eigen::MatrixXd::Identity(rows, nullity);
    return qr_.colsPermutation() * orthonormal;
  }

  // The smallest singular value that does not belong to the null space, to a hundredth, by inverse iteration.
  double smallest_outside(const Eigen::MatrixXd& null_space) const {
    constexpr int most_iterations = 300;
    constexpr double accuracy = 1e-6;  // of the change by an iteration: where the next value is close, the error is larger
    if (rank() == 0) return 0;
    Eigen::VectorXd vector = start_vector(null_space.rows());
    double inverse_square = 0;
    for (int i = 0; i < most_iterations; ++i) {
      vector -= null_space * (null_space.transpose() * vector);
      vector.normalize();
      const Eigen::VectorXd next = apply_inverse(vector);
      const double before = inverse_square;
      inverse_square = vector.dot(next);
      vector = next;
      if (!(std::abs(inverse_square - before) > accuracy * inverse_square)) break;
    }
    return 1 / std::sqrt(inverse_square);
  }

  // The left vectors of the smallest singular values that do not belong to the null space, by subspace iteration; none where it
  // does not converge, since the next larger value is as small.
  std::optional<Eigen::MatrixXd> vectors_outside(const Eigen::MatrixXd& null_space, int count) const {
    constexpr int most_iterations = 200;
    constexpr double accuracy = 1e-11;
    if (count > rank()) return {};
    Eigen::MatrixXd vectors(null_space.rows(), count);
    for (Eigen::Index k = 0; k < count; ++k)
      for (Eigen::Index i = 0; i < vectors.rows(); ++i) vectors(i, k) = std::sin((1.0 + double(k)) * (1.0 + double(i)));
    orthonormalize(null_space, vectors);
    for (int i = 0; i < most_iterations; ++i) {
      Eigen::MatrixXd next = apply_inverse(vectors);
      orthonormalize(null_space, next);
      const double change = (next - vectors * (vectors.transpose() * next)).norm();
      vectors = std::move(next);
      if (!(change > accuracy)) return vectors;
    }
    return {};
  }

 private:
  static void orthonormalize(const Eigen::MatrixXd& null_space, Eigen::MatrixXd& vectors) {
    vectors -= null_space * (null_space.transpose() * vectors);
    vectors = Eigen::HouseholderQR<Eigen::MatrixXd>(vectors).householderQ() *
              Eigen::MatrixXd::Identity(vectors.rows(), vectors.cols());
  }

  // P [G 0; 0 0] P^T.
  Eigen::MatrixXd apply_inverse(const Eigen::MatrixXd& vectors) const {
    Eigen::MatrixXd head = (qr_.colsPermutation().transpose() * vectors).topRows(rank());
    head = independent_.transpose().triangularView<Eigen::Lower>().solve(head).eval();
    head = independent_.triangularView<Eigen::Upper>().solve(head).eval();
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(vectors.rows(), vectors.cols());
    result.topRows(rank()) = head;
    return qr_.colsPermutation() * result;
  }

  Eigen::SparseQR<Sparse, Eigen::COLAMDOrdering<int>> qr_;
  Sparse independent_;         // R11
  Eigen::MatrixXd dependent_;  // R12
};

// The null space from as many of the smallest singular values as are needed to find one that certainly counts.
LeftNullSpace by_smallest_values(const Sparse& matrix, double tolerance) {
  constexpr double certain = 100;  // times the tolerance; at least `resolved`, below which M M^T does not tell vectors apart
  constexpr double resolved = 1e-6;
  const double largest = largest_singular_value_by_iteration(matrix);
  const Eigen::Index rows = matrix.rows();
  LeftSingularVectors found;
  Eigen::Index count = std::min(rows, std::max<Eigen::Index>(rows - matrix.cols(), 0) + 4);
  for (;; count = std::min(rows, 2 * count)) {
    found = smallest_left_vectors_by_iteration(matrix, count);
    if (count == rows || found.values[count - 1] > std::max(certain * tolerance, resolved) * largest) break;
  }
  const Eigen::Index nullity = (found.values.array() <= tolerance * largest).count();
  LeftNullSpace result;
  result.rank = int(rows - nullity);
  result.vectors = found.vectors.leftCols(nullity);
  result.smallest_counted = nullity < count ? found.values[nullity] : 0;
  result.largest_uncounted = nullity > 0 && result.rank < matrix.cols() ? found.values[nullity - 1] : 0;
  return result;
}

// The empty null space if all rows are certainly independent, else none: by inverse iteration with M M^T, whose smallest
// eigenvalue is known to a ten-thousandth where the singular value is not below 1e-6 of the largest. This costs a small part of
// the decomposition.
std::optional<LeftNullSpace> of_independent_rows(const Sparse& matrix, double tolerance) {
  constexpr int most_iterations = 300;
  constexpr double accuracy = 1e-6, resolved = 1e-6;
  if (matrix.rows() == 0 || matrix.rows() > matrix.cols()) return {};
  const Eigen::SimplicialLDLT<Sparse> factors(Sparse(matrix * matrix.transpose()));
  if (factors.info() != Eigen::Success) return {};
  Eigen::VectorXd vector = start_vector(matrix.rows());
  double inverse_square = 0;
  for (int i = 0; i < most_iterations; ++i) {
    vector.normalize();
    const Eigen::VectorXd next = factors.solve(vector);
    const double before = inverse_square;
    inverse_square = vector.dot(next);
    vector = next;
    if (!(std::abs(inverse_square - before) > accuracy * inverse_square)) break;
  }
  const double smallest = 1 / std::sqrt(inverse_square);
  if (!(smallest > std::max(resolved, 100 * tolerance) * largest_singular_value(matrix))) return {};
  return LeftNullSpace{int(matrix.rows()), Eigen::MatrixXd(matrix.rows(), 0), smallest, 0};
}

// The null space from a factor; none if that does not give the rank with certainty: the smallest singular value that counts
// must be above the tolerance, and the matrix has to vanish along its null space.
std::optional<LeftNullSpace> by_factor(const Sparse& matrix, double tolerance) {
  constexpr double margin = 2;  // for estimates of singular values
  const double threshold = tolerance * largest_singular_value(matrix);
  const TransposedFactor factor(matrix, threshold);
  if (!factor.succeeded()) return {};
  LeftNullSpace result;
  result.rank = factor.rank();
  result.vectors = factor.null_space();
  result.smallest_counted = factor.smallest_outside(result.vectors);
  if (result.rank < matrix.cols() && result.vectors.cols() > 0)
    result.largest_uncounted = (matrix.transpose() * result.vectors).norm();
  const bool is_certain = result.smallest_counted > margin * threshold && margin * result.largest_uncounted < threshold;
  return is_certain ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace

LeftNullSpace left_null_space(const Sparse& matrix, double tolerance) {
  if (auto result = of_independent_rows(matrix, tolerance)) return std::move(*result);
  if (auto result = by_factor(matrix, tolerance)) return std::move(*result);
  return by_smallest_values(matrix, tolerance);
}

Eigen::MatrixXd smallest_left_vectors(const Sparse& matrix, int count) {
  constexpr double dependent = 1e-13;  // part of a row outside those before, to the largest singular value
  const TransposedFactor factor(matrix, dependent * largest_singular_value(matrix));
  if (factor.succeeded()) {
    const Eigen::MatrixXd null_space = factor.null_space();
    const int missing = count - int(null_space.cols());
    if (missing == 0) return null_space;
    if (const auto others = missing > 0 ? factor.vectors_outside(null_space, missing) : std::nullopt) {
      Eigen::MatrixXd vectors(matrix.rows(), count);
      vectors << null_space, *others;
      return vectors;
    }
  }
  return smallest_left_vectors_by_iteration(matrix, count).vectors;
}

Sparse chosen_rows(const Sparse& matrix, const std::vector<int>& chosen) {
  std::vector<int> number(std::size_t(matrix.rows()), -1);
  for (std::size_t i = 0; i < chosen.size(); ++i) number[std::size_t(chosen[i])] = int(i);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::size_t(matrix.nonZeros()));
  for (int column = 0; column < int(matrix.cols()); ++column)
    for (Sparse::InnerIterator it(matrix, column); it; ++it)
      if (number[std::size_t(it.row())] >= 0) entries.emplace_back(number[std::size_t(it.row())], column, it.value());
  Sparse result(Eigen::Index(chosen.size()), matrix.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

void normalize_rows(Sparse& matrix) {
  Eigen::VectorXd lengths = Eigen::VectorXd::Zero(matrix.rows());
  for (int column = 0; column < int(matrix.cols()); ++column)
    for (Sparse::InnerIterator it(matrix, column); it; ++it) lengths[it.row()] += it.value() * it.value();
  for (int column = 0; column < int(matrix.cols()); ++column)
    for (Sparse::InnerIterator it(matrix, column); it; ++it)
      if (lengths[it.row()] > 0) it.valueRef() /= std::sqrt(lengths[it.row()]);
}

}  // namespace holo
