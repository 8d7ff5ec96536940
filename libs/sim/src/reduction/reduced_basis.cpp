#include "holo/sim/reduction/reduced_basis.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <string>

#include "holo/core/error.h"
#include "reduction/signs.h"

namespace holo {
namespace {

// The scaled displacements [3 * vertex][candidate].
Eigen::MatrixXd scaled_candidates(const LinearModes& modes, const ModalDerivatives& derivatives, double amplitude) {
  const Eigen::Index n = modes.shapes.cols();
  const Eigen::VectorXd ratio = modes.frequencies[0] * modes.frequencies.cwiseInverse();
  Eigen::MatrixXd result(modes.shapes.rows(), n + derivatives.first.cols() + derivatives.second.cols());
  Eigen::Index column = 0;
  for (Eigen::Index i = 0; i < n; ++i) result.col(column++) = ratio[i] * modes.shapes.col(i);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = i; j < n; ++j)
      result.col(column++) = amplitude * ratio[i] * ratio[j] * derivatives.first.col(derivatives.pair(i, j));
  if (derivatives.second.cols() == 0) return result;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = i; j < n; ++j)
      for (Eigen::Index k = j; k < n; ++k)
        result.col(column++) =
            amplitude * amplitude * ratio[i] * ratio[j] * ratio[k] * derivatives.second.col(derivatives.triple(i, j, k));
  return result;
}

void require_fitting_candidates(const ModalSystem& system, const LinearModes& modes, const ModalDerivatives& derivatives,
                                double amplitude) {
  const Eigen::Index n = modes.shapes.cols(), pairs = ModalDerivatives::pair_count(n);
  const bool fits =
      n > 0 && modes.shapes.rows() == system.size() && modes.frequencies.size() == n && derivatives.mode_count == n &&
      derivatives.first.rows() == system.size() && derivatives.first.cols() == pairs &&
      (derivatives.second.cols() == 0 ||
       (derivatives.second.rows() == system.size() && derivatives.second.cols() == ModalDerivatives::triple_count(n)));
  if (!fits)
    throw Error(Failure::input, "a reduced basis got " + std::to_string(n) + " modes and derivatives of " +
                                    std::to_string(derivatives.mode_count) +
                                    "; both must be of one system, the derivatives of these modes.");
  if (!(amplitude > 0))
    throw Error(Failure::input, "a reduced basis got the amplitude " + std::to_string(amplitude) + "; it must be above 0.");
}

}  // namespace

// With X = M^1/2 (candidates), the left singular vectors of X by a QR decomposition first: forming X^T X would lose half of the
// digits of small directions.
ReducedBasis reduced_basis(const ModalSystem& system, const LinearModes& modes, const ModalDerivatives& derivatives, int count,
                           double amplitude) {
  require_fitting_candidates(system, modes, derivatives, amplitude);
  const Eigen::VectorXd roots = system.masses().cwiseSqrt();
  const Eigen::MatrixXd X = roots.asDiagonal() * scaled_candidates(modes, derivatives, amplitude);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(X);
  const Eigen::Index candidates = std::min(X.rows(), X.cols());
  const Eigen::MatrixXd R = qr.matrixQR().topRows(candidates).triangularView<Eigen::Upper>();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(R, Eigen::ComputeThinU);
  ReducedBasis basis;
  basis.singular_values = svd.singularValues();
  const double least = 1e-13 * basis.singular_values[0];
  const Eigen::Index independent = (basis.singular_values.array() > least).count();
  if (count < 1 || count > independent)
    throw Error(Failure::input, "a reduced basis of " + std::to_string(count) + " columns is wanted; " +
                                    std::to_string(X.cols()) + " displacements, of which " + std::to_string(independent) +
                                    " are independent, give 1 to as many.");
  Eigen::MatrixXd left = Eigen::MatrixXd::Zero(X.rows(), count);
  left.topRows(candidates) = svd.matrixU().leftCols(count);
  basis.columns = roots.cwiseInverse().asDiagonal() * (qr.householderQ() * left).eval();
  for (Eigen::Index i = 0; i < count; ++i) choose_sign(basis.columns.col(i));
  const Eigen::VectorXd squares = basis.singular_values.cwiseAbs2();
  basis.relative_remainder = squares.tail(squares.size() - count).sum() / squares.sum();
  return basis;
}

}  // namespace holo
