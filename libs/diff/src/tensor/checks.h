#pragma once
// Refusals that the tensor functions share.

#include <Eigen/Core>

#include "holo/diff/tensor/matrix_series.h"
#include "holo/diff/tensor/tensor_error.h"

namespace holo::detail {

std::string number_text(double value);  // six digits, with an exponent where it is needed
std::string shape_text(Eigen::Index rows, Eigen::Index columns);
[[noreturn]] void throw_mismatch(const std::string& what, const std::string& found, const std::string& wanted);
void require_finite(const Eigen::Ref<const Eigen::MatrixXd>& matrix, const char* what);
void require_square(Eigen::Index rows, Eigen::Index columns, const char* what);
void require_same_set(const DerivativeSet& a, const DerivativeSet& b, const char* what);
// To 1e-12 of the largest entry, in all coefficients.
void require_symmetric(const MatrixSeries& a, const char* what);
void count_factorization();

}  // namespace holo::detail
