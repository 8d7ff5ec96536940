// Blocks of a trajectory's saddle-point system: their products, and their places in a block-tridiagonal matrix.
#include "holo/opt/trajectory/banded_blocks.h"

#include <gtest/gtest.h>

#include <string>

#include "banded_cases.h"
#include "block_tridiagonal_cases.h"
#include "error_message.h"
#include "holo/core/error.h"
#include "trajectory/banded_layout.h"

namespace holo {
namespace banded_blocks_tests {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::BandedCase;

TEST(BandedBlocks, HaveTheProductsOfDenseMatrices) {
  for (const BandedSaddleShape& shape : test::banded_shapes()) {
    BandedCase each(shape);
    const int n = each.unknowns(), m = each.constraints();
    const VectorXd p = test::random_columns(n, 1, 5), y = test::random_columns(m, 1, 6);
    VectorXd first(n), second(n), C(m), D(m);
    const auto expect_same = [](const VectorXd& a, const VectorXd& b) { EXPECT_LE((a - b).norm(), 1e-14 * (1 + a.norm())); };
    each.dense.multiply_hessian(p, first), each.banded.multiply_hessian(p, second);
    expect_same(first, second);
    each.dense.multiply_jacobian_transposed(y, first), each.banded.multiply_jacobian_transposed(y, second);
    expect_same(first, second);
    each.dense.hessian_diagonal(first), each.banded.hessian_diagonal(second);
    EXPECT_EQ(first, second);
    each.dense.multiply_jacobian(p, C), each.banded.multiply_jacobian(p, D);
    expect_same(C, D);
    each.dense.jacobian_row_norms(C), each.banded.jacobian_row_norms(D);
    expect_same(C, D);
  }
}

// The permuted K1 of a full band: what the layout writes is all of it, and smaller groups would leave something outside.
TEST(BandedBlocks, LeaveNothingOutsideTheBlocksOfTheSmallestGroups) {
  for (const BandedSaddleShape& shape : test::banded_shapes()) {
    BandedCase each(shape);
    const BandedBlocks& blocks = each.banded.blocks();
    const BandedLayout layout(blocks);
    BlockTridiagonalMatrix written(layout.shape());
    for (int z = 0; z < shape.points(); ++z) {
      for (int other = blocks.first_coupled(z); other <= z; ++other) layout.write_hessian(blocks, z, other, written);
      for (int other = blocks.first_seen(z); other <= blocks.last_seen(z); ++other)
        layout.write_jacobian(blocks, z, other, written);
    }
    std::vector<int> rows = layout.unknown_rows();
    rows.insert(rows.end(), layout.constraint_rows().begin(), layout.constraint_rows().end());
    const int size = layout.shape().block_size, all = int(layout.shape().system_rows());
    const MatrixXd K =
        each.matrix(SaddlePointMatrix::model, VectorXd::Zero(each.unknowns()), 0, VectorXd::Zero(each.constraints()));
    MatrixXd permuted = MatrixXd::Zero(all, all);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows.size(); ++j) permuted(rows[i], rows[j]) = K(Index(i), Index(j));
    for (int j = 0; j < all; ++j)
      for (int i = j; i < all; ++i)
        EXPECT_EQ(permuted(i, j), i / size <= j / size + 1 ? written.entry(0, std::size_t(i), std::size_t(j)) : 0.0);
    EXPECT_EQ(rows.size() + layout.padding_rows().size(), std::size_t(all));
    const int farthest = shape.points() - 1;
    const int reach =
        std::max(1, std::min(farthest, std::max({shape.hessian_reach, shape.jacobian_before, shape.jacobian_after})));
    EXPECT_EQ(layout.shape().blocks, (shape.points() + reach - 1) / reach);
  }
}

TEST(BandedBlocksBadInput, IsNamed) {
  const auto make = [](const BandedSaddleShape& shape) { return [shape] { BandedSaddlePoint system(shape); }; };
  test::expect_part(test::message(make({{1, 2}, {1}})), "unknowns of 2 points and constraints of 1");
  test::expect_part(test::message(make({{1, 2}, {1, -1}})), "2 unknowns and -1 constraints at point 1");
  test::expect_part(test::message(make({{0}, {1}})), "no unknowns; it needs at least one");
  test::expect_part(test::message(make({{2}, {1}, -1})), "the reaches -1 of the Hessian");
  BandedSaddlePoint system({{2, 2, 2, 2}, {1, 1, 1, 1}, 1, 2, 1});
  test::expect_part(test::message([&] { system.hessian_block(3, 1); }), "no block of points 3 and 1; points are 0 to 3");
  test::expect_part(test::message([&] { system.hessian_block(0, 1); }), "no block of points 0 and 1");
  test::expect_part(test::message([&] { system.jacobian_block(0, 2); }), "constraints of point 0 and unknowns of point 2");
  test::expect_part(test::message([&] { system.jacobian_block(3, 4); }), "points are 0 to 3");
}

}  // namespace banded_blocks_tests
}  // namespace holo
