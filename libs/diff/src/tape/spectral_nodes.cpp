#include "holo/diff/tape/spectral_nodes.h"

#include "tensor/checks.h"

namespace holo::detail {

// Rounding makes planes slightly unsymmetric; the series needs symmetric coefficients. Planes of zeros stay unset.
void set_symmetric_planes(const double* planes, int count, int n, int first, MatrixSeries& series) {
  for (int p = 0; p < count; ++p) {
    const Eigen::Map<const Eigen::MatrixXd> plane(planes + std::ptrdiff_t(p) * n * n, n, n);
    if (p + first == 0 || !plane.isZero(0)) series.set_coefficient(first + p, 0.5 * (plane + plane.transpose()));
  }
}

Eigen::MatrixXd symmetric_value(const double* value, int n, const char* node) {
  const Eigen::Map<const Eigen::MatrixXd> A(value, n, n);
  require_symmetric(MatrixSeries(DerivativeSet::none(), A), node);
  return 0.5 * (A + A.transpose());
}

void add_coefficients(const MatrixSeries& series, int first, int count, double* planes) {
  const Eigen::Index size = series.rows() * series.columns();
  for (int p = 0; p < count; ++p)
    if (!series.is_zero(first + p))
      Eigen::Map<Eigen::MatrixXd>(planes + p * size, series.rows(), series.columns()) += series.stored(first + p);
}

bool all_finite(const double* numbers, std::size_t count) {
  return Eigen::Map<const Eigen::ArrayXd>(numbers, Eigen::Index(count)).allFinite();
}

}  // namespace holo::detail
