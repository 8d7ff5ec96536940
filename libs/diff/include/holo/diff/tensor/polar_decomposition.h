#pragma once
// The polar decomposition F = R S of a 3x3 matrix of derivative scalars. Differentiable wherever all sums of two stretches
// differ from 0, equal stretches (F = I) included: singular vectors are never differentiated.

#include "holo/diff/matrix.h"
#include "holo/diff/tensor/matrix_series.h"

namespace holo {

struct PolarDecomposition {
  MatrixSeries R, S;
};

enum class PolarVariant {
  orthogonal,  // S is positive semi-definite, R orthogonal with the sign of det F
  rotation     // R is a rotation; S has the sign of det F in its least eigenvalue
};

// Throws TensorError: singular where s_i + s_j vanishes for two stretches (rank below two; or the rotation variant at an
// inverted F with two opposite ones), dimension_mismatch for other than 3x3, not_finite.
PolarDecomposition polar_decomposition(const MatrixSeries& F, PolarVariant variant = PolarVariant::rotation);

namespace detail {

// The decomposition of a real F = R S, with (tr(S) I - S)^-1, which its derivatives need.
struct RealPolar {
  Matrix3<double> R, S, inverse_of_sums;
};
RealPolar real_polar(const Matrix3<double>& F, PolarVariant variant);

}  // namespace detail
}  // namespace holo
