// CppAD: Taylor coefficients of a recorded function along x + t.
#include "singular_points/singular_packages.h"

#ifdef HOLO_COMPARISON_CPPAD
#include <vector>

#include "singular_points/singular_functions.h"
#include "timing/cppad_package.h"

namespace holo::comparison {

std::optional<double> cppad_derivative(const SingularCase& c) {
  return with_singular_function(c, [&](const auto& f) -> std::optional<double> {
    using Active = CppAD::AD<double>;
    std::vector<Active> x = {c.point}, y(1);
    CppAD::Independent(x);
    y[0] = f(x[0]);
    CppAD::ADFun<double> recorded;
    recorded.Dependent(x, y);  // unlike the constructor, this does not compare values, which may be NaN
    std::vector<double> coefficient = {c.point}, result = recorded.Forward(0, coefficient);
    double factorial = 1;
    for (int k = 1; k <= c.order; ++k) {
      coefficient[0] = k == 1 ? 1 : 0;
      result = recorded.Forward(std::size_t(k), coefficient);
      factorial *= k;
    }
    return factorial * result[0];
  });
}

}  // namespace holo::comparison
#else
namespace holo::comparison {
std::optional<double> cppad_derivative(const SingularCase&) { return {}; }
}  // namespace holo::comparison
#endif
