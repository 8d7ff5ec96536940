#include "holo/diff/tape/determinant_nodes.h"

#include <Eigen/LU>
#include <Eigen/SVD>

#include "tensor/checks.h"

namespace holo::detail {

// log |det A| from LU, the sum of the logarithms of the pivots; the sign of det A is the product of their signs and that of the
// permutation.
double real_log_determinant(const double* A, int n, double& sign) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(Eigen::Map<const Eigen::MatrixXd>(A, n, n));
  sign = double(lu.permutationP().determinant());
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double pivot = lu.matrixLU()(i, i);
    if (pivot < 0) sign = -sign;
    sum += std::log(std::abs(pivot));
  }
  return sum;
}

// Gaussian elimination in complex numbers, with pivots chosen by their real parts: the determinant is a complex step, whose
// real part is the value.
Complex<double> complex_log_determinant(const double* planes, int n, double& sign) {
  using C = Complex<double>;
  std::vector<C> A;
  A.reserve(std::size_t(n) * std::size_t(n));
  for (int k = 0; k < n * n; ++k) A.emplace_back(planes[k], planes[n * n + k]);
  C sum(0.0);
  sign = 1;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[k * n + i].value()) > std::abs(A[k * n + pivot].value())) pivot = i;
    if (pivot != k) sign = -sign;
    for (int j = 0; j < n; ++j) std::swap(A[j * n + k], A[j * n + pivot]);
    const C& largest = A[k * n + k];
    if (largest.value() == 0.0)
      throw TensorError(TensorError::Kind::singular, k,
                        "a determinant in complex arithmetic of a matrix whose pivot in row " + std::to_string(k) +
                            " vanishes: take nilpotent numbers");
    const bool negative = largest.value() < 0;
    if (negative) sign = -sign;
    sum = sum + log(negative ? C(-largest) : largest);
    for (int i = k + 1; i < n; ++i) {
      const C factor = A[k * n + i] / largest;
      for (int j = k; j < n; ++j) A[j * n + i] = A[j * n + i] - factor * A[j * n + k];
    }
  }
  return sum;
}

// The singular value decomposition gives the adjugate of a singular matrix, too, which the inverse does not.
SingularFactors::SingularFactors(const double* A, int n) {
  const Eigen::Map<const Eigen::MatrixXd> matrix(A, n, n);
  require_finite(matrix, "a matrix with a determinant");
  count_factorization();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  U = svd.matrixU();
  V = svd.matrixV();
  values = svd.singularValues();
  sign = U.determinant() * V.determinant() < 0 ? -1.0 : 1.0;
}

}  // namespace holo::detail
