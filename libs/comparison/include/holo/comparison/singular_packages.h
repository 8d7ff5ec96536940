#pragma once
// Derivatives by packages of automatic differentiation where the rules of differentiation divide 0 by 0 [Luo2019, section 8].

#include <optional>
#include <string>
#include <vector>

#include "holo/comparison/singular_case.h"

namespace holo::comparison {

// ADOL-C, CppAD and Boost.Math, in this order; those that the build lacks, too.
std::vector<std::string> derivative_packages();  // "adolc", "cppad", "boost_autodiff"

// Their derivatives of a case, in the same order: the number that the package returns, finite or not; none where the build
// lacks it.
std::vector<std::optional<double>> package_derivatives(const SingularCase& singular_case);

}  // namespace holo::comparison
