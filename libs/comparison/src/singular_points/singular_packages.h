#pragma once
// The derivative of a singular case by each package, each in a file of its own; none where the build lacks the package.

#include "holo/comparison/singular_packages.h"

namespace holo::comparison {

std::optional<double> adolc_derivative(const SingularCase& singular_case);
std::optional<double> cppad_derivative(const SingularCase& singular_case);
std::optional<double> boost_derivative(const SingularCase& singular_case);

}  // namespace holo::comparison
