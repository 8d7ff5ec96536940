#include "holo/core/numerics/singular_values.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "holo/core/error.h"
#include "holo/core/numerics/blas.h"

// LAPACK: its header is not in the include path of every distribution.
extern "C" void dgesdd_(const char* jobz, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
                        const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* iwork, int* info);

namespace holo {

namespace {

// The decomposition of a matrix with NaN or infinity, which LAPACK must not be given: NaN throughout.
SingularValueDecomposition not_finite(Eigen::Index rows, Eigen::Index cols, bool left, bool right) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  SingularValueDecomposition result;
  result.values.setConstant(std::min(rows, cols), nan);
  if (left) result.U.setConstant(rows, rows, nan);
  if (right) result.V.setConstant(cols, cols, nan);
  return result;
}

}  // namespace

SingularValueDecomposition singular_value_decomposition(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                                        SingularVectors vectors) {
  const bool left = vectors == SingularVectors::left || vectors == SingularVectors::both;
  const bool right = vectors == SingularVectors::right || vectors == SingularVectors::both;
  const int rows = int(matrix.rows()), cols = int(matrix.cols()), count = std::min(rows, cols);
  if (!matrix.allFinite()) return not_finite(rows, cols, left, right);
  SingularValueDecomposition result;
  result.values.resize(count);
  if (count == 0) {
    if (left) result.U.setIdentity(rows, rows);
    if (right) result.V.setIdentity(cols, cols);
    return result;
  }
  prepare_blas();
  const char job = left || right ? 'A' : 'N';
  Eigen::MatrixXd a = matrix, u(job == 'A' ? rows : 1, job == 'A' ? rows : 1), vt(job == 'A' ? cols : 1, job == 'A' ? cols : 1);
  const int u_rows = int(u.rows()), vt_rows = int(vt.rows());
  std::vector<int> integers(8 * std::size_t(count));
  // The first call, with a size of -1, asks for the size of the workspace.
  int info = 0, size = -1;
  double wanted = 0;
  dgesdd_(&job, &rows, &cols, a.data(), &rows, result.values.data(), u.data(), &u_rows, vt.data(), &vt_rows, &wanted, &size,
          integers.data(), &info);
  size = int(wanted);
  std::vector<double> work(std::size_t(size) + 1);
  dgesdd_(&job, &rows, &cols, a.data(), &rows, result.values.data(), u.data(), &u_rows, vt.data(), &vt_rows, work.data(), &size,
          integers.data(), &info);
  if (info != 0)
    throw Error(Failure::internal, "the singular values of a finite matrix of " + std::to_string(rows) + " x " +
                                       std::to_string(cols) + " numbers were not found: LAPACK's dgesdd returned " +
                                       std::to_string(info));
  if (left) result.U = std::move(u);
  if (right) result.V = vt.transpose();
  return result;
}

Eigen::VectorXd singular_values(const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  return singular_value_decomposition(matrix, SingularVectors::none).values;
}

}  // namespace holo
