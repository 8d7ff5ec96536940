#include "singular_points/singular_packages.h"

namespace holo::comparison {

std::vector<std::string> derivative_packages() { return {"adolc", "cppad", "boost_autodiff"}; }

std::vector<std::optional<double>> package_derivatives(const SingularCase& singular_case) {
  return {adolc_derivative(singular_case), cppad_derivative(singular_case), boost_derivative(singular_case)};
}

}  // namespace holo::comparison
