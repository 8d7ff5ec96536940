#include "holo/sim/dynamics/block_assembler.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "holo/core/error.h"

namespace holo::test {
namespace {

// Four vertices in a chain: diagonal blocks and those of neighbors.
SparseMatrix chain_pattern() {
  std::vector<Eigen::Triplet<double>> entries;
  for (int v = 0; v < 4; ++v)
    for (int j = 0; j < 3; ++j) {
      for (int i = j; i < 3; ++i) entries.emplace_back(3 * v + i, 3 * v + j, 0.0);
      for (int i = 0; i < 3 && v < 3; ++i) entries.emplace_back(3 * v + 3 + i, 3 * v + j, 0.0);
    }
  SparseMatrix matrix(12, 12);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

std::array<double, 9> numbered(double first) {
  std::array<double, 9> block;
  for (std::size_t k = 0; k < 9; ++k) block[k] = first + static_cast<double>(k);
  return block;
}

Eigen::Matrix3d matrix_of(const std::array<double, 9>& block) { return Eigen::Map<const Eigen::Matrix3d>(block.data()); }

// Symmetric, from its lower triangle.
Eigen::MatrixXd dense(const SparseMatrix& lower) { return Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>(); }

struct Assembly {
  BlockAssembler assembler{chain_pattern()};
  SparseMatrix hessian;

  // Blocks of 3x3 at (row, column), on fixed values of 1 in the first entry of the matrix.
  PatternChange run(const std::vector<std::array<int, 2>>& pairs, const std::vector<std::uint8_t>* eliminated = nullptr) {
    assembler.begin(hessian, eliminated);
    double* values = assembler.take_fixed_values();
    std::fill(values, values + chain_pattern().nonZeros(), 0.0);
    values[0] = 1;
    for (const auto& [row, column] : pairs) assembler.add_block(row, column, numbered(10 * row + column));
    return assembler.finish();
  }
};

TEST(BlockAssembler, SumsBlocksInEitherTriangleWithTheFixedOnesAndTheDiagonal) {
  Assembly a;
  a.assembler.begin(a.hessian, nullptr);
  a.assembler.add_block(3, 0, numbered(1));
  a.assembler.add_block(0, 3, numbered(20));
  a.assembler.add_block(1, 0, numbered(5));
  for (int v = 0; v < 4; ++v) a.assembler.add_identity(v, v + 0.5);
  a.assembler.finish();
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(12, 12);
  expected.block<3, 3>(9, 0) = matrix_of(numbered(1)) + matrix_of(numbered(20)).transpose();
  expected.block<3, 3>(3, 0) = matrix_of(numbered(5));
  for (int v = 0; v < 4; ++v) expected.block<3, 3>(3 * v, 3 * v).diagonal().setConstant(v + 0.5);
  expected = Eigen::MatrixXd(expected.selfadjointView<Eigen::Lower>());
  EXPECT_EQ(dense(a.hessian), expected);
}

TEST(BlockAssembler, FixedValuesKeepTheirPlacesWhenThePatternGrows) {
  Assembly a;
  std::vector<double> fixed(static_cast<std::size_t>(chain_pattern().nonZeros()));
  for (std::size_t i = 0; i < fixed.size(); ++i) fixed[i] = static_cast<double>(i + 1);
  SparseMatrix expected = chain_pattern();
  std::copy(fixed.begin(), fixed.end(), expected.valuePtr());
  for (int turn = 0; turn < 3; ++turn) {  // within the pattern, as it grows, after it has grown
    a.assembler.begin(a.hessian, nullptr);
    std::copy(fixed.begin(), fixed.end(), a.assembler.take_fixed_values());
    if (turn > 0) a.assembler.add_block(3, 1, numbered(100));
    a.assembler.finish();
    Eigen::MatrixXd full = Eigen::MatrixXd(expected);
    if (turn > 0) full.block<3, 3>(9, 3) += matrix_of(numbered(100));
    EXPECT_EQ(Eigen::MatrixXd(a.hessian), full) << turn;
  }
}

TEST(BlockAssembler, ThePatternChangesOnlyForBlocksThatWereNotThere) {
  Assembly a;
  EXPECT_EQ(a.run({}), PatternChange::changed) << "the matrix was empty";
  EXPECT_EQ(a.run({}), PatternChange::unchanged);
  EXPECT_EQ(a.run({{1, 0}, {2, 2}}), PatternChange::unchanged) << "within the fixed pattern";
  EXPECT_EQ(a.run({{2, 0}, {3, 0}}), PatternChange::changed);
  const Eigen::Index grown = a.hessian.nonZeros();
  EXPECT_EQ(a.run({{3, 0}}), PatternChange::unchanged) << "a subset";
  EXPECT_EQ(a.run({}), PatternChange::unchanged);
  EXPECT_EQ(a.run({{0, 2}, {3, 0}}), PatternChange::unchanged) << "back again";
  EXPECT_EQ(a.hessian.nonZeros(), grown);
  EXPECT_EQ(a.run({{2, 0}, {3, 1}}), PatternChange::changed);
  EXPECT_EQ(a.hessian.nonZeros(), grown + 9) << "one block more, one not in use kept";
  SparseMatrix other;
  std::swap(other, a.hessian);
  EXPECT_EQ(a.run({{3, 1}}), PatternChange::changed) << "another matrix";
}

TEST(BlockAssembler, BlocksNotInUseAreDroppedWhenTheyOutnumberTheOthers) {
  Assembly a;
  a.run({{2, 0}, {3, 0}});
  const Eigen::Index two = a.hessian.nonZeros();
  EXPECT_EQ(a.run({{3, 1}}), PatternChange::changed);
  EXPECT_EQ(a.hessian.nonZeros(), two - 9);
}

// A run that is resumed at a step has the pattern of one that was not: of the blocks of this step.
TEST(BlockAssembler, AStepBeginsWithItsOwnBlocksOnly) {
  Assembly a, resumed;
  a.run({{2, 0}, {3, 0}});
  a.assembler.begin_step();
  EXPECT_EQ(a.run({{3, 0}}), PatternChange::changed) << "a subset";
  resumed.run({{3, 0}});
  const SparseMatrix expected = resumed.hessian;
  EXPECT_EQ(a.hessian.nonZeros(), expected.nonZeros());
  EXPECT_EQ(Eigen::MatrixXd(a.hessian), Eigen::MatrixXd(expected));
  a.assembler.begin_step();
  EXPECT_EQ(a.run({{3, 0}, {3, 0}, {1, 0}, {2, 2}}), PatternChange::unchanged) << "the same set";
  EXPECT_EQ(a.run({{3, 0}, {3, 1}}), PatternChange::changed);
  EXPECT_EQ(a.run({{3, 0}}), PatternChange::unchanged) << "later in the step";
  a.assembler.begin_step();
  EXPECT_EQ(a.run({}), PatternChange::changed);
  EXPECT_EQ(a.hessian.nonZeros(), chain_pattern().nonZeros());
}

TEST(BlockAssembler, TheSymbolicFactorizationIsKeptWhileThePatternIs) {
  Assembly a;
  NewtonWorkspace workspace;
  Eigen::VectorXd direction;
  const Eigen::VectorXd gradient = Eigen::VectorXd::Ones(12);
  const auto solve = [&](const std::vector<std::array<int, 2>>& pairs) {
    a.assembler.begin(a.hessian, nullptr);
    for (const auto& [row, column] : pairs) a.assembler.add_block(row, column, numbered(0.01));
    for (int v = 0; v < 4; ++v) a.assembler.add_identity(v, 100);
    a.assembler.finish();
    EXPECT_TRUE(newton_direction(a.hessian, gradient, direction, workspace));
    EXPECT_LT((dense(a.hessian) * direction + gradient).norm(), 1e-13);
    return workspace.analyses();
  };
  EXPECT_EQ(solve({{2, 0}, {3, 0}}), 1);
  EXPECT_EQ(solve({{3, 0}}), 1);
  EXPECT_EQ(solve({}), 1);
  EXPECT_EQ(solve({{2, 0}, {3, 1}}), 2);
}

TEST(BlockAssembler, EliminatedVerticesHaveADiagonalMatrix) {
  Assembly a;
  const std::vector<std::uint8_t> eliminated = {0, 0, 0, 1};
  a.run({{3, 0}, {2, 0}}, &eliminated);
  const Eigen::MatrixXd full = dense(a.hessian);
  EXPECT_EQ(full.bottomRows(3).leftCols(9), Eigen::MatrixXd::Zero(3, 9));
  EXPECT_EQ(full.bottomRightCorner(3, 3), Eigen::MatrixXd::Identity(3, 3)) << "without inertia";
  EXPECT_EQ((full.block<3, 3>(6, 0)), matrix_of(numbered(20)));
}

TEST(BlockAssembler, ASecondTermOfElementsIsRefused) {
  Assembly a;
  a.assembler.begin(a.hessian, nullptr);
  a.assembler.take_fixed_values();
  EXPECT_THROW(a.assembler.take_fixed_values(), Error);
}

}  // namespace
}  // namespace holo::test
