#include "holo/core/singular_values.h"

#include <Eigen/SVD>
#include <limits>

namespace holo {

SingularValueDecomposition singular_value_decomposition(const Eigen::Ref<const Eigen::MatrixXd>& matrix, SingularVectors vectors) {
  const bool left = vectors == SingularVectors::left || vectors == SingularVectors::both;
  const bool right = vectors == SingularVectors::right || vectors == SingularVectors::both;
  SingularValueDecomposition result;
  if (!matrix.allFinite()) {  // Eigen would leave its results uninitialized
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    result.values.setConstant(std::min(matrix.rows(), matrix.cols()), nan);
    if (left) result.U.setConstant(matrix.rows(), matrix.rows(), nan);
    if (right) result.V.setConstant(matrix.cols(), matrix.cols(), nan);
    return result;
  }
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(matrix, (left ? Eigen::ComputeFullU : 0) | (right ? Eigen::ComputeFullV : 0));
  result.values = svd.singularValues();
  if (left) result.U = svd.matrixU();
  if (right) result.V = svd.matrixV();
  return result;
}

Eigen::VectorXd singular_values(const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  return singular_value_decomposition(matrix, SingularVectors::none).values;
}

}  // namespace holo
