#pragma once
// Random saddle-point systems of trajectories in banded, dense and sparse form.

#include <Eigen/Dense>
#include <memory>
#include <random>

#include "holo/opt/trajectory/banded_saddle_point.h"
#include "holo/opt/trajectory/dense_saddle_point.h"
#include "holo/opt/trajectory/sparse_saddle_point.h"

namespace holo::test {

// H = J^T J of `residuals` residuals at each point z, which see points z .. z + hessian_reach, so that H is regular where they
// are as many as the unknowns; A is a full band of normal numbers.
struct BandedCase {
  explicit BandedCase(const BandedSaddleShape& wanted, int residuals = 6, const BlockTridiagonalOptions& options = {})
      : banded(wanted, options), dense(wanted.unknown_count(), wanted.constraint_count()) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    const BandedSaddleShape& shape = wanted;
    const BandedBlocks& blocks = banded.blocks();
    const auto fill = [&](auto&& block) {
      block = Eigen::MatrixXd::NullaryExpr(block.rows(), block.cols(), [&] { return normal(random); });
    };
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(residuals * shape.points(), shape.unknown_count());
    for (int z = 0; z < shape.points(); ++z) {
      const int last = blocks.first_unknown(std::min(z + shape.hessian_reach, shape.points() - 1) + 1);
      fill(J.block(z * residuals, blocks.first_unknown(z), residuals, last - blocks.first_unknown(z)));
      const int first = blocks.first_unknown(std::max(z - shape.jacobian_before, 0));
      const int end = blocks.first_unknown(std::min(z + shape.jacobian_after, shape.points() - 1) + 1);
      fill(dense.jacobian().block(blocks.first_constraint(z), first, shape.constraints[std::size_t(z)], end - first));
    }
    dense.hessian() = J.transpose() * J;
    copy_dense();
  }

  // To the other systems, after a change of the dense one.
  void copy_dense() {
    const BandedBlocks& blocks = banded.blocks();
    for (int z = 0; z < blocks.shape().points(); ++z) {
      for (int other = blocks.first_coupled(z); other <= z; ++other) {
        auto block = banded.hessian_block(z, other);
        block = dense.hessian().block(blocks.first_unknown(z), blocks.first_unknown(other), block.rows(), block.cols());
      }
      for (int other = blocks.first_seen(z); other <= blocks.last_seen(z); ++other) {
        auto block = banded.jacobian_block(z, other);
        block = dense.jacobian().block(blocks.first_constraint(z), blocks.first_unknown(other), block.rows(), block.cols());
      }
    }
    const Eigen::MatrixXd lower = dense.hessian().triangularView<Eigen::Lower>();
    sparse = std::make_unique<SparseSaddlePoint>(lower.sparseView(), dense.jacobian().sparseView());
  }

  int unknowns() const { return dense.unknown_count(); }
  int constraints() const { return dense.constraint_count(); }

  // K2 or K1.
  Eigen::MatrixXd matrix(SaddlePointMatrix which, const Eigen::VectorXd& metric, double unknown_shift,
                         const Eigen::VectorXd& constraint_shift) {
    const int n = unknowns(), m = constraints();
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
    if (which == SaddlePointMatrix::model) K.topLeftCorner(n, n) = dense.hessian();
    K.topLeftCorner(n, n).diagonal() += (which == SaddlePointMatrix::model ? unknown_shift : 1) * metric;
    K.bottomLeftCorner(m, n) = dense.jacobian();
    K.topRightCorner(n, m) = dense.jacobian().transpose();
    K.bottomRightCorner(m, m).diagonal() = -constraint_shift;
    return K;
  }

  BandedSaddlePoint banded;
  DenseSaddlePoint dense;
  std::unique_ptr<SparseSaddlePoint> sparse;
};

inline double infinity_norm(const Eigen::MatrixXd& matrix) { return matrix.cwiseAbs().rowwise().sum().maxCoeff(); }

// |b - K x| / (|K| |x| + |b|) in the largest norm, the largest of the columns.
inline double backward_error(const Eigen::MatrixXd& K, const Eigen::MatrixXd& x, const Eigen::MatrixXd& b) {
  double largest = 0;
  for (Eigen::Index column = 0; column < b.cols(); ++column)
    largest = std::max(
        largest, (b.col(column) - K * x.col(column)).lpNorm<Eigen::Infinity>() /
                     (infinity_norm(K) * x.col(column).lpNorm<Eigen::Infinity>() + b.col(column).lpNorm<Eigen::Infinity>()));
  return largest;
}

inline Eigen::VectorXd random_vector(Eigen::Index size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  return Eigen::VectorXd::NullaryExpr(size, [&] { return normal(random); });
}

// Regular shapes, uneven ones, fixed ends without unknowns, and points without constraints.
inline std::vector<BandedSaddleShape> banded_shapes() {
  return {
      {{4, 4, 4, 4, 4, 4}, {2, 2, 2, 2, 2, 2}, 2, 2, 1},
      {{4, 4, 4, 4, 4, 4, 4}, {2, 2, 2, 2, 2, 2, 2}, 2, 2, 1},  // padding
      {{0, 4, 4, 4, 4, 0}, {1, 2, 2, 2, 2, 1}, 2, 2, 1},        // fixed ends, their equations remain
      {{3, 5, 1, 0, 4, 2, 6, 2}, {1, 0, 2, 1, 0, 3, 1, 0}, 2, 2, 1},
      {{4, 4, 4, 4, 4, 4, 4}, {1, 2, 1, 2, 1, 2, 1}, 0, 0, 0},
      {{4, 4, 4, 4, 4, 4, 4}, {1, 2, 1, 2, 1, 2, 1}, 1, 0, 3},
      {{4, 4, 4, 4, 4, 4, 4}, {1, 2, 1, 2, 1, 2, 1}, 3, 1, 0},
      {{5, 4, 3}, {2, 1, 2}, 4, 7, 3},  // reaches beyond the ends
      {{6}, {2}, 2, 2, 1},
      {{3, 3, 3}, {0, 0, 0}, 1, 2, 1},
  };
}

}  // namespace holo::test
