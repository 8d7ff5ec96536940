#include "elastic/pattern_products.h"

#include <algorithm>

#include "holo/core/numerics/parallel.h"

namespace holo {
namespace {

// A few columns at a time, whose entries of a row are neighbors: each 3x3 block of T is read once for all of them.
constexpr int panel_columns = 8;
using Panel = Eigen::Matrix<double, Eigen::Dynamic, panel_columns, Eigen::RowMajor>;

// product += T S of a panel.
void add_pattern_product(const ElasticPattern& pattern, const double* values, const Panel& S, Panel& product) {
  const int* outer = pattern.matrix.outerIndexPtr();
  for (std::size_t vertex = 0; vertex + 1 < pattern.entry_begin.size(); ++vertex) {
    const auto at = 3 * static_cast<Eigen::Index>(vertex);
    // The diagonal block has its lower triangle alone; the blocks below it follow in each of the three columns.
    const double* columns[3];
    Eigen::Matrix3d block;
    for (int j = 0; j < 3; ++j) {
      columns[j] = values + outer[at + j];
      for (int i = j; i < 3; ++i) block(i, j) = block(j, i) = *columns[j]++;
    }
    const Eigen::Matrix<double, 3, panel_columns, Eigen::RowMajor> of_vertex = S.middleRows<3>(at);
    Eigen::Matrix<double, 3, panel_columns, Eigen::RowMajor> sum = block.lazyProduct(of_vertex);
    for (int entry = pattern.entry_begin[vertex] + 1; entry < pattern.entry_begin[vertex + 1]; ++entry) {
      const Eigen::Index row = 3 * pattern.entry_row[static_cast<std::size_t>(entry)];
      for (int j = 0; j < 3; ++j, columns[j - 1] += 3)
        for (int i = 0; i < 3; ++i) block(i, j) = columns[j][i];
      product.middleRows<3>(row) += block.lazyProduct(of_vertex);
      sum += block.transpose().lazyProduct(S.middleRows<3>(row));
    }
    product.middleRows<3>(at) += sum;
  }
}

}  // namespace

// With Z = T S/2 + B the sum is S^T Z and its transpose.
void add_quadratic_products(const ElasticPattern& pattern, const double* values, const Eigen::Ref<const Eigen::MatrixXd>& S,
                            const Eigen::Ref<const Eigen::MatrixXd>& B, Eigen::MatrixXd& result) {
  Eigen::MatrixXd half(S.cols(), S.cols());
  parallel_for(static_cast<std::size_t>(S.cols()), panel_columns, [&](std::size_t begin, std::size_t end) {
    const auto first = static_cast<Eigen::Index>(begin), count = static_cast<Eigen::Index>(end - begin);
    Panel of_S = Panel::Zero(S.rows(), panel_columns), Z = Panel::Zero(S.rows(), panel_columns);
    of_S.leftCols(count) = S.middleCols(first, count);
    add_pattern_product(pattern, values, of_S, Z);
    Z *= 0.5;
    Z.leftCols(count) += B.middleCols(first, count);
    half.middleCols(first, count).noalias() = S.transpose() * Z.leftCols(count);
  });
  result += half + half.transpose();
}

}  // namespace holo
